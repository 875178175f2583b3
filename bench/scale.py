#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What do many series cost, and long ones? `shapeboost fit` and `evaluate` on growing numbers of series from the generator of
cylinder, bell and funnel (Saito, 1994), on growing lengths of them, on a few very long series with a time limit, and on Crop and
PhalangesOutlinesCorrect where the folder SHAPEBOOST_DATA, else ../shared/data, has them. MiniROCKET and RDST of aeon beside them,
where aeon can be imported.

    bench/scale.py [--program build/release/shapeboost] [--sizes 3000 30000 300000 ...] [--lengths 64 ...] [--threads 2] [--out DIR]

Needs numpy; matplotlib for the plot. Seconds are of the processor (user and system) and of the clock, memory is the peak of the
process. Accuracy is of --asked other series. Exits with 1 where a peak is above its bound, where processor seconds are more than
threads times the bound in seconds, where more series are less accurate than 3,000 by more than 0.002, where seconds grow faster
than the number of series or than their length, or where a time limit is passed by more than a second (of the clock: on a machine
that does nothing else).
"""

import argparse
import concurrent.futures
import importlib.util
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
SETS = {"Crop": ((45, 1.0), (10, 1.0)), "PhalangesOutlinesCorrect": ((10, 0.5), None)}
LONG = {(4, 100_000): 4.0, (20, 1_000_000): 4.0}  # GB
LIMIT = 20
PREDICT = (60, 1.0)
LESS = 0.002
GROWTH = 1.05  # at most linear, and what measuring adds
PEERS = {"MiniROCKET": ("aeon.classification.convolution_based", "MiniRocketClassifier"),
         "RDST": ("aeon.classification.shapelet_based", "RDSTClassifier")}
PEERS_AT = 30_000
PATIENCE = 600  # seconds of the clock for a peer's training
INK, MUTED, GRID = "#222222", "#666666", "#dddddd"


def cylinder_bell_funnel(count, seed, length=LENGTH):
    """Series of float32 and their classes, 0, 1 and 2."""
    rng = np.random.default_rng(seed)
    unit = length // 8
    y = rng.integers(0, 3, count)
    begin = rng.integers(unit, 2 * unit + 1, count)[:, None]
    end = begin + rng.integers(2 * unit, 6 * unit + 1, count)[:, None]
    height = 6 + rng.standard_normal(count, dtype=np.float32)[:, None]
    X = rng.standard_normal((count, length), dtype=np.float32)
    t = np.arange(1, length + 1)
    for first in range(0, count, 10_000):  # shapes of some at a time: they are of float64
        part = slice(first, first + 10_000)
        a, b, c = begin[part], end[part], y[part][:, None]
        shape = np.where(c == 0, 1.0, np.where(c == 1, (t - a) / (b - a), (b - t) / (b - a)))
        X[part] += height[part] * shape * ((t >= a) & (t <= b))
    return X, y


def save(folder, name, X, y):
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


def cpu_seconds():
    times = os.times()
    return times.user + times.system


def ask_peer(name, train, test):
    """In a process of its own: seconds of compilation (on a few series), of fit (processor and clock) and of predict, accuracy, GB."""
    import importlib
    import resource
    module, attribute = PEERS[name]
    make = lambda: getattr(importlib.import_module(module), attribute)(random_state=1)  # noqa: E731
    (X, y), (few, y_few) = ((np.load(part), np.load(part.with_name(f"{part.stem}_y.npy"))) for part in (train, test))
    X, few = X[:, None, :].astype(np.float64), few[:, None, :].astype(np.float64)
    before = cpu_seconds()
    make().fit(X[:50], y[:50]).predict(X[:10])
    warm = cpu_seconds() - before
    before, began = cpu_seconds(), time.perf_counter()
    model = make().fit(X, y)
    fit, seconds = cpu_seconds() - before, time.perf_counter() - began
    before = cpu_seconds()
    accuracy = float(np.mean(model.predict(few) == y_few))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    return warm, fit, seconds, cpu_seconds() - before, accuracy, peak


def power(points):
    """The exponent of seconds in size, least squares of logarithms."""
    x, y = (np.log([point[k] for point in points]) for k in (0, 1))
    return float(np.polyfit(x, y, 1)[0])


def plot(path, series):
    """`series`: name of the axis and its (size, processor seconds)."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "scale"  # the same file for the same numbers
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, len(series), figsize=(4.5 * len(series), 3.4), squeeze=False, layout="constrained")
    for axis, (name, points) in zip(axes[0], series.items()):
        sizes, seconds = zip(*points)
        axis.loglog(sizes, seconds, "o-", color="#2a6f97", label="fit")
        linear = [seconds[-1] * size / sizes[-1] for size in sizes]
        axis.loglog(sizes, linear, "--", color=MUTED, linewidth=1, label="linear")
        axis.set_xlabel(name, color=INK)
        axis.set_ylabel("processor seconds", color=INK)
        axis.grid(True, which="major", color=GRID, linewidth=0.6)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "shapeboost")
    parser.add_argument("--sizes", type=int, nargs="*", default=[3_000, 30_000])
    parser.add_argument("--lengths", type=int, nargs="*", default=[64, 128, 256, 512, 1024], help="of 1,000 series")
    parser.add_argument("--asked", type=int, default=ASKED)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--without", nargs="*", default=[], choices=["sets", "long", "peers"])
    parser.add_argument("--out", type=pathlib.Path, help="folder for scale.md and scale.svg")
    given = parser.parse_args()

    lines = ["| task | CPU s | s | peak GB | accuracy |", "|---|---|---|---|---|"]
    faults = []

    def say(line):
        lines.append(line)
        print(line, flush=True)

    def row(task, cpu, seconds, peak, bound, accuracy=None):
        say(f"| {task} | {cpu:.1f} | {seconds:.1f} | {peak:.2f} | {'' if accuracy is None else f'{accuracy:.4f}'} |")
        if bound and (cpu > bound[0] * given.threads or peak > bound[1]):
            faults.append(f"{task}: expected {bound[0]} s with {given.threads} threads and {bound[1]} GB")

    def fit_and_ask(task, train, test, model, bounds, asked):
        fitted = measured(given.program, "fit", train, "--model", model, "--threads", given.threads, "--quiet")
        told = measured(given.program, "evaluate", test, "--model", model, "--threads", given.threads)
        accuracy = float(re.search(r"^accuracy\s+([0-9.]+)", told[0], re.MULTILINE).group(1))
        row(f"{task}: fit", *fitted[1:], bounds[0], accuracy)
        row(f"{task}: evaluate {asked}", *told[1:], bounds[1])
        return fitted[1], accuracy

    print("\n".join(lines))
    by_size, by_length = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test = save(folder, "test", *cylinder_bell_funnel(given.asked, 2))
        least = None
        for size in given.sizes:
            train = save(folder, "train", *cylinder_bell_funnel(size, 1))
            cpu, accuracy = fit_and_ask(f"{size:,} x {LENGTH}", train, test, folder / "m.json", (BOUNDS.get(size), PREDICT),
                                        f"{given.asked:,}")
            by_size.append((size, cpu))
            least = accuracy if least is None else least
            if accuracy < least - LESS:
                faults.append(f"{size} series: accuracy {accuracy}, of {given.sizes[0]} {least}")
        for length in given.lengths:
            train = save(folder, "train", *cylinder_bell_funnel(1_000, 1, length))
            fitted = measured(given.program, "fit", train, "--model", folder / "m.json", "--threads", given.threads, "--quiet")
            row(f"1,000 x {length}: fit", *fitted[1:], None)
            by_length.append((length, fitted[1]))
        data = pathlib.Path(os.environ.get("SHAPEBOOST_DATA") or ROOT.parent / "shared" / "data") / "ucr"
        for name, bounds in SETS.items() if "sets" not in given.without else ():
            parts = [data / name / f"{name}_{part}.tsv" for part in ("TRAIN", "TEST")]
            if all(part.exists() for part in parts):
                fit_and_ask(name, *parts, folder / "m.json", bounds, "its test series")
            else:
                print(f"{name}: skipped, not in {data}")
        for (count, length), bound in LONG.items() if "long" not in given.without else ():
            X, y = cylinder_bell_funnel(count, 1, length)
            train = save(folder, "train", X, np.arange(count) % 2)
            del X, y
            told, cpu, seconds, peak = measured(given.program, "fit", train, "--model", folder / "m.json", "--threads",
                                                given.threads, "--time-limit", LIMIT)
            hypotheses = re.search(r"^hypotheses\s+([0-9,]+)", told, re.MULTILINE).group(1)
            row(f"{count} x {length:,}, {LIMIT} s: fit ({hypotheses} patterns)", cpu, seconds, peak, (math.inf, bound))
            if seconds > LIMIT + 1:
                faults.append(f"{count} x {length}: ended after {seconds:.1f} s, limit {LIMIT} s")
        wanted = "peers" not in given.without and PEERS_AT in given.sizes
        if wanted and importlib.util.find_spec("aeon") is None:
            print("MiniROCKET, RDST: skipped, aeon cannot be imported")
        elif wanted:
            train = save(folder, "train", *cylinder_bell_funnel(PEERS_AT, 1))
            for peer in PEERS:
                pool = concurrent.futures.ProcessPoolExecutor(1)
                try:
                    warm, fit, seconds, predict, accuracy, peak = pool.submit(ask_peer, peer, train, test).result(PATIENCE)
                    row(f"{peer} of aeon, {PEERS_AT:,}: fit (compiled before, {warm:.0f} s)", fit, seconds, peak, None, accuracy)
                    say(f"| {peer}: predict {given.asked:,} | {predict:.1f} | | | |")
                except concurrent.futures.TimeoutError:
                    say(f"| {peer} of aeon, {PEERS_AT:,}: not done within {PATIENCE} s | | | | |")
                    for process in pool._processes.values():
                        process.kill()
                pool.shutdown(wait=False, cancel_futures=True)
    series = {}
    for what, axis, points in (("the number of series", f"series of {LENGTH} values", by_size),
                               ("their length", "length of 1,000 series", by_length)):
        if len(points) < 2:
            continue
        series[axis] = points
        exponent = power(points)
        say(f"\nCPU seconds grow as {what} to the power {exponent:.2f}.")
        if exponent > GROWTH:
            faults.append(f"seconds grow as {what} to the power {exponent:.2f}")
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "scale.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
        if series:
            plot(given.out / "scale.svg", series)
    for fault in faults:
        print(f"WRONG: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
