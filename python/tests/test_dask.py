# SPDX-License-Identifier: MIT
"""Training and prediction over Dask: the model and the answers of the local estimators, whatever workers and partitions."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import warnings

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import distributed
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from sklearn.base import clone

import shapeboost
from shapeboost.dask import BagClassifier, SeriesClassifier

COUNT, LENGTH = 10120, 16  # just more than are weighed whole
SETTINGS = {"members": 3, "patterns": 20, "random_state": 3}


def bumps(count=COUNT, seed=1, classes=2):
    """Noise with a bump somewhere, as wide as the class says, in numbers that float32 holds."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, count)
    X = rng.normal(0.0, 0.4, (count, LENGTH)).astype(np.float32)
    for x, label in zip(X, y):
        width = 3 + 3 * label
        begin = rng.integers(LENGTH - width)
        x[begin:begin + width] += 2.0
    return X, np.array(["wide", "narrow", "very wide"])[y]


@pytest.fixture(scope="module")
def many():
    return bumps()


@pytest.fixture(scope="module")
def local(many):
    return shapeboost.SeriesClassifier(**SETTINGS).fit(*many)


@pytest.fixture(scope="module")
def cluster():
    with dask.config.set({"distributed.worker.daemon": False}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a port that is taken
        with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            yield cluster


@pytest.fixture
def threads():
    """Dask without a cluster, one task after the other."""
    with dask.config.set(scheduler="synchronous"):
        yield


def chunked(X, y, sizes):
    return da.from_array(X, chunks=(sizes, *X.shape[1:])), da.from_array(y, chunks=(sizes,))


CHUNKINGS = [(COUNT,), (1, 4000, COUNT - 4001), (1500, 1700, 1900, 2000, COUNT - 7100)]


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_workers_and_chunks_change_nothing(cluster, many, local, workers):
    cluster.scale(workers)
    fresh = bumps(200, seed=2)[0]
    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(workers)
        for sizes in CHUNKINGS:
            model = SeriesClassifier(client=client, **SETTINGS).fit(*chunked(*many, sizes))
            assert model.model_.to_json() == local.model_.to_json()
        answers = model.decision_function(da.from_array(fresh, chunks=(70, -1)))
        np.testing.assert_array_equal(client.compute(answers, sync=True), local.decision_function(fresh))


def dying(folder, number, last, part):
    """A partition whose worker dies when it is read for the last time of some."""
    times = sum(1 for path in folder.iterdir() if path.name.startswith(f"{number}-"))
    (folder / f"{number}-{times}").touch()
    if times == last:
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def test_workers_that_die_change_nothing(cluster, many, local, tmp_path):
    cluster.scale(2)
    X, y = many
    parts = list(zip(np.split(X, [3000, 6000]), np.split(y, [3000, 6000])))
    # Partitions are read for the roll, for the sample and for the sums: a worker dies at each.
    series = [dask.delayed(dying, pure=False)(tmp_path, k, k, part) for k, (part, _) in enumerate(parts)]
    labels = [dask.delayed(part) for _, part in parts]
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        model = SeriesClassifier(**SETTINGS).fit(series, labels)
    assert model.model_.to_json() == local.model_.to_json()
    for k in range(3):
        assert (tmp_path / f"{k}-{k + 1}").exists()  # it was read again


def test_tasks_have_names_that_can_be_read(cluster, many):
    with distributed.Client(cluster) as client:
        SeriesClassifier(**SETTINGS).fit(*chunked(*many, (4000, COUNT - 4000)))
        assert clone(SeriesClassifier(client=client, members=3)).client is client
        names = set(client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.task_prefixes)))
    assert {"shapeboost-roll-call", "shapeboost-take-sample", "shapeboost-gather-sample", "shapeboost-find-patterns",
            "shapeboost-weigh-sample", "shapeboost-sum-partition", "shapeboost-merge-sums", "shapeboost-solve"} <= names


