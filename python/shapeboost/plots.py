# SPDX-License-Identifier: MIT
"""Plots of what a model has learned. Warm colours speak for the positive class, cold ones for the negative."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize

from .patterns import found_weight


def _part_of(model, part):
    parts = model._model().parts()
    if not 0 <= part < len(parts):
        raise ValueError(f"part: expected 0 to {len(parts) - 1}, found {part}")
    return parts[part]


def _sides(model, part):
    """The names of a part's two classes: (negative, positive)."""
    names = model.classes_[model._places()]
    one = _part_of(model, part)
    return "the rest" if one["negative"] is None else str(names[one["negative"]]), str(names[one["positive"]])


def _drawn(model, part, top):
    """The strongest (hypothesis, instance z of its pattern, w sign alpha_z), weakest first; none of a spectrum, which has
    no time steps to be drawn at."""
    found = [(h, z, _weight(h, part) * h.sign * z.alpha) for h in model.hypotheses_
             if any(use.part == part for use in h.uses) and h.view.get("transform") != "spectrum" for z in h.instances]
    return sorted(found, key=lambda one: abs(one[2]))[-top:]


def _weight(h, part):
    """w in the part. Of a model with a head, that of being found; of the place where it weighs nothing else."""
    found = found_weight(h.uses, part)
    return sum(use.weight for use in h.uses if use.part == part) if found is None else found


# Yellow to red and light blue to purple, never so pale that a line would vanish on white.
_WARM_AND_COLD = LinearSegmentedColormap.from_list(
    "warm and cold", [(0.0, "#54278f"), (0.25, "#2166ac"), (0.4999, "#92c5de"), (0.5001, "#fdc44f"), (0.75, "#f46d43"),
                      (1.0, "#a50026")])


def _colours(drawn):
    limit = (abs(drawn[-1][2]) if drawn else 0.0) or 1.0
    return ScalarMappable(Normalize(-limit, limit), _WARM_AND_COLD)


def _curve(h, z):
    """A pattern as (time steps counted from the window's first, values); differences are summed up again."""
    values = np.atleast_2d(z.values)
    if h.view["transform"] == "differences":
        values = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
    return np.arange(values.shape[1]) * h.view["dilation"], values


def plot_shapelets(model, X=None, part=0, top=12, ax=None):
    """The strongest patterns, each where it was cut from its series, coloured by w sign alpha: figure (b) of the paper.

    If `X`, the training data, is given, the series that the strongest patterns come from are drawn in black. For bags,
    the features of the strongest instances are drawn. `top` limits the number of curves. With more than two classes,
    `part` selects a pair of classes, or a class against the rest.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = shapeboost.SeriesClassifier(members=1).fit(X, y)
    >>> ax = shapeboost.plot_shapelets(model, X)
    >>> ax.get_xlabel()
    'time step'
    """
    _part_of(model, part)
    ax = ax or plt.subplots(figsize=(8.0, 4.0), layout="constrained")[1]
    drawn = _drawn(model, part, top)
    negative, positive = _sides(model, part)
    colours = _colours(drawn)
    if model._model().kind == "bags":
        _draw_bags(ax, drawn, colours)
    elif model._model().kind == "series":
        _draw_series(ax, drawn, colours, X)
    else:
        raise ValueError("plot_shapelets draws series and bags; hypotheses_ has the patterns of sequences")
    bar = ax.figure.colorbar(colours, ax=ax)
    bar.set_label(f"for {negative}  ←  w · sign · α  →  for {positive}")
    return ax


def _draw_series(ax, drawn, colours, X):
    if X is not None:
        for example in dict.fromkeys(z.example for _, z, _ in drawn[-2:] if z.example >= 0):
            for channel in np.atleast_2d(np.asarray(X[example], dtype=float)):
                ax.plot(channel, color="black", linewidth=0.6, alpha=0.6, zorder=1)
    for order, (h, z, strength) in enumerate(drawn):
        steps, values = _curve(h, z)
        first = max(z.position, 0)
        shift = 0.0
        if h.view["transform"] == "differences" and X is not None and z.example >= 0:
            source = np.atleast_2d(np.asarray(X[z.example], dtype=float))
            shift = source[h.view["channels"][0], first]
        for row in values:
            ax.plot(first + steps, row + shift, color=colours.to_rgba(strength), linewidth=_width(strength, drawn),
                    solid_capstyle="round", zorder=2 + order)
    ax.set_xlabel("time step")
    ax.set_ylabel("value")
    ax.set_title(f"{len(drawn)} strongest patterns, where they were cut from")


def _width(strength, drawn):
    return 1.2 + 2.8 * abs(strength) / (abs(drawn[-1][2]) or 1.0)


