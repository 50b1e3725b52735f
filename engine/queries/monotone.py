"""The discounted widest pair of two sorted runs, by divide and conquer on argmaxima."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


def best_pair(left: _Floats, right: _Floats, beta: float, width: int) -> tuple[float, int]:
    """Maximise ``(x_j - x_i) exp(-beta (j - i - width))`` over i in left, j in right.

    Parameters
    ----------
    left : ndarray, shape (a,)
        Sorted values at consecutive ranks that end at rank `low`.
    right : ndarray, shape (b,)
        Sorted values at consecutive ranks from ``high = low + width - 1`` on.
    beta : float
        Discount per rank, above 0.
    width : int
        Smallest admitted difference of ranks.

    Returns
    -------
    value : float
        The maximum, 0 if all values are equal.
    k : int
        The ``j - i - width`` that attains it.

    Notes
    -----
    In logarithms, ``ln(x_j - x_i) - beta (j - i)``: powers underflow from
    ``beta k > 745`` on, and the ties at 0 would break what follows.  The rightmost best
    j does not decrease with i: if x_i <= x_i' and a farther j' is at least as good as j
    for i, then (x_j' - x_i')/(x_j - x_i') >= (x_j' - x_i)/(x_j - x_i), so it is for i'.
    So the best j of the middle row confines those of the rows above and below;
    O((a + b) log a), all rows of a level at once.
    """
    # i counts down from low, j counts up from high: k = i + j - 1 (in these offsets)
    down = _distinct(left[::-1])[::-1]
    up = _distinct(right)
    rows, columns = left[::-1][down], right[up]
    best_column = np.zeros(rows.size, dtype=np.int64)
    best_score = np.full(rows.size, -math.inf)

    def solve(mid: _Ints, first: _Ints, last: _Ints) -> None:
        lengths = last - first + 1
        starts = np.cumsum(lengths) - lengths
        row = np.repeat(mid, lengths)
        column = np.arange(lengths.sum()) - np.repeat(starts - first, lengths)
        with np.errstate(divide="ignore"):
            score = np.log(columns[column] - rows[row]) - beta * (up[column] + down[row] - 1)
        # the pair (low, high) is one rank too narrow
        score[(up[column] == 0) & (down[row] == 0)] = -math.inf
        top = np.maximum.reduceat(score, starts)
        attained = np.where(score == np.repeat(top, lengths), column, -1)
        best_column[mid] = np.maximum.reduceat(attained, starts)
        best_score[mid] = top

    # bisect all rows level by level; the ends are virtual rows with the whole range
    pending = np.array([[0, rows.size - 1, 0, columns.size - 1]], dtype=np.int64)
    while pending.size:
        top_row, end_row, first, last = pending.T
        mid = (top_row + end_row) // 2
        solve(mid, first, last)
        above = np.stack([top_row, mid - 1, first, best_column[mid]], axis=1)
        below = np.stack([mid + 1, end_row, best_column[mid], last], axis=1)
        pending = np.concatenate([above, below])
        pending = pending[pending[:, 0] <= pending[:, 1]]
    winner = int(np.argmax(best_score))
    if best_score[winner] == -math.inf:
        return 0.0, 0
    j = best_column[winner]
    k = int(up[j] + down[winner] - 1)
    return float((columns[j] - rows[winner]) * math.exp(-beta * k)), k


def _distinct(values: _Floats) -> _Ints:
    """Return the offsets that can matter: of equal values the nearest to the window.

    The first two stay in any case, since the very first pair of all is not admitted.
    """
    keep = np.ones(values.size, dtype=bool)
    keep[2:] = values[2:] != values[1:-1]
    return np.flatnonzero(keep)
