"""Graphs as databases: weights on public edges, or edges that are themselves private."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats, Ints
from engine.data.look_only import problem_of
from engine.data.order_statistics import FAR_ENDS, check_known, values_at
from engine.domain import Interval, as_interval, check_resolution
from engine.errors import DataError
from engine.numerals import grouped, short
from engine.progress import Progress
from engine.shown import ShownDatabase

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def pieces(ends: ArrayLike, n: int) -> int:
    """Return into how many connected pieces the graph falls."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    matrix = coo_array((np.ones(first.size), (first, second)), shape=(n, n))
    count, _ = connected_components(matrix, directed=False)
    return int(count)


def duplicate(ends: ArrayLike) -> tuple[int, int] | None:
    """Return two edges (from 0) that join the same two vertices, the first such; else None."""
    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    low, high = np.minimum(first, second), np.maximum(first, second)
    # each pair as one number: without a duplicate, the most likely case, no more is to be found out
    codes = np.sort(low * (high.max(initial=0) + 1) + high)
    if not (codes[1:] == codes[:-1]).any():
        return None
    pairs = np.column_stack([low, high])
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    same = np.flatnonzero((pairs[order[1:]] == pairs[order[:-1]]).all(axis=1))
    # lexsort is stable: of equal pairs the earlier edge stands first
    position = same[np.argmin(order[same + 1])]
    return int(order[position]), int(order[position + 1])


DISCONNECTED = (
    "the graph falls into pieces that no edge joins, and a spanning tree needs a connected graph; "
    "add the missing edges, or count triangles instead"
)
"""Why a spanning tree is not possible."""


def check_ends(ends: ArrayLike, n: int | None) -> tuple[Ints, int]:
    try:
        array = np.asarray(ends)
        with np.errstate(invalid="ignore"):
            checked = array.astype(np.int64) if array.size else np.empty((0, 2), dtype=np.int64)
        whole = np.array_equal(checked.ravel(), array.ravel())
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise DataError("the ends of the edges are not whole numbers; number the vertices from 0")
    if checked.ndim != 2 or checked.shape[1] != 2:
        raise DataError(f"an array of shape {array.shape} is no list of edges; it must be (m, 2)")
    stated = "n - 1" if n is None else str(n - 1)
    if n is None:
        n = int(checked.max(initial=-1)) + 1
    if checked.size and (checked.min() < 0 or checked.max() >= n):
        raise DataError(f"an edge names a vertex that does not exist; they are numbered from 0 to {stated}")
    loops = checked[:, 0] == checked[:, 1]
    if loops.any():
        raise DataError(f"edge {int(np.argmax(loops)) + 1} joins a vertex to itself; leave such edges out")
    return checked, n


FoundT = TypeVar("FoundT")

_PATIENCE = 0.05
"""Seconds between two checks whether the wait is cancelled."""


class Kept:
    """Findings by name (private), so that nothing is computed twice.

    Several threads may ask about the same data at once; one works at a time, and the next
    one finds what it left.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._findings: dict[str, Any] = {}

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        """Arrive in another process without findings, which are found there anew."""
        return Kept, ()

    @contextlib.contextmanager
    def use(self, name: str, find: Callable[[], FoundT], progress: Progress) -> Iterator[FoundT]:
        """Lend the finding `name` to one thread; `find` is called if there is none yet."""
        while not self._lock.acquire(timeout=_PATIENCE):
            progress(0.0, "waiting for other work on the same data")
        try:
            if name not in self._findings:
                self._findings[name] = find()
            result: FoundT = self._findings[name]
            yield result
        finally:
            self._lock.release()


def bridges(ends: ArrayLike, n: int) -> Bools:
    """Return which edges of a connected graph are bridges, shape (m,).

    Direct the edges of a depth-first tree away from its root and all others towards it:
    an edge lies on a cycle if and only if one can then go back from its head to its tail
    (Robbins, "A theorem on graphs, with an application to a problem of traffic control",
    1939).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components, depth_first_order

    pairs = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
    matrix = coo_array((np.ones(len(pairs)), pairs.T), shape=(n, n)).tocsr()
    order, parent = depth_first_order(matrix, 0, directed=False)
    visited = np.empty(n, dtype=np.int64)
    visited[order] = np.arange(n)
    turned = visited[pairs[:, 0]] > visited[pairs[:, 1]]
    early, late = np.where(turned[:, None], pairs[:, ::-1], pairs).T
    _, first = np.unique(early * n + late, return_index=True)
    in_tree = np.zeros(len(pairs), dtype=bool)
    in_tree[first] = parent[late[first]] == early[first]
    tail, head = np.where(in_tree, early, late), np.where(in_tree, late, early)
    arcs = coo_array((np.ones(len(pairs)), (tail, head)), shape=(n, n))
    _, component = connected_components(arcs, directed=True, connection="strong")
    result: Bools = component[early] != component[late]
    return result


MAX_COMPLETE_VERTICES = 200
"""Vertices of which every pair may be joined on a path: 19,900 edges."""

