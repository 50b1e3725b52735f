"""The mean of a block."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from engine.aggregation.functions.vector import VectorFunction
from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.sampling.exactness import APART


class MeanFunction(VectorFunction):
    """The mean of each column.

    Examples
    --------
    The means of two blocks of two points each:

    >>> import numpy as np
    >>> blocks = np.array([[[0.0, 0.0], [2.0, 4.0]], [[1.0, 1.0], [3.0, 1.0]]])
    >>> MeanFunction().apply(blocks, np.array([0, 1]))
    array([[1., 2.],
           [2., 1.]])
    """

    name: ClassVar[str] = "mean"
    label: ClassVar[str] = "Mean"
    summary: ClassVar[str] = "the mean of each column"
    exact_because: ClassVar[str] = APART
    noun: ClassVar[str] = "mean"
    among_data: ClassVar[bool] = True

    def range(self, box: Box) -> Box:
        return box

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the means, shape (B, d)."""
        return means(blocks)


def means(blocks: Floats) -> Floats:
    """Return the mean of the points of each block: (B, b, d) to (B, d).

    numpy sums a contiguous row in an order that depends only on its length.  Along another axis the order,
    and so the last bit, may depend on the number of blocks.
    """
    return np.asarray(np.ascontiguousarray(np.moveaxis(blocks, 2, 1)).mean(axis=2))
