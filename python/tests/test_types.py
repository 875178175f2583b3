# SPDX-License-Identifier: MIT
"""The package is annotated throughout, and so are the calls that the documentation shows: for mypy --strict and for pyright."""

import importlib.util
import inspect
import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import shapeboost

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(shapeboost.__file__).parent
PAGES = ("docs/python.md", "README.md")


def run(*words, **more):
    return subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, check=False, timeout=500, **more)


FAULTY = """from shapeboost import SeriesClassifier
SeriesClassifier(member=3)
SeriesClassifier(stall="never")
SeriesClassifier().fit([[1.0]], [1]).head_.alpha
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The package as it is installed, links resolved, and beside it the documentation's snippets, a module a page; one module has
    faults that must be found."""
    folder = tmp_path_factory.mktemp("types")
    shutil.copytree(PACKAGE, folder / "shapeboost", ignore=shutil.ignore_patterns("__pycache__"))
    snippets = folder / "snippets"
    snippets.mkdir()
    (snippets / "__init__.py").touch()
    (snippets / "faulty.py").write_text(FAULTY)
    for page in PAGES:
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
        assert blocks
        (snippets / f"{pathlib.Path(page).stem.lower()}.py").write_text("\n".join(blocks))
    return folder


def only_the_faulty(found):
    """Whether the faults, (file, line, message), are those that were put there."""
    assert [fault for fault in found if fault[0] != "faulty.py"] == []
    assert sorted({line for _, line, _ in found}) == [2, 3, 4]


def test_mypy(folder):
    pytest.importorskip("mypy")
    done = run("mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", folder / "cache", "-p", "shapeboost", "-p", "snippets",
               cwd=folder)
    assert "in 1 file (checked" in done.stdout, done.stdout + done.stderr
    only_the_faulty([(pathlib.Path(file).name, int(line), message)
                     for file, line, message in re.findall(r"(?m)^(.*?):(\d+): error: (.*)$", done.stdout)])


def test_pyright(folder):
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    (folder / "pyrightconfig.json").write_text(json.dumps({
        "include": ["shapeboost", "snippets"], "extraPaths": ["."], "typeCheckingMode": "standard",
        "reportMissingModuleSource": False, "reportUnusedExpression": False}))
    done = run("pyright", "--outputjson", "--pythonpath", sys.executable, "-p", folder, cwd=folder)
    only_the_faulty([(pathlib.Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"])
                     for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"])


def test_nothing_public_is_left_to_guess():
    """Every public function and method says what it takes and returns."""
    for name in shapeboost.__all__:
        found = getattr(shapeboost, name)
        methods = [member for key, member in vars(found).items() if not key.startswith("_")] if inspect.isclass(found) else [found]
        for method in methods:
            function = getattr(method, "fget", None) or getattr(method, "__func__", None) or getattr(method, "method", method)
            if inspect.isfunction(function):
                assert "return" in function.__annotations__, function
                given = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
                assert all(p.annotation is not p.empty for p in given), function
