# SPDX-License-Identifier: MIT
"""SeriesClassifier as an aeon classifier: `from shapeboost.aeon import ShapeboostClassifier`."""

from aeon.classification.base import BaseClassifier

from .series import SeriesAdapter


class ShapeboostClassifier(SeriesAdapter, BaseClassifier):
    """SeriesClassifier as an aeon classifier. `settings` is a dict of its parameters.

    >>> import shapeboost
    >>> from shapeboost.aeon import ShapeboostClassifier
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = ShapeboostClassifier({"members": 1}).fit(X, y)
    >>> model.predict(X).shape
    (20,)
    """

    _tags = {
        "X_inner_type": ["np-list", "numpy3D"],
        "algorithm_type": "shapelet",
        "capability:multivariate": True,
        "capability:unequal_length": True,
        "capability:missing_values": True,
        "capability:multithreading": True,
    }

    @classmethod
    def _get_test_params(cls, parameter_set="default"):
        return {"settings": {"members": 2}}
