"""The contents of the graph picture, computed in a worker.

Layout and groups of vertices come from the graph as read, tree and cut from the edited one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any

import numpy as np

from app.model.kinds.simple_graph import SimpleGraphBuilder
from app.model.kinds.weighted_graph import WeightedGraphBuilder
from app.model.selection import Selection
from app.plots.sensitivity.graph_layout import layout
from app.plots.sensitivity.graph_view import MAX_EDGES, MAX_VERTICES, DecidingCut, DecidingPair, GraphView
from engine.analysis.memory import is_remembered, remembered
from engine.array_types import Bools, Floats, Ints
from engine.data.edges import EdgeList
from engine.data.graph import SimpleGraph, WeightedGraph, bridges
from engine.domain import Interval
from engine.progress import Progress, part
from engine.queries.mst import MstCost
from engine.queries.triangles import TriangleCount

FARTHEST = 60
"""The largest k to choose: beyond it, the marks on a cut are too many to see."""

GraphBuilder = WeightedGraphBuilder | SimpleGraphBuilder


@dataclasses.dataclass(frozen=True, eq=False)
class Drawing:
    """The layout, which stays while weights change: drawn vertices, positions and groups."""

    positions: Floats
    names: tuple[str, ...]
    sizes: Ints
    drawn: Ints  # the drawn vertex for each vertex; -1 if left out
    bridges: Bools  # whether each edge is a bridge


def whole_drawing(edges: EdgeList, order: Ints, progress: Progress) -> Drawing:
    """Place the vertices, or groups joined along the first edges until few enough are left."""
    drawn = np.arange(edges.n)
    if edges.n > MAX_VERTICES:
        drawn = join_vertices(edges.ends, edges.n, order)
    # a group has the name of its vertex with the highest degree
    degree = np.bincount(edges.ends.ravel(), minlength=edges.n)
    best = np.lexsort((-np.arange(edges.n), degree))
    head = np.empty(drawn.max() + 1, dtype=np.int64)
    head[drawn[best]] = best
    return _draw(edges, drawn, head, bridges(edges.ends, edges.n), progress)


def drawing_of_hubs(edges: EdgeList, progress: Progress) -> Drawing:
    """Place the vertices of highest degree."""
    degree = np.bincount(edges.ends.ravel(), minlength=edges.n)
    kept = np.sort(np.argsort(-degree, kind="stable")[:MAX_VERTICES])
    drawn = np.full(edges.n, -1)
    drawn[kept] = np.arange(kept.size)
    return _draw(edges, drawn, kept, np.zeros(len(edges.ends), dtype=bool), progress)


def _draw(edges: EdgeList, drawn: Ints, head: Ints, bridges: Bools, progress: Progress) -> Drawing:
    """Place the drawn vertices, each with the name of its `head`."""
    between = drawn[edges.ends]
    between = between[(between >= 0).all(axis=1) & (between[:, 0] != between[:, 1])]
    return Drawing(
        positions=layout(between, head.size, progress),
        names=tuple(edges.labels[vertex] for vertex in head.tolist()),
        sizes=np.bincount(drawn[drawn >= 0], minlength=head.size),
        drawn=drawn,
        bridges=bridges,
    )


def join_vertices(ends: Ints, n: int, order: Ints, most: int = MAX_VERTICES) -> Ints:
    """Join vertices along edges, in order, until `most` groups are left; return their groups."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    def groups_after(count: int) -> tuple[int, Ints]:
        taken = ends[order[:count]]
        matrix = coo_array((np.ones(len(taken)), taken.T), shape=(n, n))
        number, group = connected_components(matrix, directed=False)
        return int(number), np.asarray(group, dtype=np.int64)

    # each edge that joins two groups reduces their number
    low, high = n - most, len(order)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if groups_after(middle)[0] <= most else (middle + 1, high)
    return groups_after(low)[1]


def _graph_source(setup: Selection) -> GraphBuilder:
    source = setup.source
    assert isinstance(source, WeightedGraphBuilder | SimpleGraphBuilder)
    return source


def first_look(setup: Selection, graph: object, choice: Hashable, progress: Progress) -> GraphView | None:
    """Return a new graph without its slow worst case; None for a known graph."""
    source = _graph_source(setup)
    key = ("seen", type(source))
    if is_remembered(source.edges, key):
        return None
    view = graph_view(source, graph, progress, k=None)
    remembered(source.edges, key, lambda: True)
    return view


