"""The plot of a release on axes of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import SensiscopeError
from engine.mechanisms.answer_rows import rows_of
from engine.plots import axes_or_new


def plot_release(release: Any, axes: Any = None) -> Any:
    """Draw a released number with its interval, released groups, points or histogram; return the axes."""
    axes = axes_or_new(axes)
    if release.value is None:
        raise SensiscopeError("there is nothing to draw: the mechanism refused to answer")
    histogram = getattr(release, "histogram", None)
    if histogram is not None and np.ndim(histogram.lower) == 2 and histogram.lower.shape[1] <= 2:
        _plot_cells(histogram, axes)
    elif rows := list(rows_of(release)):
        _plot_rows(rows, release.query, axes)
    elif (points := _points(release.value)) is not None:
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


def _plot_rows(rows: Sequence[Any], query: str, axes: Any) -> None:
    """Draw one point for each released number, with its interval."""
    for position, row in enumerate(rows):
        if row.value is not None:
            axes.plot(row.interval or [row.value] * 2, [position, position], color="C0", linewidth=1.5)
            axes.plot([row.value], [position], "o", color="C0")
    axes.set_yticks(range(len(rows)), [row.group or query for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
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
