# SPDX-License-Identifier: MIT
"""The same data and settings give the same model in Python and on the command line, to the last bit."""

import json
import os

import numpy as np
import pytest
from conftest import data_folder, run_cli, three_series, write_bags, write_series

from shapeboost import BagClassifier, SeriesClassifier, planted_bags, planted_series, read


def as_written(path):
    """The model file without the data file's name, and without the digest, which covers that name."""
    model = json.loads(path.read_text())
    model.pop("digest")
    model["training"].pop("source")
    return model


def compare(folder, estimator, X, y, options, command="fit"):
    data = folder / "data.txt"
    (write_bags if isinstance(X, list) else write_series)(data, X, y)
    run_cli(command, data, "--model", folder / "cli.json", "--quiet", *options)
    estimator.fit(X, y).save(folder / "python.json")
    assert as_written(folder / "python.json") == as_written(folder / "cli.json")


SERIES = planted_series(20, length=60, random_state=3)


@pytest.mark.parametrize("params, options", [
    ({}, []),
    ({"members": 1}, ["--members", 1]),
    ({"members": 1, "weak": "ball", "lengths": [0.1, 0.3], "normalisation": ["raw", "z"], "one_sided": True,
      "offset": False, "random_state": 7, "nu": 0.3},
     ["--members", 1, "--weak", "ball", "--lengths", "0.1,0.3", "--normalisation", "raw,z", "--one-sided",
      "--no-offset", "--seed", 7, "--nu", 0.3]),
    ({"members": 3, "class_weight": {"gesture": 2}, "transforms": ["none", "differences"], "dilation": [1, 2], "n_jobs": 1},
     ["--members", 3, "--class-weights", "gesture=2", "--transform", "none,differences", "--dilation", "1,2"]),
    ({"members": 2, "kernel": "dtw", "band": 0.2, "candidates": "sample:20"},
     ["--members", 2, "--kernel", "dtw", "--band", 0.2, "--candidates", "sample:20"]),
    pytest.param({"method": "MI-svm", "C": 10, "lengths": 0.2}, ["--method", "MI-svm", "--C", 10, "--lengths", 0.2],
                 marks=pytest.mark.skipif(os.environ.get("SHAPEBOOST_LIBSVM") == "OFF", reason="built without libsvm")),
    ({"members": 1, "probability": True}, ["--members", 1, "--probability"]),
])
def test_series(tmp_path, params, options):
    compare(tmp_path, SeriesClassifier(**{"random_state": 1, **params}), *SERIES, options)


def test_three_classes(tmp_path):
    compare(tmp_path, SeriesClassifier(random_state=1, members=5, strategy="ovr"), *three_series(),
            ["--members", 5, "--strategy", "ovr"])


@pytest.mark.parametrize("params, options", [
    ({"members": 4}, ["--members", 4]),
    ({"members": 1, "standardise": False, "kernel": "polynomial", "degree": 3, "c": 0.5},
     ["--members", 1, "--no-standardise", "--kernel", "polynomial", "--degree", 3, "--c", 0.5]),
])
def test_bags(tmp_path, params, options):
    compare(tmp_path, BagClassifier(**{"random_state": 1, **params}), *planted_bags(20, random_state=3), options)


def test_tuning(tmp_path):
    params = {"members": 1, "tune": True, "grid": {"nu": [0.1, 0.3], "lengths": [[0.2], [0.1, 0.3]]}, "folds": 3}
    compare(tmp_path, SeriesClassifier(**{"random_state": 1, **params}), *SERIES,
            ["--members", 1, "--grid", "nu=0.1,0.3; lengths=0.2|0.1,0.3", "--folds", 3], "tune")


def test_tuning_by_the_default_grid(tmp_path):
    compare(tmp_path, BagClassifier(random_state=1, members=1, tune=True, folds=2), *planted_bags(12, random_state=3),
            ["--members", 1, "--folds", 2], "tune")


