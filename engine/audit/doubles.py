"""Which doubles noise in double precision can give, and which it cannot.

``center + scale * z`` is rounded twice: most doubles are no ``scale * z`` for any double z, many no
sum of the center and another double, and a sampler that takes the logarithm of one of 2^53 numbers
gives few of the doubles around 0.  Which they are depends on center and scale, and so on the data
(Mironov 2012; Jin, McMurtry, Rubinstein, Ohrimenko 2022 for other samplers).

All tests here are necessary conditions: an output that passes none cannot have come from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]

NEAR = 3
"""So many doubles on either side of the nearest candidate are tried."""

UNIT = 2.0**-53
"""Uniform numbers of numpy are multiples of it."""


def sums(values: _Floats, center: float, scale: float, *, laplace: bool) -> _Bools:
    """Tell which values can be ``center + scale * z``, shape (size,).

    Where many z lead to one value the nearest is among them; where there are fewer, one of its
    neighbours is the only other candidate.

    Parameters
    ----------
    values : ndarray, shape (size,)
    center, scale : float
        As they enter in double precision.
    laplace : bool
        Whether z is drawn by numpy's sampler of Laplace noise.
    """
    found = np.zeros(values.shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for z in _around((values - center) / scale):
            gives = ~found & (center + scale * z == values)
            if laplace:
                gives[gives] = [_is_logarithm(one) for one in z[gives].tolist()]
            found |= gives
    return found


def in_pieces(values: _Floats, edges: _Floats) -> _Bools:
    """Tell which values can be ``low + u * (high - low)`` between two neighbouring edges, shape (size,).

    Parameters
    ----------
    values : ndarray, shape (size,)
    edges : ndarray, shape (m,)
        Rising.
    """
    found = np.zeros(values.shape, dtype=bool)
    for side in ("left", "right"):
        gap = np.searchsorted(edges, values, side=side) - 1
        inside = (gap >= 0) & (gap < len(edges) - 1)
        low = edges[np.where(inside, gap, 0)]
        length = edges[np.where(inside, gap + 1, 0)] - low
        inside &= length > 0
        with np.errstate(invalid="ignore", divide="ignore"):
            nearest = np.rint((values - low) / length / UNIT)
            for unit in (nearest + by for by in range(-NEAR, NEAR + 1)):
                possible = inside & (unit >= 0) & (unit < 1 / UNIT)
                found |= possible & (low + unit * UNIT * length == values)
    return found


def _around(z: _Floats) -> Iterator[_Floats]:
    """Yield numbers, and some of their neighbours among doubles."""
    yield z
    for end in (math.inf, -math.inf):
        near = z
        for _ in range(NEAR):
            near = np.nextafter(near, end)
            yield near


def _is_logarithm(z: float) -> bool:
    """Tell whether -|z| is the logarithm of a multiple of 2^-53 in (0, 1], as the C library rounds it."""
    units = round(math.exp(-abs(z)) / UNIT)
    candidates = range(max(1, units - NEAR), min(1 << 53, units + NEAR) + 1)
    return any(-math.log(candidate * UNIT) == abs(z) for candidate in candidates)
