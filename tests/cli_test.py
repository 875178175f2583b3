#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program as its users see it: what it prints, what it writes, how it ends.

    SHAPEBOOST_BIN=build/dev/shapeboost cli_test.py
"""

import csv
import json
import math
import os
import pathlib
import pty
import random
import resource
import signal
import subprocess
import tempfile
import unittest

BIN = os.environ["SHAPEBOOST_BIN"]
PATIENCE = 300  # seconds: far more than anything here takes; a hang is a failure, not a wait


def run(*args, cwd=None, **more):
    return subprocess.run([BIN, *map(str, args)], cwd=cwd, capture_output=True, text=True, errors="replace",
                          timeout=PATIENCE, **more)


def series(seed, count=16, length=40, noise=0.2):
    """Class b has a hump somewhere; class a has none."""
    rng = random.Random(seed)
    lines = []
    for i in range(count):
        values = [rng.gauss(0.0, noise) for _ in range(length)]
        if i % 2:
            begin = rng.randrange(length - 10)
            for t in range(10):
                values[begin + t] += 2.0 * math.sin(math.pi * (t + 0.5) / 10)
        lines.append("\t".join(["b" if i % 2 else "a", *map(repr, values)]))
    return "\n".join(lines) + "\n"


def hard_series(seed=1):
    """Labels that mean nothing: boosting goes on for long."""
    rng = random.Random(seed)
    return "\n".join(
        "\t".join([rng.choice("ab"), *(repr(rng.gauss(0.0, 1.0)) for _ in range(150))]) for _ in range(120)
    ) + "\n"


def bags(seed, count=12):
    """Bag names that need quotes in CSV; class 1 has an instance near (3, 3)."""
    rng = random.Random(seed)
    lines = ["bag,label,f1,f2"]
    for i in range(count):
        for k in range(4):
            centre = 3.0 if i % 2 and k == 2 else 0.0
            lines.append(f"bag {i};x,{i % 2},{rng.gauss(centre, 0.3)!r},{rng.gauss(centre, 0.3)!r}")
    return "\n".join(lines) + "\n"


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.given = pathlib.Path(cls.shared.name)
        (cls.given / "train.tsv").write_text(series(1))
        (cls.given / "test.tsv").write_text(series(2))
        (cls.given / "bags.csv").write_text(bags(1))
        for data, model in (("train.tsv", "series.json"), ("bags.csv", "bags.json")):
            done = run("fit", data, "--model", model, "--quiet", cwd=cls.given)
            assert done.returncode == 0 and done.stdout == "" and done.stderr == "", done

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.dir / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def good(self, *args, **more):
        done = run(*args, cwd=self.dir, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, *args, says, **more):
        """One sentence, exit code 2, nothing on standard output, nothing written."""
        before = sorted(os.listdir(self.dir))
        done = run(*args, cwd=self.dir, **more)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("shapeboost: "), done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(sorted(os.listdir(self.dir)), before)
        return done.stderr


class Use(CliTest):
    def test_help_of_every_command(self):
        text = self.good("--help")
        for command in ("fit", "predict", "evaluate", "info", "demo"):
            self.assertIn(f"  {command} ", text)
            own = self.good(command, "--help")
            self.assertIn(f"Usage: shapeboost {command} ", own)
            self.assertIn(f"Example:\n  shapeboost {command}", own)
            self.assertLessEqual(max(map(len, own.splitlines())), 100)
        options = self.good("fit", "--help")
        for option in ("lengths", "normalisation", "kernel", "sigma", "sigma-scale", "c", "degree", "standardise",
                       "no-standardise", "weak", "candidates", "signed", "one-sided", "nu", "offset", "no-offset", "gap",
                       "rounds", "seed", "threads", "time-limit", "memory", "format", "json", "quiet", "model"):
            self.assertIn(f"  --{option} ", options)
        self.assertIn("(default 0.1,0.2,0.3,0.4)", options)

    def test_version(self):
        self.assertRegex(self.good("--version"), r"^shapeboost \d+\.\d+\.\d+\n$")

    def test_bad_use(self):
        train = self.given / "train.tsv"
        fit = ("fit", train, "--model", "m.json")
        for args, says in (
            ((), "expected a command, fit, predict, evaluate, info or demo"),
            (("fitt",), "there is no command 'fitt'"),
            (("--json",), "there is no option --json"),
            (("fit",), "TRAIN is required"),
            (("fit", train), "--model is required"),
            (("predict", train), "--model is required"),
            (("info",), "MODEL is required"),
            ((*fit, "--nuu", "1"), "there is no option --nuu; see shapeboost fit --help"),
            ((*fit, "more.tsv"), "did not expect more.tsv"),
            ((*fit, "--nu"), "--nu needs a value"),
            ((*fit, "--nu", "0.1", "--nu", "0.2"), "--nu is given more than once"),
            ((*fit, "--nu", "abc"), "--nu: expected a number, found 'abc'"),
            ((*fit, "--nu", "nan"), "--nu: expected a finite number, found 'nan'"),
            ((*fit, "--nu", "2"), "--nu: expected a number above 0 and at most 1"),
            ((*fit, "--nu", "0"), "--nu: expected a number above 0 and at most 1"),
            ((*fit, "--sigma", "0"), "--sigma: expected a number above 0 or auto"),
            ((*fit, "--sigma-scale", "-1"), "--sigma-scale: expected numbers above 0 or auto"),
            ((*fit, "--degree", "11"), "--degree: expected 1 to 10"),
            ((*fit, "--degree", "1.5"), "--degree: expected a whole number"),
            ((*fit, "--c", "-1"), "--c: expected a number of at least 0"),
            ((*fit, "--gap", "-1"), "--gap: expected a number of at least 0"),
            ((*fit, "--rounds", "0"), "--rounds: expected at least 1"),
            ((*fit, "--seed", "-1"), "--seed: expected a whole number"),
            ((*fit, "--threads", "0"), "--threads: expected a number above 0 or auto"),
            ((*fit, "--threads", "x"), "--threads: expected a whole number"),
            ((*fit, "--time-limit", "0"), "--time-limit: expected seconds above 0"),
            ((*fit, "--memory", "3X"), "--memory: expected a size as 256M or 2G, found '3X'"),
            ((*fit, "--memory", "-1M"), "--memory: expected a size as 256M or 2G"),
            ((*fit, "--weak", "x"), "--weak: expected sparse or ball, found 'x'"),
            ((*fit, "--kernel", "x"), "--kernel: expected gaussian, linear or polynomial, found 'x'"),
            ((*fit, "--normalisation", "raw,x"), "--normalisation: expected raw, centred or z, found 'x'"),
            ((*fit, "--candidates", "sample:0"), "--candidates: expected all, sample:N or kmeans:K"),
            ((*fit, "--lengths", "0.1,,0.2"), "--lengths: expected a number, found ''"),
            ((*fit, "--lengths", "2.5"), "--lengths: expected fractions up to 1 or whole numbers above"),
            ((*fit, "--format", "x"), "the format is 'x'"),
            ((*fit, "--signed", "--one-sided"), "--signed excludes --one-sided"),
        ):
            with self.subTest(args=args):
                self.refused(*args, says=says)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([BIN, "info", self.given / "series.json"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "shapeboost: cannot write to standard output: No space left on device\n")


class BadData(CliTest):
    def test_training_files(self):
        short = "1\t1\t2\t3\n2\t3\t2\t1\n"
        for name, text, says in (
            ("empty.tsv", "", "empty.tsv: the file is empty"),
            ("blank.tsv", "\n\n", "blank.tsv: only blank lines"),
            ("ragged.tsv", "1\t1\t2\t3\n2\t1\t2\n", "line 2 has 2 values, line 1 has 3"),
            ("text.tsv", "1\t1\t2\t3\n2\t1\tx\t3\n", "text.tsv, line 2, column 3"),
            ("nan.tsv", "1\t1\t2\t3\n2\t1\tNaN\t3\n", "nan.tsv, line 2, column 3"),
            ("inf.tsv", "1\t1\t2\t3\n2\t1\tinf\t3\n", "inf.tsv, line 2, column 3"),
            ("one_class.tsv", "1\t1\t2\t3\n1\t3\t2\t1\n", "one_class.tsv: expected two classes, found only '1'"),
            ("three.tsv", "1\t1\t2\n2\t3\t2\n3\t1\t1\n", "three.tsv: expected two classes, found 3"),
            ("one_bag.tsv", "1\t1\t2\t3\n", "one_bag.tsv: expected at least two examples, found 1"),
            ("unlabelled.tsv", "1\t1\t2\n?\t3\t2\n2\t1\t1\n", "unlabelled.tsv: example 2 has no label"),
            ("latin.tsv", b"caf\xe9\t1\t2\nb\t3\t2\n", "is not UTF-8 text"),
            ("no_instances.csv", "bag,label,f1,f2\na,1\nb,0,1,2\n", "no_instances.csv, line 2"),
            ("no_instances.ts", "@classLabel true a b\n@data\n1,2,3:a\n:b\n", "no_instances.ts, line 4"),
            ("header.csv", "bag,label,f1,f2\n", "header.csv"),
            ("two_labels.csv", "bag,label,f1\na,1,1\na,0,2\nb,0,1\n", "two_labels.csv"),
            ("image.tsv", b"\x89PNG\0\0", "image.tsv: not a text file"),
        ):
            with self.subTest(name=name):
                self.write(name, text)
                sentence = self.refused("fit", name, "--model", "m.json", says=says)
                self.assertTrue(sentence.startswith(f"shapeboost: {name}"), sentence)
        self.write("short.tsv", short)
        self.refused("fit", "short.tsv", "--model", "m.json", "--lengths", "4",
                     says="--lengths: the shortest series has 3 values, too few for a window of 4")
        self.refused("fit", self.given / "train.tsv", "--model", "m.json", "--memory", "1K",
                     says="--memory: this data needs at least")

    def test_files_that_are_none(self):
        train = self.given / "train.tsv"
        model = self.given / "series.json"
        os.mkdir(self.dir / "folder")
        self.refused("fit", "none.tsv", "--model", "m.json", says="cannot read none.tsv: No such file")
        self.refused("fit", "folder", "--model", "m.json", says="cannot read folder: it is a directory")
        self.refused("fit", train, "--model", "folder", says="cannot write folder: it is a directory")
        self.refused("fit", train, "--model", "none/m.json", says="the folder none does not exist")
        self.refused("predict", "none.tsv", "--model", model, says="cannot read none.tsv")
        self.refused("predict", train, "--model", "none.json", says="cannot read none.json")
        self.refused("predict", train, "--model", model, "--out", "folder", says="cannot write folder")
        self.refused("evaluate", train, "--model", "folder", says="cannot read folder: it is a directory")
        self.refused("info", "folder", says="cannot read folder: it is a directory")
        self.refused("demo", "--out", train, says="expected a folder")

    def test_the_model_path_is_checked_before_the_data(self):
        self.refused("fit", "none.tsv", "--model", "none/m.json", says="cannot write none/m.json")

    def test_nothing_given_is_overwritten(self):
        self.write("train.tsv", series(1))
        os.symlink("train.tsv", self.dir / "link.tsv")
        self.refused("fit", "train.tsv", "--model", "./train.tsv", says="TRAIN and --model are the same file")
        self.refused("fit", "train.tsv", "--model", "link.tsv", says="TRAIN and --model are the same file")
        self.good("fit", "train.tsv", "--model", "m.json", "--quiet")
        self.refused("predict", "train.tsv", "--model", "m.json", "--out", "m.json", says="are the same file")
        self.refused("predict", "train.tsv", "--model", "m.json", "--out", "train.tsv", says="are the same file")

    def test_data_that_does_not_fit_the_model(self):
        self.write("labels.tsv", series(1).replace("b\t", "c\t", 1))
        self.write("short.tsv", "a\t1\t2\n")
        self.write("unlabelled.tsv", series(1).replace("b\t", "?\t", 1))
        model = self.given / "series.json"
        self.refused("evaluate", "labels.tsv", "--model", model,
                     says="labels.tsv: example 2: expected the label a or b, found 'c'")
        self.refused("evaluate", "unlabelled.tsv", "--model", model, says="unlabelled.tsv: example 2 has no label")
        self.refused("predict", "short.tsv", "--model", model, says="short.tsv: series 1 has 2 values, too few")
        for command in ("predict", "evaluate"):
            self.refused(command, self.given / "bags.csv", "--model", model,
                         says="the model is for series, the data are bags")
            self.refused(command, self.given / "train.tsv", "--model", self.given / "bags.json",
                         says="the model is for bags, the data are series")

    def test_spoiled_models(self):
        text = (self.given / "series.json").read_text()
        for name, spoiled, says in (
            ("empty.json", "", "empty.json: the file is empty"),
            ("cut.json", text[: len(text) // 2], "the file ends too early"),
            ("altered.json", text.replace('"nu": 0.2', '"nu": 0.3', 1), "not match the file's digest"),
            ("data.json", series(1), "data.json, line 1, byte"),
            ("other.json", "{}", "other.json: not a shapeboost model"),
            ("newer.json", text.replace('"version": 1', '"version": 2', 1), "update shapeboost"),
        ):
            self.write(name, spoiled)
            with self.subTest(name=name):
                self.refused("info", name, says=says)
                self.refused("evaluate", self.given / "test.tsv", "--model", name, says=says)
                self.refused("predict", self.given / "test.tsv", "--model", name, "--out", "p.csv", says=says)


class FullDisk(CliTest):
    def test_devices(self):
        self.refused("fit", self.given / "train.tsv", "--model", "/dev/full",
                     says="cannot write /dev/full: No space left on device")
        self.refused("predict", self.given / "train.tsv", "--model", self.given / "series.json", "--out", "/dev/full",
                     says="cannot write /dev/full: No space left on device")

    def test_a_limit_on_file_sizes(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        self.write("old.json", "old")
        fit = ("fit", self.given / "train.tsv", "--model")
        self.refused(*fit, "m.json", preexec_fn=small_files, says="cannot write m.json: File too large")
        self.refused(*fit, "old.json", preexec_fn=small_files, says="cannot write old.json: File too large")
        self.assertEqual((self.dir / "old.json").read_text(), "old")


class Work(CliTest):
    def test_fit_json(self):
        out = self.good("fit", self.given / "train.tsv", "--model", "m.json", "--json")
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
        self.assertIn("--nu 0.2", model["training"]["settings"])
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
        self.assertEqual(json.loads(self.good(*fit))["members"], 6)
        self.assertEqual(json.loads(self.good(*fit, "--normalisation", "raw", "--sigma-scale", "2"))["members"], 1)
        one = json.loads(self.good(*fit, "--single"))
        self.assertEqual(one["members"], 1)
        self.assertIn("--single", one["settings"])
        self.refused(*fit, "--single", "--sigma-scale", "1,2", says="--sigma-scale: a single model takes one, found 2")

    def test_every_option_reaches_the_model(self):
        options = ("--lengths 0.25,12 --normalisation centred,z --kernel polynomial --sigma 0.5 --sigma-scale 3 --c 0.5 "
                   "--degree 3 --no-standardise --committee --weak sparse --candidates sample:50 --one-sided --nu 0.3 --no-offset "
                   "--gap 0.05 --stall 2 --rounds 4 --seed 9")
        self.good("fit", self.given / "train.tsv", "--model", "m.json", "--quiet", *options.split())
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(model["training"]["settings"], options)
        self.assertEqual(model["nu"], 0.3)
        self.assertEqual(model["b"], 0.0)
        self.assertEqual([(v["length"], v["normalisation"]) for v in model["views"]],
                         [(10, "centred"), (12, "centred"), (10, "z"), (12, "z")])
        self.assertEqual(model["views"][0]["kernel"], {"kind": "polynomial", "c": 0.5, "p": 3})
        self.assertTrue(all(h["sign"] == 1 for h in model["hypotheses"]))
        # The text is a command line: it makes the same model again.
        self.good("fit", self.given / "train.tsv", "--model", "n.json", "--quiet", *model["training"]["settings"].split())
        self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "n.json").read_bytes())
        for more in (("--weak", "ball"), ("--candidates", "kmeans:5"), ("--kernel", "linear"), ("--sigma", "0.1")):
            self.good("fit", self.given / "train.tsv", "--model", "m.json", "--quiet", "--rounds", "3", *more)

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
        self.assertRegex(out, r"\nactual a +\d+ +\d+  \d\.\d{4}\n")

    def test_info(self):
        model = self.given / "series.json"
        record = json.loads(self.good("info", model, "--json"))
        self.assertEqual(record["classes"], ["a", "b"])
        self.assertAlmostEqual(sum(h["w"] for h in record["hypotheses"]), 1.0)
        out = self.good("info", model, "--all")
        self.assertIn("a (score below 0), b (above)", out)
        self.assertEqual(out.count(" of example "), len(record["hypotheses"]))
        self.assertIn("weight  its pattern is", out)
        self.assertIn("instance ", self.good("info", self.given / "bags.json"))

    def test_patterns_that_tell_nothing_are_noted(self):
        self.write("same.tsv", "a\t1\t1\t1\nb\t1\t1\t1\na\t1\t1\t1\n")
        out = self.good("fit", "same.tsv", "--model", "m.json")
        self.assertIn("no pattern tells the classes apart", out)
        self.assertIn("nothing was learned: the model answers with the larger class", out)
        self.good("evaluate", "same.tsv", "--model", "m.json")

    def test_demo_finds_what_was_planted(self):
        out = self.good("demo", "--out", "d")
        self.assertTrue(out.endswith("\nfound 2 of 2 planted patterns\n"), out)
        self.assertIn("the planted bump", out)
        self.assertIn("the planted sine burst", out)
        self.assertEqual(sorted(os.listdir(self.dir / "d")), ["model.json", "predictions.csv", "test.tsv", "train.tsv"])
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


class Stopping(CliTest):
    LONG = ("--gap", "0", "--rounds", "1000000", "--nu", "0.5", "--threads", "1")

    def test_time_limit(self):
        self.write("hard.tsv", hard_series())
        record = json.loads(self.good("fit", "hard.tsv", "--model", "m.json", "--json", "--time-limit", "0.5", *self.LONG))
        self.assertEqual(record["stopped"], "time limit")
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(model["training"]["stopped"], "time limit")
        self.assertIn("--time-limit 0.5", model["training"]["settings"])
        self.good("info", "m.json")

    def test_a_model_without_patterns_answers_with_the_larger_class(self):
        self.write("train.tsv", series(1) + series(1, count=1))
        out = self.good("fit", "train.tsv", "--model", "m.json", "--time-limit", "1e-9")
        self.assertIn("nothing was learned", out)
        self.assertIn("the answer is always a", self.good("info", "m.json"))
        record = json.loads(self.good("evaluate", "train.tsv", "--model", "m.json", "--json"))
        self.assertEqual(record["confusion"], [[9, 0], [8, 0]])

    def test_ctrl_c_writes_what_is_known(self):
        self.write("hard.tsv", hard_series())
        ours, theirs = pty.openpty()  # progress is for terminals only
        process = subprocess.Popen([BIN, "fit", "hard.tsv", "--model", "m.json", *self.LONG], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=theirs, text=True)
        os.close(theirs)
        seen = b""
        while b"round " not in seen:
            seen += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        try:  # what is still shown must not fill the terminal's buffer
            while os.read(ours, 1000):
                pass
        except OSError:
            pass  # the other end is closed
        out, _ = process.communicate(timeout=PATIENCE)
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        self.assertIn("\nstopped     interrupted\n", out)
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(model["training"]["stopped"], "interrupted")
        self.assertGreater(len(model["hypotheses"]), 0)

    def test_no_progress_without_a_terminal(self):
        self.good("fit", self.given / "train.tsv", "--model", "m.json")  # asserts an empty standard error


if __name__ == "__main__":
    unittest.main()
