"""Triangles, private for whole vertices: noise on the Lipschitz extension of their number."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any, ClassVar

from engine.data.graph import SimpleGraph
from engine.domain import Interval
from engine.free_memory import MemoryNeeded
from engine.mechanisms.global_noise import GlobalRelease
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.parameters import parameter
from engine.privacy import NODE, Privacy
from engine.progress import Progress, silent
from engine.queries.base import Query
from engine.queries.packed_triangles import needed_memory, packed_triangles
from engine.queries.triangles import TriangleCount
from engine.sampling.exactness import ROUNDED

MOST = 300
"""Vertices: each is a row of matrices that are solved exactly."""


@dataclasses.dataclass(frozen=True)
class LipschitzExtension(GlobalRelease):
    """Release the largest weight of triangles with at most c = D(D - 1)/2 at each vertex, + Lap(c/epsilon).

    Epsilon-private between graphs in which one vertex has other edges, any number of them: that weight
    changes by at most c (`engine.queries.packed_triangles` has the proof).  It is the number of triangles
    where no vertex has more than D neighbours, and may be less elsewhere.  D is public; it decides on noise
    and error, never on the promise.

    The weight is the optimum of a linear program, found without any rounding (`engine.primitives.packing`):
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
        upper=MOST,
        label="Degree bound",
        help="D: each vertex counts for at most D(D - 1)/2 triangles, as many as D neighbours can close. A "
        "small D needs little noise and loses triangles. It is public: choose it without looking at edges.",
    )

    is_biased: ClassVar[bool] = True

    @classmethod
    def is_meant_for(cls, asked: Query[Any], n: int) -> bool:
        return isinstance(asked, TriangleCount)

    @property
    def worst_cases(self) -> str:
        return "engine.audit.pairs_of_graphs:pairs_of_vertices"

    @property
    def relation(self) -> str:
        return NODE

    def memory(self, domain: Interval, n: int) -> MemoryNeeded:
        return MemoryNeeded(needed_memory(n), "use a graph of fewer vertices")

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not self.is_meant_for(self.query, n):
            words = f"a Lipschitz extension is known for triangles, not for {self.query.label.lower()}"
            return (Problem("method", f"{words}; ask for triangles, or use another method"),)
        if n > MOST:
            words = (
                f"{grouped(n)} are too many for this method, which solves exactly for each; at most {MOST}"
            )
            return (Problem("vertices", words),)
        return ()

    def largest_change(self, domain: Interval, n: int) -> Fraction:
        """Return D(D - 1)/2, or what n vertices allow if that is less."""
        return Fraction(self._capacity(n))

    def center(self, data: SimpleGraph, progress: Progress = silent) -> Fraction:
        """Return the largest weight of triangles, exactly (private)."""
        capacity = self._capacity(data.n)
        with data.kept.use(
            f"packed {capacity}", lambda: packed_triangles(data, capacity, progress), progress
        ) as found:
            return Fraction(found)

    def _capacity(self, n: int) -> int:
        return math.comb(min(int(self.max_degree), n - 1), 2)
