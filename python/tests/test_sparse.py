# SPDX-License-Identifier: MIT
"""Sparse matrices of SciPy as bags."""

import copy

import numpy as np
import pytest
from scipy import sparse

from shapeboost import BagClassifier


def counts(bags, features, seed):
    """Bags of counts, most of them 0; the first feature is larger in every second bag."""
    rng = np.random.default_rng(seed)
    X = [rng.poisson(0.2, size=(rng.integers(1, 6), features)).astype(float) for _ in range(bags)]
    for bag in X[::2]:
        bag[:, 0] += 3
    return X, np.array([i % 2 for i in range(bags)])


@pytest.fixture(scope="module")
def fitted():
    X, y = counts(40, 12, 1)
    return BagClassifier(members=3, random_state=1).fit([sparse.csr_matrix(bag) for bag in X], y)


def clone_with_rows(fitted):
    """The same model, which takes rows for bags."""
    return copy.copy(fitted).set_params(rows="bags")


def test_sparse_bags_are_the_same_bags(fitted):
    X, y = counts(40, 12, 1)
    dense = BagClassifier(members=3, head="average", random_state=1).fit(X, y)  # sparse bags have no head
    fresh, _ = counts(20, 12, 2)
    rows = sparse.vstack([sparse.coo_matrix(bag) for bag in fresh])
    ids = np.repeat(np.arange(20), [len(bag) for bag in fresh])
    expected = dense.decision_function(fresh)
    for asked in (fitted.decision_function(fresh),
                  fitted.decision_function([sparse.csc_matrix(bag) for bag in fresh]),
                  fitted.decision_function(rows, bags=ids),
                  dense.decision_function(rows.tocsr(), bags=ids)):
        np.testing.assert_allclose(asked, expected, atol=1e-5)
    assert fitted.n_features_in_ == 12


def test_bags_are_in_the_order_of_their_ids(fitted):
    fresh, _ = counts(6, 12, 3)
    order = np.random.default_rng(1).permutation(sum(map(len, fresh)))
    ids = np.repeat([5, 3, 9, 1, 0, 7], [len(bag) for bag in fresh])
    rows = np.concatenate(fresh)
    mixed = fitted.decision_function(sparse.csr_matrix(rows[order]), bags=ids[order])
    np.testing.assert_allclose(mixed, fitted.decision_function(rows[order], bags=ids[order]), atol=1e-9)


def test_instances_are_scored_one_by_one(fitted):
    fresh, _ = counts(5, 12, 4)
    predicted = fitted.predict_instances([sparse.csr_matrix(bag) for bag in fresh])
    for found, expected in zip(predicted, fitted.predict_instances(fresh), strict=True):
        assert found.tolist() == expected.tolist()


def test_entries_given_twice_are_added(fitted):
    fitted = clone_with_rows(fitted)
    twice = sparse.csr_matrix((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(1, 12))
    once = sparse.csr_matrix((np.array([3.0]), np.array([0]), np.array([0, 1])), shape=(1, 12))
    assert fitted.decision_function(twice)[0] == fitted.decision_function(once)[0]
    assert twice.nnz == 2


def test_a_hundred_thousand_features_stay_sparse():
    rng = np.random.default_rng(1)
    ids = np.repeat(np.arange(200), 10)
    y = np.arange(200) % 2
    columns = rng.integers(20, 100_000, size=(2000, 30))
    columns[::10, 0] = np.where(y == 1, rng.integers(0, 10, 200), rng.integers(10, 20, 200))
    X = sparse.csr_matrix((np.ones(60_000), (np.repeat(np.arange(2000), 30), columns.ravel())), shape=(2000, 100_000))
    model = BagClassifier(members=1, kernel="linear", standardise=False, n_jobs=1, memory="64M")
    assert model.fit(X, y, bags=ids).score(X, y, bags=ids) > 0.95
    assert len(model.model_.to_json()) < 5_000_000


@pytest.mark.parametrize("X, says", [
    (sparse.csr_matrix((3, 7)), "X has 7 features, but BagClassifier is expecting 12 features as input"),
    (sparse.csr_matrix(np.full((1, 12), np.inf)), r"X\[0\] contains infinity"),
    (sparse.csr_matrix(np.full((1, 12), np.nan)), r"X\[0\] contains NaN"),
    (sparse.csr_matrix(np.full((1, 12), 1j)), "Complex data not supported"),
    ([sparse.csr_matrix((1, 12)), sparse.csr_matrix((0, 12))], r"X\[1\] is an empty bag"),
    ([sparse.csr_matrix((1, 12)), sparse.csr_matrix((1, 5))], r"X\[1\] has 5 features, X\[0\] has 12"),
])
def test_what_does_not_fit_is_said(fitted, X, says):
    with pytest.raises(ValueError, match=says):
        clone_with_rows(fitted).predict(X)


def test_ids_must_be_as_many_as_rows(fitted):
    with pytest.raises(ValueError, match="expected X .N, d. and an id for each of its rows"):
        fitted.predict(sparse.csr_matrix((3, 12)), bags=[1, 2])


def test_rows_without_bags_are_refused(fitted):
    with pytest.raises(ValueError, match=r"X has shape \(3, 12\), and rows alone do not say which bags they are of"):
        fitted.predict(sparse.csr_matrix((3, 12)))
