# SPDX-License-Identifier: MIT
"""predict_proba. C++ tests check that its scores are out-of-fold and that its sigmoid is the best one."""

import json

import numpy as np
import pytest
from conftest import three_series
from sklearn.metrics import brier_score_loss, log_loss

from shapeboost import SeriesClassifier, load, planted_series

QUICK = {"members": 1, "refine": "no", "random_state": 1, "n_jobs": 1}


def test_probabilities_are_probabilities(series):
    X, y = series
    model = SeriesClassifier(**QUICK, probability=True).fit(X, y)
    p = model.predict_proba(X)
    assert p.shape == (len(X), 2) and np.allclose(p.sum(axis=1), 1.0) and (p > 0).all()
    order = np.argsort(model.decision_function(X))
    assert (np.diff(p[order, 1]) >= 0).all()
    assert np.allclose(np.exp(model.predict_log_proba(X)), p)
    plain = SeriesClassifier(**QUICK).fit(X, y)
    assert np.array_equal(plain.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("strategy", ["ovr", "ovo"])
def test_several_classes(strategy, tmp_path):
    X, y = three_series(45)
    model = SeriesClassifier(**QUICK, probability=True, strategy=strategy).fit(X, y)
    new, labels = three_series(60, seed=6)
    p = model.predict_proba(new)
    assert np.allclose(p.sum(axis=1), 1.0)
    assert log_loss(labels, p) < 0.8 * np.log(3)
    model.save(tmp_path / "m.json")
    assert np.array_equal(load(tmp_path / "m.json").predict_proba(new), p)


HEAD = {"members": 20, "random_state": 1, "n_jobs": 1}


@pytest.mark.parametrize("params, noise", [(QUICK, 0.8), (HEAD, 0.8)])
def test_they_are_calibrated(params, noise):
    """On noisy data, they beat both the predictions taken as certain and the class frequencies."""
    X, y = planted_series(100, length=60, noise=noise, random_state=1)
    new, labels = planted_series(300, length=60, noise=noise, random_state=2)
    model = SeriesClassifier(**params, probability=True).fit(X, y)
    truth = labels == "rest"
    p = model.predict_proba(new)[:, 1]
    assert 0.55 < model.score(new, labels) < 0.99  # otherwise this would test nothing
    assert brier_score_loss(truth, p) < brier_score_loss(truth, model.predict(new) == "rest")
    assert brier_score_loss(truth, p) < 0.25 and log_loss(truth, p) < np.log(2)


def test_the_file_says_how_scores_become_probabilities(series):
    X, y = series
    model = SeriesClassifier(**QUICK, probability=True).fit(X, y)
    found = json.loads(model.model_.to_json())["calibration"]
    assert found["folds"] == 5 and found["examples"] == len(X)
    g = model.decision_function(X)
    margins = np.array(json.loads(model.model_.to_json())["parts"][0]["margins"])
    s = g / np.abs(margins).mean()
    expected = 1.0 / (1.0 + np.exp(-(2 * found["slope"] * s + found["offsets"][1] - found["offsets"][0])))
    assert np.allclose(model.predict_proba(X)[:, 1], expected)


def test_a_head_of_several_classes():
    X, y = three_series(45)
    model = SeriesClassifier(**HEAD, probability=True).fit(X, y)
    new, labels = three_series(60, seed=6)
    p = model.predict_proba(new)
    assert np.allclose(p.sum(axis=1), 1.0)
    assert log_loss(labels, p) < 0.5 * np.log(3)


def test_sklearns_checks_with_probabilities(series):
    from sklearn.utils import estimator_checks

    estimator = SeriesClassifier(**QUICK, probability=True)
    for name in ("check_estimators_pickle", "check_fit_idempotent", "check_methods_sample_order_invariance",
                 "check_methods_subset_invariance", "check_dict_unchanged"):
        getattr(estimator_checks, name)("SeriesClassifier", estimator)
