# SPDX-License-Identifier: MIT
"""Bags: multiple-instance data."""

import numpy as np

from .estimator import Estimator, documented, needs_probability
from .inputs import SparseBags, as_numbers, check_some, is_ragged_list, is_sparse, load_arrays


@documented
class BagClassifier(Estimator):
    """Classify bags, which are sets of instances, by the instances that tell the classes apart.

    X is a list of arrays (n_i, d), one for each bag; or an array (N, d) of all instances with `bags`, the id of the bag
    of each (bags are in the order in which their ids first occur); or an array (n, size, d). An array (n, d) without
    `bags` means n bags of one instance. In place of the arrays of two dimensions there may be sparse matrices of SciPy,
    which stay sparse: features are then scaled but not centred.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_bags(40, random_state=1)
    >>> model = BagClassifier(members=1, n_jobs=1).fit(X, y)
    >>> model.predict(X[:3]).tolist() == y[:3].tolist()
    True
    >>> import numpy as np
    >>> ids = np.repeat(np.arange(len(X)), [len(bag) for bag in X])
    >>> again = BagClassifier(members=1, n_jobs=1).fit(np.concatenate(X), y, bags=ids)
    >>> again.rho_ == model.rho_
    True
    """

    _kinds = ("bags",)

    def __init__(self, *, standardise=True, scaling="auto", aspect="auto", kernel="gaussian", sigma="auto", sigma_scale="auto", c=1.0, degree=2,
                 gram=None, method="boost", C=1.0, members="auto", head="auto", patterns="auto",
                 evidence="auto", views="auto", strategy="auto", weak="sparse",
                 candidates="auto", member_bags="auto", refine="auto", one_sided=False, mirrored=False, nu="auto",
                 class_weight=None, optimise="accuracy", offset=True, offset_last=False, gap=0.01, stall=3,
                 rounds=1000, random_state=1, n_jobs=None, memory=None, probability=False, time_limit=None, tune=False,
                 grid=None, folds=5, repeats=1, trial_members=None, journal=None, progress=False):
        self._store(locals())

    def fit(self, X, y, bags=None):
        """Train; returns the estimator. With `bags`, y has one label for each bag or one for each instance."""
        if bags is not None and y is not None:
            y = _labels_of_bags(y, np.asarray(bags))
        return self._fit(_in_bags(X, bags), y)

    def predict(self, X, bags=None):
        """The class of each bag."""
        return super().predict(_in_bags(X, bags))

    def decision_function(self, X, bags=None):
        """With two classes, g(B) of each bag, above 0 for `classes_[1]`; with more, a score for each class."""
        return super().decision_function(_in_bags(X, bags))

    @needs_probability
    def predict_proba(self, X, bags=None):
        """The probability of each class, calibrated on the scores of bags left out; needs `probability=True`."""
        return self._probabilities(_in_bags(X, bags))

    @needs_probability
    def predict_log_proba(self, X, bags=None):
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X, bags))

    def report(self, X, y=None, path=None, *, remark="", examples=2000, bags=None):
        if bags is not None and y is not None:
            y = _labels_of_bags(y, np.asarray(bags))
        return super().report(_in_bags(X, bags), y, path, remark=remark, examples=examples)

    report.__doc__ = Estimator.report.__doc__

    def score(self, X, y, sample_weight=None, bags=None):
        """The accuracy: the share of bags that are classified correctly."""
        return super().score(_in_bags(X, bags), y if bags is None else _labels_of_bags(y, np.asarray(bags)),
                             sample_weight)

    def transform(self, X, bags=None):
        return super().transform(_in_bags(X, bags))

    transform.__doc__ = Estimator.transform.__doc__

    def explain(self, X, index=None, bags=None):
        return super().explain(_in_bags(X, bags), index)

    explain.__doc__ = Estimator.explain.__doc__

    def predict_instances(self, X, bags=None):
        """The class of every instance on its own, as an array for each bag."""
        X = _in_bags(X, bags)
        data = self._new_data(X)
        predicted = self.model_.instance_scores(data, self._jobs())[2]
        examples = self._examples_of(load_arrays(X))[1]
        sizes = examples.sizes if isinstance(examples, SparseBags) else [len(bag) for bag in examples]
        return np.split(self.classes_[self._places()[predicted]], np.cumsum(sizes)[:-1])

    def _examples_of(self, X):
        if isinstance(X, SparseBags) or is_sparse(X) or (isinstance(X, (list, tuple)) and any(map(is_sparse, X))):
            bags = X if isinstance(X, SparseBags) else SparseBags.of(X)
            self._check_width(bags.width)
            return "bags", bags
        if is_ragged_list(X):
            bags = [_one_bag(bag, i) for i, bag in enumerate(X)]
        else:
            X = as_numbers(X, "X")
            check_some(X)
            if X.ndim == 1:
                raise ValueError("Expected 2D array, got 1D array instead: X must be a list of arrays (n_i, d). "
                                 "Reshape your data: X.reshape(1, -1) is one bag of one instance")
            if X.ndim > 3:
                raise ValueError(f"X has shape {X.shape}: expected a list of arrays (n_i, d), or (N, d) with bags=ids")
            bags = [*(X[:, None, :] if X.ndim == 2 else X)]
            if bags[0].size == 0:
                raise ValueError(f"0 feature(s) (shape={X.shape}) while a minimum of 1 is required: instances need "
                                 "features")
        self._check_width(bags[0].shape[1])
        return "bags", bags

    def _check_width(self, width):
        if "model_" in self.__dict__ and width != self.model_.width:
            raise ValueError(f"X has {width} features, but {type(self).__name__} is expecting {self.model_.width} "
                             "features as input")


def _one_bag(bag, i):
    array = as_numbers(bag, f"X[{i}]")
    if array.ndim != 2:
        raise ValueError(f"X[{i}] has shape {array.shape}: expected a bag of instances, (n_i, d)")
    if len(array) == 0:
        raise ValueError(f"X[{i}] is an empty bag: leave it out, and its label")
    if array.shape[1] == 0:
        raise ValueError(f"X[{i}] has no features, shape {array.shape}: expected (n_i, d) with d above 0")
    return array


def _in_bags(X, ids):
    """X itself or, with the id of each instance's bag, the rows of X divided into bags."""
    if ids is None:
        return X
    sparse = is_sparse(X)
    X = X if sparse else as_numbers(X, "X")
    ids = np.asarray(ids)
    if X.ndim != 2 or ids.shape != (X.shape[0],):
        raise ValueError(f"bags has shape {ids.shape}, X {X.shape}: expected X (N, d) and an id for each of its rows")
    number = _numbered(ids)[1]
    sizes = np.bincount(number)
    order = np.argsort(number, kind="stable")
    return SparseBags(X.tocsr()[order], sizes) if sparse else np.split(X[order], np.cumsum(sizes)[:-1])


def _numbered(ids):
    """The row in which each distinct id first occurs, in that order, and for each row the number of its id among them."""
    _, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[inverse.reshape(-1)]


def _labels_of_bags(y, ids):
    """One label for each bag, from one for each bag or one for each instance."""
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    y = np.asarray(y)
    if len(y) != len(ids):
        return y
    first, number = _numbered(ids)
    labels = y[first]
    for bag in np.unique(number[y != labels[number]]):
        own = np.unique(y[number == bag])
        if len(own) > 1:
            raise ValueError(f"bag {ids[first[bag]]} has instances labelled {own[0]} and {own[1]}: expected one label for "
                             "each bag")
    return labels
