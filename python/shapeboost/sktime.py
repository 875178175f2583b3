# SPDX-License-Identifier: MIT
"""SeriesClassifier as an sktime classifier: `from shapeboost.sktime import ShapeboostClassifier`."""

from sktime.classification.base import BaseClassifier

from .series import SeriesAdapter


class ShapeboostClassifier(SeriesAdapter, BaseClassifier):
    """SeriesClassifier as an sktime classifier. `settings` is a dict of its parameters.

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

    @classmethod
    def get_test_params(cls, parameter_set="default"):
        return [{"settings": {"members": 1}}, {"settings": {"members": 2, "nu": 0.3}}]
