"""Triangles, private for whole vertices: noise on the Lipschitz extension of their number."""

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
"""Vertices: each is a row of matrices that are solved exactly."""


@dataclasses.dataclass(frozen=True)
class LipschitzExtension(GlobalRelease, is_meant_for=lambda query, n: isinstance(query, TriangleCount)):
    """Release the largest weight of triangles with at most c = D(D - 1)/2 at each vertex, + Lap(c/epsilon).

    Epsilon-private between graphs in which one vertex has other edges, any number of them: that weight
    changes by at most c (`pack_triangles` has the proof).  It is the number of triangles
    where no vertex has more than D neighbours, and may be less elsewhere.  D is public; it decides on noise
    and error, never on the promise.

    The weight is the optimum of a linear program, found without any rounding (`packing`):
    a number that is only near it could change by more than c.  Between the same graphs the number of
    triangles itself changes by up to (n - 1)(n - 2)/2.

    Source: Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, section 4.  There a vertex is removed, and n
    is not public; here n is, and the edges of a vertex become others, which costs no more.

    Examples
    --------
    Twelve triangles share an edge, so that two vertices are in all of them; six may count:

    >>> from engine import Interval, SimpleGraph, TriangleCount
    >>> edges = [(0, 1), *((hub, other) for hub in (0, 1) for other in range(2, 14))]
    >>> mechanism = LipschitzExtension(query=TriangleCount(), max_degree=4)
    >>> mechanism.center(SimpleGraph(edges, n=14)), mechanism.largest_change(Interval(0, 1), 14)
    (Fraction(6, 1), Fraction(6, 1))
    """

    name: ClassVar[str] = "lipschitz-extension"
    label: ClassVar[str] = "Node privacy"
    summary: ClassVar[str] = (
        "hides all edges of a vertex, by a Lipschitz extension with few triangles at each"
    )
    source: ClassVar[str] = "Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, section 4"
    exact_because: ClassVar[str] = ROUNDED

    max_degree: int = parameter(
        default=5,
        lower=2,
        upper=MAX_VERTICES,
        label="Degree bound",
        help="D: each vertex counts for at most D(D - 1)/2 triangles, as many as D neighbours can close. A "
        "small D needs little noise and loses triangles. It is public: choose it without looking at edges.",
    )

    _is_biased: ClassVar[bool] = True
    worst_cases: ClassVar[str] = "engine.extras.frontier.pairs:pairs_of_vertices"

    @property
    def relation(self) -> str:
        return NODE

    def resources(self, domain: Interval, n: int) -> Resources:
        return Resources(MemoryNeeded(needed_memory(n), "use a graph of fewer vertices"))

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not self.facts.is_meant_for(self.query, n):
            message = f"a Lipschitz extension is known for triangles, not for {self.query.label.lower()}"
            return (Problem("method", f"{message}; ask for triangles, or use another method"),)
        if n > MAX_VERTICES:
            message = (
                f"{grouped(n)} are too many for this method, which solves exactly for each; "
                f"at most {MAX_VERTICES}"
            )
            return (Problem("vertices", message),)
        return ()

    def largest_change(self, domain: Interval, n: int) -> Fraction:
        """Return D(D - 1)/2, or what n vertices allow if that is less."""
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
"""Memory for each triangle, at most, in their list and in the search for weights."""


def list_triangles(graph: SimpleGraph, *, progress: Progress = silent) -> Ints:
    """Return the three vertices of each triangle (private), shape (t, 3), the smallest first."""
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
    """Return f_c, without any rounding (private)."""
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
    """Return how much memory all triangles of n vertices take (public)."""
    return BYTES * math.comb(n, 3)
