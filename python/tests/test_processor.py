# SPDX-License-Identifier: MIT
"""Which of the modules that a wheel holds for several processors is taken."""

import pytest
from shapeboost import _processor

V4 = "avx avx2 bmi1 bmi2 f16c fma abm movbe avx512f avx512bw avx512cd avx512dq avx512vl sse2"


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.delenv("SHAPEBOOST_PROCESSOR", raising=False)
    for level in ("x86-64-v3", "x86-64-v4"):
        (tmp_path / level).mkdir()
    return tmp_path


@pytest.mark.parametrize("able, level", [(V4, "x86-64-v4"), (V4.replace("avx512vl", ""), "x86-64-v3"), (V4.replace("fma", ""), None), ("", None)])
def test_the_best_that_the_processor_can_run(package, monkeypatch, able, level):
    monkeypatch.setattr(_processor, "_abilities", lambda: frozenset(able.split()))
    assert _processor.folders(package) == ([str(package / level)] if level else [])


def test_the_one_that_is_named(package, monkeypatch):
    monkeypatch.setattr(_processor, "_abilities", lambda: frozenset(V4.split()))
    monkeypatch.setenv("SHAPEBOOST_PROCESSOR", "x86-64-v3")
    assert _processor.folders(package) == [str(package / "x86-64-v3")]
    monkeypatch.setenv("SHAPEBOOST_PROCESSOR", "x86-64")
    assert _processor.folders(package) == []
    monkeypatch.setenv("SHAPEBOOST_PROCESSOR", "486")
    with pytest.raises(ImportError, match="SHAPEBOOST_PROCESSOR: expected one of x86-64, x86-64-v4, x86-64-v3, found '486'"):
        _processor.folders(package)


def test_a_package_for_one_kind_of_processor_has_no_choice(tmp_path, monkeypatch):
    monkeypatch.setenv("SHAPEBOOST_PROCESSOR", "x86-64")
    assert _processor.folders(tmp_path) == []
