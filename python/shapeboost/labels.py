# SPDX-License-Identifier: MIT
"""Labels of any type to the class names of a model, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._types import Labels, Places
from .scikit import warning_class
from .tables import is_column


def as_labels(y: Any, count: int) -> Labels:
    """The labels as a one-dimensional array, from a list, NumPy, pandas, polars or Arrow."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None: give the labels, fit(X, y)")
    if is_column(y):
        y = y.to_pylist() if hasattr(y, "to_pylist") else y.to_numpy()
    elif hasattr(y, "to_numpy") and not isinstance(y, np.ndarray):
        y = y.to_numpy()
    return _checked(np.asarray(y), count)


def _checked(y: Labels, count: int) -> Labels:
    if y.ndim == 2 and y.shape[1] == 1:
        import warnings

        warnings.warn("A column-vector y was passed when a 1d array was expected. Please use y.ravel().",
                      warning_class("DataConversionWarning"), stacklevel=4)
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(f"y has shape {y.shape}: expected one label for each example, shape ({count},)")
    if len(y) != count:
        raise ValueError(f"X and y have inconsistent numbers of samples: {count} examples and {len(y)} labels; "
                         "give one label for each example")
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise ValueError("y contains NaN or infinity: leave examples without a label out")
        if (y != np.floor(y)).any():
            raise ValueError("Unknown label type: continuous. Labels name classes; round or bin the numbers")
    elif y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers; give labels")
    elif y.dtype.kind == "O":
        missing = [i for i, label in enumerate(y) if label is None or not _is_itself(label)]
        if missing:
            raise ValueError(f"y[{missing[0]}] is missing: leave examples without a label out")
        if not all(isinstance(label, type(y[0])) for label in y):
            y = np.array([str(label) for label in y])
        elif isinstance(y[0], str):
            y = y.astype(str)
    return y


def _is_itself(label: Any) -> bool:
    """Whether it equals itself, as NaN and pandas' NA do not."""
    try:
        return bool(label == label)
    except TypeError:
        return False


def spelled(label: Any) -> str:
    """A label as text, as a file holds it."""
    if isinstance(label, bytes):
        return label.decode()
    if isinstance(label, (float, np.floating)):
        return repr(float(label))
    return str(label)


def classes_of(y: Labels) -> tuple[Labels, list[str]]:
    """The classes, sorted, and the text of each label. Labels that a model file could not tell apart are refused."""
    classes, places = np.unique(y, return_inverse=True)
    names = [spelled(label) for label in classes]
    seen: dict[str, Any] = {}
    for label, name in zip(classes, names):
        canonical = _core.canonical_label(name)
        if canonical == "":
            raise ValueError(f"y holds the label {label!r}, which is blank: give every class a name")
        if canonical in seen:
            raise ValueError(f"the labels {seen[canonical]!r} and {label!r} are one and the same in a model, "
                             f"{canonical}: rename one")
        seen[canonical] = label
    return classes, [names[k] for k in places.reshape(-1)]


def kind_of_labels(classes: Labels) -> str:
    """What a model file calls the type of the labels, so that they come back as they were; empty where their names tell."""
    guessed = classes_from([_core.canonical_label(spelled(label)) for label in classes])
    if guessed.dtype.kind == classes.dtype.kind:
        return ""
    return {"U": "text", "S": "text", "O": "text", "b": "boolean", "f": "number"}.get(classes.dtype.kind, "integer")


def classes_from(names: Sequence[str], kind: str = "") -> Labels:
    """The classes of a loaded model, sorted. Where its file does not tell their kind, as of the command line, numbers or truth values
    where all names are, else texts."""
    if kind == "text":
        return np.unique(np.array(names))
    numbers: dict[str, tuple[type[int] | type[float], ...]] = {"integer": (int,), "number": (float,), "boolean": ()}
    for number in numbers.get(kind, (int, float)):
        try:
            return np.unique(np.array([number(name) for name in names]))
        except ValueError:
            pass
    if set(names) <= {"False", "True"}:
        return np.unique(np.array([name == "True" for name in names]))
    return np.unique(np.array(names))


def places_in(classes: Labels, names: Iterable[str]) -> Places:
    """For each of a model's classes, by name, its index in `classes`."""
    known = {_core.canonical_label(spelled(label)): k for k, label in enumerate(classes)}
    return np.array([known[name] for name in names])
