# SPDX-License-Identifier: MIT
"""Drawings of what a model has learned. Warm colours speak for the positive class, cold ones for the other."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import TwoSlopeNorm


def _part_of(model, part):
    parts = model._model().parts()
    if not 0 <= part < len(parts):
        raise ValueError(f"part: expected 0 to {len(parts) - 1}, found {part}")
    return parts[part]


def _sides(model, part):
    """The names of the two sides of a part: (negative, positive)."""
    names = model.classes_[model._places()]
    one = _part_of(model, part)
    return "the rest" if one["negative"] is None else str(names[one["negative"]]), str(names[one["positive"]])


def _drawn(model, part, top):
    """The heaviest (hypothesis, its weight in the part, the strength w sign alpha of its main instance)."""
    used = [(h, weight) for h in model.hypotheses_ for p, weight, _ in h.uses if p == part]
    used.sort(key=lambda one: -one[1])
    return [(h, weight, weight * h.sign * h.main.alpha) for h, weight in used[:top]]


def _colours(strengths):
    limit = max((abs(strength) for strength in strengths), default=1.0) or 1.0
    return ScalarMappable(TwoSlopeNorm(0.0, -limit, limit), plt.get_cmap("RdYlBu_r"))


def _colour(colours, strength):
    """As strong as the map has it, but never so pale that it is lost on white."""
    red, green, blue, _ = colours.to_rgba(strength)
    pale = 0.299 * red + 0.587 * green + 0.114 * blue > 0.75
    return (red * 0.8, green * 0.75, blue * 0.8) if pale else (red, green, blue)


def _curve(h):
    """(moments from the window's first, values) of a pattern; differences are summed up."""
    values = np.atleast_2d(h.values)
    if h.view["differences"]:
        values = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
    return np.arange(values.shape[1]) * h.view["dilation"], values


def plot_shapelets(model, X=None, part=0, top=12, ax=None):
    """The important patterns of the classifier, each at the place it was cut from, coloured by w sign alpha.

    `X` is the training data: the series that the heaviest patterns come from are then drawn in grey. Of bags, the
    features of the heaviest patterns. `part` is a pair of classes, or a class against the rest, of more than two.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = shapeboost.SeriesClassifier(members=1).fit(X, y)
    >>> ax = shapeboost.plot_shapelets(model, X)
    >>> ax.get_xlabel()
    'moment'
    """
    _part_of(model, part)
    ax = ax or plt.subplots(figsize=(8.0, 4.0), layout="constrained")[1]
    drawn = _drawn(model, part, top)
    negative, positive = _sides(model, part)
    colours = _colours([strength for _, _, strength in drawn])
    if model._model().kind == "bags":
        _draw_bags(ax, drawn, colours)
    elif model._model().kind == "series":
        _draw_series(ax, drawn, colours, X)
    else:
        raise ValueError("plot_shapelets draws series and bags; the patterns of sequences are in hypotheses_")
    bar = ax.figure.colorbar(colours, ax=ax)
    bar.set_label(f"for {negative}  ←  w · sign · α  →  for {positive}")
    return ax


def _draw_series(ax, drawn, colours, X):
    if X is not None:
        for example in dict.fromkeys(h.main.example for h, _, _ in drawn[:3] if h.main.example >= 0):
            for channel in np.atleast_2d(np.asarray(X[example], dtype=float)):
                ax.plot(channel, color="0.8", linewidth=1.0, zorder=1)
    widest = max(weight for _, weight, _ in drawn) if drawn else 1.0
    for h, weight, strength in reversed(drawn):
        moments, values = _curve(h)
        first = max(h.main.position, 0)
        shift = 0.0
        if h.view["differences"] and X is not None and h.main.example >= 0:
            source = np.atleast_2d(np.asarray(X[h.main.example], dtype=float))
            shift = source[0 if h.view["channel"] == "all" else h.view["channel"], first]
        for row in values:
            ax.plot(first + moments, row + shift, color=_colour(colours, strength),
                    linewidth=1.0 + 3.0 * weight / widest, solid_capstyle="round", zorder=2 + weight)
    ax.set_xlabel("moment")
    ax.set_ylabel("value")
    ax.set_title(f"{len(drawn)} heaviest patterns, where they were cut")


def _draw_bags(ax, drawn, colours):
    widest = max(weight for _, weight, _ in drawn) if drawn else 1.0
    for h, weight, strength in reversed(drawn):
        values = np.ravel(h.values)
        ax.plot(np.arange(len(values)), values, marker="o", markersize=4, color=_colour(colours, strength),
                linewidth=1.0 + 2.5 * weight / widest, zorder=2 + weight)
    ax.axhline(0.0, color="0.8", linewidth=1.0, zorder=1)
    ax.set_xlabel("feature")
    ax.set_ylabel("value")
    ax.set_title(f"instances of the {len(drawn)} heaviest patterns")


def plot_history(model, ax=None):
    """How boosting went: the soft margin gamma rises, the best edge falls to meet it.

    >>> import shapeboost
    >>> model = shapeboost.SeriesClassifier(members=1).fit(*shapeboost.planted_series(20, length=60))
    >>> shapeboost.plot_history(model).get_xlabel()
    'round'
    """
    history = model.history_
    ax = ax or plt.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
    rounds = np.arange(1, len(history["gamma"]) + 1)
    # Before the first hypothesis gamma is -1 by convention, which would flatten all the rest.
    real = history["columns"] > (history["columns"].min() if len(rounds) > 1 else -1)
    several = (np.diff(history["columns"]) < 0).any()
    style = {"linestyle": "none", "marker": ".", "markersize": 3} if several else {"marker": ".", "linewidth": 1.2}
    ax.plot(rounds[real], history["edge"][real], color="tab:orange", label="best edge", **style)
    ax.plot(rounds[real], history["gamma"][real], color="tab:blue", label="gamma, the soft margin", **style)
    ax.set_xlabel("round" + (", member after member" if several else ""))
    ax.set_ylabel("edge and margin")
    ax.legend(frameon=False)
    return ax