def decided(setup: Selection, graph: object, choice: Hashable, progress: Progress) -> GraphView:
    """Return the graph with the worst case of A^(k) for the chosen k."""
    source = _graph_source(setup)
    k = min(choice, farthest(source)) if isinstance(choice, int) else 0
    return remembered(graph, ("decided", k), lambda: graph_view(source, graph, progress, k=k), most=4)


def topology(setup: Selection, graph: None, choice: Hashable, progress: Progress) -> GraphView | None:
    """Return the public part of the graph: edges without weights, or nothing."""
    source = _graph_source(setup)
    if isinstance(source, SimpleGraphBuilder):
        return None
    edges = source.edges
    order = np.arange(len(edges.ends))
    drawing = remembered(edges, ("public drawing",), lambda: whole_drawing(edges, order, progress))
    rank = np.ones(len(edges.ends), dtype=np.int64)
    shown = _select_edges(edges, drawing, rank, _spread(len(rank)))
    return _make_view(source, drawing, shown, private=False)


def farthest(source: GraphBuilder) -> int:
    """Return the largest k to choose, at which A^(k) is global, from public facts."""
    if isinstance(source, SimpleGraphBuilder):
        return min(FARTHEST, max(0, 2 * (source.n - 2)))
    degrees = np.bincount(source.edges.ends.ravel(), minlength=source.n)
    return min(FARTHEST, int(degrees.min()))


def graph_view(source: GraphBuilder, graph: Any, progress: Progress, k: int | None) -> GraphView:
    """Return the graph of a source with the worst case of A^(k); without it if k is None."""
    if isinstance(source, WeightedGraphBuilder):
        assert isinstance(graph, WeightedGraph)
        return _weighted(source, graph, progress, k)
    assert isinstance(graph, SimpleGraph)
    return _simple(source, graph, progress, k)


def _weighted(
    source: WeightedGraphBuilder, graph: WeightedGraph, progress: Progress, k: int | None
) -> GraphView:
    edges, query = source.edges, MstCost()

    def original() -> WeightedGraph:
        return graph if not source.modified_values else edges.weighted(source.domain)

    def draw() -> Drawing:
        # only grouping needs the tree
        order = np.arange(len(edges.ends))
        if edges.n > MAX_VERTICES:
            joined = query.tree(original(), progress)
            order = joined[np.argsort(original().weights[joined], kind="stable")]
        return whole_drawing(edges, order, part(progress, 0.0, 0.5))

    key = ("drawing", None if edges.n <= MAX_VERTICES else source.domain)
    drawing = remembered(edges, key, draw, most=1)
    ramp = remembered(edges, ("ramp", source.domain), lambda: _ramp(original().weights, source.domain))
    tree = np.zeros(graph.records, dtype=bool)
    tree[query.tree(graph, progress)] = True
    cut = None if k is None else query.deciding_cuts(graph, k, part(progress, 0.5, 1.0))[k]
    rank = np.full(graph.records, 2)
    if cut is not None and k is not None:
        rank[cut.edges] = 1
        rank[cut.edges[: k + 2]] = 0
    rank[tree] = 0
    rank[list(source.modified_values)] = 0
    shown = _select_edges(edges, drawing, rank, graph.weights)
    view = _make_view(source, drawing, shown, weights=graph.weights[shown], ramp=ramp, tree=tree[shown])
    if cut is None or k is None:
        return view
    side = cut.side if _smaller(cut.side) else ~cut.side
    marked = cut.edges[: k + 1 + cut.rising]
    crossing = np.zeros(graph.records, dtype=bool)
    crossing[cut.edges] = True
    lightest = np.append(graph.weights[cut.edges[: k + 2]], np.full(k + 2, source.domain.upper))[: k + 2]
    decision = DecidingCut(
        k=k,
        side=_majority(side, drawing),
        crossing=crossing[shown],
        lightest=_places(marked, shown),
        weights=tuple(lightest.tolist()),
        count=len(cut.edges),
        sensitivity=cut.sensitivity,
        rising=cut.rising,
    )
    return dataclasses.replace(view, decision=decision)


