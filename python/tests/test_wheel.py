# SPDX-License-Identifier: MIT
"""The wheel, built as pip would but around the library that is under test, installed in an empty environment, and used
there: all that it needs is inside, and nothing else."""

import os
import pathlib
import re
import subprocess
import sys
import textwrap
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]
LIBSVM = os.environ["SHAPEBOOST_LIBSVM"] == "ON"


def version():
    return re.search(r"project\(shapeboost VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


USE = """
    import shapeboost
    assert "site-packages" in shapeboost.__file__, shapeboost.__file__
    X, y = shapeboost.planted_series(20, length=60)
    model = shapeboost.SeriesClassifier(probability=True).fit(X, y)
    bags = shapeboost.planted_bags(20)
    machine = shapeboost.BagClassifier(method=METHOD).fit(*bags)
    model.report(X, y, "report.html")
    print(model.score(X, y), len(machine.hypotheses_) > 0, shapeboost.__version__)
""".replace("METHOD", repr("MI-svm" if LIBSVM else "l1-svm"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    done = subprocess.run([ROOT / "scripts" / "wheel", out, os.environ["SHAPEBOOST_BUILD"]],
                          capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = out.glob("shapeboost-*.whl")
    return made


def test_everything_is_inside(wheel):
    assert "manylinux" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("libClp", "libCoinUtils", *(["libsvm"] if LIBSVM else [])):
        assert any(part in name for name in names), part
    for part in ("shapeboost/py.typed", "shapeboost/_core.pyi", "shapeboost/series.py"):
        assert part in names
    assert not any(name.startswith(("include/", "lib/", "bin/")) for name in names)


def test_it_works_in_an_empty_environment(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", wheel], check=True)
    done = subprocess.run([python, "-c", textwrap.dedent(USE)], cwd=tmp_path, capture_output=True, text=True,
                          env={"PATH": "/usr/bin"}, check=False)
    assert done.stdout.split() == ["1.0", "True", version()], done.stderr
    assert (tmp_path / "report.html").stat().st_size > 10_000
    said = subprocess.run([tmp_path / "venv" / "bin" / "shapeboost", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"shapeboost {version()}\n"
    linked = subprocess.run(["ldd", *tmp_path.glob("venv/lib/python3*/site-packages/shapeboost/_core*.so")],
                            capture_output=True, text=True, check=True).stdout
    ours = [line for line in linked.splitlines() if "libClp" in line or "libsvm" in line]
    assert ours and all(str(tmp_path) in line for line in ours), linked


def test_the_sources_build_without_node(tmp_path):
    """All that CMake asks for is in the source distribution, the page bundled."""
    done = subprocess.run([ROOT / "scripts" / "sdist", tmp_path], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = tmp_path.glob("shapeboost-*.tar.gz")
    subprocess.run(["tar", "xzf", made, "-C", tmp_path], check=True)
    (sources,) = (path for path in tmp_path.glob("shapeboost-*") if path.is_dir())
    assert not (sources / "report" / "node_modules").exists()
    subprocess.run(["cmake", "-S", sources, "-B", tmp_path / "build", "-G", "Ninja", "-DSHAPEBOOST_NODE=none"],
                   check=True, capture_output=True)
    rules = (tmp_path / "build" / "build.ninja").read_text()
    assert "report_template.cpp" in rules and "npm" not in rules
