# SPDX-License-Identifier: MIT
"""scikit-learn's conventions beyond its own checks: randomness, threads, weights, containers, metadata."""

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from conftest import three_series
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_html_repr
from test_head import columns_of, targets_of

from shapeboost import BagClassifier, SeriesClassifier, planted_bags, planted_series
from shapeboost.parameters import setting_of, threads_of


def scores(model, data, **fitting):
    return model.fit(*data, **fitting).decision_function(data[0])


def test_no_random_state_is_fresh_randomness_from_numpys_global_state(series):
    assert SeriesClassifier().random_state is None and BagClassifier().random_state is None
    model = SeriesClassifier(members=2)
    np.random.seed(7)
    first, second = scores(model, series), scores(model, series)
    np.random.seed(7)
    assert np.array_equal(scores(model, series), first)
    assert not np.array_equal(second, first)
    model.set_params(random_state=7)
    assert np.array_equal(scores(model, series), scores(model, series))


def test_a_journal_wants_a_seed(series, tmp_path):
    with pytest.raises(ValueError, match="journal: random_state=None draws another seed in every run"):
        SeriesClassifier(members=1, tune=True, journal=tmp_path / "j").fit(*series)


def test_threads_are_those_of_joblib():
    assert threads_of(None) == 1 and threads_of(3) == 3
    with joblib.parallel_config("threading", n_jobs=2):
        assert threads_of(None) == 2
    assert threads_of(-1) in ("auto", 1)
    assert threads_of(-2) == max(1, joblib.cpu_count() - 1)
    for wrong in (0, "2", True, 1.5):
        with pytest.raises(ValueError, match="n_jobs: expected a whole number"):
            threads_of(wrong)


# Weights -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: SeriesClassifier(members=1, random_state=1),
                                  lambda: SeriesClassifier(members=4, random_state=1)])
def test_weights_are_copies(series, make):
    X, y = series
    weight = np.arange(len(X)) % 4
    copies = np.random.default_rng(1).permutation(np.repeat(np.arange(len(X)), weight))
    weighted = make().fit(X, y, sample_weight=pd.Series(weight)).decision_function(X)
    assert np.array_equal(weighted, make().fit(X[copies], y[copies]).decision_function(X))
    assert np.array_equal(weighted, make().fit(X, y, sample_weight=10.0 * weight).decision_function(X))
    assert not np.array_equal(weighted, make().fit(X, y).decision_function(X))


@pytest.mark.parametrize("load", [lambda: planted_series(24, length=60), three_series])
def test_the_heads_normal_equations_have_them(load):
    X, y = load()
    y = np.where(np.arange(len(y)) % 4 == 0, y[::-1], y)  # labels that no regression can follow
    weight = np.random.default_rng(2).uniform(0.2, 3.0, len(X))
    model = SeriesClassifier(members=6, patterns=5, evidence=["best", "share"], random_state=1).fit(X, y, sample_weight=weight)
    theirs = Ridge(alpha=model.head_.alpha, solver="svd").fit(columns_of(model, X), targets_of(model, y),
                                                              sample_weight=weight / weight.mean())
    own = np.atleast_2d(theirs.coef_) * model.head_.factor
    mixing = model.head_.mixing if model.head_.mixing.size else np.eye(1)
    np.testing.assert_allclose(model.head_.weights, mixing.T @ own, atol=1e-4)  # evidence is weighed in 16 bits a number
    if not model.head_.mixing.size:
        np.testing.assert_allclose(model.head_.intercept, theirs.intercept_, atol=1e-5)
    plain = Ridge(alpha=model.head_.alpha, solver="svd").fit(columns_of(model, X), targets_of(model, y))
    assert np.abs(plain.coef_ - theirs.coef_).max() > 1e-3  # so that the test can tell


def test_weights_of_bags_may_be_given_for_each_instance(bags):
    X, y = bags
    sizes = [len(bag) for bag in X]
    ids, rows = np.repeat(np.arange(len(X)), sizes), np.concatenate(X)
    weight = 1.0 + np.arange(len(X)) % 3
    model = BagClassifier(members=3, random_state=1)
    expected = scores(model, bags, sample_weight=weight)
    for given in (weight, np.repeat(weight, sizes)):
        model.fit(rows, y, bags=ids, sample_weight=given)
        assert np.array_equal(model.decision_function(rows, bags=ids), expected)
    assert model.score(rows, y, bags=ids, sample_weight=np.repeat(weight, sizes)) == model.score(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match="bag 0 has instances of weights 1.0 and 2.0: expected one for each bag"):
        model.fit(rows, y, bags=ids, sample_weight=1.0 + (np.arange(len(rows)) == 0))


@pytest.mark.parametrize("weight, says", [
    (np.ones(3), r"sample_weight has shape \(3,\): expected one number for each example, shape \(24,\)"),
    (["much"] * 24, "sample_weight: expected a number for each example"),
    (np.ones(24) * 1j, "sample_weight: expected a number for each example"),
    (-np.ones(24), "sample_weight: expected finite numbers of 0 or more, found -1"),
    (np.full(24, np.inf), "sample_weight: expected finite numbers"),
    (np.zeros(24), "sample_weight: all are zero"),
])
def test_errors_of_weights(series, weight, says):
    with pytest.raises(ValueError, match=says):
        SeriesClassifier(members=1).fit(*series, sample_weight=weight)


# Rows without bags ---------------------------------------------------------------------------------------------


