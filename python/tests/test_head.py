# SPDX-License-Identifier: MIT
"""Models with a head: one ridge regression over the evidence of all patterns, against scikit-learn's."""

import copy
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import three_series
from scipy.optimize import minimize, minimize_scalar
from scipy.special import logsumexp, softmax
from sklearn.linear_model import Ridge

import shapeboost
from shapeboost import BagClassifier, SeriesClassifier, planted_series

SMALL = {"members": 6, "random_state": 1, "patterns": 60, "n_jobs": 1}


@pytest.fixture(scope="module")
def two(series):
    return SeriesClassifier(**SMALL).fit(*series)


@pytest.fixture(scope="module")
def three():
    return SeriesClassifier(**SMALL).fit(*three_series())


def standardised(model, X):
    return (model.transform(X) - model.head_.centre) / model.head_.scale


def columns_of(model, X):
    """What the regression saw of the training data: patterns say nothing of the examples that they were cut from, and
    columns that do not vary say nothing at all."""
    kinds = len(model.head_.evidence)
    columns = standardised(model, X)
    for j, h in enumerate(model.hypotheses_):
        own = [z.example for z in h.instances if z.example >= 0]
        columns[own, j * kinds:(j + 1) * kinds] = 0.0
    columns[:, (columns * model.head_.scale).std(axis=0) < 1e-6] = 0.0
    return (columns * model.head_.factor).astype(np.float32).astype(float)


def targets_of(model, y):
    classes = model.classes_[model._places()]
    return np.stack([np.where(y == classes[part["positive"]], 1.0, -1.0) for part in model.model_.parts()], axis=1)


def left_out(model, X, y):
    """What the regression of the others says of each example."""
    columns, targets = columns_of(model, X), targets_of(model, y)
    ridge = Ridge(alpha=model.head_.alpha, solver="svd")
    return np.array([ridge.fit(np.delete(columns, i, 0), np.delete(targets, i, 0)).predict(columns[i:i + 1])[0]
                     for i in range(len(X))])


def mixing_of(scores, y):
    """A and c of the multinomial logistic regression, by scipy: the class is expected to be that of softmax(A'g + c)."""
    classes, pull, pull_offset = scores.shape[1], 10.0, 1.0

    def surprise(z):
        return (logsumexp(z, axis=1) - z[np.arange(len(y)), y]).sum()

    s = minimize_scalar(lambda s: surprise(s * scores), bounds=(0.0, 10.0), method="bounded",
                        options={"xatol": 1e-9}).x

    def loss(x):
        A, c = x[:-classes].reshape(classes, classes), x[-classes:]
        z = scores @ A + c
        error = softmax(z, axis=1)
        error[np.arange(len(y)), y] -= 1.0
        apart = A - s * np.eye(classes)
        slope = np.concatenate([(scores.T @ error + 2 * pull * apart).ravel(), error.sum(axis=0) + 2 * pull_offset * c])
        return surprise(z) + pull * (apart**2).sum() + pull_offset * (c**2).sum(), slope

    found = minimize(loss, np.zeros(classes * classes + classes), jac=True, method="BFGS", options={"gtol": 1e-8}).x
    return found[:-classes].reshape(classes, classes), found[-classes:]


