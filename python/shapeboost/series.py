# SPDX-License-Identifier: MIT
"""Time series, and sequences of symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._types import (Channels, ClassWeight, Examples, Floats, GivenLabels, GramLike, Grid, KernelLike, Number, Numbers, Path,
                     RandomState, Weights, Words)
from .estimator import Estimator, documented
from .inputs import as_numbers, check_some, is_ragged_list
from .scikit import Parameters

if TYPE_CHECKING:
    from typing_extensions import Self


class SeriesParameters(Parameters):
    """The parameters of SeriesClassifier, which the classes for other packages have too."""

    lengths: Numbers
    normalisation: Words
    dilation: Numbers
    transforms: Words
    rate: Number
    missing: str | None
    channels: Channels
    tau: Numbers
    intervals: bool
    band: float
    k: Number
    mismatches: int
    lambda_: float

    def __init__(self, *, lengths: Numbers = "auto", normalisation: Words = "auto", dilation: Numbers = "auto",
                 transforms: Words = "auto", rate: Number = "auto", missing: str | None = "auto", channels: Channels = "auto", tau: Numbers = "auto", standardise: bool = True,
                 kernel: KernelLike = "gaussian", sigma: Number = "auto", sigma_scale: Numbers = "auto", c: float = 1.0,
                 degree: int = 2, band: float = 0.1, k: Number = "auto", mismatches: int = 1, lambda_: float = 0.5,
                 gram: GramLike = None, method: str = "boost", C: float = 1.0, members: Number = "auto",
                 head: str | None = "auto", patterns: Number = "auto", evidence: Words = "auto", intervals: bool = True, views: Number = "auto",
                 strategy: str | None = "auto", weak: str = "sparse", candidates: Number = "auto",
                 member_bags: Number = "auto", refine: str | None = "auto", one_sided: bool = False, mirrored: bool = False,
                 nu: Number = "auto", class_weight: ClassWeight = None, optimise: str = "accuracy", offset: bool = True,
                 offset_last: bool = False, gap: float = 0.01, stall: int = 3, rounds: int = 1000,
                 random_state: RandomState = None, n_jobs: int | None = None, memory: str | int | None = None,
                 unequal: bool = False, probability: bool = False, time_limit: float | None = None, tune: bool = False,
                 grid: Grid = None, folds: int = 5, repeats: int = 1, trial_members: int | None = None,
                 journal: Path | None = None, progress: bool = False) -> None:
        self._store(locals())
        super().__init__()

    __init__.__qualname__ = "SeriesClassifier.__init__"  # whom Python names when an argument is unknown


@documented
class SeriesClassifier(SeriesParameters, Estimator):
    """Classify time series by the patterns that tell the classes apart.

    X is an array (n, length) or (n, channels, length), or a list of arrays (length,) or (channels, length) where
    lengths differ. NaN marks a missing value; at the end of a series it is padding. A list of texts (DNA, proteins,
    words) is classified as sequences of symbols. A data frame of pandas or polars or an Arrow table has a row for each
    series, its columns the time steps or, where the cells are series themselves, the channels.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(40, random_state=1)
    >>> model = SeriesClassifier(members=1, random_state=1).fit(X, y)
    >>> model.classes_
    array(['gesture', 'rest'], dtype='<U7')
    >>> model.predict(X[:2]).tolist() == y[:2].tolist()
    True
    >>> best = model.hypotheses_[0]
    >>> best.main.example, best.main.position, best.values.shape  # doctest: +SKIP
    (12, 33, (30,))
    """

    _kinds = ("series", "sequences")

    def fit(self, X: Examples, y: GivenLabels, sample_weight: Weights = None) -> Self:
        """Train; returns the estimator. An example of weight k counts as k copies of it."""
        return self._fit(X, y, sample_weight)

    def fit_transform(self, X: Examples, y: GivenLabels, sample_weight: Weights = None) -> Any:
        """fit(X, y), then transform(X)."""
        return self.fit(X, y, sample_weight).transform(X)

    def _examples_of(self, X: Any) -> tuple[str, Any]:
        if isinstance(X, (list, tuple)) and len(X) and isinstance(X[0], (str, bytes)):
            return "sequences", [_symbols(text, i) for i, text in enumerate(X)]
        if is_ragged_list(X):
            series = [_one_series(x, i) for i, x in enumerate(X)]
            for i, x in enumerate(series):
                if len(x) != len(series[0]):
                    raise ValueError(f"X[{i}] has {len(x)} channels, X[0] has {len(series[0])}: expected (length,) or (channels, length) "
                                     "with the same channels everywhere; bags of instances (n_i, d) are for BagClassifier")
            return "series", series
        X = as_numbers(X, "X")
        check_some(X)
        if X.ndim == 1:
            raise ValueError("Expected 2D array, got 1D array instead: X must be (n, length), (n, channels, length) or "
                             "a list of arrays. Reshape your data: X.reshape(1, -1) is one series")
        if X.ndim > 3:
            raise ValueError(f"X has shape {X.shape}: expected (n, length), (n, channels, length) or a list of arrays")
        if X.shape[-1] == 0 or X.shape[1] == 0:
            raise ValueError(f"0 feature(s) (shape={X.shape}) while a minimum of 1 is required: series need values")
        X = X[:, None, :] if X.ndim == 2 else X
        if not np.isnan(X[:, :, -1]).all(axis=1).any():
            return "series", [*X]
        return "series", [_unpadded(x) for x in X]


def _unpadded(x: Floats) -> Floats:
    """The series without the time steps at its end that are missing in every channel."""
    known = np.flatnonzero(~np.isnan(x).all(axis=0))
    return np.ascontiguousarray(x[:, : known[-1] + 1]) if len(known) else x


def _one_series(x: Any, i: int) -> Floats:
    array = as_numbers(x, f"X[{i}]")
    if array.ndim not in (1, 2):
        raise ValueError(f"X[{i}] has shape {array.shape}: expected (length,) or (channels, length)")
    if array.size == 0:
        raise ValueError(f"X[{i}] has no values: leave it out")
    return array[None, :] if array.ndim == 1 else array


def _symbols(text: Any, i: int) -> bytes:
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise ValueError(f"X[{i}] is {type(text).__name__}, X[0] a text: expected texts alone, or arrays alone")
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        raise ValueError(f"X[{i}] holds symbols beyond one byte: expected codes up to 255; map the symbols") from None
