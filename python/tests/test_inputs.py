# SPDX-License-Identifier: MIT
"""What the estimators accept, and what they say about the rest."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from shapeboost import BagClassifier, SeriesClassifier, _core
from shapeboost.bags import Grouped, _of_bags

QUICK = {"members": 1, "refine": "no", "random_state": 1, "n_jobs": 1}


@pytest.fixture(scope="module")
def answer(series):
    return SeriesClassifier(**QUICK).fit(*series).model_.to_json()


def trained(X, y):
    return SeriesClassifier(**QUICK).fit(X, y).model_.to_json()


def test_any_memory_layout(series, answer):
    X, y = series
    assert trained(np.asfortranarray(X), y) == answer
    assert trained(np.repeat(X, 2, axis=1)[:, ::2], y) == answer
    assert trained(X[:, ::-1].copy()[:, ::-1], y) == answer
    assert trained(X.astype(">f8"), y) == answer
    assert trained(X[:, None, :], y) == answer
    assert trained([*X], y) == answer
    assert trained([x.tolist() for x in X], y) == answer
    assert trained([*X[:, None, :]], y.tolist()) == answer


def test_float32_trains_the_same_model_as_float64(series):
    X, y = series
    small = X.astype(np.float32)
    assert trained(small, y) == trained(small.astype(np.float64), y)


def test_npy_and_npz(tmp_path, series, answer):
    X, y = series
    np.save(tmp_path / "X.npy", X)
    np.savez(tmp_path / "both.npz", X=X, other=y)
    assert trained(tmp_path / "X.npy", y) == answer
    assert trained(str(tmp_path / "both.npz"), y) == answer
    np.save(tmp_path / "object.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        trained(tmp_path / "object.npy", y)
    with pytest.raises(ValueError, match="shapeboost.read"):
        trained("data.csv", y)


def test_labels_and_frames_of_pandas_and_polars(series, answer):
    X, y = series
    assert trained(X, pd.Series(y)) == answer
    assert trained(X, pd.Series(y, dtype="category")) == answer
    assert trained(X, pl.Series(y.tolist())) == answer
    assert trained(X, pl.Series(y.tolist(), dtype=pl.Categorical)) == answer
    frame = pd.DataFrame(X, columns=[f"t{k}" for k in range(X.shape[1])])
    assert trained(frame, y) == answer
    assert trained(pl.DataFrame(X, schema=[*frame.columns]), y) == answer


def test_unequal_lengths_and_channels(series):
    X, y = series
    ragged = [x[: 60 - i % 7] for i, x in enumerate(X)]
    model = SeriesClassifier(**QUICK).fit(ragged, y)
    assert model.score(ragged, y) > 0.9
    wide = np.stack([X, np.zeros_like(X)], axis=1)
    model = SeriesClassifier(**QUICK).fit(wide, y)
    assert model.score(wide, y) > 0.9 and model.model_.width == 2


def test_arrays_that_already_fit_are_not_copied():
    X = np.zeros((200, 1000))
    tracemalloc.start()
    examples = SeriesClassifier()._examples_of(X)[1]
    _core.data("series", examples, [], "")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 10
    assert all(np.shares_memory(one, X) for one in examples)


def test_the_data_are_not_changed(series):
    X, y = series
    before = X.copy()
    X.flags.writeable = False
    trained(X, y)
    X.flags.writeable = True
    assert np.array_equal(X, before)


def test_bag_ids(bags):
    X, y = bags
    ids = np.repeat([f"bag{i}" for i in range(len(X))], [len(bag) for bag in X])
    flat = np.concatenate(X)
    model = BagClassifier(**QUICK).fit(X, y)
    for labels in (y, np.repeat(y, [len(bag) for bag in X])):
        again = BagClassifier(**QUICK).fit(flat, labels, bags=ids)
        assert again.model_.to_json() == model.model_.to_json()
        assert np.array_equal(again.predict(flat, bags=ids), model.predict(X))
        assert np.array_equal(again.transform(flat, bags=ids), model.transform(X))
        assert again.score(flat, labels, bags=ids) == model.score(X, y)
    shuffled = np.random.default_rng(1).permutation(len(ids))
    order = [int(one[3:]) for one in dict.fromkeys(ids[shuffled])]
    assert np.allclose(model.decision_function(flat[shuffled], bags=ids[shuffled]), model.decision_function(X)[order])
    assert [len(one) for one in model.predict_instances(X)] == [len(bag) for bag in X]


def test_one_example_at_a_time_gives_the_same_scores(series, bags):
    for cls, (X, y) in ((SeriesClassifier, series), (BagClassifier, bags)):
        model = cls(**QUICK).fit(X, y)
        whole = model.decision_function(X)
        assert [model.decision_function(X[i:i + 1])[0] for i in range(5)] == whole[:5].tolist()


X20 = np.random.default_rng(0).normal(size=(20, 30))
Y20 = np.arange(20) % 2
BAGS = [np.random.default_rng(i).normal(size=(3, 2)) for i in range(20)]


def spoiled(array, at, value):
    copy = [one.copy() for one in array] if isinstance(array, list) else array.copy()
    copy[at[0]][at[1:]] = value
    return copy


@pytest.mark.parametrize("X, y, says", [
    (X20[0], Y20, "Expected 2D array, got 1D array"),
    (X20[None, None], Y20, r"expected \(n, length\), \(n, channels, length\) or a list of arrays"),
    (np.float64(3.0), Y20, "several examples"),
    (X20[:0], Y20[:0], "X has no example"),
    (X20[:, :0], Y20, "series need values"),
    ([*X20[:-1], np.zeros(0)], Y20, r"X\[19\] has no values: leave it out"),
    ([*X20[:-1], np.zeros((2, 30))], Y20, r"X\[19\] has 2 channels, X\[0\] has 1: .*BagClassifier"),
    ([*X20[:-1], np.zeros((1, 2, 3))], Y20, r"X\[19\] has shape \(1, 2, 3\)"),
    (X20, Y20[:-1], "20 examples and 19 labels; give one label for each"),
    (X20, None, "target y is None: give the labels"),
    (X20, np.zeros(20), "expected at least two classes"),
    (X20, np.linspace(0, 1, 20), "Unknown label type: continuous"),
    (X20, np.where(Y20 == 0, np.nan, 1.0), "leave examples without a label out"),
    (X20, np.array([None, "a"] * 10, dtype=object), r"y\[0\] is missing"),
    (X20, np.stack([Y20, Y20], axis=1), "expected one label for each example"),
    (X20, np.array(["1", "1.0"] * 10), "are one and the same in a model"),
    (X20, np.array(["a", ""] * 10), "give every class a name"),
    (spoiled(X20, (4, 2), np.inf), Y20, r"X\[4\] contains infinity"),
    (X20.astype(str), Y20, "expected numbers: encode it first"),
    (X20 + 1j, Y20, "Complex data not supported"),
    ([[1.0, 2.0], [1.0, "x"]], [0, 1], "expected numbers"),
    (["ACGT", X20[0].tolist()], [0, 1], "expected texts alone"),
    (["ACGT", "AC\u20ac"], [0, 1], "beyond one byte"),
])
def test_errors_of_series(X, y, says):
    with pytest.raises(ValueError, match=says):
        SeriesClassifier(**QUICK).fit(X, y)


@pytest.mark.parametrize("X, y, says", [
    ([*BAGS[:-1], np.zeros((0, 2))], Y20, r"X\[19\] is an empty bag: leave it out"),
    ([*BAGS[:-1], np.zeros((3, 4))], Y20, r"X\[19\]' has 4 features, the first has 2"),
    ([*BAGS[:-1], np.zeros(2)], Y20, r"X\[19\] has shape \(2,\): expected a bag of instances"),
    (spoiled(BAGS, (7, 1, 1), np.nan), Y20, r"X\[7\] contains NaN: bags have no missing values"),
    (spoiled(BAGS, (7, 1, 1), -np.inf), Y20, r"X\[7\] contains infinity"),
    (BAGS, Y20[:5], "20 examples and 5 labels"),
    (BAGS, None, "give the labels"),
])
def test_errors_of_bags(X, y, says):
    with pytest.raises(ValueError, match=says):
        BagClassifier(**QUICK).fit(X, y)


def test_errors_of_bag_ids():
    flat = np.concatenate(BAGS)
    with pytest.raises(ValueError, match="an id for each of its rows"):
        BagClassifier(**QUICK).fit(flat, Y20, bags=np.arange(3))
    labels = np.zeros(60)
    labels[1] = 1
    with pytest.raises(ValueError, match="expected one for each bag"):
        BagClassifier(**QUICK).fit(flat, labels, bags=np.repeat(np.arange(20), 3))


@pytest.mark.parametrize("starts, sizes", [([0, 5], [1]), ([0, -1, 1], [2]), ([3, 1], [1]), ([0, 1], [2]), ([0, 1], [-1]),
                                           ([], [])])
def test_sparse_matrices_whose_parts_do_not_fit(starts, sizes):
    with pytest.raises(ValueError, match="expected a sound CSR matrix"):
        _core.sparse(np.array(starts, dtype=np.int64), np.array([0], dtype=np.int32), np.array([1.0]), 3, sizes,
                     ["a"] * len(sizes))


def test_instances_are_grouped_as_one_by_one():
    rng = np.random.default_rng(5)
    ids = rng.integers(0, 20, size=200).astype(str)
    X, labels = rng.normal(size=(200, 2)), {one: int(one) % 2 for one in np.unique(ids)}
    y = np.array([labels[one] for one in ids])
    ordered = list(dict.fromkeys(ids.tolist()))
    for found, one in zip(Grouped(X, ids).read(), ordered, strict=True):
        assert np.array_equal(found, X[ids == one])
    assert _of_bags(y, Grouped(X, ids), "labelled").tolist() == [labels[one] for one in ordered]


@pytest.mark.parametrize("gram, says", [
    (np.ones((4, 3)), "expected a square matrix, found 4 rows and 3 columns"),
    (np.ones((3, 4)), "expected a square matrix, found 3 rows and 4 columns"),
    (np.ones(16), "expected rows and columns, found an array of 1 dimensions"),
    (np.triu(np.ones((4, 4))), "expected a symmetric matrix, found 1 in row 1, column 2 but 0 in row 2, column 1"),
    (np.full((4, 4), np.nan), "expected finite numbers, found nan in row 1, column 1"),
    (np.diag([1.0, 1.0, np.inf, 1.0]), "expected finite numbers, found inf in row 3, column 3"),
])
def test_gram_matrices_are_checked(tmp_path, gram, says):
    X = [np.array([[i]], dtype=float) for i in range(4)]
    y = [0, 0, 1, 1]
    with pytest.raises(ValueError, match=f"gram: {says}"):
        BagClassifier(gram=gram, **QUICK).fit(X, y)
    BagClassifier(gram=np.eye(4), **QUICK).fit(X, y).save(tmp_path / "m.json")
    with pytest.raises(ValueError, match=f"gram: {says}"):
        BagClassifier.load(tmp_path / "m.json", gram=gram)


@pytest.mark.parametrize("params, says", [
    ({"nu": 2}, "nu: expected"),
    ({"nu": "much"}, "nu: expected a number, found 'much'"),
    ({"kernel": "cosine"}, "kernel: expected"),
    ({"kernel": "gram"}, "give it by gram="),
    ({"lengths": [0.1, -1]}, "lengths: expected"),
    ({"channels": [0]}, "channels: expected numbers from 1"),
    ({"weak": "ball", "kernel": "dtw"}, "the ball needs a positive"),
    ({"random_state": -1}, "random_state: expected 0 or above"),
    ({"random_state": "x"}, "random_state: expected a whole number"),
    ({"n_jobs": 0}, "n_jobs: expected a whole number other than 0"),
    ({"memory": "lots"}, "memory: expected a size"),
    ({"time_limit": 0}, "time_limit: expected seconds above 0"),
    ({"standardise": "yes"}, "standardise: expected True or False"),
    ({"members": object()}, "members: expected a number, a text or a list"),
    ({"class_weight": {7: 2.0}}, "class_weight"),
    ({"class_weight": "blanced"}, "class_weight: expected None, 'balanced' or {label: weight}, found 'blanced'"),
    ({"tune": True, "grid": {"bogus": [1]}}, "grid: bogus is no parameter"),
    ({"tune": True, "grid": "nu=0.1,,"}, "grid: nu: expected a value on either side"),
    ({"tune": True, "grid": {"nu": [0.1]}, "nu": 0.2}, "nu is to be chosen, but nu is given"),
    ({"tune": True, "folds": 50}, "folds: expected"),
])
def test_errors_of_parameters(params, says):
    with pytest.raises(ValueError, match=says):
        SeriesClassifier(**{**QUICK, **params}).fit(X20, Y20)


@pytest.mark.parametrize("cls, X", [(SeriesClassifier, X20), (BagClassifier, BAGS)])
@pytest.mark.parametrize("method", ["predict", "decision_function", "transform", "hypotheses_", "history_", "rho_",
                                    "save", "score", "get_feature_names_out", "predict_proba"])
def test_an_unfitted_estimator_says_so(cls, X, method):
    estimator = cls(probability=True)
    with pytest.raises(NotFittedError, match=r"call fit\(X, y\)"):
        found = getattr(estimator, method)
        found(*{"save": ("x.json",), "score": (X, Y20), "get_feature_names_out": ()}.get(method, (X,)))


def test_new_data_of_another_shape(series, bags):
    model = SeriesClassifier(**QUICK).fit(*series)
    with pytest.raises(ValueError, match="the model is for 1 channel, the data have 2"):
        model.predict(np.zeros((3, 2, 60)))
    with pytest.raises(ValueError, match="the model is for series, the data are sequences"):
        model.predict(["ACGT"])
    with pytest.warns(UserWarning, match="too short"):
        model.set_params(unequal=True).predict(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="X has 3 features, but BagClassifier is expecting 8"):
        BagClassifier(**QUICK).fit(*bags).predict([np.zeros((2, 3))])


def test_probabilities_that_were_not_learned(series):
    for estimator in (SeriesClassifier(**QUICK), SeriesClassifier(**QUICK).fit(*series)):
        assert not hasattr(estimator, "predict_proba")
        with pytest.raises(ValueError, match="probability=True"):
            estimator.predict_proba(series[0])


def test_a_function_as_kernel(bags):
    X, y = bags
    sigma = 0.05

    def gaussian(x, z):
        return np.exp(-sigma * ((x - z) ** 2).sum())

    model = BagClassifier(**{**QUICK, "n_jobs": 2}, kernel=gaussian).fit(X, y)
    built_in = BagClassifier(**QUICK, sigma=sigma).fit(X, y)
    assert np.allclose(model.decision_function(X), built_in.decision_function(X), atol=1e-6)
    with pytest.raises(ValueError, match="positive"):
        BagClassifier(members=1, weak="ball", kernel=gaussian).fit(X, y)
    gaussian.positive_semidefinite = True
    assert BagClassifier(members=1, weak="ball", kernel=gaussian).fit(X, y).score(X, y) == 1.0


def test_a_kernel_that_fails(bags):
    def broken(x, z):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        BagClassifier(**QUICK, kernel=broken).fit(*bags)
    with pytest.raises(ValueError, match="expected a finite number from the function, found 'text'"):
        BagClassifier(**QUICK, kernel=lambda x, z: "text").fit(*bags)
    with pytest.raises(ValueError, match="finite number"):
        BagClassifier(**QUICK, kernel=lambda x, z: float("nan")).fit(*bags)


def test_series_of_another_length_are_refused_unless_meant(series):
    X, y = series
    model = SeriesClassifier(members=2).fit(X, y)
    cut = X[:, : X.shape[1] - 20]
    for ask in (model.predict, model.decision_function, model.transform, model.explain, model.report):
        with pytest.raises(ValueError, match=rf"is expecting {X.shape[1]} features as input: .*unequal=True"):
            ask(cut)
    assert len(model.set_params(unequal=True).predict(cut)) == len(X)
    # Where lengths differed in training there is nothing to refuse.
    mixed = SeriesClassifier(members=2).fit([*X[:-1], X[-1, :-5]], y)
    assert len(mixed.predict(cut)) == len(X)


def test_bags_may_be_given_everywhere_by_ids(bags):
    X, y = bags
    ids = np.repeat(np.arange(len(X)), [len(bag) for bag in X])
    rows = np.concatenate(X)
    model = BagClassifier(members=5, probability=True).fit(X, y)
    for name in ("predict", "decision_function", "predict_proba", "predict_log_proba", "transform"):
        ask = getattr(model, name)
        assert np.array_equal(ask(rows, bags=ids), ask(X)), name
    assert model.report(rows, y, bags=ids).html == model.report(X, y).html
