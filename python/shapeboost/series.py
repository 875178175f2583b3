# SPDX-License-Identifier: MIT
"""Time series, and sequences of symbols."""

import numpy as np

from .estimator import Estimator, documented
from .inputs import as_numbers, check_some, is_ragged_list


@documented
class SeriesClassifier(Estimator):
    """Classify time series by the patterns that tell the classes apart.

    X is an array (n, length) or (n, channels, length), or a list of arrays (length,) or (channels, length) where
    lengths differ. NaN marks a missing value; at the end of a series it is padding. A list of texts (DNA, proteins,
    words) is classified as sequences of symbols.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(40, random_state=1)
    >>> model = SeriesClassifier(members=1, n_jobs=1).fit(X, y)
    >>> model.classes_
    array(['gesture', 'rest'], dtype='<U7')
    >>> model.predict(X[:2]).tolist() == y[:2].tolist()
    True
    >>> best = model.hypotheses_[0]
    >>> best.main.example, best.main.position, best.values.shape  # doctest: +SKIP
    (12, 33, (30,))
    """

    _kinds = ("series", "sequences")

    def __init__(self, *, lengths="auto", normalisation="auto", dilation="auto", transforms="auto", channels="auto",
                 tau="auto", standardise=True, kernel="gaussian", sigma="auto", sigma_scale="auto", c=1.0, degree=2,
                 band=0.1, k="auto", mismatches=1, lambda_=0.5, gram=None, method="boost", C=1.0, members="auto",
                 head="auto", patterns="auto", evidence="auto", views="auto", strategy="auto", weak="sparse",
                 candidates="auto", member_bags="auto", refine="auto", one_sided=False, mirrored=False, nu="auto",
                 class_weight=None, optimise="accuracy", offset=True, offset_last=False, gap=0.01, stall=3,
                 rounds=1000, random_state=1, n_jobs=None, memory=None, unequal=False, probability=False, time_limit=None, tune=False,
                 grid=None, folds=5, repeats=1, trial_members=None, journal=None, progress=False):
        self._store(locals())

    def fit(self, X, y):
        """Train; returns the estimator."""
        return self._fit(X, y)

    def _examples_of(self, X):
        if isinstance(X, (list, tuple)) and len(X) and isinstance(X[0], (str, bytes)):
            return "sequences", [_symbols(text, i) for i, text in enumerate(X)]
        if is_ragged_list(X):
            return "series", [_one_series(x, i) for i, x in enumerate(X)]
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


def _unpadded(x):
    """The series without the time steps at its end that are missing in every channel."""
    known = np.flatnonzero(~np.isnan(x).all(axis=0))
    return np.ascontiguousarray(x[:, : known[-1] + 1]) if len(known) else x


def _one_series(x, i):
    array = as_numbers(x, f"X[{i}]")
    if array.ndim not in (1, 2):
        raise ValueError(f"X[{i}] has shape {array.shape}: expected (length,) or (channels, length)")
    if array.size == 0:
        raise ValueError(f"X[{i}] has no values: leave it out")
    return array[None, :] if array.ndim == 1 else array


def _symbols(text, i):
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise ValueError(f"X[{i}] is {type(text).__name__}, X[0] a text: expected texts alone, or arrays alone")
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        raise ValueError(f"X[{i}] holds symbols beyond one byte: expected codes up to 255; map the symbols") from None


class SeriesAdapter:
    """SeriesClassifier for packages with base classes of their own: stands before theirs among a class's bases."""

    def __init__(self, settings=None, random_state=1, n_jobs=1):
        self.settings = settings
        self.random_state = random_state
        self.n_jobs = n_jobs
        super().__init__()

    def _fit(self, X, y):
        seed = 1 if self.random_state is None else self.random_state
        self.classifier_ = SeriesClassifier(
            **{"probability": True, "random_state": seed, "n_jobs": self.n_jobs, **(self.settings or {})}).fit(X, y)
        return self

    def _predict(self, X):
        return self.classifier_.predict(X)

    def _predict_proba(self, X):
        return self.classifier_.predict_proba(X)
