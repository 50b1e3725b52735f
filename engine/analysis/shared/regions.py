"""Ellipses that hold given shares of noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats

SHARES = (0.5, 0.95)
"""What the inner and the outer region around a center hold."""


def regions(noise: ArrayLike) -> Floats:
    """Return half-axes, shape (2, k, a), of ellipses that hold `SHARES` of noise, shape (size, k, a).

    Each center has its own; the axes of an ellipse are in proportion to the typical noise.
    """
    drawn = np.abs(np.asarray(noise, dtype=np.float64))
    typical = np.maximum(np.median(drawn, axis=0), np.finfo(np.float64).tiny)
    lengths = np.linalg.norm(drawn / typical, axis=2)
    held: Floats = np.quantile(lengths, SHARES, axis=0)[:, :, None] * typical
    return held
