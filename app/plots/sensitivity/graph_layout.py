"""Places for the vertices of a graph, from its topology alone.

The places make the drawn distance of two vertices as close as possible to the number of
edges between them: the *stress*

    sum over i < j of w_ij (|x_i - x_j| - d_ij)^2,    w_ij = d_ij^-2,

is lowered by majorization (SMACOF), which never raises it.  Source: Gansner, Koren and
North, "Graph Drawing by Stress Majorization", 2004, equation (6).  It starts from pivot
multidimensional scaling (Brandes and Pich, "Eigensolver Methods for Progressive
Multidimensional Scaling of Large Data", 2006), which for meshes and roads is nearly the
result already.  Nothing is drawn at random, and weights are not looked at: the same graph
always has the same picture, and changing a weight moves no vertex.

The code is our own because what exists would not do: networkx takes minutes for 2,000
vertices in pure Python, and igraph and rustworkx hold the interpreter while they work, so
that the window would stand still.  Here all the work is done in numpy and scipy calls of
some ten milliseconds each, between which progress is reported.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Floats
from engine.progress import Progress, part, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array


PLACES = "places of the vertices"  # what progress says of all that follows the distances
_GOLDEN = math.pi * (3 - math.sqrt(5))
_CHUNK = 32  # vertices from which distances are found in one call
_PIVOTS = 50
_ROUNDS = 120
_BLOCK = 192  # columns that are factored at a time
_SETTLED = 2e-4  # relative decrease of the stress in one round
_ROWS = 64  # of the matrix of distances that are worked on at a time
_TOUCHING = 1e-6  # vertices that are nearer count as that far apart
_SPLIT = 1e-2  # how far vertices that start in the same place are moved apart, in edges
_CLEAR, _MAX_PAIRS = 0.35, 20_000  # edges between a vertex and a foreign edge; pairs of both to look at
_GAP = 1.2  # between pieces, in edges
_ASPECT = 1.7  # width by height of pieces that are packed


def layout(ends: ArrayLike, n: int, progress: Progress = silent) -> Floats:
    """Place the vertices of a graph in the plane, connected or not.

    `ends`: shape (m, 2), the two vertices of each edge, counted from 0; parallel edges count once. `n`:
    number of vertices.  Time and memory grow with its square: 2,000 take seconds. `progress`: told the
    fraction done; what it raises ends the work. Returns places, in units of about one edge.  Each connected
    piece lies on its own, its longer side horizontal, and the pieces lie side by side, the largest first.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    both = (np.concatenate([first, second]), np.concatenate([second, first]))
    adjacency = csr_array((np.ones(2 * first.size), both), shape=(n, n))
    adjacency.sum_duplicates()
    count, piece = connected_components(adjacency, directed=False)
    members = np.split(np.argsort(piece, kind="stable"), np.cumsum(np.bincount(piece, minlength=count))[:-1])
    members.sort(key=lambda vertices: (-vertices.size, vertices[0]))
    places = []
    done = 0
    for vertices in members:
        share = part(progress, done / n, (done + vertices.size) / n)
        places.append(_place(adjacency[vertices][:, vertices], share))
        done += vertices.size
    result = np.empty((n, 2))
    for vertices, where in zip(members, _pack(places), strict=True):
        result[vertices] = where
    return result


def _place(adjacency: csr_array, progress: Progress) -> Floats:
    """Place one connected piece around the origin."""
    n = adjacency.shape[0]
    if n <= 2:
        return np.column_stack([np.arange(n) - (n - 1) / 2, np.zeros(n)])
    if adjacency.nnz == n * (n - 1):
        # all distances are 1: they tell nothing, and on a circle no edge hides another
        return _circle(n)
    distances = _distances(adjacency, part(progress, 0.0, 0.3))
    progress(0.3, PLACES)
    start = _pivot_scaling(distances)
    places = _turn_upright(_majorize(distances, start, part(progress, 0.3, 1.0)))
    return _push_apart(places, *adjacency.nonzero()) if n * adjacency.nnz <= _MAX_PAIRS else places


