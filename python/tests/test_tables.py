# SPDX-License-Identifier: MIT
"""What people have their data in: frames, tables, nested cells, lists; lengths differ and values are missing in all of them."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import shapeboost
from shapeboost import BagClassifier, SeriesClassifier, planted_bags, planted_series
from shapeboost.inputs import opened

QUICK = {"members": 1, "refine": "no", "random_state": 1}
X, Y = planted_series(24, length=60, random_state=1)
GAPS = X.copy()
GAPS[::3, 5:9] = np.nan
GAPS[1::4, 50:] = np.nan  # at the end of a series: it is shorter
NAMES = [f"t{k}" for k in range(60)]
RAGGED = [x[: 60 - i % 7] for i, x in enumerate(GAPS)]
SECOND = [np.random.default_rng(i).normal(size=len(x)) for i, x in enumerate(RAGGED)]
BOTH = [np.stack(pair) for pair in zip(RAGGED, SECOND)]


def scores(given, **more):
    return SeriesClassifier(**QUICK).fit(given, Y, **more).decision_function(given).tolist()


def with_none(rows):
    return [[None if np.isnan(value) else float(value) for value in row] for row in rows]


FRAME = pd.DataFrame(GAPS, columns=NAMES)
ARROW = pa.table({name: pa.array(column, from_pandas=True) for name, column in zip(NAMES, GAPS.T)})
WIDE = {
    "pandas": FRAME,
    "pandas, nullable": FRAME.convert_dtypes(),
    "pandas on Arrow": ARROW.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame(GAPS, schema=NAMES),
    "polars, nulls": pl.from_arrow(ARROW),
    "polars, lazy": pl.from_arrow(ARROW).lazy(),
    "Arrow table": ARROW,
    "Arrow batch": ARROW.combine_chunks().to_batches()[0],
    "masked": np.ma.masked_invalid(GAPS),
    "lists": with_none(GAPS),
    "objects": np.array(with_none(GAPS), dtype=object),
}


@pytest.mark.parametrize("name", WIDE)
def test_a_row_a_series(name):
    given = WIDE[name]
    assert scores(given) == scores(GAPS)
    model = SeriesClassifier(**QUICK).fit(given, Y)
    assert model.n_features_in_ == 60
    assert [*getattr(model, "feature_names_in_", [])] == (NAMES if name.startswith(("pandas", "polars", "Arrow")) else [])


def test_numbers_of_any_type():
    whole = np.round(10 * X)
    frame = pd.DataFrame(whole, columns=NAMES).astype("Int64")
    frame.iloc[3, 7] = pd.NA
    frame["t0"] = frame["t0"] > 0
    expected = whole.copy()
    expected[3, 7] = np.nan
    expected[:, 0] = whole[:, 0] > 0
    for given in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        assert scores(given) == scores(expected)


NESTED = {
    "pandas, Series": pd.DataFrame({"a": [pd.Series(x) for x in RAGGED]}),
    "pandas, arrays": pd.DataFrame({"a": RAGGED}),
    "pandas, lists": pd.DataFrame({"a": with_none(RAGGED)}),
    "pandas column": pd.Series(RAGGED),
    "pandas on Arrow": pd.DataFrame({"a": pd.Series(with_none(RAGGED), dtype=pd.ArrowDtype(pa.list_(pa.float64())))}),
    "polars": pl.DataFrame({"a": with_none(RAGGED)}),
    "polars column": pl.Series(with_none(RAGGED)),
    "Arrow": pa.table({"a": with_none(RAGGED)}),
    "Arrow column": pa.chunked_array([with_none(RAGGED)[:10], with_none(RAGGED)[10:]]),
    "list of columns": [pd.Series(x) for x in RAGGED],
    "list of polars columns": [pl.Series(with_none([x])[0]) for x in RAGGED],
    "list of Arrow columns": [pa.array(with_none([x])[0]) for x in RAGGED],
    "list of lists": with_none(RAGGED),
    "objects": np.array([*RAGGED, None], dtype=object)[:-1],
}


@pytest.mark.parametrize("name", NESTED)
def test_a_cell_a_series(name):
    assert scores(NESTED[name]) == scores(RAGGED)


def long_frame(examples, columns):
    return pd.concat([pd.DataFrame(one.T, columns=columns) for one in examples], keys=[f"s{i}" for i in range(len(examples))])


CHANNELS = {
    "nested pandas": pd.DataFrame({"left": [pd.Series(x) for x in RAGGED], "right": [pd.Series(x) for x in SECOND]}),
    "nested polars": pl.DataFrame({"left": with_none(RAGGED), "right": with_none(SECOND)}),
    "nested Arrow": pa.table({"left": with_none(RAGGED), "right": with_none(SECOND)}),
    "list of pandas": [pd.DataFrame(one.T, columns=["left", "right"]) for one in BOTH],
    "list of polars": [pl.DataFrame(one.T, schema=["left", "right"]) for one in BOTH],
    "list of Arrow": [pa.table({"left": one[0], "right": one[1]}) for one in BOTH],
    "two levels": long_frame(BOTH, ["left", "right"]),
}


@pytest.mark.parametrize("name", CHANNELS)
def test_channels(name):
    given = CHANNELS[name]
    assert scores(given) == scores(BOTH)
    model = SeriesClassifier(**QUICK).fit(given, Y)
    assert model.model_.width == 2
    assert [*getattr(model, "feature_names_in_", [])] == ([] if name.startswith("list") else ["left", "right"])


def test_channels_of_other_lengths_end_in_gaps():
    given = pd.DataFrame({"a": [pd.Series(x) for x in X], "b": [pd.Series(x[:50]) for x in X]})
    padded = np.stack([X, np.where(np.arange(60) < 50, X, np.nan)], axis=1)
    assert scores(given) == scores(padded)


def test_texts_in_columns():
    texts = ["ACGTACGTGG", "TTTTACCATT"] * 6
    y = [0, 1] * 6
    expected = SeriesClassifier(**QUICK).fit(texts, y).decision_function(texts).tolist()
    for given in (pd.Series(texts), pl.Series(texts), pa.array(texts), pa.chunked_array([texts])):
        assert SeriesClassifier(**QUICK).fit(given, y).decision_function(given).tolist() == expected


def fixed(rows, kind):
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ravel(rows), kind), rows.shape[1])


def test_lists_of_a_fixed_size_are_not_copied():
    values = np.ascontiguousarray(X)
    column = fixed(values, pa.float64())
    for given in (column, pa.chunked_array([column]), pa.table({"x": column})):
        found = opened(given, True)
        assert np.shares_memory(found, column.flatten().to_numpy())
        assert [np.shares_memory(one, found) for one in SeriesClassifier()._examples_of(found)[1]] == [True] * 24
        assert scores(given) == scores(X)
    single = opened(pa.table({"x": fixed(values, pa.float32())}), True)
    assert single.dtype == np.float32
    np.testing.assert_array_equal(single, X.astype(np.float32))
    assert scores(pa.chunked_array([column.slice(0, 10), column.slice(10)])) == scores(X)


def test_lists_of_any_size_are_not_copied():
    for kind in (pa.list_(pa.float64()), pa.large_list(pa.float64())):
        column = pa.array([x.tolist() for x in RAGGED], kind).slice(3, 12)
        found = opened(column, True)
        assert [np.shares_memory(one, column.values.to_numpy()) for one in found] == [True] * 12
        for one, expected in zip(found, RAGGED[3:15]):
            np.testing.assert_array_equal(one, expected)


def test_nulls_in_lists_of_a_fixed_size_are_missing_values():
    column = pa.array(with_none(GAPS), pa.list_(pa.float64(), 60))
    assert column.flatten().null_count == np.isnan(GAPS).sum()
    assert scores(column) == scores(GAPS)
    whole = pa.array([[1, None], [3, 4]], pa.list_(pa.int32(), 2))
    np.testing.assert_array_equal(opened(whole, True), [[1, np.nan], [3, 4]])
    with pytest.raises(ValueError, match=r"X\[1\] is NoneType: expected a series of numbers in every cell"):
        opened(pa.array([[1.0, 2.0], None], pa.list_(pa.float64(), 2)), True)


def test_channels_in_lists_of_a_fixed_size():
    second = np.random.default_rng(3).normal(size=X.shape)
    table = pa.table({"left": fixed(X, pa.float64()), "right": fixed(second, pa.float64())})
    assert scores(table) == scores(np.stack([X, second], axis=1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("wide", [True, False])
def test_parquet(tmp_path, dtype, wide):
    numbers = X.astype(dtype)
    kind = pa.from_numpy_dtype(numbers.dtype)
    columns = {name: pa.array(column) for name, column in zip(NAMES, numbers.T)} if wide else {"x": fixed(numbers, kind)}
    path = tmp_path / "series.parquet"
    parquet.write_table(pa.table({**columns, "state": Y.tolist()}), path, row_group_size=10)
    given, labels = shapeboost.read(path, label="state")
    assert given.dtype == dtype and labels.tolist() == Y.tolist()
    np.testing.assert_array_equal(given, numbers)
    alone = tmp_path / "alone.parquet"
    parquet.write_table(pa.table(columns), alone)
    assert shapeboost.read(alone)[1] is None
    with pytest.raises(ValueError, match="has no column 'sate': expected one of "):
        shapeboost.read(path, label="sate")
    with pytest.raises(ValueError, match="says itself where its labels are"):
        shapeboost.read("series.tsv", label="state")


def test_labels_in_columns():
    for labels in (pa.array(Y.tolist()), pa.chunked_array([Y.tolist()]), pl.Series(Y.tolist()), pd.Series(Y, index=range(5, 29)),
                   pd.Series(Y).astype("category"), Y.tolist(), tuple(Y)):
        model = SeriesClassifier(**QUICK).fit(X, labels)
        assert model.classes_.tolist() == ["gesture", "rest"] and model.score(X, labels) == 1.0


def test_what_can_be_read_as_an_array():
    class Tensor:
        def __dlpack__(self, **more):
            return X.__dlpack__(**more)

        def __dlpack_device__(self):
            return X.__dlpack_device__()

    class Lazy:
        def __array__(self, dtype=None, copy=None):
            return X

    assert scores(Tensor()) == scores(Lazy()) == scores(X)


# Bags ----------------------------------------------------------------------------------------------------------

BAGS, LABELS = planted_bags(20, random_state=1)
SIZES = [len(bag) for bag in BAGS]
PROPERTIES = [f"p{k}" for k in range(8)]
ROWS = pd.DataFrame(np.concatenate(BAGS), columns=PROPERTIES)
IDS = [f"m{i}" for i in np.repeat(np.arange(20), SIZES)]
OF_BAGS = {
    "list of pandas": ([pd.DataFrame(bag, columns=PROPERTIES) for bag in BAGS], None),
    "list of polars": ([pl.DataFrame(bag, schema=PROPERTIES) for bag in BAGS], None),
    "list of Arrow": ([pa.Table.from_pandas(pd.DataFrame(bag, columns=PROPERTIES)) for bag in BAGS], None),
    "list of lists": ([bag.tolist() for bag in BAGS], None),
    "two levels": (pd.concat([pd.DataFrame(bag, columns=PROPERTIES) for bag in BAGS], keys=range(20)), None),
    "pandas, ids": (ROWS, pd.Series(IDS)),
    "polars, ids": (pl.from_pandas(ROWS), pl.Series(IDS)),
    "Arrow, ids": (pa.Table.from_pandas(ROWS), pa.array(IDS)),
    "rows, list": (ROWS.to_numpy(), IDS),
    "pandas, column": (ROWS.assign(molecule=IDS), "molecule"),
    "polars, column": (pl.from_pandas(ROWS.assign(molecule=IDS)), "molecule"),
    "Arrow, column": (pa.Table.from_pandas(ROWS.assign(molecule=IDS)), "molecule"),
}


@pytest.mark.parametrize("name", OF_BAGS)
def test_bags(name):
    given, ids = OF_BAGS[name]
    expected = BagClassifier(**QUICK).fit(BAGS, LABELS)
    model = BagClassifier(**QUICK).fit(given, LABELS, bags=ids)
    assert model.decision_function(given, bags=ids).tolist() == expected.decision_function(BAGS).tolist()
    assert model.n_features_in_ == 8
    assert [*getattr(model, "feature_names_in_", [])] == (
        PROPERTIES if name == "two levels" or name.endswith(("ids", "column")) else [])


def test_missing_labels_are_told_by_their_place():
    for missing in (None, np.nan, pd.NA, pd.NaT):
        with pytest.raises(ValueError, match=r"y\[3\] is missing: leave examples without a label out"):
            SeriesClassifier(**QUICK).fit(X, pd.Series([*Y[:3], missing, *Y[4:]], dtype=object))


# What is none of these -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("given, says", [
    ({"a": X}, "X is a dict: expected an array, a list of arrays, a sparse matrix, a data frame of pandas or polars, an Arrow table"),
    ({1, 2}, "X is a set: expected an array"),
    ((x for x in X), "X is a generator: expected an array"),
    (None, "X is a NoneType: expected an array"),
    (object(), "X is an object: expected an array"),
    (FRAME.assign(name="x"), "column 'name' of X holds texts, expected numbers: encode it first, or leave it out"),
    (pl.from_pandas(FRAME).with_columns(name=pl.lit("x")), "column 'name' of X holds texts, expected numbers"),
    (FRAME.assign(day=pd.Timestamp("2020-01-01")), "column 'day' of X holds datetime64.*, expected numbers"),
    (pl.DataFrame({"day": [datetime.date(2020, 1, 1)] * 24, "v": range(24)}), "column 'day' of X holds Date, expected numbers"),
    (pa.table({"a": [{"x": 1.0}] * 24}), "column 'a' of X holds struct<x: double>, expected numbers"),
    (pa.table({"day": pa.array([datetime.date(2020, 1, 1)] * 24)}), "column 'day' of X holds date32.*, expected numbers"),
    (NESTED["pandas, Series"].assign(b=1.0), "column 'b' of X holds numbers where others hold series: expected series in every column"),
    (pd.DataFrame({"a": [*RAGGED[:-1], "series"]}), r"column 'a' of X\[23\] is str: expected a series of numbers in every cell"),
    (pd.DataFrame({"a": [*RAGGED[:-1], ["x", "y"]]}), r"column 'a' of X\[23\] is list: expected a series of numbers"),
    (pd.concat([CHANNELS["two levels"]], keys=["x"]), "X has an index of 3 levels: expected two"),
    (pd.DataFrame(X, columns=[*range(59), "last"]), "rename the columns"),
])
def test_a_sentence_for_what_is_none_of_these(given, says):
    with pytest.raises((ValueError, TypeError), match=says):
        SeriesClassifier(**QUICK).fit(given, Y)


@pytest.mark.parametrize("given, ids, says", [
    (ROWS, "molecule", "bags is the text 'molecule': expected the name of a column of a data frame, or an id for each row"),
    (ROWS.to_numpy(), "molecule", "bags is the text 'molecule': expected the name of a column"),
    (ROWS, IDS[:-1], r"bags has shape \(\d+,\), X \(\d+, 8\): expected X \(N, d\) and an id for each of its rows"),
    (ROWS.assign(p3=ROWS["p3"].mask(ROWS.index == 3)), IDS, r"X\[0\] contains NaN: bags have no missing values"),
    (ROWS, None, "rows alone do not say which bags they are of"),
])
def test_a_sentence_for_bags(given, ids, says):
    with pytest.raises(ValueError, match=says):
        BagClassifier(**QUICK).fit(given, LABELS, bags=ids)


def test_ids_that_were_forgotten_are_not_called_a_feature_too_many():
    given = ROWS.assign(molecule=IDS)
    model = BagClassifier(**QUICK).fit(given, LABELS, bags="molecule")
    for frame in (given, pl.from_pandas(given), pa.Table.from_pandas(given)):
        with pytest.raises(ValueError, match="rows alone do not say which bags they are of: give bags="):
            model.predict(frame)
