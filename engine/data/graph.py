"""Graphs as databases: private weights on public edges, or private edges."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats, Ints
from engine.data.look_only import problem_of
from engine.data.order_statistics import FAR_ENDS, check_known, values_at
from engine.domain import BoundsLike, Interval, as_interval, check_resolution
from engine.errors import DataError
from engine.number_arrays import as_numbers
from engine.numerals import grouped, short
from engine.progress import Progress
from engine.shown import ShownDatabase

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def pieces(ends: ArrayLike, n: int) -> int:
    """Return the number of connected components."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    matrix = coo_array((np.ones(first.size), (first, second)), shape=(n, n))
    count, _ = connected_components(matrix, directed=False)
    return int(count)


def duplicate(ends: ArrayLike) -> tuple[int, int] | None:
    """Return the first two edges (from 0) that join the same two vertices; None without such edges."""
    first, second = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    low, high = np.minimum(first, second), np.maximum(first, second)
    # each pair as one number: usually this proves that there is no duplicate
    codes = np.sort(low * (high.max(initial=0) + 1) + high)
    if not (codes[1:] == codes[:-1]).any():
        return None
    pairs = np.column_stack([low, high])
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    same = np.flatnonzero((pairs[order[1:]] == pairs[order[:-1]]).all(axis=1))
    # lexsort is stable: the earlier of equal pairs comes first
    position = same[np.argmin(order[same + 1])]
    return int(order[position]), int(order[position + 1])


DISCONNECTED = (
    "the graph is not connected, and a spanning tree needs a connected graph; add the missing "
    "edges, or count triangles instead"
)
"""Message for a spanning tree of a graph that is not connected."""


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
        raise DataError(
            f"an edge names a vertex that does not exist; vertices are numbered from 0 to {stated}"
        )
    loops = checked[:, 0] == checked[:, 1]
    if loops.any():
        raise DataError(f"edge {int(np.argmax(loops)) + 1} joins a vertex to itself; leave such edges out")
    return checked, n


FoundT = TypeVar("FoundT")

_PATIENCE = 0.05
"""Seconds between two checks for cancellation."""


