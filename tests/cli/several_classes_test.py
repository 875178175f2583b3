#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the commands do and print where there are more than two classes.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/several_classes_test.py
"""

import csv
import json
import shutil
import unittest

from case import CliTest, run, three_classes, with_digest


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
        for head, strategy, parts in (("average", "ovo", [("b", "a"), ("c", "a"), ("c", "b")]),
                                      ("auto", "ovr", [("a", None), ("b", None), ("c", None)])):
            out = self.good("fit", self.given / "three.tsv", "--model", "m.json", "--members", "2", "--views", "random:2",
                            "--head", head)
            self.assertIn("\nclasses     a (8), b (8), c (8)\n", out)
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual([(p["positive"], p["negative"]) for p in model["parts"]], parts)
            self.assertEqual((model["strategy"], "head" in model), (strategy, head == "auto"))

    def test_a_head_tells_three_classes(self):
        self.good("fit", self.given / "three.tsv", "--model", "head.json", "--quiet")
        self.assertIn("head", json.loads((self.dir / "head.json").read_text()))
        rows = list(csv.DictReader(self.good("predict", "test.tsv", "--model", "head.json").splitlines()))
        for row in rows:
            self.assertEqual(row["predicted"], max("abc", key=lambda k: float(row[f"score_{k}"])))
        self.assertGreaterEqual(sum(row["predicted"] == row["label"] for row in rows), 54)

    def test_the_model_does_not_depend_on_threads_or_memory(self):
        for kind in (("--strategy", "ovo"), ("--head", "ridge")):
            models = set()
            for more in (("--threads", "1"), ("--threads", "2"), ("--threads", "2", "--memory", "2M")):
                self.good("fit", self.given / "three.tsv", "--model", "m.json", "--quiet", "--members", "2",
                          "--views", "random:2", *kind, *more)
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

    def test_probabilities(self):
        self.write("train.tsv", three_classes(1))
        for command, members in (("fit", 1), ("tune", 1), ("fit", 5), ("tune", 5)):
            more = ("--grid", "nu=0.1,0.3", "--folds", 2) if command == "tune" else ()
            self.good(command, "train.tsv", "--model", "p.json", "--probability", "--members", members, "--quiet", *more)
            self.good(command, "train.tsv", "--model", "plain.json", "--members", members, "--quiet", *more)
            self.assertEqual("head" in json.loads((self.dir / "p.json").read_text()), members > 1)
            lines = self.good("predict", "train.tsv", "--model", "p.json").splitlines()
            self.assertEqual(lines[0], "example,predicted,score_a,score_b,score_c,probability_a,probability_b,"
                                       "probability_c,label")
            plain = self.good("predict", "train.tsv", "--model", "plain.json").splitlines()
            for line, other in zip(lines[1:], plain[1:]):
                cells = line.split(",")
                self.assertEqual(cells[:5] + cells[8:], other.split(","))
                self.assertAlmostEqual(sum(map(float, cells[5:8])), 1.0)
            one = json.loads(self.good("predict", "train.tsv", "--model", "p.json", "--json"))["predictions"][0]
            self.assertEqual([repr(p) for p in one["probabilities"]], lines[1].split(",")[5:8])
            self.assertIn("--probability", json.loads((self.dir / "p.json").read_text())["training"]["settings"])


if __name__ == "__main__":
    unittest.main()
