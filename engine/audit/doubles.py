"""Necessary conditions for outputs of noise in double precision; an output that fails them is impossible.

`sums` explains why the possible doubles depend on the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.array_types import Bools, Floats

TRIED_NEIGHBOURS = 3
"""Number of doubles to try on either side of the nearest candidate."""

MAX_TRIED_CANDIDATES = 256
"""With more candidates the test passes without trying them."""

UNIFORM_UNIT = 2.0**-53
"""numpy's uniform numbers are multiples of this."""


def sums(values: Floats, center: float, scale: float, *, laplace: bool) -> Bools:
    """Tell which values can be ``center + scale * z``, shape (size,).

    This expression is rounded twice.  Most doubles are no ``scale * z`` for any double z, and many are no sum
    of the center and another double.  Samplers that take the logarithm of one of 2^53 numbers reach only few
    doubles around 0.  All this depends on center and scale, and so on the data (Mironov 2012; Jin, McMurtry,
    Rubinstein, Ohrimenko 2022 for other samplers).

    If many z give one value, the nearest is among them; if there are fewer, only its neighbours are further
    candidates.
    """
    possible = np.zeros(values.shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for z in _around((values - center) / scale):
            possible |= center + scale * z == values
    if laplace:
        possible[possible] = [_by_logarithm(value, center, scale) for value in values[possible].tolist()]
    return possible


def in_pieces(values: Floats, edges: Floats) -> Bools:
    """Tell which values can be ``low + u * (high - low)`` between two neighbouring edges, shape (size,)."""
    possible = np.zeros(values.shape, dtype=bool)
    for side in ("left", "right"):
        gap = np.searchsorted(edges, values, side=side) - 1
        inside = (gap >= 0) & (gap < len(edges) - 1)
        low = edges[np.where(inside, gap, 0)]
        length = edges[np.where(inside, gap + 1, 0)] - low
        inside &= length > 0
        with np.errstate(invalid="ignore", divide="ignore"):
            nearest = np.rint((values - low) / length / UNIFORM_UNIT)
            for unit in (nearest + by for by in range(-TRIED_NEIGHBOURS, TRIED_NEIGHBOURS + 1)):
                inside_unit = inside & (unit >= 0) & (unit < 1 / UNIFORM_UNIT)
                possible |= inside_unit & (low + unit * UNIFORM_UNIT * length == values)
    return possible


def _around(z: Floats) -> Iterator[Floats]:
    """Yield numbers and some neighbouring doubles."""
    yield z
    for end in (math.inf, -math.inf):
        near = z
        for _ in range(TRIED_NEIGHBOURS):
            near = np.nextafter(near, end)
            yield near


def _by_logarithm(value: float, center: float, scale: float) -> bool:
    """Tell whether a value can be ``center + scale * z`` for a z of numpy's sampler.

    With U = k 2^-53 it takes ln 2U for U below 1/2, and -ln(2 - U - U) above.  Consider the integers j with
    |z| = -ln(j 2^-53).  Below 0 only even j occur.  Above 0, where 2 - U is rounded to even, multiples of 4
    occur, and the odd ones beside multiples of 8.
    """
    away = value - center
    reach = math.ulp(value) + math.ulp(away)  # of sums that are rounded to the value
    for sign in (-1, 1):
        near, far = ((sign * away + by) / scale for by in (-reach, reach))
        if far < 0:
            continue
        first = max(1, math.floor(math.exp(-far) / UNIFORM_UNIT) - TRIED_NEIGHBOURS)
        last = min(1 << 53, math.ceil(math.exp(-max(near, 0.0)) / UNIFORM_UNIT) + TRIED_NEIGHBOURS)
        if last - first > MAX_TRIED_CANDIDATES:
            return True
        drawn = (
            j for j in range(first, last + 1) if (j % 4 == 0 or j % 8 in (1, 7) if sign > 0 else j % 2 == 0)
        )
        if any(center + scale * (sign * -math.log(j * UNIFORM_UNIT)) == value for j in drawn):
            return True
    return False
