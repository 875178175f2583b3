# SPDX-License-Identifier: MIT
"""SeriesClassifier as an sktime classifier: `from shapeboost.sktime import ShapeboostClassifier`."""

from __future__ import annotations

from typing import Any, ClassVar

from sktime.classification.base import BaseClassifier

from .adapters import SeriesAdapter


class ShapeboostClassifier(SeriesAdapter, BaseClassifier):  # type: ignore[misc]  # no types there
    """SeriesClassifier as an sktime classifier, with its parameters. `predict_proba` is 1 for the predicted class, as sktime has
    it, unless `probability=True` has probabilities learned.

    >>> import shapeboost
    >>> from shapeboost.sktime import ShapeboostClassifier
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = ShapeboostClassifier(members=1).fit(X[:, None, :], y)
    >>> model.predict(X[:, None, :]).shape
    (20,)
    """

    _tags: ClassVar[dict[str, Any]] = {
        "X_inner_mtype": ["df-list", "numpy3D"],
        "capability:multivariate": True,
        "capability:unequal_length": True,
        "capability:missing_values": True,
        "capability:predict_proba": True,
        "capability:multithreading": True,
        "capability:random_state": True,
    }

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> Any:
        return [{"members": 1}, {"members": 2, "nu": 0.3}]
