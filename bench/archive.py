#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How accurate are the defaults? `shapeboost fit` without options on every set of the archive, then `evaluate`.

    bench/archive.py --data DIR [--program build/release/shapeboost] [--out docs/results/defaults.md] [--tune] [SET ...]

With --tune, `shapeboost tune` takes the place of `fit`.

DIR holds ucr/<Name>/<Name>_TRAIN.tsv, ts/<Name>/<Name>_TRAIN.ts (or .arff) and published_accuracy.csv, whose accuracies are listed
beside ours. Missing sets are skipped. Prints a row as soon as a set is done.
"""

import argparse
import csv
import json
import os
import pathlib
import platform
import subprocess
import tempfile

PAPER = """Coffee ECG200 ECGFiveDays GunPoint ItalyPowerDemand MoteStrain ShapeletSim SonyAIBORobotSurface1
SonyAIBORobotSurface2 ToeSegmentation1 ToeSegmentation2""".split()
PUBLISHED = ("STC", "RDST", "MR-Hydra", "HC2")


def files(data, name):
    for folder, ending in (("ucr", "tsv"), ("ts", "ts"), ("ts", "arff")):
        train = data / folder / name / f"{name}_TRAIN.{ending}"
        if train.exists():
            return train, train.with_name(f"{name}_TEST.{ending}")
    return None


def run(program, *arguments):
    return json.loads(subprocess.run([program, *map(str, arguments)], check=True, capture_output=True).stdout)


def measure(program, command, train, test, options):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.json"
        fit = run(program, command, train, "--model", model, "--json", *options)
        evaluation = run(program, "evaluate", test, "--model", model, "--json")
        info = run(program, "info", model, "--json")
        return {"bags": info["training"]["bags"], "classes": len(info["classes"]), "hypotheses": fit["hypotheses"],
                "fit": fit["seconds"], "accuracy": evaluation["accuracy"], "predict": evaluation["seconds"],
                "size": model.stat().st_size / 1e6}


def row_text(name, r, published):
    others = " | ".join(f"{float(published[name][k]):.3f}" if name in published else "" for k in PUBLISHED)
    return (f"| {name} | {r['bags']} | {r['classes']} | {r['accuracy']:.3f} | {others} | {r['fit']:.1f} | "
            f"{r['predict']:.1f} | {r['hypotheses']} | {r['size']:.1f} |")


def means_text(title, names, results, published):
    names = [n for n in names if n in results]
    if not names:
        return []
    ours = sum(results[n]["accuracy"] for n in names) / len(names)
    known = [n for n in names if n in published]
    others = " | ".join(f"{sum(float(published[n][k]) for n in known) / len(known):.3f}" if known == names else ""
                        for k in PUBLISHED)
    seconds = sum(results[n]["fit"] for n in names)
    return [f"| **{title}** ({len(names)}) | | | **{ours:.3f}** | {others} | {seconds:.1f} | | | |"]


def wins_text(results, published):
    """In how many sets ours is more accurate, as accurate, less accurate."""
    names = [n for n in sorted(published) if n in results]
    cells = []
    for method in PUBLISHED:
        apart = [results[n]["accuracy"] - float(published[n][method]) for n in names]
        ahead = sum(a > 5e-5 for a in apart)
        behind = sum(a < -5e-5 for a in apart)
        cells.append(f"{ahead} / {len(names) - ahead - behind} / {behind}")
    return [f"| ours ahead / level / behind ({len(names)}) | | | | {' | '.join(cells)} | | | | |"] if names else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--program", default="build/release/shapeboost")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--tune", action="store_true", help="tune instead of fit")
    parser.add_argument("--options", default="", help="for fit or tune; none, to measure the defaults")
    parser.add_argument("sets", nargs="*")
    given = parser.parse_args()
    command = "tune" if given.tune else "fit"
    published = {}
    if (given.data / "published_accuracy.csv").exists():
        with open(given.data / "published_accuracy.csv", encoding="utf-8") as file:
            published = {row["dataset"]: row for row in csv.DictReader(file)}
    names = given.sets or sorted(p.name for folder in ("ucr", "ts") for p in (given.data / folder).glob("*"))
    header = ["| data | train | classes | ours | " + " | ".join(PUBLISHED) + f" | {command} s | predict s | hypotheses | MB |",
              "|" + "---|" * (8 + len(PUBLISHED))]
    print("\n".join(header), flush=True)
    results, lines = {}, []
    for name in names:
        found = files(given.data, name)
        if found is None:
            continue
        results[name] = measure(given.program, command, *found, given.options.split())
        lines.append(row_text(name, results[name], published))
        print(lines[-1], flush=True)
    means = (means_text("the paper's eleven", PAPER, results, published)
             + means_text("more than two classes", [n for n in sorted(published) if results.get(n, {}).get("classes", 0) > 2],
                          results, published)
             + means_text("all with published accuracies", sorted(published), results, published)
             + wins_text(results, published))
    print("\n".join(means))
    if given.out:
        version = subprocess.run([given.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        call = "bench/archive.py --data DIR" + (" --tune" if given.tune else "")
        call += f" --options {given.options!r}" if given.options else ""
        text = ["# Tuned on the archive" if given.tune else "# The defaults on the archive", "",
                f"`{call} --out FILE`: `{command}` {'with these' if given.options else 'without'} options, then `evaluate` on the test set; "
                f"{version}, {os.cpu_count()} processors ({platform.machine()}), seed 1. Published accuracies are "
                "those of `published_accuracy.csv` (tsml-eval, default split). Copies of a training series count as one of it. Seconds are elapsed time and include "
                "reading and writing.", "", *header, *lines, *means, ""]
        given.out.parent.mkdir(parents=True, exist_ok=True)
        temporary = given.out.with_suffix(".part")
        temporary.write_text("\n".join(text), encoding="utf-8")
        temporary.rename(given.out)


if __name__ == "__main__":
    main()
