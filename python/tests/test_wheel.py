# SPDX-License-Identifier: MIT
"""The wheel, built as pip would but around the library that is under test, installed in an empty environment, and used
there: all that it needs is inside, and nothing else."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import bare_environment
import pytest

ROOT = pathlib.Path(__file__).parents[2]
LIBSVM = os.environ["SHAPEBOOST_LIBSVM"] == "ON"


def version():
    return re.search(r"project\(shapeboost VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


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
    seconds, made, folders = bare_environment.check(tmp_path / "venv", [wheel], "MI-svm" if LIBSVM else "l1-svm", plots=False)
    assert seconds[1] < bare_environment.MOST_SECONDS and made == version() and folders == ["shapeboost"]
    linked = subprocess.run(["ldd", *tmp_path.glob("venv/lib/python3*/site-packages/shapeboost/_core*.so")],
                            capture_output=True, text=True, check=True).stdout
    ours = [line for line in linked.splitlines() if "libClp" in line or "libsvm" in line]
    assert ours and all(str(tmp_path) in line for line in ours), linked


# Each library that may be in a wheel, and the text in licences/ that concerns it.
TEXTS = {"libClp": "EPL-1.0", "libCoinUtils": "EPL-1.0", "libsvm": "libsvm", "libz": "zlib", "libbz2": "bzip2", "liblapack": "LAPACK", "libblas": "LAPACK",
         "libgfortran": "GCC-runtime-exception", "libgomp": "GCC-runtime-exception", "libgcc_s": "GCC-runtime-exception",
         "libquadmath": "quadmath-LGPL-2.1"}


def test_every_library_inside_has_its_licence_there(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    texts = {pathlib.PurePath(name).stem for name in names if ".dist-info/licenses/" in name}
    assert {"LICENSE", "EPL-1.0", "Eigen-MPL-2.0", "nlohmann-json", "CLI11", "nanobind", "robin-map", "zlib", "page"} <= texts
    for library in (pathlib.PurePath(name).name for name in names if re.match(r"shapeboost\.libs/.", name)):
        assert any(library.startswith(name) and text in texts for name, text in TEXTS.items()), library
    told = (ROOT / "licences" / "README.md").read_text()
    for text in (ROOT / "licences").glob("*.txt"):
        assert text.name in told, text.name


def test_the_sources_build_without_node(tmp_path):
    """All that CMake asks for is in the source distribution, the page bundled."""
    done = subprocess.run([ROOT / "scripts" / "sdist", tmp_path], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = tmp_path.glob("shapeboost-*.tar.gz")
    subprocess.run(["tar", "xzf", made, "-C", tmp_path], check=True)
    (sources,) = (path for path in tmp_path.glob("shapeboost-*") if path.is_dir())
    assert not (sources / "report" / "node_modules").exists()
    assert not (ROOT / "report" / "bundled").exists()  # where builds of the tree would find it
    subprocess.run(["cmake", "-S", sources, "-B", tmp_path / "build", "-G", "Ninja", "-DSHAPEBOOST_NODE=none"],
                   check=True, capture_output=True)
    rules = (tmp_path / "build" / "build.ninja").read_text()
    assert "report_template.cpp" in rules and "npm" not in rules
