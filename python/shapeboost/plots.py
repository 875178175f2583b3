# SPDX-License-Identifier: MIT
"""Plots of what a model has learned. Warm colours speak for the positive class, cold ones for the negative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.ticker import MaxNLocator

from ._types import Examples, Floats, Ids
from .bags import grouped
from .estimator import Estimator
from .patterns import Hypothesis, Instance, found_weight

_MOST_NAMES = 40  # of features below a plot
_MOST_WINDOWS = 50  # patterns of which the windows of some still tell what decided


class Drawn(NamedTuple):
    """A pattern's instance and how strongly it speaks, w sign alpha."""

    hypothesis: Hypothesis
    instance: Instance
    strength: float


def _part_of(model: Estimator, part: int) -> dict[str, Any]:
    parts = model._model().parts()
    if not 0 <= part < len(parts):
        raise ValueError(f"part: expected 0 to {len(parts) - 1}, found {part}")
    return parts[part]


def _sides(model: Estimator, part: int) -> tuple[str, str]:
    """The names of a part's two classes: (negative, positive)."""
    names = model.classes_[model._places()]
    one = _part_of(model, part)
    return "the rest" if one["negative"] is None else str(names[one["negative"]]), str(names[one["positive"]])


def _drawn(model: Estimator, part: int, top: int) -> list[Drawn]:
    """The strongest, weakest first; none of a spectrum, which has no time steps to be drawn at."""
    found = [Drawn(h, z, _weight(h, part) * h.sign * z.alpha) for h in model.hypotheses_
             if any(use.part == part for use in h.uses) and h.view.get("transform") != "spectrum" for z in h.instances]
    return sorted(found, key=lambda one: abs(one.strength))[-top:]


def _weight(h: Hypothesis, part: int) -> float:
    """w in the part. Of a model with a head, that of being found; of the place where it weighs nothing else."""
    found = found_weight(h.uses, part)
    return float(sum(use.weight for use in h.uses if use.part == part)) if found is None else found


# Yellow to red and light blue to purple, never so pale that a line would vanish on white.
_WARM_AND_COLD = LinearSegmentedColormap.from_list(
    "warm and cold", [(0.0, "#54278f"), (0.25, "#2166ac"), (0.4999, "#92c5de"), (0.5001, "#fdc44f"), (0.75, "#f46d43"),
                      (1.0, "#a50026")])
# The same, from one side to the other by way of grey, for what changes along a line.
_COLD_TO_WARM = LinearSegmentedColormap.from_list(
    "cold to warm", [(0.0, "#54278f"), (0.25, "#2166ac"), (0.5, "#c9c9c9"), (0.75, "#f46d43"), (1.0, "#a50026")])


def _colours(strengths: Sequence[float] | Floats, colours: LinearSegmentedColormap = _WARM_AND_COLD) -> ScalarMappable:
    limit = float(np.max(np.abs(strengths))) if len(strengths) else 0.0
    return ScalarMappable(Normalize(-(limit or 1.0), limit or 1.0), colours)


def _colour(colours: ScalarMappable, strength: float) -> Any:
    return colours.to_rgba(np.array([strength]))[0]


def _width(strength: float, strengths: Sequence[float]) -> float:
    return 1.2 + 2.8 * abs(strength) / (max(map(abs, strengths)) or 1.0)


def _new_axes(height: float = 4.0) -> Axes:
    return plt.subplots(figsize=(8.0, height), layout="constrained")[1]


def _names(model: Estimator, noun: str) -> list[str]:
    """Of the channels or features: those of the frame that the model was trained on, else numbers."""
    width = model._model().width
    given = getattr(model, "feature_names_in_", None)
    if given is not None and len(given) == width:
        return [str(name) for name in given]
    return [f"{noun} {k + 1}" for k in range(width)]


class _Lanes:
    """Several channels, one above the other, each with its name."""

    def __init__(self, ax: Axes, model: Estimator, curves: Sequence[Floats]) -> None:
        self.names = _names(model, "channel")
        values = [curve[np.isfinite(curve)] for curve in curves]
        spread = [float(np.ptp(value)) for value in values if len(value)]
        self.step = 1.1 * (max(spread) if spread else 1.0) if len(self.names) > 1 else 0.0
        ax.set_xlabel("time step")
        ax.set_ylabel("channel" if self.step else "value")
        if self.step:
            ax.set_yticks([self.height(c) for c in range(len(self.names))], self.names)

    def height(self, channel: int) -> float:
        """What is added to the channel's values; the first is on top."""
        return self.step * (len(self.names) - 1 - channel)


