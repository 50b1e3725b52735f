"""The numbers of releases as they leave, and the public grid that they must lie on."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ParameterError
from engine.mechanisms import (
    BlockMechanism,
    ContingencyTable,
    InteriorPoint,
    NoisyAverage,
    NoisyHistogram,
    OneCluster,
    PrivTree,
    Sanitizer,
    ScalarMechanism,
    ScreenedMean,
)
from engine.mechanisms.base import Mechanism
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.planted.doubles import DoublesPrepared
from engine.mechanisms.prepared import Prepared
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import public_generator

_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]


@dataclasses.dataclass(frozen=True, eq=False)
class PublicGrid:
    """Where the numbers of a release lie, from public facts alone.

    Attributes
    ----------
    step : ndarray, shape (D,)
        Spacing of the grid of each number, NaN where there is none; one entry stands for all numbers.
    origin : ndarray, shape (D,)
        A point of each grid.
    lower, upper : ndarray, shape (D,)
        Bounds to which numbers are moved, which are public whether they lie on the grid or not.
    """

    step: _Floats
    origin: _Floats
    lower: _Floats
    upper: _Floats

    @classmethod
    def multiples(cls, step: float | list[float]) -> PublicGrid:
        """Return the whole multiples of a step, or of one for each number."""
        steps = np.atleast_1d(np.asarray(step, dtype=np.float64))
        zero, far = np.zeros_like(steps), np.full_like(steps, math.inf)
        return cls(steps, zero, -far, far)

    def same(self, other: PublicGrid) -> bool:
        """Tell whether both are the same grid."""
        mine, others = dataclasses.astuple(self), dataclasses.astuple(other)
        return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(mine, others, strict=True))

    def index(self, numbers: _Floats) -> _Floats:
        """Return how many steps numbers (size, D) are from the origin, whole or not."""
        with np.errstate(over="ignore", invalid="ignore"):
            steps: _Floats = (numbers - self.origin) / self.step
        return steps

    def holds(self, numbers: _Floats) -> _Bools:
        """Tell which numbers (size, D) are points of the grid, exactly; a refusal is none that is off it.

        A point is a whole number of steps from the origin, rounded to the nearest double where it is
        none.  With a power of two as the step, of a grid around 0, nothing is rounded.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            points = self.origin + np.rint(self.index(numbers)) * self.step
        on = (points == numbers) | (numbers == self.lower) | (numbers == self.upper)
        found: _Bools = on | np.isnan(self.step) | np.isnan(numbers)
        return found


def grid_of(mechanism: Mechanism[Any], data: Any, privacy: Privacy) -> PublicGrid:
    """Return the grid of the numbers that a mechanism releases.

    Parameters
    ----------
    mechanism : Mechanism
        Without the post-processing that can be left out.
    data : AnyDatabase
        Its bounds, size and resolution count alone.
    privacy : Privacy

    Raises
    ------
    ParameterError
        If it releases no numbers, or such that are made of noisy ones and lie on no grid themselves.
    """
    right = mechanism.intended
    domain = data.domain
    if isinstance(right, ScalarMechanism):
        return PublicGrid.multiples(right.grid(data).step)
    if isinstance(right, (OneCluster, ScreenedMean)) or (
        isinstance(right, InteriorPoint) and right.way == "exponential"
    ):
        return _placed(right, DomainGrid(domain, right.grid))
    if isinstance(right, BlockMechanism):
        steps = right.aggregator.steps(right.space(domain))
        return PublicGrid.multiples(steps)
    if isinstance(right, (NoisyAverage, NoisyHistogram, PrivTree)) or (
        isinstance(right, ContingencyTable) and right.margins == "full"
    ):
        step = right.step(domain, data.n, privacy)
        if step is not None:
            return PublicGrid.multiples(step)
    raise ParameterError(
        "mechanism",
        f"{right.label} releases no numbers that lie on a grid themselves, so that there is nothing to look "
        "for in their low bits",
    )


def _placed(mechanism: OneCluster | ScreenedMean | InteriorPoint, grid: DomainGrid) -> PublicGrid:
    """Return the grid of centers and means; a radius is one of the distances of its points."""
    d = grid.dimension
    point = np.full(d, grid.step)
    start = grid.unclamped(np.zeros(d))
    if isinstance(mechanism, InteriorPoint):
        parts = [(point, start)]
    else:
        parts = [(point, start), (np.array([math.nan]), np.zeros(1))]
        parts += [(point, start)] if isinstance(mechanism, ScreenedMean) else []
    steps, origins = (np.concatenate(side) for side in zip(*parts, strict=True))
    lower, upper = (
        np.concatenate([side if len(part) == d else np.full(1, math.nan) for part, _ in parts])
        for side in (grid.box.lower, grid.box.upper)
    )
    return PublicGrid(steps, origins, lower, upper)


def point_size(mechanism: Mechanism[Any], domain: Any, size: int) -> int:
    """Return how many of `size` numbers make one point of a set, which has no order; all of them else."""
    right = mechanism.intended
    unordered = isinstance(right, Sanitizer) and right.unordered
    return int(domain.dimension) if unordered else size


def numbers(
    mechanism: Mechanism[Any],
    ready: Prepared,
    domain: Any,
    rng: np.random.Generator,
    size: int,
    progress: Progress = silent,
) -> _Floats:
    """Draw `size` releases, and return the numbers in each, shape (size, D); NaN where there are fewer.

    Of a histogram these are the counts of its cells, not what they say about ranges.
    """
    if isinstance(ready, DoublesPrepared):
        return numbers(mechanism, ready.ready, domain, public_generator(rng), size, progress)
    if isinstance(ready, HistogramPrepared):
        return stacked([ready.histogram(rng, here).counts[None] for here in each(size, progress)])
    return mechanism.to_release_form(ready.draw(rng, size, progress), domain).reshape(size, -1)


def stacked(rows: list[_Floats]) -> _Floats:
    """Return arrays of numbers one below the other, filled with NaN where some have fewer."""
    widest = max(some.shape[1] for some in rows)
    return np.concatenate(
        [np.pad(some, ((0, 0), (0, widest - some.shape[1])), constant_values=np.nan) for some in rows]
    )
