"""Centers of Voronoi cells: a net, or random points; always independent of the data."""

from __future__ import annotations

import abc
import dataclasses

import numpy as np

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.histograms.voronoi_cells import Cell
from engine.numerals import grouped
from engine.progress import Progress, silent

_LARGEST_LATTICE = 1 << 16
NET_DIMENSIONS, RANDOM_DIMENSIONS = 4, 6
LARGEST_COUNT = 1 << 13
MAX_WORK = 4e10  # about a minute, if the largest possible number of cells holds more than t points


class Centers(abc.ABC):
    """A way to choose the centers that split a cell."""

    @abc.abstractmethod
    def check(self, dimension: int) -> None:
        """Raise `ParameterError` if this dimension needs too many centers."""

    @abc.abstractmethod
    def choose(self, cell: Cell, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        """Return centers, shape (m, d), in the cell."""

    @abc.abstractmethod
    def lattice(self, dimension: int) -> int:
        """Return the number of boxes that determine the radii of the cells well."""

    def warning(self, dimension: int) -> str:
        """Describe deviations from the paper; "" without any."""
        return ""


@dataclasses.dataclass(frozen=True)
class Net(Centers):
    """Centers at least R/4 apart, with all of the cell within R/4 of them, up to the lattice.

    Chawla, Dwork, McSherry, Talwar 2005, section 2.3, method 1: R is the radius of the cell.  They take any
    point that is R/4 away from the centers so far.  This takes the farthest point of a randomly shifted
    lattice, and stops when none is more than R/4 away.
    """

    def check(self, dimension: int) -> None:
        """Raise `ParameterError` above 4 dimensions: a net has up to 9^d centers."""
        if dimension > NET_DIMENSIONS:
            raise ParameterError(
                "columns",
                f"a net of up to 9^{dimension} centers per cell is too large in {dimension} "
                f"dimensions; choose at most {NET_DIMENSIONS} columns, or cubes, which are split "
                "in 2^d",
            )

    def lattice(self, dimension: int) -> int:
        """Return 4096 in the plane, and four times as many for each further dimension."""
        return int(1 << 2 * dimension + 8)

    def choose(self, cell: Cell, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        dimension = len(cell.center)
        middles, _ = cell.lattice(self.lattice(dimension), rng.random(dimension))
        candidates = middles[cell.inside(middles)]
        if not len(candidates):
            candidates = cell.center[None]
        # relative to the center, so that squares lose no digits
        local = candidates - cell.center
        squares = np.einsum("ij,ij->i", local, local)
        nearest = np.full(len(local), np.inf)
        chosen = [int(rng.integers(len(local)))]
        while True:
            if len(chosen) % 64 == 0:
                progress(0.0)
            newest = local[chosen[-1]]
            np.minimum(nearest, squares - local @ (2 * newest) + newest @ newest, out=nearest)
            far = int(nearest.argmax())
            if nearest[far] <= cell.radius**2 / 16:
                return candidates[chosen]
            chosen.append(far)


@dataclasses.dataclass(frozen=True)
class Random(Centers):
    """Centers drawn uniformly from the cell.

    Chawla, Dwork, McSherry, Talwar 2005, section 2.3, method 2 and lemma 2.4: m = 4 d 8^d centers R/4-cover a
    cell of radius R with probability at least 1 - exp(-d).
    """

    count: int = 0  # their number; 0 means 4 d 8^d

    def __post_init__(self) -> None:
        if not (self.count == 0 or 2 <= self.count <= LARGEST_COUNT):
            raise ParameterError(
                "centers",
                f"{self.count} is not possible; it must be from 2 to {grouped(LARGEST_COUNT)}, or 0 "
                "for 4 d 8^d",
            )

    def check(self, dimension: int) -> None:
        """Raise `ParameterError` if 4 d 8^d is too large, or the dimension is."""
        if dimension > RANDOM_DIMENSIONS:
            raise ParameterError(
                "columns",
                f"random centers do not cover cells in {dimension} dimensions; choose at most "
                f"{RANDOM_DIMENSIONS} columns, or cubes, which are split in 2^d",
            )
        if self.of(dimension) > LARGEST_COUNT:
            raise ParameterError(
                "centers",
                f"4 d 8^d = {grouped(self.of(dimension))} centers per cell are too many in {dimension} "
                f"dimensions; declare fewer, at most {grouped(LARGEST_COUNT)}, or choose at most 3 columns",
            )

    def of(self, dimension: int) -> int:
        """Return the number of centers of a cell."""
        return self.count or _lemma(dimension)

    def lattice(self, dimension: int) -> int:
        """Return 2^(d + 1) boxes for each center, at least 1024, within the largest affordable number."""
        return int(np.clip(2 ** (dimension + 1) * self.of(dimension), 1 << 10, _LARGEST_LATTICE))

    def check_work(self, dimension: int, cells: int) -> None:
        """Raise `ParameterError` if splitting the region and this many cells would take minutes.

        The boxes of a lattice have about 4^d sqrt(m) centers near them, by measurements in 2 to 6 dimensions.
        A lattice around a cell, unlike the region, has only a quarter of its boxes in the cell.
        """
        if self._work(dimension, cells) <= MAX_WORK:
            return
        fewer = self.of(dimension)
        while fewer > 2 and Random(fewer)._work(dimension, cells) > MAX_WORK:
            fewer = max(2, fewer * 9 // 10)
        raise ParameterError(
            "centers",
            f"{grouped(self.of(dimension))} centers for each of up to "
            f"{grouped(self._cuts(dimension, cells))} cells in "
            f"{dimension} dimensions take too long; choose at most {grouped(fewer)}, a larger t, or "
            "a depth of 1",
        )

    def _cuts(self, dimension: int, cells: int) -> int:
        return 1 + min(self.of(dimension), cells)

    def _work(self, dimension: int, cells: int) -> float:
        pairs = self.lattice(dimension) * 4**dimension * self.of(dimension) ** 0.5
        return float(pairs * (1 + (self._cuts(dimension, cells) - 1) / 4))

    def choose(self, cell: Cell, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        return cell.draw(rng, self.of(len(cell.center)), progress)

    def warning(self, dimension: int) -> str:
        """Warn if there are fewer centers than lemma 2.4 needs."""
        if self.of(dimension) >= _lemma(dimension):
            return ""
        return (
            f"{grouped(self.count)} centers per cell are fewer than the 4 d 8^d = "
            f"{grouped(_lemma(dimension))} "
            "that the proof needs: cells may be less round than it says"
        )


def _lemma(dimension: int) -> int:
    return int(4 * dimension * 8**dimension)
