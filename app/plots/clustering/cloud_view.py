"""What a picture of clouds shows: records, outputs of blocks, centers, and what was released."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.plots.elements.floats import Floats
from engine.domain import Interval

MOST_DOTS = 4_000
"""Largest number of records that are drawn one by one; of more, the density is shown."""

CELLS = 160
"""Number of cells of a density in each direction."""

_KINDS = ("records", "outputs", "center", "truth", "baseline", "released")
_AROUND, _MOST_OUTPUTS, _CLOSEST = 1.5, 0.95, 1e-6  # of a close-up, in shares of the sides

SHARES = (0.5, 0.95)
"""What the inner and the outer region around a center hold."""


@dataclasses.dataclass(frozen=True)
class Direction:
    """One axis of the picture: a column, a coefficient, or a direction found in the data.

    Attributes
    ----------
    name, unit : str
    side : Interval
        From where to where it reaches.
    private : bool
        Whether the direction follows from the data, as principal components do.
    """

    name: str
    unit: str
    side: Interval
    private: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class Records:
    """The data along a = 1 or 2 directions (private).

    Attributes
    ----------
    n : int
        How many there are.
    dots : ndarray, shape (n, a), or None
        All of them, while they are few.
    counts : ndarray of int, shape (CELLS,) * a, or None
        Else how many are in each cell; the first index is along the first direction.
    window : tuple of Interval
        Where the cells lie.
    """

    n: int
    dots: Floats | None
    counts: NDArray[np.int64] | None
    window: tuple[Interval, ...]

    @classmethod
    def of(cls, values: ArrayLike, window: Sequence[Interval]) -> Records:
        """Look at values, shape (n, a), in a window; a fraction of a second for a million of them."""
        points = np.asarray(values, dtype=np.float64)
        if len(points) <= MOST_DOTS:
            return cls(len(points), points, None, tuple(window))
        cell = np.zeros(len(points), dtype=np.int64)
        inside = np.ones(len(points), dtype=bool)
        for column, side in zip(points.T, window, strict=True):
            inside &= (column >= side.lower) & (column <= side.upper)
            place = np.clip((column - side.lower) * (CELLS / side.width), 0, CELLS - 1)
            cell = cell * CELLS + place.astype(np.int64)
        shape = (CELLS,) * len(window)
        counts = np.bincount(cell[inside], minlength=CELLS ** len(shape))
        return cls(len(points), None, counts.reshape(shape), tuple(window))


class Space(Protocol):
    """What every view of a space of points has."""

    @property
    def directions(self) -> tuple[Direction, ...]:
        """One or two."""

    @property
    def window(self) -> tuple[Interval, ...]:
        """What is in view along each direction."""

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""

    @property
    def records(self) -> Records | None:
        """The data (private)."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What has a lane of its own where there is one direction, the first one highest."""


@dataclasses.dataclass(frozen=True, eq=False)
class CloudView:
    """What is known in the space where the centers live; None is not drawn.

    Only `directions` (unless they say otherwise), `released`, `baseline` and their names are
    public; all else is private.

    Attributes
    ----------
    directions : tuple of Direction
        One or two; a of them below.
    noun : str
        What one point of an output is: "center", "mean", "coefficient".
    zoom : tuple of Interval, or None
        The part that is in view; None for all of `directions`.
    records : Records or None
        The data, where they live in the same space.
    outputs : ndarray, shape (m, k, a), or None
        What the function gave for each block.
    center : ndarray, shape (k, a), or None
        The aggregate without noise.
    center_name : str
        What the aggregate is called.
    radius : float or None
        Around the center of attention: t_0-radius, in the metric of outputs.
    majority : int
        t_0: so many outputs lie within `radius`.
    exact : bool
        Whether the circle is the ball itself: one center, of which every coordinate is drawn.
        Otherwise each center of these outputs lies in its circle, and the circles are an upper bound.
    released : ndarray, shape (k, a), or None
        What was released.
    regions : ndarray, shape (2, k, a), or None
        Half-axes of the ellipses that hold the noise of each center with probabilities `SHARES`.
        They are drawn around what was released; before a release, around the center.
    baseline : ndarray, shape (k, a), or None
        What another mechanism released.
    baseline_name : str
    truth : ndarray, shape (k, a), or None
        The function of all records.
    simulated : bool
        Whether `released` and `baseline` are simulated, and so private.
    """

    directions: tuple[Direction, ...]
    noun: str = "center"
    zoom: tuple[Interval, ...] | None = None
    records: Records | None = None
    outputs: Floats | None = None
    center: Floats | None = None
    center_name: str = "center of attention"
    radius: float | None = None
    majority: int = 0
    exact: bool = False
    released: Floats | None = None
    regions: Floats | None = None
    baseline: Floats | None = None
    baseline_name: str = "noisy Lloyd"
    truth: Floats | None = None
    simulated: bool = False

    @property
    def window(self) -> tuple[Interval, ...]:
        """What is in view along each direction."""
        return self.zoom or tuple(direction.side for direction in self.directions)

    def closeup(self, place: int) -> CloudView:
        """Return the view of what lies around one of the aggregate's points, as far as the outputs do.

        The data are left out: from so near, they hide what they are the background of.
        """
        if self.center is None or self.outputs is None:
            return self
        here = self.center[place]
        sizes = np.array([direction.side.width for direction in self.directions])
        away = np.abs(self.outputs - here) / sizes
        nearest = away.max(axis=2).min(axis=1)
        reach = max(_AROUND * float(np.quantile(nearest, _MOST_OUTPUTS)), _CLOSEST) * sizes
        around = zip((here - reach).tolist(), (here + reach).tolist(), strict=True)
        return dataclasses.replace(self, zoom=tuple(Interval(*ends) for ends in around), records=None)

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What there is, in the order of its lanes."""
        return tuple(
            kind
            for kind in _KINDS
            if getattr(self, kind) is not None or (kind == "released" and self.regions is not None)
        )

    @property
    def middle(self) -> Floats | None:
        """Around what the regions are drawn."""
        return self.center if self.released is None else self.released


def regions(noise: ArrayLike) -> Floats:
    """Return half-axes, shape (2, k, a), of ellipses that hold `SHARES` of noise, shape (size, k, a).

    Each center has its own; the axes of an ellipse are in proportion to the typical noise.
    """
    drawn = np.abs(np.asarray(noise, dtype=np.float64))
    typical = np.maximum(np.median(drawn, axis=0), np.finfo(np.float64).tiny)
    lengths = np.linalg.norm(drawn / typical, axis=2)
    held: Floats = np.quantile(lengths, SHARES, axis=0)[:, :, None] * typical
    return held
