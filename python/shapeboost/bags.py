# SPDX-License-Identifier: MIT
"""Bags: multiple-instance data."""

import numpy as np

from .estimator import Estimator
from .inputs import as_numbers, check_some, is_ragged_list, load_arrays
from .parameters import parameters_text


class BagClassifier(Estimator):
    """Classify bags, each a set of instances, by the instances that tell the classes apart.

    X is a list of arrays (n_i, d), one a bag; or one array (N, d) of all instances with `bags`, the id of each
    instance's bag (bags come in the order in which ids first occur); or an array (n, size, d). An array (n, d)
    without ids is n bags of one instance.

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

    Parameters
    ----------
{parameters}
    probability : default False
        Learn probabilities, by cross-validation: `predict_proba`.
    time_limit : default None
        Finish with what is known after so many seconds.
    tune : default False
        Choose settings by cross-validation over `grid` before training.
    grid : default None
        What to choose among: {{name: [values]}}, or text as `shapeboost tune --grid` takes; None: a few for the data.
    folds : default 5
        Parts of the data, each of which is tested once, when tuning.
    repeats : default 1
        How often the data are divided anew, when tuning.
    trial_members : default None
        Most members of a committee while choices are compared, when tuning; 0: all; None: 20, or 10 from 1000
        examples on. The one chosen has all.
    journal : default None
        A file of finished trainings, from which tuning goes on after it was cut off.
    progress : default False
        Show a bar of tqdm's.

    Attributes
    ----------
    classes_, hypotheses_, history_, rho_ : see there
    notes_ : list of sentences a user should know
    tuning_results_, best_setting_ : of `tune=True`
    """

    _kinds = ("bags",)

    def __init__(self, *, standardise=True, kernel="gaussian", sigma="auto", sigma_scale="auto", c=1.0, degree=2,
                 gram=None, method="boost", C=1.0, members="auto", views="auto", strategy="auto", weak="sparse",
                 candidates="auto", member_bags="auto", refine="auto", one_sided=False, mirrored=False, nu="auto", class_weight=None,
                 offset=True, offset_last=False, gap=0.01, stall=3, rounds=1000, random_state=1, n_jobs=None, memory=None,
                 probability=False, time_limit=None, tune=False, grid=None, folds=5, repeats=1, trial_members=None, journal=None,
                 progress=False):
        self.standardise = standardise
        self.kernel = kernel
        self.sigma = sigma
        self.sigma_scale = sigma_scale
        self.c = c
        self.degree = degree
        self.gram = gram
        self.method = method
        self.C = C
        self.members = members
        self.views = views
        self.strategy = strategy
        self.weak = weak
        self.candidates = candidates
        self.member_bags = member_bags
        self.refine = refine
        self.one_sided = one_sided
        self.mirrored = mirrored
        self.nu = nu
        self.class_weight = class_weight
        self.offset = offset
        self.offset_last = offset_last
        self.gap = gap
        self.stall = stall
        self.rounds = rounds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.probability = probability
        self.time_limit = time_limit
        self.tune = tune
        self.grid = grid
        self.folds = folds
        self.repeats = repeats
        self.trial_members = trial_members
        self.journal = journal
        self.progress = progress

    def fit(self, X, y, bags=None):
        """Train; the estimator itself. With `bags`, y has a label for each bag or for each instance."""
        if bags is not None and y is not None:
            y = _labels_of_bags(y, np.asarray(bags))
        return self._fit(_in_bags(X, bags), y)

    def predict(self, X, bags=None):
        """The class of each bag."""
        return super().predict(_in_bags(X, bags))

    def decision_function(self, X, bags=None):
        """Two classes: g(B) of each bag, above 0 for `classes_[1]`. More: a score for each class."""
        return super().decision_function(_in_bags(X, bags))

    def score(self, X, y, sample_weight=None, bags=None):
        """The share of bags that are classified rightly."""
        return super().score(_in_bags(X, bags), y if bags is None else _labels_of_bags(y, np.asarray(bags)),
                             sample_weight)

    def transform(self, X, bags=None):
        """The response of each hypothesis to each bag, (n, hypotheses): what a linear model may weigh anew."""
        return super().transform(_in_bags(X, bags))

    def explain(self, X, index=None, bags=None):
        return super().explain(_in_bags(X, bags), index)

    explain.__doc__ = Estimator.explain.__doc__

    def predict_instances(self, X, bags=None):
        """The class of every instance by itself: an array for each bag."""
        data = self._new_data(_in_bags(X, bags))
        predicted = self.model_.instance_scores(data, self._jobs())[2]
        sizes = [len(bag) for bag in self._arranged(load_arrays(_in_bags(X, bags)))[1]]
        return np.split(self.classes_[self._places()[predicted]], np.cumsum(sizes)[:-1])

    def _arranged(self, X):
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
        if "model_" in self.__dict__ and bags[0].shape[1] != self.model_.width:
            raise ValueError(f"X has {bags[0].shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.model_.width} features as input")
        return "bags", bags


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
    """One array of instances, cut into bags by their ids."""
    if ids is None:
        return X
    X = as_numbers(X, "X")
    ids = np.asarray(ids)
    if X.ndim != 2 or ids.shape != (len(X),):
        raise ValueError(f"bags has shape {ids.shape}, X {X.shape}: expected X (N, d) and an id for each of its rows")
    return [X[ids == one] for one in _in_order(ids)]


def _in_order(ids):
    """Each id once, as they first occur."""
    found, first = np.unique(ids, return_index=True)
    return found[np.argsort(first)]


def _labels_of_bags(y, ids):
    """A label for each bag, of as many or of one for each instance."""
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    y = np.asarray(y)
    if len(y) != len(ids):
        return y
    labels = []
    for one in _in_order(ids):
        own = np.unique(y[ids == one])
        if len(own) > 1:
            raise ValueError(f"bag {one} has instances labelled {own[0]} and {own[1]}: expected one label a bag")
        labels.append(own[0])
    return np.array(labels)


BagClassifier.__doc__ = BagClassifier.__doc__.format(parameters=parameters_text(BagClassifier._kinds))
