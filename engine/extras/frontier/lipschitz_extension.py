"""The number of triangles with node privacy: noise on a Lipschitz extension."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Ints
from engine.data.graph import SimpleGraph
from engine.domain import Interval
from engine.extras.frontier.packing import FractionalPacking
from engine.free_memory import MemoryNeeded
from engine.mechanisms.facts import Resources
from engine.mechanisms.global_noise import GlobalRelease
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.parameters import parameter
from engine.privacy import NODE, Privacy
from engine.progress import Progress, part, silent
from engine.queries.triangles import TriangleCount
from engine.sampling.exactness import ROUNDED

MAX_VERTICES = 300
"""Vertices of a graph; each is a row of matrices that are solved exactly."""


@dataclasses.dataclass(frozen=True)
class LipschitzExtension(GlobalRelease, is_meant_for=lambda query, n: isinstance(query, TriangleCount)):
    """Release the largest weight of triangles with at most c = D(D - 1)/2 at each vertex, + Lap(c/epsilon).

    Epsilon-private between graphs that differ in the edges of one vertex, any number of them: that weight
    changes by at most c (proof at `pack_triangles`).  It is equal to the number of triangles if no vertex
    has more than D neighbours, and may be less otherwise.  D is public; it affects only noise and error, not
    the guarantee.

    The weight is the optimum of a linear program, computed without rounding (`packing`), since an
    approximation could change by more than c.  The number of triangles itself changes by up to
    (n - 1)(n - 2)/2 between the same graphs.

    Source: Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, section 4.  There a vertex is removed, and n
    is not public.  Here n is public and the edges of a vertex change, at the same cost.

    Examples
    --------
    Twelve triangles share an edge, so two vertices are in all of them; six may count:

    >>> from engine import Interval, SimpleGraph, TriangleCount
    >>> edges = [(0, 1), *((hub, other) for hub in (0, 1) for other in range(2, 14))]
    >>> mechanism = LipschitzExtension(query=TriangleCount(), max_degree=4)
    >>> mechanism.center(SimpleGraph(edges, n=14)), mechanism.largest_change(Interval(0, 1), 14)
    (Fraction(6, 1), Fraction(6, 1))
    """

    name: ClassVar[str] = "lipschitz-extension"
    label: ClassVar[str] = "Node privacy"
    summary: ClassVar[str] = (
        "hides all edges of a vertex, by a Lipschitz extension with few triangles at each vertex"
    )
    source: ClassVar[str] = "Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, section 4"
    exact_because: ClassVar[str] = ROUNDED

    max_degree: int = parameter(
        default=5,
        lower=2,
        upper=MAX_VERTICES,
        label="Degree bound",
        help="D: each vertex counts for at most D(D - 1)/2 triangles, as many as D neighbors can close. A "
        "small D needs little noise and loses triangles. D is public: choose it without looking at edges.",
    )

    _is_biased: ClassVar[bool] = True
    worst_cases: ClassVar[str] = "engine.extras.frontier.pairs:pairs_of_vertices"

    @property
    def relation(self) -> str:
        return NODE

    def resources(self, domain: Interval, n: int) -> Resources:
        return Resources(MemoryNeeded(needed_memory(n), "use a graph with fewer vertices"))

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not self.facts.is_meant_for(self.query, n):
            message = f"a Lipschitz extension is known for triangles, not for {self.query.label.lower()}"
            return (Problem("method", f"{message}; count triangles, or use another method"),)
        if n > MAX_VERTICES:
            message = (
                f"{grouped(n)} vertices are too many for this method, which solves exactly; "
                f"use at most {MAX_VERTICES}"
            )
            return (Problem("vertices", message),)
        return ()

    def largest_change(self, domain: Interval, n: int) -> Fraction:
        """Return D(D - 1)/2, or less if n vertices have fewer triangles."""
        return Fraction(self._capacity(n))

    def center(self, data: SimpleGraph, progress: Progress = silent) -> Fraction:
        """Return the largest weight of triangles, exactly (private)."""
        capacity = self._capacity(data.n)
        with data.kept.use(
            f"packed {capacity}", lambda: pack_triangles(data, capacity, progress=progress), progress
        ) as packed:
            return Fraction(packed)

    def _capacity(self, n: int) -> int:
        return math.comb(min(int(self.max_degree), n - 1), 2)


BYTES = 150
"""Upper limit of memory for each triangle, in the list and in the linear program."""


def list_triangles(graph: SimpleGraph, *, progress: Progress = silent) -> Ints:
    """Return the three vertices of each triangle (private), shape (t, 3), in increasing order."""
    joined = graph.adjacency.toarray().astype(bool)
    parts = [np.zeros((0, 3), dtype=np.int64)]
    for first in range(graph.n):
        if not first % 16:
            progress(first / graph.n, "listing triangles")
        later = first + 1 + np.flatnonzero(joined[first, first + 1 :])
        pairs = np.argwhere(np.triu(joined[np.ix_(later, later)], 1))
        parts.append(np.column_stack([np.full(len(pairs), first), later[pairs]]))
    return np.concatenate(parts)


def pack_triangles(graph: SimpleGraph, capacity: int, *, progress: Progress = silent) -> Fraction:
    """Return f_c without rounding (private).

    f_c(G) is the largest sum of weights of triangles, each from 0 to 1, where the weights at each vertex sum
    to at most c.  A vertex in at most c triangles is no constraint, and triangles at the same other vertices
    share one variable.

    Statement.  f_c is at most the number of triangles, and equal to it if no vertex is in more than c.  If G
    and G' differ in the edges of one vertex v, |f_c(G) - f_c(G')| <= c.

    Proof.  If no vertex is in more than c triangles, all weights may be 1.  Let H be G without the edges of
    v, which is G' without them.  Weights for H also fit G, with 0 for the triangles at v, so
    f_c(H) <= f_c(G).  The best weights for G, without those at v, fit H; those at v sum to at most c, so
    f_c(G) <= f_c(H) + c.  So f_c(G) and f_c(G') lie in the same interval of length c.
    """
    triangles = list_triangles(graph, progress=part(progress, 0.0, 0.2))
    at_vertex = np.bincount(triangles.ravel(), minlength=graph.n)
    full = np.flatnonzero(at_vertex > capacity)
    order_of = np.full(graph.n, full.size)
    order_of[full] = np.arange(full.size)
    met = np.sort(order_of[triangles], axis=1)
    size = full.size + 1
    codes, most = np.unique((met[:, 0] * size + met[:, 1]) * size + met[:, 2], return_counts=True)
    rows = np.column_stack([codes // size**2, codes // size % size, codes % size])
    free = (rows == full.size).all(axis=1)
    packing = FractionalPacking(rows[~free], most[~free], full.size, capacity)
    return int(most[free].sum()) + packing.largest(part(progress, 0.2, 1.0))


def needed_memory(n: int) -> int:
    """Return the memory for all triangles of n vertices in bytes (public)."""
    return BYTES * math.comb(n, 3)
