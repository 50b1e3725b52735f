"""Sums of doubles without an error."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

CHUNK = 1 << 14
"""Numbers that are summed at once: what fits in a processor's cache."""

DIGITS = 48
"""Bits of each number that are summed at once: the sum of a chunk fits into 63."""

SMALLEST = -1074
"""Binary logarithm of the smallest double."""


def exact_sum(values: ArrayLike) -> Fraction:
    """Return the sum of finite doubles (any shape), exactly.

    The leading bits of all numbers are summed as whole numbers, then those of what is left: as
    many rounds as the numbers have significant bits between the largest and the smallest.

    Examples
    --------
    >>> exact_sum([1e100, 1.0, -1e100])
    Fraction(1, 1)
    """
    numbers = np.ravel(np.asarray(values, dtype=np.float64))
    sums: dict[int, int] = {}
    for start in range(0, numbers.size, CHUNK):
        _add(numbers[start : start + CHUNK], sums)
    return sum((Fraction(whole) * Fraction(2) ** exponent for exponent, whole in sums.items()), Fraction(0))


def _add(rest: NDArray[np.float64], sums: dict[int, int]) -> None:
    """Add numbers to sums of whole multiples of 2^exponent, by exponent."""
    while rest.size and (largest := float(max(rest.max(), -rest.min()))) > 0:
        exponent = max(SMALLEST, math.frexp(largest)[1] - DIGITS)
        whole = np.trunc(_scaled(rest, -exponent))
        sums[exponent] = sums.get(exponent, 0) + int(whole.astype(np.int64).sum())
        rest = rest - _scaled(whole, exponent)
        rest = rest[rest != 0]


def _scaled(numbers: NDArray[np.float64], exponent: int) -> NDArray[np.float64]:
    """Return the numbers times 2^exponent, by a product where that factor is a double."""
    return numbers * 2.0**exponent if abs(exponent) < 1000 else np.ldexp(numbers, exponent)
