# SPDX-License-Identifier: MIT
"""Names for the types that estimators take and return."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]
Labels: TypeAlias = npt.NDArray[Any]
"""Labels as they were given: numbers or texts."""

Examples: TypeAlias = Any
"""Arrays, lists of them, data frames, tables, sparse matrices, texts, paths: docs/python.md has the list."""
GivenLabels: TypeAlias = Any
Weights: TypeAlias = Any
Ids: TypeAlias = Any

Number: TypeAlias = float | str | None
"""A number or 'auto', which None is too."""
Numbers: TypeAlias = float | str | Sequence[float | str] | npt.NDArray[Any] | None
"""A number, several, or 'auto'."""
Words: TypeAlias = str | Sequence[str] | None
Channels: TypeAlias = int | str | Sequence[int | str] | None
KernelLike: TypeAlias = str | Callable[[Floats, Floats], float]
Path: TypeAlias = str | os.PathLike[str]
GramLike: TypeAlias = Path | npt.ArrayLike | None
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
ClassWeight: TypeAlias = str | Mapping[Any, float] | None
Grid: TypeAlias = str | Mapping[str, Sequence[Any]] | None
Request: TypeAlias = bool | str | None
Output: TypeAlias = Literal["default", "pandas", "polars"] | None