def _circle(n: int) -> Floats:
    angles = math.pi / 2 - 2 * math.pi * np.arange(n) / n
    return np.column_stack([np.cos(angles), np.sin(angles)]) * max(1.0, math.sqrt(n) / 2)


def _distances(adjacency: csr_array, progress: Progress) -> Floats:
    """Return the number of edges between every two vertices, shape (n, n)."""
    from scipy.sparse.csgraph import dijkstra

    n = adjacency.shape[0]
    distances = np.empty((n, n))
    for start in range(0, n, _CHUNK):
        progress(start / n, "distances in the graph")
        rows = np.arange(start, min(start + _CHUNK, n))
        distances[rows] = dijkstra(adjacency, unweighted=True, indices=rows)
    return distances


def _pivot_scaling(distances: Floats) -> Floats:
    """Return the two leading coordinates of pivot multidimensional scaling."""
    n = len(distances)
    # each pivot is as far as possible from those before it
    pivots = [int(distances.sum(axis=1).argmax())]
    nearest = distances[pivots[0]].copy()
    while len(pivots) < min(n, _PIVOTS) and nearest.max() > 0:
        pivots.append(int(nearest.argmax()))
        np.minimum(nearest, distances[pivots[-1]], out=nearest)
    squares = distances[:, pivots] ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    left, values, _ = np.linalg.svd(-centred / 2, full_matrices=False)
    places = left[:, :2] * values[:2]
    scale = np.linalg.norm(places - places[pivots[0]], axis=1)
    places *= distances[pivots[0]].sum() / max(scale.sum(), 1e-12)
    # twins have the same distances to all others, and would never part
    angles = _GOLDEN * np.arange(n)
    return np.asarray(places + _SPLIT * np.column_stack([np.cos(angles), np.sin(angles)]))


def _majorize(distances: Floats, start: Floats, progress: Progress) -> Floats:
    """Lower the stress until it hardly changes; the centre stays at the origin."""
    from scipy.linalg import cho_solve

    n = len(distances)
    progress(0.0, PLACES)
    off = ~np.eye(n, dtype=bool)
    inverse = np.zeros((n, n), dtype=np.float32)
    np.divide(1.0, distances, out=inverse, where=off, casting="same_kind")
    progress(0.0, PLACES)
    laplacian = -(inverse.astype(np.float64) ** 2)
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    # the first vertex stands still while the others are solved for
    # (transposed, the factor has the order that scipy would copy it to in every round)
    factor = _cholesky(np.ascontiguousarray(laplacian[1:, 1:]), part(progress, 0.0, 0.1))
    places: Floats = start - start.mean(axis=0)
    before = math.inf
    for step in range(_ROUNDS):
        stress, pull = _stress(places, inverse)
        if stress >= (1 - _SETTLED) * before:
            break
        before = stress
        progress(0.1 + 0.9 * step / _ROUNDS, PLACES)
        moved = np.zeros((n, 2))
        moved[1:] = cho_solve((factor.T, False), pull[1:], check_finite=False)
        places = moved - moved.mean(axis=0)
    return places


def _cholesky(matrix: Floats, progress: Progress) -> Floats:
    """Return the lower Cholesky factor, in the lower triangle of `matrix`, which is used up.

    Block by block, because scipy keeps the interpreter for as long as a call lasts: a second
    for a large matrix, in which the window would stand still.
    """
    from scipy.linalg import solve_triangular

    n = len(matrix)
    for first in range(0, n, _BLOCK):
        own = slice(first, min(first + _BLOCK, n))
        matrix[own, own] = np.linalg.cholesky(matrix[own, own])
        progress(first / n, PLACES)
        below = matrix[own.stop :, own]
        below[:] = solve_triangular(matrix[own, own], below.T, lower=True, check_finite=False).T
        for row in range(own.stop, n, _BLOCK):
            progress(first / n, PLACES)
            rows = slice(row, min(row + _BLOCK, n))
            matrix[rows, own.stop : rows.stop] -= matrix[rows, own] @ matrix[own.stop : rows.stop, own].T
    return matrix


