"""The subject of a picture of a graph, and the words for it; nothing here needs matplotlib."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.model.wording.numbers import number, quantity
from engine.array_types import Bools, Floats, Ints
from engine.domain import Interval

MAX_VERTICES = 2_000  # vertices that are drawn; more are drawn as groups
MAX_EDGES = 3_000  # edges that are drawn; more could not be told apart


@dataclasses.dataclass(frozen=True, eq=False)
class DecidingCut:
    """The cut that decides A^(k) of the cost of a spanning tree (private)."""

    k: int
    side: Bools  # shape (v,), which of the drawn vertices are on one of its sides, the smaller one
    crossing: Bools  # shape (e,), which of the drawn edges join its two sides
    lightest: tuple[int, ...]  # the edges that matter, as indices of drawn edges, from the lightest on
    # w_1, ..., w_{k+2}: weights across the cut, the upper bound where there is no edge
    weights: tuple[float, ...]
    count: int  # how many edges of the whole graph cross
    sensitivity: float  # A^(k)
    rising: bool  # whether the cost rises by that much, w_{k+2} - w_1, rather than falls by w_{k+1}

    @property
    def bridge(self) -> bool:
        return self.count == 1

    def describe(self, domain: Interval, unit: str) -> str:
        top = number(domain.upper)
        if self.bridge:
            how = self._bridge_words(top)
        elif self.rising:
            how = self._rising_words(top)
        else:
            how = self._falling_words(top)
        return f"k = {number(self.k)}: {how} the cost moves by {quantity(self.sensitivity, unit)}."

    def _bridge_words(self, top: str) -> str:
        start = "only the marked edge joins squares and circles. When its weight"
        if self.k:
            return f"{start} is first 0 and then {top},"
        return f"{start} of {number(self.weights[0])} becomes {top if self.rising else 0},"

    def _rising_words(self, top: str) -> str:
        lightest, after = number(self.weights[0]), number(self.weights[-1])
        if not self.k:
            return (
                f"the lightest edge between the two sides weighs {lightest}, the next {after}. "
                "When the lightest rises, the tree takes the next instead:"
            )
        left = f"the next, {after}" if self.count >= self.k + 2 else f"an edge of {top}"
        return (
            f"first {_those(self.k, 'edge')} after the lightest ({lightest}) between the two sides "
            f"{_rise(self.k)} to {top}. When the lightest rises, too, the tree has to take {left}:"
        )

    def _falling_words(self, top: str) -> str:
        weight = number(self.weights[self.k])
        falls = "When one of them falls to 0, the tree takes that instead:"
        if not self.k:
            return f"the lightest edge between the two sides weighs {weight}. {falls}"
        left = f"the next, {weight}" if self.count > self.k else f"an edge of {top}"
        return (
            f"first {_those(self.k, 'lightest edge')} between the two sides {_rise(self.k)} to {top}; "
            f"the tree has to take {left}. {falls}"
        )


@dataclasses.dataclass(frozen=True, eq=False)
class DecidingPair:
    """The two vertices that decide A^(k) of the number of triangles (private)."""

    k: int
    pair: tuple[int, ...]  # the two, as indices of drawn vertices; empty if they are not drawn
    names: tuple[str, str]  # what they are called
    common: Ints  # those drawn vertices that are joined to both
    count: int  # how many vertices of the whole graph are joined to both
    spokes: Bools  # shape (e,), the drawn edges between the pair and their common neighbours
    sensitivity: float  # A^(k)

    def describe(self) -> str:
        first, second = self.names
        shared = f"{number(self.count) if self.count else 'no'} common neighbor{'s' * (self.count != 1)}"
        more = self.sensitivity - self.count
        changes = f"{number(self.k)} change{'s' * (self.k != 1)}"
        then = f", and {number(more)} more after {changes}" if more > 0 else ""
        return (
            f"k = {number(self.k)}: {first} and {second} have {shared}{then}. "
            f"So many triangles hang on the edge between them: {number(self.sensitivity)}."
        )


@dataclasses.dataclass(frozen=True, eq=False)
class GraphView:
    """A graph as it is drawn: v vertices (or groups of them) and e edges."""

    positions: Floats  # shape (v, 2)
    names: tuple[str, ...]  # length v
    sizes: Ints  # shape (v,), how many vertices each stands for
    ends: Ints  # shape (e, 2), the two drawn vertices of each drawn edge
    edges: Ints  # shape (e,), which edges of the graph they are
    # shape (e,), clamped weights (private); None where edges have none, or they must not be seen
    weights: Floats | None
    ramp: tuple[float, float]  # the weights between which the strength of lines changes
    # tree, bridges, absent: shape (e,), which edges are in the spanning tree, are bridges, or were taken away
    # by hand
    tree: Bools
    bridges: Bools
    absent: Bools
    domain: Interval  # the public range of a record
    # n, m: vertices and edges of the whole graph
    n: int
    m: int
    decision: DecidingCut | DecidingPair | None = None  # what decides A^(k) (private)
    chosen: int | None = None  # the edge of the graph that is chosen
    farthest: int = 0  # the largest k that can be chosen
    private: bool = True  # whether anything of it comes from private records

    @property
    def grouped(self) -> bool:
        """Whether vertices are drawn that stand for several."""
        return bool((self.sizes > 1).any())

    @property
    def chosen_index(self) -> int | None:
        """The chosen edge as an index of drawn edges; None if there is none or it is not drawn."""
        if self.chosen is None:
            return None
        result = np.flatnonzero(self.edges == self.chosen)
        return int(result[0]) if result.size else None

    @property
    def emphasised(self) -> Bools:
        """Which drawn edges are across the cut, or between the pair and its common neighbours."""
        if isinstance(self.decision, DecidingCut):
            return self.decision.crossing
        return np.zeros(len(self.edges), dtype=bool) if self.decision is None else self.decision.spokes

    def edge_name(self, edge: int) -> str:
        first, second = self.ends[edge]
        return f"{self.names[first]} – {self.names[second]}"

    def sentence(self, unit: str = "") -> str:
        if isinstance(self.decision, DecidingCut):
            return self.decision.describe(self.domain, unit)
        return "" if self.decision is None else self.decision.describe()

    def left_out(self) -> str:
        """Say how much of the graph is not drawn; "" if everything is."""
        texts = []
        if self.grouped:
            texts.append(f"{number(len(self.names))} groups stand for {number(self.n)} vertices")
        elif len(self.names) < self.n:
            texts.append(f"{number(len(self.names))} of {number(self.n)} vertices drawn")
        if len(self.edges) < self.m:
            texts.append(f"{number(len(self.edges))} of {number(self.m)} edges drawn")
        return " · ".join(texts)


def _those(count: int, what: str) -> str:
    return f"the {what}" if count == 1 else f"the {number(count)} {what}s"


def _rise(count: int) -> str:
    return "rises" if count == 1 else "rise"


def kinds_of_vertices(r: GraphView) -> tuple[Bools, Bools]:
    """Return which vertices are on the smaller side or of the pair, and which are common neighbours."""
    side, common = np.zeros((2, len(r.names)), dtype=bool)
    if isinstance(r.decision, DecidingCut):
        side = r.decision.side
    elif isinstance(r.decision, DecidingPair):
        side[list(r.decision.pair)] = True
        common[r.decision.common] = True
    return side, common


def vertex_words(view: GraphView, vertex: int) -> str:
    if view.sizes[vertex] > 1:
        return f"{number(int(view.sizes[vertex]))} vertices, {view.names[vertex]} among them"
    degree = int((view.ends == vertex).sum())
    return f"{view.names[vertex]}: {number(degree)} edge{'s' * (degree != 1)}"


def edge_words(view: GraphView, edge: int, unit: str) -> str:
    """Say between which vertices a drawn edge is, what it weighs, and what part it has."""
    name = view.edge_name(edge)
    texts = [name if view.weights is None else f"{name}: {quantity(view.weights[edge], unit, 6)}"]
    if view.absent[edge]:
        texts.append("taken away")
    if view.tree[edge]:
        texts.append("in the spanning tree")
    if isinstance(view.decision, DecidingCut) and view.decision.crossing[edge]:
        texts.append("across the cut")
    if view.bridges[edge]:
        texts.append("a bridge")
    return " · ".join(texts)
