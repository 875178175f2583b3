# SPDX-License-Identifier: MIT
"""What the tests share: small data sets, and the command line."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import shapeboost

BIN = os.environ.get("SHAPEBOOST_BIN", "shapeboost")


def run_cli(*args, cwd=None):
    done = subprocess.run([BIN, *map(str, args)], cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def data_folder():
    """The folder with the UCR and MIL files, or None."""
    given = os.environ.get("SHAPEBOOST_DATA")
    folder = pathlib.Path(given) if given else pathlib.Path(__file__).parents[3] / "shared" / "data"
    return folder if folder.is_dir() else None


def write_series(path, X, y):
    """In the format of the UCR archive, exact to the last bit."""
    lines = ["\t".join([str(label), *(repr(float(v)) for v in x)]) for x, label in zip(X, y)]
    path.write_text("\n".join(lines) + "\n")


def write_bags(path, X, y):
    lines = ["bag,label," + ",".join(f"f{k + 1}" for k in range(X[0].shape[1]))]
    for i, (bag, label) in enumerate(zip(X, y)):
        lines += [",".join([f"b{i}", str(label), *(repr(float(v)) for v in row)]) for row in bag]
    path.write_text("\n".join(lines) + "\n")


def three_series(count=30, length=40, seed=5):
    """Classes 0, 1, 2: noise, a hump, a dip."""
    rng = np.random.default_rng(seed)
    y = np.arange(count) % 3
    X = rng.normal(0.0, 0.2, (count, length))
    hump = 2.0 * np.sin(np.pi * (np.arange(10) + 0.5) / 10)
    for x, label in zip(X, y):
        begin = rng.integers(length - 10)
        x[begin:begin + 10] += (0.0, 1.0, -1.0)[label] * hump
    return X, y


@pytest.fixture(autouse=True)
def _the_same_randomness_every_time():
    """What random_state=None draws from."""
    np.random.seed(1)


@pytest.fixture(scope="session")
def series():
    return shapeboost.planted_series(24, length=60, random_state=1)


@pytest.fixture(scope="session")
def bags():
    return shapeboost.planted_bags(24, random_state=1)
