"""What is said about the vertices and edges of a graph: under the pointer, and in a table."""

from __future__ import annotations

from typing import Any

from app.model.wording.numbers import number, quantity
from app.plots.base import Table
from app.plots.sensitivity.graph_view import DecidingCut, DecidingPair, GraphView


def vertex_words(view: GraphView, vertex: int) -> str:
    """Say which vertex or group a drawn vertex is."""
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


def edge_table(view: GraphView) -> Table:
    """Return header and rows of the drawn edges: ends, weight, and their part in tree and cut or pair."""
    header = ["edge", "source", "target"]
    columns: list[list[Any]] = [(view.edges + 1).tolist()]
    columns += [[view.names[vertex] for vertex in side] for side in view.ends.T.tolist()]
    if view.weights is not None:
        header += ["weight", "in the tree"]
        columns += [view.weights.tolist(), view.tree.tolist()]
    if isinstance(view.decision, DecidingCut):
        header.append("across the cut")
        columns.append(view.decision.crossing.tolist())
    elif isinstance(view.decision, DecidingPair):
        header += ["joined", "to a common neighbour"]
        columns += [(~view.absent).tolist(), view.decision.spokes.tolist()]
    return header, [list(row) for row in zip(*columns, strict=True)]
