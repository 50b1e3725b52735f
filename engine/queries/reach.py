"""How far from x a search for the smooth sensitivity must look."""

from __future__ import annotations

import math

from engine.errors import ParameterError
from engine.numerals import short

FIRST_REACH = 64
"""Distance up to which S* is searched before anything is known about its size."""

SMALLEST = 2.0**-1000
"""Share of GS below which S* cannot be told from 0."""

NEGLIGIBLE = 2.0**-40
"""Share of GS below which no mechanism uses S*."""


def check_beta(beta: float) -> None:
    """Raise `ParameterError` unless `beta` is a finite number above 0."""
    if not (math.isfinite(beta) and beta > 0):
        raise ParameterError("beta", f"{short(beta)} is not possible; it must be a finite number above 0")


def decisive_reach(largest: float, best: float, beta: float, share: float = SMALLEST) -> int:
    """Return the K with ``largest * exp(-beta k) <= best`` for all k >= K.

    Computed in logarithms: the power underflows long before the answer does.  While
    `best` is less than `share` of `largest`, that stands for it.
    """
    return max(0, math.ceil(-math.log(max(best / largest, share)) / beta))


def paid(beta: float, error: float) -> tuple[float, float]:
    """Return the smoothness to compute S for, and the factor that makes of it a bound to use.

    S is known but for a relative error, which depends on the data: times a factor of 1 + 2 error it
    is at least the exact S, and above it by no more than 4 errors, so that its logarithm changes by
    up to 4 errors more from one database to the next.  They are paid for in the smoothness.  Where
    nothing is left, the smoothness is 0: then the global sensitivity, which is constant, serves.

    Parameters
    ----------
    beta : float
        What the noise can hide.
    error : float
        At most 2^-10.
    """
    return max(0.0, (beta - 4 * error) * (1 - 2.0**-50)), 1 + 2 * error
