# SPDX-License-Identifier: MIT
"""Whatever users have to the arrays that the library reads. Nothing is copied that is already right."""

import os

import numpy as np


def load_arrays(X):
    """A path to a .npy or .npz file as its array (of .npz, `X` or the only one); anything else as it is."""
    if not isinstance(X, (str, os.PathLike)):
        return X
    path = os.fspath(X)
    if not path.endswith((".npy", ".npz")):
        raise ValueError(f"X is the path {path!r}: expected a .npy or .npz file; shapeboost.read(path) reads others")
    loaded = np.load(path, allow_pickle=False)
    if path.endswith(".npy"):
        return loaded
    with loaded:
        names = loaded.files
        if "X" not in names and len(names) != 1:
            raise ValueError(f"{path} holds {', '.join(names)}: expected one array, or one called X")
        return loaded["X" if "X" in names else names[0]]


def feature_names(X):
    """The names of a data frame's columns, where all are text; else None."""
    columns = getattr(X, "columns", None)
    if columns is None:
        return None
    names = [*columns]
    if all(isinstance(name, str) for name in names):
        return np.asarray(names, dtype=object)
    if any(isinstance(name, str) for name in names):
        raise TypeError("Feature names are only supported if all input features have string names, but your input "
                        "has several types as feature name / column name types: rename the columns")
    return None


class NotNumbers(TypeError, ValueError):
    """What cannot be turned into numbers: a fault of the value, which scikit-learn calls one of the type."""


def as_numbers(values, what):
    """C-ordered float64, the memory itself where it is that already."""
    if hasattr(values, "toarray"):
        raise NotNumbers(f"{what} is sparse: dense data is required; convert it by {what}.toarray()")
    if hasattr(values, "to_numpy") and not isinstance(values, np.ndarray):
        values = values.to_numpy()
    try:
        array = np.asarray(values)
        if array.dtype == object and any(isinstance(value, complex) for value in array.flat):
            array = array.astype(complex)
        if array.dtype.kind == "c":
            raise ValueError(f"Complex data not supported: {what} holds complex numbers")
        if array.dtype.kind not in "fiub" and array.dtype.kind != "O":
            raise ValueError(f"{what} holds {array.dtype}, expected numbers: encode it first")
        return np.ascontiguousarray(array, dtype=np.float64) if array.ndim else array
    except (TypeError, ValueError) as fault:
        if "Complex data" in str(fault) or "expected numbers" in str(fault):
            raise
        if "inhomogeneous" in str(fault) or "setting an array element" in str(fault):
            raise ValueError(f"{what} is ragged: expected rows of one length; unequal series or bags go in a list of "
                             "arrays") from None
        raise NotNumbers(f"{what}: expected numbers: {fault}") from None


def is_ragged_list(X):
    """A list (or an array of objects) of examples, and not the rows of one array."""
    if isinstance(X, np.ndarray):
        return X.dtype == object and X.ndim == 1 and len(X) > 0 and np.ndim(X[0]) > 0
    if not isinstance(X, (list, tuple)) or len(X) == 0:
        return False
    return any(np.ndim(x) > 0 and hasattr(x, "shape") for x in X) or len({_size(x) for x in X}) > 1


def _size(x):
    return len(x) if isinstance(x, (list, tuple)) else -1


def check_some(X):
    """At least one example; scikit-learn's words where it asks for them."""
    if np.ndim(X) == 0:
        raise ValueError("Expected 2D array, got scalar array instead: X must hold several examples. "
                         "Reshape your data")
    if len(X) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: X has no example")
