# SPDX-License-Identifier: MIT
"""The estimators' parameters, the library's settings and the command line's options are one list."""

import inspect
import re

import pytest
from conftest import run_cli

from shapeboost import BagClassifier, SeriesClassifier, _core
from shapeboost.parameters import grid_text, option_text, python_name, python_words, table

# Options of `fit` and `tune` that are not the trainer's settings. Where the command line writes files, Python returns.
FITTING = {"--probability": "probability", "--time-limit": "time_limit", "--grid": "grid", "--folds": "folds",
           "--repeats": "repeats", "--trial-members": "trial_members", "--journal": "journal"}
USING = {"unequal", "rows"}  # an option of the commands that use a model, and what only Python must be told
FILES_AND_OUTPUT = {"--model", "--format", "--json", "--quiet", "--help", "--results"}


def parameters(cls):
    return {name: p.default for name, p in inspect.signature(cls).parameters.items()}


@pytest.mark.parametrize("command", ["fit", "tune"])
def test_every_option_of_the_command_line_is_a_parameter(command):
    options = set(re.findall(r"(?m)^\s+(--[A-Za-z][a-z-]*)", run_cli(command, "--help")))
    assert len(options) > 30
    switches = {f"--{row['name']}" for row in _core.settings_table() if row["is_switch"]}
    known = {**parameters(SeriesClassifier), **parameters(BagClassifier)}
    for option in options - FILES_AND_OUTPUT:
        if option in switches:
            row = next(row for row in _core.settings_table() if f"--{row['name']}" == option)
            assert {row["name"], row["opposite"]} & {name.replace("_", "-") for name in known}, option
        else:
            assert FITTING.get(option, python_name(option[2:])) in known, option


@pytest.mark.parametrize("cls", [SeriesClassifier, BagClassifier])
def test_every_setting_that_applies_is_a_parameter_with_the_same_default(cls):
    own = parameters(cls)
    for name, row in table(cls._kinds).items():
        assert name in own, f"{cls.__name__} lacks {name}"
        if row["is_switch"]:
            assert own[name] is (row["default"] == "yes"), name
        elif name == "random_state":
            assert own[name] is None  # as scikit-learn has it
        elif own[name] is not None:
            assert option_text(name, own[name]) in (row["default"], row["default"] + ".0"), name
    assert set(own) - set(table(cls._kinds)) - USING == {*FITTING.values(), "tune", "progress"}


def test_settings_for_other_kinds_of_data_are_no_parameters():
    assert "lengths" not in parameters(BagClassifier)
    assert "lengths" in parameters(SeriesClassifier)


@pytest.mark.parametrize("cls", [SeriesClassifier, BagClassifier])
def test_the_docstring_explains_every_parameter(cls):
    for name, default in parameters(cls).items():
        assert re.search(rf"(?m)^{name} : default {re.escape(repr(default))}\n    [A-Z].*", inspect.getdoc(cls)), name


def test_messages_of_the_library_name_parameters_as_python_does():
    assert python_words("--sigma-scale: expected a number") == "sigma_scale: expected a number"
    assert python_words("seed: expected") == "random_state: expected"
    assert python_words("grid: --threads is no axis") == "grid: n_jobs is no axis"
    assert python_words("example 3: no label") == "example 3: no label"


@pytest.mark.parametrize("name, value, text", [
    ("lengths", [0.1, 20], "0.1,20"), ("transforms", ["none", "spectrum"], "none,spectrum"), ("members", None, "auto"),
    ("class_weight", {1: 2, "b": 0.5}, "1=2.0,b=0.5"), ("sigma", 1e-3, "0.001"), ("channels", [1, "joint"], "1,joint"),
])
def test_values_are_written_as_options(name, value, text):
    assert option_text(name, value) == text


def test_a_grid_of_one_list_is_one_choice():
    assert grid_text({"lengths": [[0.1, 0.2]], "nu": [0.1]}, ["series"]) == "lengths=0.1,0.2|; nu=0.1"
    assert grid_text({"lengths": [0.1, 0.2]}, ["series"]) == "lengths=0.1,0.2"
