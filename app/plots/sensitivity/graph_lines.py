"""The edges of a graph as lines: parallel ones bowed apart, and the one nearest to a point."""

from __future__ import annotations

import numpy as np
from matplotlib.transforms import Transform

from engine.array_types import Bools, Floats, Ints

_BEND = 0.16  # sideways distance of parallel edges in the middle, as a share of their length
_WIDEST = 0.9
_BENDS = np.linspace(0.0, 1.0, 13)


class EdgeLines:
    """One line per edge, from vertex to vertex.

    Parameters
    ----------
    positions : ndarray, shape (v, 2)
        Places of the vertices.
    ends : ndarray of int, shape (e, 2)
        The two vertices of each edge.

    Attributes
    ----------
    middles : ndarray, shape (e, 2)
        The point half way along each line.
    """

    def __init__(self, positions: Floats, ends: Ints) -> None:
        self.positions, self.ends = positions, ends
        start, stop = positions[ends[:, 0]], positions[ends[:, 1]]
        bow = bows(ends)
        straight, bent = np.flatnonzero(bow == 0), np.flatnonzero(bow != 0)
        # a gap after each line: all of them can be drawn as one
        plain = np.stack([start, stop, np.full_like(start, np.nan)], axis=1)[straight]
        along = np.sort(ends[bent], axis=1)
        base, tip = positions[along[:, 0]], positions[along[:, 1]]
        sideways = np.column_stack([base[:, 1] - tip[:, 1], tip[:, 0] - base[:, 0]]) * bow[bent, None]
        arch = 4 * _BENDS * (1 - _BENDS)
        curves = (
            base[:, None] * (1 - _BENDS)[:, None]
            + tip[:, None] * _BENDS[:, None]
            + sideways[:, None] * arch[:, None]
        )
        curves = np.concatenate([curves, np.full((len(bent), 1, 2), np.nan)], axis=1)
        self._points = np.concatenate([plain.reshape(-1, 2), curves.reshape(-1, 2)])
        self._owner = np.concatenate([np.repeat(straight, 3), np.repeat(bent, len(_BENDS) + 1)])
        self.middles = (start + stop) / 2
        self.middles[bent] = curves[:, len(_BENDS) // 2]

    def serves(self, positions: Floats, ends: Ints) -> bool:
        """Tell whether these are the lines of that drawing."""
        return positions is self.positions and (ends is self.ends or np.array_equal(ends, self.ends))

    def segments(self) -> list[Floats]:
        """Return the points of each edge, one array for each."""
        starts = np.flatnonzero(np.isnan(self._points[:, 0]))[:-1] + 1
        lines = np.split(self._points, starts)
        if not len(self.ends):
            return []
        order = np.argsort(self._owner[np.concatenate([[0], starts])])
        return [lines[position][:-1] for position in order]

    def of(self, edges: Bools) -> Floats:
        """Return the points of the chosen edges, with gaps between them, shape (p, 2)."""
        chosen: Floats = self._points[edges[self._owner]]
        return chosen

    def distances(self, x: float, y: float, to_pixels: Transform) -> Floats:
        """Return how many pixels each edge is away from a point in data coordinates, shape (e,)."""
        points = to_pixels.transform(self._points) - to_pixels.transform((x, y))
        start, stop = points[:-1], points[1:]
        step = stop - start
        length = np.maximum((step**2).sum(axis=1), 1e-12)
        share = np.clip(-(start * step).sum(axis=1) / length, 0.0, 1.0)
        gaps = np.linalg.norm(start + share[:, None] * step, axis=1)
        result = np.full(len(self.ends), np.inf)
        np.fmin.at(result, self._owner[:-1], gaps)  # a gap in the line is NaN, and passed over
        return result


def bows(ends: Ints) -> Floats:
    """Return how far each edge is bowed, as a share of its length: 0 unless it has parallels."""
    pairs = np.sort(ends, axis=1)
    _, group, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(group, kind="stable")
    starts = np.cumsum(counts) - counts
    rank = np.empty(len(ends))
    rank[order] = np.arange(len(ends)) - np.repeat(starts, counts)
    many = counts[group]
    spacing = np.minimum(_BEND, _WIDEST / np.maximum(many - 1, 1))
    return np.asarray((rank - (many - 1) / 2) * spacing)
