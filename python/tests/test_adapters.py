# SPDX-License-Identifier: MIT
"""The adapters pass aeon's and sktime's own checks; the UCR sets that aeon ships."""

import numpy as np
import pytest

from shapeboost import SeriesClassifier

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
    model = SeriesClassifier().fit(X, y)
    assert model.score(new, labels) > least
    adapted = ForAeon({"probability": False}).fit(X, y)
    assert np.array_equal(adapted.predict(new), model.predict(new))
