# SPDX-License-Identifier: MIT
"""The estimators' parameters and the command line's options are one table, the library's: names, documentation and
values, translated here."""

from __future__ import annotations

import contextlib
import inspect
import multiprocessing
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _core
from ._types import Grid
from .inputs import as_matrix

if TYPE_CHECKING:
    from .estimator import Estimator

# scikit-learn's names where it has one; `lambda` is a keyword in Python, `transform` a method.
RENAMED = {"seed": "random_state", "threads": "n_jobs", "class-weights": "class_weight", "lambda": "lambda_",
           "transform": "transforms"}

# Most switches of the command line come in pairs; here one of the two is a parameter, True or False.
_NAMED_SWITCHES = ("standardise", "intervals", "one-sided", "mirrored", "offset", "offset-last")

# What Python documents itself: parameters that are not in the library's table, and those that take Python objects.
_DOCUMENTATION = {
    "gram": "A matrix of similarities, an array or a file with a row on each line; means `kernel` gram. The bags then "
            "have one feature, the index of a row from 0.",
    "class_weight": "How much an example counts: None (all the same), 'balanced' (each class the same in total) or "
                    "{label: weight} (1 for labels not named).",
    "random_state": "The source of all randomness: a seed, 0 or above, a RandomState or Generator of NumPy, or None: drawn from "
                    "NumPy's global state, so that every `fit` is another.",
    "n_jobs": "Number of threads; None: one, or what a context of joblib says (`joblib.parallel_config`); -1: one for each "
              "processor, -2: one less, and so on.",
    "rows": "What an array (n, d) without `bags=` is: 'refuse' (it may be n bags of one instance, or n instances of some bags) or "
            "'bags' (each row is a bag of one instance).",
    "memory": "Bound on the memory for tables and caches, as '256M' or '2G'; None: a quarter of the machine's memory.",
    "unequal": "Where all series of training have one length, classify series of other lengths too, instead of refusing them.",
    "probability": "Calibrate probabilities by cross-validation, for `predict_proba`.",
    "time_limit": "Stop after this many seconds and keep the model found so far; None: no limit.",
    "tune": "Choose settings by cross-validation over `grid` before training.",
    "grid": "The alternatives to choose from when tuning: {name: [values]}, or text as `shapeboost tune --grid` takes "
            "it; None: a small grid suited to the data.",
    "folds": "Number of folds when tuning.",
    "repeats": "How often cross-validation is repeated, with new folds, when tuning.",
    "trial_members": "Largest number of committee members while alternatives are compared when tuning; 0: all of them; "
                     "None: 20, or 10 from 1000 examples on. The final model has all its members.",
    "journal": "A file that records each finished training, so that an interrupted tuning can resume.",
    "progress": "Show a progress bar (tqdm).",
}


# Names and documentation ---------------------------------------------------------------------------------------


def python_name(option: str) -> str:
    """`sigma-scale` as `sigma_scale`, `seed` as `random_state`."""
    return RENAMED.get(option, option.replace("-", "_"))


def table(kinds: Iterable[str] | None = None) -> dict[str, dict[str, Any]]:
    """{parameter: row of the library's table}, for the settings that apply to one of the kinds of data."""
    return {python_name(row["name"]): row for row in _core.settings_table()
            if (not row["is_switch"] or row["name"] in _NAMED_SWITCHES)
            and (kinds is None or set(kinds) & set(row["kinds"]))}


def parameters_text(cls: type[Estimator]) -> str:
    """What a docstring says about the parameters of an estimator: those of its signature, in that order."""
    rows = table(cls._kinds)
    lines = []
    for name, parameter in inspect.signature(cls).parameters.items():
        lines.append(f"{name} : default {parameter.default!r}")
        text = _DOCUMENTATION.get(name)
        if text is None:
            text = re.sub(r"--([A-Za-z][a-z-]*)", lambda m: f"`{python_name(m.group(1))}`", rows[name]["help"])
            text = f"{text[0].upper()}{text[1:]}."
        lines.append(textwrap.fill(text, 110, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False))
    return "\n".join(lines)


def python_words(sentence: str) -> str:
    """A message of the library with Python's names: `--sigma-scale` becomes `sigma_scale`."""
    sentence = re.sub(r"--([A-Za-z][a-z-]*)", lambda m: python_name(m.group(1)), sentence)
    if sentence.startswith("weights: "):
        return f"sample_weight{sentence[len('weights'):]}"
    match = re.match(r"([a-z-]+): ", sentence)
    if match and match.group(1) in {row["name"] for row in _core.settings_table()}:
        sentence = python_name(match.group(1)) + sentence[match.end(1):]
    return sentence.replace("expected uniform, balanced or LABEL=WEIGHT,LABEL=WEIGHT", "expected None, 'balanced' or {label: weight}")


@contextlib.contextmanager
def python_errors() -> Iterator[None]:
    """Errors that the library raises inside name parameters as Python does."""
    try:
        yield
    except ValueError as error:
        sentence = python_words(str(error))
        if sentence == str(error):
            raise
        raise ValueError(sentence) from None


# Values --------------------------------------------------------------------------------------------------------


def option_text(name: str, value: Any) -> str:
    """A Python value as the command line writes it."""
    if value is None:
        return "auto"
    if isinstance(value, str):
        return value
    if name == "class_weight" and isinstance(value, dict):
        return ",".join(f"{label}={float(weight)!r}" for label, weight in value.items())
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) == 1:
        return ",".join(option_text(name, item) for item in value)
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise ValueError(f"{name}: expected a number, a text or a list of them, found {value!r}")


