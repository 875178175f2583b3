#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What do many series cost? `shapeboost fit` and `predict` on growing numbers of series from the generator of cylinder, bell and
funnel (Saito, 1994), and on Crop and PhalangesOutlinesCorrect where the folder SHAPEBOOST_DATA, else ../shared/data, has them.

    bench/scale.py [--program build/release/shapeboost] [--sizes 3000 30000 300000 ...] [--threads 2] [--markdown FILE]

Needs numpy. Seconds are of the processor (user and system) and of the clock, memory is the peak of the process. Accuracy is of
100,000 other series. Exits with 1 where a peak is above its bound, where processor seconds are more than threads times the bound in
seconds, or where more series are less accurate than 3,000 by more than 0.002.
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
LENGTH = 128
ASKED = 100_000
BOUNDS = {30_000: (60, 1.0), 300_000: (300, 2.5), 1_000_000: (900, 4.0)}  # seconds with two threads, GB
SETS = {"Crop": (45, 1.0), "PhalangesOutlinesCorrect": (10, 0.5)}
PREDICT = (60, 1.0)
LESS = 0.002


def cylinder_bell_funnel(count, seed):
    """Series of float32 and their classes, 0, 1 and 2."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, count)
    begin = rng.integers(16, 33, count)[:, None]
    end = begin + rng.integers(32, 97, count)[:, None]
    height = 6 + rng.standard_normal(count, dtype=np.float32)[:, None]
    X = rng.standard_normal((count, LENGTH), dtype=np.float32)
    t = np.arange(1, LENGTH + 1)
    for first in range(0, count, 10_000):  # shapes of some at a time: they are of float64
        part = slice(first, first + 10_000)
        a, b, c = begin[part], end[part], y[part][:, None]
        shape = np.where(c == 0, 1.0, np.where(c == 1, (t - a) / (b - a), (b - t) / (b - a)))
        X[part] += height[part] * shape * ((t >= a) & (t <= b))
    return X, y


def save(folder, name, count, seed):
    X, y = cylinder_bell_funnel(count, seed)
    np.save(folder / f"{name}.npy", X)
    np.save(folder / f"{name}_y.npy", y)
    return folder / f"{name}.npy"


def measured(*command):
    """What the command prints, its processor seconds, its seconds, and its peak in GB."""
    began = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"scale: {' '.join(map(str, command))} ended with {process.returncode}")
    return text, usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss * 1024 / 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "shapeboost")
    parser.add_argument("--sizes", type=int, nargs="+", default=[3_000, 30_000])
    parser.add_argument("--asked", type=int, default=ASKED)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--markdown", type=pathlib.Path)
    given = parser.parse_args()

    lines = ["| task | CPU s | s | peak GB | accuracy |", "|---|---|---|---|---|"]
    faults = []
    points = []

    def row(task, cost, bound, accuracy=None):
        _, cpu, seconds, peak = cost
        lines.append(f"| {task} | {cpu:.1f} | {seconds:.1f} | {peak:.2f} | {'' if accuracy is None else f'{accuracy:.4f}'} |")
        print(lines[-1], flush=True)
        if bound and (cpu > bound[0] * given.threads or peak > bound[1]):
            faults.append(f"{task}: expected {bound[0]} s with {given.threads} threads and {bound[1]} GB")

    def fit_and_ask(task, train, test, model, bound, asked):
        fitted = measured(given.program, "fit", train, "--model", model, "--threads", given.threads, "--quiet")
        told = measured(given.program, "evaluate", test, "--model", model, "--threads", given.threads)
        accuracy = float(re.search(r"^accuracy\s+([0-9.]+)", told[0], re.MULTILINE).group(1))
        row(f"{task}: fit", fitted, bound, accuracy)
        row(f"{task}: evaluate {asked}", told, PREDICT)
        return fitted[1], accuracy

    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test = save(folder, "test", given.asked, 2)
        least = None
        for size in given.sizes:
            train = save(folder, "train", size, 1)
            cpu, accuracy = fit_and_ask(f"{size} x {LENGTH}", train, test, folder / "m.json", BOUNDS.get(size), given.asked)
            points.append((size, cpu))
            least = accuracy if least is None else least
            if accuracy < least - LESS:
                faults.append(f"{size} series: accuracy {accuracy}, of {given.sizes[0]} {least}")
        data = pathlib.Path(os.environ.get("SHAPEBOOST_DATA") or ROOT.parent / "shared" / "data") / "ucr"
        for name, bound in SETS.items():
            train, test = (data / name / f"{name}_{part}.tsv" for part in ("TRAIN", "TEST"))
            if train.exists() and test.exists():
                fit_and_ask(name, train, test, folder / "m.json", bound, "its test series")
            else:
                print(f"{name}: skipped, not in {data}")
    if len(points) > 1:
        (m, before), (n, after) = points[0], points[-1]
        lines.append(f"\nCPU seconds grow as the number of series to the power {math.log(after / before) / math.log(n / m):.2f}.")
        print(lines[-1])
    if given.markdown:
        given.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for fault in faults:
        print(f"WRONG: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
