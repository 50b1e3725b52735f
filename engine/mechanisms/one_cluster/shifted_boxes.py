"""Boxes at random places: one into which a small ball fits, and the fullest of its partition."""

from __future__ import annotations

import dataclasses
import math
from collections import deque
from collections.abc import Iterator

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.mechanisms.one_cluster.cells import Cells, largest, merge_rows
from engine.numerals import grouped
from engine.primitives import above_threshold, stable_argmax
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import public_generator

KEPT = 8
"""Partitions that are kept to be looked at."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ShiftedBoxes:
    """A partition into boxes of one side, at a random place."""

    shift: Floats  # shape (k,); where the box of index 0 begins
    side: float
    cells: Cells  # the boxes that hold points, by index (private)

    @classmethod
    def drawn(cls, positions: Floats, side: float, rng: np.random.Generator) -> ShiftedBoxes:
        """Count positions (n, k) in boxes whose place is drawn without regard to them."""
        shift = -public_generator(rng).uniform(np.zeros(positions.shape[1]), side)
        return cls(shift, side, counted(np.floor((positions - shift) / side).astype(np.int64)))

    def holds(self, positions: Floats | Ints, index: Ints) -> Bools:
        """Tell which of some positions (n, k) lie in the box of an index, shape (n,)."""
        inside: Bools = (np.floor((positions - self.shift) / self.side) == index).all(axis=1)
        return inside


def counted(indices: Ints) -> Cells:
    """Return the boxes of some indices (n, k), with how many points are in each."""
    if not len(indices):
        return Cells(indices, np.zeros(0, dtype=np.int64))
    relative = indices - indices.min(axis=0)
    cells = merge_rows(relative, np.ones(len(indices), dtype=np.int64), relative.max(axis=0) + 1)
    return Cells(cells.corners + indices.min(axis=0), cells.counts)


def heavy_box(
    positions: Floats,
    side: float,
    rounds: int,
    threshold: float,
    epsilon: float,
    privacy: Privacy,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> tuple[tuple[ShiftedBoxes, ...], Ints | None, str]:
    """Draw partitions until one has a box with enough points, and choose its fullest box.

    Return the last partitions drawn, the index of the box (None if there is none), and why there is none.
    `threshold` and `rounds` are public; AboveThreshold over all rounds costs `epsilon`, the choice `privacy`.

    Source: Nissim, Stemmer, Vadhan 2016, Algorithm 2 (GoodCenter), steps 2 to 7.
    """
    tries: deque[ShiftedBoxes] = deque(maxlen=KEPT)

    def fullest() -> Iterator[float]:
        for here in each(rounds, progress):
            here(0.5)
            tries.append(ShiftedBoxes.drawn(positions, side, rng))
            yield largest(tries[-1].cells.counts)

    if above_threshold(fullest(), threshold, epsilon, rng) is None:
        return tuple(tries), None, f"none of {grouped(rounds)} partitions had a box that seemed full enough"
    cells = tries[-1].cells
    chosen = stable_argmax(cells.counts, privacy, rng) if len(cells.counts) else -1
    if chosen < 0:
        return tuple(tries), None, "no box was clearly fuller than an empty one"
    return tuple(tries), cells.corners[chosen], ""


def chance(side: float, width: float, dimension: int) -> float:
    """Return the probability that a set no wider than `width` in each of d axes fits into one box."""
    return max(0.0, 1 - width / side) ** dimension


def rounds_for(chance: float, beta: float) -> int:
    """Return how many independent tries fail together with probability beta at most."""
    return max(1, math.ceil(math.log(beta) / math.log1p(-min(chance, 1 - 1e-12))))