def settings_of(estimator: Estimator) -> tuple[_core.Settings, set[str]]:
    """The library's settings for an estimator's parameters, and the names of those that differ from the default."""
    settings = _core.Settings()
    values = estimator.get_params()
    values["random_state"] = _seed_of(estimator.random_state)
    values["n_jobs"] = threads_of(estimator.n_jobs)
    given: set[str] = set()
    for name, row in table(estimator._kinds).items():
        value = values[name]
        if row["is_switch"]:
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"{name}: expected True or False, found {value!r}")
            chosen = row["name"] if value else row["opposite"]
            if chosen is not None:
                settings.set(chosen, "")
            if chosen is not None and bool(value) != (row["default"] == "yes"):
                given.add(chosen)
        elif name == "kernel" and callable(value):
            function_name = getattr(value, "__name__", type(value).__name__)
            settings.set_function(cast("Callable[..., float]", value), function_name, bool(getattr(value, "positive_semidefinite", False)))
            given.add("kernel")
        elif name != "gram" and value is not None:
            text = option_text(name, value)
            settings.set(row["name"], text)
            if text != row["default"] and row["group"] != "Running":
                given.add(row["name"])
    if values["n_jobs"] == "auto" and multiprocessing.current_process().name != "MainProcess":
        settings.set("threads", "1")  # one of several worker processes, which share the cores
    if _set_gram(settings, estimator.gram, estimator.kernel):
        given |= {"gram", "kernel"}
    if fault := settings.validate():
        raise ValueError(fault)
    return settings, given


def _set_gram(settings: _core.Settings, gram: Any, kernel: Any) -> bool:
    """Whether a matrix of similarities is given."""
    if gram is None:
        if kernel == "gram":
            raise ValueError("kernel: gram needs the matrix of similarities; give it by gram=, an array or a file")
        return False
    if kernel not in ("gaussian", "gram"):
        raise ValueError(f"gram: a matrix of similarities means kernel='gram', found {kernel!r}")
    if isinstance(gram, (str, os.PathLike)):
        settings.read_gram(os.fspath(gram))
    else:
        settings.set_gram(as_matrix(gram, "gram"), "given")
    return True


def threads_of(n_jobs: int | None) -> int | str:
    """The number of threads, or `auto`: one for each processor."""
    if n_jobs is not None and (n_jobs == 0 or not isinstance(n_jobs, (int, np.integer)) or isinstance(n_jobs, bool)):
        raise ValueError(f"n_jobs: expected a whole number other than 0, or None for one thread, found {n_jobs!r}")
    joblib = sys.modules.get("joblib")
    if joblib is not None and (n_jobs is None or n_jobs < 0):
        threads = int(joblib.effective_n_jobs(n_jobs))
        return "auto" if n_jobs == -1 and threads > 1 else threads
    if n_jobs is None:
        return 1
    if n_jobs == -1:
        return "auto"
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def _seed_of(random_state: Any) -> int:
    if random_state is None:
        return int(np.random.randint(2**31 - 1))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state: expected 0 or above, found {random_state}")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise ValueError(f"random_state: expected a whole number, a RandomState, a Generator or None, found {random_state!r}")


def grid_text(grid: Grid, kinds: Iterable[str]) -> str:
    """A grid as `shapeboost tune --grid` takes it, whether it is given as text or as {name: [values]}."""
    if grid is None or isinstance(grid, str):
        return grid or ""
    known = table(kinds)
    axes = []
    for name, alternatives in grid.items():
        if name not in known:
            raise ValueError(f"grid: {name} is no parameter of fit; expected some of {', '.join(known)}")
        texts = [option_text(name, value) for value in alternatives]
        # Where an alternative is itself a list, bars separate them; a bar at the end marks a single one.
        bars = any("," in text for text in texts)
        axes.append(f"{known[name]['name']}=" + ("|" if bars else ",").join(texts)
                    + ("|" if bars and len(texts) == 1 else ""))
    return "; ".join(axes)


def setting_of(choice: str, grid: Grid, kinds: Iterable[str]) -> dict[str, Any]:
    """A choice, `nu=0.1; lengths=0.1,0.2` as the library names it, as parameters; values are those that `grid` has, where it has."""
    rows = {row["name"]: (name, row) for name, row in table(kinds).items()}
    setting: dict[str, Any] = {}
    for axis in choice.split("; ") if "=" in choice else []:
        option, _, text = axis.partition("=")
        name, row = rows[option]
        given = [] if grid is None or isinstance(grid, str) else [value for value in grid[name] if option_text(name, value) == text]
        if given:
            setting[name] = given[0]
        elif row["is_switch"]:
            setting[name] = text == "yes"
        elif "," in text and name != "class_weight":
            setting[name] = [_value_of(item) for item in text.split(",")]
        else:
            setting[name] = _value_of(text)
    return setting


def params_of(settings: str, kinds: Iterable[str]) -> dict[str, Any]:
    """Options of the command line as an estimator's parameters; those that it does not have are left out."""
    known = {row["name"]: name for name, row in table(kinds).items()}
    known["time-limit"] = "time_limit"
    known["probability"] = "probability"
    switches = {row["opposite"]: name for name, row in table(kinds).items() if row["opposite"]}
    params: dict[str, Any] = {}
    for option in re.split(r"(?:^| )--", settings)[1:]:
        name, _, text = option.partition(" ")
        if name in switches:
            params[switches[name]] = False
        elif name in known and not text:
            params[known[name]] = True
        elif name in known and python_name(name) not in ("gram", "class_weight") and text != "custom":
            params[known[name]] = _value_of(text)
        elif name == "class-weights" and text != "uniform":
            params["class_weight"] = text
    return params


def _value_of(text: str) -> Any:
    kinds: tuple[type[int] | type[float], ...] = (int, float)
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            pass
    return text
