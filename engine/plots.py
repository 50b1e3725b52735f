"""Plots of results on axes of matplotlib, which is imported only if no axes are given."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import SensiscopeError
from engine.numerals import short

CONFIDENTIAL = "Confidential"
"""Mark of plots that show more than a release."""


def axes_or_new(axes: Any) -> Any:
    """Return the given axes, or those of a new figure."""
    if axes is not None:
        return axes
    try:
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise SensiscopeError(
            "a plot needs matplotlib; install it, or give axes of another library with the same methods"
        ) from None
    return pyplot.subplots()[1]


def mark_confidential(axes: Any) -> None:
    """Say on the plot that it is not a release."""
    axes.set_title(CONFIDENTIAL, loc="right", fontsize="small")


def plot_release(release: Any, axes: Any = None) -> Any:
    """Draw a released number with its interval, released groups, points or histogram; return the axes."""
    axes = axes_or_new(axes)
    value: Any = release.value
    histogram = getattr(release, "histogram", None)
    if value is None:
        raise SensiscopeError("there is nothing to draw: the mechanism refused to answer")
    if isinstance(value, Mapping) and "groups" in value:
        _plot_groups(value["groups"], axes)
    elif histogram is not None and np.ndim(histogram.lower) == 2 and histogram.lower.shape[1] <= 2:
        _plot_cells(histogram, axes)
    elif isinstance(value, int | float):
        _plot_groups([{"group": release.query, "value": value, "interval": release.interval}], axes)
    elif (points := _points(value)) is not None:
        axes.scatter(*points.T, marker="x")
    else:
        raise SensiscopeError(f"there is no plot of {release.query}; draw release.value")
    if release.simulated:
        axes.set_title("Simulation: not a release", loc="right", fontsize="small")
    return axes


def _points(value: Any) -> Any:
    """Return the points of a released value, shape (k, 2); None for other values."""
    try:
        points = np.atleast_2d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        return None
    return points if points.ndim == 2 and points.shape[1] == 2 else None


def _plot_groups(groups: Sequence[Mapping[str, Any]], axes: Any) -> None:
    """Draw one point for each group, with its interval."""
    for position, group in enumerate(groups):
        if group["value"] is None:
            continue
        low, high = group["interval"] or (group["value"], group["value"])
        axes.plot([low, high], [position, position], color="C0", linewidth=1.5)
        axes.plot([group["value"]], [position], "o", color="C0")
    axes.set_yticks(range(len(groups)), [str(group["group"]) for group in groups])
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlabel("released value, with its 95 % interval if it is public")


def _plot_cells(histogram: Any, axes: Any) -> None:
    """Draw the cells of a histogram in one or two dimensions."""
    lower, upper, counts = histogram.lower, histogram.upper, np.asarray(histogram.counts, dtype=np.float64)
    if lower.shape[1] == 1:
        axes.bar(lower[:, 0], counts, (upper - lower)[:, 0], align="edge", edgecolor="white", linewidth=0.5)
        axes.set_ylabel("released count")
        return
    areas = np.prod(upper - lower, axis=1)
    density = counts / np.where(areas > 0, areas, np.inf)
    largest = max(float(density.max(initial=0.0)), np.finfo(float).tiny)
    for low, high, share in zip(lower, upper, np.sqrt(np.clip(density / largest, 0, 1)), strict=True):
        axes.fill(
            [low[0], high[0], high[0], low[0]],
            [low[1], low[1], high[1], high[1]],
            facecolor="C0",
            alpha=float(share),
            edgecolor="0.7",
            linewidth=0.3,
        )


def plot_profile(profile: Any, axes: Any = None) -> Any:
    """Draw A^(k) and exp(-beta k) A^(k) against k, with the distance that decides S*; return the axes."""
    axes = axes_or_new(axes)
    distances = np.arange(profile.at_distance.size)
    axes.plot(distances, profile.at_distance, drawstyle="steps-post", label="sensitivity at distance k")
    axes.plot(distances, profile.discounted, drawstyle="steps-post", label="discounted by exp(-β k)")
    if profile.argmax_k < profile.at_distance.size:
        axes.plot([profile.argmax_k], [profile.smooth], "o", label=f"S = {short(profile.smooth)}")
    axes.set_xlabel("distance k")
    axes.set_ylabel("sensitivity")
    axes.legend(frameon=False)
    mark_confidential(axes)
    return axes


def plot_sweep(betas: Any, sweep: Any, label: str, axes: Any = None) -> Any:
    """Draw LS, S* and GS against beta or epsilon; return the axes."""
    axes = axes_or_new(axes)
    axes.plot(betas, sweep.smooth, label="smooth sensitivity")
    axes.axhline(sweep.local, linestyle=":", color="0.4", label="local sensitivity")
    axes.axhline(sweep.global_, linestyle="--", color="0.4", label="global sensitivity")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(label)
    axes.set_ylabel("sensitivity")
    axes.legend(frameon=False)
    mark_confidential(axes)
    return axes


def plot_path(path: Any, axes: Any = None) -> Any:
    """Draw local and smooth sensitivity along a path of databases; return the axes."""
    axes = axes_or_new(axes)
    axes.plot(path.changed, path.local, label="local sensitivity")
    axes.plot(path.changed, path.smooth, label="smooth sensitivity")
    axes.set_xlabel("records replaced")
    axes.set_ylabel("sensitivity")
    axes.legend(frameon=False)
    mark_confidential(axes)
    return axes


def plot_simulated(releases: Any, axes: Any = None) -> Any:
    """Draw a histogram of simulated releases and the true value; return the axes."""
    axes = axes_or_new(axes)
    axes.hist(releases.answered, bins="auto", density=True, alpha=0.6, label="simulated releases")
    axes.axvline(releases.true_value, color="C3", label="true value")
    axes.set_xlabel("released value")
    axes.set_ylabel("density")
    axes.legend(frameon=False)
    mark_confidential(axes)
    return axes


def plot_comparison(comparison: Any, axes: Any = None) -> Any:
    """Draw the median error of each mechanism against the sweep; return the axes."""
    axes = axes_or_new(axes)
    values = comparison.sweep.values
    markers = itertools.cycle("osD^v<>")
    for number, contender in enumerate(comparison.contenders):
        medians = [comparison.median(number, position) for position in range(len(values))]
        axes.plot(values, medians, marker=next(markers), label=contender.label)
    if comparison.sweep.name in ("epsilon", "n"):
        axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(comparison.sweep.name)
    axes.set_ylabel("median error")
    axes.legend(frameon=False)
    mark_confidential(axes)
    return axes
