#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bags: shapeboost's default beside what else one would try, by cross-validation on the sets of a folder.

  shapeboost    `shapeboost fit` without options, with --optimise balanced, and --method mi-svm, --method MI-svm
  mean-min-max  SVM (Gaussian kernel, C = 10) on each feature's mean, minimum and maximum over the bag, standardised
  meanmin       linear SVM on the mean over a bag's instances of the distance to the nearest instance of each training bag,
                features standardised over the training bags, or unscaled (features that hardly vary there may be large in others)
  MILES         1-norm linear SVM on the largest Gaussian similarity of a bag to each of at most 2,000 training instances

All but MILES with balanced class weights, as their users set them. Needs numpy, and scikit-learn for all but the program's own
methods (--methods "shapeboost;mi-SVM"). Folds are StratifiedKFold's. A run that was interrupted goes on from --out, fold by
fold; --jobs runs so many folds side by side, each on one thread; --markdown writes the table.
"""
import argparse
import collections
import concurrent.futures
import csv
import functools
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

OURS = {"shapeboost": [], "shapeboost balanced": ["--optimise", "balanced"], "mi-SVM": ["--method", "mi-svm"],
        "MI-SVM": ["--method", "MI-svm"]}
MILES_CANDIDATES = 2000


class Set:
    def __init__(self, path):
        with open(path) as file:
            self.head = file.readline()
            lines = file.readlines()
        self.lines = collections.OrderedDict()
        for line in lines:
            self.lines.setdefault(line.split(",", 1)[0], []).append(line)
        self.lines = list(self.lines.values())
        labels = [bag[0].split(",", 2)[1] for bag in self.lines]
        self.classes = sorted(set(labels))
        if len(self.classes) != 2:
            sys.exit(f"{path}: expected two classes, found {len(self.classes)}")
        self.y = np.array([self.classes.index(label) for label in labels])
        self.distances = None  # of all bags
        self.bags = [np.array([line.rstrip("\n").split(",")[2:] for line in bag], float) for bag in self.lines]

    def write(self, bags, path):
        with open(path, "w") as file:
            file.write(self.head)
            for i in bags:
                file.writelines(self.lines[i])


def ours(options):
    def run(data, train, test, seed, program):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model.json")]
            data.write(train, paths[0])
            data.write(test, paths[1])
            subprocess.run([program, "fit", paths[0], "--model", paths[2], "--quiet", "--threads", "1", "--seed",
                            str(seed + 1), *options], check=True)
            out = subprocess.run([program, "predict", paths[1], "--model", paths[2], "--threads", "1"], check=True,
                                 capture_output=True, text=True).stdout
        score = np.array([float(row["score"]) for row in csv.DictReader(out.splitlines())])
        return score, (score > 0).astype(int)
    return run


def answers(model, A, B, y):
    model.fit(A, y)
    return model.decision_function(B), model.predict(B)


def mean_min_max(data, train, test, seed, program):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    told = np.array([np.concatenate([bag.mean(0), bag.min(0), bag.max(0)]) for bag in data.bags])
    model = make_pipeline(StandardScaler(), SVC(C=10, class_weight="balanced"))
    return answers(model, told[train], told[test], data.y[train])


def standardised(data, train):
    known = np.concatenate([data.bags[i] for i in train])
    deviation = known.std(0)
    deviation[deviation == 0] = 1
    return [(bag - known.mean(0)) / deviation for bag in data.bags]


def nearest(bags, others):
    """Mean over each bag's instances of the distance to the nearest instance of each other bag."""
    from sklearn.metrics.pairwise import euclidean_distances
    sizes = [len(bag) for bag in bags]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    everything = np.concatenate(bags)
    return np.stack([np.add.reduceat(euclidean_distances(everything, bag).min(1), starts) / sizes for bag in others], 1)


def linear_svm():
    from sklearn.svm import SVC
    return SVC(kernel="linear", class_weight="balanced")


def meanmin(data, train, test, seed, program):
    bags = standardised(data, train)
    told = nearest(bags, [bags[j] for j in train])
    return answers(linear_svm(), told[train], told[test], data.y[train])


def meanmin_raw(data, train, test, seed, program):
    if data.distances is None:  # the same in every fold
        data.distances = nearest(data.bags, data.bags)
    told = data.distances[:, train]
    return answers(linear_svm(), told[train], told[test], data.y[train])


def miles(data, train, test, seed, program):
    from sklearn.metrics.pairwise import euclidean_distances
    from sklearn.svm import LinearSVC
    bags = standardised(data, train)
    known = np.concatenate([bags[i] for i in train])
    rng = np.random.default_rng(seed)
    z = known[rng.permutation(len(known))[:MILES_CANDIDATES]]
    pairs = euclidean_distances(z[rng.integers(0, len(z), 500)], z[rng.integers(0, len(z), 500)], squared=True)
    sigma = 1 / max(np.median(pairs), 1e-12)
    told = np.stack([np.exp(-sigma * euclidean_distances(bag, z, squared=True).min(0)) for bag in bags])
    return answers(LinearSVC(penalty="l1", dual=False, C=1, max_iter=5000, random_state=seed), told[train], told[test],
                   data.y[train])


