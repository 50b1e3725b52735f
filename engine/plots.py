"""Plots of results on axes of matplotlib, which is imported only if no axes are given."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np

from engine.errors import SensiscopeError, WrongCall
from engine.numerals import given, short
from engine.optional_packages import not_installed

CONFIDENTIAL = "Confidential"
"""Mark of plots that show more than a release."""


def axes_or_new(axes: Any) -> Any:
    """Return the given axes, or those of a new figure."""
    if axes is not None:
        if not hasattr(axes, "plot"):
            raise WrongCall(f"axes: {given(axes)} are no axes of matplotlib; leave them out for new ones")
        return axes
    if missing := not_installed("matplotlib", "a plot"):
        raise SensiscopeError(missing)
    pyplot: Any = importlib.import_module("matplotlib.pyplot")
    return pyplot.subplots()[1]


def mark_confidential(axes: Any) -> None:
    """Say on the plot that it is not a release."""
    axes.set_title(CONFIDENTIAL, loc="right", fontsize="small")


def finish(axes: Any, horizontal: str, vertical: str) -> Any:
    """Name the axes, add the legend and the mark of what is no release; return the axes."""
    axes.set_xlabel(horizontal)
    axes.set_ylabel(vertical)
    axes.legend(frameon=False)
    mark_confidential(axes)
    return axes


def plot_profile(profile: Any, axes: Any = None) -> Any:
    """Draw A^(k) and exp(-beta k) A^(k) against k, with the distance that decides S*; return the axes."""
    axes = axes_or_new(axes)
    distances = np.arange(profile.at_distance.size)
    axes.plot(distances, profile.at_distance, drawstyle="steps-post", label="sensitivity at distance k")
    axes.plot(distances, profile.discounted, drawstyle="steps-post", label="discounted by exp(-β k)")
    if profile.argmax_k < profile.at_distance.size:
        axes.plot([profile.argmax_k], [profile.smooth], "o", label=f"S = {short(profile.smooth)}")
    return finish(axes, "distance k", "sensitivity")


def plot_sweep(betas: Any, sweep: Any, label: str, axes: Any = None) -> Any:
    """Draw LS, S* and GS against beta or epsilon; return the axes."""
    axes = axes_or_new(axes)
    axes.plot(betas, sweep.smooth, label="smooth sensitivity")
    axes.axhline(sweep.local, linestyle=":", color="0.4", label="local sensitivity")
    axes.axhline(sweep.global_, linestyle="--", color="0.4", label="global sensitivity")
    axes.set_xscale("log")
    axes.set_yscale("log")
    return finish(axes, label, "sensitivity")


def plot_path(path: Any, axes: Any = None) -> Any:
    """Draw local and smooth sensitivity along a path of databases; return the axes."""
    axes = axes_or_new(axes)
    axes.plot(path.changed, path.local, label="local sensitivity")
    axes.plot(path.changed, path.smooth, label="smooth sensitivity")
    return finish(axes, "records replaced", "sensitivity")


def plot_simulated(releases: Any, axes: Any = None) -> Any:
    """Draw a histogram of simulated releases and the true value; return the axes."""
    axes = axes_or_new(axes)
    axes.hist(releases.answered, bins="auto", density=True, alpha=0.6, label="simulated releases")
    axes.axvline(releases.true_value, color="C3", label="true value")
    return finish(axes, "released value", "density")


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
    return finish(axes, comparison.sweep.name, "median error")
