#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many times as fast is `shapeboost.dask` with more workers? Fits generated series (cylinder, bell and funnel, bench/scale.py) on a
LocalCluster of 1, 2 and 4 processes of one thread each, the series persisted on the workers before the clock starts.

    bench/workers.py [--workers 1 2 4] [--size 300000] [--partition 25000] [--turns 1]

Needs the package with its extra dask. Exits with 1 where a model differs from the first.
"""

import argparse
import sys
import time


def part(first, size):
    """Partition's series and labels: made where they will lie, the same for any number of workers."""
    import pathlib
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    from scale import cylinder_bell_funnel
    return cylinder_bell_funnel(size, 1 + first)


def cpu_seconds():
    import os
    times = os.times()
    return times.user + times.system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--size", type=int, default=300_000)
    parser.add_argument("--partition", type=int, default=25_000, help="series of a partition")
    parser.add_argument("--turns", type=int, default=1, help="fits with each number of workers, of which the least counts")
    given = parser.parse_args()
    import dask
    import distributed
    from shapeboost.dask import SeriesClassifier

    print("| workers | s | CPU s of the workers | times as fast |\n|---|---|---|---|", flush=True)
    models, alone, fault = set(), None, False
    for workers in given.workers:
        with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, memory_limit=0,
                                      dashboard_address=None) as cluster, distributed.Client(cluster) as client:
            client.wait_for_workers(workers)
            parts = [dask.delayed(part, nout=2)(first, min(given.partition, given.size - first))
                     for first in range(0, given.size, given.partition)]
            held = dask.persist(*[one for pair in parts for one in pair])
            distributed.wait(held)
            best = None
            for _ in range(given.turns):
                before, began = sum(client.run(cpu_seconds).values()), time.perf_counter()
                model = SeriesClassifier(random_state=1).fit(list(held[0::2]), list(held[1::2]))
                seconds = time.perf_counter() - began
                taken = seconds, sum(client.run(cpu_seconds).values()) - before
                best = min(best or taken, taken)
                models.add(model.model_.to_json())
            alone = alone or best[0]
            print(f"| {workers} | {best[0]:.1f} | {best[1]:.1f} | {alone / best[0]:.2f} |", flush=True)
            fault = fault or len(models) > 1
    if fault:
        print("WRONG: the models differ")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
