"""The bound against the number of blocks: few blocks have no majority, small ones differ."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from app.plots.base import Floats


@dataclasses.dataclass(frozen=True, eq=False)
class BlocksSweep:
    """A sweep over the number of blocks m (private); NaN where m is not possible.

    Attributes
    ----------
    n : int
        Number of records.
    blocks : ndarray of int, shape (c,)
        m, increasing.
    smooth : ndarray, shape (c,)
        S(z).
    published : ndarray, shape (c,), or None
        The bound as it was published, which is not private.
    block_error : ndarray, shape (c,)
        How far the aggregate without noise is from the function of all records.
    noise_error : ndarray, shape (c,)
        How long the noise typically is (median), in the metric of outputs.
    diameter : float
        Λ.
    chosen : int
        The m that is chosen now.
    """

    n: int
    blocks: NDArray[np.int64]
    smooth: Floats
    published: Floats | None
    block_error: Floats
    noise_error: Floats
    diameter: float
    chosen: int

    @property
    def error(self) -> Floats:
        """Typical error of a release: that of the blocks and the noise, at most Λ."""
        return np.minimum(self.block_error + self.noise_error, self.diameter)
