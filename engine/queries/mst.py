"""The cost of a minimum spanning tree of a graph with private weights and public edges.

Neighbours differ in the weight of one edge, which is in [0, Λ].  For a cut S let w_q(S) be
its q-th smallest weight, Λ if it has fewer edges.  Then

    A^(k)(x) = max over cuts S of max(w_{k+1}(S), w_{k+2}(S) - w_1(S)).

First term: raise the k lightest weights of S to Λ.  The tree now crosses S by an edge of weight
w_{k+1}; if it becomes 0, the cost falls by w_{k+1}.  Second term: raise all but the first of the k + 1
lightest to Λ.  If the first becomes Λ, the cost grows by w_{k+2} - w_1.

Source: Nissim, Raskhodnikova, Smith 2007, Section 3.2, Equation (1).  Its binary search over
thresholds has "below" instead of "at most" and can return a neighbouring weight;
`engine.queries.cut_search` computes both terms without it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.data.graph import WeightedGraph
from engine.domain import LARGEST, Interval
from engine.numerals import grouped, short
from engine.privacy import EDGE_WEIGHT
from engine.progress import Progress, part, silent
from engine.queries.base import (
    FIRST_REACH,
    SMALLEST,
    Query,
    SmoothSensitivity,
    check_beta,
    decisive_reach,
    largest_discounted,
)
from engine.queries.cut_search import CutSearch
from engine.sampling.exactness import FRACTIONS
from engine.sampling.sums import exact_sum
from engine.shown import ShownInALine

_WORTH = 1.0 - 2.0**-40
"""The search for S* ignores terms that exceed the maximum by rounding only."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Cut(ShownInALine):
    """The cut that decides A^(k) of `MstCost` (private)."""

    side: Bools  # shape (n,); The vertices on one side
    edges: Ints  # The edges that cross it, from the lightest on
    sensitivity: float  # A^(k)
    rising: bool  # Whether w_{k+2} - w_1 decides, and the cost may rise; else w_{k+1} does, and it may fall


