# SPDX-License-Identifier: MIT
"""What users pass as X, converted to the arrays that the library reads. Arrays that already fit are not copied."""

import os
import warnings

import numpy as np


def load_arrays(X):
    """The array in a .npy or .npz file (in .npz `X`, or the only one) if X is a path; else X itself."""
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
    """The column names of a data frame if all are texts, else None."""
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


def check_feature_names(names, fitted, estimator):
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


def is_sparse(values):
    """Whether it is a sparse matrix of SciPy's, whichever layout."""
    return hasattr(values, "tocsr") and hasattr(values, "nnz")


class SparseBags:
    """The rows of a sparse matrix as bags, `sizes` rows to a bag, one bag after the other."""

    def __init__(self, rows, sizes):
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
        self.width = rows.shape[1]
        self.starts = rows.indptr.astype(np.int64)
        self.indices = rows.indices.astype(np.int32)
        self.values = rows.data.astype(np.float64)

    @classmethod
    def of(cls, X):
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

    def __len__(self):
        return len(self.sizes)


def as_numbers(values, what):
    """The values as C-ordered float64, without a copy where they are that already."""
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


def as_matrix(values, what):
    """as_numbers(), of rows and columns."""
    array = as_numbers(values, what)
    if array.ndim != 2:
        raise ValueError(f"{what}: expected rows and columns, found an array of {array.ndim} dimensions")
    return array


def is_ragged_list(X):
    """Whether X is a list (or an object array) of examples rather than the rows of one array."""
    if isinstance(X, np.ndarray):
        return X.dtype == object and X.ndim == 1 and len(X) > 0 and np.ndim(X[0]) > 0
    if not isinstance(X, (list, tuple)) or len(X) == 0:
        return False
    return any(np.ndim(x) > 0 and hasattr(x, "shape") for x in X) or len({_size(x) for x in X}) > 1


def _size(x):
    return len(x) if isinstance(x, (list, tuple)) else -1


def check_some(X):
    """Raises unless there is at least one example; scikit-learn's checks want these words."""
    if np.ndim(X) == 0:
        raise ValueError("Expected 2D array, got scalar array instead: X must hold several examples. "
                         "Reshape your data")
    if len(X) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: X has no example")
