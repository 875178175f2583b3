# SPDX-License-Identifier: MIT
"""Explanations add up, and agree with the command line's."""

import json

import pytest
from conftest import run_cli, three_series

from shapeboost import BagClassifier, SeriesClassifier


def test_contributions_add_up_to_the_score(series, bags):
    for model, (X, y) in ((SeriesClassifier(members=3), series), (BagClassifier(members=3), bags)):
        g = model.fit(X, y).decision_function(X)
        for i in range(len(X)):
            (part,) = model.explain(X, i)["parts"]
            total = part["b"] + sum(one["contribution"] for one in part["contributions"] + part.get("intervals", []))
            assert abs(part["score"] - total) < 1e-9
            assert abs(part["score"] - g[i]) < 1e-9


def test_several_classes_name_the_part_that_tells():
    X, y = three_series()
    model = SeriesClassifier(members=1).fit(X, y)
    explained = model.explain(X, 0)
    assert explained["predicted"] == str(model.predict(X[:1])[0])
    part = explained["parts"][explained["telling_part"]]
    assert explained["predicted"] in (part["positive"], part["negative"])


def test_explaining_a_set_counts_how_often_each_hypothesis_fires(series):
    X, y = series
    model = SeriesClassifier(members=1).fit(X, y)
    explained = model.explain(X)
    assert len(explained["hypotheses"]) == len(model.hypotheses_)
    for one in explained["hypotheses"]:
        assert 0 <= one["fired"] <= one["sought"] <= len(X)


def test_the_same_as_the_command_line(series, tmp_path):
    X, y = series
    model = SeriesClassifier(members=1).fit(X, y)
    model.save(tmp_path / "model.json")
    lines = ["\t".join([str(label), *map(repr, map(float, row))]) for label, row in zip(y, X)]
    (tmp_path / "data.tsv").write_text("\n".join(lines) + "\n")
    other = json.loads(run_cli("explain", tmp_path / "data.tsv", "--model", tmp_path / "model.json", "--index", "3",
                               "--json"))
    assert other["parts"] == model.explain(X, 2)["parts"]


def test_says_what_is_wrong(series):
    X, y = series
    with pytest.raises(ValueError, match="not fitted"):
        SeriesClassifier().explain(X, 0)
    model = SeriesClassifier(members=1).fit(X, y)
    with pytest.raises(ValueError, match="example"):
        model.explain(X, len(X))