def _series_of(X: Examples, model: Estimator, index: int) -> Floats:
    """Example `index` as (channels, time steps)."""
    series: Floats = model._examples_of(model._opened(X))[1][index]
    return series


def _curve(h: Hypothesis, z: Instance) -> tuple[Floats, Floats]:
    """A pattern as (time steps counted from the window's first, values); differences are summed up again."""
    values = np.atleast_2d(z.values)
    if h.view["transform"] == "differences":
        values = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
    return np.arange(values.shape[1]) * h.view["dilation"], values


def plot_shapelets(model: Estimator, X: Examples = None, part: int = 0, top: int = 12, ax: Axes | None = None) -> Axes:
    """The strongest patterns, each where it was cut from its series, coloured by w sign alpha: figure (b) of the paper.

    If `X`, the training data, is given, the series that the strongest patterns come from are drawn in black. Several channels lie one
    above the other. For bags, the features of the strongest instances are drawn, of each those that its view looks at. `top` limits the
    number of curves. With more than two classes, `part` selects a pair of classes, or a class against the rest.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = shapeboost.SeriesClassifier(members=1).fit(X, y)
    >>> ax = shapeboost.plot_shapelets(model, X)
    >>> ax.get_xlabel()
    'time step'
    """
    _part_of(model, part)
    kind = model._model().kind
    if kind == "sequences":
        raise ValueError("plot_shapelets draws series and bags; hypotheses_ has the patterns of sequences")
    drawn = _drawn(model, part, top)
    negative, positive = _sides(model, part)
    colours = _colours([one.strength for one in drawn])
    if ax is None:
        ax = _new_axes(_height(model) if kind == "series" else 4.0)
    if kind == "bags":
        _draw_bags(ax, model, drawn, colours)
    else:
        _draw_series(ax, model, drawn, colours, X)
    bar = ax.figure.colorbar(colours, ax=ax)
    bar.set_label(f"for {negative}  ←  w · sign · α  →  for {positive}")
    return ax


def _height(model: Estimator) -> float:
    return min(4.0 + 0.6 * (model._model().width - 1), 12.0)


def _draw_series(ax: Axes, model: Estimator, drawn: list[Drawn], colours: ScalarMappable, X: Examples) -> None:
    shown = [] if X is None else [_series_of(X, model, k)
                                  for k in dict.fromkeys(one.instance.example for one in drawn[-2:]) if k >= 0]
    curves = [_placed(model, one, X) for one in drawn]
    lanes = _Lanes(ax, model, [channel for series in shown for channel in series]
                   + [row for _, rows in curves for row in rows])
    for series in shown:
        for c, channel in enumerate(series):
            ax.plot(channel + lanes.height(c), color="black", linewidth=0.6, alpha=0.6, zorder=1)
    strengths = [one.strength for one in drawn]
    for order, (one, (steps, values)) in enumerate(zip(drawn, curves)):
        for channel, row in zip(one.hypothesis.view["channels"], values):
            ax.plot(steps, row + lanes.height(channel), color=_colour(colours, one.strength),
                    linewidth=_width(one.strength, strengths), solid_capstyle="round", zorder=2 + order)
    ax.set_title(f"{len(drawn)} strongest patterns, where they were cut from")


def _placed(model: Estimator, one: Drawn, X: Examples) -> tuple[Floats, Floats]:
    """The pattern's curve at its time steps; summed differences begin where its series does."""
    h, z, _ = one
    steps, values = _curve(h, z)
    first = max(z.position, 0)
    if h.view["transform"] == "differences" and X is not None and z.example >= 0:
        values = values + _series_of(X, model, z.example)[h.view["channels"], first][:, None]
    return first + steps, values


