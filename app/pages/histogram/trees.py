"""Spanning trees on cells and on records, as pictures show them; made in a worker."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.wording.numbers import number
from app.plots.histogram.tree_view import DrawnTree
from engine.histograms.attacks import centers
from engine.histograms.histogram import Histogram
from engine.histograms.spanning_tree import SpanningTree, euclidean_tree, resampled_tree, spanning_tree
from engine.progress import Progress
from engine.randomness import reproducible

MOST_TRUE = 100_000
"""Records up to which the true tree is found."""

MOST_EDGES = 2_000
"""Edges of a tree that are drawn: the longest, which show its shape."""

Floats = NDArray[np.float64]


def on_cells(histogram: Histogram, drawn: tuple[int, ...], progress: Progress) -> DrawnTree:
    """Return the tree on the occupied cells, between their middles."""
    return _drawn(spanning_tree(histogram, progress), centers(histogram)[:, list(drawn)])


def resampled(histogram: Histogram, seed: int, progress: Progress) -> float | None:
    """Return what the tree of points costs that are drawn from the cells; None for too many points."""
    if not 0 < np.clip(histogram.counts, 0, None).sum() <= MOST_TRUE:
        return None
    return resampled_tree(histogram, reproducible(seed), progress=progress)[0].cost


def true_tree(values: Floats, progress: Progress) -> SpanningTree | None:
    """Return the tree of the records (private); None for too many of them."""
    return None if len(values) > MOST_TRUE else euclidean_tree(values, progress)


def drawn_tree(tree: SpanningTree, values: Floats, drawn: tuple[int, ...]) -> DrawnTree:
    """Return a tree on records along coordinates (private)."""
    return _drawn(tree, values[:, list(drawn)])


def tree_words(n: int, *trees: Any) -> str:
    """Say which trees or edges are not in the picture."""
    if n > MOST_TRUE:
        return (
            f"The true tree of {number(n)} points is not looked for: it would take minutes. It is for up to "
            f"{number(MOST_TRUE)}."
        )
    if any(tree is not None and len(tree.starts) == MOST_EDGES for tree in trees):
        return f"Of each tree, at most the {number(MOST_EDGES)} longest edges are drawn."
    return ""


def _drawn(tree: SpanningTree, nodes: Floats) -> DrawnTree:
    longest = np.argsort(-tree.lengths, kind="stable")[:MOST_EDGES]
    starts, ends = (nodes[tree.edges[longest, end]] for end in (0, 1))
    return DrawnTree(starts, ends, tree.cost)
