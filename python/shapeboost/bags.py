# SPDX-License-Identifier: MIT
"""Bags: multiple-instance data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ._types import (ClassWeight, Examples, Floats, GivenLabels, GramLike, Grid, Ids, KernelLike, Labels, Number, Numbers, Path,
                     RandomState, Request, Weights, Words)
from .availability import needs_probability
from .estimator import Estimator, documented
from .inputs import SparseBags, as_numbers, check_some, feature_names, is_ragged_list, is_sparse, opened
from .report import Report
from .scikit import UNCHANGED
from .tables import column_out, is_table, numbered, rows_of_ids

if TYPE_CHECKING:
    from typing_extensions import Self


@documented
class BagClassifier(Estimator):
    """Classify bags, which are sets of instances, by the instances that tell the classes apart.

    X is a list of arrays (n_i, d), one for each bag; or an array (N, d) of all instances with `bags`, the id of the bag
    of each (bags are in the order in which their ids first occur); or an array (n, size, d); or a data frame with `bags`, ids or
    the name of the column that holds them, or with an index of two levels, bag and instance. In place of the arrays of two
    dimensions there may be sparse matrices of SciPy, which stay sparse: features are then scaled but not centred.

    An array (n, d) without `bags` is refused, since it may be n bags of one instance or n instances of some bags:
    `rows='bags'` says that it is the former, as meta-estimators and pipelines of scikit-learn give it.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_bags(40, random_state=1)
    >>> model = BagClassifier(members=1, random_state=1).fit(X, y)
    >>> model.predict(X[:3]).tolist() == y[:3].tolist()
    True
    >>> import numpy as np
    >>> ids = np.repeat(np.arange(len(X)), [len(bag) for bag in X])
    >>> again = BagClassifier(members=1, random_state=1).fit(np.concatenate(X), y, bags=ids)
    >>> again.rho_ == model.rho_
    True
    """

    _kinds = ("bags",)
    _metadata: ClassVar[dict[str, tuple[str, ...]]] = {
        "fit": ("bags", "sample_weight"), "predict": ("bags",), "predict_proba": ("bags",), "predict_log_proba": ("bags",),
        "decision_function": ("bags",), "score": ("bags", "sample_weight"), "transform": ("bags",)}

    scaling: Words
    aspect: Words
    rows: str

    def __init__(self, *, standardise: bool = True, scaling: Words = "auto", aspect: Words = "auto",
                 kernel: KernelLike = "gaussian", sigma: Number = "auto", sigma_scale: Numbers = "auto", c: float = 1.0,
                 degree: int = 2, gram: GramLike = None, method: str = "boost", C: float = 1.0, members: Number = "auto",
                 head: str | None = "auto", patterns: Number = "auto", evidence: Words = "auto", views: Number = "auto",
                 strategy: str | None = "auto", weak: str = "sparse", candidates: Number = "auto",
                 member_bags: Number = "auto", refine: str | None = "auto", one_sided: bool = False, mirrored: bool = False,
                 nu: Number = "auto", class_weight: ClassWeight = None, optimise: str = "accuracy", offset: bool = True,
                 offset_last: bool = False, gap: float = 0.01, stall: int = 3, rounds: int = 1000,
                 random_state: RandomState = None, n_jobs: int | None = None, memory: str | int | None = None,
                 rows: str = "refuse", probability: bool = False, time_limit: float | None = None, tune: bool = False,
                 grid: Grid = None, folds: int = 5, repeats: int = 1, trial_members: int | None = None,
                 journal: Path | None = None, progress: bool = False) -> None:
        self._store(locals())

    def fit(self, X: Examples, y: GivenLabels, bags: Ids = None, sample_weight: Weights = None) -> Self:
        """Train; returns the estimator. With `bags`, y and sample_weight have one entry for each bag or one for each instance. A
        bag of weight k counts as k copies of it."""
        given = grouped(X, bags)
        return self._fit(given, _of_bags(y, given, "labelled"), _of_bags(sample_weight, given, "of weights"))

    def fit_transform(self, X: Examples, y: GivenLabels, bags: Ids = None, sample_weight: Weights = None) -> Any:
        """fit(X, y), then transform(X)."""
        return self.fit(X, y, bags, sample_weight).transform(X, bags)

    def predict(self, X: Examples, bags: Ids = None) -> Labels:
        """The class of each bag."""
        return super().predict(grouped(X, bags))

    def decision_function(self, X: Examples, bags: Ids = None) -> Floats:
        """With two classes, g(B) of each bag, above 0 for `classes_[1]`; with more, a score for each class."""
        return super().decision_function(grouped(X, bags))

    @needs_probability
    def predict_proba(self, X: Examples, bags: Ids = None) -> Floats:
        """The probability of each class, calibrated on the scores of bags left out; needs `probability=True`."""
        return self._probabilities(grouped(X, bags))

    @needs_probability
    def predict_log_proba(self, X: Examples, bags: Ids = None) -> Floats:
        """The logarithm of `predict_proba`."""
        return np.log(self._probabilities(grouped(X, bags)))

    def report(self, X: Examples, y: GivenLabels = None, path: Path | None = None, *, remark: str = "", examples: int = 2000,
               bags: Ids = None) -> Report:
        given = grouped(X, bags)
        return super().report(given, _of_bags(y, given, "labelled"), path, remark=remark, examples=examples)

    report.__doc__ = Estimator.report.__doc__

    def score(self, X: Examples, y: GivenLabels, sample_weight: Weights = None, bags: Ids = None) -> float:
        """The accuracy: the share of bags that are classified correctly."""
        given = grouped(X, bags)
        return super().score(given, _of_bags(y, given, "labelled"), _of_bags(sample_weight, given, "of weights"))

    def transform(self, X: Examples, bags: Ids = None) -> Any:
        return super().transform(grouped(X, bags))

    transform.__doc__ = Estimator.transform.__doc__

    def explain(self, X: Examples, index: int | None = None, bags: Ids = None) -> dict[str, Any]:
        return super().explain(grouped(X, bags), index)

    explain.__doc__ = Estimator.explain.__doc__

    def predict_instances(self, X: Examples, bags: Ids = None) -> list[Labels]:
        """The class of every instance on its own, as an array for each bag."""
        kind, examples = self._new_examples(grouped(X, bags))
        predicted = self.model_.instance_scores(self._data(kind, examples), self._jobs())[2]
        sizes = examples.sizes if isinstance(examples, SparseBags) else [len(bag) for bag in examples]
        return np.split(self._named(predicted), np.cumsum(sizes)[:-1])

    # Metadata, for scikit-learn's routing ----------------------------------------------------------------------

    def set_fit_request(self, *, bags: Request = UNCHANGED, sample_weight: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` and `sample_weight` to `fit`."""
        return self._request("fit", bags=bags, sample_weight=sample_weight)

    def set_score_request(self, *, bags: Request = UNCHANGED, sample_weight: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` and `sample_weight` to `score`."""
        return self._request("score", bags=bags, sample_weight=sample_weight)

    def set_predict_request(self, *, bags: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` to `predict`."""
        return self._request("predict", bags=bags)

    def set_predict_proba_request(self, *, bags: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` to `predict_proba`."""
        return self._request("predict_proba", bags=bags)

    def set_predict_log_proba_request(self, *, bags: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` to `predict_log_proba`."""
        return self._request("predict_log_proba", bags=bags)

    def set_decision_function_request(self, *, bags: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` to `decision_function`."""
        return self._request("decision_function", bags=bags)

    def set_transform_request(self, *, bags: Request = UNCHANGED) -> Self:
        """Whether meta-estimators pass `bags` to `transform`."""
        return self._request("transform", bags=bags)

    # Reading ---------------------------------------------------------------------------------------------------

    def _new_examples(self, X: Any) -> tuple[str, Any]:
        self._model()
        if is_table(X) and hasattr(X, "shape") and getattr(getattr(X, "index", None), "nlevels", 1) == 1:
            self._check_rows(X)  # before a column of ids is called a feature too many
        return super()._new_examples(X)

    def _takes_rows(self) -> bool:
        return self.rows == "bags"

    def _opened(self, X: Examples) -> Any:
        return X.read() if isinstance(X, Grouped) else super()._opened(X)

    def _examples_of(self, X: Any) -> tuple[str, Any]:
        if self.rows not in ("refuse", "bags"):
            raise ValueError(f"rows: expected refuse or bags, found {self.rows!r}")
        if isinstance(X, SparseBags) or is_sparse(X) or (isinstance(X, (list, tuple)) and any(map(is_sparse, X))):
            if is_sparse(X):
                self._check_rows(X)
            sparse = X if isinstance(X, SparseBags) else SparseBags.of(X)
            self._check_width(sparse.width)
            return "bags", sparse
        if is_ragged_list(X):
            bags = [_one_bag(bag, i) for i, bag in enumerate(X)]
        else:
            X = as_numbers(X, "X")
            check_some(X)
            if X.ndim == 1:
                raise ValueError("Expected 2D array, got 1D array instead: X must be a list of arrays (n_i, d). "
                                 "Reshape your data: X.reshape(1, 1, -1) is one bag of one instance")
            if X.ndim > 3:
                raise ValueError(f"X has shape {X.shape}: expected a list of arrays (n_i, d), or (N, d) with bags=ids")
            self._check_rows(X)
            bags = [*(X[:, None, :] if X.ndim == 2 else X)]
            if bags[0].size == 0:
                raise ValueError(f"0 feature(s) (shape={X.shape}) while a minimum of 1 is required: instances need "
                                 "features")
        self._check_width(bags[0].shape[1])
        return "bags", bags

    def _check_rows(self, X: Any) -> None:
        if len(X.shape) == 2 and not self._takes_rows():
            raise ValueError(f"X has shape {X.shape}, and rows alone do not say which bags they are of: give bags=, the id of each "
                             "row's bag, or a list of arrays (n_i, d), one for each bag; BagClassifier(rows='bags') takes each row "
                             "for a bag of one instance")

    def _check_width(self, width: int) -> None:
        if "model_" in self.__dict__ and width != self.model_.width:
            raise ValueError(f"X has {width} features, but {type(self).__name__} is expecting {self.model_.width} "
                             "features as input")


class Grouped:
    """Rows, and the id of the bag of each."""

    def __init__(self, X: Examples, bags: Ids) -> None:
        if isinstance(bags, str):
            bags, X = column_out(X, bags)
        elif isinstance(bags, (list, tuple)) or not hasattr(bags, "__array__"):
            bags = [*bags]
        self.ids = np.asarray(bags)
        self.rows = X
        if is_table(X):
            self.columns = feature_names(X)

    def read(self) -> Any:
        """The rows divided into bags, in the order in which their ids first occur."""
        found = opened(self.rows, False)
        X: Any = found if is_sparse(found) else as_numbers(found, "X")
        if X.ndim != 2 or self.ids.shape != (X.shape[0],):
            raise ValueError(f"bags has shape {self.ids.shape}, X {X.shape}: expected X (N, d) and an id for each of its rows")
        rows = rows_of_ids(self.ids)
        if is_sparse(found):
            return SparseBags(found.tocsr()[np.concatenate(rows)], [len(own) for own in rows])
        return [X[own] for own in rows]


def grouped(X: Examples, bags: Ids) -> Any:
    """X itself or, with the id of each row's bag, Grouped."""
    return X if bags is None else Grouped(X, bags)


def _one_bag(bag: Any, i: int) -> Floats:
    array = as_numbers(bag, f"X[{i}]")
    if array.ndim != 2:
        raise ValueError(f"X[{i}] has shape {array.shape}: expected a bag of instances, (n_i, d)")
    if len(array) == 0:
        raise ValueError(f"X[{i}] is an empty bag: leave it out, and its label")
    if array.shape[1] == 0:
        raise ValueError(f"X[{i}] has no features, shape {array.shape}: expected (n_i, d) with d above 0")
    return array


def _of_bags(values: Any, X: Any, adjective: str) -> Any:
    """One value for each bag, from one for each bag or one for each instance; untouched where X is not grouped by ids."""
    if values is None or not isinstance(X, Grouped):
        return values
    if hasattr(values, "to_pylist"):
        values = values.to_pylist()
    elif hasattr(values, "to_numpy"):
        values = values.to_numpy()
    values = np.asarray(values)
    if values.ndim == 0 or len(values) != len(X.ids):
        return values
    first, number = numbered(X.ids)
    of_bags = values[first]
    for bag in np.unique(number[values != of_bags[number]]):
        own = np.unique(values[number == bag])
        if len(own) > 1:
            raise ValueError(f"bag {X.ids[first[bag]]} has instances {adjective} {own[0]} and {own[1]}: expected one for each bag")
    return of_bags