METHODS = {**{name: ours(options) for name, options in OURS.items()}, "mean-min-max SVM": mean_min_max,
           "meanmin SVM": meanmin, "meanmin SVM, unscaled": meanmin_raw, "MILES": miles}


def fold_of(y, folds, seed):
    """The fold in which each bag is asked: StratifiedKFold(folds, shuffle=True, random_state=seed), to the bag."""
    _, first, code = np.unique(y, return_index=True, return_inverse=True)
    y = np.argsort(np.argsort(first))[code]  # classes in the order in which they appear
    ordered = np.sort(y)
    share = np.array([np.bincount(ordered[fold::folds], minlength=len(first)) for fold in range(folds)])
    rng = np.random.RandomState(seed)
    fold = np.empty(len(y), int)
    for c in range(len(first)):
        own = np.arange(folds).repeat(share[:, c])
        rng.shuffle(own)
        fold[y == c] = own
    return fold


def area(y, score):
    """Of the curve ROC: the share of pairs of a positive and a negative bag that the score ranks rightly, ties half."""
    apart = score[y == 1][:, None] - score[y == 0]
    return float((apart > 0).mean() + 0.5 * (apart == 0).mean())


def judged(y, score, said):
    recall = [np.mean(said[y == c] == c) for c in (0, 1)]
    return [float(np.mean(said == y)), float(np.mean(recall)), area(y, score)]


def worked():
    """Processor seconds of this process and of the programs that it has run."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@functools.lru_cache(maxsize=2)
def loaded(path):
    return Set(path)


def measured(task):
    """The numbers of one fold: accuracy, balanced accuracy, AUC, processor seconds."""
    path, method, seed, fold, folds, program = task
    data = loaded(path)
    asked = fold_of(data.y, folds, seed) == fold
    train, test = np.flatnonzero(~asked), np.flatnonzero(asked)
    began = worked()
    score, said = METHODS[method](data, train, test, seed, program)
    return [*judged(data.y[test], score, said), worked() - began]


def table(results, sets, methods):
    mean = {}
    for name in sets:
        for method in methods:
            runs = [r["numbers"] for r in results if r["set"] == name and r["method"] == method]
            if runs:
                mean[name, method] = np.mean(runs, 0)
    lines = ["| accuracy / balanced / AUC, processor seconds a fold | " + " | ".join(methods) + " |", "|---" * (len(methods) + 1) + "|"]
    text = lambda n: f"{n[0]:.3f} / {n[1]:.3f} / {n[2]:.3f}, {n[3]:.1f}"
    for name in sets:
        lines.append(f"| {name} | " + " | ".join(text(mean[name, m]) if (name, m) in mean else "-" for m in methods) + " |")
    whole = [n for n in sets if all((n, m) in mean for m in methods)]
    if whole:
        lines.append(f"| **mean of {len(whole)}** | " +
                     " | ".join(text(np.mean([mean[n, m] for n in whole], 0)) for m in methods) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.path.join(os.environ.get("SHAPEBOOST_DATA", "../shared/data"), "mil"))
    parser.add_argument("--program", default="build/release/shapeboost")
    parser.add_argument("--sets", help="names, with commas; default all of the folder")
    parser.add_argument("--methods", default=";".join(METHODS), help="with semicolons")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1, help="folds side by side")
    parser.add_argument("--out", required=True, help="results, a line each")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    sets = options.sets.split(",") if options.sets else sorted(f[:-4] for f in os.listdir(options.data) if f.endswith(".csv"))
    methods = options.methods.split(";")
    unknown = [m for m in methods if m not in METHODS]
    if unknown:
        parser.error(f"expected methods of {', '.join(METHODS)}, found {unknown[0]}")
    results = []
    if os.path.exists(options.out):
        with open(options.out) as file:
            results = [json.loads(line) for line in file]
    done = {(r["set"], r["method"], r["seed"], r["fold"]) for r in results}
    path = lambda name: os.path.join(options.data, name + ".csv")
    # Seed after seed, so that a run cut short has whole ones; the largest sets first, so that no core waits for them alone.
    wanted = [(name, method, seed, fold) for seed in range(options.seeds)
              for name in sorted(sets, key=lambda name: -os.path.getsize(path(name)))
              for method in methods for fold in range(options.folds)]
    with open(options.out, "a") as out, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running = {pool.submit(measured, (path(name), method, seed, fold, options.folds, options.program)):
                   (name, method, seed, fold) for name, method, seed, fold in wanted if (name, method, seed, fold) not in done}
        for future in concurrent.futures.as_completed(running):
            name, method, seed, fold = running[future]
            results.append({"set": name, "method": method, "seed": seed, "fold": fold, "numbers": future.result()})
            out.write(json.dumps(results[-1]) + "\n")
            out.flush()
            print(f"{name:22s} {method:22s} seed {seed} fold {fold}  " + " ".join(f"{n:.3f}" for n in results[-1]["numbers"]),
                  flush=True)
    print(table(results, sets, methods))
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write(table(results, sets, methods))


if __name__ == "__main__":
    main()