def test_sequences(tmp_path):
    rng = np.random.default_rng(1)
    X = ["".join(rng.choice([*"ACGT"], 40)) for _ in range(16)]
    X = [text[:10] + "ACCGTTAC" + text[18:] if i % 2 else text for i, text in enumerate(X)]
    y = np.arange(16) % 2
    (tmp_path / "data.tab").write_text("".join(f"{label}\t{text}\n" for label, text in zip(y, X)))
    run_cli("fit", tmp_path / "data.tab", "--model", tmp_path / "cli.json", "--quiet", "--members", 3, "--k", 4)
    SeriesClassifier(random_state=1, members=3, k=4).fit(X, y).save(tmp_path / "python.json")
    assert as_written(tmp_path / "python.json") == as_written(tmp_path / "cli.json")


def test_gram_matrix(tmp_path):
    rng = np.random.default_rng(2)
    points = rng.normal(size=(30, 2)) + np.repeat([[0, 0], [2, 2]], 15, axis=0)
    gram = np.exp(-((points[:, None] - points[None]) ** 2).sum(-1))
    X = [np.array([[i]], dtype=float) for i in range(30)]
    y = np.repeat([0, 1], 15)
    write_bags(tmp_path / "rows.csv", X, y)
    np.savetxt(tmp_path / "gram.csv", gram, delimiter=",", fmt="%.17g")
    run_cli("fit", tmp_path / "rows.csv", "--gram", tmp_path / "gram.csv", "--model", tmp_path / "cli.json",
            "--members", 1, "--quiet")
    BagClassifier(random_state=1, members=1, gram=str(tmp_path / "gram.csv")).fit(X, y).save(tmp_path / "python.json")
    assert as_written(tmp_path / "python.json") == as_written(tmp_path / "cli.json")
    by_array = BagClassifier(random_state=1, members=1, gram=gram).fit(X, y)
    assert by_array.score(X, y) == BagClassifier.load(tmp_path / "cli.json", gram=gram).score(X, y)


def test_gaps_and_unequal_lengths(tmp_path):
    X, y = three_series(24)
    X[3, 5] = np.nan
    X[4, 30:] = np.nan  # pads a short series
    write_series(tmp_path / "data.tsv", X, y)
    run_cli("fit", tmp_path / "data.tsv", "--model", tmp_path / "cli.json", "--quiet", "--members", 3)
    SeriesClassifier(random_state=1, members=3).fit(X, y).save(tmp_path / "python.json")
    assert as_written(tmp_path / "python.json") == as_written(tmp_path / "cli.json")


def test_predictions_are_those_of_the_command_line(tmp_path):
    X, y = SERIES
    new, labels = planted_series(10, length=60, random_state=4)
    write_series(tmp_path / "new.tsv", new, labels)
    model = SeriesClassifier(random_state=1, members=2, probability=True).fit(X, y)
    model.save(tmp_path / "m.json")
    lines = run_cli("predict", tmp_path / "new.tsv", "--model", tmp_path / "m.json").splitlines()
    assert lines[0] == "example,predicted,score,probability_gesture,probability_rest,label"
    rows = [line.split(",") for line in lines[1:]]
    assert [row[1] for row in rows] == model.predict(new).tolist()
    assert [float(row[2]) for row in rows] == model.decision_function(new).tolist()
    assert [[float(p) for p in row[3:5]] for row in rows] == model.predict_proba(new).tolist()


@pytest.mark.skipif(data_folder() is None, reason="the UCR files are not here")
def test_gunpoint(tmp_path):
    path = data_folder() / "ucr" / "GunPoint" / "GunPoint_TRAIN.tsv"
    if not path.exists():
        path = next(data_folder().glob("ucr/**/GunPoint_TRAIN.tsv"))
    run_cli("fit", path, "--model", tmp_path / "cli.json", "--quiet")
    SeriesClassifier(random_state=1).fit(*read(path)).save(tmp_path / "python.json")
    assert as_written(tmp_path / "python.json") == as_written(tmp_path / "cli.json")
