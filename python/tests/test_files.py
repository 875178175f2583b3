# SPDX-License-Identifier: MIT
"""Models on disk, in pickles and in copies."""

import copy
import json
import pickle
import pickletools

import joblib
import numpy as np
import pytest
from conftest import run_cli, three_series, write_series

import shapeboost
from shapeboost import BagClassifier, SeriesClassifier


def overlap(x, z):
    return float(np.minimum(np.abs(x), np.abs(z)).sum())


@pytest.fixture(scope="module")
def fitted(series):
    return SeriesClassifier(members=2, nu=0.3, lengths=[0.1, 0.2], offset=False).fit(*series)


@pytest.fixture(scope="module")
def committee(series):
    return SeriesClassifier(members=2, head="average", nu=0.3, lengths=[0.1, 0.2], offset=False).fit(*series)


def same(one, other, X):
    assert np.array_equal(one.decision_function(X), other.decision_function(X))
    assert np.array_equal(one.predict(X), other.predict(X))
    assert one.classes_.dtype == other.classes_.dtype and np.array_equal(one.classes_, other.classes_)


def test_a_model_from_the_command_line_works_here(tmp_path, series):
    X, y = series
    write_series(tmp_path / "data.tsv", X, y)
    run_cli("fit", tmp_path / "data.tsv", "--model", tmp_path / "m.json", "--members", 2, "--nu", 0.3, "--quiet")
    model = shapeboost.load(tmp_path / "m.json")
    assert isinstance(model, SeriesClassifier)
    assert (model.members, model.nu, model.offset) == (2, 0.3, True)
    same(model, SeriesClassifier(members=2, nu=0.3, random_state=1).fit(X, y), X)


def test_loaded_parameters_train_the_same_model(tmp_path, fitted, series):
    fitted.save(tmp_path / "m.json")
    loaded = SeriesClassifier.load(tmp_path / "m.json")
    assert loaded.offset is False
    loaded.fit(*series).save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "m.json").read_text()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_copies_predict_the_same(again, fitted, series):
    copied = again(fitted)
    same(fitted, copied, series[0])
    assert copied.get_params() == fitted.get_params()
    assert [h.weight for h in copied.hypotheses_] == [h.weight for h in fitted.hypotheses_]


def test_copies_keep_the_history(committee):
    assert len(committee.history_["gamma"])
    assert copy.deepcopy(committee).history_["gamma"].tolist() == committee.history_["gamma"].tolist()


def test_joblib(tmp_path, fitted, series):
    joblib.dump(fitted, tmp_path / "m.joblib")
    same(fitted, joblib.load(tmp_path / "m.joblib"), series[0])


def test_a_pickle_holds_the_json_and_no_foreign_objects(fitted):
    text = pickle.dumps(fitted)
    assert b'"format": "shapeboost model"' in text
    modules = {arg.split()[0].split(".")[0] for op, arg, _ in pickletools.genops(pickle.dumps(fitted, protocol=2))
               if op.name == "GLOBAL"}
    assert modules <= {"shapeboost", "numpy", "copyreg", "copy_reg", "__builtin__", "builtins", "_codecs"}


def test_a_damaged_pickle_is_refused(fitted):
    state = fitted.__getstate__()
    damaged = state["model"].replace('"alpha": ', '"alpha": 1')
    assert damaged != state["model"]
    state["model"] = damaged
    with pytest.raises(ValueError, match="digest"):
        SeriesClassifier.__new__(SeriesClassifier).__setstate__(state)


@pytest.mark.parametrize("labels", [np.array([3, -1]), np.array([0.0, 2.0]), np.array(["10", "9"]), np.array(["b", "a"]),
                                    np.array([True, False]), np.array(["x y", "ü"])])
def test_labels_of_every_kind(tmp_path, series, labels):
    X, y = series
    own = labels[(y == "rest").astype(int)]
    model = SeriesClassifier(members=1).fit(X, own)
    assert np.array_equal(model.classes_, np.unique(labels)) and model.classes_.dtype == labels.dtype
    assert model.score(X, own) == 1.0
    assert np.array_equal(model.classes_[(model.decision_function(X) > 0).astype(int)], model.predict(X))
    same(model, pickle.loads(pickle.dumps(model)), X)
    model.save(tmp_path / "m.json")
    loaded = shapeboost.load(tmp_path / "m.json")
    same(model, loaded, X)
    assert loaded.n_features_in_ == model.n_features_in_ == X.shape[1]


