# SPDX-License-Identifier: MIT
"""SeriesClassifier for packages with base classes of their own."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ._types import Floats, Labels
from .series import SeriesClassifier, SeriesParameters

if TYPE_CHECKING:
    from typing_extensions import Self


def with_defaults(init: Callable[..., None], **defaults: Any) -> Callable[..., None]:
    """The same function with other defaults for some of its keyword arguments."""
    assert isinstance(init, FunctionType)
    copy = FunctionType(init.__code__, init.__globals__, init.__name__, init.__defaults__, init.__closure__)
    copy.__kwdefaults__ = {**(init.__kwdefaults__ or {}), **defaults}
    copy.__annotations__ = dict(init.__annotations__)
    copy.__qualname__ = init.__qualname__
    return copy


class SeriesAdapter(SeriesParameters):
    """Stands before the package's base among a class's bases, and has the parameters of SeriesClassifier."""

    classifier_: SeriesClassifier
    probability: bool

    def _fit(self, X: Any, y: Any) -> Self:
        given = {name: getattr(self, name) for name in signature(SeriesClassifier).parameters}
        self.classifier_ = SeriesClassifier(**given).fit(X, y)
        return self

    def _predict(self, X: Any) -> Labels:
        return self.classifier_.predict(X)

    def _predict_proba(self, X: Any) -> Floats:
        if self.probability:
            return self.classifier_.predict_proba(X)
        certain: Floats = super()._predict_proba(X)  # type: ignore[misc]  # the package's own: 1 for the predicted class
        return certain