VERTICES_INFERRED = (
    "the vertices are counted from the edges, which are confidential, so nothing can be released; state how "
    "many there are, or a file that lists them (vertices)"
)
"""Why no release is made of a graph whose number of vertices was not stated."""


class WeightedGraph(ShownDatabase):
    """A connected graph with public topology: one record is the weight of one edge.

    Parameters
    ----------
    ends : array_like of int, shape (m, 2)
        The two vertices of each edge, counted from 0.  Parallel edges are allowed.
    weights : array_like, shape (m,)
        Finite numbers; clamped to `domain`.  Not to be changed after.
    domain : Interval
        The public range [0, Λ] of a weight.
    n : int, optional
        Number of vertices; by default those that `ends` name.
    release_problem : str, optional
        Why no release may be made of it; by default what the weights themselves say.

    Attributes
    ----------
    kept : Kept
        What queries have found out about it (private).

    Raises
    ------
    DataError
        If there is no edge, an edge joins a vertex to itself, the graph is not connected,
        or a weight is negative, NaN or infinite.  Edges are counted from 1.

    Examples
    --------
    >>> from engine import Interval, MstCost
    >>> graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], weights=[3, 1, 2], domain=Interval(0, 5))
    >>> MstCost().value(graph)  # the edges of weights 1 and 2
    3.0
    """

    def __init__(
        self,
        ends: ArrayLike,
        weights: ArrayLike,
        domain: Interval,
        n: int | None = None,
        release_problem: str = "",
    ) -> None:
        self.release_problem = release_problem or problem_of(weights)
        self._ends, self._n = check_ends(ends, n)
        self._domain = domain = as_interval(domain)
        if not len(self._ends):
            raise DataError("there are no edges; at least one is needed")
        self._weigh(weights)
        if domain.lower != 0:
            raise DataError(
                f"weights from {short(domain.lower)} on are not possible; the lower bound must be 0"
            )
        count = pieces(self._ends, self._n)
        if count > 1:
            raise DataError(DISCONNECTED, confidential=f"{grouped(count)} pieces")

    def _weigh(self, weights: ArrayLike) -> None:
        self.kept = Kept()
        self._raw = np.ascontiguousarray(weights, dtype=np.float64)
        if self._raw.shape != (len(self._ends),):
            raise DataError(
                "the number of weights is not that of the edges; give one for each edge",
                confidential=f"{self._raw.size} weights for {len(self._ends)} edges",
            )
        wrong = ~(np.isfinite(self._raw) & (self._raw >= 0))
        if wrong.any():
            edge = int(np.argmax(wrong))
            raise DataError(
                f"the weight of edge {edge + 1} must be a finite number of at least 0",
                confidential=short(self._raw[edge]),
            )

    @property
    def n(self) -> int:
        """Number of vertices (public)."""
        return self._n

    @property
    def records(self) -> int:
        """Number of edges (public)."""
        return len(self._ends)

    @property
    def domain(self) -> Interval:
        """The public range of a weight."""
        return self._domain

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._domain.resolution

    @property
    def ends(self) -> Ints:
        """The two vertices of each edge (public), shape (m, 2)."""
        return self._ends

    @property
    def facts(self) -> Mapping[str, Any]:
        """The bounds of a weight, and the size of the graph."""
        return {**self._domain.facts, "vertices": self.n, "edges": self.records}

    @cached_property
    def weights(self) -> Floats:
        """The clamped weights, shape (m,)."""
        return self._domain.clamp(self._raw)

    @cached_property
    def outside(self) -> int:
        """Number of weights that clamping moves (private)."""
        return self._domain.outside(self._raw)

    def with_weights(self, weights: ArrayLike) -> WeightedGraph:
        """Return the same graph with other weights."""
        other = object.__new__(type(self))  # edges that were checked need not be checked again
        other._ends, other._n, other._domain = self._ends, self._n, self._domain
        other.release_problem = self.release_problem
        other._weigh(weights)
        return other

    def replaced(self, record: int, weight: float) -> WeightedGraph:
        """Return the neighbour in which the edge `record` (from 0) has this weight."""
        changed = self._raw.copy()
        changed[record] = weight
        return self.with_weights(changed)

    @property
    def far_ends(self) -> tuple[str, ...]:
        """The names of graphs far away, to which a path leads: see `far_end`."""
        return FAR_ENDS

    def far_end(self, name: str) -> WeightedGraph:
        """Return the graph in which all weights lie at a bound: "lower", "upper", or "halves" at each."""
        return self.with_weights(values_at(name, self.records, self._domain))

    def steps(self, end: WeightedGraph) -> int:
        """Return m: each weight is a step of the path to `end`, whether it changes or not."""
        if not np.array_equal(self._ends, end.ends) or self.n != end.n:
            raise DataError("the path leads to another graph; both ends must have the same edges")
        return self.records

    def toward(self, end: WeightedGraph, count: int) -> WeightedGraph:
        """Return the graph in which the first `count` weights are those of `end`."""
        return self.with_weights(np.concatenate([end.weights[:count], self.weights[count:]]))