def test_rows_are_refused_unless_something_says_what_they_are(bags):
    X, y = bags
    rows, ids = np.concatenate(X), np.repeat(np.arange(len(X)), [len(bag) for bag in X])
    model = BagClassifier(members=1, random_state=1).fit(rows, y, bags=ids)
    for ask in (model.predict, model.decision_function, model.transform, model.explain, model.predict_instances, model.report):
        for ambiguous in (rows, rows.tolist(), pd.DataFrame(rows)):
            with pytest.raises(ValueError, match="rows alone do not say which bags they are of: give bags=.*rows='bags'"):
                ask(ambiguous)
        assert ask(rows, bags=ids) is not None
    with pytest.raises(ValueError, match="do not say which bags"):
        model.fit(rows, np.arange(len(rows)) % 2)
    alone = clone(model).set_params(rows="bags").fit(rows, np.arange(len(rows)) % 2)
    assert len(alone.predict(rows)) == len(rows)
    with pytest.raises(ValueError, match="rows: expected refuse or bags, found 'instances'"):
        clone(model).set_params(rows="instances").fit(X, y)


# Containers, routing, representation ---------------------------------------------------------------------------


def test_columns_are_named_in_data_frames(series):
    X, y = series
    model = SeriesClassifier(members=3, patterns=20, random_state=1).fit(X, y)
    plain = model.transform(X)
    frame = model.set_output(transform="pandas").transform(pd.DataFrame(X, index=range(100, 100 + len(X))))
    assert isinstance(frame, pd.DataFrame) and [*frame.columns] == model.get_feature_names_out().tolist()
    assert frame.index[0] == 100 and np.array_equal(frame.to_numpy(), plain)
    assert isinstance(clone(model).fit_transform(X, y), pd.DataFrame)
    frame = model.set_output(transform="polars").transform(X)
    assert isinstance(frame, pl.DataFrame) and np.array_equal(frame.to_numpy(), plain)
    assert frame.columns == model.get_feature_names_out().tolist()
    assert isinstance(model.set_output(transform="default").transform(X), np.ndarray)
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(model.transform(X), np.ndarray)  # what the estimator was told counts more
        assert isinstance(clone(model.set_output()).fit(X, y).transform(X), np.ndarray)
        assert isinstance(SeriesClassifier(members=1).fit_transform(X, y), pd.DataFrame)
    with pytest.raises(ValueError, match="transform: expected default, pandas or polars, found 'numpy'"):
        model.set_output(transform="numpy")


def test_bags_and_weights_are_routed():
    X, y = planted_bags(30, random_state=1)
    sizes = [len(bag) for bag in X]
    rows, ids, labels = np.concatenate(X), np.repeat(np.arange(len(X)), sizes), np.repeat(y, sizes)
    model = BagClassifier(members=1, random_state=1)
    with pytest.raises(RuntimeError, match="enable_metadata_routing=True"):
        model.set_fit_request(bags=True)
    with sklearn.config_context(enable_metadata_routing=True):
        model.set_fit_request(bags=True, sample_weight=True).set_score_request(bags=True, sample_weight=False)
        params = {"bags": ids, "sample_weight": np.ones(len(rows)), "groups": ids}
        found = cross_validate(model, rows, labels, cv=GroupKFold(3), params=params, return_train_score=True)
        assert found["train_score"].min() > 0.9 and len(found["test_score"]) == 3
        assert clone(model).get_metadata_routing().fit.requests == {"bags": True, "sample_weight": True}
        pipeline = make_pipeline(clone(model).set_predict_request(bags=True).set_transform_request(bags=True))
        assert len(pipeline.fit(rows, labels, bags=ids, sample_weight=np.ones(len(rows))).predict(rows, bags=ids)) == len(X)
        for method in ("predict_proba", "predict_log_proba", "decision_function"):
            requests = getattr(clone(model), f"set_{method}_request")(bags="ids").get_metadata_routing()
            assert getattr(requests, method).requests == {"bags": "ids"}
        weighing = SeriesClassifier(members=1).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        S, z = planted_series(20, length=60)
        assert len(cross_validate(weighing, S, z, cv=2, params={"sample_weight": np.ones(20)})["test_score"]) == 2


def test_representations(series):
    pipeline = make_pipeline(SeriesClassifier(members=1), LogisticRegression())
    assert "SeriesClassifier" in estimator_html_repr(pipeline) and "LogisticRegression" in estimator_html_repr(pipeline)
    assert "patterns" in pipeline.fit(*series)[0]._repr_html_()


# Tuning and time -----------------------------------------------------------------------------------------------


def test_the_best_setting_is_a_dict_of_parameters(series):
    grid = {"lengths": [[0.1, 0.2], 0.3], "one_sided": [True, False]}
    model = SeriesClassifier(members=1, random_state=1, tune=True, folds=2, grid=grid).fit(*series)
    assert [row["setting"] for row in model.tuning_results_] == [{"lengths": a, "one_sided": b} for a in grid["lengths"]
                                                                 for b in grid["one_sided"]]
    assert model.best_setting_ == model.tuning_results_[model.best_index_]["setting"]
    again = SeriesClassifier(members=1, random_state=1, **model.best_setting_).fit(*series)
    assert np.array_equal(again.decision_function(series[0]), model.decision_function(series[0]))


def test_settings_are_read_from_text():
    assert setting_of("nu=0.1; lengths=0.1,20; one-sided=yes; lambda=0.5", None, ("series", "sequences")) == {
        "nu": 0.1, "lengths": [0.1, 20], "one_sided": True, "lambda_": 0.5}
    assert setting_of("as given", None, ("bags",)) == {}


def test_a_time_limit_that_was_met_is_told():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 200)), rng.integers(0, 2, 150)
    with pytest.warns(ConvergenceWarning, match="time_limit: training stopped after 0.5 s"):
        model = SeriesClassifier(members=1, time_limit=0.5, gap=0, stall=0).fit(X, y)
    assert [note for note in model.notes_ if note.startswith("time_limit: training stopped after 0.5 s, before it was complete")]
