# SPDX-License-Identifier: MIT
"""Data frames of pandas and polars, and Arrow tables, as arrays. None of the three is imported: what they hold is asked of the
objects themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._types import Floats, Ids


def _home(values: Any) -> str:
    return type(values).__module__.partition(".")[0]


def is_table(values: Any) -> bool:
    """Whether it has named columns: a data frame of pandas or polars, an Arrow table or record batch."""
    return (_home(values) in ("pandas", "polars") and hasattr(type(values), "columns")
            or _home(values) == "pyarrow" and hasattr(values, "column_names"))


def is_column(values: Any) -> bool:
    """Whether it is one column, or an index, of such a table."""
    home = _home(values)
    return not is_table(values) and (home in ("pandas", "polars") and hasattr(values, "to_numpy")
                                     or home == "pyarrow" and hasattr(values, "to_pylist"))


def table_names(X: Any) -> list[Any] | None:
    """The names of the columns, or None of what has none."""
    if _home(X) == "pyarrow" and is_table(X):
        return [*X.column_names]
    if _home(X) == "polars" and hasattr(X, "collect_schema"):
        return [*X.collect_schema().names()]
    columns = getattr(X, "columns", None)
    return None if columns is None else [*columns]


def _columns(table: Any) -> list[Any]:
    if hasattr(table, "iloc"):
        return [table.iloc[:, k] for k in range(table.shape[1])]
    return [*(table.get_columns() if hasattr(table, "get_columns") else table.columns)]


def column_out(X: Any, name: str) -> tuple[Ids, Any]:
    """A column of a table, as an array, and the table without it."""
    names = table_names(X) if is_table(X) else None
    if names is None or name not in names:
        raise ValueError(f"bags is the text {name!r}: expected the name of a column of a data frame, or an id for each row")
    if hasattr(X, "iloc"):
        return X[name].to_numpy(), X.drop(columns=[name])
    if hasattr(X, "get_columns"):
        return X[name].to_numpy(), X.drop(name)
    return np.asarray(X.column(name).to_pylist()), X.select([other for other in names if other != name])


def rows_of_column(column: Any, what: str) -> Any:
    """The numbers of a column, missing ones as NaN or, where its cells are series of their own, a list of arrays."""
    if (arrays := _arrow_cells(column)) is not None:
        return arrays
    if (cells := _cells(column)) is not None:
        return [_one_cell(cell, f"{what}[{i}]") for i, cell in enumerate(cells)]
    kind = _kind(column)
    if kind == "text":
        return column.to_numpy().tolist() if hasattr(column, "to_numpy") and _home(column) != "pyarrow" else column.to_pylist()
    if kind not in "fiubO":
        raise ValueError(f"{what} holds {getattr(column, 'dtype', getattr(column, 'type', kind))}, expected numbers: encode it first")
    if _home(column) == "polars":
        import polars as pl

        return column.cast(pl.Float64).to_numpy() if kind != "O" else column.to_numpy()
    if _home(column) == "pyarrow":
        if any(part in str(column.type) for part in ("bool", "decimal", "null")):
            return np.array(column.to_pylist(), dtype=np.float64)
        return _arrow_numbers(column)
    if kind == "O":
        return column.to_numpy()
    return column.to_numpy(dtype=np.float64, na_value=np.nan) if column.dtype.kind != "c" else column.to_numpy()


def _kind(column: Any) -> str:
    """As NumPy's dtype.kind; 'text' of texts."""
    if _home(column) == "polars":
        dtype = column.dtype
        if dtype.is_numeric():
            return "f"
        return {"Boolean": "b", "String": "text", "Null": "f"}.get(str(dtype), "O" if str(dtype) == "Object" else "?")
    if _home(column) == "pyarrow":
        name = str(getattr(column.type, "value_type", column.type))  # of a dictionary what it stands for
        if name in ("string", "large_string", "string_view"):
            return "text"
        numbers = ("int", "uint", "float", "halffloat", "double", "bool", "decimal", "null")
        return "f" if name.startswith(numbers) else "?"
    kind = str(column.dtype.kind)
    if str(column.dtype) in ("str", "string") or kind == "O" and len(column) > 0 and all(isinstance(x, str) for x in column):
        return "text"
    return kind


def _arrow_numbers(column: Any) -> Any:
    """A column of Arrow's numbers in NumPy, nulls as NaN: without a copy where it is in one piece and has none."""
    if hasattr(column, "num_chunks"):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column.to_numpy(zero_copy_only=False)


