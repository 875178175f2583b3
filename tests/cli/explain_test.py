#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What decided predictions: explain.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/explain_test.py
"""

import csv
import json
import unittest
import xml.etree.ElementTree as xml

from case import CliTest, three_classes


class Explain(CliTest):
    def explain(self, data, model, *more):
        return json.loads(self.good("explain", data, "--model", model, "--json", *more))

    def scores(self, data, model):
        self.good("predict", data, "--model", model, "--out", "p.csv")
        with open(self.dir / "p.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_contributions_add_up(self):
        self.good("fit", self.given / "bags.csv", "--model", "bags.json", "--head", "average", "--members", 10, "--quiet")
        for data, model in ((self.given / "test.tsv", self.given / "average.json"),
                            (self.given / "bags.csv", self.dir / "bags.json")):
            hypotheses = len(json.loads(model.read_text())["hypotheses"])
            for i, row in enumerate(self.scores(data, model)):
                told = self.explain(data, model, "--index", i + 1)
                self.assertEqual((told["example"], told["name"], told["predicted"], told["label"]),
                                 (i, row["example"], row["predicted"], row["label"]))
                (part,) = told["parts"]
                self.assertEqual(len(part["contributions"]), hypotheses)
                self.assertAlmostEqual(part["score"], float(row["score"]), delta=1e-9)
                self.assertAlmostEqual(part["b"] + sum(c["contribution"] for c in part["contributions"]),
                                       float(row["score"]), delta=1e-9)
                for c in part["contributions"]:
                    self.assertAlmostEqual(c["w"] * c["sign"] * c["response"], c["contribution"], delta=1e-15)

    def test_contributions_to_a_head_add_up(self):
        """w (response - centre) / scale with the numbers of the model file, for each pattern and kind of evidence."""
        self.write("train.tsv", three_classes(1))
        self.write("three.tsv", three_classes(2))
        self.good("fit", "train.tsv", "--model", "three.json", "--members", 10, "--evidence", "share,best", "--quiet")
        for data, file, kinds in ((self.given / "test.tsv", self.given / "series.json", ["best", "share", "place"]),
                                  (self.dir / "three.tsv", self.dir / "three.json", ["best", "share"])):
            model = json.loads(file.read_text())
            self.assertEqual(sorted(model["head"]["evidence"]), sorted(kinds))
            kinds = model["head"]["evidence"]
            names = ["score"] if len(model["classes"]) == 2 else [f"score_{name}" for name in model["classes"]]
            for i, row in enumerate(self.scores(data, file)):
                told = self.explain(data, file, "--index", i + 1)
                self.assertEqual((told["example"], told["name"], told["predicted"], told["label"]),
                                 (i, row["example"], row["predicted"], row["label"]))
                self.assertEqual(len(told["parts"]), len(names))
                for p, (part, own, name) in enumerate(zip(told["parts"], model["parts"], names)):
                    self.assertEqual((part["positive"], part["b"]), (own["positive"], own["b"]))
                    self.assertAlmostEqual(part["score"], float(row[name]), delta=1e-9)
                    others = part.get("others", {"contributions": 0, "sum": 0.0})
                    self.assertAlmostEqual(part["b"] + sum(c["contribution"] for c in part["contributions"]) + others["sum"],
                                           float(row[name]), delta=1e-9)
                    self.assertEqual(len(own["w"]), len(model["hypotheses"]) * len(kinds))
                    weighed = {k for k, w in enumerate(own["w"]) if w != 0.0}
                    found = [c["hypothesis"] * len(kinds) + kinds.index(c["evidence"]) for c in part["contributions"]]
                    if p == told["telling_part"]:
                        self.assertNotIn("others", part)
                        self.assertEqual(sorted(found), sorted(weighed))
                    else:  # the 100 largest; the rest is summed up
                        self.assertEqual("others" in part, len(weighed) > 100)
                        self.assertEqual(len(found), min(100, len(weighed)))
                        self.assertEqual(len(set(found) & weighed), len(found))
                        self.assertEqual(len(found) + others["contributions"], len(weighed))
                    sizes = [abs(c["contribution"]) for c in part["contributions"]]
                    self.assertEqual(sizes, sorted(sizes, reverse=True))
                    self.assertGreater(sizes[0], 0.0)
                    for c in part["contributions"]:
                        hypothesis, e = model["hypotheses"][c["hypothesis"]], kinds.index(c["evidence"])
                        self.assertEqual((c["w"], c["centre"], c["scale"]),
                                         (own["w"][c["hypothesis"] * len(kinds) + e], hypothesis["centre"][e],
                                          hypothesis["scale"][e]))
                        self.assertAlmostEqual(c["w"] * (c["response"] - c["centre"]) / c["scale"], c["contribution"],
                                               delta=1e-12)
                        if c["evidence"] != "best":
                            self.assertTrue(0.0 <= c["response"] <= 1.0)

    def test_places_and_provenance(self):
        for name in ("series.json", "average.json"):
            model = json.loads((self.given / name).read_text())
            (part,) = self.explain(self.given / "test.tsv", self.given / name, "--index", 2)["parts"]
            self.assertGreater(len(part["contributions"]), 0)
            for c in part["contributions"]:
                hypothesis = model["hypotheses"][c["hypothesis"]]
                view = model["views"][hypothesis["view"]]
                span = (view["length"] - 1) * view["dilation"] + 1 + (view["transform"] == "differences")
                self.assertEqual((c["span"], c["dilation"], c["channels"]), (span, view["dilation"], view.get("channels", [0])))
                self.assertTrue(0 <= c["position"] <= 40 - span)
                self.assertEqual([(z["alpha"], z["example"], z["position"]) for z in c["shapelet"]],
                                 [(z["alpha"], z["example"], z["position"]) for z in hypothesis["shapelet"]])

    def test_bags_have_a_score_for_every_instance(self):
        told = self.explain(self.given / "bags.csv", self.given / "bags.json", "--index", 2)
        self.good("predict", self.given / "bags.csv", "--model", self.given / "bags.json", "--instances",
                  "--out", "i.csv")
        with open(self.dir / "i.csv", newline="") as file:
            expected = [float(r["score"]) for r in csv.DictReader(file)][4:8]
        self.assertEqual([i["instance"] for i in told["instances"]], [0, 1, 2, 3])
        for found, score in zip(told["instances"], expected):
            self.assertAlmostEqual(found["scores"][0], score, delta=1e-9)
        self.assertEqual(max(range(4), key=expected.__getitem__), 2, "where the concept was planted")

    def test_several_classes_tell_every_part(self):
        self.write("three.tsv", three_classes(1))
        for more, says in ((("--head", "average"), "for c against b"), ((), "for c against the rest")):
            self.good("fit", "three.tsv", "--model", "m.json", "--members", 2, "--quiet", *more)
            told = self.explain("three.tsv", "m.json", "--index", 2)
            self.assertEqual(len(told["parts"]), 3)
            part = told["parts"][told["telling_part"]]
            self.assertIn(told["predicted"], (part["positive"], part["negative"]))
            if not more:
                self.assertEqual([p["negative"] for p in told["parts"]], [None] * 3)
                self.assertEqual(part["score"], max(p["score"] for p in told["parts"]))
            self.assertIn(says, self.good("explain", "three.tsv", "--model", "m.json", "--index", 3))

    def test_a_set_is_told_by_firings(self):
        for name in ("series.json", "average.json"):
            told = self.explain(self.given / "test.tsv", self.given / name)
            self.assertEqual((told["n"], told["classes"]), (16, ["a", "b"]))
            for h in told["hypotheses"]:
                self.assertEqual(sum(c["fired"] for c in h["by_class"]), h["fired"])
                self.assertEqual(sum(c["sought"] for c in h["by_class"]), h["sought"])
                if "places" in h:  # a spectrum has none
                    self.assertEqual(sum(h["places"]), h["fired"])
            first = told["hypotheses"][0]
            # The hump is in each of the eight series of b and in none of a; noise may look a little like it.
            of_a, of_b = (c["fired"] for c in first["by_class"])
            self.assertGreaterEqual(of_b, 7)
            self.assertLessEqual(of_a, 2)
            text = self.good("explain", self.given / "test.tsv", "--model", self.given / name, "--top", 1)
            self.assertIn("fires in", text)
            self.assertIn(f"{first['fired']} of 16", text)

    def test_figures(self):
        for data, model in (("test.tsv", "series.json"), ("test.tsv", "average.json"), ("bags.csv", "bags.json")):
            text = self.good("explain", self.given / data, "--model", self.given / model, "--index", 2, "--svg",
                             "a.svg", "--patterns", "b.svg")
            self.assertIn("predicted", text)
            for name in ("a.svg", "b.svg"):
                self.assertTrue(xml.parse(self.dir / name).getroot().tag.endswith("svg"))

    def test_refuses(self):
        data, model = self.given / "test.tsv", self.given / "series.json"
        given = ("explain", data, "--model", model)
        self.refused(*given, "--index", 0, says="--index: expected a number from 1, found '0'")
        self.refused(*given, "--index", 17, says="--index: expected 1 to 16, found '17'")
        self.refused(*given, "--top", "no", says="--top: expected a whole number, found 'no'")
        self.refused(*given, "--svg", "a.svg", says="--svg and --patterns draw one example: --index names it")
        self.refused(*given, "--index", 1, "--svg", model, says="--model and --svg are the same file")
        self.refused(*given, "--index", 1, "--svg", "a.svg", "--patterns", "./a.svg",
                     says="--svg and --patterns are the same file, ./a.svg")
        self.refused(*given, "--index", 1, "--patterns", "no/b.svg", says="no/b.svg")
        self.refused("explain", self.given / "bags.csv", "--model", model, "--index", 1,
                     says="the model is for series, the data are bags")


if __name__ == "__main__":
    unittest.main()
