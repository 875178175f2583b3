# SPDX-License-Identifier: MIT
"""Wheels for x86-64 hold the compiled module several times, the faster ones in folders named after the processors they are for:
x86-64-v3 (AVX2, since about 2013) and x86-64-v4 (AVX-512). The best one that the machine can run is taken, or the one that the
environment variable SHAPEBOOST_PROCESSOR names, since sums are rounded in another order in each."""

from __future__ import annotations

import os
import pathlib

_V3 = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe".split())
_NEEDS = {"x86-64-v4": _V3 | frozenset("avx512f avx512bw avx512cd avx512dq avx512vl".split()), "x86-64-v3": _V3}


def _abilities() -> frozenset[str]:
    """What Linux says that processor and system can do."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").split())


def folders(package: pathlib.Path = pathlib.Path(__file__).parent) -> list[str]:
    """Where to look for the compiled module before the package itself: one folder or none."""
    there = [level for level in _NEEDS if (package / level).is_dir()]
    wanted = os.environ.get("SHAPEBOOST_PROCESSOR", "")
    if wanted and wanted not in ("x86-64", *there):
        raise ImportError(f"SHAPEBOOST_PROCESSOR: expected one of {', '.join(['x86-64', *there])}, found {wanted!r}")
    if there:
        able = _abilities()
        there = [level for level in there if (level == wanted if wanted else _NEEDS[level] <= able)]
    return [str(package / level) for level in there[:1]]
