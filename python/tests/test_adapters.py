# SPDX-License-Identifier: MIT
"""The adapters pass aeon's and sktime's own checks; the UCR sets that aeon ships."""

from inspect import signature

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV

from shapeboost import SeriesClassifier, planted_series

aeon = pytest.importorskip("aeon")
sktime = pytest.importorskip("sktime")

from aeon.datasets import load_gunpoint, load_italy_power_demand  # noqa: E402
from aeon.testing.estimator_checking import check_estimator as aeon_checks  # noqa: E402
from sktime.utils import check_estimator as sktime_checks  # noqa: E402

from shapeboost.aeon import ShapeboostClassifier as ForAeon  # noqa: E402
from shapeboost.sktime import ShapeboostClassifier as ForSktime  # noqa: E402


def test_aeons_checks():
    results = aeon_checks(ForAeon, use_first_parameter_set=True, raise_exceptions=True, verbose=False)
    assert len(results) > 20


def test_sktimes_checks():
    results = sktime_checks(ForSktime, raise_exceptions=True, verbose=False)
    assert len(results) > 20
    assert set(results.values()) == {"PASSED"}


@pytest.mark.parametrize("load, least", [(load_italy_power_demand, 0.93), (load_gunpoint, 0.95)])
def test_sets_that_aeon_ships(load, least):
    X, y = load(split="train")
    new, labels = load(split="test")
    model = SeriesClassifier(random_state=1).fit(X, y)
    assert model.score(new, labels) > least
    adapted = ForAeon(random_state=1).fit(X, y)
    assert np.array_equal(adapted.predict(new), model.predict(new))


@pytest.fixture(scope="module")
def gaps():
    """Two channels, unequal lengths, and a value missing here and there."""
    X, y = planted_series(24, length=60)
    rng = np.random.default_rng(1)
    ragged = [np.stack([x, rng.normal(size=60)])[:, : 60 - i % 7] for i, x in enumerate(X)]
    for one in ragged[::3]:
        one[0, rng.integers(1, len(one[0]) - 1)] = np.nan
    return ragged, y


@pytest.mark.parametrize("cls", [ForAeon, ForSktime])
def test_parameters_are_the_classifiers_own(cls):
    own = signature(SeriesClassifier).parameters
    assert [*signature(cls).parameters] == [*own]
    defaults = {name: p.default for name, p in own.items()}
    assert cls().get_params() == (defaults | {"n_jobs": 1} if cls is ForAeon else defaults)
    assert cls(nu=0.3).set_params(lengths=[0.1, 0.2]).clone().get_params()["lengths"] == [0.1, 0.2]


def test_grids_over_an_aeon_classifier():
    X, y = planted_series(24, length=60)
    search = GridSearchCV(ForAeon(members=1, random_state=1), {"nu": [0.1, 0.3], "lengths": [[0.1], [0.1, 0.2]]}, cv=2)
    assert set(search.fit(X[:, None, :], y).best_params_) == {"nu", "lengths"}


@pytest.mark.parametrize("cls", [ForAeon, ForSktime])
def test_probabilities_only_where_they_are_asked_for(cls):
    X, y = planted_series(30, length=60, noise=0.8)
    X = X[:, None, :]
    plain = cls(members=20, random_state=1).fit(X, y)
    assert not plain.classifier_.model_.calibrated
    assert set(np.unique(plain.predict_proba(X))) == {0.0, 1.0}
    assert np.array_equal(plain.predict_proba(X).argmax(axis=1), np.searchsorted(plain.classes_, plain.predict(X)))
    asked = cls(members=20, random_state=1, probability=True).fit(X, y)
    assert np.array_equal(asked.predict_proba(X), asked.classifier_.predict_proba(X))
    assert len(np.unique(asked.predict_proba(X))) > 2


def test_unequal_lengths_and_gaps(gaps):
    X, y = gaps
    direct = SeriesClassifier(members=5, random_state=1).fit(X, y).decision_function(X)
    for_aeon = ForAeon(members=5, random_state=1).fit(X, y)
    assert np.array_equal(for_aeon.classifier_.decision_function(X), direct)
    assert len(for_aeon.predict(X)) == len(X)
    frames = [pd.DataFrame(one.T, columns=["left", "right"]) for one in X]
    long = pd.concat(frames, keys=range(len(frames)), names=["series", "step"])
    nested = pd.DataFrame([[pd.Series(channel) for channel in one] for one in X], columns=["left", "right"])
    for given in (frames, long, nested):
        for_sktime = ForSktime(members=5, random_state=1).fit(given, y)
        assert np.array_equal(for_sktime.classifier_.decision_function(X), direct)
        assert np.array_equal(for_sktime.predict(given), for_aeon.predict(X))
