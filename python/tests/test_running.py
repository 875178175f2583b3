# SPDX-License-Identifier: MIT
"""Running alongside other code: imports, threads, Ctrl-C, progress."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import three_series

from shapeboost import BagClassifier, SeriesClassifier


def python(code, **more):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120,
                          check=False, **more)


def test_importing_pulls_in_nothing_heavy():
    done = python("""
        import sys
        import shapeboost
        heavy = {"sklearn", "scipy", "pandas", "polars", "matplotlib", "joblib", "aeon", "sktime", "numba", "tqdm"}
        print(sorted(heavy & set(sys.modules)))
    """)
    assert done.stdout.strip() == "[]", done.stderr


def test_it_works_with_numpy_alone():
    done = python("""
        import sys
        for name in ("sklearn", "scipy", "pandas", "polars", "matplotlib", "tqdm"):
            sys.modules[name] = None
        import shapeboost
        X, y = shapeboost.planted_series(16, length=60)
        model = shapeboost.SeriesClassifier(members=1, refine="no").fit(X, y)
        print(model.score(X, y))
        try:
            shapeboost.BagClassifier().predict(X)
        except ValueError as fault:
            print("not fitted yet" in str(fault))
    """)
    assert done.stdout.split() == ["1.0", "True"], done.stderr


LONG = """
    import signal, sys, time
    import numpy as np
    import shapeboost
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 500))
    y = rng.integers(0, 2, 400)
    model = shapeboost.SeriesClassifier({params}){before}
    print("ready", flush=True)
    try:
        model.{call}
        print("finished")
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    Z, z = shapeboost.planted_series(16, length=60)
    print(shapeboost.SeriesClassifier(members=1, refine="no").fit(Z, z).score(Z, z))
"""


@pytest.mark.parametrize("params, before, call", [
    ("members=1, gap=0, stall=0", "", "fit(X, y)"),
    ("", "", "fit(X, y)"),
    ("members=1, kernel='dtw', band=1.0", "", "fit(X, y)"),
    ("members=1, tune=True, n_jobs=1", "", "fit(X, y)"),
    ("members=1, kernel=lambda x, z: float(x @ z), lengths=0.5", "", "fit(X, y)"),
    ("members=30, lengths=0.2", ".fit(X[:40], y[:40])", "predict(np.tile(X, (200, 1)))"),
])
def test_ctrl_c_interrupts_within_a_second(params, before, call):
    worker = subprocess.Popen([sys.executable, "-c", textwrap.dedent(LONG.format(params=params, before=before, call=call))],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "ready\n", worker.stderr.read()
    time.sleep(2.0)
    asked = time.monotonic()
    worker.send_signal(signal.SIGINT)
    line = worker.stdout.readline()
    waited = time.monotonic() - asked
    rest, errors = worker.communicate(timeout=120)
    assert line == "interrupted\n", line + errors
    assert rest.strip() == "1.0", errors  # the interpreter and the library still work
    # At most a second on an idle machine; this one may be busy, so only a gross delay fails.
    assert waited < 10.0, waited


def test_the_interpreter_is_free_while_training():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 200)), rng.integers(0, 2, 200)
    seen = []
    worker = threading.Thread(target=lambda: seen.append(SeriesClassifier(members=1, time_limit=1.0, n_jobs=1).fit(X, y)))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert seen[0].model_.stopped in ("time limit", "gap", "stalled")
    assert turns > 50


def test_a_time_limit_is_kept_and_remembered():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 200)), rng.integers(0, 2, 150)
    model = SeriesClassifier(members=1, time_limit=0.5, gap=0, stall=0).fit(X, y)
    assert model.model_.stopped == "time limit"
    assert "--time-limit 0.5" in model.model_.settings


def test_progress_is_reported(series, monkeypatch):
    pytest.importorskip("tqdm")
    import tqdm.auto

    seen = []

    class Bar:
        def __init__(self, **more):
            self.n, self.total = 0, 0

        def update(self, step):
            self.n += step
            seen.append((self.n, self.total))

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    SeriesClassifier(members=7, progress=True).fit(*series)
    assert seen[-1] == (7, 7)
    seen.clear()
    for params, total in (({}, 12), ({"strategy": "ovr"}, 9), ({"head": "average"}, 9)):  # problems of three members
        SeriesClassifier(members=3, progress=True, **params).fit(*three_series())
        assert seen[-1] == (total, total)
        seen.clear()
    SeriesClassifier(members=1, refine="no", progress=True, tune=True, grid={"nu": [0.1, 0.2]}, folds=3).fit(*series)
    assert seen[-1] == (6, 6)


def test_tuning_resumes_from_its_journal(tmp_path, series):
    settings = {"members": 1, "refine": "no", "random_state": 1, "tune": True, "grid": {"nu": [0.1, 0.2, 0.3]}, "folds": 3,
                "journal": tmp_path / "j"}
    whole = SeriesClassifier(**settings).fit(*series)
    lines = (tmp_path / "j").read_text().splitlines(keepends=True)
    assert len(lines) == 10
    (tmp_path / "j").write_text("".join(lines[:4]))
    again = SeriesClassifier(**settings).fit(*series)
    assert again.tuning_results_ == whole.tuning_results_
    assert again.model_.to_json() == whole.model_.to_json()


def test_threads_do_not_change_the_model(series, bags):
    for cls, data in ((SeriesClassifier, series), (BagClassifier, bags)):
        models = {cls(members=4, n_jobs=n, random_state=1).fit(*data).model_.to_json() for n in (1, 2, -1, None)}
        assert len(models) == 1


def test_random_states(series):
    def model(random_state):
        return SeriesClassifier(members=2, random_state=random_state).fit(*series).model_.to_json()

    assert model(3) == model(np.int64(3)) != model(4)
    assert model(np.random.RandomState(5)) == model(np.random.RandomState(5))
    assert model(np.random.default_rng(5)) == model(np.random.default_rng(5))
