# SPDX-License-Identifier: MIT
"""What an estimator that lacks something says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from . import _core
from ._types import Floats

if TYPE_CHECKING:
    from .estimator import Estimator


class NotAvailable(AttributeError, ValueError):
    """Asked for what this estimator was not told to learn."""


class needs_probability:  # noqa: N801, used as a decorator
    """A method that exists only where probabilities were asked for, or learned."""

    def __init__(self, method: Callable[..., Floats]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, estimator: None, owner: type[Any]) -> Callable[..., Floats]: ...

    @overload
    def __get__(self, estimator: Estimator, owner: type[Any] | None = None) -> Callable[..., Floats]: ...

    def __get__(self, estimator: Estimator | None, owner: type[Any] | None = None) -> Callable[..., Floats]:
        if estimator is None:
            return self.method
        fitted: _core.Model | None = estimator.__dict__.get("model_")
        if fitted is not None and not fitted.calibrated or fitted is None and not estimator.probability:
            raise NotAvailable(f"{self.method.__name__} needs probabilities, which were not learned: fit with "
                               f"{type(estimator).__name__}(probability=True)")
        bound: Callable[..., Floats] = self.method.__get__(estimator, owner)
        return bound


class NotFitted(ValueError, AttributeError):
    """As scikit-learn's NotFittedError."""


def not_fitted(name: str) -> Exception:
    sentence = f"This {name} instance is not fitted yet: call fit(X, y), or load a model, before this method"
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return NotFitted(sentence)
    fault: Exception = NotFittedError(sentence)
    return fault
