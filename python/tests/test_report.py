# SPDX-License-Identifier: MIT
"""The interactive page from Python, and the program that the package brings."""

import os
import subprocess
import sys

import pytest
from conftest import run_cli, write_series

import shapeboost
from shapeboost import SeriesClassifier


@pytest.fixture(scope="module")
def model(series):
    return SeriesClassifier(members=3).fit(*series)


def test_the_page_is_the_command_lines(tmp_path, model, series):
    X, y = series
    page = model.report(X, y, tmp_path / "r.html", remark="<b>trained here</b>")
    assert (tmp_path / "r.html").read_text() == page.html
    assert page.html.startswith("<!doctype html>") and "\\u003cb\\u003etrained here" in page.html
    assert "srcdoc=" in page._repr_html_() and "<script" not in page._repr_html_()
    assert sorted(os.listdir(tmp_path)) == ["r.html"]
    write_series(tmp_path / "d.tsv", X, y)
    model.save(tmp_path / "m.json")
    run_cli("report", tmp_path / "d.tsv", "--model", tmp_path / "m.json", "--out", tmp_path / "c.html")
    assert abs(len((tmp_path / "c.html").read_text()) - len(model.report(X, y).html)) < 2000


def test_labels_are_not_needed_but_must_be_known(model, series):
    assert len(model.report(series[0]).html) > 10_000
    with pytest.raises(ValueError, match="nobody"):
        model.report(series[0], ["nobody"] * len(series[0]))


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path, model, series):
    with pytest.raises(FileNotFoundError):
        model.report(*series, tmp_path / "none" / "r.html")


def test_estimators_show_themselves(model):
    assert "left out" in model._repr_html_() and "members=3" in model._repr_html_()
    assert "not fitted" in SeriesClassifier()._repr_html_()
    assert "&lt;" in SeriesClassifier(journal="<script>")._repr_html_()


def test_the_program_comes_with_the_package(tmp_path):
    def program(*words):
        return subprocess.run([sys.executable, "-m", "shapeboost", *words], capture_output=True, text=True, cwd=tmp_path,
                              check=False)

    assert program("--version").stdout == f"shapeboost {shapeboost.__version__}\n"
    refused = program("fit", "none.tsv", "--model", "m.json")
    assert refused.returncode == 2 and refused.stderr.startswith("shapeboost: cannot read none.tsv")
