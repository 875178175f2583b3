# SPDX-License-Identifier: MIT
"""Inside scikit-learn's searches, pipelines and ensembles."""

import numpy as np
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from shapeboost import BagClassifier, SeriesClassifier, planted_bags, planted_series

QUICK = {"members": 1, "refine": "no", "random_state": 1}


def test_grid_search_on_two_processes(series):
    search = GridSearchCV(SeriesClassifier(**QUICK), {"nu": [0.1, 0.3], "lengths": [[0.1], [0.1, 0.2]]}, n_jobs=2, cv=3)
    search.fit(*series)
    assert search.best_score_ > 0.7
    assert search.best_estimator_.score(*series) > 0.9
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_their_search_agrees_with_ours(series):
    X, y = series
    ours = SeriesClassifier(**QUICK, tune=True, grid={"nu": [0.1, 0.5]}, folds=3).fit(X, y)
    assert [row["folds"] for row in ours.tuning_results_] == [3, 3]
    assert ours.best_setting_ == ours.tuning_results_[ours.best_index_]["setting"]
    theirs = RandomizedSearchCV(SeriesClassifier(**QUICK), {"nu": [0.1, 0.5]}, n_iter=2, cv=3).fit(X, y)
    assert abs(max(row["accuracy"] for row in ours.tuning_results_) - theirs.best_score_) < 0.25


def test_lists_of_arrays_and_bags_are_split_too(bags):
    X, y = bags
    assert cross_val_score(BagClassifier(**QUICK), X, y, cv=3).mean() > 0.7
    ragged = [x[: 60 - i % 5] for i, x in enumerate(planted_series(24, length=60)[0])]
    labels = planted_series(24, length=60)[1]
    assert cross_val_predict(SeriesClassifier(**QUICK), ragged, labels, cv=2).shape == (24,)


def test_transform_in_a_pipeline(series):
    X, y = series
    pipeline = make_pipeline(SeriesClassifier(**QUICK), StandardScaler(), LogisticRegression())
    pipeline.fit(X, y)
    new = planted_series(30, length=60, random_state=9)
    assert pipeline.score(*new) > 0.8
    assert pipeline[0].transform(X).shape == (len(X), len(pipeline[0].hypotheses_))
    assert len(pipeline[0].get_feature_names_out()) == len(pipeline[0].hypotheses_)
    searched = GridSearchCV(pipeline, {"seriesclassifier__nu": [0.2, 0.4]}, cv=2).fit(X, y)
    assert searched.best_score_ > 0.5


def test_bags_in_a_pipeline(bags):
    X, y = bags
    pipeline = make_pipeline(BagClassifier(**QUICK), LogisticRegression()).fit(X, y)
    assert pipeline.score(*planted_bags(30, random_state=9)) > 0.8


def test_voting(series):
    X, y = series
    vote = VotingClassifier([("a", SeriesClassifier(**QUICK)), ("b", SeriesClassifier(**{**QUICK, "random_state": 2}))])
    assert vote.fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("scoring", ["roc_auc", "f1_macro", "balanced_accuracy", "average_precision"])
def test_scorers(series, scoring):
    X, y = series
    assert cross_val_score(SeriesClassifier(**QUICK), X, (y == "rest").astype(int), cv=2, scoring=scoring).mean() > 0.6
