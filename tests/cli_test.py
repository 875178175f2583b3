#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program as its users see it: what it prints, what it writes, how it ends.

    SHAPEBOOST_BIN=build/dev/shapeboost cli_test.py
"""

import csv
import gzip
import json
import math
import os
import pathlib
import pty
import random
import re
import resource
import shutil
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


def three_classes(seed, count=24, length=40):
    """a: nothing but noise, b: a hump, c: a dip."""
    rng = random.Random(seed)
    lines = []
    for i in range(count):
        values = [rng.gauss(0.0, 0.2) for _ in range(length)]
        begin = rng.randrange(length - 10)
        for t in range(10):
            values[begin + t] += (0.0, 2.0, -2.0)[i % 3] * math.sin(math.pi * (t + 0.5) / 10)
        lines.append("\t".join(["abc"[i % 3], *map(repr, values)]))
    return "\n".join(lines) + "\n"


def with_digest(model):
    """The text of a model file; docs/model.md says what the digest is."""
    model.pop("digest", None)
    hash = 0xCBF29CE484222325
    for byte in json.dumps(model, separators=(",", ":"), ensure_ascii=False).encode():
        hash = (hash ^ byte) * 0x100000001B3 % 2**64
    return json.dumps({**model, "digest": f"{hash:016x}"}, ensure_ascii=False)


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
        for command in ("fit", "predict", "evaluate", "info", "convert", "demo"):
            self.assertIn(f"  {command} ", text)
            own = self.good(command, "--help")
            self.assertIn(f"Usage: shapeboost {command} ", own)
            self.assertIn(f"Example:\n  shapeboost {command}", own)
            self.assertLessEqual(max(map(len, own.splitlines())), 100)
        options = self.good("fit", "--help")
        for option in ("lengths", "normalisation", "dilation", "differences", "channels", "tau", "members", "views",
                       "strategy", "refine", "class-weights", "stall", "kernel", "sigma", "sigma-scale", "c", "degree", "standardise",
                       "no-standardise", "weak", "candidates", "signed", "one-sided", "nu", "offset", "no-offset", "gap",
                       "rounds", "seed", "threads", "time-limit", "memory", "format", "json", "quiet", "model"):
            self.assertIn(f"  --{option} ", options)
        self.assertIn("(default 0.01)", options)
        self.assertIn("ucr, ts, mil, arff, c45, svmlight, tab, fasta, or auto", " ".join(options.split()))

    def test_version(self):
        self.assertRegex(self.good("--version"), r"^shapeboost \d+\.\d+\.\d+\n$")

    def test_bad_use(self):
        train = self.given / "train.tsv"
        fit = ("fit", train, "--model", "m.json")
        for args, says in (
            ((), "expected a command, fit, predict, evaluate, info, convert or demo"),
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
            ((*fit, "--nu", "0"), "--nu: expected a number above 0 or auto, found '0'"),
            ((*fit, "--sigma", "0"), "--sigma: expected a number above 0 or auto"),
            ((*fit, "--sigma-scale", "-1"), "--sigma-scale: expected a number above 0, found -1"),
            ((*fit, "--sigma-scale", "1,x"), "--sigma-scale: expected a number, found 'x'"),
            ((*fit, "--dilation", "0"), "--dilation: expected 1 to 1000000000, found 0"),
            ((*fit, "--dilation", "1.5"), "--dilation: expected a whole number, found '1.5'"),
            ((*fit, "--differences", "maybe"), "--differences: expected no or yes, found 'maybe'"),
            ((*fit, "--channels", "0"), "--channels: expected numbers from 1 or joint, found '0'"),
            ((*fit, "--channels", "2"), "--channels: the data have 1, found channel 2"),
            ((*fit, "--tau", "-1"), "--tau: expected a number of at least 0, found -1"),
            ((*fit, "--members", "0"), "--members: expected a number above 0 or auto, found '0'"),
            ((*fit, "--members", "2", "--views", "grid"), "--members: on a grid of views every member would be the same"),
            ((*fit, "--views", "random"), "--views: expected auto, grid or random:K"),
            ((*fit, "--strategy", "all"), "--strategy: expected ovr or ovo, found 'all'"),
            ((*fit, "--single"), "there is no option --single"),
            ((*fit, "--committee"), "there is no option --committee"),
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
            ((*fit, "--kernel", "x"), "--kernel: expected gaussian, linear, polynomial, laplacian, dtw, gak, spectrum, mismatch, subsequence, "
             "gram or custom, found 'x'"),
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
            ("inf.tsv", "1\t1\t2\t3\n2\t1\tinf\t3\n", "inf.tsv, line 2, column 3"),
            ("one_class.tsv", "1\t1\t2\t3\n1\t3\t2\t1\n", "one_class.tsv: expected at least two classes, found only '1'"),
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
                     says="--lengths: the longest series has 3 values, too few for a window of 4")
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
        self.write("unlabelled.tsv", series(1).replace("b\t", "?\t", 1))
        model = self.given / "series.json"
        self.refused("evaluate", "labels.tsv", "--model", model,
                     says="labels.tsv: example 2: expected the label a or b, found 'c'")
        self.refused("evaluate", "unlabelled.tsv", "--model", model, says="unlabelled.tsv: example 2 has no label")
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
            ("altered.json", text.replace('"nu": 0.1', '"nu": 0.3', 1), "not match the file's digest"),
            ("data.json", series(1), "data.json, line 1, byte"),
            ("other.json", "{}", "other.json: not a shapeboost model"),
            ("newer.json", text.replace('"version": 2', '"version": 3', 1), "update shapeboost"),
            ("older.json", text.replace('"version": 2', '"version": 1', 1), "train the model again"),
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
                              ("--members 2 --views random:4", 2)):
            record = json.loads(self.good(*fit, *more.split()))
            self.assertEqual(record["members"], members)
            self.assertIn(more, record["settings"])
            self.assertEqual({r["member"] for r in record["records"]}, set(range(members)))
        self.assertEqual(len(json.loads((self.dir / "m.json").read_text())["views"]), 8)

    def test_every_option_reaches_the_model(self):
        options = ("--lengths 0.25,12 --normalisation centred,z --dilation 1,2 --differences yes --channels 1 --tau 0.5 "
                   "--no-standardise --kernel polynomial --sigma 0.5 --sigma-scale 3 --c 0.5 --degree 3 --members 1 "
                   "--views grid --strategy ovo --weak sparse --candidates sample:50 --member-bags 12 --refine no "
                   "--one-sided --nu 0.3 --class-weights a=2,b=0.5 --no-offset "
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
            self.assertEqual((view["differences"], view["channel"], view["tau"], view["width"]), (True, 0, 0.5, 1))
        self.assertEqual(model["views"][0]["kernel"], {"kind": "polynomial", "c": 0.5, "p": 3})
        self.assertTrue(all(h["sign"] == 1 for h in model["hypotheses"]))
        self.assertTrue(all(len(h["shapelet"]) == 1 for h in model["hypotheses"]))
        # The text is a command line: it makes the same model again.
        self.good("fit", self.given / "train.tsv", "--model", "n.json", "--quiet", *model["training"]["settings"].split())
        self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "n.json").read_bytes())
        for more in (("--weak", "ball"), ("--candidates", "kmeans:5"), ("--kernel", "linear"), ("--sigma", "0.1"),
                     ("--members", "2", "--views", "random:3")):
            self.good("fit", self.given / "train.tsv", "--model", "m.json", "--quiet", "--rounds", "3", *more)
            settings = json.loads((self.dir / "m.json").read_text())["training"]["settings"]
            self.good("fit", self.given / "train.tsv", "--model", "n.json", "--quiet", *settings.split())
            self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "n.json").read_bytes())

    def test_class_weights(self):
        lines = [f"{'yes' if i % 7 == 0 else 'no'}," + ",".join(str((i * k) % 11 + (i % 7 == 0) * 9) for k in range(1, 13))
                 for i in range(28)]
        self.write("few.csv", "\n".join(lines) + "\n")
        fit = ("fit", "few.csv", "--model", "m.json", "--json", "--nu", "0.5")
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
            self.refused(*fit, "--class-weights", weights, says=says)
            self.assertFalse((self.dir / "m.json").exists())

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
        done = run("predict", "mixed.tsv", "--model", model, "--format", "ts", cwd=self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "shapeboost: warning: mixed.tsv: 1 series too short for every window of the model "
                         "(1): answered by the offset alone\n")
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual(float(rows[0]["score"]), json.loads(model.read_text())["parts"][0]["b"])
        done = run("predict", "mixed.tsv", "--model", model, "--format", "ts", "--json", cwd=self.dir)
        self.assertEqual([p.get("covered", True) for p in json.loads(done.stdout)["predictions"]], [False, True])
        self.write("short.tsv", 7 * short)
        done = run("evaluate", "short.tsv", "--model", model, "--json", cwd=self.dir)
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
        self.assertEqual([v["channel"] for v in model["views"]], [0, 1])
        weight = sum(w for j, w in model["parts"][0]["w"] if model["hypotheses"][j]["view"] == 1)
        self.assertGreaterEqual(weight, 0.8)
        self.refused("predict", self.given / "test.tsv", "--model", "m.json",
                     says="the model is for 2 channels, the data have 1")

    def test_predict_instances(self):
        args = ("predict", self.given / "bags.csv", "--model", self.given / "bags.json", "--instances")
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


class SeveralClasses(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.given / "three.tsv").write_text(three_classes(1))
        (cls.given / "more.tsv").write_text(three_classes(2, 60))
        for strategy in ("ovr", "ovo"):
            done = run("fit", "three.tsv", "--model", f"{strategy}.json", "--members", "1", "--strategy", strategy, "--json",
                       cwd=cls.given)
            assert done.returncode == 0 and done.stderr == "", done
            (cls.given / f"{strategy}.record").write_text(done.stdout)

    def setUp(self):
        super().setUp()
        for name, copy in (("more.tsv", "test.tsv"), ("ovr.json", "ovr.json"), ("ovo.json", "ovo.json")):
            shutil.copy(self.given / name, self.dir / copy)

    def test_fit(self):
        for strategy in ("ovr", "ovo"):
            record = json.loads((self.given / f"{strategy}.record").read_text())
            self.assertEqual(record["classes"], ["a", "b", "c"])
            self.assertEqual(len(record["records"]), record["rounds"])
        out = self.good("fit", self.given / "three.tsv", "--model", "m.json", "--members", "2", "--views", "random:2")
        self.assertIn("\nclasses     a (8), b (8), c (8)\n", out)
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual([(p["positive"], p["negative"]) for p in model["parts"]], [("b", "a"), ("c", "a"), ("c", "b")])

    def test_the_model_does_not_depend_on_threads_or_memory(self):
        models = set()
        for more in (("--threads", "1"), ("--threads", "2"), ("--threads", "2", "--memory", "2M")):
            self.good("fit", self.given / "three.tsv", "--model", "m.json", "--quiet", "--members", "2",
                      "--views", "random:2", "--strategy", "ovo", *more)
            models.add((self.dir / "m.json").read_bytes())
        self.assertEqual(len(models), 1)

    def test_predict(self):
        for strategy in ("ovr", "ovo"):
            model = f"{strategy}.json"
            rows = list(csv.DictReader(self.good("predict", "test.tsv", "--model", model).splitlines()))
            self.assertEqual(list(rows[0]), ["example", "predicted", "score_a", "score_b", "score_c", "label"])
            self.assertGreaterEqual(sum(row["predicted"] == row["label"] for row in rows), 54)
            if strategy == "ovr":
                for row in rows:
                    self.assertEqual(row["predicted"], max("abc", key=lambda k: float(row[f"score_{k}"])))
            record = json.loads(self.good("predict", "test.tsv", "--model", model, "--json"))
            self.assertEqual([p["predicted"] for p in record["predictions"]], [row["predicted"] for row in rows])
            self.assertEqual(record["predictions"][0]["scores"], [float(rows[0][f"score_{k}"]) for k in "abc"])

    def test_evaluate(self):
        for strategy in ("ovr", "ovo"):
            args = ("evaluate", "test.tsv", "--model", f"{strategy}.json")
            record = json.loads(self.good(*args, "--json"))
            self.assertGreaterEqual(record["accuracy"], 0.9)
            self.assertEqual([sum(row) for row in record["confusion"]], [20, 20, 20])
            self.assertEqual(record["accuracy"], sum(record["confusion"][k][k] for k in range(3)) / 60)
            for key in ("recall", "precision", "f1", "auc_per_class"):
                self.assertEqual(len(record[key]), 3)
            self.assertGreaterEqual(record["auc"], 0.9)
            out = self.good(*args)
            self.assertIn("as a  as b  as c  recall  precision      F1     AUC\n", out)
            self.assertIn("mean of each class against the rest", out)
        self.write("labels.tsv", three_classes(1).replace("b\t", "d\t", 1))
        self.refused("evaluate", "labels.tsv", "--model", "ovr.json",
                     says="labels.tsv: example 2: expected the label a, b or c, found 'd'")

    def test_info(self):
        out = self.good("info", "ovr.json")
        self.assertRegex(out, r"part  tells +hypotheses +rho +soft +nu +b\n +1  a from the rest +\d+ ")
        out = self.good("info", "ovo.json")
        self.assertRegex(out, r"\n +3  c from b +\d+ ")
        self.assertRegex(out, r"in b against a|from b against a")
        record = json.loads(self.good("info", "ovo.json", "--json"))
        self.assertEqual(record["strategy"], "ovo")
        self.assertEqual([(p["positive"], p["negative"]) for p in record["parts"]],
                         [("b", "a"), ("c", "a"), ("c", "b")])
        self.assertAlmostEqual(sum(h["w"] for h in record["hypotheses"]), 3.0)

    def test_spoiled_parts(self):
        model = json.loads((self.dir / "ovr.json").read_text())
        model["parts"].pop()
        self.write("fewer.json", with_digest(model))
        self.refused("info", "fewer.json", says="fewer.json: parts: expected 3 parts for 3 classes by ovr, found 2")
class Convert(CliTest):
    # Of each kind of data the files that hold it, the first as it is written.
    SERIES = "a\t0.1\t-5e-324\t1e+22\nb\t3\tNaN\t2\n\t5\tNaN\tNaN\n"
    CHANNELS = ("@problemName data\n@timeStamps false\n@missing true\n@univariate false\n@dimensions 2\n"
                "@equalLength false\n@classLabel true a b\n@data\n1,?,3:4,5,?:b\n1,2:3,4.5:a\n7:8:?\n")
    BAGS = "bag,label,f1,f2\n1,-1,0.5,0\n1,-1,0,0\n2,1,1e-05,-3\n"
    SEQUENCES = "a\tACgt\nleft arm\t" + 100 * "MK" + "\n?\tG\n"

    def test_there_and_back(self):
        for first, text, others in (
            ("s.tsv", self.SERIES, ("s.csv", "s.txt", "s.ts", "s.arff")),
            ("c.ts", self.CHANNELS, ("c.arff",)),
            ("b.csv", self.BAGS, ("b.tsv", "b.txt", "b.arff", "b.data", "b.names", "b.svm", "b.svmlight", "b.libsvm")),
            ("q.tab", self.SEQUENCES, ("q.tsv", "q.txt", "q.fasta", "q.fa")),
        ):
            for other in (*others, *(name + ".gz" for name in (first, *others))):
                with self.subTest(first=first, other=other):
                    folder = pathlib.Path(tempfile.mkdtemp(dir=self.dir))
                    (folder / first).write_text(text)
                    self.assertEqual(self.good("convert", folder / first, folder / other, "--quiet"), "")
                    self.good("convert", folder / other, folder / ("back." + first), "--quiet")
                    self.assertEqual((folder / ("back." + first)).read_text(), text)
                    compressed = (folder / other).read_bytes().startswith(b"\x1f\x8b")
                    self.assertEqual(compressed, other.endswith(".gz"))

    def test_through_every_format(self):
        """A chain of conversions: what one program writes, the next reads."""
        for names in (("b.csv", "b.arff", "b.data.gz", "b.svm", "b.tsv", "b2.csv"),
                      ("q.tab", "q.fa", "q.txt.gz", "q2.tab"),
                      ("s.tsv", "s.ts", "s.arff.gz", "s2.tsv")):
            text = {"b": self.BAGS, "q": self.SEQUENCES, "s": self.SERIES}[names[0][0]]
            self.write(names[0], text)
            for before, after in zip(names, names[1:]):
                self.good("convert", before, after, "--quiet")
            self.assertEqual((self.dir / names[-1]).read_text(), text)

    def test_what_it_prints(self):
        self.write("b.csv", self.BAGS)
        self.write("c.ts", self.CHANNELS)
        self.write("q.tab", self.SEQUENCES)
        self.assertEqual(self.good("convert", "b.csv", "b.arff"),
                         "b.arff: 2 bags of 1 to 2 instances with 2 features, as arff\n")
        self.assertEqual(self.good("convert", "c.ts", "c.arff"),
                         "c.arff: 3 series of 1 to 3 values in 2 channels, some missing, as arff\n")
        self.assertEqual(self.good("convert", "q.tab", "q.fa"), "q.fa: 3 sequences of 1 to 200 symbols, as fasta\n")
        record = json.loads(self.good("convert", "c.ts", "d.ts.gz", "--json"))
        self.assertEqual(record, {"in": "c.ts", "out": "d.ts.gz", "format": "ts", "kind": "series", "examples": 3,
                                  "classes": ["a", "b"], "width": 2, "min_length": 1, "max_length": 3, "missing": True})

    def test_formats_can_be_named(self):
        self.write("numbers", "1,1,2\n1,1,3\n2,0,4\n")
        self.good("convert", "numbers", "bags", "--from", "mil", "--to", "svmlight", "--quiet")
        self.assertEqual((self.dir / "bags").read_text(), "1 qid:1 1:2\n1 qid:1 1:3\n0 qid:2 1:4\n")
        self.assertIn("as ucr", self.good("convert", "numbers", "series.tsv"))
        self.assertEqual((self.dir / "series.tsv").read_text(), "1\t1\t2\n1\t1\t3\n2\t0\t4\n")

    def test_the_examples_of_the_documentation(self):
        text = (pathlib.Path(__file__).parent.parent / "docs" / "formats.md").read_text()
        examples = re.findall(r"^```(\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        formats = {name.split(".")[0] for name, _ in examples}
        self.assertEqual(formats, {"ucr", "ts", "mil", "arff", "c45", "svmlight", "tab", "fasta"})
        for name, content in examples:
            with self.subTest(name=name, content=content):
                self.write("example." + name.split(".")[-1], content)
                if name == "c45.names":
                    continue  # the .data comes next
                record = json.loads(self.good("convert", "example." + name.split(".")[-1], "out", "--json",
                                              "--to", name.split(".")[0] if name != "c45.data" else "mil"))
                self.assertIn(record["examples"], (2, 3))

    def test_bad_use_and_bad_data(self):
        self.write("s.tsv", self.SERIES)
        self.write("b.csv", self.BAGS)
        self.write("c.ts", self.CHANNELS)
        self.write("alone.data", "a,b,1,1.\n")
        self.write("cut.tsv", gzip.compress(self.SERIES.encode())[:30])
        self.write("bad.arff", "@relation r\n@attribute a {x}\n@attribute class {p}\n@data\nx,p\n")
        self.write("bad.svm", "1 1:2\n1 0:2\n")
        self.write("bad.fa", "ACGT\n")
        self.write("bad.tab", "a\tAC\nb\n")
        os.symlink("s.tsv", self.dir / "link.tsv")
        for args, says in (
            (("s.tsv",), "OUT is required"),
            (("s.tsv", "x.tsv", "--to", "xml"), "the format is 'xml'"),
            (("none.tsv", "x.ts"), "cannot read none.tsv"),
            (("s.tsv", "x.xyz"), "cannot write x.xyz: the name does not tell the format"),
            (("s.tsv", "none/x.ts"), "the folder none does not exist"),
            (("s.tsv", "./s.tsv"), "IN and OUT are the same file"),
            (("s.tsv", "link.tsv", "--to", "ts"), "IN and OUT are the same file"),
            (("s.tsv", "x.csv", "--to", "mil"), "cannot write x.csv: the mil format is for bags, the data are series"),
            (("b.csv", "x.ts"), "cannot write x.ts: the ts format is for series, the data are bags"),
            (("b.csv", "x.fa"), "cannot write x.fa: the fasta format is for sequences, the data are bags"),
            (("c.ts", "x.tsv"), "cannot write x.tsv: the ucr format is for one channel, the data have 2"),
            (("s.tsv", "x.tsv", "--from", "ts"), "s.tsv, line 1: expected a line with '@'"),
            (("alone.data", "x.csv"), "alone.data: c45 data needs the file alone.names beside it"),
            (("cut.tsv", "x.ts"), "cut.tsv: the gzip file is damaged: it ends too early"),
            (("bad.arff", "x.ts"), "bad.arff: the attribute 'a' is nominal; only numeric features are read"),
            (("bad.svm", "x.csv"), "bad.svm, line 2, column 2: expected a feature's number"),
            (("bad.fa", "x.tab"), "bad.fa, line 1: expected a header"),
            (("bad.tab", "x.fa"), "bad.tab, line 2: expected a label, a tab and a sequence"),
        ):
            with self.subTest(args=args):
                self.refused("convert", *args, says=says)

    def test_c45_never_overwrites_its_own_names(self):
        self.write("b.csv", self.BAGS)
        self.good("convert", "b.csv", "b.data", "--quiet")
        names = (self.dir / "b.names").read_bytes()
        self.refused("convert", "b.data", "b.data.gz", says="IN and OUT are the same file, b.names")
        self.refused("convert", "b.names", "b.data", says="IN and OUT are the same file, b.data")
        self.assertEqual((self.dir / "b.names").read_bytes(), names)

    def test_training_on_other_formats(self):
        for data, other in (("train.tsv", "t.arff.gz"), ("bags.csv", "b.svm")):
            self.good("convert", self.given / data, other, "--quiet")
            self.good("fit", other, "--model", "m.json", "--quiet", "--rounds", "3", "--members", "1")
        self.write("q.tab", self.SEQUENCES)
        self.refused("fit", "q.tab", "--model", "m2.json", says="q.tab: example 3 has no label")


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