def _simple(source: SimpleGraphBuilder, graph: SimpleGraph, progress: Progress, k: int | None) -> GraphView:
    edges = source.edges
    drawing = remembered(
        edges, ("drawing of pairs",), lambda: drawing_of_hubs(edges, part(progress, 0.0, 0.5))
    )
    absent = np.zeros(len(edges.ends), dtype=bool)
    absent[list(source.removed_edges)] = True
    pair = None if k is None else TriangleCount().deciding_pair(graph, k, part(progress, 0.5, 1.0))
    spokes = np.zeros(len(edges.ends), dtype=bool)
    if pair is not None:
        hub, common = np.isin(edges.ends, [pair.first, pair.second]), np.isin(edges.ends, pair.common)
        spokes = (hub & common[:, ::-1]).any(axis=1) & ~absent
    shown = _select_edges(edges, drawing, np.where(spokes | absent, 0, 1), _spread(len(edges.ends)))
    view = _make_view(source, drawing, shown, absent=absent[shown])
    if pair is None or k is None:
        return view
    drawn = np.append(drawing.drawn, np.full(source.n - edges.n, -1))
    names = [*edges.labels, *(f"vertex {vertex + 1}" for vertex in range(edges.n, source.n))]
    first, second = sorted((pair.first, pair.second))
    ends = drawn[[first, second]]
    decision = DecidingPair(
        k=k,
        pair=tuple(ends[ends >= 0].tolist()),
        names=(names[first], names[second]),
        common=drawn[pair.common][drawn[pair.common] >= 0],
        count=len(pair.common),
        spokes=spokes[shown],
        sensitivity=pair.sensitivity,
    )
    return dataclasses.replace(view, decision=decision)


def _select_edges(edges: EdgeList, drawing: Drawing, rank: Ints, weights: Floats) -> Ints:
    """Return the edges to draw, by rank, then weight; one between any two groups."""
    between = np.sort(drawing.drawn[edges.ends], axis=1)
    possible = np.flatnonzero((between[:, 0] >= 0) & (between[:, 0] != between[:, 1]))
    if possible.size <= MAX_EDGES and (drawing.sizes == 1).all():
        return possible
    best = possible[np.lexsort((weights[possible], rank[possible]))]
    if (drawing.sizes > 1).any():
        pairs = between[best] @ np.array([len(drawing.names), 1])
        best = best[np.sort(np.unique(pairs, return_index=True)[1])]
    return np.sort(best[:MAX_EDGES])


def _make_view(source: GraphBuilder, drawing: Drawing, shown: Ints, **known: Any) -> GraphView:
    """Return a graph; `known` fields replace those of edges without weights or changes."""
    nothing = np.zeros(shown.size, dtype=bool)
    return GraphView(
        positions=drawing.positions,
        names=drawing.names,
        sizes=drawing.sizes,
        ends=drawing.drawn[source.edges.ends[shown]],
        edges=shown,
        bridges=drawing.bridges[shown],
        domain=source.domain,
        n=source.n,
        m=len(source.edges.ends),
        farthest=farthest(source),
        **{"weights": None, "ramp": (0.0, 1.0), "tree": nothing, "absent": nothing} | known,
    )


def _ramp(weights: Floats, domain: Interval) -> tuple[float, float]:
    """Return the weights at which the line strength changes."""
    low, high = float(weights.min()), float(weights.max())
    return (low, high) if low < high else (domain.lower, domain.upper)


def _spread(m: int) -> Floats:
    """Return a fixed order, independent of the data, in which the first edges are a fair sample."""
    return np.random.default_rng(0).permutation(m).astype(np.float64)


def _smaller(side: Bools) -> bool:
    inside = 2 * int(side.sum())
    return inside < side.size or (inside == side.size and not side[0])


def _majority(side: Bools, drawing: Drawing) -> Bools:
    """Return the side of the cut with most vertices of each group."""
    inside = np.bincount(drawing.drawn, weights=side, minlength=drawing.sizes.size)
    return np.asarray(2 * inside > drawing.sizes)


def _places(chosen: Ints, shown: Ints) -> tuple[int, ...]:
    """Return the indices of `chosen` in the sorted `shown`, without those not drawn."""
    drawn = chosen[np.isin(chosen, shown)]
    return tuple(np.searchsorted(shown, drawn).tolist())