class Kept:
    """Cache of results by name (private).

    One thread at a time uses the cache; waiting threads reuse its results.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._findings: dict[str, Any] = {}

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        """Pickle as an empty cache; other processes compute their own results."""
        return Kept, ()

    @contextlib.contextmanager
    def use(self, name: str, find: Callable[[], FoundT], progress: Progress) -> Iterator[FoundT]:
        """Lock the result `name` for one thread, and compute it by `find` if it is not cached."""
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

    Direct the edges of a depth-first tree away from its root, all other edges towards it.  An edge lies on
    a cycle if and only if its tail can then be reached from its head.  Source: Robbins, "A theorem on graphs,
    with an application to a problem of traffic control", 1939.
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
"""Largest number of vertices for a path to the complete graph: 19,900 edges."""

VERTICES_INFERRED = (
    "the vertices are counted from the edges, which are confidential, so nothing can be "
    "released; state how many there are, or a file that lists them (vertices)"
)
"""Why a graph whose number of vertices was not stated cannot be released."""


class Graph(ShownDatabase):
    """The vertices and edges of a graph."""

    _ends: Ints
    _n: int
    _domain: Interval

    @property
    def n(self) -> int:
        """Number of vertices (public)."""
        return self._n

    @property
    def domain(self) -> Interval:
        """The public range of a record: the weight of an edge, or 1 for an edge and 0 for none."""
        return self._domain

    @property
    def ends(self) -> Ints:
        """The two vertices of each edge, shape (m, 2); private in a `SimpleGraph`."""
        return self._ends


class WeightedGraph(Graph):
    """A connected graph with public topology: one record is the weight of one edge.

    Parameters
    ----------
    ends : array_like of int, shape (m, 2)
        The two vertices of each edge, counted from 0.  Parallel edges are allowed.
    weights : array_like, shape (m,)
        Finite numbers; clamped to `domain`.  Do not change them afterwards.
    domain : Interval
        The public range [0, Λ] of a weight.
    n : int, optional
        Number of vertices; by default the largest index in `ends` plus 1.
    release_problem : str, optional
        Why no release may be made of the graph; by default derived from the weights.

    Attributes
    ----------
    kept : Kept
        Cached results of queries (private).

    Raises
    ------
    DataError
        If there is no edge, an edge joins a vertex to itself, the graph is not connected,
        or a weight is negative, NaN or infinite.  Edges are counted from 1.

    See Also
    --------
    SimpleGraph, MstCost

    Examples
    --------
    >>> from engine import Interval, MstCost
    >>> graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], weights=[3, 1, 2], domain=Interval(0, 5))
    >>> MstCost().value(graph)  # the edges of weights 1 and 2
    3.0
    """

    kind: ClassVar[str] = "weighted-graph"

    def __init__(
        self,
        ends: ArrayLike,
        weights: ArrayLike,
        domain: BoundsLike,
        n: int | None = None,
        release_problem: str = "",
    ) -> None:
        self.release_problem = release_problem or problem_of(weights)
        self._ends, self._n = check_ends(ends, n)
        self._domain = bounds = as_interval(domain)
        if not len(self._ends):
            raise DataError("there are no edges; at least one is needed")
        self._weigh(weights)
        if bounds.lower != 0:
            raise DataError(f"a lower bound of {short(bounds.lower)} is not possible; it must be 0")
        count = pieces(self._ends, self._n)
        if count > 1:
            raise DataError(DISCONNECTED, confidential=f"{grouped(count)} pieces")

    def _weigh(self, weights: ArrayLike) -> None:
        self.kept = Kept()
        self._raw = as_numbers(weights, 1)
        if self._raw.shape != (len(self._ends),):
            raise DataError(
                "there must be one weight for each edge",
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
    def records(self) -> int:
        """Number of edges (public)."""
        return len(self._ends)

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._domain.resolution

    @property
    def facts(self) -> Mapping[str, Any]:
        """The bounds of a weight, and the size of the graph."""
        return {**self._domain.facts, "vertices": self.n, "edges": self.records}

    @cached_property
    def weights(self) -> Floats:
        """The clamped weights, shape (m,)."""
        return self._domain.clamp(self._raw)

    @property
    def outside(self) -> int:
        """Number of weights outside the bounds (private)."""
        return self._domain.outside(self._raw)

    def with_weights(self, weights: ArrayLike) -> WeightedGraph:
        """Return the same graph with other weights."""
        other = object.__new__(type(self))  # the edges are checked already
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
        """Names of distant graphs to which a path leads: see `far_end`."""
        return FAR_ENDS

    def far_end(self, name: str) -> WeightedGraph:
        """Return the graph with all weights at a bound ("lower", "upper"), or half at each ("halves")."""
        return self.with_weights(values_at(name, self.records, self._domain))

    def steps(self, end: WeightedGraph) -> int:
        """Return m: each weight is one step of the path to `end`, changed or not."""
        if not np.array_equal(self._ends, end.ends) or self.n != end.n:
            raise DataError("the path leads to a graph with other edges; both ends must have the same edges")
        return self.records

    def toward(self, end: WeightedGraph, count: int) -> WeightedGraph:
        """Return the graph whose first `count` weights are those of `end`."""
        return self.with_weights(np.concatenate([end.weights[:count], self.weights[count:]]))


def check_count_resolution(resolution: float | None, n: int) -> None:
    """Raise `ParameterError` unless the step is above 0 and at most the number of vertex triples."""
    check_resolution(resolution, max(1, math.comb(n, 3)))


class SimpleGraph(Graph):
    """A graph on public vertices: one record tells whether two of them are joined.

    Parameters
    ----------
    ends : array_like of int, shape (m, 2)
        The edges, which are private: at most one for each pair of vertices.
    n : int
        Number of vertices; it is public and must not be derived from the edges.
    resolution : float, optional
        As in `Interval`: the public step of released values.
    release_problem : str, optional
        Why no release may be made of the graph; by default derived from the ends.

    Attributes
    ----------
    kept : Kept
        Cached results of queries (private).

    Raises
    ------
    DataError
        If an edge joins a vertex to itself, is repeated, or names a vertex beyond n.  Edges are counted from
        1.
    ParameterError
        If the resolution is not valid for counts: see `check_count_resolution`.

    See Also
    --------
    WeightedGraph, TriangleCount

    Examples
    --------
    >>> from engine import TriangleCount
    >>> TriangleCount().value(SimpleGraph([(0, 1), (1, 2), (0, 2)], n=4))
    1.0
    """

    kind: ClassVar[str] = "simple-graph"

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
    def records(self) -> int:
        """Number of pairs of vertices, each joined or not (public)."""
        return self._n * (self._n - 1) // 2

    @property
    def facts(self) -> Mapping[str, Any]:
        """The number of vertices; the number of edges is private."""
        return {"resolution": self._resolution, "vertices": self.n}

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._resolution

    @property
    def outside(self) -> int:
        """0: edges are never clamped."""
        return 0

    @cached_property
    def adjacency(self) -> csr_array:
        """The symmetric adjacency matrix, shape (n, n)."""
        from scipy.sparse import csr_array

        first, second = self._ends.T
        rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
        ones = np.ones(rows.size, dtype=np.int64)
        return csr_array((ones, (rows, columns)), shape=(self._n, self._n))

    def with_ends(self, ends: ArrayLike) -> SimpleGraph:
        """Return a graph on the same vertices with other edges."""
        return SimpleGraph(ends, self._n, self._resolution, self.release_problem)

    def joined(self, first: int, second: int, are: bool = True) -> SimpleGraph:
        """Return the graph with or without the edge between two vertices."""
        pair = sorted((first, second))
        others = self._ends[(self._ends != pair).any(axis=1)]
        return self.with_ends(np.vstack([others, [pair]]) if are else others)

    def replaced(self, record: int, value: float) -> SimpleGraph:
        """Return the neighbour in which one of the pairs (0, 1), (0, 2) … is joined or not."""
        first, second = (int(ends[record]) for ends in np.triu_indices(self._n, 1))
        return self.joined(first, second, bool(value))

    @property
    def far_ends(self) -> tuple[str, ...]:
        """Names of distant graphs to which a path leads: see `far_end`."""
        return ("empty", "complete") if self._n <= MAX_COMPLETE_VERTICES else ("empty",)

    def far_end(self, name: str) -> SimpleGraph:
        """Return the graph without edges ("empty"), or with all edges ("complete")."""
        check_known(name, self.far_ends)
        joined = self._n if name == "complete" else 0
        return self.with_ends(np.column_stack(np.triu_indices(joined, 1)))

    def steps(self, end: SimpleGraph) -> int:
        """Return the number of vertex pairs in which the two graphs differ."""
        if self.n != end.n:
            raise DataError(
                f"the path leads from {self.n} to {end.n} vertices; both ends must have the same number"
            )
        return int(np.setxor1d(self._pairs, end._pairs).size)

    def toward(self, end: SimpleGraph, count: int) -> SimpleGraph:
        """Return the graph after the first `count` differing pairs have changed, in order."""
        different = np.setxor1d(self._pairs, end._pairs)[:count]
        changed = np.setxor1d(self._pairs, different)
        return self.with_ends(np.column_stack(np.divmod(changed, self._n)))

    @property
    def _pairs(self) -> Ints:
        """Edges encoded as single numbers."""
        return self._ends[:, 0] * self._n + self._ends[:, 1]
