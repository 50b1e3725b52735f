"""Scores on a public grid, of which doubles hold sums and differences without an error.

A proof asks by how much one person changes a score.  Where a score is worked out in doubles, its
rounding may add to that; on this grid nothing is rounded.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

FINE = 2.0**-20
"""Step of the grid."""

LARGEST = 2.0**32
"""No score is farther from 0: no more records are counted."""


def on_grid(values: ArrayLike) -> NDArray[np.float64]:
    """Return numbers moved down to multiples of `FINE`, and to the nearest of +-`LARGEST`.

    Numbers at most s apart stay so where s is a multiple of the step, since then
    ``floor(x + s) = floor(x) + s``: the sensitivity is the same.
    """
    within = np.minimum(np.maximum(np.asarray(values, dtype=np.float64), -LARGEST), LARGEST)
    moved: NDArray[np.float64] = np.floor(within / FINE) * FINE
    return moved


def up_to_grid(slack: float) -> float:
    """Return the least multiple of `FINE` that is not smaller."""
    return math.ceil(slack / FINE) * FINE
