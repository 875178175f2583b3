# SPDX-License-Identifier: MIT
"""Installs a wheel in an empty virtual environment and uses all of it there, with no compiler and no Node.js in reach:

    bare_environment.py ENVIRONMENT WHEEL...       of the wheels the one that fits
"""

import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

MOST_SECONDS = 20  # of processor time to install the wheel and NumPy: elapsed time is the machine's and the network's too
USE = textwrap.dedent("""
    import pathlib, sys
    import numpy as np
    import shapeboost
    assert "site-packages" in shapeboost.__file__, shapeboost.__file__
    X, y = shapeboost.planted_series(20, length=60)
    model = shapeboost.SeriesClassifier(probability=True).fit(X, y)
    assert model.score(X, y) == 1.0
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert model.explain(X, 0)["parts"]
    model.report(X, y, "report.html")
    assert pathlib.Path("report.html").stat().st_size > 100_000
    for method in ("boost", sys.argv[1]):
        machine = shapeboost.BagClassifier(method=method).fit(*shapeboost.planted_bags(20))
        assert len(machine.hypotheses_) > 0
    model.save("model.json")
    assert (shapeboost.load("model.json").predict(X) == model.predict(X)).all()
    if "--plots" in sys.argv:
        shapeboost.plot_shapelets(model, X).figure.savefig("patterns.png")
        shapeboost.plot_explanation(model, X, 0).figure.savefig("why.png")
    print(shapeboost.__version__, pathlib.Path(shapeboost._core.__file__).parent.name)
""")


def run(*command, **options):
    return subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def check(environment, wheels, method="MI-svm", plots=True):
    """Returns the seconds that installing took, elapsed and of processor, the version, and the folders of the modules that were used."""
    python = environment / "bin" / "python"
    begin, before = time.perf_counter(), processor_seconds()
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps",
        next(wheel for wheel in wheels if fits(python, wheel)))
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:", "numpy")
    seconds = time.perf_counter() - begin, processor_seconds() - before
    if plots:
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:", "matplotlib")
    folders = []
    with tempfile.TemporaryDirectory() as folder:
        bare = {"PATH": "/nowhere", "HOME": folder, "MPLBACKEND": "Agg"}
        assert shutil.which("cc", path=bare["PATH"]) is None and shutil.which("node", path=bare["PATH"]) is None
        package = next(environment.glob("lib/python3*/site-packages/shapeboost"))
        levels = [path.parent.name for path in package.glob("*/_core*.so")]
        for level in ["", "x86-64", *levels] if levels else [""]:
            if level == "x86-64-v4" and "avx512f" not in pathlib.Path("/proc/cpuinfo").read_text():
                continue
            said = run(python, "-c", USE, method, *(["--plots"] if plots else []), cwd=folder,
                       env={**bare, **({"SHAPEBOOST_PROCESSOR": level} if level else {})}).split()
            folders.append(said[1])
        version = run(environment / "bin" / "shapeboost", "--version", env=bare).split()[-1]
        run(environment / "bin" / "shapeboost", "demo", "--out", folder, env=bare)
        assert said[0] == version
    return seconds, version, folders


def processor_seconds():
    """Of the programs that were run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fits(python, wheel):
    """Whether this Python can load it, as pip sees it."""
    return subprocess.run([python, "-m", "pip", "install", "-q", "--dry-run", "--no-deps", "--no-index", "--disable-pip-version-check", wheel],
                          capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    where = pathlib.Path(sys.argv[1]).absolute()
    (elapsed, took), made, used = check(where, [pathlib.Path(wheel).absolute() for wheel in sys.argv[2:]])
    print(f"checked: {where.name}: installed in {elapsed:.1f} s ({took:.1f} s of processor), version {made}, modules {', '.join(used)}")
    if took > MOST_SECONDS:
        sys.exit(f"installing took {took:.1f} s of processor, more than {MOST_SECONDS}")