def partitions_of(kind, X, y, sizes):
    """The same series in other containers."""
    ends = np.cumsum(sizes)[:-1]
    X_parts, y_parts = np.split(X, ends), np.split(y, ends)
    if kind == "delayed lists":
        return [dask.delayed([*map(list, part)]) for part in X_parts], [dask.delayed(part.tolist()) for part in y_parts]
    if kind == "labels in memory":
        return [dask.delayed(part) for part in X_parts], y
    if kind == "bag":
        return db.from_delayed([dask.delayed([*part]) for part in X_parts]), db.from_delayed([dask.delayed([*part]) for part in y_parts])
    if kind == "unknown chunks":
        known = chunked(X, y, tuple(sizes))
        return tuple(da.concatenate([da.from_delayed(block, (np.nan, *array.shape[1:]), dtype=array.dtype)
                                     for block in array.to_delayed().ravel()], allow_unknown_chunksizes=True) for array in known)
    if kind == "other chunks of y, columns cut":
        return da.from_array(X, chunks=(tuple(sizes), 5)), da.from_array(y, chunks=1000)
    if kind == "three dimensions":
        return da.from_array(X[:, None, :], chunks=(tuple(sizes), 1, 8)), da.from_array(y, chunks=(tuple(sizes),))
    frame = dd.from_pandas(pd.DataFrame(X, columns=[f"t{k}" for k in range(LENGTH)]), npartitions=len(sizes))
    return frame, dd.from_pandas(pd.Series(y), npartitions=len(sizes))


@pytest.mark.parametrize("kind", ["delayed lists", "labels in memory", "bag", "unknown chunks", "other chunks of y, columns cut",
                                  "three dimensions", "frame"])
def test_containers(threads, many, local, kind):
    X, y = many
    sizes = (0, 3000, COUNT - 3000)  # of which one is empty
    given, labels = partitions_of(kind, X, y, sizes)
    model = SeriesClassifier(**SETTINGS).fit(given, labels)
    assert model.model_.to_json() == local.model_.to_json()
    answers = model.predict(given)
    assert isinstance(answers, da.Array) and answers.dtype == model.classes_.dtype
    np.testing.assert_array_equal(answers.compute(), local.predict(X))
    assert model.score(given, labels) == local.score(X, y)
    if kind == "frame":
        assert model.feature_names_in_.tolist() == [f"t{k}" for k in range(LENGTH)]


@pytest.mark.parametrize("wide", [True, False])
def test_parquet(threads, many, local, tmp_path, wide):
    X, y = many
    for k, part in enumerate((slice(0, 3000), slice(3000, COUNT))):
        columns = ({f"t{j}": X[part, j] for j in range(LENGTH)} if wide
                   else {"x": pa.FixedSizeListArray.from_arrays(pa.array(X[part].ravel()), LENGTH)})
        parquet.write_table(pa.table({**columns, "state": y[part].tolist()}), tmp_path / f"{k}.parquet")
    frame = dd.read_parquet(tmp_path / "*.parquet")
    given, labels = frame.drop(columns="state"), frame["state"]
    model = SeriesClassifier(**SETTINGS).fit(given, labels)
    assert model.model_.to_json() == local.model_.to_json()
    np.testing.assert_array_equal(model.predict(given).compute(), local.predict(X))
    assert model.score(given, labels) == local.score(X, y)


def test_weights_copies_and_classes_of_some_partitions(threads):
    X, y = bumps(10300, seed=4, classes=3)
    order = np.argsort(y, kind="stable")  # a class is in some partitions only
    X, y = X[order], y[order]
    X[10000:10100] = X[9900:10000]
    weights = np.round(np.random.default_rng(5).uniform(0.5, 2.0, len(X)), 3)
    weights[:60] = 0.0
    expected = shapeboost.SeriesClassifier(**SETTINGS).fit(X, y, sample_weight=weights)
    sizes = (60, 4000, 6240)
    model = SeriesClassifier(**SETTINGS).fit(*chunked(X, y, sizes), sample_weight=da.from_array(weights, chunks=(sizes,)))
    assert model.model_.to_json() == expected.model_.to_json()
    scores = model.decision_function(da.from_array(X[:50], chunks=(20, -1)))
    assert scores.shape == (50, 3)
    np.testing.assert_array_equal(scores.compute(), expected.decision_function(X[:50]))


