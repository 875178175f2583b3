# SPDX-License-Identifier: MIT
"""Data from files, and synthetic data to try things on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._types import Floats, Labels, Path
from .inputs import file_to_read, opened
from .labels import classes_from, spelled
from .tables import table_names


def _as_arrays(kind: str, examples: Sequence[Any], names: Sequence[str]) -> tuple[Any, Any]:
    """An array if all examples have the same shape, else a list; labels as numbers if all are."""
    X: Any
    if kind == "sequences":
        X = [text.decode("latin-1") for text in examples]
    elif any(isinstance(example, tuple) for example in examples):
        from scipy.sparse import csr_matrix

        X = [csr_matrix((values, columns, starts), shape=(len(starts) - 1, width))
             for starts, columns, values, width in examples]
    elif len({example.shape for example in examples}) == 1 and kind == "series":
        X = np.stack(examples)
        X = X[:, 0, :] if X.shape[1] == 1 else X
    else:
        X = [example[0] if kind == "series" and len(example) == 1 else example for example in examples]
    if not any(names):
        return X, None
    classes = {_core.canonical_label(spelled(label)): label for label in classes_from(sorted(set(names) - {""}))}
    if "" in names:
        return X, np.array([classes.get(name) for name in names], dtype=object)
    return X, np.array([classes[name] for name in names])


def _read_parquet(path: str, label: str | None) -> tuple[Any, Any]:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise ImportError(f"{path}: Parquet files need pyarrow: pip install pyarrow") from None
    table = parquet.read_table(path, memory_map=True)
    if label is None:
        return opened(table, True), None
    names = table_names(table) or []
    if label not in names:
        raise ValueError(f"label: {path} has no column {label!r}: expected one of {', '.join(map(repr, names[:10]))}"
                         f"{', ...' if len(names) > 10 else ''}")
    y = table.column(label)
    return opened(table.drop_columns([label]), True), np.array(y.to_pylist(), dtype=object if y.null_count else None)


def read(path: Path, format: str = "auto", label: str | None = None) -> tuple[Any, Any]:
    """Read a data file in any format of the command line; returns (X, y) as the estimators take them.

    Series are returned as an array (n, length) or (n, channels, length), or as a list where their lengths differ; bags
    as a list of arrays (n_i, d), or of sparse matrices of SciPy where an svmlight file has many features; sequences of
    symbols as a list of texts. y is None if the file has no labels.
    `format` is `auto`, `ucr`, `ts`, `mil`, `arff`, `c45`, `svmlight`, `tab` or `fasta`; NumPy's `.npy` files are known by their name.

    A Parquet file, `.parquet`, is read through Arrow: a row for each series, whose columns are time steps or, where the cells are lists,
    channels. `label` is the column that y is taken from. Numbers of single precision stay so in X.

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "tiny.tsv"
    >>> _ = path.write_text("1\\t0.5\\t0.25\\n2\\t1\\t2\\n")
    >>> read(path)
    (array([[0.5 , 0.25],
           [1.  , 2.  ]]), array([1, 2]))
    >>> folder.cleanup()
    """
    parquet = os.fspath(path).endswith(".parquet") and format == "auto"
    if label is not None and not parquet:
        raise ValueError(f"label: {path} says itself where its labels are; the column is for Parquet files")
    path = file_to_read(path)
    return _read_parquet(path, label) if parquet else _as_arrays(*_core.read(path, format))


def planted_series(examples: int = 60, length: int = 150, noise: float = 0.2, random_state: int = 1) -> tuple[Floats, Labels]:
    """Synthetic series, (X, y): smooth noise, with a pattern specific to the class at a random position.

    >>> X, y = planted_series(10, length=60)
    >>> X.shape, sorted(set(y.tolist()))
    ((10, 60), ['gesture', 'rest'])
    """
    return _as_arrays(*_core.planted("series", examples, length, 1, noise, random_state))


def planted_bags(examples: int = 60, length: int = 10, features: int = 8, noise: float = 0.2,
                 random_state: int = 1) -> tuple[list[Floats], Labels]:
    """Synthetic bags, (X, y): about `length` random vectors each; in class `active` one is near a fixed concept.

    >>> X, y = planted_bags(10)
    >>> len(X), X[0].shape[1], sorted(set(y.tolist()))
    (10, 8, ['active', 'inactive'])
    """
    return _as_arrays(*_core.planted("bags", examples, length, features, noise, random_state))
