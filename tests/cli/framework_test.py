#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every kind of data and kernel from the command line, and what `info` tells of them.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/framework_test.py
"""

import gzip
import json
import math
import os
import pty
import random
import re
import subprocess
import unittest

from case import BIN, PATIENCE, CliTest, altered, bags, run, series, three_classes

MOTIF = "TATAAAGGCTCA"


def sequences(seed, count=24, length=60):
    """Class b holds the motif somewhere."""
    rng = random.Random(seed)
    text = ""
    for i in range(count):
        symbols = [rng.choice("ACGT") for _ in range(length)]
        if i % 2:
            begin = rng.randrange(length - len(MOTIF))
            symbols[begin:begin + len(MOTIF)] = MOTIF
        text += f">s{i} {'b' if i % 2 else 'a'}\n{''.join(symbols)}\n"
    return text


def channels(seed, count=16, length=40, gaps=0.0):
    """Two channels; class b has a hump in the second. Lengths differ where there are gaps."""
    rng = random.Random(seed)
    lines = ["@problemName x", "@timeStamps false", "@univariate false", "@dimensions 2", "@classLabel true a b", "@data"]
    for i in range(count):
        n = length - (i % 3 if gaps else 0)
        rows = [[rng.gauss(0.0, 0.2) for _ in range(n)] for _ in range(2)]
        begin = rng.randrange(n - 10)
        for t in range(10):
            rows[1][begin + t] += 2.0 * (i % 2) * math.sin(math.pi * (t + 0.5) / 10)
        texts = [",".join("?" if rng.random() < gaps else repr(v) for v in row) for row in rows]
        lines.append(":".join(texts) + (":b" if i % 2 else ":a"))
    return "\n".join(lines) + "\n"


def similarities(text):
    """Rows of a Gram matrix for the instances of a mil file, and the bags that name them."""
    lines = [line.split(",") for line in text.splitlines()[1:]]
    points = [[float(v) for v in line[2:]] for line in lines]
    gram = "".join(",".join(repr(math.exp(-math.dist(x, z) ** 2)) for z in points) + "\n" for x in points)
    rows = "bag,label,row\n" + "".join(f"{line[0]},{line[1]},{i}\n" for i, line in enumerate(lines))
    return gram, rows


class Framework(CliTest):
    def json_of(self, *args):
        return json.loads(self.good(*args, "--json"))


class Sequences(Framework):
    def setUp(self):
        super().setUp()
        self.write("train.fasta", sequences(1))
        self.write("test.fasta", sequences(2))

    def test_from_file_to_answers(self):
        out = self.good("fit", "train.fasta", "--model", "m.json")
        self.assertIn("train.fasta: 24 sequences of 60 symbols\n", out)
        self.assertNotIn("note", out)
        self.assertGreaterEqual(self.json_of("evaluate", "test.fasta", "--model", "m.json")["accuracy"], 0.9)
        lines = self.good("predict", "test.fasta", "--model", "m.json").splitlines()
        self.assertEqual(lines[0], "example,predicted,score,label")
        self.assertEqual(len(lines), 25)
        self.assertTrue(lines[1].startswith("s0,"))

    def test_info_shows_the_symbols(self):
        self.good("fit", "train.fasta", "--model", "m.json", "--members", "1", "--quiet")
        out = self.good("info", "m.json")
        self.assertIn("mismatch, k 5, mismatches 1", out)
        self.assertRegex(out, r"symbols \d+-\d+ of example \d+ +[ACGT]+\n")
        strongest = re.search(r"of example \d+ +([ACGT]+)\n", out).group(1)
        self.assertTrue(any(MOTIF[i:i + 5] in strongest for i in range(8)), strongest)

    def test_every_option_of_string_kernels_reaches_the_model(self):
        for options, kernel in ((("--kernel", "spectrum", "--k", "4"), {"kind": "spectrum", "k": 4}),
                                (("--k", "6", "--mismatches", "2"),
                                 {"kind": "mismatch", "k": 6, "mismatches": 2, "alphabet": 4}),
                                (("--kernel", "subsequence", "--k", "2", "--lambda", "0.25"),
                                 {"kind": "subsequence", "k": 2, "lambda": 0.25})):
            self.good("fit", "train.fasta", "--model", "m.json", "--members", "1", "--rounds", "2", "--quiet", *options)
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual(model["views"][0]["kernel"], kernel)

    def test_idle_options(self):
        out = self.good("fit", "train.fasta", "--model", "m.json", "--members", "1", "--rounds", "2", "--kernel",
                        "spectrum", "--band", "0.3", "--lambda", "0.2", "--standardise")
        self.assertIn("no use for --standardise, --band: the data are sequences\n", out)
        self.assertIn("no use for --lambda: the kernel is spectrum\n", out)

    def test_bad_use(self):
        fit = ("fit", "train.fasta", "--model", "m.json")
        for options, says in ((("--k", "9"), "--k: expected 1 to 8, found 9"),
                              (("--k", "0"), "--k: expected a number above 0 or auto, found '0'"),
                              (("--k", "3", "--kernel", "mismatch", "--mismatches", "3"), "--mismatches: expected 0 to k - 1 = 2, found 3"),
                              (("--lambda", "1.5"), "--lambda: expected a number above 0 and up to 1, found 1.5"),
                              (("--kernel", "dtw"), "--kernel: sequences of symbols are compared by"),
                              (("--kernel", "custom"), "--kernel: custom takes a function, which only the library")):
            self.refused(*fit, *options, says=says)
        self.refused("fit", self.given / "train.tsv", "--model", "m.json", "--kernel", "spectrum",
                     says="--kernel: spectrum compares sequences of symbols, the data are series")


class Kernels(Framework):
    def test_elastic_kernels(self):
        for kind in ("dtw", "gak"):
            self.good("fit", self.given / "train.tsv", "--model", "m.json", "--members", "1", "--lengths", "10", "--kernel",
                      kind, "--band", "0.25", "--quiet")
            kernel = json.loads((self.dir / "m.json").read_text())["views"][0]["kernel"]
            self.assertEqual((kernel["kind"], kernel["band"]), (kind, 0.25))
            self.assertRegex(self.good("info", "m.json"), kind + r", sigma [\d.e-]+, band 0.25")
            self.assertGreaterEqual(
                self.json_of("evaluate", self.given / "test.tsv", "--model", "m.json")["accuracy"], 0.9)
        self.refused("fit", self.given / "train.tsv", "--model", "n.json", "--kernel", "dtw", "--band", "1.5",
                     says="--band: expected a number from 0 to 1, found 1.5")

    def test_options_of_other_kernels_are_noted(self):
        out = self.good("fit", self.given / "train.tsv", "--model", "m.json", "--members", "1", "--kernel", "linear",
                        "--sigma", "2", "--degree", "3", "--k", "3")
        self.assertIn("no use for --k: the data are series\n", out)
        self.assertIn("no use for --sigma, --degree: the kernel is linear\n", out)

    def test_gram(self):
        gram, rows = similarities(bags(1).replace(";x", ""))
        self.write("rows.csv", rows)
        self.write("sim.csv", gram)
        self.write("sim.gz", gzip.compress(gram.encode()))
        for matrix in ("sim.csv", "sim.gz"):
            self.good("fit", "rows.csv", "--model", "m.json", "--gram", matrix, "--quiet")
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual(model["views"][0]["kernel"], {"kind": "gram", "matrix": matrix})
            self.assertIn("--kernel gram", model["training"]["settings"])
            # The same similarities, whatever the file.
            for other in ("sim.csv", "sim.gz"):
                self.assertEqual(
                    self.json_of("evaluate", "rows.csv", "--model", "m.json", "--gram", other)["accuracy"], 1.0)
        self.assertIn(", row ", self.good("info", "m.json"))
        self.assertIn("With probability at least 0.95", self.good("info", "m.json", "--bound", "--gram", "sim.csv"))
        # The same similarities as the Gaussian kernel of the points themselves.
        self.write("points.csv", bags(1).replace(";x", ""))
        self.good("fit", "points.csv", "--model", "g.json", "--sigma", "1", "--no-standardise", "--members", "1", "--quiet")
        by_rows = self.good("predict", "rows.csv", "--model", "m.json", "--gram", "sim.csv").splitlines()
        by_points = self.good("predict", "points.csv", "--model", "g.json").splitlines()
        for a, b in zip(by_rows[1:], by_points[1:]):
            self.assertAlmostEqual(float(a.split(",")[2]), float(b.split(",")[2]), places=6)

        for args, says in (
                (("predict", "rows.csv", "--model", "m.json"), "give it by --gram FILE"),
                (("evaluate", "rows.csv", "--model", "m.json", "--gram", "none.csv"), "none.csv"),
                (("info", "m.json", "--bound"), "give it by --gram FILE"),
                (("predict", "points.csv", "--model", "g.json", "--gram", "sim.csv"), "the model was trained without one; leave it out"),
                (("fit", "rows.csv", "--model", "n.json", "--kernel", "gram"), "--kernel: gram needs the matrix"),
                (("fit", "rows.csv", "--model", "n.json", "--kernel", "linear", "--gram", "sim.csv"), "--gram: a matrix"),
                (("fit", "points.csv", "--model", "n.json", "--gram", "sim.csv"), "a Gram matrix needs bags with one feature"),
                (("fit", "rows.csv", "--model", "n.json", "--gram", "rows.csv"), "rows.csv, line 1, column 1")):
            self.refused(*args, says=says)
        self.write("small.csv", "1,0.5\n0.5,1\n")
        self.refused("predict", "rows.csv", "--model", "m.json", "--gram", "small.csv", says="the model names row")


class Views(Framework):
    def test_channels_and_gaps_in_the_report(self):
        self.write("c.ts", channels(1))
        self.write("g.ts", channels(1, gaps=0.02))
        out = self.good("fit", "c.ts", "--model", "m.json")
        self.assertIn("c.ts: 16 series of 40 values in 2 channels\n", out)
        out = self.good("fit", "g.ts", "--model", "g.json")
        self.assertIn("g.ts: 16 series of 38 to 40 values in 2 channels, some missing\n", out)
        out = self.good("info", "m.json")
        self.assertRegex(out, r"\nchannels +1 \(\d+\), 2 \(\d+\), joint \(\d+\)\n")
        self.assertRegex(out, r"channel 2, (raw|z|differences)|joint, (raw|z|differences)")

    def test_a_grid_names_what_differs(self):
        self.write("c.ts", channels(1))
        self.good("fit", "c.ts", "--model", "m.json", "--members", "1", "--lengths", "6", "--channels", "2,joint",
                  "--dilation", "1,3", "--transform", "differences", "--tau", "2", "--normalisation", "z", "--quiet")
        out = self.good("info", "m.json")
        self.assertRegex(out, r"view +window +dilation +transform +channels +tau +normalisation +kernel\n")
        self.assertRegex(out, r"\n +2 +6 +3 +differences +2 +2 +z +gaussian, sigma ")
        self.assertRegex(out, r"\n +3 +6 +1 +differences +joint +2 +z +gaussian, sigma ")
        # A window of 6 differences, each the 3rd of the last, spans 17 values.
        for first, last in re.findall(r"every 3rd +values (\d+)-(\d+) of", out):
            self.assertEqual(int(last) - int(first), 16)
        for first, last in re.findall(r"differences, z +values (\d+)-(\d+) of", out):
            self.assertEqual(int(last) - int(first), 6)
        record = self.json_of("info", "m.json")
        self.assertEqual([(v["dilation"], v["channels"]) for v in record["views"]],
                         [(1, [1]), (3, [1]), (1, [0, 1]), (3, [0, 1])])
        self.assertTrue(all(v["transform"] == "differences" and v["tau"] == 2 for v in record["views"]))

    def test_the_default_fits_a_screen(self):
        self.write("three.tsv", three_classes(1))
        for data in (self.given / "train.tsv", self.given / "bags.csv", "three.tsv"):
            self.good("fit", data, "--model", "m.json", "--quiet")
            out = self.good("info", "m.json")
            self.assertLessEqual(out.count("\n"), 45)
            self.assertIn("settings    all by default\n", out)
            self.assertIn("--nu auto", self.good("info", "m.json", "--all"))
            weights = [float(w) for w in re.findall(r"^(\d\.\d{4})  ", out, re.MULTILINE)]
            self.assertGreater(len(weights), 0)
            self.assertEqual(weights, sorted(weights, reverse=True))
        self.good("fit", self.given / "train.tsv", "--model", "m.json", "--quiet", "--nu", "0.3", "--members", "1")
        self.assertIn("settings    --members 1 --nu 0.3 (all others by default)\n", self.good("info", "m.json"))

    def test_series_too_short_for_windows_are_noted(self):
        lines = series(1).splitlines()
        lines[0] = "\t".join(lines[0].split("\t")[:16])
        lines[1] = "\t".join(lines[1].split("\t")[:5])
        text = "\n".join(line + "\tNaN" * (40 - line.count("\t")) for line in lines) + "\n"
        self.write("short.tsv", text)
        fit = ("fit", "short.tsv", "--model", "m.json", "--members", "1", "--lengths")
        self.assertIn("note        2 series too short for some of the windows, 1 for every one\n", self.good(*fit, "10,20"))
        self.assertIn("note        2 series too short for every window: nothing was learned from them\n", self.good(*fit, "20"))
        self.assertNotIn("too short", self.good(*fit, "4"))

    def progress(self, members, *more):
        """What a terminal is shown while three classes are learned, by one thread."""
        self.write("three.tsv", three_classes(1))
        ours, theirs = pty.openpty()
        process = subprocess.Popen([BIN, "fit", "three.tsv", "--model", "m.json", "--threads", "1", "--members",
                                    str(members), *more], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 1000):
                seen += piece
        except OSError:
            pass  # the other end is closed
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        os.close(ours)
        return seen

    def test_progress_of_a_committee(self):
        members = 400  # long enough for more than one line: there is one every tenth of a second
        # Three pairs; a head's members solve four problems each, whatever the classes.
        for more, parts in ((("--head", "average"), 3), ((), 4)):
            seen = self.progress(members, *more)
            self.assertEqual(json.loads((self.dir / "m.json").read_text()).get("head") is None, bool(more))
            shown = re.findall(rb"member (\d+) of (\d+), part (\d+) of (\d+), round \d+, (\d+) % done", seen)
            self.assertGreater(len(shown), 1, seen)
            self.assertEqual({(int(m), int(p)) for _, m, _, p, _ in shown}, {(members, parts)})
            begun = [parts * (int(m) - 1) + int(p) - 1 for m, _, p, _, _ in shown]
            self.assertEqual(begun, sorted(begun))
            self.assertGreater(begun[-1], begun[0])
            self.assertEqual([int(s) for *_, s in shown], [100 * b // (members * parts) for b in begun])


class Guarantee(Framework):
    def test_two_classes(self):
        model = self.given / "average.json"
        out = self.good("info", model, "--bound")
        self.assertIn("With probability at least 0.95", out)
        self.assertIn("vacuous", out)
        self.assertNotIn("its pattern is", out)
        self.assertIn("With probability at least 0.9 ", self.good("info", model, "--bound", "--delta", "0.1"))
        self.assertNotIn("guarantees", self.json_of("info", model))
        (one,) = self.json_of("info", model, "--bound")["guarantees"]
        bound = one["bound"]
        self.assertEqual((one["part"], bound["bags"], bound["delta"], bound["radius"]), (0, 16, 0.05, 1.0))
        self.assertLessEqual(bound["norm"], 1.0 + 1e-9)
        for row in bound["at"]:
            least = min(row["covering"], row["patterns"] if row["patterns"] is not None else math.inf)
            self.assertAlmostEqual(row["total"], row["loss"] + least + row["confidence"])
        self.assertEqual(bound["total"], min(row["total"] for row in bound["at"]))

    def test_several_classes(self):
        self.write("three.tsv", three_classes(1))
        self.good("fit", "three.tsv", "--model", "m.json", "--head", "average", "--quiet")
        out = self.good("info", "m.json", "--bound")
        self.assertRegex(out, r"\n +2  c from a +16 .* vacuous\n")
        self.assertEqual(self.good("info", "m.json", "--bound", "--all").count("The smallest total is"), 3)
        for one in self.json_of("info", "m.json", "--bound")["guarantees"]:
            self.assertEqual(one["bound"]["choices"] % 3, 0)

    def test_what_it_does_not_hold_for(self):
        self.good("fit", self.given / "train.tsv", "--model", "m.json", "--kernel", "dtw", "--members", "1", "--rounds", "2",
                  "--quiet")
        self.assertIn("no guarantee: it holds for positive semi-definite kernels, and dtw is none\n",
                      self.good("info", "m.json", "--bound"))
        (one,) = self.json_of("info", "m.json", "--bound")["guarantees"]
        self.assertIsNone(one["bound"])

    def test_a_head_has_none(self):
        self.write("three.tsv", three_classes(1))
        self.good("fit", "three.tsv", "--model", "m.json", "--members", "5", "--quiet")
        for model, parts in ((self.given / "series.json", 1), ("m.json", 3)):
            for more in ((), ("--delta", "0.1"), ("--all",)):
                out = self.good("info", model, "--bound", *more)
                self.assertRegex(out, r"\nno guarantee: the weights of a ridge head are no convex combination, .*"
                                      r"--head average or --members 1 train a model with a bound\n")
                self.assertEqual(out.count("no guarantee"), 1)
                self.assertNotIn("With probability", out)
                self.assertNotIn("vacuous", out)
            told = self.json_of("info", model, "--bound")["guarantees"]
            self.assertEqual([(one["part"], one["bound"]) for one in told], [(p, None) for p in range(parts)])
            self.assertTrue(all("ridge head" in one["reason"] for one in told))
            self.assertNotIn("guarantees", self.json_of("info", model))

    def test_doctored_margins_are_noticed(self):
        text = (self.given / "average.json").read_text()
        self.write("m.json", altered(text, r'"b":[^,]*', '"b":0.5'))
        self.assertIn("; b = 0.5", self.good("info", "m.json", "--bound"))
        self.write("m.json", altered(text, r'"margins":\[([^,]*,){3}[^,]*', lambda m: m.group().rsplit(",", 1)[0] + ",40.0"))
        self.refused("info", "m.json", "--bound", says="margin 3")
        self.assertEqual(run("info", "m.json", cwd=self.dir).returncode, 0)  # nobody asked

    def test_bad_use(self):
        model = self.given / "series.json"
        self.refused("info", model, "--delta", "0.1", says="--delta requires --bound")
        self.refused("info", model, "--bound", "--delta", "1", says="--delta: expected a number in (0, 1), found '1'")


if __name__ == "__main__":
    unittest.main()
