#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Use and misuse of the command line: help, bad options, bad data, full disks, being stopped.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/use_test.py
"""

import json
import os
import pty
import resource
import signal
import subprocess
import unittest

from case import altered, bags, BIN, CliTest, hard_series, PATIENCE, run, series


class Use(CliTest):
    def test_help_of_every_command(self):
        text = self.good("--help")
        for command in ("fit", "predict", "evaluate", "explain", "report", "info", "convert", "paper", "demo",
                        "tune"):
            self.assertIn(f"  {command} ", text)
            own = self.good(command, "--help")
            self.assertIn(f"Usage: shapeboost {command} ", own)
            self.assertIn(f"Example:\n  shapeboost {command}", own)
            self.assertLessEqual(max(map(len, own.splitlines())), 100)
        options = self.good("fit", "--help")
        for option in ("lengths", "normalisation", "dilation", "transform", "channels", "tau", "members", "head", "patterns",
                       "evidence", "views",
                       "strategy", "refine", "class-weights", "optimise", "stall", "kernel", "sigma", "sigma-scale", "c", "degree", "standardise",
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
            ((), "expected a command, fit, tune, predict, evaluate, explain, report, info, convert, paper, demo or completion"),
            (("fitt",), "there is no command 'fitt'; expected fit, tune, predict, evaluate, explain, report, info, convert, paper, demo "
             "or completion (did you mean fit?)"),
            (("help", "preditc"), "there is no command 'preditc'"),
            (("help", "preditc"), "(did you mean predict?)"),
            (("fti",), "(did you mean fit?)"),
            (("completion", "tcsh"), "completion: expected bash, zsh, fish or man, found 'tcsh'"),
            (("--json",), "there is no option --json"),
            (("fit",), "TRAIN is required"),
            (("fit", train), "--model is required"),
            (("predict", train), "--model is required"),
            (("info",), "MODEL is required"),
            ((*fit, "--nuu", "1"), "there is no option --nuu (did you mean --nu?); see shapeboost fit --help"),
            ((*fit, "--optimize", "f1"), "there is no option --optimize (did you mean --optimise?); see shapeboost fit --help"),
            ((*fit, "--xyzzy"), "there is no option --xyzzy; see shapeboost fit --help"),
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
            ((*fit, "--dilation", "100"), "--dilation: no window of these lengths fits a series of "),
            ((*fit, "--lengths", "0.1 0.2"), "--lengths: expected a number, found '0.1 0.2'"),
            ((*fit, "--seed", "-1"), "--seed: expected a whole number of at least 0, found '-1'"),
            ((*fit, "--memory", "10"), "M, found 10 bytes"),
            ((*fit, "--transform", "maybe"), "--transform: expected none, differences or spectrum, found 'maybe'"),
            ((*fit, "--channels", "0"), "--channels: expected numbers from 1 or joint, found '0'"),
            ((*fit, "--channels", "1+0"), "--channels: expected numbers from 1 or joint, found '1+0'"),
            ((*fit, "--channels", "1+1"), "--channels: expected each number once, found '1+1'"),
            ((*fit, "--channels", "2"), "--channels: the data have 1, found channel 2"),
            ((*fit, "--tau", "-1"), "--tau: expected a number of at least 0, found -1"),
            ((*fit, "--members", "0"), "--members: expected a number above 0 or auto, found '0'"),
            ((*fit, "--members", "2", "--views", "grid"), "--members: on a grid of views every member would be the same"),
            ((*fit, "--views", "random"), "--views: expected auto, grid or random:K"),
            ((*fit, "--head", "x"), "--head: expected auto, ridge, average or both, found 'x'"),
            ((*fit, "--head", "ridge", "--strategy", "ovo"),
             "--strategy: a ridge head weighs all classes at once; expected auto, found ovo"),
            ((*fit, "--head", "ridge", "--one-sided"),
             "--head: ridge weighs patterns for and against a class; expected signed patterns, found one-sided ones"),
            ((*fit, "--head", "ridge", "--views", "grid"),
             "--head: ridge weighs the patterns of random views; expected --views auto or random:K, found grid"),
            ((*fit, "--head", "ridge", "--members", "1"),
             "--head: ridge weighs the patterns of random views; expected --views auto or random:K, found grid"),
            ((*fit, "--patterns", "0"), "--patterns: expected a number above 0 or auto, found '0'"),
            ((*fit, "--patterns", "-1"), "--patterns: expected a number above 0 or auto, found '-1'"),
            ((*fit, "--patterns", "x"), "--patterns: expected a whole number, found 'x'"),
            ((*fit, "--evidence", "best,best"), "--evidence: expected each kind once, found best twice"),
            ((*fit, "--evidence", "nonsense"), "--evidence: expected best, share, place, mean, least or bag, found 'nonsense'"),
            ((*fit, "--evidence", "best,,share"), "--evidence: expected best, share, place, mean, least or bag, found ''"),
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
            ((*fit, "--format", "x"), "--format: expected auto, ucr, ts, mil, arff, c45, svmlight, tab or fasta, found 'x'"),
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
        head = (self.given / "series.json").read_text()
        committee = (self.given / "average.json").read_text()

        def changed(text, old, new):
            self.assertIn(old, text)
            return text.replace(old, new, 1)

        for name, spoiled, says in (
            ("empty.json", "", "empty.json: the file is empty"),
            ("cut.json", head[: len(head) // 2], "the file ends too early"),
            ("altered.json", changed(committee, '"nu": 0.1', '"nu": 0.3'), "not match the file's digest"),
            ("seed.json", changed(head, '"seed": 1', '"seed": 2'), "not match the file's digest"),
            ("threshold.json", changed(head, '"threshold": 0.', '"threshold": 0.1'), "not match the file's digest"),
            ("second.json", changed(head, '"version": 4', '"version": 2'), "not match the file's digest"),
            ("data.json", series(1), "data.json, line 1, byte"),
            ("other.json", "{}", "other.json: not a shapeboost model"),
            ("newer.json", changed(head, '"version": 4', '"version": 5'), "update shapeboost"),
            ("older.json", changed(head, '"version": 4', '"version": 1'), "train the model again"),
            # What a head needs is checked where the digest is right, too.
            ("pairs.json", altered(head, '"strategy":"ovr"', '"strategy":"ovo"'), 'strategy: expected "ovr" with a head'),
            ("headless.json", altered(head, r'"head":\{[^}]*\},', ""), "headless.json: parts[0].nu: the field is missing"),
            ("shorter.json", altered(head, r'"w":\[[^,]*,', '"w":['), "shorter.json: parts[0].w: expected "),
            ("strength.json", altered(head, r'("head":\{[^}]*"alpha":)[^,]*', r"\g<1>0.0"), "strength.json: head.alpha: expected"),
            ("scale.json", altered(head, r'("threshold":[^[]*"centre":[^[]*\[[^]]*\],"scale":\[)[^,]*', r"\g<1>0.0"),
             "scale.json: hypotheses[0].scale"),
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

    def test_help_by_either_word(self):
        self.assertEqual(self.good("help", "fit"), self.good("fit", "--help"))
        self.assertEqual(self.good("help"), self.good("--help"))

    def test_shells_know_commands_and_options(self):
        """Bash runs its script; the others are looked at, where their shells are not installed."""
        script = self.good("completion", "bash")
        self.write("given.tsv", "")
        asked = subprocess.run(["bash", "-c", script + """
            try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shapeboost; echo "${COMPREPLY[*]}"; }
            try shapeboost pre
            try shapeboost predict --mod
            try shapeboost help rep
            try shapeboost fit given.ts
        """], capture_output=True, text=True, cwd=self.dir, timeout=60)
        self.assertEqual(asked.stderr, "")
        self.assertEqual(asked.stdout.split("\n"), ["predict", "--model", "report", "given.tsv", ""])
        for shell, line in (("zsh", "'predict:Classify examples"), ("zsh", "help) _describe command commands"),
                            ("fish", "__fish_seen_subcommand_from fit' -l model"), ("fish", "__fish_seen_subcommand_from help' -f -a 'fit tune"),
                            ("man", ".B \\-\\-model")):
            self.assertIn(line, self.good("completion", shell))


if __name__ == "__main__":
    unittest.main()
