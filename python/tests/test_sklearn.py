# SPDX-License-Identifier: MIT
"""scikit-learn's own checks, all of them, and none expected to fail."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from shapeboost import BagClassifier, SeriesClassifier


# A plain array of rows does not say which bags they are of, so that the default refuses it and scikit-learn, which the tags tell,
# leaves most checks out; rows="bags" takes every check.
@parametrize_with_checks([SeriesClassifier(members=20), BagClassifier(members=20), BagClassifier(members=20, rows="bags")])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", [SeriesClassifier, BagClassifier])
def test_class_weights_move_the_boundary(cls):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 2)) + y[:, None]
    rows = {"rows": "bags"} if cls is BagClassifier else {}
    shares = [np.mean(cls(members=1, class_weight=weight, **rows).fit(X, y).predict(X) == 1)
              for weight in ({0: 5, 1: 1}, None, {0: 1, 1: 5})]
    assert shares[0] < shares[1] < shares[2]


def test_clones_and_parameters():
    estimator = SeriesClassifier(nu=0.3, lengths=[0.1, 0.2], random_state=3)
    copied = clone(estimator)
    assert copied is not estimator and copied.get_params() == estimator.get_params()
    assert repr(copied) == "SeriesClassifier(lengths=[0.1, 0.2], nu=0.3, random_state=3)"
    assert is_classifier(estimator)
    with pytest.raises(ValueError, match="Invalid parameter 'nux'"):
        estimator.set_params(nux=1)


@pytest.mark.parametrize("cls", [SeriesClassifier, BagClassifier])
def test_an_unknown_argument_is_refused_in_the_classes_name(cls):
    with pytest.raises(TypeError, match=rf"{cls.__name__}\.__init__\(\) got an unexpected keyword argument 'n_estimators'"):
        cls(n_estimators=100)