def _draw_bags(ax: Axes, model: Estimator, drawn: list[Drawn], colours: ScalarMappable) -> None:
    """One over the other or, where features are too many to tell them apart so, each in a lane of its own, the strongest on top."""
    names = _names(model, "")
    many = len(names) > _MOST_NAMES
    curves = [np.full(len(names), np.nan) for _ in drawn]
    for (h, z, _), values in zip(drawn, curves):
        values[h.view["features"]] = np.ravel(z.values)
    step = 1.1 * max((float(np.nanmax(values) - np.nanmin(values)) for values in curves), default=1.0) if many else 0.0
    strengths = [one.strength for one in drawn]
    for order, ((h, _, strength), values) in enumerate(zip(drawn, curves)):
        colour, height = _colour(colours, strength), order * step
        if many or order == 0:
            ax.axhline(height, color="0.8", linewidth=1.0, zorder=1)
        ax.plot(h.view["features"], values[h.view["features"]] + height, linestyle=":", linewidth=0.8, color=colour, zorder=2 + order)
        ax.plot(values + height, marker="o", markersize=2 if many else 5, color=colour,
                linewidth=1.0 if many else _width(strength, strengths), zorder=2 + order)
    if many:
        ax.set_yticks([order * step for order in range(len(drawn))], [f"{strength:+.2g}" for strength in strengths])
    else:
        long = max(map(len, names)) > 3
        ax.set_xticks(range(len(names)), [name.strip() for name in names], rotation=45 if long else 0, ha="right" if long else "center")
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_xlabel("feature")
    ax.set_ylabel("w · sign · α of each" if many else "value")
    ax.set_title(f"{len(drawn)} strongest instances in patterns, by the features compared")


def plot_explanation(model: Estimator, X: Examples, index: int, part: int | None = None, top: int = 12, ax: Axes | None = None,
                     curve: bool | None = None, bags: Ids = None) -> Axes:
    """What decided the class of example `index` of X.

    On a series, the windows most similar to the patterns are coloured by what each adds to the score: figure (a) of the paper. Where
    more than 50 patterns speak, as in a committee, the curve of evidence shows all of them, as the report does: each spreads what it
    adds, less what it adds to the series of X on average, over the time steps where it matches; the series takes the colour of the
    evidence there. `curve` True or False asks for one or the other. For a bag, bars show what each instance adds in all; `bags` are
    the ids of the rows of X where these are given so. `part` is a pair of classes, or a class against the rest; None: the most telling
    one.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = shapeboost.SeriesClassifier(members=1).fit(X, y)
    >>> ax = shapeboost.plot_explanation(model, X, 0)
    >>> ax.get_ylabel()
    'value'
    """
    X = grouped(X, bags)
    explanation = model.explain(X, index)
    part = int(explanation["telling_part"]) if part is None else part
    _part_of(model, part)
    kind, sides = model._model().kind, "for {}  ←  {}  →  for {}"
    if kind == "sequences":
        raise ValueError("plot_explanation draws series and bags; explain has the positions in sequences")
    why = explanation["parts"][part]
    found = _of_patterns([one for one in why["contributions"] if one["position"] is not None])
    patterns = len(found)
    if ax is None:
        ax = _new_axes(_height(model) if kind == "series" else 4.0)
    negative, positive = _sides(model, part)
    if kind == "bags":
        _explain_bag(ax, why["by_instance"])
        ax.set_ylabel(sides.format(negative, "contribution", positive))
    else:
        series = _series_of(X, model, index)
        if patterns > _MOST_WINDOWS if curve is None else curve:
            label, colours = "evidence a time step", _draw_evidence(ax, model, series, _evidence(model, X, index, part))
            patterns = sum(any(use.part == part for use in h.uses) for h in model.hypotheses_)
        else:
            in_time = [one for one in found if one["transform"] != "spectrum"]
            shown = sorted(in_time[:top], key=lambda one: abs(one["contribution"]))
            label, colours = "contribution", _explain_series(ax, model, series, shown)
        ax.figure.colorbar(colours, ax=ax).set_label(sides.format(negative, label, positive))
    offset = 0.0 if abs(why["b"]) < 1e-6 * abs(why["score"]) else why["b"]  # what rounding has left of it
    ax.set_title(f"predicted {explanation['predicted']}: score {why['score']:.3g} = offset {offset:.3g} + "
                 f"{patterns:,} contributions")
    return ax


def _evidence(model: Estimator, X: Examples, index: int, part: int) -> Floats:
    """Where the evidence of all patterns lies in a series, (channels, time steps), less the average over X."""
    return model._model().evidence(model._new_data(X), index, part, model._jobs())


