"""The number of triangles of a graph whose edges are private.

Neighbours differ in one edge, present or absent; the n vertices are public.  Let a_ij
be the number of common neighbours of the vertices i and j, d_i the degree of i and A_ij
whether i and j are joined.

Statement.  With D_ij = d_i + d_j - 2 A_ij,

    A^(s)(G) = max_{i<j} min(a_ij + s,  floor((s + D_ij)/2),  n - 2).

Proof.  Adding or removing the edge ij changes the count by a_ij, so LS = max a_ij.  Each
changed edge gives i and j at most one more common neighbour, and there are n - 2 other
vertices.  Let b_ij = D_ij - 2 a_ij be the number of vertices adjacent to exactly one of i
and j: each of them becomes a common neighbour by one edge, any other vertex by two.  So s
edges make min(s, b_ij) + floor((s - min(s, b_ij))/2) more.  Adding a_ij gives a_ij + s
for s <= b_ij, and floor((s + D_ij)/2) beyond.

Source: Nissim, Raskhodnikova, Smith 2007, full version.  A published formula that counts
the edge ij itself in b_ij is too large.

Only undominated pairs matter: no other pair has both a larger a and a larger D.
`pareto_front` finds them without forming all pairs.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.graph import SimpleGraph
from engine.domain import Interval
from engine.errors import ParameterError
from engine.privacy import EDGE
from engine.progress import Progress, silent
from engine.queries.base import (
    FIRST_REACH,
    Query,
    SmoothSensitivity,
    check_beta,
    decisive_reach,
    largest_discounted,
)
from engine.queries.pair_front import PairFront, pareto_front, triangles
from engine.sampling.exactness import FRACTIONS
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class VertexPair(ShownInALine):
    """The two vertices that decide A^(s) of `TriangleCount` (private)."""

    first: int  # Their numbers
    second: int
    common: Ints  # Their common neighbours as the graph is
    sensitivity: float  # A^(s)


class TriangleCount(Query[SimpleGraph]):
    """The number of triangles.

    Examples
    --------
    A triangle with a fourth vertex hanging on it: removing an edge of the triangle, or
    adding one from the fourth vertex, changes the count by one.

    >>> graph = SimpleGraph([(0, 1), (1, 2), (0, 2), (2, 3)], n=4)
    >>> TriangleCount().value(graph), TriangleCount().sensitivity_at_distance(graph, 1)
    (1.0, array([1., 2.]))
    """

    name: ClassVar[str] = "triangles"
    label: ClassVar[str] = "Triangle count"
    summary: ClassVar[str] = "the number of triangles; each edge is private"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, full version"
    exact_because: ClassVar[str] = FRACTIONS
    reads: ClassVar[str] = "simple-graph"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_graphs:pairs_of_edges"
    realises: ClassVar[str] = "engine.audit.pairs_of_data:joined_pair"
    neighbours: ClassVar[str] = EDGE
    is_whole: ClassVar[bool] = True

    def explore(self, data: SimpleGraph, progress: Progress = silent) -> None:
        _count(data, progress=progress)

    def exact_value(self, data: SimpleGraph) -> Fraction:
        return Fraction(_count(data, progress=silent))

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        """Return n - 2: one edge can close a triangle with every other vertex; 0 without any."""
        return Fraction(max(n - 2, 0))

    def value_range(self, domain: Interval, n: int) -> Interval:
        return Interval(0.0, float(n * (n - 1) * (n - 2) // 6))

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        if n < 3:
            return "vertices", f"a triangle needs at least 3, and there {'is' if n == 1 else 'are'} {n}"
        return None

    def saturation(self, data: SimpleGraph) -> int:
        """Return 2(n - 2): two edges for each vertex beside two."""
        return max(0, 2 * (data.n - 2))

    def sensitivity_at_distance(self, data: SimpleGraph, k_max: int, progress: Progress = silent) -> Floats:
        result, _ = self._decide(data, k_max, progress)
        return result

    def smooth_sensitivity(
        self, data: SimpleGraph, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return the exact S*; beyond s = 2(n - 2) every A^(s) is n - 2."""
        check_beta(beta)
        largest, saturated = self.global_sensitivity(data.domain, data.n), self.saturation(data)
        if largest == 0:
            return SmoothSensitivity(0.0, 0, beta)
        best, reach, needed = SmoothSensitivity(0.0, 0, beta), -1, min(FIRST_REACH, saturated)
        while reach < needed:
            reach = needed
            best = largest_discounted(self.sensitivity_at_distance(data, reach, progress), beta)
            needed = min(saturated, decisive_reach(largest, best.value, beta))
        return best

    def deciding_pair(self, data: SimpleGraph, k: int, progress: Progress = silent) -> VertexPair:
        """Return the two vertices that decide A^(k).

        Raises
        ------
        ParameterError
            If there are not two vertices.
        """
        if data.n < 2:
            raise ParameterError("vertices", f"{data.n} has no pair; at least 2 are needed")
        result, deciding = self._decide(data, k, progress)
        front = _front(data, progress=progress)
        first, second = (int(front.vertices[deciding[k], end]) for end in (0, 1))
        common = np.intersect1d(_neighbours(data, first), _neighbours(data, second))
        return VertexPair(first, second, common, float(result[k]))

    def deciding(self, data: SimpleGraph, k: int, progress: Progress = silent) -> tuple[str, tuple[int, int]]:
        """Return what decides A^(k): a pair of vertices."""
        pair = self.deciding_pair(data, k, progress)
        return "vertices", (pair.first, pair.second)

    def _decide(self, data: SimpleGraph, k_max: int, progress: Progress) -> tuple[Floats, Ints]:
        """Return A^(0), ..., A^(k_max), and which pair of the front decides each."""
        if data.n < 2:
            return np.zeros(k_max + 1), np.zeros(k_max + 1, dtype=np.int64)
        front = _front(data, progress=progress)
        s = np.arange(k_max + 1)
        best, deciding = np.full(s.size, -1, dtype=np.int64), np.zeros(s.size, dtype=np.int64)
        for index, (common, total) in enumerate(zip(front.common, front.degrees, strict=True)):
            reached = np.minimum(common + s, (s + total) // 2)
            better = reached > best
            best[better], deciding[better] = reached[better], index
        return np.minimum(best, data.n - 2).astype(np.float64), deciding


def _neighbours(data: SimpleGraph, vertex: int) -> Ints:
    first, second = data.ends.T
    return np.concatenate([second[first == vertex], first[second == vertex]])


def _count(data: SimpleGraph, *, progress: Progress) -> int:
    with data.kept.use("triangles", lambda: triangles(data, progress=progress), progress) as count:
        return int(count)


def _front(data: SimpleGraph, *, progress: Progress) -> PairFront:
    with data.kept.use("front", lambda: pareto_front(data, progress=progress), progress) as front:
        return front
