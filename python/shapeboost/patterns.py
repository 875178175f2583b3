# SPDX-License-Identifier: MIT
"""The parts of a trained model, to inspect."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Instance:
    """One of the windows, or instances of bags, that make up a pattern."""

    alpha: float
    """Its coefficient in the pattern."""
    example: int
    """The training example it was taken from, counted from 0; -1 for a cluster centre."""
    position: int
    """The window's first time step, or the instance's index in its bag, from 0; -1 for a cluster centre."""
    values: np.ndarray
    """Its values in the units of the data; with several channels, one row each."""


@dataclass(frozen=True)
class Hypothesis:
    """h(B) = sign max over x in B of the sum of alpha K(z, x) over the pattern's instances z."""

    weight: float
    """w_j, summed over the parts of the model."""
    sign: int
    """1, or -1 where the positive class lacks the pattern."""
    claim: str
    """What it says about the pattern in the positive class: 'present', 'absent', 'everywhere' or 'not everywhere'."""
    speaks_for: object
    """The class that finding the main instance speaks for; None: the rest, where one class is set against it."""
    view: dict
    """How windows are cut and compared."""
    instances: tuple = field(repr=False)
    """The pattern's instances, largest |alpha| first."""
    uses: tuple = field(repr=False)
    """(part, weight, class it speaks for) for each part of the model that uses it."""

    @property
    def main(self):
        """The instance with the largest |alpha|, which characterises the pattern."""
        return self.instances[0]

    @property
    def values(self):
        """The values of the main instance."""
        return self.main.values


def hypotheses_of(model, classes, places):
    """The model's hypotheses, heaviest first."""

    def label(k):
        return None if k is None else classes[places[k]]

    result = []
    for weight, sign, claim, _, view, instances, uses in model.hypotheses():
        ordered = sorted((Instance(*one) for one in instances), key=lambda one: -abs(one.alpha))
        used = tuple((part, w, label(k)) for part, w, k in uses)
        result.append(Hypothesis(weight, sign, claim, used[0][2], view, tuple(ordered), used))
    return result
