# SPDX-License-Identifier: MIT
"""Plots draw what the model holds."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import three_series

import shapeboost
from shapeboost import BagClassifier, SeriesClassifier


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_patterns_lie_where_they_were_cut(series):
    X, y = series
    model = SeriesClassifier(members=1, differences=False, dilation=1).fit(X, y)
    ax = shapeboost.plot_shapelets(model, X, top=3)
    curves = [line for line in ax.lines if line.get_linewidth() > 1.0]
    assert len(curves) == min(3, len(model.hypotheses_))
    best = model.hypotheses_[0]
    heaviest = max(curves, key=lambda line: line.get_linewidth())
    at = np.arange(best.main.position, best.main.position + best.view["length"])
    assert np.array_equal(heaviest.get_xdata(), at)
    assert np.array_equal(heaviest.get_ydata(), X[best.main.example][at])
    red, _, blue = heaviest.get_color()
    assert (red > blue) == (best.sign * best.main.alpha > 0)  # warm for the positive class


def test_patterns_of_differences_lie_on_their_series(series):
    X, y = series
    model = SeriesClassifier(members=1, differences=True, dilation=2).fit(X, y)
    ax = shapeboost.plot_shapelets(model, X, top=1)
    best = model.hypotheses_[0]
    curve = max(ax.lines, key=lambda line: line.get_linewidth())
    assert curve.get_xdata()[0] == best.main.position
    assert curve.get_ydata()[0] == X[best.main.example][best.main.position]


def test_bags_and_several_classes(bags):
    ax = shapeboost.plot_shapelets(BagClassifier(members=1).fit(*bags), top=4)
    assert ax.get_xlabel() == "feature"
    model = SeriesClassifier(members=1, strategy="ovr").fit(*three_series())
    for part in range(3):
        shapeboost.plot_shapelets(model, part=part)
    with pytest.raises(ValueError, match="part: expected 0 to 2, found 3"):
        shapeboost.plot_shapelets(model, part=3)


def test_history(series):
    model = SeriesClassifier(members=1).fit(*series)
    ax = shapeboost.plot_history(model)
    edge, gamma = (line.get_ydata() for line in ax.lines)
    assert gamma[-1] == model.history_["gamma"][-1] and edge[-1] == model.history_["edge"][-1]
    shapeboost.plot_history(SeriesClassifier(members=3).fit(*series))


def test_what_is_not_there(series):
    with pytest.raises(ValueError, match="not fitted"):
        shapeboost.plot_history(SeriesClassifier())
    with pytest.raises(AttributeError):
        shapeboost.plot_nothing  # noqa: B018