def test_series_of_unequal_lengths(threads):
    X, y = bumps(10100, seed=6)
    ragged = [x[: LENGTH - k % 3].astype(float) for k, x in enumerate(X)]
    expected = shapeboost.SeriesClassifier(**SETTINGS).fit(ragged, y)
    parts = [dask.delayed(ragged[:5000]), dask.delayed(ragged[5000:])]
    model = SeriesClassifier(**SETTINGS).fit(parts, y)
    assert model.model_.to_json() == expected.model_.to_json()
    assert model.transform(parts).compute().shape[0] == 10100


@pytest.mark.parametrize("labels", [lambda y: (y == "wide").astype(int) + 4, lambda y: y == "wide", lambda y: (y == "wide") * 2.0])
def test_few_series_of_labels_of_any_type_give_the_local_model(threads, labels):
    X, y = bumps(60)
    y = labels(y)
    expected = shapeboost.SeriesClassifier(members=4, random_state=1).fit(X, y)
    model = SeriesClassifier(members=4, random_state=1).fit(*chunked(X, y, (25, 35)))
    assert model.model_.to_json() == expected.model_.to_json()
    np.testing.assert_array_equal(model.classes_, expected.classes_)
    predicted = model.predict(da.from_array(X, chunks=(50, -1)))
    assert predicted.dtype == y.dtype and (predicted.compute() == expected.predict(X)).all()


def test_what_looks_at_all_series_at_once_is_gathered(threads, many):
    X, y = bumps(50)
    model = SeriesClassifier(members=1, probability=True, random_state=1).fit(*chunked(X, y, (20, 30)))
    expected = shapeboost.SeriesClassifier(members=1, probability=True, random_state=1).fit(X, y)
    found = model.predict_proba(da.from_array(X, chunks=(20, -1)))
    assert found.shape == (50, 2)
    np.testing.assert_array_equal(found.compute(), expected.predict_proba(X))
    texts, labels = ["acgt" * 5, "ttga" * 5] * 6, ["a", "b"] * 6
    parts = [dask.delayed(texts[:6]), dask.delayed(texts[6:])]
    sequences = SeriesClassifier(members=1, random_state=1).fit(parts, np.array(labels))
    assert sequences.predict(parts).compute().tolist() == labels


def test_bags(threads):
    X, y = shapeboost.planted_bags(40, random_state=1)
    expected = shapeboost.BagClassifier(members=2, random_state=1).fit(X, y)
    parts = [dask.delayed(X[:15]), dask.delayed([]), dask.delayed(X[15:])]
    model = BagClassifier(members=2, random_state=1).fit(parts, [dask.delayed(y[:15]), dask.delayed(y[:0]), dask.delayed(y[15:])])
    assert model.model_.to_json() == expected.model_.to_json()
    np.testing.assert_array_equal(model.decision_function(parts).compute(), expected.decision_function(X))
    assert model.score(parts, y) == expected.score(X, y)
    boxes = np.random.default_rng(1).normal(size=(12, 4, 8))
    np.testing.assert_array_equal(model.predict(da.from_array(boxes, chunks=(5, 2, 8))).compute(), expected.predict(boxes))
    assert type(model.to_local()) is shapeboost.BagClassifier
    with pytest.raises(ValueError, match="bags: ids are for arrays in memory"):
        model.predict(da.from_array(boxes[:, 0], chunks=4), bags=[1] * 12)


