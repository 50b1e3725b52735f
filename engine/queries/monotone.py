"""The discounted widest pair of two sorted runs, by divide and conquer on argmaxima."""

from __future__ import annotations

import math

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.progress import Progress, silent

_BLOCKS = 256
"""Largest number of blocks of rows, and of columns, whose pairs are bounded together."""

_PRUNED_FROM = _BLOCKS
"""With fewer rows and columns in total, pruning costs more than it saves."""

_MAX_DIRECT = 1 << 14
"""Largest number of pairs that are scored one by one, which is faster than dividing so few."""

_SLACK = 2.0**-30
"""An upper bound on errors of logarithms of discounted differences: pairs this near may be the best."""

_AT_ONCE = 1 << 20
"""Pairs scored between two progress reports, and held in memory at once."""


def best_pair(
    left: Floats, right: Floats, beta: float, width: int, *, progress: Progress = silent
) -> tuple[float, int]:
    """Maximise ``(x_j - x_i) exp(-beta (j - i - width))`` over i in left, j in right; return it with its k.

    Both are sorted: `left` at consecutive ranks up to low, `right` from ``high = low + width - 1`` on.  The
    maximum is 0 if all values are equal; k is the ``j - i - width`` that attains it.

    In logarithms, ``ln(x_j - x_i) - beta (j - i)``: powers underflow from
    ``beta k > 745`` on, and the ties at 0 would break what follows.  The rightmost best
    j does not decrease with i: if x_i <= x_i' and a farther j' is at least as good as j
    for i, then (x_j' - x_i')/(x_j - x_i') >= (x_j' - x_i)/(x_j - x_i), so it is for i'.
    So the best j of the middle row confines those of the rows above and below:
    O((a + b) log a), all rows of a level at once.  First, pruning drops blocks of rows
    and columns without a pair as good as a known one.  All pairs of few rows and columns
    are scored at once.
    """
    if left[0] == right[-1]:
        return 0.0, 0
    # i counts down from low, j counts up from high: k = i + j - 1 (in these offsets)
    rows = left[::-1]
    if left.size + right.size > 256 * _BLOCKS:  # fewer are pruned faster without their duplicates
        progress(0.0, "smooth sensitivity")
        row, column = _promising(rows, right, _From(-1), _From(0), beta)
        if not row.size:
            return 0.0, 0
    else:
        row, column = np.arange(left.size), np.arange(right.size)
    results = widest(rows[row], row - 1, right[column], column, beta, progress=progress)
    return (0.0, 0) if results is None else (results[0], results[1] + results[2])


