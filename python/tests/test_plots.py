# SPDX-License-Identifier: MIT
"""Plots show what the model holds."""

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
    model = SeriesClassifier(members=1, transforms="none", dilation=1).fit(X, y)
    ax = shapeboost.plot_shapelets(model, X, top=3)
    curves = [line for line in ax.lines if line.get_linewidth() > 1.0]
    assert len(curves) == 3
    strengths = sorted(((h.weight * h.sign * z.alpha, h, z) for h in model.hypotheses_ for z in h.instances),
                       key=lambda one: -abs(one[0]))
    for curve, (strength, h, z) in zip(reversed(curves), strengths):
        at = np.arange(z.position, z.position + h.view["length"])
        assert np.array_equal(curve.get_xdata(), at)
        assert np.array_equal(curve.get_ydata(), X[z.example][at])
        red, _, blue, _ = curve.get_color()
        assert (red > blue) == (strength > 0)  # warm for the positive class


def test_patterns_of_differences_lie_on_their_series(series):
    X, y = series
    model = SeriesClassifier(members=1, transforms="differences", dilation=1).fit(X, y)
    ax = shapeboost.plot_shapelets(model, X, top=1)
    _, z = max(((h, z) for h in model.hypotheses_ for z in h.instances), key=lambda one: one[0].weight * abs(one[1].alpha))
    curve = max(ax.lines, key=lambda line: line.get_linewidth())
    assert curve.get_xdata()[0] == z.position
    assert curve.get_ydata()[0] == X[z.example][z.position]
    assert np.allclose(curve.get_ydata(), X[z.example][curve.get_xdata()])


def test_bags_and_several_classes(bags):
    ax = shapeboost.plot_shapelets(BagClassifier(members=1).fit(*bags), top=4)
    assert ax.get_xlabel() == "feature"
    model = SeriesClassifier(members=1, strategy="ovr").fit(*three_series())
    for part in range(3):
        shapeboost.plot_shapelets(model, part=part)
    with pytest.raises(ValueError, match="part: expected 0 to 2, found 3"):
        shapeboost.plot_shapelets(model, part=3)


def test_maximisers_lie_on_the_series(series):
    X, y = series
    model = SeriesClassifier(members=1).fit(X, y)
    ax = shapeboost.plot_explanation(model, X, 3, top=5)
    why = model.explain(X, 3)["parts"][0]["contributions"][:5]
    curves = [line for line in ax.lines if line.get_linewidth() > 1.0]
    assert len(curves) == len(why)
    for curve, one in zip(reversed(curves), why):
        assert curve.get_xdata()[0] == one["position"]
        assert np.array_equal(curve.get_ydata(), X[3][curve.get_xdata()])
        red, _, blue, _ = curve.get_color()
        assert (red > blue) == (one["contribution"] > 0)


def test_a_bag_shows_what_each_instance_adds(bags):
    X, y = bags
    model = BagClassifier(members=1).fit(X, y)
    ax = shapeboost.plot_explanation(model, X, 0)
    heights = [bar.get_height() for bar in ax.patches]
    part = model.explain(X, 0)["parts"][0]
    assert len(heights) == len(X[0])
    assert np.isclose(sum(heights), part["score"] - part["b"])


def test_history(series):
    model = SeriesClassifier(members=1).fit(*series)
    ax = shapeboost.plot_history(model)
    edge, gamma = (line.get_ydata() for line in ax.lines)
    assert gamma[-1] == model.history_["gamma"][-1] and edge[-1] == model.history_["edge"][-1]
    shapeboost.plot_history(SeriesClassifier(members=3, head="average").fit(*series))


def test_what_is_not_there(series):
    with pytest.raises(ValueError, match="not fitted"):
        shapeboost.plot_history(SeriesClassifier())
    with pytest.raises(AttributeError):
        shapeboost.plot_nothing  # noqa: B018