def test_several_classes(tmp_path):
    X, y = three_series()
    names = np.array(["c", "a", "b"])[y]
    for strategy in ("ovr", "ovo"):
        model = SeriesClassifier(members=1, strategy=strategy).fit(X, names)
        assert model.decision_function(X).shape == (30, 3)
        assert model.rho_.shape == (3,)
        assert (model.classes_[model.decision_function(X).argmax(axis=1)] == names).mean() > 0.9
        assert model.score(X, names) > 0.9
        same(model, pickle.loads(pickle.dumps(model)), X)


def test_a_function_as_kernel_must_be_given_again(tmp_path, bags):
    X, y = bags
    model = BagClassifier(members=1, kernel=overlap).fit(X, y)
    model.save(tmp_path / "m.json")
    same(model, pickle.loads(pickle.dumps(model)), X)
    with pytest.raises(ValueError, match="kernel=function"):
        shapeboost.load(tmp_path / "m.json")
    same(model, shapeboost.load(tmp_path / "m.json", kernel=overlap), X)


def test_the_wrong_estimator_says_which_is_right(tmp_path, fitted):
    fitted.save(tmp_path / "m.json")
    with pytest.raises(ValueError, match="the model is for series, BagClassifier is for bags"):
        BagClassifier.load(tmp_path / "m.json")
    (tmp_path / "broken.json").write_text("{}")
    with pytest.raises(ValueError, match="broken.json"):
        SeriesClassifier.load(tmp_path / "broken.json")


def test_hypotheses_come_from_where_they_say(committee, series):
    X, _ = series
    assert len(committee.hypotheses_) == len(json.loads(committee.model_.to_json())["hypotheses"])
    assert sum(h.weight for h in committee.hypotheses_) == pytest.approx(1.0)
    plain = [h for h in committee.hypotheses_ if h.view["transform"] == "none"]
    assert plain
    for h in plain:
        z = h.main
        span = slice(z.position, z.position + (h.view["length"] - 1) * h.view["dilation"] + 1, h.view["dilation"])
        assert np.array_equal(z.values, X[z.example][span])
        assert h.speaks_for in committee.classes_


def test_weighted_responses_add_up_to_the_scores(committee, series):
    X, _ = series
    weights = np.array([h.weight for h in committee.hypotheses_])
    offset = committee.model_.parts()[0]["b"]
    assert np.allclose(committee.transform(X) @ weights + offset, committee.decision_function(X), atol=1e-9)


def test_history_ends_at_the_margin(series):
    model = SeriesClassifier(members=1).fit(*series)
    history = model.history_
    assert {len(values) for values in history.values()} == {len(history["edge"])}
    assert (np.diff(history["gamma"]) >= -1e-6).all()
    assert history["gamma"][-1] <= model.model_.parts()[0]["gamma"] + 1e-6
    assert model.rho_ >= model.model_.parts()[0]["gamma"] - 1e-9


def test_files_that_are_not_there(tmp_path, fitted):
    none = tmp_path / "none.json"
    for read in (shapeboost.read, shapeboost.load, SeriesClassifier.load):
        with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*none\.json'"):
            read(none)
    for write in (fitted.save, lambda path: fitted.report(np.zeros((1, fitted.n_features_in_)), path=path)):
        with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*nowhere'"):
            write(tmp_path / "nowhere" / "model.json")


def test_classes_are_pythons_own_where_they_are_told(series):
    X, y = series
    numbered = SeriesClassifier(members=1).fit(X, (y == "rest").astype(int) + 1)
    assert "speaks_for=1" in repr(numbered.hypotheses_) or "speaks_for=2" in repr(numbered.hypotheses_)
    assert "np." not in repr(numbered.hypotheses_) and "np." not in repr(numbered.hypotheses_[0].uses)
    with pytest.raises(ValueError, match="y holds labels like 'rest', the model's classes are like 1: give labels of the type"):
        numbered.score(X, np.full(len(X), "rest"))
    with pytest.raises(ValueError, match="y holds one class, 7: expected at least two"):
        SeriesClassifier().fit(X, np.full(len(X), 7))
