"""The median of a block, column by column."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from engine.aggregation.functions.vector import VectorFunction
from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.sampling.exactness import APART


class MedianFunction(VectorFunction):
    """The median of each column; for an even number of points, the mean of the middle two.

    Examples
    --------
    The median of a block of three points, column by column:

    >>> import numpy as np
    >>> MedianFunction().apply(np.array([[[0.0, 9.0], [1.0, 5.0], [8.0, 0.0]]]), np.array([0]))
    array([[1., 5.]])
    """

    name: ClassVar[str] = "median"
    label: ClassVar[str] = "Median"
    summary: ClassVar[str] = "the median of each column"
    exact_because: ClassVar[str] = APART
    noun: ClassVar[str] = "median"
    among_data: ClassVar[bool] = True

    def range(self, box: Box) -> Box:
        return box

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the medians, shape (B, d)."""
        return np.asarray(np.median(blocks, axis=1))
