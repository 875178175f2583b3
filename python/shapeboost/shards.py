# SPDX-License-Identifier: MIT
"""The steps of a training where the examples lie, each a function of what it is given: shapeboost.dask runs them on workers. A block
is what one partition holds; it may be empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import _core
from ._types import Floats, Labels, Places
from .bags import BagClassifier
from .estimator import Estimator
from .inputs import opened
from .labels import as_labels, spelled
from .parameters import settings_of
from .scikit import as_weights
from .series import SeriesClassifier
from .tables import is_table

_PIECE = 4096  # series of an array that are looked at at a time, in double precision


def _held(block: Any) -> Any:
    """Partitions of dask bags may be iterators."""
    return block if hasattr(block, "__len__") else list(block)


def _pieces(block: Any) -> Iterator[tuple[int, list[Floats]]]:
    """The series of a block, and where each piece of them begins in it."""
    X = opened(block, True)
    if len(X) == 0:
        return
    size = _PIECE if isinstance(X, np.ndarray) and X.ndim > 1 else len(X)
    for first in range(0, len(X), size):
        kind, examples = SeriesClassifier()._examples_of(X[first:first + size])
        if kind != "series":
            raise ValueError(f"X holds {kind}: expected series of numbers in every partition")
        yield first, examples


def _labelled(labels: Any, count: int) -> list[str]:
    return [spelled(label) for label in as_labels(labels, count)]


class Attendance:
    """Who is in a block: their roll (None of texts, or where none is there), their number, and the labels that occur, as they were
    given."""

    def __init__(self, roll: _core.Roll | None, size: int, labels: Labels | None) -> None:
        self.roll = roll
        self.size = size
        self.labels = labels


def attendance(block: Any, labels: Any, weights: Any) -> Attendance:
    block = _held(block)
    size = len(block)
    labels = as_labels(_held(labels), size) if size or len(_held(labels)) else None
    if labels is None:
        return Attendance(None, 0, None)
    given = as_weights(weights, size)
    occurring = np.unique(labels)
    if is_text(block):
        return Attendance(None, size, occurring)
    roll = _core.Roll()
    for first, examples in _pieces(block):
        part = slice(first, first + len(examples))
        shard = _core.data("series", examples, [spelled(label) for label in labels[part]], "")
        roll.append(_core.roll(shard, None if given is None else given[part]))
    return Attendance(roll, size, occurring)


def is_text(block: Any) -> bool:
    """Whether it holds sequences of symbols."""
    return isinstance(block, (list, tuple)) and len(block) > 0 and isinstance(block[0], (str, bytes))


Taken = tuple[list[Floats], list[str]]


def taken(block: Any, labels: Any, places: Places) -> Taken:
    """Copies of the series at these places, ascending, and their labels."""
    block = _held(block)
    texts = _labelled(_held(labels), len(block))
    found = []
    for first, examples in _pieces(block):
        own = places[(places >= first) & (places < first + len(examples))]
        found += [np.array(examples[place - first]) for place in own]
    return found, [texts[place] for place in places]


class Sample:
    """The series that patterns are found on, their labels, and what each counts."""

    def __init__(self, examples: list[Floats], labels: list[str], weights: Floats) -> None:
        self.examples = examples
        self.labels = labels
        self.weights = weights

    def data(self) -> _core.Data:
        data = _core.data("series", self.examples, self.labels, "")
        data.set_weights(self.weights)
        return data


def gathered(parts: Sequence[Taken], plan: _core.ShardPlan) -> Sample:
    """`parts` hold the plan's sample in the order of its numbers; the sample is in the order of the plan."""
    examples = [example for part, _ in parts for example in part]
    labels = [label for _, part in parts for label in part]
    rank = np.argsort(np.argsort(plan.sample, kind="stable"), kind="stable")
    return Sample([examples[k] for k in rank], [labels[k] for k in rank], plan.sample_weights)


def members(sample: Sample, plan: _core.ShardPlan, estimator: Estimator) -> int:
    return _core.finders(sample.data(), plan, settings_of(estimator)[0])