def _arrow_cells(column: Any) -> Any:
    """A column of Arrow's whose cells are lists of numbers, in the memory of the column where nothing is null: an array (n, length)
    if lists have a fixed size, else a list of arrays. None of other columns."""
    if _home(column) != "pyarrow" or column.null_count:
        return None
    import pyarrow as pa

    kind = column.type
    fixed = pa.types.is_fixed_size_list(kind)
    if not (fixed or pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        return None
    if not (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)):
        return None
    chunks = [chunk for chunk in getattr(column, "chunks", [column]) if len(chunk)]
    if fixed:
        rows = [_arrow_numbers(chunk.flatten()).reshape(len(chunk), kind.list_size) for chunk in chunks]
        return rows[0] if len(rows) == 1 else np.concatenate(rows) if rows else np.empty((0, kind.list_size))
    cells = []
    for chunk in chunks:
        values, ends = _arrow_numbers(chunk.values), chunk.offsets.to_numpy()
        cells += [values[begin:end] for begin, end in zip(ends[:-1], ends[1:])]
    return cells


def _cells(column: Any) -> Sequence[Any] | None:
    """The cells of a column if they are series of their own."""
    if _home(column) == "polars":
        return column.to_list() if str(column.dtype).startswith(("List", "Array")) else None
    if _home(column) == "pyarrow":
        return column.to_pylist() if "list" in str(column.type) else None
    if str(getattr(column, "dtype", "")).startswith("list<"):
        return [*column]
    if getattr(column, "dtype", None) == object and any(np.ndim(cell) > 0 for cell in column):
        return [*column]
    return None


def _is_nested(column: Any) -> bool:
    return "list" in str(column.type) if _home(column) == "pyarrow" else _cells(column) is not None


def _one_cell(cell: Any, what: str) -> Floats:
    values = rows_of_column(cell, what) if is_column(cell) else cell
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty((0, 0))
    if array.ndim != 1:
        raise ValueError(f"{what} is {type(cell).__name__}: expected a series of numbers in every cell of the column")
    return array


def rows_of_table(table: Any, what: str) -> Floats:
    """The numbers of a table, a row for each of its rows, missing ones as NaN."""
    names = table_names(table) or []
    if hasattr(table, "collect"):  # lazy
        table = table.collect()
    if hasattr(table, "iloc") and all(getattr(dtype, "kind", "O") in "fiub" for dtype in table.dtypes):
        return np.asarray(table.to_numpy(dtype=np.float64, na_value=np.nan))
    columns = []
    for name, column in zip(names, _columns(table)):
        values = rows_of_column(column, f"column {name!r} of {what}")
        if isinstance(values, list):
            kind = "texts" if values and isinstance(values[0], str) else "series"
            raise ValueError(f"column {name!r} of {what} holds {kind}, expected numbers: encode it first, or leave it out")
        columns.append(values)
    if not columns:
        return np.empty((len(table), 0))
    return np.stack(columns, axis=1)


def examples_of_table(table: Any, across: bool) -> Any:
    """The examples in a table: an array with a row for each; a list of arrays (channels, length) where cells are series; or, of a
    frame of pandas with two levels of index (example, then time step or instance), a list of arrays."""
    if hasattr(table, "collect"):  # lazy
        table = table.collect()
    index: Any = getattr(table, "index", None)
    if getattr(index, "nlevels", 1) > 2:
        raise ValueError(f"X has an index of {index.nlevels} levels: expected two, the example and the time step or instance")
    if getattr(index, "nlevels", 1) == 2:
        rows = rows_of_table(table, "X")
        ids = index.get_level_values(0).to_numpy()
        bags = [rows[places] for places in rows_of_ids(ids)]
        return [np.ascontiguousarray(bag.T) for bag in bags] if across else bags
    nested = [_is_nested(column) for column in _columns(table)]
    if not any(nested):
        return rows_of_table(table, "X")
    names = table_names(table) or []
    if not all(nested):
        raise ValueError(f"column {names[nested.index(False)]!r} of X holds numbers where others hold series: expected series in "
                         "every column, a column for each channel")
    channels = [rows_of_column(column, f"column {name!r} of X") for name, column in zip(names, _columns(table))]
    if all(isinstance(channel, np.ndarray) for channel in channels) and len({channel.shape for channel in channels}) == 1:
        return channels[0] if len(channels) == 1 else np.stack(channels, axis=1)
    return [_side_by_side(series) for series in zip(*channels)]


def _side_by_side(channels: Sequence[Floats]) -> Floats:
    """Channels as rows; shorter ones end in NaN."""
    if len(channels) == 1:
        return channels[0][None, :]
    result = np.full((len(channels), max(map(len, channels))), np.nan)
    for row, channel in zip(result, channels):
        row[: len(channel)] = channel
    return result


def numbered(ids: Ids) -> tuple[Any, Any]:
    """The row in which each distinct id first occurs, in that order, and for each row the number of its id among them."""
    _, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[inverse.reshape(-1)]


def rows_of_ids(ids: Ids) -> list[Any]:
    """The rows of each distinct id, in the order in which the ids first occur."""
    if len(ids) == 0:
        return []
    number = numbered(ids)[1]
    return np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))[:-1])
