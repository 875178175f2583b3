# SPDX-License-Identifier: MIT
"""SeriesClassifier as an aeon classifier: `from shapeboost.aeon import ShapeboostClassifier`."""

from __future__ import annotations

from typing import Any, ClassVar

from aeon.classification.base import BaseClassifier

from .adapters import SeriesAdapter, with_defaults
from .series import SeriesParameters


class ShapeboostClassifier(SeriesAdapter, BaseClassifier):  # type: ignore[misc]  # no types there
    """SeriesClassifier as an aeon classifier, with its parameters. `predict_proba` is 1 for the predicted class, as aeon has it,
    unless `probability=True` has probabilities learned.

    >>> import shapeboost
    >>> from shapeboost.aeon import ShapeboostClassifier
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = ShapeboostClassifier(members=1).fit(X, y)
    >>> model.predict(X).shape
    (20,)
    """

    _tags: ClassVar[dict[str, Any]] = {
        "X_inner_type": ["np-list", "numpy3D"],
        "algorithm_type": "shapelet",
        "capability:multivariate": True,
        "capability:unequal_length": True,
        "capability:missing_values": True,
        "capability:multithreading": True,
    }

    __init__ = with_defaults(SeriesParameters.__init__, n_jobs=1)  # aeon wants threads to be asked for

    @classmethod
    def _get_test_params(cls, parameter_set: str = "default") -> dict[str, Any]:
        return {"members": 2}
