#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How fast and how accurate are others? shapeboost and four classifiers of aeon on sets of the UCR archive.

    bench/peers.py [--sets NAME ...] [--methods NAME ...] [--out results.json] [--markdown FILE]

Needs `pip install aeon torch` and, beside them, the shapeboost package (`pip install .`); where that cannot be imported
the command line stands in for it, whose seconds then include starting, reading the data, and the model's file. The sets are
ucr/<Name>/<Name>_TRAIN.tsv and _TEST.tsv in the folder SHAPEBOOST_DATA, else ../shared/data. Everyone has the default
settings, seed 1 and one thread. Seconds are of the processor (user and system, child processes included), not of the clock;
imports, reading into arrays and numba's compilation, done on a tiny set before, do not count.
"""

import os

for _variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # read when the libraries are loaded, so before
    os.environ[f"{_variable}_NUM_THREADS"] = "1"

import argparse
import csv
import gc
import importlib
import json
import math
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
SETS = """GunPoint ItalyPowerDemand ECG200 ToeSegmentation1 OSULeaf SwedishLeaf Strawberry PhalangesOutlinesCorrect
FacesUCR FiftyWords WordSynonyms MedicalImages Crop""".split()
OURS = "shapeboost"
PEERS = {"rdst": ("shapelet_based", "RDSTClassifier"),
         "mr-hydra": ("convolution_based", "MultiRocketHydraClassifier"),
         "quant": ("interval_based", "QUANTClassifier"),
         "minirocket": ("convolution_based", "MiniRocketClassifier")}
METHODS = [OURS, *PEERS]


def files(name):
    folder = pathlib.Path(os.environ.get("SHAPEBOOST_DATA") or ROOT.parent / "shared" / "data") / "ucr"
    for stem in (folder / name / name, folder / name):
        train, test = (stem.with_name(f"{name}_{part}.tsv") for part in ("TRAIN", "TEST"))
        if train.exists() and test.exists():
            return train, test
    sys.exit(f"peers: no {name}/{name}_TRAIN.tsv and _TEST.tsv in {folder}; set SHAPEBOOST_DATA to the folder that holds ucr/")


def read(path):
    """Series (n, length) and labels, as texts."""
    import numpy as np

    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len({len(row) for row in rows}) != 1:
        sys.exit(f"peers: {path} holds no series or some of different lengths, which not all methods take")
    X = np.array([row[1:] for row in rows], dtype=float)
    if np.isnan(X).any():
        sys.exit(f"peers: {path} has missing values, which not all methods take")
    return X, np.array([row[0].strip() for row in rows])


def spent():
    """Seconds of the processor so far: this process, all its threads, and the children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class InProcess:
    """A classifier of scikit-learn's kind."""

    def __init__(self, version, make):
        self.version, self.make = version, make
        self.warm_up()

    def warm_up(self):
        import numpy as np

        rng = np.random.default_rng(1)
        for classes in (2, 3):  # numba compiles in the first calls
            X, y = rng.normal(size=(24, 60)).cumsum(axis=1), np.array([str(i % classes) for i in range(24)])
            self.make().fit(X, y).predict(X)

    def measure(self, train, test):
        (X, y), (Xt, yt) = read(train), read(test)
        model = self.make()
        gc.collect()
        begin = spent()
        model.fit(X, y)
        fitted = spent()
        predicted = model.predict(Xt)
        return fitted - begin, spent() - fitted, float((predicted == yt).mean())


class Program:
    """shapeboost's command line."""

    def __init__(self, program):
        self.program = program
        self.version = self.run("--version").strip() + ", command line"

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"peers: {self.program} {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def measure(self, train, test):
        with tempfile.TemporaryDirectory() as folder:
            model, answers = pathlib.Path(folder) / "model.json", pathlib.Path(folder) / "answers.csv"
            begin = spent()
            self.run("fit", train, "--model", model, "--threads", 1, "--quiet")
            fitted = spent()
            self.run("predict", test, "--model", model, "--threads", 1, "--out", answers)
            ended = spent()
            with open(answers, encoding="utf-8", newline="") as file:
                right = [row["predicted"] == row["label"] for row in csv.DictReader(file)]
        return fitted - begin, ended - fitted, statistics.mean(right)


def ours(program):
    try:
        import shapeboost
    except ImportError:
        if not program.exists():
            sys.exit(f"peers: neither the package shapeboost (pip install .) nor {program} (make)")
        return Program(program.resolve())
    return InProcess(f"shapeboost {shapeboost.__version__}, Python", lambda: shapeboost.SeriesClassifier(random_state=1))


