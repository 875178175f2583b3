#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many patterns does a model need? `shapeboost fit --patterns N` for several N, then `evaluate` on the test part.

    bench/patterns.py --data DIR [--program build/release/shapeboost] [--out docs/results/patterns.md] [SET ...]

DIR holds ucr/<Name>/<Name>_TRAIN.tsv. Missing sets are skipped. Prints a row as soon as a set is done.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

COUNTS = (10, 30, 100, 300, 1000, 3000, 10000)
SETS = """GunPoint ItalyPowerDemand ECG200 ToeSegmentation1 ArrowHead OSULeaf SwedishLeaf Strawberry FacesUCR MedicalImages WordSynonyms
FiftyWords""".split()


def run(program, *arguments):
    return json.loads(subprocess.run([program, *map(str, arguments)], check=True, capture_output=True).stdout)


def accuracies(program, train, test):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.json"
        for count in COUNTS:
            run(program, "fit", train, "--model", model, "--json", "--patterns", count)
            yield run(program, "evaluate", test, "--model", model, "--json")["accuracy"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--program", default="build/release/shapeboost")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    given = parser.parse_args()
    lines = ["| data | " + " | ".join(f"{count:,}" for count in COUNTS) + " |", "|" + "---|" * (1 + len(COUNTS))]
    print("\n".join(lines), flush=True)
    rows = []
    for name in given.sets:
        train = given.data / "ucr" / name / f"{name}_TRAIN.tsv"
        if not train.exists():
            continue
        rows.append(list(accuracies(given.program, train, train.with_name(f"{name}_TEST.tsv"))))
        lines.append(f"| {name} | " + " | ".join(f"{accuracy:.3f}" for accuracy in rows[-1]) + " |")
        print(lines[-1], flush=True)
    means = [sum(column) / len(rows) for column in zip(*rows)]
    lines.append("| **mean** | " + " | ".join(f"**{mean:.3f}**" for mean in means) + " |")
    print(lines[-1])
    if given.out:
        text = ["# Accuracy by number of patterns", "",
                "`bench/patterns.py --data DIR --out FILE`: `fit --patterns N`, then `evaluate` on the test part; seed 1. A model may have fewer "
                "than N where no more are found.", "", *lines, ""]
        given.out.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
