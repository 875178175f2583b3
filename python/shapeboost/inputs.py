# SPDX-License-Identifier: MIT
"""What users pass as X, converted to the arrays that the library reads. Arrays that already fit are not copied."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from ._types import Floats, Labels, Path
from .tables import examples_of_table, is_column, is_table, rows_of_column, rows_of_table, table_names

_EXPECTED = ("an array, a list of arrays, a sparse matrix, a data frame of pandas or polars, an Arrow table, or the path of "
             "a .npy or .npz file")


def opened(X: Any, across: bool) -> Any:
    """X as an array, a sparse matrix or a list of examples: files are read, frames and tables become what they hold. `across`: in
    the frame of a single example the rows are time steps."""
    if isinstance(X, (str, os.PathLike)):
        return _loaded(os.fspath(X))
    if isinstance(X, np.ma.MaskedArray):
        return _filled(X)
    if is_table(X):
        return examples_of_table(X, across)
    if is_column(X):
        return rows_of_column(X, "X")
    if isinstance(X, (list, tuple)):
        if any(is_table(x) for x in X):
            return [_one_table(x, f"X[{i}]", across) for i, x in enumerate(X)]
        if any(is_column(x) for x in X):
            return [rows_of_column(x, f"X[{i}]") if is_column(x) else x for i, x in enumerate(X)]
        return X
    if isinstance(X, np.ndarray) or np.isscalar(X) or is_sparse(X) or isinstance(X, SparseBags):
        return X
    if hasattr(X, "__array__") or hasattr(X, "__array_interface__"):
        return np.asarray(X)
    if hasattr(X, "__dlpack__"):
        return np.from_dlpack(X)
    raise ValueError(f"X is {_a(type(X).__name__)}: expected {_EXPECTED}")


def file_to_read(path: Path) -> str:
    """The path as text; of what is not there the error that Python has for it."""
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return path


def file_to_write(path: Path) -> str:
    """The path as text; where its folder is not there, the error that Python has for it."""
    path = os.fspath(path)
    file_to_read(os.path.dirname(path) or os.curdir)
    return path


def _filled(masked: Any) -> Floats:
    """NaN for what is masked."""
    filled: Floats = masked.astype(np.float64).filled(np.nan)
    return filled


def _one_table(x: Any, what: str, across: bool) -> Any:
    if not is_table(x):
        return x
    rows = rows_of_table(x, what)
    return np.ascontiguousarray(rows.T) if across else rows


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


def _loaded(path: str) -> Any:
    """The array in a .npy or .npz file (in .npz `X`, or the only one)."""
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


def feature_names(X: Any) -> Labels | None:
    """The column names of a data frame or table if all are texts, else None."""
    names = table_names(X)
    if names is None:
        return None
    if all(isinstance(name, str) for name in names):
        return np.asarray(names, dtype=object)
    if any(isinstance(name, str) for name in names):
        raise TypeError("Feature names are only supported if all input features have string names, but your input "
                        "has several types as feature name / column name types: rename the columns")
    return None


def check_feature_names(names: Labels | None, fitted: Labels | None, estimator: str) -> None:
    """Compares the feature names of new data with those that the estimator was fitted with, in scikit-learn's words."""
    if fitted is None:
        if names is not None:
            warnings.warn(f"X has feature names, but {estimator} was fitted without feature names", stacklevel=5)
    elif names is None:
        warnings.warn(f"X does not have valid feature names, but {estimator} was fitted with feature names",
                      stacklevel=5)
    elif [*names] != [*fitted]:
        lines = ["The feature names should match those that were passed during fit."]
        unseen = sorted(set(names) - set(fitted))
        missing = sorted(set(fitted) - set(names))
        if unseen:
            lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen)]
        if missing:
            lines += ["Feature names seen at fit time, yet now missing:", *(f"- {name}" for name in missing)]
        if not unseen and not missing:
            lines.append("Feature names must be in the same order as they were in fit.")
        raise ValueError("\n".join(lines) + "\n")


