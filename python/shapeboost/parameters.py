# SPDX-License-Identifier: MIT
"""Parameters of the estimators and settings of the command line: one table, the library's."""

import re

from . import _core

# Where scikit-learn has a word for it, that word; `lambda` is none that Python allows.
RENAMED = {"seed": "random_state", "threads": "n_jobs", "class-weights": "class_weight", "lambda": "lambda_"}

# Switches mostly come in pairs on the command line; here one of the two is the name, and True or False its value.
_NAMED_SWITCHES = ("standardise", "one-sided", "mirrored", "offset", "offset-last")


def python_name(option):
    """`sigma-scale` as `sigma_scale`, `seed` as `random_state`."""
    return RENAMED.get(option, option.replace("-", "_"))


def table(kinds=None):
    """{parameter: row of the library's table}, for those of use to one of the kinds of data."""
    return {python_name(row["name"]): row for row in _core.settings_table()
            if (not row["is_switch"] or row["name"] in _NAMED_SWITCHES)
            and (kinds is None or set(kinds) & set(row["kinds"]))}


def python_words(sentence):
    """A sentence of the library in the names of Python: `--sigma-scale` is `sigma_scale`."""
    sentence = re.sub(r"--([A-Za-z][a-z-]*)", lambda m: python_name(m.group(1)), sentence)
    match = re.match(r"([a-z-]+): ", sentence)
    if match and match.group(1) in {row["name"] for row in _core.settings_table()}:
        sentence = python_name(match.group(1)) + sentence[match.end(1):]
    return sentence


def option_text(name, value):
    """A Python value as the command line writes it."""
    if value is None:
        return "auto"
    if isinstance(value, str):
        return value
    if name == "class_weight" and isinstance(value, dict):
        return ",".join(f"{label}={float(weight)!r}" for label, weight in value.items())
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) == 1:
        return ",".join(option_text(name, item) for item in value)
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "yes" if value else "no"
    if hasattr(value, "item"):  # a number of NumPy's
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise ValueError(f"{name}: expected a number, a text or a list of them, found {value!r}")


def params_of(settings, kinds):
    """Options of the command line as parameters of an estimator; what it has no use for is left out."""
    known = {row["name"]: name for name, row in table(kinds).items()}
    known["time-limit"] = "time_limit"
    known["probability"] = "probability"
    switches = {row["opposite"]: name for name, row in table(kinds).items() if row["opposite"]}
    params = {}
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


def _value_of(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def parameters_text(kinds):
    """The part of a docstring that explains the parameters, from the help of the command line."""
    lines = []
    for name, row in table(kinds).items():
        default = row["default"] or "auto"
        if row["is_switch"]:
            default = str(row["default"] == "yes")
        help_text = re.sub(r"--([A-Za-z][a-z-]*)", lambda m: f"`{python_name(m.group(1))}`", row["help"])
        lines.append(f"    {name} : default {default}\n        {help_text[0].upper()}{help_text[1:]}.")
    return "\n".join(lines)
