"""The Lipschitz extension of the number of triangles: as many as fit, with at most c at each vertex.

Each triangle is given a weight from 0 to 1, so that those of the triangles at a vertex sum to at most c.
The largest sum f_c(G) of all weights is the optimum of a linear program; it is returned without rounding.

Statement.  f_c is at most the number of triangles, and equal to it where no vertex is in more than c.  Where
G and G' differ in the edges of one vertex v, |f_c(G) - f_c(G')| <= c.

Proof.  Weights of 1 are possible where no vertex is in more than c.  Let H be G without the edges of v, which
is G' without them.  Weights that fit H fit G, with 0 for the triangles at v: f_c(H) <= f_c(G).  The best
weights of G, without those at v, fit H, and those at v sum to at most c: f_c(G) <= f_c(H) + c.  So f_c(G) and
f_c(G') lie in the same interval of length c.

Source: Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, "Analyzing graphs with node differential privacy",
section 4, where a vertex is removed, and c is D(D - 1)/2.

A vertex in at most c triangles is no constraint, and triangles that meet the same of the others share one
variable.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from engine.array_types import Ints
from engine.data.graph import SimpleGraph
from engine.extras.frontier.packing import FractionalPacking
from engine.progress import Progress, part, silent

BYTES = 150
"""Memory for each triangle, at most, in their list and in the search for weights."""


def listed_triangles(graph: SimpleGraph, progress: Progress = silent) -> Ints:
    """Return the three vertices of each triangle (private), shape (t, 3), the smallest first."""
    joined = graph.adjacency.toarray().astype(bool)
    found = [np.zeros((0, 3), dtype=np.int64)]
    for first in range(graph.n):
        if not first % 16:
            progress(first / graph.n, "listing triangles")
        later = first + 1 + np.flatnonzero(joined[first, first + 1 :])
        pairs = np.argwhere(np.triu(joined[np.ix_(later, later)], 1))
        found.append(np.column_stack([np.full(len(pairs), first), later[pairs]]))
    return np.concatenate(found)


def packed_triangles(graph: SimpleGraph, capacity: int, progress: Progress = silent) -> Fraction:
    """Return f_c, without any rounding (private)."""
    triangles = listed_triangles(graph, part(progress, 0.0, 0.2))
    at_vertex = np.bincount(triangles.ravel(), minlength=graph.n)
    full = np.flatnonzero(at_vertex > capacity)
    place = np.full(graph.n, full.size)
    place[full] = np.arange(full.size)
    met = np.sort(place[triangles], axis=1)
    size = full.size + 1
    codes, most = np.unique((met[:, 0] * size + met[:, 1]) * size + met[:, 2], return_counts=True)
    rows = np.column_stack([codes // size**2, codes // size % size, codes % size])
    free = (rows == full.size).all(axis=1)
    packing = FractionalPacking(rows[~free], most[~free], full.size, capacity)
    return int(most[free].sum()) + packing.largest(part(progress, 0.2, 1.0))


def needed_memory(n: int) -> int:
    """Return how much memory all triangles of n vertices take (public)."""
    return BYTES * math.comb(n, 3)
