#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the commands do and print: fit, predict, evaluate, info, demo.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/work_test.py
"""

import csv
import json
import math
import os
import random
import unittest

from case import altered, bags, CliTest, run, series, three_classes


class Work(CliTest):
    def test_fit_json(self):
        out = self.good("fit", self.given / "train.tsv", "--model", "m.json", "--json", "--members", "1", "--stall", "0")
        record = json.loads(out)
        for key in ("bags", "instances", "classes", "rounds", "hypotheses", "rho", "gap", "stopped", "seconds", "model"):
            self.assertIn(key, record)
        self.assertEqual(record["bags"], 16)
        self.assertEqual(record["classes"], ["a", "b"])
        self.assertEqual(record["stopped"], "gap")
        self.assertEqual(record["model"], "m.json")
        self.assertEqual(len(record["records"]), record["rounds"])
        for key in ("edge", "gamma", "gap", "columns", "oracle_seconds", "lp_seconds", "master_seconds"):
            self.assertIn(key, record["records"][0])
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(len(model["hypotheses"]), record["hypotheses"])
        self.assertEqual(model["classes"], record["classes"])
        self.assertIn("--nu auto", model["training"]["settings"])
        self.assertNotIn("--threads", model["training"]["settings"])
        self.assertNotIn("seconds", (self.dir / "m.json").read_text())

    def test_fit_prints_a_short_report(self):
        out = self.good("fit", self.given / "train.tsv", "--model", "m.json")
        self.assertIn("train.tsv: 16 series of 40 values\n", out)
        self.assertIn("\nclasses     a (8), b (8)\n", out)
        self.assertIn("\nmodel       m.json\n", out)

    def test_the_model_does_not_depend_on_threads_or_memory(self):
        for data in ("train.tsv", "bags.csv"):
            models = set()
            for more in (("--threads", "1"), ("--threads", "2"), ("--threads", "3", "--memory", "64M")):
                self.good("fit", self.given / data, "--model", "m.json", "--quiet", *more)
                models.add((self.dir / "m.json").read_bytes())
            self.assertEqual(len(models), 1)

    def test_one_model_or_a_committee(self):
        fit = ("fit", self.given / "train.tsv", "--model", "m.json", "--json")
        for more, members in (("--members 1", 1), ("--members 3", 3), ("--views grid", 1),
                              ("--members 2 --views random:4", 2), ("--members 2 --head average --views random:4", 2)):
            record = json.loads(self.good(*fit, *more.split()))
            self.assertEqual(record["members"], members)
            words = more.split()
            for option, value in zip(words[::2], words[1::2]):
                self.assertIn(f"{option} {value} ", record["settings"])
            self.assertEqual({r["member"] for r in record["records"]}, set(range(members)))
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual("head" in model, members > 1 and "average" not in more)
            if "random:4" not in more:
                continue
            if "head" in model:  # views without a pattern are left out
                self.assertEqual({h["view"] for h in model["hypotheses"]}, set(range(len(model["views"]))))
                self.assertTrue(2 <= len(model["views"]) <= 8)
            else:
                self.assertEqual(len(model["views"]), 8)

    def test_a_head_is_the_default_of_series_and_bags(self):
        for data, more, expected in (("train.tsv", (), True), ("train.tsv", ("--head", "ridge"), True),
                                     ("train.tsv", ("--head", "average"), False), ("train.tsv", ("--members", "1"), False),
                                     ("train.tsv", ("--strategy", "ovo"), False), ("train.tsv", ("--one-sided",), False),
                                     ("train.tsv", ("--kernel", "linear"), False), ("bags.csv", (), True),
                                     ("bags.csv", ("--head", "ridge"), True), ("bags.csv", ("--head", "average"), False)):
            if "--members" not in more:
                more = (*more, "--members", "3")
            record = json.loads(self.good("fit", self.given / data, "--model", "m.json", "--json", *more))
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual("head" in model, expected, more)
            self.assertEqual(model["version"], 4)
            if expected:
                self.assertEqual((model["strategy"], record["nu"], record["rho"]), ("ovr", None, None))
                self.assertLess(model["head"]["residual"], 1e-10)
                self.assertEqual({tuple(part) for part in model["parts"]},
                                 {("positive", "negative", "b", "w") + ("intervals",) * ("intervals" in model["head"])})
            else:
                self.assertAlmostEqual(sum(w for _, w in model["parts"][0]["w"]), 1.0)

    def test_at_most_so_many_patterns(self):
        fit = ("fit", self.given / "train.tsv", "--model", "m.json", "--json")
        counts = []
        for more in ((), ("--patterns", 20), ("--patterns", 5), ("--patterns", 1)):
            record = json.loads(self.good(*fit, *more))
            told = json.loads(self.good("info", "m.json", "--json"))
            counts.append(len(told["hypotheses"]))
            self.assertEqual(record["hypotheses"], counts[-1])
            if more:
                self.assertTrue(1 <= counts[-1] <= more[1])
                self.assertIn(f"--patterns {more[1]} ", told["training"]["settings"])
            accuracy = json.loads(self.good("evaluate", self.given / "test.tsv", "--model", "m.json", "--json"))["accuracy"]
            self.assertGreaterEqual(accuracy, 0.8 if counts[-1] > 1 else 0.6)
        self.assertGreater(counts[0], 20)
        self.assertEqual(counts, sorted(counts, reverse=True))

    def test_models_of_version_2_are_read(self):
        """That version had no heads; its committees are as they were."""
        self.write("three.tsv", three_classes(1))
        self.good("fit", "three.tsv", "--model", "three.json", "--head", "average", "--members", "5", "--probability", "--quiet")
        for data, model in ((self.given / "test.tsv", self.given / "average.json"), ("three.tsv", self.dir / "three.json"),
                            (self.given / "bags.csv", self.given / "average_bags.json")):
            self.write("old.json", altered(model.read_text(), r'"version":4\b', '"version":2'))
            self.assertEqual(json.loads((self.dir / "old.json").read_text())["version"], 2)
            for args in (("predict", data, "--model"), ("info", "--json"), ("info", "--bound", "--json"),
                         ("explain", data, "--index", 2, "--json", "--model")):
                self.assertEqual(self.good(*args, "old.json"), self.good(*args, model))

    def test_every_option_reaches_the_model(self):
        options = ("--lengths 0.25,12 --normalisation centred,z --dilation 1,2 --transform differences --rate 50 --missing fill "
                   "--channels 1 --tau 0.5 --no-standardise --scaling rank,plain --aspect whole --kernel polynomial --sigma 0.5 --sigma-scale 3 --c 0.5 --degree 3 --method boost "
                   "--members 1 --head average --patterns 40 --evidence share,best --no-intervals "
                   "--views grid --strategy ovo --weak sparse --candidates sample:50 --member-bags 12 --refine no "
                   "--one-sided --nu 0.3 --class-weights a=2,b=0.5 --optimise f1 --no-offset "
                   "--gap 0.05 --stall 2 --rounds 4 --seed 9")
        self.good("fit", self.given / "train.tsv", "--model", "m.json", "--quiet", *options.split())
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(model["training"]["settings"], options)
        self.assertEqual(model["strategy"], "ovo")
        self.assertEqual(model["parts"][0]["nu"], 0.3)
        self.assertEqual(model["parts"][0]["b"], 0.0)
        self.assertEqual(sorted((v["length"], v["normalisation"], v["dilation"]) for v in model["views"]),
                         sorted((length, n, d) for length in (10, 12) for n in ("centred", "z") for d in (1, 2)))
        for view in model["views"]:
            self.assertEqual((view["transform"], view["channels"], view["tau"], view["width"]), ("differences", [0], 0.5, 1))
            self.assertEqual(view["missing"], "fill")
        self.assertEqual(model["views"][0]["kernel"], {"kind": "polynomial", "c": 0.5, "p": 3})
        self.assertTrue(all(h["sign"] == 1 for h in model["hypotheses"]))
        self.assertTrue(all(len(h["shapelet"]) == 1 for h in model["hypotheses"]))
        # The text is a command line: it makes the same model again.
        self.good("fit", self.given / "train.tsv", "--model", "n.json", "--quiet", *model["training"]["settings"].split())
        self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "n.json").read_bytes())
        for more in (("--weak", "ball"), ("--candidates", "kmeans:5"), ("--kernel", "linear"), ("--sigma", "0.1"),
                     ("--members", "2", "--views", "random:3"), ("--head", "average"),
                     ("--members", "5", "--head", "ridge", "--patterns", "7", "--evidence", "share,best")):
            self.good("fit", self.given / "train.tsv", "--model", "m.json", "--quiet", "--rounds", "3", *more)
            model = json.loads((self.dir / "m.json").read_text())
            settings = model["training"]["settings"]
            for option, value in zip(more[::2], more[1::2]):
                self.assertIn(f"{option} {value} ", settings)
            if "--evidence" in more:
                self.assertEqual(model["head"]["evidence"], ["share", "best"])
                self.assertTrue(all(len(h["centre"]) == len(h["scale"]) == 2 for h in model["hypotheses"]))
                self.assertLessEqual(len(model["hypotheses"]), 7)
            self.good("fit", self.given / "train.tsv", "--model", "n.json", "--quiet", *settings.split())
            self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "n.json").read_bytes())

    def test_class_weights(self):
        lines = [f"{'yes' if i % 7 == 0 else 'no'}," + ",".join(str((i * k) % 11 + (i % 7 == 0) * 9) for k in range(1, 13))
                 for i in range(28)]
        self.write("few.csv", "\n".join(lines) + "\n")
        fit = ("fit", "few.csv", "--model", "m.json", "--json", "--nu", "0.5", "--head", "average")
        plain = json.loads(self.good(*fit))
        self.assertAlmostEqual(plain["nu"], 2 / 7)
        self.assertIn("nu lowered from 0.5", plain["notes"][0])
        for weights in ("balanced", "yes=6", "no=0.5,yes=3"):
            record = json.loads(self.good(*fit, "--class-weights", weights))
            self.assertEqual(record["nu"], 0.5)
            self.assertEqual(record["notes"], [])
            self.assertIn("--class-weights " + weights, record["settings"])
        (self.dir / "m.json").unlink()
        for weights, says in (("maybe=2", "--class-weights: expected labels among 'no', 'yes', found 'maybe'"),
                              ("yes=-1", "--class-weights: expected a weight from 1e-06 to 1e+06 for 'yes', found -1"),
                              ("fair", "--class-weights: expected uniform, balanced or LABEL=WEIGHT,LABEL=WEIGHT, found 'fair'")):
            for head in ("average", "ridge"):
                self.refused(*fit[:-1], head, "--class-weights", weights, says=says)
                self.assertFalse((self.dir / "m.json").exists())

    def test_class_weights_of_a_head(self):
        """30 series of a and 6 of b, hard to tell apart by three patterns: the class that counts more gets higher scores."""
        lines = series(1, count=60, noise=1.5).splitlines()
        self.write("noisy.tsv", "\n".join(line for i, line in enumerate(lines) if i % 2 == 0 or i % 10 == 1) + "\n")
        mean = {}
        for weights in ("a=5", "uniform", "balanced", "a=1,b=5"):
            self.good("fit", "noisy.tsv", "--model", "m.json", "--quiet", "--patterns", 3, "--transform", "none",
                      "--class-weights", weights)
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual(model["head"]["kind"], "ridge")
            self.assertIn("--class-weights " + weights, model["training"]["settings"])
            told = json.loads(self.good("predict", "noisy.tsv", "--model", "m.json", "--json"))["predictions"]
            mean[weights] = sum(p["score"] for p in told) / 36
        self.assertLess(mean["a=5"], mean["uniform"] - 0.05)
        self.assertLess(mean["uniform"], mean["balanced"] - 0.01)  # which patterns are chosen moves it too
        self.assertAlmostEqual(mean["balanced"], mean["a=1,b=5"], places=6)

    def test_optimise(self):
        """One bag in twenty is of class 1, hard to tell: never predicted, unless asked for."""
        rng = random.Random(4)
        lines = ["bag,label,f1,f2"]
        for i in range(120):
            rare = i % 20 == 0
            lines += [f"b{i},{int(rare)},{rng.gauss(1.2 * rare, 1.0):.4f},{rng.gauss(0.0, 1.0):.4f}" for _ in range(3)]
        self.write("rare.csv", "\n".join(lines) + "\n")
        fit = ("fit", "rare.csv", "--model", "m.json", "--members", 20, "--member-bags", 60, "--head", "average", "--json")
        plain = json.loads(self.good(*fit))
        self.assertIn("class '1' is hardly ever predicted", " ".join(plain["notes"]))
        self.assertIn("--optimise balanced or f1 moves the threshold", " ".join(plain["notes"]))
        before = json.loads((self.dir / "m.json").read_text())["parts"][0]
        self.assertNotIn("shift", before)
        for aim in ("balanced", "f1"):
            record = json.loads(self.good(*fit, "--optimise", aim))
            self.assertIn("--optimise " + aim, record["settings"])
            part = json.loads((self.dir / "m.json").read_text())["parts"][0]
            self.assertGreater(part["shift"], 0.0)
            self.assertAlmostEqual(part["b"] - part["shift"], before["b"], places=9)
            self.assertEqual(part["w"], before["w"])
        self.assertIn("the threshold was moved", self.good("info", "m.json", "--bound"))
        self.refused(*fit, "--optimise", "recall",
                     says="--optimise: expected accuracy, balanced or f1, found 'recall'")

    def test_sparse_bags(self):
        """Words 1 to 5 tell; files of other features than the model's are answered all the same."""
        rng = random.Random(5)

        def text(count, features):
            lines = []
            for i in range(count):
                for k in range(3):
                    words = {rng.randrange(10, features) for _ in range(8)}
                    if i % 2 and k == 1:
                        words.add(rng.randrange(1, 6))
                    lines.append(f"{i % 2} qid:{i} " + " ".join(f"{word}:{5 if word < 6 else 1}" for word in sorted(words)))
            return "\n".join(lines) + "\n"

        self.write("train.svm", text(60, 30000))
        self.write("more.svm", text(40, 50000))
        self.write("few.svm", "1 qid:1 3:1\n0 qid:2 17:1\n")
        self.good("fit", "train.svm", "--model", "m.json", "--quiet", "--kernel", "linear", "--no-standardise",
                  "--members", 1, "--memory", "32M")
        self.assertLess((self.dir / "m.json").stat().st_size, 2_000_000)
        self.assertGreater(json.loads(self.good("evaluate", "more.svm", "--model", "m.json", "--json"))["accuracy"], 0.8)
        self.good("predict", "few.svm", "--model", "m.json")
        self.good("predict", "more.svm", "--model", "m.json", "--instances")
        self.good("explain", "more.svm", "--model", "m.json")
        self.good("info", "m.json")
        self.good("convert", "more.svm", "again.svm")
        self.good("convert", "again.svm", "third.svm")
        self.assertEqual((self.dir / "again.svm").read_bytes(), (self.dir / "third.svm").read_bytes())
        broken = json.loads((self.dir / "m.json").read_text())
        self.assertIn("nonzero", broken["instances"][0])

    def test_options_without_use_are_noted(self):
        out = self.good("fit", self.given / "bags.csv", "--model", "m.json", "--lengths", "0.5")
        self.assertIn("no use for --lengths: the data are bags", out)

    def test_predict(self):
        model = self.given / "series.json"
        out = self.good("predict", self.given / "test.tsv", "--model", model)
        rows = list(csv.DictReader(out.splitlines()))
        self.assertEqual(list(rows[0]), ["example", "predicted", "score", "label"])
        self.assertEqual([row["example"] for row in rows], [str(i + 1) for i in range(16)])
        for row in rows:
            self.assertEqual(row["predicted"], "b" if float(row["score"]) > 0 else "a")
        self.assertEqual(self.good("predict", self.given / "test.tsv", "--model", model, "--out", "p.csv"), "")
        self.assertEqual((self.dir / "p.csv").read_text(), out)
        record = json.loads(self.good("predict", self.given / "test.tsv", "--model", model, "--json", "--threads", "1"))
        self.assertEqual([p["predicted"] for p in record["predictions"]], [row["predicted"] for row in rows])
        self.assertEqual([p["score"] for p in record["predictions"]], [float(row["score"]) for row in rows])

    def test_series_too_short_for_every_window(self):
        short = "b\t1\t2\n"
        self.write("mixed.tsv", "@problemName x\n@timeStamps false\n@univariate true\n@classLabel true a b\n@data\n"
                   + "0.1,0.2:a\n" + ",".join(series(3).splitlines()[1].split("\t")[1:]) + ":b\n")
        self.good("fit", self.given / "train.tsv", "--model", "m.json", "--members", "1", "--quiet")
        model = self.dir / "m.json"
        for command in ("predict", "evaluate", "report", "explain"):
            self.refused(command, "mixed.tsv", "--model", model, "--format", "ts",
                         says="mixed.tsv: example 1: expected 40 time steps, as in all series that the model was trained on, "
                         "found 2; --unequal lets it be classified all the same")
        done = run("predict", "mixed.tsv", "--model", model, "--format", "ts", "--unequal", cwd=self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "shapeboost: warning: mixed.tsv: 1 series too short for every window of the model "
                         "(1): answered by the offset alone\n")
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual(float(rows[0]["score"]), json.loads(model.read_text())["parts"][0]["b"])
        done = run("predict", "mixed.tsv", "--model", model, "--format", "ts", "--json", "--unequal", cwd=self.dir)
        self.assertEqual([p.get("covered", True) for p in json.loads(done.stdout)["predictions"]], [False, True])
        self.write("short.tsv", 7 * short)
        done = run("evaluate", "short.tsv", "--model", model, "--json", "--unequal", cwd=self.dir)
        self.assertEqual(json.loads(done.stdout)["uncovered"], 7)
        self.assertIn("7 series too short for every window of the model (1, 2, 3, 4, 5, ...)", done.stderr)

    def test_channels_gaps_and_unequal_lengths(self):
        """Channel 2 of 2 has a hump in class b; some values are missing; series are of 30 to 40 values."""
        def text(seed, count):
            rng = random.Random(seed)
            lines = ["@problemName x", "@timeStamps false", "@missing true", "@univariate false", "@dimensions 2",
                     "@equalLength false", "@classLabel true a b", "@data"]
            for i in range(count):
                length = rng.randrange(30, 41)
                channels = [[rng.gauss(0.0, 0.2) for _ in range(length)] for _ in range(2)]
                begin = rng.randrange(length - 10)
                for t in range(10):
                    channels[1][begin + t] += 2.0 * (i % 2) * math.sin(math.pi * (t + 0.5) / 10)
                rows = [",".join("?" if rng.random() < 0.01 else repr(v) for v in c) for c in channels]
                lines.append(":".join([*rows, "ab"[i % 2]]))
            return "\n".join(lines) + "\n"

        self.write("train.ts", text(1, 24))
        self.write("test.ts", text(2, 60))
        self.good("fit", "train.ts", "--model", "m.json", "--members", "1", "--lengths", "8", "--quiet",
                  "--channels", "1,2")
        self.assertGreaterEqual(
            json.loads(self.good("evaluate", "test.ts", "--model", "m.json", "--json"))["accuracy"], 0.9)
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual([v["channels"] for v in model["views"]], [[0], [1]])
        weight = sum(w for j, w in model["parts"][0]["w"] if model["hypotheses"][j]["view"] == 1)
        self.assertGreaterEqual(weight, 0.8)
        self.refused("predict", self.given / "test.tsv", "--model", "m.json",
                     says="the model is for 2 channels, the data have 1")

    def test_predict_instances(self):
        args = ("predict", self.given / "bags.csv", "--model", self.given / "average_bags.json", "--instances")
        out = self.good(*args)
        rows = list(csv.DictReader(out.splitlines()))
        self.assertEqual(list(rows[0]), ["example", "instance", "predicted", "score"])
        self.assertEqual(len(rows), 48)
        self.assertEqual([row["instance"] for row in rows[:5]], ["1", "2", "3", "4", "1"])
        found = [(row["example"], row["instance"]) for row in rows if row["predicted"] == "1"]
        self.assertEqual(found, [(f"bag {i};x", "3") for i in range(1, 12, 2)])  # what was put there
        self.assertEqual(self.good(*args, "--out", "p.csv"), "")
        self.assertEqual((self.dir / "p.csv").read_text(), out)
        record = json.loads(self.good(*args, "--json"))
        self.assertEqual(record["n"], 48)
        self.assertEqual([p["score"] for p in record["predictions"]], [float(row["score"]) for row in rows])
        self.assertEqual(record["predictions"][2]["instance"], 2)
        self.refused("predict", self.given / "test.tsv", "--model", self.given / "series.json", "--instances",
                     says="instances are scored one by one in bags only, the data are series")

    def test_predict_without_labels(self):
        self.write("new.tsv", "\n".join("?" + line[1:] for line in series(3).splitlines()))
        out = self.good("predict", "new.tsv", "--model", self.given / "series.json")
        self.assertEqual(out.splitlines()[0], "example,predicted,score")

    def test_predict_quotes_names(self):
        self.write("named.csv", bags(2).replace(";x,", "\u00e9,").replace("bag 0", '"bag 0"'))
        out = self.good("predict", "named.csv", "--model", self.given / "bags.json", "--format", "mil")
        self.assertEqual(len(list(csv.DictReader(out.splitlines()))), 12)

    def test_evaluate(self):
        args = ("evaluate", self.given / "test.tsv", "--model", self.given / "series.json")
        record = json.loads(self.good(*args, "--json"))
        for key in ("n", "accuracy", "balanced_accuracy", "auc", "seconds"):
            self.assertIn(key, record)
        self.assertEqual(record["n"], 16)
        self.assertEqual(sum(map(sum, record["confusion"])), 16)
        self.assertGreaterEqual(record["accuracy"], 0.9)
        out = self.good(*args)
        self.assertIn("examples           16\n", out)
        self.assertRegex(out, r"\nactual a +\d+ +\d+( +\d\.\d{4}){3}\n")

    def test_info(self):
        for name, heading in (("average.json", "weight  its pattern is"), ("series.json", "  speaks for  ")):
            record = json.loads(self.good("info", self.given / name, "--json"))
            self.assertEqual(record["classes"], ["a", "b"])
            self.assertEqual("head" in record, name == "series.json")
            out = self.good("info", self.given / name, "--all")
            self.assertIn("a (score below 0), b (above)", out)
            self.assertEqual(out.count(" of example "), len(record["hypotheses"]))
            self.assertIn(heading, out)
            if name == "average.json":
                self.assertAlmostEqual(sum(h["w"] for h in record["hypotheses"]), 1.0)
        # A head's pattern weighs as much as its evidence does together.
        model = json.loads((self.given / "series.json").read_text())
        kinds = ["best", "share", "place"]
        self.assertEqual(model["head"]["evidence"], kinds)
        self.assertEqual(len(record["hypotheses"]), len(model["hypotheses"]))
        for j, h in enumerate(record["hypotheses"]):
            sizes = [abs(w) for w in model["parts"][0]["w"][3 * j:3 * j + 3]]
            self.assertAlmostEqual(h["w"], sum(sizes), delta=1e-12)
            for kind, size in zip(kinds, sizes):
                self.assertAlmostEqual(h["by_evidence"][kind], size, delta=1e-12)
        weights = [h["w"] for h in record["hypotheses"]]
        for heavier, lighter in zip(weights, weights[1:]):  # as they were before each was rounded to 8 places
            self.assertGreater(heavier, lighter - 3.1e-8)
        for key in ("alpha", "left_out_error", "left_out_accuracy", "residual"):
            self.assertEqual(record["head"][key], model["head"][key])
        self.assertIn("\nhead        ridge over best, share, place, alpha ", out)
        self.assertIn("\nleft out    each training example by the weights of the others: accuracy ", out)
        self.assertIn("instance ", self.good("info", self.given / "bags.json"))

    def test_patterns_that_tell_nothing_are_noted(self):
        self.write("same.tsv", "a\t1\t1\t1\nb\t1\t1\t1\na\t1\t1\t1\n")
        out = self.good("fit", "same.tsv", "--model", "m.json")
        self.assertIn("no pattern tells the classes apart", out)
        self.assertIn("nothing was learned: the model answers with the larger class", out)
        self.good("evaluate", "same.tsv", "--model", "m.json")

    def test_demo_finds_what_was_planted(self):
        out = self.good("demo", "--out", "d")
        self.assertIn("\nfound 2 of 2 planted patterns\n", out)
        self.assertTrue(out.endswith(f"see them in {self.dir / 'd' / 'report.html'}, in any browser\n"), out)
        self.assertIn("the planted bump", out)
        self.assertIn("the planted sine burst", out)
        self.assertEqual(sorted(os.listdir(self.dir / "d")),
                         ["model.json", "predictions.csv", "report.html", "test.tsv", "train.tsv"])
        first = {name: (self.dir / "d" / name).read_bytes() for name in os.listdir(self.dir / "d")}
        record = json.loads(self.good("demo", "--out", "d", "--json", "--threads", "1"))
        self.assertEqual((record["planted"], record["found"]), (2, 2))
        self.assertEqual(first, {name: (self.dir / "d" / name).read_bytes() for name in os.listdir(self.dir / "d")})
        accuracy = json.loads(self.good("evaluate", "d/test.tsv", "--model", "d/model.json", "--json"))["accuracy"]
        self.assertEqual(accuracy, record["accuracy"])
        self.good("demo", "--out", "e", "--seed", "2", "--json")
        self.assertNotEqual(first["train.tsv"], (self.dir / "e" / "train.tsv").read_bytes())
        plain = self.good("demo", "--out", "d", env={**os.environ, "LC_ALL": "C"})
        self.assertTrue(plain.isascii())


if __name__ == "__main__":
    unittest.main()
