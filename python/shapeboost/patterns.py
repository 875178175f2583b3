# SPDX-License-Identifier: MIT
"""What a model is made of, for people who want to look at it."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Instance:
    """A window, or an instance of a bag, that a pattern is made of."""

    alpha: float
    """Its coefficient in the pattern."""
    example: int
    """The training example it was cut from, counted from 0; -1 for a cluster's centre."""
    position: int
    """The first moment of the window, or the number of the instance in its bag, from 0; -1 for a centre."""
    values: np.ndarray
    """Itself, in the units of the data; of several channels one row each."""


@dataclass(frozen=True)
class Hypothesis:
    """h(B) = sign max over x in B of the sum of alpha K(z, x) over the pattern's instances z."""

    weight: float
    """w_j, summed over the parts of the model."""
    sign: int
    """1, or -1 where the positive class lacks the pattern."""
    claim: str
    """What it says of the positive class: 'present', 'absent', 'everywhere' or 'not everywhere'."""
    speaks_for: object
    """The class for which the main instance speaks where it is found; None: all the others together."""
    view: dict
    """How windows are cut and compared."""
    instances: tuple = field(repr=False)
    """Of the pattern, the largest |alpha| first."""
    uses: tuple = field(repr=False)
    """(part, weight, class it speaks for) for every part that uses it."""

    @property
    def main(self):
        """The instance with the largest |alpha|, which tells the pattern's story."""
        return self.instances[0]

    @property
    def values(self):
        """Those of the main instance."""
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
