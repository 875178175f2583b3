#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does Python cost anything? The time of `fit` in Python against the command line's on the same data, and the time of
the import.

    PYTHONPATH=build/release/python python bench/python_fit.py PROGRAM DATA_FOLDER [RUNS]

Both must come from the same build. Prints a line for each set: the seconds of both, each the minimum over runs that
alternate, and their ratio. Exits with 1 if a ratio is above 1.05, a model differs, or the import takes longer than 0.3 s.
The command line's time includes reading the file, so Python's does too.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import shapeboost

SETS = ("GunPoint", "Strawberry")


def by_program(program, path, model):
    done = subprocess.run([program, "fit", path, "--model", model, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["seconds"]


def by_python(path):
    begin = time.perf_counter()
    model = shapeboost.SeriesClassifier(random_state=1, n_jobs=-1).fit(*shapeboost.read(path))
    return time.perf_counter() - begin, model


def importing():
    code = "import time; t = time.perf_counter(); import shapeboost; print(time.perf_counter() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
               for _ in range(5))


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    good = True
    for name in SETS:
        path = next(data.glob(f"**/{name}_TRAIN.tsv"))
        own, ours = [], []
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "m.json"
            for _ in range(runs):
                own.append(by_program(program, path, file))
                seconds, model = by_python(path)
                ours.append(seconds)
            written = json.loads(file.read_text())
        made = json.loads(model.model_.to_json())
        same = all(made[key] == written[key] for key in ("views", "hypotheses", "parts"))
        ratio = min(ours) / min(own)
        good = good and ratio <= 1.05 and same
        print(f"{name:12} program {min(own):.3f} s, python {min(ours):.3f} s, ratio {ratio:.3f}, "
              f"{'the same model' if same else 'A DIFFERENT MODEL'}")
    seconds = importing()
    print(f"import       {seconds:.3f} s")
    return 0 if good and seconds < 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())
