# SPDX-License-Identifier: MIT
"""The classifier of series as an estimator of sktime's: `from shapeboost.sktime import ShapeboostClassifier`."""

from sktime.classification.base import BaseClassifier

from .series import SeriesClassifier


class ShapeboostClassifier(BaseClassifier):
    """SeriesClassifier for sktime. `settings` are its parameters, as a dict.

    >>> import shapeboost
    >>> from shapeboost.sktime import ShapeboostClassifier
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = ShapeboostClassifier({"members": 1}).fit(X[:, None, :], y)
    >>> model.predict(X[:, None, :]).shape
    (20,)
    """

    _tags = {
        "X_inner_mtype": "numpy3D",
        "capability:multivariate": True,
        "capability:predict_proba": True,
        "capability:multithreading": True,
        "capability:random_state": True,
    }

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

    @classmethod
    def get_test_params(cls, parameter_set="default"):
        return [{"settings": {"members": 1}}, {"settings": {"members": 2, "nu": 0.3}}]
