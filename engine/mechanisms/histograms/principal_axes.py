"""Principal axes of a matrix of second moments: what follows from a release is free."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats


def principal_axes(matrix: Floats, count: int) -> Floats:
    """Return the first principal axes of second moments, each as long as the standard deviation along it.

    The largest part of each is not negative.

    Examples
    --------
    >>> principal_axes(np.array([[9.0, 0.0], [0.0, 4.0]]), 1).tolist()
    [[3.0, 0.0]]
    """
    values, vectors = np.linalg.eigh(matrix)
    axes = (vectors * np.sqrt(np.maximum(values, 0))).T[::-1][:count]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, np.newaxis], axis=1)
    found: Floats = axes * np.where(largest < 0, -1.0, 1.0) + 0.0  # no -0.0
    return found
