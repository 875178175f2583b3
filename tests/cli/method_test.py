#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The methods that boosting is compared with: fit --method.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/method_test.py
"""

import csv
import json
import unittest

from case import bags, CliTest, LIBSVM, needs_libsvm, three_classes

BASELINES = ("mi-svm", "MI-svm", "l1-svm")
# Three of four instances of a positive bag are as negative ones are. Narrow kernels let mi-SVM, which begins by calling
# all four positive, learn each of them by heart.
EASY = {"mi-svm": "--C 0.5 --kernel linear", "MI-svm": "--C 10", "l1-svm": "--C 10"}


class Methods(CliTest):
    def fit(self, data, method, *more):
        return self.good("fit", data, "--model", "m.json", "--method", method, *more)

    def accuracy(self, data):
        return json.loads(self.good("evaluate", data, "--model", "m.json", "--json"))["accuracy"]

    @needs_libsvm
    def test_every_command_takes_the_model(self):
        self.write("new.csv", bags(2))
        for method in BASELINES:
            record = json.loads(self.fit(self.given / "bags.csv", method, *EASY[method].split(), "--json"))
            self.assertEqual(record["method"], method)
            self.assertIn(f"--method {method} {EASY[method][:6]}", record["settings"])
            self.assertNotIn("--nu", record["settings"])
            self.assertEqual(record["stopped"], "gap")
            self.assertEqual(record["members"], 1)
            self.assertEqual(json.loads((self.dir / "m.json").read_text())["training"]["method"], method)
            self.assertEqual(self.accuracy("new.csv"), 1.0, method)
            self.assertIn(f"\nmethod      {method}\n", self.good("info", "m.json"))
            self.assertIn("With probability at least 0.95", self.good("info", "m.json", "--bound"))
            self.good("predict", "new.csv", "--model", "m.json", "--instances", "--out", "i.csv")
            self.good("predict", "new.csv", "--model", "m.json", "--out", "p.csv")
            with open(self.dir / "i.csv", newline="") as file:
                instances = list(csv.DictReader(file))
            with open(self.dir / "p.csv", newline="") as file:
                whole = list(csv.DictReader(file))
            self.assertEqual(len(instances), 48)
            if method == "l1-svm":
                continue
            for k, row in enumerate(whole):  # the bag is its best instance
                best = max(float(r["score"]) for r in instances[4 * k:4 * k + 4])
                self.assertAlmostEqual(float(row["score"]), best, places=9)

    @needs_libsvm
    def test_the_settings_of_a_model_make_it_again(self):
        for method in BASELINES:
            self.fit(self.given / "bags.csv", method, "--quiet")
            first = (self.dir / "m.json").read_text()
            settings = json.loads(first)["training"]["settings"].split()
            self.good("fit", self.given / "bags.csv", "--model", "m.json", "--quiet", *settings)
            self.assertEqual((self.dir / "m.json").read_text(), first)

    @needs_libsvm
    def test_series_and_several_classes(self):
        self.write("three.tsv", three_classes(1))
        for method in BASELINES:
            self.fit(self.given / "train.tsv", method, *EASY[method].split(), "--quiet")
            self.assertGreaterEqual(self.accuracy(self.given / "test.tsv"), 0.8, method)
            self.fit("three.tsv", method, *EASY[method].split(), "--quiet")
            self.assertGreaterEqual(self.accuracy("three.tsv"), 0.9, method)
            self.assertIn("ovo", self.good("info", "m.json"))

    @needs_libsvm
    def test_the_report_says_how_it_ended(self):
        for method, says in (("mi-svm", "no change of the labels of instances"),
                             ("MI-svm", "no change of the instance chosen from each example"),
                             ("l1-svm", "no candidate left that improves the machine")):
            self.assertIn(says, self.fit(self.given / "bags.csv", method))

    @needs_libsvm
    def test_idle_options(self):
        self.assertIn("no use for --candidates, --nu: the method is MI-svm\n",
                      self.fit(self.given / "bags.csv", "MI-svm", "--nu", "0.3", "--candidates", "all"))
        self.assertIn("no use for --gap: the method is l1-svm\n",
                      self.fit(self.given / "bags.csv", "l1-svm", "--gap", "0.1", "--one-sided"))
        self.assertIn("no use for --C: the method is boost\n", self.fit(self.given / "bags.csv", "boost", "--C", "2"))
        self.assertNotIn("no use", self.fit(self.given / "bags.csv", "boost", "--nu", "0.3"))

    def test_boosting_stays_as_it_is(self):
        self.fit(self.given / "bags.csv", "boost", "--quiet")
        named = json.loads((self.dir / "m.json").read_text())
        unnamed = json.loads((self.given / "bags.json").read_text())
        for model in (named, unnamed):
            model["training"].pop("source")
            model.pop("digest")
        self.assertEqual(named, unnamed)
        self.assertNotIn("method", named["training"])

    @needs_libsvm
    def test_bad_use(self):
        fit = ("fit", self.given / "bags.csv", "--model", "m.json")
        for options, says in (("--method svm", "--method: expected boost, mi-svm, MI-svm or l1-svm, found 'svm'"),
                              ("--method mi-svm --C 0", "--C: expected a number above 0 and at most 1e+15, found 0"),
                              ("--method l1-svm --C 1e26", "--C: expected a number above 0 and at most 1e+15, found 1e+26"),
                              ("--method mi-svm --C x", "--C: expected a number, found 'x'"),
                              ("--method mi-svm --kernel laplacian", "--method: mi-svm compares by linear, polynomial or"),
                              ("--method MI-svm --sigma-scale 1,2", "--method: MI-svm looks at one view, found 2")):
            self.refused(*fit, *options.split(), says=says)

    @unittest.skipIf(LIBSVM, "built with libsvm")
    def test_without_libsvm(self):
        for method in ("mi-svm", "MI-svm"):
            self.refused("fit", self.given / "bags.csv", "--model", "m.json", "--method", method,
                         says=f"--method: {method} needs libsvm, which this build lacks: install it (Debian: libsvm-dev)")
        self.fit(self.given / "bags.csv", "l1-svm", "--C", "10", "--quiet")


if __name__ == "__main__":
    unittest.main()
