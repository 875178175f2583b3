# SPDX-License-Identifier: MIT
"""Large bags and wide ones through the command line: how many processor seconds does `fit` take, and how much memory, with 10^6 instances in
100 bags (two of them of 10^5) and with 10^5 sparse features? Each must be told apart on new bags as well as it can be.

    python bench/large_bags.py [--bin build/release/shapeboost] [--threads 1]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile


def large_bags(path, bags, size, largest, seed):
    """Ten normal features; of a positive bag one instance in a thousand lies at (4, -4, 0, ...)."""
    rng = random.Random(seed)
    with open(path, "w", encoding="ascii") as out:
        out.write("bag,label," + ",".join(f"f{k}" for k in range(10)) + "\n")
        for i in range(bags):
            for row in range(largest if i < 2 else size):
                x = [rng.gauss(0, 1) for _ in range(10)]
                if i % 2 == 0 and row % 1000 == 0:
                    x[0] += 4
                    x[1] -= 4
                out.write(f"b{i},{i % 2}," + ",".join(f"{value:.4f}" for value in x) + "\n")


def wide_bags(path, bags, features, seed):
    """Ten to thirty instances of forty words, the low numbers more frequent; one of a positive bag has some of ten words."""
    rng = random.Random(seed)
    with open(path, "w", encoding="ascii") as out:
        for i in range(bags):
            count = rng.randint(10, 30)
            speaks = rng.randrange(count)
            for row in range(count):
                words = set()
                while len(words) < 40:
                    word = 1 + int(features * rng.random() ** 3)
                    if not 101 <= word <= 110:
                        words.add(word)
                if i % 2 == 0 and row == speaks:
                    words |= {101 + rng.randrange(10) for _ in range(3)}
                out.write(f"{(i + 1) % 2} qid:{i + 1} " + " ".join(f"{word}:1" for word in sorted(words)) + "\n")


def run(*command):
    """What it printed, processor seconds, and the largest number of megabytes that any command so far has held."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/release/shapeboost")
    parser.add_argument("--threads", default="1")
    given = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        train, test, model = (os.path.join(folder, name) for name in ("train", "test", "model.json"))
        for name, make, options, least in (
                ("10^5 sparse features", lambda: (wide_bags(train + ".svm", 400, 100_000, 1),
                                                  wide_bags(test + ".svm", 200, 150_000, 2)),
                 ["--kernel", "linear", "--no-standardise"], 0.9),
                ("10^6 instances", lambda: (large_bags(train + ".csv", 100, 8163, 100_000, 1),
                                            large_bags(test + ".csv", 20, 8000, 8000, 2)),
                 ["--memory", "1G"], 0.9)):
            make()
            ending = ".svm" if os.path.exists(train + ".svm") else ".csv"
            _, seconds, megabytes = run(given.bin, "fit", train + ending, "--model", model, "--threads", given.threads,
                                        "--quiet", *options)
            told, asked, _ = run(given.bin, "evaluate", test + ending, "--model", model, "--threads", given.threads,
                                 "--json")
            accuracy = json.loads(told)["accuracy"]
            print(f"{name}: fit {seconds:.0f} s, {megabytes:.0f} MB; model {os.path.getsize(model) / 2**20:.0f} MB; "
                  f"evaluate {asked:.0f} s, accuracy {accuracy:.3f}", flush=True)
            wrong += accuracy < least
            os.remove(train + ending)
            os.remove(test + ending)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
