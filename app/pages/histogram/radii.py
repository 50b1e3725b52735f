"""Diameters of the cells of points against how near their neighbours are (private)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from app.model.wording.numbers import number
from app.plots.histogram.chart_view import DiameterView
from engine.data.points import Points
from engine.histograms.radii import cell_diameters, diameter_bound, neighbour_radii
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.progress import Progress, part
from engine.randomness import reproducible

SHIFTS = 40
MOST_RADII = 200_000
"""Points among which neighbours are looked for."""

MOST_POINTS = 2_000
"""Points whose cells are looked at: drawn by a public seed, which says nothing."""

STEPS = 80
_EVERY = 5

Floats = NDArray[np.float64]


def radii_problem(n: int, t: int) -> str:
    """Say why there is no picture, if there is none."""
    if n > MOST_RADII:
        return (
            f"Neighbours among {number(n)} points are not looked for: it would take minutes. The picture is "
            f"for up to {number(MOST_RADII)}."
        )
    if n < 2 * t:
        return f"No point has 2t = {number(2 * t)} points around it, itself included: there are {number(n)}."
    return ""


def diameters(
    ready: HistogramPrepared, points: Points, t: int, depth: int, unit: str, seed: int, progress: Progress
) -> Iterator[DiameterView]:
    """Yield mean diameters over more and more shifts, with the bound on their expectation."""
    progress(0.0, "looking for neighbours")
    radii = neighbour_radii(points.values, 2 * t - 1, part(progress, 0.0, 0.4))
    chosen = np.arange(points.n)
    if points.n > MOST_POINTS:
        chosen = np.sort(reproducible(0).choice(points.n, MOST_POINTS, replace=False))
    values, near = points.values[chosen], radii[chosen]
    curve = _curve(near, points.domain.diameter)
    bound = diameter_bound(curve, t, points.domain, depth)
    mean = np.zeros(len(values))
    for done in range(SHIFTS):
        progress(0.4 + 0.6 * done / SHIFTS, f"shift {done + 1} of {SHIFTS}")
        found = cell_diameters(ready.histogram(reproducible(seed + done)), values)
        mean += (found - mean) / (done + 1)
        if (done + 1) % _EVERY == 0:
            yield DiameterView(near, mean.copy(), curve, bound, t, done + 1, unit)


def _curve(radii: Floats, diameter: float) -> Floats:
    """Return radii at which the bound is drawn, as far as those of the points reach."""
    positive = radii[radii > 0]
    low = float(positive.min()) if len(positive) else diameter / 100
    return np.geomspace(low / 1.5, max(float(radii.max()), 2 * low) * 1.5, STEPS)
