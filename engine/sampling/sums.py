"""Exact sums of doubles."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats

CHUNK = 1 << 14
"""Numbers summed at once; they fit in a processor's cache."""

DIGITS = 48
"""Bits of each number summed at once, so that the sum of a chunk fits into 63 bits."""

ROUNDS = 2
"""Rounds that are always made; they sum all bits of numbers not much smaller than the largest."""

SMALLEST = -1074
"""Binary logarithm of the smallest double."""


def exact_sum(values: ArrayLike) -> Fraction:
    """Return the sum of finite doubles (any shape), exactly.

    First the leading bits of all numbers are summed as whole numbers, then the bits that remain.  There are
    always at least two rounds, so that the running time reveals nothing about the digits.  More are needed
    only if a number is smaller than 2^-43 of the largest.

    Parameters
    ----------
    values : array_like, any shape
        Finite doubles.

    Returns
    -------
    Fraction

    See Also
    --------
    add_noise, Sum

    Examples
    --------
    The ordinary sum of these doubles is 0.

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
    """Add numbers to `sums`, which maps exponents to whole multiples of 2^exponent."""
    exponent = max(SMALLEST, math.frexp(float(max(rest.max(), -rest.min())))[1] - DIGITS)
    for done in itertools.count(1):
        whole = np.trunc(_scale(rest, -exponent))
        sums[exponent] = sums.get(exponent, 0) + int(whole.astype(np.int64).sum())
        rest = rest - _scale(whole, exponent)
        exponent = max(SMALLEST, exponent - DIGITS)
        if done >= ROUNDS and not rest.any():
            return


def _scale(numbers: Floats, exponent: int) -> Floats:
    """Return the numbers times 2^exponent, by multiplication if that factor is a double."""

    return numbers * 2.0**exponent if abs(exponent) < 1000 else np.ldexp(numbers, exponent)