def peer(method):
    module, name = PEERS[method]
    try:
        import aeon
        import torch

        make = getattr(importlib.import_module(f"aeon.classification.{module}"), name)
    except ImportError as error:
        sys.exit(f"peers: {method} cannot be imported ({error}): pip install aeon torch")
    torch.set_num_threads(1)
    threads = {} if method == "quant" else {"n_jobs": 1}  # its trees have one thread by default
    return InProcess(f"aeon {aeon.__version__}", lambda: make(random_state=1, **threads))


def table(results, sets, methods):
    """Markdown of what has been measured."""
    done = {m: [s for s in sets if m in results.get(s, {})] for m in methods}

    def cell(s, m):
        r = results.get(s, {}).get(m)
        return f"{r['fit']:.2f} / {r['predict']:.2f} / {r['accuracy']:.3f}" if r else ""

    lines = ["Each cell: seconds of fit / seconds of predict / accuracy.", "",
             "| set | " + " | ".join(methods) + " |", "|" + "---|" * (1 + len(methods))]
    lines += [f"| {s} | " + " | ".join(cell(s, m) for m in methods) + " |" for s in sets if any(cell(s, m) for m in methods)]
    everyone = [s for s in sets if all(s in done[m] for m in methods)]
    if everyone:
        lines.append(f"| mean accuracy ({len(everyone)} sets) | " + " | ".join(
            f"{statistics.mean(results[s][m]['accuracy'] for s in everyone):.4f}" for m in methods) + " |")
    against = [m for m in methods if m != OURS and OURS in methods and set(done[m]) & set(done[OURS])]
    if against:
        lines += ["", "Seconds divided by shapeboost's, geometric means: above 1 shapeboost is the faster. Accuracy: the sets "
                  "on which shapeboost has the higher, the same, the lower.", "",
                  "| against | sets | fit | predict | wins / draws / losses | mean difference |", "|" + "---|" * 6]
    for m in against:
        pairs = [(results[s][OURS], results[s][m]) for s in done[m] if s in done[OURS]]
        ratio = {k: math.exp(statistics.mean(math.log(b[k] / a[k]) for a, b in pairs)) for k in ("fit", "predict")}
        gains = [a["accuracy"] - b["accuracy"] for a, b in pairs]
        draws = sum(abs(g) < 1e-9 for g in gains)
        wins = sum(g >= 1e-9 for g in gains)
        lines.append(f"| {m} | {len(pairs)} | {ratio['fit']:.2f} | {ratio['predict']:.2f} | "
                     f"{wins} / {draws} / {len(pairs) - wins - draws} | {statistics.mean(gains):+.4f} |")
    versions = sorted({results[s][m]["version"] for m in methods for s in done[m]})
    lines += ["", f"One thread, processor seconds; {', '.join(versions)}; {platform.machine()}.", ""]
    return "\n".join(lines)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.rename(path)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="NAME", help="default: " + " ".join(SETS))
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS, metavar="NAME",
                        help="default: " + " ".join(METHODS))
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE",
                        help="results as JSON, written after each set and method. What it holds already is not measured "
                             "again, so an interrupted run goes on where it was")
    parser.add_argument("--again", action="store_true", help="measure these sets and methods even if --out holds them")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write the table there")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "shapeboost",
                        help="shapeboost's command line, where the package is missing")
    return parser.parse_args()


def main():
    given = options()
    warnings.filterwarnings("ignore")
    paths = {name: files(name) for name in given.sets}
    results = {}
    if given.out and given.out.exists():
        try:
            results = json.loads(given.out.read_text(encoding="utf-8"))
        except ValueError as error:
            sys.exit(f"peers: {given.out} is not a file of results: {error}")
    if given.again:
        for name in given.sets:
            results[name] = {m: r for m, r in results.get(name, {}).items() if m not in given.methods}
    wanted = {m for name in given.sets for m in given.methods if m not in results.get(name, {})}
    classifiers = {m: ours(given.program) if m == OURS else peer(m) for m in given.methods if m in wanted}
    for name in given.sets:
        for method in given.methods:
            if method in results.get(name, {}):
                continue
            fit, predict, accuracy = classifiers[method].measure(*paths[name])
            results.setdefault(name, {})[method] = {"fit": round(fit, 6), "predict": round(predict, 6),
                                                    "accuracy": accuracy, "version": classifiers[method].version}
            print(f"{name:26}{method:12}fit {fit:9.2f} s, predict {predict:8.2f} s, accuracy {accuracy:.4f}",
                  file=sys.stderr, flush=True)
            if given.out:
                write(given.out, json.dumps(results, indent=1) + "\n")
    text = table(results, given.sets, given.methods)
    print(text, end="")
    if given.markdown:
        write(given.markdown, text)


if __name__ == "__main__":
    main()