class MstCost(Query[WeightedGraph]):
    """The sum of the weights of a minimum spanning tree.

    Examples
    --------
    A triangle in which every weight is Λ: one weight can take a third of the cost away.

    >>> graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], [4.0, 4.0, 4.0], Interval(0, 4))
    >>> MstCost().value(graph), MstCost().local_sensitivity(graph)
    (8.0, 4.0)
    """

    name: ClassVar[str] = "mst"
    label: ClassVar[str] = "Spanning tree cost"
    summary: ClassVar[str] = "the cost of a minimum spanning tree; each weight is private"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 3.2"
    exact_because: ClassVar[str] = FRACTIONS
    reads: ClassVar[str] = "weighted-graph"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_graphs:pairs_of_weights"
    realises: ClassVar[str] = "engine.audit.pairs_of_data:raised_cut"
    neighbours: ClassVar[str] = EDGE_WEIGHT
    many: ClassVar[int] = 1_000

    def explore(self, data: WeightedGraph, progress: Progress = silent) -> None:
        self.tree(data, progress)

    def follow(self, data: WeightedGraph, before: WeightedGraph, progress: Progress = silent) -> None:
        with _cuts(before, progress=progress) as known, _cuts(data, progress=progress) as search:
            search.follow(known)

    def exact_value(self, data: WeightedGraph) -> Fraction:
        return exact_sum(data.weights[self.tree(data)])

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        return Fraction(domain.upper)

    def value_range(self, domain: Interval, n: int) -> Interval:
        return Interval(0.0, (n - 1) * domain.upper)

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        """Refuse a graph without edges, and weights that do not start at 0."""
        if n < 2:
            return "query", "one vertex has no spanning tree to speak of; at least 2 are needed"
        if domain.lower != 0:
            return "lower", f"{short(domain.lower)} is not possible for weights; their lower bound must be 0"
        if domain.upper > LARGEST / (n - 1):
            return "upper", f"{short(domain.upper)} is too large for {grouped(n)} vertices; use a larger unit"
        return None

    def tree(self, data: WeightedGraph, progress: Progress = silent) -> Ints:
        """Return the n - 1 edges of a minimum spanning tree (private)."""
        with _cuts(data, progress=progress) as search:
            return search.tree

    def saturation(self, data: WeightedGraph) -> int:
        """Return the smallest degree: all edges of a vertex can be light, or heavy."""
        with _cuts(data, progress=silent) as search:
            return search.reach

    def sensitivity_at_distance(self, data: WeightedGraph, k_max: int, progress: Progress = silent) -> Floats:
        return self._at_distance(data, np.zeros(k_max + 1), progress)

    def smooth_sensitivity(
        self, data: WeightedGraph, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        return self.smooth_sensitivities(data, [beta], progress)[0]

    def smooth_sensitivities(
        self, data: WeightedGraph, betas: Sequence[float], progress: Progress = silent
    ) -> tuple[SmoothSensitivity, ...]:
        """Return the exact S* for each of `betas`, from one search.

        From k on with ``Λ exp(-beta k)`` at most the best found, nothing can decide, and
        before that only an A^(k) above ``best exp(beta k)``.
        """
        for beta in betas:
            check_beta(beta)
        with _cuts(data, progress=progress) as search:
            largest = data.domain.upper
            near = search.known(FIRST_REACH, part(progress, 0.0, 0.2))
            bests = [largest_discounted(near, beta).value for beta in betas]
            reach = max(decisive_reach(largest, best, beta) for best, beta in zip(bests, betas, strict=True))
            k = np.arange(min(reach, search.reach) + 1)
            # in logarithms: the powers overflow, and the best may have underflowed to 0
            exponents = [
                math.log(max(best / largest, SMALLEST)) + beta * k
                for best, beta in zip(bests, betas, strict=True)
            ]
            floor = _WORTH * largest * np.exp(np.minimum.reduce(exponents).clip(max=0.0))
            result = search.prove(floor, part(progress, 0.2, 1.0)).copy()
        return tuple(largest_discounted(result, beta) for beta in betas)

    def distance_beyond(
        self, data: WeightedGraph, bound: float, farthest: int, progress: Progress = silent
    ) -> int:
        """Return min{k: A^(k) > bound}, or `farthest`; looks only for cuts that exceed the bound."""
        exceeding = np.flatnonzero(self._at_distance(data, np.full(farthest + 1, bound), progress) > bound)
        return min(int(exceeding[0]), farthest) if exceeding.size else farthest

    def deciding_cuts(self, data: WeightedGraph, k_max: int, progress: Progress = silent) -> tuple[Cut, ...]:
        """Return the cut that decides A^(k) for each k = 0, ..., k_max."""
        with _cuts(data, progress=progress) as search:
            search.prove(np.zeros(k_max + 1), progress)
            sides = [search.side(k) for k in range(k_max + 1)]
        return tuple(_cut(data, side, k) for k, side in enumerate(sides))

    def deciding(self, data: WeightedGraph, k: int, progress: Progress = silent) -> tuple[str, list[int]]:
        """Return what decides A^(k): the edges across a cut, by number."""
        return "edges across the cut", self.deciding_cuts(data, k, progress)[k].edges.tolist()

    def _at_distance(self, data: WeightedGraph, floor: Floats, progress: Progress) -> Floats:
        """Return each A^(k) that is above `floor`; what is not is at most the floor there."""
        with _cuts(data, progress=progress) as search:
            result = search.prove(floor, progress)
            # a cut around the vertex of smallest degree has no more edges
            return np.pad(result, (0, floor.size - result.size), constant_values=data.domain.upper)


def _cuts(data: WeightedGraph, *, progress: Progress) -> AbstractContextManager[CutSearch]:
    """Lend what is known about the cuts of `data`."""
    return data.kept.use("cuts", lambda: CutSearch(data, progress), progress)


def _cut(data: WeightedGraph, side: Bools, k: int) -> Cut:
    crossing = np.flatnonzero(side[data.ends[:, 0]] != side[data.ends[:, 1]])
    edges = crossing[np.argsort(data.weights[crossing], kind="stable")]
    lightest = np.append(data.weights[edges], np.full(k + 2, data.domain.upper))
    falls, rises = float(lightest[k]), float(lightest[k + 1] - lightest[0])
    return Cut(side, edges, max(falls, rises), rises > falls)