def _stress(places: Floats, inverse: NDArray[np.float32]) -> tuple[float, Floats]:
    """Return the stress, and the right-hand side of the system that lowers it, shape (n, 2).

    Some rows at a time: what a processor's cache holds is gone through five times as fast.
    """
    n = len(places)
    rough = places.astype(np.float32)
    across, up = np.ascontiguousarray(rough.T)
    stress = -float(n)  # of the diagonal, where the distance and its inverse are 0
    pull = np.empty((n, 2))
    drawn, other = np.empty((2, _ROWS, n), dtype=np.float32)
    for first in range(0, n, _ROWS):
        rows = slice(first, min(first + _ROWS, n))
        length, work, weights = drawn[: rows.stop - first], other[: rows.stop - first], inverse[rows]
        np.subtract(across[rows, None], across, out=length)
        np.subtract(up[rows, None], up, out=work)
        np.multiply(length, length, out=length)
        np.multiply(work, work, out=work)
        np.sqrt(np.add(length, work, out=length), out=length)
        # with r = |x_i - x_j| / d_ij the stress is the sum of (r - 1)^2
        np.subtract(np.multiply(length, weights, out=work), 1.0, out=work)
        stress += float(np.vdot(work, work))
        np.divide(weights, np.maximum(length, _TOUCHING, out=length), out=work)
        pull[rows] = work.sum(axis=1, dtype=np.float64)[:, None] * places[rows] - work @ rough
    return stress, pull


def _turn_upright(places: Floats) -> Floats:
    """Turn the long side into the horizontal, and settle which end is left and which is up."""
    _, axes = np.linalg.eigh(places.T @ places)
    turned = places @ axes[:, ::-1]
    for side in (0, 1):
        # an eigenvector has no sign: the first vertex off the middle shall be left and above
        clear = np.flatnonzero(np.abs(turned[:, side]) > 0.1 * np.abs(turned[:, side]).max())
        if clear.size and (turned[clear[0], side] > 0) == (side == 0):
            turned[:, side] *= -1
    return np.asarray(turned)


def _push_apart(places: Floats, start: ArrayLike, stop: ArrayLike) -> Floats:
    """Push each vertex off the nearest edge that does not end in it, until there is `_CLEAR` between them."""
    start, stop, vertex = np.asarray(start), np.asarray(stop), np.arange(len(places))
    own = (vertex[:, None] == start) | (vertex[:, None] == stop)
    for _ in range(_ROUNDS):
        step = places[stop] - places[start]
        away = places[:, None] - places[start]
        share = np.clip((away * step).sum(axis=2) / np.maximum((step**2).sum(axis=1), _TOUCHING), 0.0, 1.0)
        away -= share[..., None] * step
        gaps = np.where(own, np.inf, np.linalg.norm(away, axis=2))
        nearest = gaps.argmin(axis=1)
        gap = np.maximum(gaps[vertex, nearest], _TOUCHING)
        push = np.clip(_CLEAR / gap - 1, 0.0, 1.0) / 4
        places = places + push[:, None] * away[vertex, nearest]
    return places


def _pack(places: list[Floats]) -> list[Floats]:
    """Put pieces on shelves, from the top left to the right, so that none touches another."""
    sizes = [np.ptp(where, axis=0) + _GAP for where in places]
    width = max(max(size[0] for size in sizes), math.sqrt(_ASPECT * sum(float(s.prod()) for s in sizes)))
    moved = []
    left = top = height = 0.0
    for where, size in zip(places, sizes, strict=True):
        if left > 0 and left + size[0] > width + 1e-9:
            left, top, height = 0.0, top - height, 0.0
        corner = np.array([where[:, 0].min(), where[:, 1].max()])
        moved.append(where - corner + np.array([left, top]))
        left += size[0]
        height = max(height, size[1])
    return moved
