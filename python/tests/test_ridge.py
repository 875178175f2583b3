# SPDX-License-Identifier: MIT
"""Ridge regression with its left-out errors, against scikit-learn's."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge, RidgeClassifierCV, RidgeCV

from shapeboost import _core

SAME = 1e-6  # of two ways to solve the same problem in double, one by eigenvalues
START = 10.0
GRID = START * 10.0 ** (np.arange(-12, 16) / 3)


def problem(seed, m, p, t):
    rng = np.random.default_rng(seed)
    X = (2.0 + rng.normal(size=(m, p))).astype(np.float32)
    Y = np.tanh(X[:, :t] - 2.0) + 0.5 * rng.normal(size=(m, t))
    return X.astype(float), Y, rng.uniform(0.3, 3.0, m)


def ours(X, Y, v, smallest=GRID[0], largest=GRID[-1], start=START):
    return _core.solve_ridge(X, Y, np.zeros(0) if v is None else v, smallest, largest, start, 3)


@pytest.mark.parametrize("m, p", [(30, 80), (80, 30), (40, 40)])
@pytest.mark.parametrize("weighted", [True, False])
def test_one_alpha(m, p, weighted):
    X, Y, v = problem(1, m, p, 3)
    v = v if weighted else None
    for alpha in [0.01, 1.0, 500.0]:
        found = ours(X, Y, v, alpha, alpha, alpha)
        theirs = Ridge(alpha=alpha, solver="svd").fit(X, Y, sample_weight=v)
        np.testing.assert_allclose(found["weights"], theirs.coef_.T, atol=SAME)
        np.testing.assert_allclose(found["b"], theirs.intercept_, atol=SAME)
        assert found["residual"] < 1e-9
        for i in range(0, m, 7):
            rest = np.arange(m) != i
            other = Ridge(alpha=alpha, solver="svd").fit(X[rest], Y[rest], sample_weight=None if v is None else v[rest])
            np.testing.assert_allclose(found["left_out"][i], other.predict(X[i : i + 1])[0], atol=SAME)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("m, p", [(30, 80), (80, 30)])
def test_the_alpha_of_ridge_cv(seed, m, p):
    X, Y, _ = problem(seed, m, p, 1)
    found = ours(X, Y, None)
    theirs = RidgeCV(alphas=GRID, store_cv_results=True).fit(X, Y[:, 0])
    assert found["alpha"] == pytest.approx(theirs.alpha_)
    assert found["left_out_error"] == pytest.approx(-theirs.best_score_, rel=SAME)
    np.testing.assert_allclose(found["weights"][:, 0], theirs.coef_, atol=SAME)
    np.testing.assert_allclose(found["b"], theirs.intercept_, atol=SAME)
    for alpha, error in zip(found["tried_alpha"], found["tried_error"], strict=True):
        k = np.argmin(abs(np.log(GRID / alpha)))
        assert error == pytest.approx(theirs.cv_results_[:, k].mean(), rel=SAME)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [True, False])
def test_the_classes_of_ridge_classifier_cv(seed, weighted):
    X, Y, v = problem(seed, 60, 100, 3)
    labels = Y.argmax(axis=1)
    v = v if weighted else None
    theirs = RidgeClassifierCV(alphas=GRID).fit(X, labels, sample_weight=v)
    alpha = theirs.alpha_
    targets = np.where(labels[:, None] == np.arange(3), 1.0, -1.0)
    found = ours(X, targets, v, alpha, alpha, alpha)
    scores = X @ found["weights"] + found["b"]
    np.testing.assert_allclose(scores, theirs.decision_function(X), atol=SAME)
    if not weighted:  # the weighted mean of squares is ours alone
        assert ours(X, targets, v)["alpha"] == pytest.approx(alpha)
