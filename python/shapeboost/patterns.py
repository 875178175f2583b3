# SPDX-License-Identifier: MIT
"""The parts of a trained model, to inspect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import _core
from ._types import Floats, Labels, Places


@dataclass(frozen=True)
class Instance:
    """One of the windows, or instances of bags, that make up a pattern."""

    alpha: float
    """Its coefficient in the pattern."""
    example: int
    """The training example it was taken from, counted from 0; -1 for a cluster centre."""
    position: int
    """The window's first time step, or the instance's index in its bag, from 0; -1 for a cluster centre."""
    values: Any
    """Its values in the units of the data; with several channels, one row each."""


class Use(NamedTuple):
    """What one part of the model makes of a pattern."""

    part: int
    """The index of the part: two classes, or a class against the rest."""
    weight: float
    """w of the part; above 0 except in a model with a head."""
    speaks_for: object
    """The class that finding the main instance, or finding it late, speaks for; None: the rest, where one class is set
    against it."""
    evidence: str = "best"
    """What is weighed: 'best' (the best match), 'share' (how much of the example matches), of series 'place' (where it
    lies), of bags 'mean' (of all matches), 'least' (the least of them) and 'bag' (how alike the bag is to the pattern, a whole
    training bag)."""


@dataclass(frozen=True)
class Hypothesis:
    """h(B) = sign max over x in B of the sum of alpha K(z, x) over the pattern's instances z. A model with a head weighs
    up to four numbers of each pattern (of a whole bag one, how alike a bag is to it), its evidence, each less `centre` and divided by `scale`."""

    weight: float
    """|w_j|, summed over the parts of the model, and over the evidence."""
    sign: int
    """1, or -1 where the positive class lacks the pattern; 1 in a model with a head, whose weights have a sign."""
    claim: str
    """What it says about the pattern in the positive class: 'present', 'absent', 'everywhere' or 'not everywhere'; where a
    head weighs its place alone, 'later' or 'earlier'. Of several parts, in the one that gives it the largest weight."""
    speaks_for: object
    """The class that finding the main instance speaks for; None: the rest, where one class is set against it."""
    view: dict[str, Any]
    """How windows are cut and compared."""
    instances: tuple[Instance, ...] = field(repr=False)
    """The pattern's instances, largest |alpha| first."""
    uses: tuple[Use, ...] = field(repr=False)
    """(part, weight, class it speaks for, evidence) for each weight in the model, largest |weight| first."""
    threshold: float | None = field(default=None, repr=False)
    """With a head: the score from which an instance counts for the evidence 'share'."""
    centre: dict[str, float] = field(default_factory=dict, repr=False)
    """With a head: {evidence: what is subtracted from it}."""
    scale: dict[str, float] = field(default_factory=dict, repr=False)
    """With a head: {evidence: what it is divided by}."""

    @property
    def main(self) -> Instance:
        """The instance with the largest |alpha|, which characterises the pattern."""
        return self.instances[0]

    @property
    def values(self) -> Any:
        """The values of the main instance."""
        return self.main.values


class Interval(NamedTuple):
    """A moment of a fixed part of a series."""

    transform: str
    """What it is a part of: 'none' (the series), 'differences' or 'spectrum'."""
    channel: int
    """From 0."""
    moment: str
    """'level' (the mean), 'spread' (the deviation) or 'slope' (the rise of the least squares line from end to end)."""
    first: float
    """Where it begins and ends, as shares of the length (of a spectrum, of its frequencies)."""
    last: float


@dataclass(frozen=True)
class Head:
    """One ridge regression for all classes, of bags one for each kind of evidence, added up. Its arrays have an entry for each
    column of `transform`, so that `(transform(X) - centre) / scale @ weights.T + intercept` are the scores of the parts."""

    evidence: tuple[str, ...]
    """What is weighed of each pattern, of 'best', 'share', 'place', 'mean', 'least' and 'bag'."""
    intervals: tuple[Interval, ...] = field(repr=False)
    """What is weighed of series beside the patterns; its columns are the last. Empty where that does not pay."""
    alpha: float
    """The ridge parameter, chosen by leave-one-out."""
    left_out_accuracy: float
    """Accuracy on the training examples, each left out of the regression and of its own patterns. Patterns are found on
    all examples, so it is optimistic."""
    left_out_error: float
    """The mean square of y - g of each example left out, y = 1 for its class and -1 for others."""
    residual: float
    """Of the normal equations, relative: how exactly they are solved."""
    weights: Floats = field(repr=False)
    """One row for each part of the model: a class against the rest, or the second of two classes against the first."""
    intercept: Floats = field(repr=False)
    """b of each part."""
    centre: Floats = field(repr=False)
    """What is subtracted from each column."""
    scale: Floats = field(repr=False)
    """What each column is then divided by."""
    factor: Floats = field(repr=False)
    """How telling each column's view and evidence are by themselves, relative to the most telling: the regression penalises
    (weights / factor)**2."""
    mixing: Floats = field(repr=False)
    """Of several classes: a matrix that the regression's own weights were multiplied by, `own.T @ mixing`, by logistic
    regression on what it says of examples left out; empty: as they are."""


def head_of(model: _core.Model) -> Head | None:
    """The model's head, or None."""
    found = model.head()
    if found is None:
        return None
    intervals = tuple(Interval(*one) for one in found.pop("intervals"))
    return Head(intervals=intervals, **found)


def hypotheses_of(model: _core.Model, classes: Labels, places: Places) -> list[Hypothesis]:
    """The model's hypotheses, heaviest first."""

    labels = classes[places].tolist()  # as Python has them: 1 in place of np.int64(1)

    def label(k: int | None) -> object:
        return None if k is None else labels[k]

    parts = model.parts()
    result = []
    for row in model.hypotheses():
        ordered = sorted((Instance(*one) for one in row["instances"]), key=lambda one: -abs(one.alpha))
        uses = tuple(sorted((Use(part, w, label(k), evidence) for part, w, k, evidence in row["uses"]),
                            key=lambda use: -abs(use.weight)))
        part, claim = _claim(uses, row["sign"], ordered[0].alpha > 0)
        side = "positive" if claim in ("present", "everywhere", "later") else "negative"
        result.append(Hypothesis(
            sum(abs(use.weight) for use in uses), row["sign"], claim, label(parts[part][side]), row["view"],
            tuple(ordered), uses, row["threshold"],
            {evidence: centre for evidence, (centre, _) in row["standard"].items()},
            {evidence: scale for evidence, (_, scale) in row["standard"].items()}))
    return result


def found_weight(uses: Sequence[Use], part: int) -> float | None:
    """w of a pattern being found: that of all evidence but its place, which rises where it is; None
    where the part weighs neither."""
    own = [use.weight for use in uses if use.part == part and use.evidence != "place"]
    return sum(own) if own and sum(own) != 0 else None


def _claim(uses: Sequence[Use], sign: int, like: bool) -> tuple[int, str]:
    """(the part with the largest weight, what the pattern says about its positive class)."""
    told = []
    for part in sorted({use.part for use in uses}):
        found = found_weight(uses, part)
        place = sum(use.weight for use in uses if use.part == part and use.evidence == "place")
        told.append((part, place if found is None else found, found is None and place != 0))
    part, weight, by_place = max(told, key=lambda one: one[1], default=(0, 0.0, False))
    if (weight >= 0) == (sign > 0):
        return part, "later" if by_place else "present" if like else "not everywhere"
    return part, "earlier" if by_place else "absent" if like else "everywhere"