def found_patterns(sample: Sample, plan: _core.ShardPlan, estimator: Estimator, member: int) -> str:
    return _core.find(sample.data(), plan, settings_of(estimator)[0], member)


Draft = tuple[str, list[str]]


def draft(sample: Sample, plan: _core.ShardPlan, estimator: Estimator, found: Sequence[str]) -> Draft:
    """The model that the sample alone weighs, as text, and notes. Nothing else of the training runs beside it: unless n_jobs says how many, it
    takes all cores of its machine."""
    settings = settings_of(estimator)[0]
    if estimator.n_jobs is None:
        settings.set("threads", "auto")
    model, notes = _core.weigh_sample(sample.data(), plan, settings, found)
    return model.to_json(), notes


def evidence(drafted: Draft, plan: _core.ShardPlan, block: Any, labels: Any, first: int, counts: Floats | None,
             threads: int) -> _core.EvidenceSums | None:
    """What the examples of a block, of which the first has this number, say of the draft's patterns. None where there are no patterns."""
    model = _core.Model.from_json(drafted[0], "draft")
    if model.size == 0:
        return None
    block = _held(block)
    texts = _labelled(_held(labels), len(block)) if len(block) else []
    weigher = _core.ShardWeigher(model, plan, threads)
    sums = weigher.none()
    for begin, examples in _pieces(block):
        part = slice(begin, begin + len(examples))
        weigher.add(_core.data("series", examples, texts[part], ""), first + begin, None if counts is None else counts[part], sums)
    return sums


def merged(parts: Sequence[_core.EvidenceSums | None]) -> _core.EvidenceSums | None:
    """Their sum; the parts stay as they are, since dask may want them again."""
    if parts[0] is None:
        return None
    sums = parts[0].copy()
    for part in parts[1:]:
        assert part is not None
        sums.add(part)
    return sums


def finished(drafted: Draft, plan: _core.ShardPlan, sums: _core.EvidenceSums | None, sample: Sample, threads: int) -> Draft:
    text, notes = drafted
    if sums is None:
        return text, notes
    return _core.finish(_core.Model.from_json(text, "draft"), plan, sums, sample.data(), threads).to_json(), notes


# Trainings on all at once ------------------------------------------------------------------------------------------


def _together(blocks: Sequence[Any], across: bool) -> Any:
    """The examples of all blocks as one X."""
    held = [block for block in map(_held, blocks) if len(block)]
    if len(held) == 1:
        return held[0]
    if held and all(is_table(block) and hasattr(block, "iloc") for block in held):
        import pandas as pd

        return pd.concat(held)
    arrays = [opened(block, across) for block in held]
    if all(isinstance(array, np.ndarray) and array.ndim > 1 for array in arrays) and len({array.shape[1:] for array in arrays}) == 1:
        return np.concatenate(arrays)
    return [example for array in arrays for example in array]


def _joined(parts: Sequence[Any]) -> Labels | None:
    """Labels or weights of all blocks."""
    held = [np.asarray(part) for part in map(_held, (part for part in parts if part is not None)) if len(part)]
    return np.concatenate(held) if held else None


def fitted_together(estimator: Estimator, blocks: Sequence[Any], labels: Sequence[Any], weights: Sequence[Any]) -> Estimator:
    X = _together(blocks, "series" in estimator._kinds)
    y, sample_weight = _joined(labels), _joined(weights)
    if isinstance(estimator, (SeriesClassifier, BagClassifier)):
        estimator.fit(X, y, sample_weight=sample_weight)
    return estimator


# Prediction --------------------------------------------------------------------------------------------------------


def answer(block: Any, estimator: Estimator, method: str, empty: Any) -> Any:
    """What a method says of a block."""
    block = _held(block)
    if len(block) == 0:
        return empty
    return getattr(estimator, method)(block)


def right(block: Any, labels: Any, weights: Any, estimator: Estimator) -> tuple[float, float]:
    """What the examples that are classified correctly weigh, and what all do."""
    block = _held(block)
    if len(block) == 0:
        return 0.0, 0.0
    given = as_weights(weights, len(block))
    total = float(len(block)) if given is None else float(given.sum())
    return (estimator.score(block, _held(labels), given) * total if total else 0.0), total
