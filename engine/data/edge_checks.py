"""What makes a list of edges a graph, and into how many pieces it falls."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Ints
from engine.errors import DataError


def pieces(ends: ArrayLike, n: int) -> int:
    """Return into how many connected pieces the graph falls."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    matrix = coo_array((np.ones(first.size), (first, second)), shape=(n, n))
    count, _ = connected_components(matrix, directed=False)
    return int(count)


def duplicate(ends: ArrayLike) -> tuple[int, int] | None:
    """Return two edges (from 0) that join the same two vertices, the first such; else None."""
    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    low, high = np.minimum(first, second), np.maximum(first, second)
    # each pair as one number: without a duplicate, the most likely case, no more is to be found out
    codes = np.sort(low * (high.max(initial=0) + 1) + high)
    if not (codes[1:] == codes[:-1]).any():
        return None
    pairs = np.column_stack([low, high])
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    same = np.flatnonzero((pairs[order[1:]] == pairs[order[:-1]]).all(axis=1))
    # lexsort is stable: of equal pairs the earlier edge stands first
    position = same[np.argmin(order[same + 1])]
    return int(order[position]), int(order[position + 1])


DISCONNECTED = (
    "the graph falls into pieces that no edge joins, and a spanning tree needs a connected graph; "
    "add the missing edges, or count triangles instead"
)
"""Why a spanning tree is not possible."""


def checked_ends(ends: ArrayLike, n: int | None) -> tuple[Ints, int]:
    try:
        array = np.asarray(ends)
        with np.errstate(invalid="ignore"):
            checked = array.astype(np.int64) if array.size else np.empty((0, 2), dtype=np.int64)
        whole = np.array_equal(checked.ravel(), array.ravel())
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise DataError("the ends of the edges are not whole numbers; number the vertices from 0")
    if checked.ndim != 2 or checked.shape[1] != 2:
        raise DataError(f"an array of shape {array.shape} is no list of edges; it must be (m, 2)")
    stated = "n - 1" if n is None else str(n - 1)
    if n is None:
        n = int(checked.max(initial=-1)) + 1
    if checked.size and (checked.min() < 0 or checked.max() >= n):
        raise DataError(f"an edge names a vertex that does not exist; they are numbered from 0 to {stated}")
    loops = checked[:, 0] == checked[:, 1]
    if loops.any():
        raise DataError(f"edge {int(np.argmax(loops)) + 1} joins a vertex to itself; leave such edges out")
    return checked, n
