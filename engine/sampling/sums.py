"""Sums of doubles without an error."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats

CHUNK = 1 << 14
"""Numbers that are summed at once: what fits in a processor's cache."""

DIGITS = 48
"""Bits of each number that are summed at once: the sum of a chunk fits into 63."""

ROUNDS = 2
"""So many rounds sum all bits of numbers that are not much smaller than the largest."""

SMALLEST = -1074
"""Binary logarithm of the smallest double."""


def exact_sum(values: ArrayLike) -> Fraction:
    """Return the sum of finite doubles (any shape), exactly.

    The leading bits of all numbers are summed as whole numbers, then those of what is left: in two
    rounds, whether there are so many digits or not, so that time does not tell; in more if a
    number is smaller than 2^-43 of the largest.

    Parameters
    ----------
    values : array_like, any shape
        Finite doubles.

    Returns
    -------
    Fraction

    Examples
    --------
    A sum in doubles would be 0.

    >>> from engine import exact_sum
    >>> exact_sum([1e100, 1.0, -1e100])
    Fraction(1, 1)
    """
    numbers = np.ravel(np.asarray(values, dtype=np.float64))
    sums: dict[int, int] = {}
    for start in range(0, numbers.size, CHUNK):
        _add(numbers[start : start + CHUNK], sums)
    lowest = min(sums, default=0)
    return sum(whole << (exponent - lowest) for exponent, whole in sums.items()) * Fraction(2) ** lowest


def _add(rest: Floats, sums: dict[int, int]) -> None:
    """Add numbers to sums of whole multiples of 2^exponent, by exponent."""
    exponent = max(SMALLEST, math.frexp(float(max(rest.max(), -rest.min())))[1] - DIGITS)
    for done in itertools.count(1):
        whole = np.trunc(_scale(rest, -exponent))
        sums[exponent] = sums.get(exponent, 0) + int(whole.astype(np.int64).sum())
        rest = rest - _scale(whole, exponent)
        exponent = max(SMALLEST, exponent - DIGITS)
        if done >= ROUNDS and not rest.any():
            return


def _scale(numbers: Floats, exponent: int) -> Floats:
    """Return the numbers times 2^exponent, by a product where that factor is a double."""
    return numbers * 2.0**exponent if abs(exponent) < 1000 else np.ldexp(numbers, exponent)
