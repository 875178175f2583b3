#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How do the methods compare? Cross-validated accuracy of `fit --method ...` on multiple-instance sets.

    bench/baselines.py --data DIR [--program build/release/shapeboost] [--repeats 1] [--tune] [--out FILE] [SET ...]

DIR holds mil/<set>.csv and, optionally, published_mil_accuracy.csv, whose accuracies are listed beside ours. Ten
stratified folds, drawn anew for each repeat and the same for all methods. Every choice of options is shown, none is
selected by its result; --tune adds rows in which `tune` chooses within each fold's training data, which takes an hour.
"""

import argparse
import csv
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

SETS = "musk1 elephant fox tiger".split()
FOLDS = 10
TUNE = "tune"  # in place of fit
CHOICES = [(method, options) for method in ("mi-svm", "MI-svm")
           for options in ("--C 1", "--C 10", "--C 10 --sigma-scale 2", "--C 0.1 --kernel linear",
                           "--C 1 --kernel polynomial")]
CHOICES += [("l1-svm", "--C 1"), ("l1-svm", "--C 4"), ("l1-svm", "--C 16"), ("boost", "--members 1"), ("boost", "")]
TUNED = [(method, TUNE) for method in ("mi-svm", "MI-svm", "l1-svm")]
PUBLISHED = ("mi-SVM", "MI-SVM")


def folds_of(path, seed):
    """The names of the bags in each fold."""
    with open(path, encoding="utf-8", newline="") as file:
        labels = {row[0]: row[1] for row in list(csv.reader(file))[1:]}
    rng = random.Random(seed)
    folds = [set() for _ in range(FOLDS)]
    place = 0
    for label in sorted(set(labels.values())):
        members = [bag for bag in labels if labels[bag] == label]
        rng.shuffle(members)
        for bag in members:
            folds[place % FOLDS].add(bag)
            place += 1
    return folds


def split(path, held_out, folder):
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    parts = {"train": [header], "test": [header]}
    for line in lines:
        parts["test" if line.split(",", 1)[0] in held_out else "train"].append(line)
    for name, part in parts.items():
        (folder / f"{name}.csv").write_text("\n".join(part) + "\n", encoding="utf-8")


def run(program, *arguments, cwd):
    done = subprocess.run([program, *arguments, "--json"], check=True, capture_output=True, cwd=cwd)
    return json.loads(done.stdout)


def measure(program, path, repeats, choices):
    """For each choice, the accuracy on each fold and the total training time in seconds."""
    accuracies = [[] for _ in choices]
    seconds = [0.0 for _ in choices]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for repeat in range(repeats):
            for held_out in folds_of(path, repeat + 1):
                split(path, held_out, folder)
                for k, (method, options) in enumerate(choices):
                    command = [TUNE] if options == TUNE else ["fit", *options.split()]
                    fit = run(program, *command, "train.csv", "--model", "m.json", "--method", method, cwd=folder)
                    seconds[k] += fit["seconds"]
                    accuracies[k].append(run(program, "evaluate", "test.csv", "--model", "m.json",
                                             cwd=folder)["accuracy"])
    return accuracies, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/shapeboost"))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    given = parser.parse_args()
    choices = CHOICES + (TUNED if given.tune else [])
    cells, times = [[] for _ in choices], [0.0 for _ in choices]
    for name in given.sets:
        accuracies, seconds = measure(given.program.resolve(), given.data / "mil" / f"{name}.csv", given.repeats, choices)
        for k, folds in enumerate(accuracies):
            cells[k].append(f"{100 * statistics.mean(folds):.1f}")
            times[k] += seconds[k]
        print(name, *(column[-1] for column in cells), file=sys.stderr, flush=True)
    lines = ["| method | options | " + " | ".join(given.sets) + " | fit s |", "|" + "---|" * (3 + len(given.sets))]
    for (method, options), row, spent in zip(choices, cells, times):
        mean = spent / (FOLDS * given.repeats * len(given.sets))
        shown = f"`{options}`" if options else "none"
        lines.append(f"| {method} | {shown} | " + " | ".join(row) + f" | {mean:.2f} |")
    published = given.data / "published_mil_accuracy.csv"
    if published.exists():
        with open(published, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["method"] in PUBLISHED:
                    lines.append(f"| {row['method']} | published | " +
                                 " | ".join(row.get(name) or "" for name in given.sets) + " | |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
