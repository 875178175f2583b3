# SPDX-License-Identifier: MIT
"""Time series, and sequences of symbols."""

import numpy as np

from .estimator import Estimator
from .inputs import as_numbers, check_some, is_ragged_list
from .parameters import parameters_text


class SeriesClassifier(Estimator):
    """Classify time series by their patterns.

    X is an array (n, length) or (n, channels, length), or a list of arrays (length,) or (channels, length) where
    lengths differ; NaN marks a missing value, and behind the last value of an array fills short series up. A list of
    texts (DNA, protein, words) is classified as sequences of symbols.

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

    _kinds = ("series", "sequences")

    def __init__(self, *, lengths="auto", normalisation="auto", dilation="auto", differences="auto", channels="auto",
                 tau="auto", standardise=True, kernel="gaussian", sigma="auto", sigma_scale="auto", c=1.0, degree=2,
                 band=0.1, k="auto", mismatches=1, lambda_=0.5, gram=None, method="boost", C=1.0, members="auto",
                 views="auto", strategy="auto", weak="sparse", candidates="auto", member_bags="auto", refine="auto",
                 one_sided=False, mirrored=False, nu="auto", class_weight=None, offset=True, offset_last=False, gap=0.01, stall=3, rounds=1000,
                 random_state=1, n_jobs=None, memory=None, probability=False, time_limit=None, tune=False, grid=None,
                 folds=5, repeats=1, trial_members=None, journal=None, progress=False):
        self.lengths = lengths
        self.normalisation = normalisation
        self.dilation = dilation
        self.differences = differences
        self.channels = channels
        self.tau = tau
        self.standardise = standardise
        self.kernel = kernel
        self.sigma = sigma
        self.sigma_scale = sigma_scale
        self.c = c
        self.degree = degree
        self.band = band
        self.k = k
        self.mismatches = mismatches
        self.lambda_ = lambda_
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

    def fit(self, X, y):
        """Train; the estimator itself."""
        return self._fit(X, y)

    def _arranged(self, X):
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
        return "series", [_unfilled(x) for x in X]


def _unfilled(x):
    """Without the moments at the end that no channel has."""
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


SeriesClassifier.__doc__ = SeriesClassifier.__doc__.format(parameters=parameters_text(SeriesClassifier._kinds))