def bands(n=60, seed=1):
    """Smooth curves, as of spectrographs, a little higher in one band for one class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    waves = np.array([np.sin(k * (np.arange(128) * 2 * np.pi / 128 + 1)) for k in range(1, 7)])
    X = 0.3 * rng.normal(size=(n, 6)) @ waves + 0.1 * rng.normal(size=(n, 128))
    X[:, 64:80] += 0.5 * y[:, None]
    return X, y


def test_intervals_are_weighed_beside_the_patterns_where_that_pays(series):
    X, y = bands()
    settings = {"members": 8, "random_state": 1, "n_jobs": 1}
    model = SeriesClassifier(**settings).fit(X, y)
    patterns = len(model.hypotheses_) * len(model.head_.evidence)
    assert model.transform(X).shape[1] == patterns + len(model.head_.intervals) == len(model.get_feature_names_out())
    assert model.get_feature_names_out()[-1] == f"seriesclassifier_interval{len(model.head_.intervals) - 1}"
    assert model.head_.intervals[0] == ("none", 0, "level", 0.0, 1.0)
    # The regression is one over patterns and intervals: scikit-learn's on the same columns.
    theirs = Ridge(alpha=model.head_.alpha, solver="svd").fit(columns_of(model, X), targets_of(model, y))
    np.testing.assert_allclose(model.head_.weights[0], np.ravel(theirs.coef_) * model.head_.factor, atol=1e-4)
    np.testing.assert_allclose(model.head_.intercept, theirs.intercept_, atol=1e-4)
    new, truth = bands(100, 2)
    scores = standardised(model, new) @ model.head_.weights.T + model.head_.intercept
    np.testing.assert_allclose(scores[:, 0], model.decision_function(new), atol=1e-9)
    told = model.explain(new, 0)["parts"][0]
    added = sum(one["contribution"] for one in told["contributions"]) + sum(one["contribution"] for one in told["intervals"])
    assert told["b"] + added == pytest.approx(model.decision_function(new)[0], abs=1e-9)
    plain = SeriesClassifier(**settings, intervals=False).fit(X, y)
    assert plain.head_.intervals == () and plain.head_.left_out_error > model.head_.left_out_error
    assert model.score(new, truth) >= plain.score(new, truth)
    assert SeriesClassifier(**SMALL).fit(X, y).head_.intervals == ()  # a number of patterns is all that was asked for


@pytest.mark.parametrize("more", [{}, {"evidence": "best"}, {"evidence": ["share", "place"]}, {"refine": "yes"},
                                  {"kernel": "dtw", "lengths": 0.2, "head": "ridge"}, {"random_state": 5}])
@pytest.mark.parametrize("load", [lambda: planted_series(24, length=60), three_series])
def test_the_weights_are_those_of_ridge(load, more):
    X, y = load()
    model = SeriesClassifier(**{**SMALL, **more}).fit(X, y)
    columns, targets = columns_of(model, X), targets_of(model, y)
    theirs = Ridge(alpha=model.head_.alpha, solver="svd").fit(columns, targets)
    own = np.atleast_2d(theirs.coef_) * model.head_.factor
    mixing, offset = mixing_of(left_out(model, X, y), y) if len(model.classes_) > 2 else (np.eye(1), np.zeros(1))
    np.testing.assert_allclose(model.head_.weights, mixing.T @ own, atol=3e-4)
    np.testing.assert_allclose(model.head_.intercept, mixing.T @ np.atleast_1d(theirs.intercept_) + offset, atol=3e-3)
    if model.head_.mixing.size:
        np.testing.assert_allclose(model.head_.mixing, mixing, atol=3e-3)
        np.testing.assert_allclose(model.head_.weights, model.head_.mixing.T @ own, atol=1e-4)  # evidence is weighed in 16 bits a number
    else:
        np.testing.assert_allclose(model.head_.weights, own, atol=3e-5)
        np.testing.assert_allclose(model.head_.intercept, theirs.intercept_, atol=1e-5)
    new = X + np.random.default_rng(1).normal(0.0, 0.3, X.shape)
    scores = standardised(model, new) @ model.head_.weights.T + model.head_.intercept
    np.testing.assert_allclose(model.decision_function(new).reshape(len(new), -1), scores, atol=1e-3)
    assert 0.0 <= model.head_.residual < 1e-6


def test_what_is_left_out_is_left_out(three):
    X, y = three_series()
    scores = left_out(three, X, y)
    assert three.head_.left_out_error == pytest.approx(np.square(targets_of(three, y) - scores).mean(), rel=1e-4)
    right = 0
    for fold in range(5):
        own = np.arange(len(X)) % 5 == fold
        A, c = mixing_of(scores[~own], y[~own])
        right += np.sum((scores[own] @ A + c).argmax(axis=1) == y[own])
    assert three.head_.left_out_accuracy == pytest.approx(right / len(X))


def test_scores_are_weighted_evidence(two, three, series):
    for model, X in ((two, series[0]), (three, three_series()[0])):
        scores = standardised(model, X) @ model.head_.weights.T + model.head_.intercept
        assert np.allclose(scores, model.decision_function(X).reshape(len(X), -1), atol=1e-9)


def test_columns_have_names(two, series):
    columns = two.transform(series[0])
    names = two.get_feature_names_out()
    assert columns.shape == (len(series[0]), 3 * len(two.hypotheses_)) == (len(series[0]), len(names))
    assert names[:4].tolist() == ["seriesclassifier0_best", "seriesclassifier0_share", "seriesclassifier0_place",
                                  "seriesclassifier1_best"]
    assert (columns >= 0).all() and (columns <= 1).all()  # similarities, shares and places


def test_places_are_where_the_best_match_lies(two, series):
    X, _ = series
    places = two.transform(X[:1])[0, 2::3]
    for one in two.explain(X, 0)["parts"][0]["contributions"]:
        if one["transform"] == "spectrum":
            assert places[one["hypothesis"]] == 0.0
            continue
        middle = (one["position"] + one["span"] / 2) / X.shape[1]
        assert places[one["hypothesis"]] == pytest.approx(middle, abs=1e-6)


def test_hypotheses_tell_their_weights(two, three):
    for model in (two, three):
        head = model.head_
        kinds = head.evidence
        assert kinds == ("best", "share", "place")
        for j, h in enumerate(model.hypotheses_):
            assert h.threshold is not None and set(h.centre) == set(h.scale) == set(kinds)
            assert h.weight == pytest.approx(np.abs(head.weights[:, 3 * j:3 * j + 3]).sum())
            assert [abs(use.weight) for use in h.uses] == sorted((abs(use.weight) for use in h.uses), reverse=True)
            for use in h.uses:
                k = kinds.index(use.evidence)
                assert use.weight == head.weights[use.part, 3 * j + k]
                assert h.scale[use.evidence] == head.scale[3 * j + k] > 0
                part = model.model_.parts()[use.part]
                side = part["positive"] if use.weight > 0 else part["negative"]
                assert use.speaks_for == (None if side is None else model.classes_[model._places()][side])
        weights = [h.weight for h in model.hypotheses_]
        assert weights == sorted(weights, reverse=True)
        assert all(h.speaks_for in (*model.classes_, None) for h in model.hypotheses_)
    assert {h.claim for h in two.hypotheses_} == {"present", "absent"}
    for h in two.hypotheses_:
        found = sum(use.weight for use in h.uses if use.evidence != "place")
        assert h.claim == ("present" if found > 0 else "absent")
        assert h.speaks_for == two.classes_[two._places()][int(found > 0)]


def test_places_speak_where_nothing_else_does(series):
    X, y = series
    model = SeriesClassifier(**SMALL, evidence="place").fit(X, y)
    assert {h.claim for h in model.hypotheses_ if h.uses} == {"later", "earlier"}
    later = model.classes_[model._places()][1]
    for h in model.hypotheses_:
        if h.uses:
            assert (h.claim == "later") == (h.uses[0].weight > 0) == (h.speaks_for == later)
    shapeboost.plot_shapelets(model)
    plt.close("all")


def test_patterns_are_cut_from_the_data(two, series):
    """To four digits, so that files stay small."""
    X, _ = series
    plain = [h for h in two.hypotheses_ if h.view["transform"] == "none"]
    assert plain
    for h in plain:
        z = h.main
        span = slice(z.position, z.position + (h.view["length"] - 1) * h.view["dilation"] + 1, h.view["dilation"])
        assert np.allclose(z.values, X[z.example][span], atol=1e-4 * X[z.example][span].std())


def test_settings(series):
    model = SeriesClassifier(**{**SMALL, "patterns": 10}, evidence=["best", "share"]).fit(*series)
    assert len(model.hypotheses_) <= 10 and model.head_.evidence == ("best", "share")
    assert "--patterns 10" in model.model_.settings and "--evidence best,share" in model.model_.settings
    for wrong, says in (({"head": "mean"}, "head: expected"), ({"evidence": "colour"}, "evidence: expected"),
                        ({"patterns": -1}, "patterns: expected"), ({"patterns": 1.5}, "patterns: expected")):
        with pytest.raises(ValueError, match=says):
            SeriesClassifier(members=2, **wrong).fit(*series)


@pytest.mark.parametrize("params", [{"members": 1}, {"members": 3, "head": "average"}])
def test_models_without_a_head(series, params):
    model = SeriesClassifier(**params).fit(*series)
    assert model.head_ is None and model.rho_ > 0
    assert sum(h.weight for h in model.hypotheses_) == pytest.approx(1.0)
    assert {use.evidence for h in model.hypotheses_ for use in h.uses} == {"best"}
    assert model.hypotheses_[0].threshold is None and model.hypotheses_[0].scale == {}
    assert model.transform(series[0]).shape[1] == len(model.hypotheses_) == len(model.get_feature_names_out())


def test_files_keep_the_head(two, series, tmp_path):
    two.save(tmp_path / "m.json")
    for again in (shapeboost.load(tmp_path / "m.json"), pickle.loads(pickle.dumps(two))):
        assert again.patterns == 60
        assert np.array_equal(again.head_.weights, two.head_.weights)
        assert (again.head_.alpha, again.head_.left_out_accuracy) == (two.head_.alpha, two.head_.left_out_accuracy)
        assert np.array_equal(again.decision_function(series[0]), two.decision_function(series[0]))


def test_a_head_for_bags(bags):
    X, y = bags
    model = BagClassifier(**SMALL, head="ridge").fit(X, y)
    assert model.head_.left_out_accuracy > 0.7 and model.score(X, y) > 0.9
    assert model.transform(X).shape == (len(X), len(model.get_feature_names_out()))


def test_explanations_add_up(three):
    X, _ = three_series()
    scores = three.decision_function(X)
    for i in (0, 1, 2):
        for p, part in enumerate(three.explain(X, i)["parts"]):
            total = part["b"] + sum(one["contribution"] for one in part["contributions"])
            total += part.get("others", {"sum": 0.0})["sum"]
            assert abs(total - scores[i, p]) < 1e-9
            for one in part["contributions"]:
                if "evidence" in one:
                    assert one["evidence"] in three.head_.evidence
    assert len(three.explain(X)["hypotheses"]) == len(three.hypotheses_)


def test_examples_without_a_window(two, series):
    """Patterns that no window of an example can match add nothing, and are not drawn."""
    X, _ = series
    two = copy.deepcopy(two).set_params(unequal=True)
    short = [X[0][:8], X[1]]
    assert 0 < (two.transform(short)[0] == 0).sum() < len(two.get_feature_names_out())
    g = two.decision_function(short)
    (part,) = two.explain(short, 0)["parts"]
    assert part["b"] + sum(one["contribution"] for one in part["contributions"]) == pytest.approx(g[0], abs=1e-9)
    shapeboost.plot_explanation(two, short, 0)
    plt.close("all")


def test_plots(two, three, series):
    X, _ = series
    ax = shapeboost.plot_shapelets(two, X, top=5)
    assert len([line for line in ax.lines if line.get_linewidth() > 1.0]) == 5
    for part in range(3):
        shapeboost.plot_shapelets(three, part=part)
    ax = shapeboost.plot_explanation(two, X, 0, top=4)
    patterns = {one["hypothesis"] for one in two.explain(X, 0)["parts"][0]["contributions"]}
    assert f"{len(patterns)} contributions" in ax.get_title()
    with pytest.raises(ValueError, match="no record of boosting"):
        shapeboost.plot_history(two)
    plt.close("all")
    assert two.rho_ is None and len(two.history_["gamma"]) == 0