def check_count_resolution(resolution: float | None, n: int) -> None:
    """Raise `ParameterError` for a step that is not above 0, or above the number of triples of n vertices."""
    check_resolution(resolution, max(1, math.comb(n, 3)))


class SimpleGraph(ShownDatabase):
    """A graph on public vertices: one record says whether two of them are joined.

    Parameters
    ----------
    ends : array_like of int, shape (m, 2)
        The edges, which are private: at most one for each pair of vertices.
    n : int
        Number of vertices, which is public and must not be taken from the edges.
    resolution : float, optional
        As of `Interval`: public step of which released values are multiples.
    release_problem : str, optional
        Why no release may be made of it; by default what the ends themselves say.

    Attributes
    ----------
    kept : Kept
        What queries have found out about it (private).

    Raises
    ------
    DataError
        If an edge joins a vertex to itself or stands twice, or names a vertex beyond n.
        Edges are counted from 1.
    ParameterError
        If the resolution is none for counts: see `check_count_resolution`.

    Examples
    --------
    >>> from engine import TriangleCount
    >>> TriangleCount().value(SimpleGraph([(0, 1), (1, 2), (0, 2)], n=4))
    1.0
    """

    def __init__(
        self, ends: ArrayLike, n: int, resolution: float | None = None, release_problem: str = ""
    ) -> None:
        self.release_problem = release_problem or problem_of(ends)
        self.kept = Kept()
        self._ends, self._n = check_ends(ends, n)
        first, second = self._ends.T
        self._ends = np.column_stack([np.minimum(first, second), np.maximum(first, second)])
        self._domain = Interval(0.0, 1.0)
        check_count_resolution(resolution, self._n)
        self._resolution = resolution
        twice = duplicate(self._ends)
        if twice is not None:
            raise DataError(
                f"edges {twice[0] + 1} and {twice[1] + 1} join the same two vertices; keep one of them"
            )

    @property
    def n(self) -> int:
        """Number of vertices (public)."""
        return self._n

    @property
    def records(self) -> int:
        """Number of pairs of vertices, each joined or not (public)."""
        return self._n * (self._n - 1) // 2

    @property
    def domain(self) -> Interval:
        """0 for two vertices that are not joined, 1 for two that are."""
        return self._domain

    @property
    def facts(self) -> Mapping[str, Any]:
        """The number of vertices; not that of edges, which is private."""
        return {"resolution": self._resolution, "vertices": self.n}

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._resolution

    @property
    def ends(self) -> Ints:
        """The edges (private), shape (m, 2), the smaller vertex first."""
        return self._ends

    @property
    def outside(self) -> int:
        """0: there is nothing to clamp."""
        return 0

    @cached_property
    def adjacency(self) -> csr_array:
        """The symmetric matrix of zeros and ones, shape (n, n)."""
        from scipy.sparse import csr_array

        first, second = self._ends.T
        rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
        ones = np.ones(rows.size, dtype=np.int64)
        return csr_array((ones, (rows, columns)), shape=(self._n, self._n))

    def with_ends(self, ends: ArrayLike) -> SimpleGraph:
        """Return a graph on the same vertices with other edges."""
        return SimpleGraph(ends, self._n, self._resolution, self.release_problem)

    def joined(self, first: int, second: int, are: bool = True) -> SimpleGraph:
        """Return the graph in which these two vertices are joined, or are not."""
        pair = sorted((first, second))
        others = self._ends[(self._ends != pair).any(axis=1)]
        return self.with_ends(np.vstack([others, [pair]]) if are else others)

    def replaced(self, record: int, value: float) -> SimpleGraph:
        """Return the neighbour in which a pair of vertices, of (0, 1), (0, 2) …, is joined or not."""
        first, second = (int(ends[record]) for ends in np.triu_indices(self._n, 1))
        return self.joined(first, second, bool(value))

    @property
    def far_ends(self) -> tuple[str, ...]:
        """The names of graphs far away, to which a path leads: see `far_end`."""
        return ("empty", "complete") if self._n <= MAX_COMPLETE_VERTICES else ("empty",)

    def far_end(self, name: str) -> SimpleGraph:
        """Return the graph without edges ("empty"), or with all ("complete")."""
        check_known(name, self.far_ends)
        joined = self._n if name == "complete" else 0
        return self.with_ends(np.column_stack(np.triu_indices(joined, 1)))

    def steps(self, end: SimpleGraph) -> int:
        """Return in how many pairs of vertices the two graphs differ."""
        if self.n != end.n:
            raise DataError(f"the path leads from {self.n} to {end.n} vertices; both ends must have as many")
        return int(np.setxor1d(self._pairs, end._pairs).size)

    def toward(self, end: SimpleGraph, count: int) -> SimpleGraph:
        """Return the graph after `count` of the differing pairs have been changed, in their order."""
        different = np.setxor1d(self._pairs, end._pairs)[:count]
        changed = np.setxor1d(self._pairs, different)
        return self.with_ends(np.column_stack(np.divmod(changed, self._n)))

    @property
    def _pairs(self) -> Ints:
        """Each edge as one number."""
        return self._ends[:, 0] * self._n + self._ends[:, 1]
