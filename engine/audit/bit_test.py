"""Are the low bits of what two databases release distributed alike?"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.array_types import Floats, Ints

FALSE_ALARM = 1e-6
"""Probability with which low bits of one law are said to have two."""

BITS = 20
"""Lowest bits of the position on the grid that are looked at."""

BELOW = 10
"""Binary digits by which they must lie below the spread of the outputs, to tell nothing by themselves."""

CLASSES = 6
"""Bits by which outputs are counted at once: the lowest ones, and the highest of those looked at."""

FEWEST = 32
"""Outputs in each class, on the average of both databases together."""

ATOM = 0.01
"""What a larger share of the outputs have in common is the end of a range, and has no low bits."""

EXACT = 2.0**53
"""Numbers of steps beyond this are rounded, and have no lowest bit."""


def p_value(first: Floats, second: Floats) -> float:
    """Return with which probability low bits of one law differ by as much, corrected for all looks.

    Chi-square tests for each number, by the lowest and by the highest of its low bits.  What may
    tell the databases apart within the promise is left out: bits that are less than ten binary
    digits below the spread of the outputs, and values that many of them have in common.

    Parameters
    ----------
    first, second : ndarray, shapes (runs, D)
        Positions on the grid, in steps; NaN for a refusal, or a number that lies on no grid.
    """
    columns = range(min(first.shape[1], second.shape[1]))
    found = [p for column in columns for p in _looks(first[:, column], second[:, column])]
    return min(1.0, len(found) * min(found)) if found else 1.0


def _looks(first: Floats, second: Floats) -> Iterator[float]:
    """Yield the p-values of one number."""
    sides = _with_low_bits([np.floor(side[np.isfinite(side)]) for side in (first, second)])
    pooled = np.concatenate(sides)
    if not all(side.size for side in sides):
        return
    spread = float(np.subtract(*np.quantile(pooled, [0.75, 0.25])))
    bits = min(BITS, math.frexp(spread)[1] - 1 - BELOW)
    classes = min(CLASSES, bits, math.frexp(pooled.size / FEWEST)[1] - 1)
    if classes < 1:
        return
    low = [np.mod(side, 2.0**bits).astype(np.int64) for side in sides]
    yield _chi_square(*(np.bincount(side % (1 << classes), minlength=1 << classes) for side in low))
    if bits > classes:
        yield _chi_square(*(np.bincount(side >> (bits - classes), minlength=1 << classes) for side in low))


def _with_low_bits(sides: list[Floats]) -> list[Floats]:
    """Return both sides without positions that are rounded, and those that many outputs have in common."""
    values, counts = np.unique(np.concatenate(sides), return_counts=True)
    common = values[counts > max(1, ATOM * counts.sum())]
    return [side[(np.abs(side) < EXACT) & ~np.isin(side, common)] for side in sides]


def _chi_square(first: Ints, second: Ints) -> float:
    """Return the p-value of the test that counts in the same classes are of one law."""
    from scipy.special import chdtrc

    both = first + second
    filled = both > 0
    ratio = math.sqrt(second.sum() / first.sum())
    squares = (first * ratio - second / ratio)[filled] ** 2 / both[filled]
    return float(chdtrc(int(filled.sum()) - 1, squares.sum())) if filled.sum() > 1 else 1.0
