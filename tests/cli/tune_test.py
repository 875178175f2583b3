# SPDX-License-Identifier: MIT
"""shapeboost tune as its users see it: what it chooses, what it refuses, and that it survives being killed."""

import csv
import io
import json
import random
import signal
import subprocess
import time
import unittest

from case import BIN, PATIENCE, CliTest, bags, hard_series, needs_libsvm, run, series

QUICK = ("--members", 3, "--candidates", "sample:60", "--folds", 3)
GRID = ("--grid", "sigma-scale=1,4; nu=0.1,0.3; lengths=0.2|0.1,0.3")


class Tune(CliTest):
    def setUp(self):
        super().setUp()
        self.write("train.tsv", series(1, noise=0.9))
        self.write("bags.csv", bags(1))

    def lines(self, path):
        try:
            return (self.dir / path).read_bytes().count(b"\n")
        except FileNotFoundError:
            return 0

    def start(self, *args):
        return subprocess.Popen([BIN, *map(str, args)], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, process, journal, lines):
        """Until the journal has so many lines or the run has ended; it is a hang that fails, not slowness."""
        end = time.monotonic() + PATIENCE
        while self.lines(journal) < lines and process.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)

    def test_the_best_choice_is_trained_on_all_data(self):
        out = json.loads(self.good("tune", "train.tsv", "--model", "m.json", "--results", "r.csv", "--json",
                                   *QUICK, *GRID))
        rows = list(csv.DictReader(io.StringIO((self.dir / "r.csv").read_text())))
        self.assertEqual(len(rows), 8)
        self.assertEqual([row["setting"] for row in rows], [c["setting"] for c in out["choices"]])
        self.assertEqual(rows[0]["setting"], "sigma-scale=1; nu=0.1; lengths=0.2")
        self.assertEqual(rows[1]["setting"], "sigma-scale=1; nu=0.1; lengths=0.1,0.3")
        best = max(rows, key=lambda row: (float(row["accuracy"]), -float(row["hypotheses"])))
        self.assertEqual(out["best"], best["setting"])
        self.assertTrue(all(row["folds"] == "3" for row in rows))
        # fit with the settings that the model remembers gives the same model, but for the word of tuning.
        tuned = json.loads((self.dir / "m.json").read_text())
        self.assertIn("the best of 8 choices", tuned["training"]["tuning"])
        self.assertIn(GRID[1], tuned["training"]["tuning"])
        self.good("fit", "train.tsv", "--model", "f.json", "--quiet", *tuned["training"]["settings"].split())
        fitted = json.loads((self.dir / "f.json").read_text())
        for model in (tuned, fitted):
            model["training"].pop("tuning", None)
            model.pop("digest")
        self.assertEqual(tuned, fitted)
        self.assertIn("the best of 8 choices", self.good("info", "m.json"))
        self.good("predict", "train.tsv", "--model", "m.json")
        self.assertFalse((self.dir / "m.json.journal").exists())

    def test_default_grids(self):
        series_axes = "normalisation=auto; lengths=auto; sigma-scale=auto; "
        for data, more, axes, count in (("train.tsv", (), series_axes + "evidence=auto", 24),
                                        ("train.tsv", ("--head", "average"), series_axes + "nu=0.1", 24),
                                        ("train.tsv", ("--evidence", "best"), series_axes[:-2], 12),
                                        ("bags.csv", (), "aspect=auto; sigma-scale=auto; evidence=auto", 12),
                                        ("bags.csv", ("--head", "average"), "sigma-scale=auto; nu=0.1", 9)):
            out = json.loads(self.good("tune", data, "--model", "m.json", "--json", "--members", 2, "--folds", 2, *more))
            self.assertEqual(len(out["choices"]), count)
            self.assertEqual(out["choices"][0]["setting"], axes)
            last = {c["setting"].split("; ")[-1] for c in out["choices"]}
            if "evidence=" in axes:
                self.assertEqual(last, {"evidence=auto", "evidence=best,share" + ",mean,least" * (data == "bags.csv")})
            self.assertEqual("head" in json.loads((self.dir / "m.json").read_text()),
                             more != ("--head", "average"))
        out = json.loads(self.good("tune", "bags.csv", "--model", "m.json", "--json", "--members", 2, "--folds", 2,
                                   "--nu", "0.2", "--kernel", "linear", "--refine", "yes"))
        self.assertEqual([c["setting"] for c in out["choices"]], ["weak=sparse", "weak=ball"])

    def test_the_default_grid_of_sparse_bags_leaves_out_what_they_do_not_have(self):
        lines = [f"{i % 2} qid:{i + 1} {1 + i % 2}:1 {10 + (7 * i + row) % 50}:1 1200:1" for i in range(16) for row in range(2)]
        self.write("bags.svm", "\n".join(lines) + "\n")
        out = json.loads(self.good("tune", "bags.svm", "--model", "m.json", "--json", *QUICK))
        self.assertEqual([c["setting"] for c in out["choices"]],
                         [f"kernel={kernel}; standardise={yes}; nu={nu}" for kernel in ("gaussian", "linear") for yes in ("yes", "no")
                          for nu in ("0.1", "0.2")])
        out = json.loads(self.good("tune", "bags.svm", "--model", "m.json", "--json", *QUICK, "--kernel", "linear", "--no-standardise"))
        self.assertEqual([c["setting"] for c in out["choices"]], ["nu=0.1", "nu=0.2"])

    @needs_libsvm
    def test_default_grids_of_other_methods(self):
        for data, method, axes, count in (("train.tsv", "MI-svm", "normalisation=raw; lengths=0.1; C=0.1", 24),
                                          ("train.tsv", "l1-svm", "normalisation=raw; lengths=0.1; C=0.1", 24),
                                          ("bags.csv", "mi-svm", "sigma-scale=auto; C=0.1", 12),
                                          ("bags.csv", "l1-svm", "sigma-scale=auto; C=0.1", 12)):
            out = json.loads(self.good("tune", data, "--model", "m.json", "--json", "--method", method, "--folds", 2))
            self.assertEqual(len(out["choices"]), count)
            self.assertEqual(out["choices"][0]["setting"], axes)
        self.refused("tune", "bags.csv", "--model", "x.json", "--method", "mi-svm", "--grid", "nu=0.1,0.2",
                     says="--grid: no use for nu: the method is mi-svm")

    def test_default_grid_keeps_to_what_is_given(self):
        self.write("sites.fasta", "".join(f">{i} {'ab'[i % 2]}\n{'ACGTTGCA' * 3}{'ACG' if i % 2 else 'TTT'}\n" for i in range(12)))
        out = json.loads(self.good("tune", "sites.fasta", "--model", "m.json", "--json", "--folds", 2, "--mismatches", 3))
        self.assertEqual({c["setting"].split("; ")[1] for c in out["choices"]}, {"k=auto", "k=4"})

    def test_one_list_is_one_choice(self):
        out = json.loads(self.good("tune", "train.tsv", "--model", "m.json", "--json", *QUICK, "--grid",
                                   "lengths=0.1,0.2|"))
        self.assertEqual([c["setting"] for c in out["choices"]], ["lengths=0.1,0.2"])

    def test_report(self):
        text = self.good("tune", "train.tsv", "--model", "m.json", *QUICK, *GRID)
        self.assertIn("choices     8, 3 folds\n", text)
        self.assertIn("sigma-scale=4; nu=0.3; lengths=0.1,0.3", text)
        self.assertEqual(self.good("tune", "train.tsv", "--model", "m.json", "--quiet", *QUICK, *GRID), "")

    def test_switches_are_yes_or_no(self):
        out = json.loads(self.good("tune", "bags.csv", "--model", "m.json", "--json", *QUICK, "--grid",
                                   "one-sided=yes,no; standardise=no"))
        self.assertEqual([c["setting"] for c in out["choices"]],
                         ["one-sided=yes; standardise=no", "one-sided=no; standardise=no"])
        self.assertIn("--no-standardise", out["settings"])

    def test_options_without_use_are_noted(self):
        text = self.good("tune", "bags.csv", "--model", "m.json", "--lengths", "0.1", *QUICK, "--grid", "nu=0.1,0.2")
        self.assertIn("no use for --lengths: the data are bags", text)

    def test_threads_do_not_matter(self):
        for threads in (1, 4):
            self.good("tune", "train.tsv", "--model", f"{threads}.json", "--results", f"{threads}.csv", "--threads",
                      threads, *QUICK, *GRID)
        self.assertEqual((self.dir / "1.json").read_bytes(), (self.dir / "4.json").read_bytes())
        self.assertEqual((self.dir / "1.csv").read_bytes(), (self.dir / "4.csv").read_bytes())

    def test_killed_at_any_moment_it_goes_on_to_the_same_end(self):
        command = ("--repeats", 4, *QUICK, *GRID)
        self.good("tune", "train.tsv", "--model", "whole.json", "--results", "whole.csv", *command)
        rng = random.Random(7)
        cells = 8 * 3 * 4
        killed = 0
        most = 0
        for moment in sorted(rng.randrange(1, cells + 1) for _ in range(10)):
            process = self.start("tune", "train.tsv", "--model", "m.json", "--results", "r.csv", *command)
            self.wait_for(process, "m.json.journal", moment)
            process.kill()
            killed += process.wait() == -signal.SIGKILL
            process.communicate()
            # What was on disk stays there: never fewer lines than before, but when all is done.
            lines = self.lines("m.json.journal")
            self.assertTrue(lines >= min(most, moment) or lines == 0, (lines, most))
            most = lines
        self.assertGreaterEqual(killed, 5)
        self.good("tune", "train.tsv", "--model", "m.json", "--results", "r.csv", *command)
        self.assertEqual((self.dir / "r.csv").read_bytes(), (self.dir / "whole.csv").read_bytes())
        self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "whole.json").read_bytes())
        self.assertFalse((self.dir / "m.json.journal").exists())

    def test_a_torn_line_is_dropped_and_another_run_refused(self):
        command = ("tune", "train.tsv", "--model", "m.json", "--results", "r.csv", "--journal", "j", *QUICK, *GRID)
        self.good(*command)
        journal = (self.dir / "j").read_bytes()  # one that is named stays
        self.assertEqual(journal.count(b"\n"), 1 + 24)
        first = (self.dir / "r.csv").read_bytes()
        (self.dir / "j").write_bytes(journal[:-9])
        self.good(*command)
        self.assertEqual((self.dir / "r.csv").read_bytes(), first)
        self.assertEqual((self.dir / "j").read_bytes().count(b"\n"), 1 + 24)
        self.refused(*command, "--nu", "0.2", says="--grid: nu is to be chosen, but --nu is given")
        self.refused(*command, "--gap", "0.02", says="j: the journal is of another run, its settings")
        self.refused(*command, "--seed", "2", says="j: the journal is of another run, its settings")
        self.refused(*command, "--repeats", "2", says="j: the journal is of another run, its number of repeats")
        self.refused("tune", "bags.csv", *command[2:-2], "--grid", "nu=0.1", says="its data is not the same")
        (self.dir / "j").write_bytes(journal + b"what?\n")
        self.refused(*command, says="j, line 26: expected a finished cell, found 'what?'")
        self.write("j", "label\tvalue\n")
        self.refused(*command, says="j: expected a journal of shapeboost tune")

    def test_ctrl_c_ends_the_search_with_what_is_known(self):
        self.write("hard.tsv", hard_series())
        command = ("tune", "hard.tsv", "--model", "m.json", "--results", "r.csv", "--members", 2, "--threads", 1,
                   "--folds", 10, "--repeats", 50, "--grid", "nu=0.3,0.4")
        process = self.start(*command)
        self.wait_for(process, "m.json.journal", 1 + 4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertIn(b"the search is not done: compared on", out)
        self.assertIn("before the search was done", (self.dir / "m.json").read_text())
        self.assertGreaterEqual(self.lines("m.json.journal"), 5)
        rows = list(csv.DictReader(io.StringIO((self.dir / "r.csv").read_text())))
        self.assertGreaterEqual(int(rows[0]["folds"]), 2)

    def test_time_limit(self):
        self.write("hard.tsv", hard_series())
        done = run("tune", "hard.tsv", "--model", "m.json", "--time-limit", "1e-9", "--grid", "nu=0.3,0.4",
                   cwd=self.dir)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("stopped before any fold was finished by every choice", done.stderr)
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["bags.csv", "hard.tsv", "train.tsv"])

    def test_bad_grids(self):
        for grid, says in (
            ("", "--grid: expected OPTION=VALUE,VALUE and ; between axes, found ''"),
            ("nu", "--grid: expected OPTION=VALUE,VALUE and ; between axes, found 'nu'"),
            ("=0.1", "--grid: expected OPTION=VALUE,VALUE and ; between axes, found '=0.1'"),
            ("nu=0.1;", "--grid: expected OPTION=VALUE,VALUE and ; between axes, found ''"),
            ("nux=0.1", "--grid: fit has no option --nux"),
            ("--nu=0.1", "--grid: fit has no option ----nu"),
            ("nu=", "--grid: nu: expected a value on either side of every separator, found ''"),
            ("nu=0.1,,0.2", "--grid: nu: expected a value on either side of every separator, found '0.1,,0.2'"),
            ("lengths=0.1||", "--grid: lengths: expected a value on either side of every separator, found '0.1||'"),
            ("nu=0.1,0.10", "--grid: nu: 0.10 is there twice"),
            ("nu=0.1; nu=0.2", "--grid: nu is there twice"),
            ("signed=yes; one-sided=yes", "--grid: one-sided is there twice, the other time as signed"),
            ("nu=0.1,big", "--grid: --nu: expected a number, found 'big'"),
            ("nu=0.1,2", "--grid: nu=2: --nu: expected"),
            ("weak=sparse,round", "--grid: --weak: expected"),
            ("mirrored=maybe", "--grid: mirrored: expected yes or no, found 'maybe'"),
            ("one-sided=maybe", "--grid: one-sided: expected yes or no, found 'maybe'"),
            ("kernel=dtw; weak=ball", "--grid: kernel=dtw; weak=ball: --weak: the ball needs a positive"),
            ("kernel=gram", "--grid: kernel=gram: gram needs the matrix of similarities, --gram FILE"),
            ("seed=1,2", "--grid: seed is not a setting to choose among"),
            ("threads=1,2", "--grid: threads is not a setting to choose among"),
            ("gram=a,b", "--grid: gram is not a setting to choose among"),
            ("degree=2,3", "--grid: no use for degree: the kernel is gaussian"),
            ("k=2,3", "--grid: no use for k: the data are series"),
            ("lengths=300", "choice 'lengths=300': lengths: the longest series has"),
            ("; ".join(f"{name}=" + ",".join(map(str, range(1, 30))) for name in ("gap", "rounds", "stall")),
             "--grid: expected at most 10000 combinations, found more"),
        ):
            with self.subTest(grid):
                self.refused("tune", "train.tsv", "--model", "m.json", "--grid", grid, says=says)
        self.refused("tune", "bags.csv", "--model", "m.json", "--grid", "lengths=0.1,0.2",
                     says="--grid: no use for lengths: the data are bags")
        self.refused("tune", "train.tsv", "--model", "m.json", "--one-sided", "--grid", "signed=yes,no",
                     says="--grid: signed is to be chosen, but --one-sided is given")
        self.refused("tune", "train.tsv", "--model", "m.json", "--sigma", 1, "--grid", "sigma-scale=1,2",
                     says="--grid: sigma-scale is to be chosen, but --sigma is given")

    def test_bad_use(self):
        self.refused("tune", "train.tsv", says="--model is required")
        self.refused("tune", "train.tsv", "--model", "m.json", "--folds", 1, says="--folds: expected at least 2")
        self.refused("tune", "train.tsv", "--model", "m.json", "--folds", "many", says="--folds: expected a whole number")
        self.refused("tune", "train.tsv", "--model", "m.json", "--folds", 17, says="--folds: expected at most as many")
        self.refused("tune", "train.tsv", "--model", "m.json", "--repeats", 0, says="--repeats: expected at least 1")
        self.refused("tune", "train.tsv", "--model", "train.tsv", says="TRAIN and --model are the same file")
        self.refused("tune", "train.tsv", "--model", "m.json", "--results", "m.json",
                     says="--model and --results are the same file")
        self.refused("tune", "train.tsv", "--model", "m.json", "--journal", "train.tsv",
                     says="TRAIN and --journal are the same file")
        self.refused("tune", "train.tsv", "--model", "none/m.json", says="the folder none does not exist")
        self.refused("tune", "train.tsv", "--model", "m.json", "--results", "none/r.csv",
                     says="the folder none does not exist")
        self.refused("tune", "none.tsv", "--model", "m.json", says="cannot read none.tsv")


if __name__ == "__main__":
    unittest.main()
