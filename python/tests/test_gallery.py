# SPDX-License-Identifier: MIT
"""The worked examples of the documentation run, on the data that they make themselves, and come out as they say."""

import pathlib
import re

import matplotlib.pyplot as plt
import pytest

GALLERY = pathlib.Path(__file__).parents[2] / "docs" / "gallery"


def cells(path):
    return re.findall(r"```\{code-cell\} python\n(?::tags: [^\n]*\n)?\n?(.*?)```", path.read_text(), re.DOTALL)


@pytest.mark.parametrize("name, least", [("ecg", 0.95), ("motion", 0.95), ("spectra", 0.9), ("molecules", 0.85),
                                         ("promoters", 0.8), ("many_classes", 0.6)])
def test_a_worked_example(name, least, monkeypatch):
    monkeypatch.delenv("SHAPEBOOST_DATA", raising=False)
    names = {}
    for cell in cells(GALLERY / f"{name}.md"):
        exec(compile(cell, f"{name}.md", "exec"), names)
    assert names["accuracy"] >= least
    assert plt.get_fignums()
    plt.close("all")


def test_all_of_them_are_tested():
    assert {path.stem for path in GALLERY.glob("*.md")} == {"index", "ecg", "motion", "spectra", "molecules", "promoters", "many_classes"}