def _of_patterns(contributions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One contribution for each pattern, the largest first: a head's evidence taken together."""
    found: dict[int, dict[str, Any]] = {}
    for one in contributions:
        before = found.setdefault(one["hypothesis"], {**one, "contribution": 0.0})
        before["contribution"] += one["contribution"]
    return sorted(found.values(), key=lambda one: -abs(one["contribution"]))


def _explain_series(ax: Axes, model: Estimator, series: Floats, shown: list[dict[str, Any]]) -> ScalarMappable:
    lanes = _Lanes(ax, model, [*series])
    for c, channel in enumerate(series):
        ax.plot(channel + lanes.height(c), color="black", linewidth=0.8, alpha=0.7, zorder=1)
    strengths = [one["contribution"] for one in shown]
    colours = _colours(strengths)
    for order, one in enumerate(shown):
        steps = one["position"] + np.arange(0, one["span"], one["dilation"])
        for channel in one["channels"]:
            ax.plot(steps, series[channel][steps] + lanes.height(channel), color=_colour(colours, one["contribution"]),
                    linewidth=_width(one["contribution"], strengths), solid_capstyle="round", zorder=2 + order)
    return colours


def _draw_evidence(ax: Axes, model: Estimator, series: Floats, evidence: Floats) -> ScalarMappable:
    """Each channel in the colours of the evidence at its time steps, and the evidence of all below, as an area."""
    lanes = _Lanes(ax, model, [*series])
    colours = _colours(evidence.ravel(), _COLD_TO_WARM)
    steps = np.arange(series.shape[1])
    for c, channel in enumerate(series):
        points = np.stack([steps, channel + lanes.height(c)], axis=1)
        pieces = np.stack([points[:-1], points[1:]], axis=1)
        ax.add_collection(LineCollection([*pieces], colors=colours.to_rgba(0.5 * (evidence[c, :-1] + evidence[c, 1:])),
                                         linewidths=2.0, capstyle="round", zorder=2))
    ax.autoscale_view()
    low, high = ax.get_ylim()
    room = 0.3 * (high - low)
    ax.set_ylim(low - room, high)
    below = ax.twinx()
    whole = evidence.sum(axis=0)
    below.fill_between(steps, whole.clip(min=0.0), color="#f46d43", alpha=0.6, linewidth=0.0, step="mid")
    below.fill_between(steps, whole.clip(max=0.0), color="#2166ac", alpha=0.6, linewidth=0.0, step="mid")
    below.axhline(0.0, color="0.6", linewidth=0.6)
    unit = float(np.abs(whole).max()) or 1.0
    below.set_ylim(-1.1 * unit, -1.1 * unit + 2.2 * unit * (high - low + room) / room)  # the lowest part of the plot
    below.set_yticks([])
    ax.set_zorder(below.get_zorder() + 1)
    ax.patch.set_visible(False)
    return colours


def _explain_bag(ax: Axes, sums: list[float]) -> None:
    ax.bar(np.arange(len(sums)), sums, color=["#d73027" if value > 0 else "#2166ac" for value in sums])
    ax.axhline(0.0, color="0.5", linewidth=0.8)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("instance of the bag")


def plot_history(model: Estimator, ax: Axes | None = None) -> Axes:
    """The course of boosting: the soft margin gamma rises, and the best edge falls to meet it.

    >>> import shapeboost
    >>> model = shapeboost.SeriesClassifier(members=1).fit(*shapeboost.planted_series(20, length=60))
    >>> shapeboost.plot_history(model).get_xlabel()
    'round'
    """
    history = model.history_
    if not len(history["gamma"]):
        raise ValueError("the model has no record of boosting: one with a head weighs patterns by a regression; fit with "
                         "members=1 or head='average'")
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
    rounds = np.arange(1, len(history["gamma"]) + 1)
    real = history["gamma"] > -1.0  # its value before the first hypothesis, which would flatten the curves
    several = bool((np.diff(history["columns"]) < 0).any())
    line, marker, size = ("none", ".", 3.0) if several else ("-", ".", 6.0)
    for name, colour, text in (("edge", "tab:orange", "best edge"), ("gamma", "tab:blue", "gamma, the soft margin")):
        ax.plot(rounds[real], history[name][real], color=colour, label=text, linestyle=line, marker=marker, markersize=size,
                linewidth=1.2)
    ax.set_xlabel("round" + (", member after member" if several else ""))
    ax.set_ylabel("edge and margin")
    ax.legend(frameon=False)
    return ax
