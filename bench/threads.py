#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many times as fast is `shapeboost fit` with more threads, and how many times could it be on this machine?

    bench/threads.py [--program build/release/shapeboost] [--threads 1 2 4 8 16] [--turns 3] [--sets SwedishLeaf FacesUCR]
                     [--size 30000] [--out FILE]

Trains the sets (from the folder SHAPEBOOST_DATA, else ../shared/data) and --size series of the generator of bench/scale.py (0: none)
with each number of threads in turn, program start and files included, and keeps the least seconds of --turns (of the generator's
series: of one). The models must be the same to the byte.

The ceiling: N cores together are less than N times one, since they share caches, memory and often the parts of a core. So N programs of
one thread are run at once, each --rounds fits in a row, which share nothing but the machine: the ceiling of N threads is how many times the work
per second of one alone they do. What fit reaches of it is the share.

Needs a program, the data and numpy (for the generator alone). Exits with 1 where a model differs, or with --least X where the largest number of
threads is less than X times as fast as one on a set.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def started(program, train, model, threads):
    return subprocess.Popen([str(program), "fit", str(train), "--model", str(model), "--quiet", "--threads", str(threads)])


def ended(process):
    """Processor seconds."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"threads: a fit ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def fit(program, train, model, threads):
    """Seconds, processor seconds."""
    began = time.perf_counter()
    cpu = ended(started(program, train, model, threads))
    return time.perf_counter() - began, cpu


def at_once(program, train, folder, count, rounds):
    """Fits a second of `count` programs of one thread, which run `rounds` each; processor seconds of a fit."""
    began = time.perf_counter()
    left = {}  # rounds still to run, by process
    running = {}
    for k in range(count):
        process = started(program, train, folder / f"m{k}.json", 1)
        running[process.pid], left[process.pid] = (process, k), rounds - 1
    cpu = 0.0
    while running:
        pid, status, usage = os.wait4(-1, 0)
        if pid not in running:
            continue
        process, k = running.pop(pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"threads: a fit ended with {process.returncode}")
        cpu += usage.ru_utime + usage.ru_stime
        more = left.pop(pid)
        if more > 0:
            process = started(program, train, folder / f"m{k}.json", 1)
            running[process.pid], left[process.pid] = (process, k), more - 1
    return count * rounds / (time.perf_counter() - began), cpu / (count * rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "shapeboost")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--turns", type=int, default=3, help="fits of a set with each number of threads")
    parser.add_argument("--rounds", type=int, default=3, help="fits in a row of each program, for the ceiling of a set")
    parser.add_argument("--sets", nargs="*", default=["SwedishLeaf", "FacesUCR"])
    parser.add_argument("--size", type=int, default=30_000, help="series of the generator; its ceiling is of the most threads only")
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--out", type=pathlib.Path, help="file for the tables")
    given = parser.parse_args()
    data = pathlib.Path(os.environ.get("SHAPEBOOST_DATA") or ROOT.parent / "shared" / "data") / "ucr"
    counts = sorted({1, *given.threads})
    lines, faults = [], []

    def say(line):
        lines.append(line)
        print(line, flush=True)

    def table(task, train, folder, turns, rounds, ceilings):
        say(f"\n{task}\n")
        say("| threads | s | CPU s | times as fast | that many programs at once: CPU s each | times the work | share |")
        say("|---|---|---|---|---|---|---|")
        taken = {count: [] for count in counts}
        first = None
        for _ in range(turns):
            for count in counts:
                taken[count].append(fit(given.program, train, folder / "model.json", count))
                model = (folder / "model.json").read_bytes()
                first = first or model
                if model != first:
                    faults.append(f"{task}: the model of {count} threads differs")
        least = {count: min(times) for count, times in taken.items()}
        alone = None
        for count in counts:
            seconds, cpu = least[count]
            faster = least[1][0] / seconds
            ceiling = "| | |"
            if count == 1 or count in ceilings:
                rate, each = at_once(given.program, train, folder, count, rounds)
                alone = alone or rate
                ceiling = f"| {each:.2f} | {rate / alone:.1f} | {faster / (rate / alone):.2f} |"
            say(f"| {count} | {seconds:.2f} | {cpu:.2f} | {faster:.1f} {ceiling}")
        return least[1][0] / least[counts[-1]][0]

    say(f"{os.cpu_count()} processors; load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for task in given.sets:
            train = data / task / f"{task}_TRAIN.tsv"
            if not train.exists():
                print(f"{task}: skipped, not in {data}")
                continue
            faster = table(task, train, folder, given.turns, given.rounds, counts)
            if faster < given.least:
                faults.append(f"{task}: {faster:.1f} times as fast with {counts[-1]} threads, expected {given.least}")
        if given.size > 0:
            from scale import LENGTH, cylinder_bell_funnel, save
            train = save(folder, "train", *cylinder_bell_funnel(given.size, 1))
            table(f"{given.size:,} x {LENGTH}", train, folder, 1, 1, counts[-1:])
    if given.out:
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for fault in faults:
        print(f"WRONG: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
