"""How far from x a search for the smooth sensitivity must look."""

from __future__ import annotations

import math
import sys

from engine.errors import ParameterError

FIRST_REACH = 64
"""Distance up to which S* is searched before anything is known about its size."""


def check_beta(beta: float) -> None:
    """Raise `ParameterError` unless `beta` is a finite number above 0."""
    if not (math.isfinite(beta) and beta > 0):
        raise ParameterError("beta", f"{beta:g} is not possible; it must be a finite number above 0")


def decisive_reach(largest: float, best: float, beta: float) -> int:
    """Return the K with ``largest * exp(-beta k) <= best`` for all k >= K.

    Computed in logarithms: the power underflows long before the answer does.  While
    `best` is 0, the smallest positive number stands for it, since nothing below it
    can be told from 0.
    """
    floor = max(best, sys.float_info.min)
    return max(0, math.ceil((math.log(largest) - math.log(floor)) / beta))