def test_the_result_is_an_ordinary_model(threads, many, local, tmp_path):
    X, y = many
    model = SeriesClassifier(**SETTINGS).fit(*chunked(X, y, (5000, COUNT - 5000)))
    own = model.to_local()
    assert type(own) is shapeboost.SeriesClassifier and own.get_params() == local.get_params()
    assert own.n_features_in_ == LENGTH and own.head_.left_out_accuracy == local.head_.left_out_accuracy
    model.save(tmp_path / "model.json")
    np.testing.assert_array_equal(shapeboost.load(tmp_path / "model.json").predict(X[:9]), model.predict(X[:9]))
    again = SeriesClassifier.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(da.from_array(X[:9], chunks=(4, -1))).compute(), model.predict(X[:9]))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X[:9]), model.predict(X[:9]))
    assert clone(model).get_params() == model.get_params()
    assert model.explain(X[:3], 0)["parts"]


def with_gap(y):
    y = y.astype(object)
    y[3] = None
    return y


@pytest.mark.parametrize("settings, X, y, says", [
    ({}, np.eye(4), np.array(["a"] * 4), "y holds one class, .*'a'.*: expected at least two classes"),
    ({}, np.empty((0, 4)), np.empty(0, dtype=int), "0 sample"),
    ({}, np.eye(4), None, "requires y to be passed"),
    ({}, np.eye(4), np.arange(3), "inconsistent numbers of samples: 4 examples and 3 in y"),
    ({"nu": 2}, np.eye(4), np.array([1, 1, 2, 2]), "nu: expected a number above 0"),
])
def test_refusals(threads, settings, X, y, says):
    parts = da.from_array(X, chunks=(2, -1))
    with pytest.raises(ValueError, match=says):
        SeriesClassifier(**settings).fit(parts, None if y is None else da.from_array(y, chunks=2))


def test_refusals_of_many(threads, many):
    X, y = many
    parts, labels = chunked(X, y, (4000, COUNT - 4000))
    for settings, says in [({"probability": True}, "probability=True: not of more than 10,000 series"),
                           ({"tune": True}, "tune=True: not of more than"),
                           ({"time_limit": 5.0}, "time_limit=5.0: not of more than"),
                           ({"optimise": "f1"}, "optimise: expected accuracy where examples lie in shards, found f1"),
                           ({"memory": "1K"}, "memory: this data needs at least")]:
        with pytest.raises(ValueError, match=says):
            SeriesClassifier(**SETTINGS, **settings).fit(parts, labels)
    with pytest.raises(ValueError, match="y\\[3\\] is missing"):
        SeriesClassifier(**SETTINGS).fit(parts, with_gap(y))
    with pytest.raises(ValueError, match="X lies in 2 partitions, y in 1"):
        SeriesClassifier(**SETTINGS).fit(parts.to_delayed().ravel().tolist(), [dask.delayed(y)])
    broken = X.copy()
    broken[7000, 2] = np.inf
    with pytest.raises(ValueError, match="contains infinity"):
        SeriesClassifier(**SETTINGS).fit(da.from_array(broken, chunks=(4000, -1)), labels.rechunk(4000))
    with pytest.raises(ValueError, match="sample_weight: expected finite numbers of 0 or more, found -1"):
        SeriesClassifier(**SETTINGS).fit(parts, labels, sample_weight=-np.ones(COUNT))


def test_not_fitted_and_other_lengths(threads, many, local):
    with pytest.raises(ValueError, match="not fitted yet"):
        SeriesClassifier().predict(da.zeros((4, LENGTH)))
    model = SeriesClassifier(**SETTINGS).fit(*chunked(*many, (4000, COUNT - 4000)))
    with pytest.raises(ValueError, match="expecting 16 features"):
        model.predict(da.zeros((4, LENGTH + 1))).compute()


def test_dask_that_is_missing_is_said_in_a_sentence():
    program = "import sys; sys.modules['dask'] = None; import shapeboost; import shapeboost.dask"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([str(pathlib.Path(shapeboost.__file__).parents[1]), *sys.path])})
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: shapeboost.dask needs dask") and last.endswith("pip install 'shapeboost[dask]'")
