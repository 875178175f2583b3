# SPDX-License-Identifier: MIT
"""The examples in the documentation work."""

import doctest
import importlib
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["shapeboost", "shapeboost.series", "shapeboost.bags", "shapeboost.data",
                                  "shapeboost.plots", "shapeboost.aeon", "shapeboost.sktime", "shapeboost.dask"])
def test_docstrings(name):
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0 and tried > 0


@pytest.mark.parametrize("page", ["docs/python.md", "docs/dask.md", "docs/start.md", "README.md"])
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("name, says", [("series", "GunPoint    1.000"), ("bags", "instances")])
def test_tutorials(name, says, tmp_path):
    done = subprocess.run([sys.executable, ROOT / "python" / "examples" / f"{name}.py", tmp_path], capture_output=True,
                          text=True, timeout=300, env={**os.environ, "PYTHONWARNINGS": "ignore"}, check=False)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    for picture in (f"{name}_patterns.png", f"{name}_history.png"):
        assert (tmp_path / picture).stat().st_size > 5000


def test_the_stub_names_what_the_module_has():
    from shapeboost import _core

    stub = pathlib.Path(_core.__file__).with_name("_core.pyi").read_text()
    for name in ("fit", "tune", "Model", "Settings", "Data"):
        assert re.search(rf"(?m)^(def|class) {name}\b", stub), name