def _draw_bags(ax, drawn, colours):
    ax.axhline(0.0, color="0.8", linewidth=1.0, zorder=1)
    for order, (_, z, strength) in enumerate(drawn):
        values = np.ravel(z.values)
        ax.plot(np.arange(len(values)), values, marker="o", markersize=4, color=colours.to_rgba(strength),
                linewidth=_width(strength, drawn), zorder=2 + order)
    ax.set_xlabel("feature")
    ax.set_ylabel("value")
    ax.set_title(f"{len(drawn)} strongest instances in patterns")


def plot_explanation(model, X, index, part=None, top=12, ax=None):
    """What decided the class of example `index`: figure (a) of the paper. On the series, the windows most similar to
    the patterns are coloured by what each adds to the score. For a bag, bars show what each instance adds in all.
    `part` is a pair of classes, or a class against the rest; None: the most telling one.

    >>> import shapeboost
    >>> X, y = shapeboost.planted_series(20, length=60)
    >>> model = shapeboost.SeriesClassifier(members=1).fit(X, y)
    >>> ax = shapeboost.plot_explanation(model, X, 0)
    >>> ax.get_ylabel()
    'value'
    """
    explanation = model.explain(X, index)
    part = explanation["telling_part"] if part is None else part
    _part_of(model, part)
    ax = ax or plt.subplots(figsize=(8.0, 4.0), layout="constrained")[1]
    why = explanation["parts"][part]
    found = _of_patterns(one for one in why["contributions"] if one["position"] is not None)
    kind = model._model().kind
    if kind == "bags":
        _explain_bag(ax, found, len(X[index]))
    elif kind == "series":
        in_time = [one for one in found if one["transform"] != "spectrum"]
        shown = sorted(in_time[:top], key=lambda one: abs(one["contribution"]))
        _explain_series(ax, np.atleast_2d(np.asarray(X[index], dtype=float)), shown)
        negative, positive = _sides(model, part)
        bar = ax.figure.colorbar(_colours([(None, None, one["contribution"]) for one in shown]), ax=ax)
        bar.set_label(f"for {negative}  ←  contribution  →  for {positive}")
    else:
        raise ValueError("plot_explanation draws series and bags; explain has the positions in sequences")
    ax.set_title(f"predicted {explanation['predicted']}: score {why['score']:.3g} = offset {why['b']:.3g} + "
                 f"{len(found)} contributions")
    return ax


def _of_patterns(contributions):
    """One contribution for each pattern, the largest first: a head's evidence taken together."""
    found = {}
    for one in contributions:
        before = found.setdefault(one["hypothesis"], {**one, "contribution": 0.0})
        before["contribution"] += one["contribution"]
    return sorted(found.values(), key=lambda one: -abs(one["contribution"]))


def _explain_series(ax, series, shown):
    for channel in series:
        ax.plot(channel, color="black", linewidth=0.8, alpha=0.7, zorder=1)
    drawn = [(None, None, one["contribution"]) for one in shown]
    colours = _colours(drawn)
    for order, one in enumerate(shown):
        steps = one["position"] + np.arange(0, one["span"], one["dilation"])
        rows = series[one["channels"]]
        for row in rows:
            ax.plot(steps, row[steps], color=colours.to_rgba(one["contribution"]),
                    linewidth=_width(one["contribution"], drawn), solid_capstyle="round", zorder=2 + order)
    ax.set_xlabel("time step")
    ax.set_ylabel("value")


def _explain_bag(ax, found, instances):
    sums = np.zeros(instances)
    for one in found:
        sums[one["instance"]] += one["contribution"]
    ax.bar(np.arange(instances), sums, color=np.where(sums > 0, "#d73027", "#2166ac"))
    ax.axhline(0.0, color="0.5", linewidth=0.8)
    ax.set_xlabel("instance of the bag")
    ax.set_ylabel("contribution to the score")


def plot_history(model, ax=None):
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
    ax = ax or plt.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
    rounds = np.arange(1, len(history["gamma"]) + 1)
    real = history["gamma"] > -1.0  # its value before the first hypothesis, which would flatten the curves
    several = (np.diff(history["columns"]) < 0).any()
    style = {"linestyle": "none", "marker": ".", "markersize": 3} if several else {"marker": ".", "linewidth": 1.2}
    ax.plot(rounds[real], history["edge"][real], color="tab:orange", label="best edge", **style)
    ax.plot(rounds[real], history["gamma"][real], color="tab:blue", label="gamma, the soft margin", **style)
    ax.set_xlabel("round" + (", member after member" if several else ""))
    ax.set_ylabel("edge and margin")
    ax.legend(frameon=False)
    return ax
