"""Small databases on a grid, and how far their answers to public questions are off."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Floats, Ints
from engine.histograms.grid import Grid
from engine.progress import Progress, silent

_Small = NDArray[np.int16]

_NUMBERS = 1 << 22
"""Answers that are worked out at once."""


def how_many(cells: int, size: int) -> int:
    """Return the number of multisets of `size` out of `cells`."""
    return math.comb(cells + size - 1, size)


def batches(cells: int, size: int, questions: int) -> Iterator[_Small]:
    """Yield all multisets, each a sorted row of cells, so many at a time as questions allow."""
    every = itertools.combinations_with_replacement(range(cells), size)
    while some := list(itertools.islice(every, max(1, _NUMBERS // max(questions, 512)))):
        yield np.array(some, dtype=np.int16)


@dataclasses.dataclass(frozen=True, eq=False)
class Questions:
    """Which share of the records lies in each of many sets of cells."""

    holds: Floats  # (questions, cells): 1 where a cell is in the set, 0 elsewhere

    @classmethod
    def of(cls, family: str, grid: Grid) -> Questions:
        """Return the questions about a grid: all boxes of cells, or those that begin at the lowest corner."""
        return cls(_product([_on_axis(family, grid.bins)] * grid.box.dimension))

    @staticmethod
    def how_many(family: str, grid: Grid) -> int:
        """Return their number, without making them."""
        on_axis = len(_starts(family, grid.bins)[0])
        return int(on_axis**grid.box.dimension)

    def answers(self, shares: ArrayLike) -> Floats:
        """Return the answers of databases given by the share of each cell, shape (..., cells)."""
        answers: Floats = np.asarray(shares, dtype=np.float64) @ self.holds.T
        return answers

    def of_sets(self, sets: NDArray[np.integer]) -> Floats:
        """Return the answers of databases that are rows of cells, shape (m, size)."""
        shares = np.zeros((len(sets), self.holds.shape[1]))
        for column in sets.T:
            shares[np.arange(len(sets)), column] += 1 / sets.shape[1]
        return self.answers(shares)

    def errors(self, sets: NDArray[np.integer], truth: Floats) -> Floats:
        """Return the largest error of the answers of each database."""
        errors: Floats = np.abs(self.of_sets(sets) - truth).max(axis=1)
        return errors


def _starts(family: str, bins: int) -> tuple[Ints, Ints]:
    """Return first and last cells of the intervals of one axis."""
    first, last = np.triu_indices(bins)
    if family == "thresholds":
        first, last = np.zeros(bins, dtype=np.int64), np.arange(bins)
    return first, last


def _on_axis(family: str, bins: int) -> Floats:
    first, last = _starts(family, bins)
    cells = np.arange(bins)
    return ((cells >= first[:, None]) & (cells <= last[:, None])).astype(np.float64)


def _product(axes: list[Floats]) -> Floats:
    holds: Floats = np.ones((1, 1))
    for axis in axes:
        holds = np.kron(holds, axis).astype(np.float64)
    return holds


def walk(
    questions: Questions,
    truth: Floats,
    size: int,
    rate: float,
    steps: int,
    chains: int,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> Ints:
    """Return the last states of Metropolis chains on multisets, shape (chains, size).

    The stationary distribution is proportional to exp(-rate * largest error), over multisets: one
    record is moved to a random cell, and since k records of a cell are k ways to move one out of
    it, the ratio of the numbers of ways back and forth enters the decision (Hastings 1970).

    All chains walk at the same time, from sets that are drawn evenly, record by record.
    """
    cells, rows = questions.holds.shape[1], np.arange(chains)
    state = rng.integers(0, cells, (chains, size))
    counts = np.zeros((chains, cells), dtype=np.int64)
    np.add.at(counts, (rows[:, None], state), 1)
    columns = np.ascontiguousarray(questions.holds.T) / size
    off = questions.of_sets(state) - truth
    error = np.abs(off).max(axis=1)
    often = max(1, min(500, _NUMBERS // off.size))
    for step in range(steps):
        if step % often == 0:
            progress(step / steps, "walking among small databases")
        slot, target = rng.integers(0, size, chains), rng.integers(0, cells, chains)
        source = state[rows, slot]
        moved = off + columns[target] - columns[source]
        proposed = np.abs(moved).max(axis=1)
        ways = np.where(source == target, 1.0, (counts[rows, target] + 1) / counts[rows, source])
        accepted = np.log(ways) - rate * (proposed - error) > -rng.standard_exponential(chains)
        went = rows[accepted]
        state[went, slot[accepted]] = target[accepted]
        counts[went, source[accepted]] -= 1
        counts[went, target[accepted]] += 1
        off[accepted], error[accepted] = moved[accepted], proposed[accepted]
    return state