def widest(
    rows: Floats, down: Ints, columns: Floats, up: Ints, beta: float, *, progress: Progress = silent
) -> tuple[float, int, int] | None:
    """Maximise ``(columns - rows) exp(-beta (up + down))`` where ``up + down`` is not below 0.

    Values of rows never increase, those of columns never decrease; `down` and `up` are their distances,
    increasing.  Returns the maximum with its `down` and `up`; None if it is not above 0.
    """
    row, column = _distinct(rows), _distinct(columns)
    rows, down, columns, up = rows[row], down[row], columns[column], up[column]
    before, size = math.inf, rows.size + columns.size
    while _PRUNED_FROM < size <= before / 2:
        progress(0.0, "smooth sensitivity")
        row, column = _promising(rows, columns, down, up, beta)
        if not row.size:
            return None
        rows, down, columns, up = rows[row], down[row], columns[column], up[column]
        before, size = size, rows.size + columns.size
    # in the order of their ranks
    rows, down = rows[::-1], down[::-1]
    if rows.size * columns.size <= _MAX_DIRECT:
        return _best_of_all(rows, down, columns, up, beta)
    best_column = np.zeros(rows.size, dtype=np.int64)
    best_score = np.full(rows.size, -math.inf)

    def solve(mid: Ints, first: Ints, last: Ints) -> None:
        lengths = last - first + 1
        starts = np.cumsum(lengths) - lengths
        row = np.repeat(mid, lengths)
        column = np.arange(lengths.sum()) - np.repeat(starts - first, lengths)
        with np.errstate(divide="ignore"):
            score = np.log(columns[column] - rows[row]) - beta * (up[column] + down[row])
        score[up[column] + down[row] < 0] = -math.inf
        top = np.maximum.reduceat(score, starts)
        attained = np.where(score == np.repeat(top, lengths), column, -1)
        best_column[mid] = np.maximum.reduceat(attained, starts)
        best_score[mid] = top

    # bisect all rows level by level; the ends are virtual rows with the whole range
    pending = np.array([[0, rows.size - 1, 0, columns.size - 1]], dtype=np.int64)
    while pending.size:
        for some in _parts(pending[:, 3] - pending[:, 2] + 1):
            progress(0.0, "smooth sensitivity")
            solve((pending[some, 0] + pending[some, 1]) // 2, pending[some, 2], pending[some, 3])
        top_row, end_row, first, last = pending.T
        mid = (top_row + end_row) // 2
        lower = np.stack([top_row, mid - 1, first, best_column[mid]], axis=1)
        higher = np.stack([mid + 1, end_row, best_column[mid], last], axis=1)
        pending = np.concatenate([lower, higher])
        pending = pending[pending[:, 0] <= pending[:, 1]]
    winner = int(np.argmax(best_score))
    if best_score[winner] == -math.inf:
        return None
    j = best_column[winner]
    below, above = int(down[winner]), int(up[j])
    return float((columns[j] - rows[winner]) * math.exp(-beta * (below + above))), below, above


def _best_of_all(
    rows: Floats, down: Ints, columns: Floats, up: Ints, beta: float
) -> tuple[float, int, int] | None:
    """Return what `widest` returns, by scoring every pair."""
    distance = up + down[:, None]
    with np.errstate(divide="ignore"):
        score = np.log(columns - rows[:, None]) - beta * distance
    score[distance < 0] = -math.inf
    top = score.max(axis=1)
    row = int(top.argmax())
    if top[row] == -math.inf:
        return None
    column = int(np.flatnonzero(score[row] == top[row])[-1])
    below, above = int(down[row]), int(up[column])
    return float((columns[column] - rows[row]) * math.exp(-beta * (below + above))), below, above


def _distinct(values: Floats) -> Ints:
    """Return the offsets that can matter: of equal values the nearest to the window.

    The first two stay in any case, since the very first pair of all may not be admitted.
    """
    keep = np.ones(values.size, dtype=bool)
    keep[2:] = values[2:] != values[1:-1]
    return np.flatnonzero(keep)


class _From:
    """The whole numbers from `first` on, computed on demand."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __getitem__(self, places: Ints) -> Ints:
        return places + self._first


def _promising(
    rows: Floats, columns: Floats, down: Ints | _From, up: Ints | _From, beta: float
) -> tuple[Ints, Ints]:
    """Return which rows and columns can be those of the best pair.

    In a block, no difference is larger than that of the last row and the last column, and
    no discount smaller than that of the first ones.  Blocks of ties with what is nearer do
    not matter.
    """
    first_row, last_row = _blocks(rows.size)
    first_column, last_column = _blocks(columns.size)
    discount = beta * (up[first_column] + down[first_row][:, None])
    with np.errstate(divide="ignore"):
        known = np.log(columns[first_column] - rows[first_row][:, None]) - discount
        most = np.log(columns[last_column] - rows[last_row][:, None]) - discount
    known[discount < 0] = -math.inf
    promising = (most >= known.max() - _SLACK) & (most > -math.inf)
    promising &= _fresh(rows, first_row, last_row)[:, None] & _fresh(columns, first_column, last_column)
    row = np.repeat(promising.any(axis=1), last_row - first_row + 1)
    column = np.repeat(promising.any(axis=0), last_column - first_column + 1)
    return np.flatnonzero(row), np.flatnonzero(column)


def _fresh(values: Floats, first: Ints, last: Ints) -> Bools:
    """Return in which blocks there are others than the last value before, and the first block."""
    fresh: Bools = values[last] != values[first - 1]
    fresh[:1] = True
    return fresh


def _blocks(size: int) -> tuple[Ints, Ints]:
    """Return the first and the last place of each of some blocks, alike in size."""
    first = np.arange(0, size, max(-(-size // _BLOCKS), math.isqrt(size) // 2))
    return first, np.append(first[1:], size) - 1


def _parts(lengths: Ints) -> list[slice]:
    """Return slices of consecutive ones that are not much longer together than is done at once."""
    part = np.cumsum(lengths) // _AT_ONCE
    first = np.flatnonzero(np.diff(part, prepend=-1))
    return [slice(*ends) for ends in zip(first, np.append(first[1:], lengths.size), strict=True)]