class NotNumbers(TypeError, ValueError):
    """What cannot be converted to numbers. scikit-learn expects a TypeError; the fault is the value's."""


def is_sparse(values: Any) -> bool:
    """Whether it is a sparse matrix of SciPy's, whichever layout."""
    return hasattr(values, "tocsr") and hasattr(values, "nnz")


class SparseBags:
    """The rows of a sparse matrix as bags, `sizes` rows to a bag, one bag after the other."""

    def __init__(self, rows: Any, sizes: npt.ArrayLike) -> None:
        self.sizes = np.asarray(sizes, dtype=np.int64)
        if rows.shape[1] == 0:
            raise ValueError(f"0 feature(s) (shape={rows.shape}) while a minimum of 1 is required: instances need "
                             "features")
        if rows.dtype.kind == "c":
            raise ValueError("Complex data not supported: X holds complex numbers")
        if rows.dtype.kind not in "fiub":
            raise NotNumbers(f"X holds {rows.dtype}, expected numbers: encode it first")
        rows = rows.tocsr()
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        self.width = int(rows.shape[1])
        self.starts = rows.indptr.astype(np.int64)
        self.indices = rows.indices.astype(np.int32)
        self.values = rows.data.astype(np.float64)

    @classmethod
    def of(cls, X: Any) -> SparseBags:
        """Of a sparse matrix, each row a bag, or of a list of them, each a bag."""
        if is_sparse(X):
            if X.ndim != 2:
                raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X must be a sparse matrix (n, d)")
            check_some(np.empty((X.shape[0], 0)))
            return cls(X, np.ones(X.shape[0], dtype=np.int64))
        from scipy.sparse import csr_matrix, vstack

        width = X[0].shape[1] if np.ndim(X[0]) == 2 or is_sparse(X[0]) else 0
        for i, bag in enumerate(X):
            if bag.shape[0] == 0:
                raise ValueError(f"X[{i}] is an empty bag: leave it out, and its label")
            if bag.shape[1] != width:
                raise ValueError(f"X[{i}] has {bag.shape[1]} features, X[0] has {width}: expected the same number")
        return cls(vstack([csr_matrix(bag) for bag in X], format="csr"), [bag.shape[0] for bag in X])

    def __len__(self) -> int:
        return len(self.sizes)


def as_numbers(values: Any, what: str) -> Floats:
    """The values as C-ordered float64, without a copy where they are that already."""
    if hasattr(values, "toarray"):
        raise NotNumbers(f"{what} is sparse: dense data is required; convert it by {what}.toarray()")
    if isinstance(values, np.ma.MaskedArray):
        values = _filled(values)
    if is_table(values):
        values = rows_of_table(values, what)
    elif is_column(values):
        values = rows_of_column(values, what)
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


def as_matrix(values: Any, what: str) -> Floats:
    """as_numbers(), of rows and columns."""
    array = as_numbers(values, what)
    if array.ndim != 2:
        raise ValueError(f"{what}: expected rows and columns, found an array of {array.ndim} dimensions")
    return array


def is_ragged_list(X: Any) -> TypeGuard[Sequence[Any]]:
    """Whether X is a list (or an object array) of examples rather than the rows of one array."""
    if isinstance(X, np.ndarray):
        return X.dtype == object and X.ndim == 1 and len(X) > 0 and np.ndim(X[0]) > 0
    if not isinstance(X, (list, tuple)) or len(X) == 0:
        return False
    return any(np.ndim(x) > 0 and hasattr(x, "shape") for x in X) or len({_size(x) for x in X}) > 1


def _size(x: Any) -> int:
    return len(x) if isinstance(x, (list, tuple)) else -1


def check_some(X: Any) -> None:
    """Raises unless there is at least one example; scikit-learn's checks want these words."""
    if np.ndim(X) == 0:
        raise ValueError("Expected 2D array, got scalar array instead: X must hold several examples. "
                         "Reshape your data")
    if len(X) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: X has no example")
