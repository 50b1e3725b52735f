"""Diameters of histogram cells against t-radii."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.memory import remembered
from engine.analysis.preparing import prepare
from engine.array_types import Bools, Floats
from engine.data.points import Points
from engine.errors import ParameterError
from engine.findings import Finding
from engine.histograms.radii import cell_diameters, diameter_bound, neighbour_radii
from engine.mechanisms.histograms import ShiftedHistogram
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.numerals import grouped
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible
from engine.shown import ShownInALine

SHIFTS = 40
MAX_RADII = 200_000
"""Largest number of points for the search of neighbours."""

MAX_POINTS = 2_000
"""Number of points to examine: drawn with a public seed, independent of the data."""

STEPS = 80
_EVERY = 5


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class DiametersByRadius(ShownInALine):
    """Diameters of the cells of points against their 2t-radii, and the bound (private).

    Returned by `diameters_by_radius`.
    """

    mechanism: ShiftedHistogram
    radii: Floats  # shape (n,); 2t-radius of each point: within it lie 2t points, including that one
    diameters: Floats  # shape (n,); Δ_x: diameter of the cell of each point, averaged over shifts
    # shape (p,); bound on E[Δ_x], a public function, at increasing radii within the range of the points'
    # radii
    curve: Floats
    bound: Floats
    shifts: int  # number of shifts in the average

    def findings(self) -> Iterator[Finding]:
        """Yield the radii, the diameters, and the bound."""
        yield Finding("radius that holds 2t points", self.radii)
        yield Finding("mean diameter of the cells", self.diameters)
        yield Finding("bound on its expectation", self.bound)  # at radii of the data

    @property
    def above(self) -> Bools:
        """Which points exceed the bound, shape (n,)."""
        known = self.radii > 0
        x = np.log(np.where(known, self.radii, 1.0))
        allowed = np.exp(np.interp(x, np.log(self.curve), np.log(self.bound)))
        return known & (self.diameters > allowed)


def diameters_by_radius(
    mechanism: ShiftedHistogram,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[DiametersByRadius] = unpublished,
) -> DiametersByRadius:
    """Average diameters over more and more shifts, with the bound of `diameter_bound`."""
    privacy = as_privacy(privacy)
    t = int(mechanism.t)
    if not 2 * t <= data.n <= MAX_RADII:
        raise ParameterError(
            "t", f"{grouped(data.n)} points are not between 2t = {grouped(2 * t)} and {grouped(MAX_RADII)}"
        )

    def work() -> DiametersByRadius:
        progress(0.0, "looking for neighbors")
        radii = neighbour_radii(data.values, 2 * t - 1, progress=part(progress, 0.0, 0.4))
        chosen = np.arange(data.n)
        if data.n > MAX_POINTS:
            chosen = np.sort(reproducible(0).choice(data.n, MAX_POINTS, replace=False))
        values, near = data.values[chosen], radii[chosen]
        curve = _curve(near, data.domain.diameter)
        bound = diameter_bound(curve, t, data.domain, int(mechanism.max_depth))
        ready = prepare(mechanism, data, privacy)
        assert isinstance(ready, HistogramPrepared)
        mean = np.zeros(len(values))
        for done in range(SHIFTS):
            progress(0.4 + 0.6 * done / SHIFTS, f"shift {done + 1} of {SHIFTS}")
            result = cell_diameters(ready.histogram(reproducible(seed + done)), values)
            mean += (result - mean) / (done + 1)
            if (done + 1) % _EVERY == 0:
                publish(DiametersByRadius(mechanism, near, mean.copy(), curve, bound, done + 1))
        return DiametersByRadius(mechanism, near, mean, curve, bound, SHIFTS)

    return remembered(data, ("diameters by radius", mechanism, seed), work)


def _curve(radii: Floats, diameter: float) -> Floats:
    """Return radii at which the bound is drawn, within the range of the points' radii."""
    positive = radii[radii > 0]
    low = float(positive.min()) if len(positive) else diameter / 100
    return np.geomspace(low / 1.5, max(float(radii.max()), 2 * low) * 1.5, STEPS)
