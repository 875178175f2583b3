# SPDX-License-Identifier: MIT
"""Classify time series and bags by the short patterns that tell the classes apart.

>>> import shapeboost
>>> X, y = shapeboost.planted_series(40, random_state=1)
>>> model = shapeboost.SeriesClassifier(members=1).fit(X, y)
>>> model.score(*shapeboost.planted_series(40, random_state=2)) > 0.9
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _processor

__path__[:0] = _processor.folders()  # before the compiled module is looked for

from . import _core
from .bags import BagClassifier
from .data import planted_bags, planted_series, read
from .estimator import load
from .patterns import Hypothesis, Instance
from .series import SeriesClassifier

if TYPE_CHECKING:
    from .plots import plot_explanation, plot_history, plot_shapelets

__version__ = _core.version

_PLOTS = ("plot_shapelets", "plot_explanation", "plot_history")

__all__ = ["BagClassifier", "Hypothesis", "Instance", "SeriesClassifier", "load", "planted_bags", "planted_series",
           "plot_explanation", "plot_history", "plot_shapelets", "read"]


def __getattr__(name: str) -> object:
    # Plots need matplotlib, which is slow to import and not always installed.
    if name in _PLOTS:
        from . import plots

        found: object = getattr(plots, name)
        return found
    raise AttributeError(f"module 'shapeboost' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLOTS])
