"""How far from x a search for the smooth sensitivity must look."""

from __future__ import annotations

import math

from engine.errors import ParameterError

FIRST_REACH = 64
"""Distance up to which S* is searched before anything is known about its size."""

SMALLEST = 2.0**-1000
"""Share of GS below which S* cannot be told from 0."""

NEGLIGIBLE = 2.0**-40
"""Share of GS below which no mechanism uses S*."""


def check_beta(beta: float) -> None:
    """Raise `ParameterError` unless `beta` is a finite number above 0."""
    if not (math.isfinite(beta) and beta > 0):
        raise ParameterError("beta", f"{beta:g} is not possible; it must be a finite number above 0")


def decisive_reach(largest: float, best: float, beta: float, share: float = SMALLEST) -> int:
    """Return the K with ``largest * exp(-beta k) <= best`` for all k >= K.

    Computed in logarithms: the power underflows long before the answer does.  While
    `best` is less than `share` of `largest`, that stands for it.
    """
    return max(0, math.ceil(-math.log(max(best / largest, share)) / beta))
