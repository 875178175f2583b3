# SPDX-License-Identifier: MIT
"""Plots show what the model holds."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from conftest import three_series

import shapeboost
from shapeboost import BagClassifier, SeriesClassifier
from shapeboost.plots import _evidence


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
    assert len(heights) == len(X[0]) and ax.get_ylabel() == "for active  ←  contribution  →  for inactive"
    assert np.isclose(sum(heights), part["score"] - part["b"])


def test_instances_of_many_features_lie_in_lanes():
    rng = np.random.default_rng(1)
    y = np.arange(20) % 2
    X = [rng.normal(size=(3, 60)) + 2 * label for label in y]
    model = BagClassifier(members=5, random_state=1).fit(X, y)
    ax = shapeboost.plot_shapelets(model, top=4)
    lanes = ax.get_yticks()
    curves = [line.get_ydata() for line in ax.lines if line.get_marker() == "o"]
    assert len(lanes) == len(curves) == 4
    for height, above, curve in zip(lanes, [*lanes[1:], np.inf], curves):
        assert np.nanmax(curve) < above + abs(np.nanmin(curves[0])) and np.nanmin(np.abs(curve - height)) < 3
    for one, curve in zip(curves, curves[1:]):
        assert np.nanmin(curve) > np.nanmin(one)


@pytest.mark.parametrize("given", [True, False])
def test_instances_are_drawn_at_the_features_they_have(bags, given):
    X, y = bags
    names = [f"property {k}" for k in range(8)]
    rows = pd.DataFrame(np.concatenate(X), columns=names).assign(bag=np.repeat(np.arange(len(X)), [len(bag) for bag in X]))
    model = BagClassifier(members=20, random_state=1)
    model = model.fit(rows, y, bags="bag") if given else model.fit(X, y)
    ax = shapeboost.plot_shapelets(model, top=8)
    curves = [line for line in ax.lines if line.get_marker() == "o"]
    assert len(curves) == 8
    cut = 0
    for curve in curves:
        at, values = np.arange(8), np.asarray(curve.get_ydata())
        at, values = at[~np.isnan(values)], values[~np.isnan(values)]
        cut += len(at) < 8
        assert any(np.allclose(x[at], values) for bag in X for x in bag)
    assert cut > 0  # views look at some of the features, which is what went wrong
    assert [tick.get_text() for tick in ax.get_xticklabels()] == (names if given else [*"12345678"])
    heights = [bar.get_height() for bar in shapeboost.plot_explanation(model, rows, 0, bags="bag").patches] if given else None
    if given:
        alone = BagClassifier(members=20, random_state=1).fit(X, y)
        assert heights == [bar.get_height() for bar in shapeboost.plot_explanation(alone, X, 0).patches]


def two_channels(series):
    X, y = series
    return np.stack([np.random.default_rng(1).normal(size=X.shape), X], axis=1), y


def test_the_curve_of_evidence_is_that_of_all_contributions(series):
    X, y = two_channels(series)
    model = SeriesClassifier(members=4, patterns=60, random_state=1).fit(X, y)
    added = [{(one["hypothesis"], one["evidence"]): one for one in model.explain(X, i)["parts"][0]["contributions"]}
             for i in range(len(X))]
    expected = np.zeros((2, X.shape[2]))
    for key, one in added[3].items():
        value = one["contribution"] - np.mean([each[key]["contribution"] for each in added])
        steps = slice(None) if one["transform"] == "spectrum" else slice(one["position"], one["position"] + one["span"])
        for channel in one["channels"]:
            expected[channel, steps] += value / expected[0, steps].size / len(one["channels"])
    np.testing.assert_allclose(_evidence(model, X, 3, 0), expected, atol=1e-12)
    ax = shapeboost.plot_explanation(model, X, 3, curve=True)
    assert len(ax.collections) == 2 and f"+ {len(model.hypotheses_)} contributions" in ax.get_title()  # a line of many colours for each channel
    segments = ax.collections[1].get_segments()
    assert np.allclose([piece[0] for piece in segments], np.stack([np.arange(59), X[3, 1, :-1]], axis=1))  # the lowest lane
    strongest = np.argmax(np.abs(expected[1, :-1] + expected[1, 1:]))
    red, _, blue, _ = ax.collections[1].get_colors()[strongest]
    assert (red > blue) == (expected[1, strongest] > 0)


def test_channels_lie_above_each_other_with_their_names(series):
    X, y = two_channels(series)
    frame = pd.DataFrame([[pd.Series(channel) for channel in one] for one in X], columns=["left hand", "right hand"])
    model = SeriesClassifier(members=1, random_state=1).fit(frame, y)
    for ax in (shapeboost.plot_shapelets(model, frame), shapeboost.plot_explanation(model, frame, 2),
               shapeboost.plot_explanation(model, frame, 2, curve=True)):
        assert [tick.get_text() for tick in ax.get_yticklabels()] == ["left hand", "right hand"]
        upper, lower = ax.get_yticks()
        assert upper > lower == 0
    unnamed = shapeboost.plot_shapelets(SeriesClassifier(members=1, random_state=1).fit(X, y), X)
    assert [tick.get_text() for tick in unnamed.get_yticklabels()] == ["channel 1", "channel 2"]


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
