"""Pairs derived from the present data: private, as are all draws from them."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.arguments import as_whole
from engine.array_types import Floats
from engine.audit.pairs import Pair
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.errors import DataError, ParameterError
from engine.mechanisms import SmoothRelease
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.base import intended
from engine.numerals import grouped
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent
from engine.queries import MstCost, TriangleCount
from engine.queries.order_statistics import WindowMean
from engine.signatures import explained


def pairs_from_data(
    mechanism: Mechanism[Any], data: Any, privacy: PrivacyLike, *, progress: Progress = silent
) -> tuple[Pair, ...]:
    """Return the database that attains S* of the data, and its neighbour that changes f by A^(k).

    For noise scaled to the smooth sensitivity of an order statistic, a (trimmed) mean, a spanning tree or
    triangles; empty for other queries.
    """
    privacy = as_privacy(privacy)
    right = intended(mechanism).resolve(privacy)
    if not (isinstance(right, SmoothRelease) and right.query.realises):
        return ()
    query = right.query
    beta = right.calibrate(privacy).pair.beta
    k = query.smooth_sensitivity(data, beta, progress).argmax_k
    before, after = pkgutil.resolve_name(query.realises)(query, data, k, progress)
    return (Pair("realises-s", "Where S comes from", _changed(k), before, after, public=False),)


def _changed(k: int) -> str:
    """Say how many records change before the decisive one."""
    if k == 0:
        return "the next record changes the answer of the data by as much as S allows"
    change = "one record of the data changes" if k == 1 else f"{grouped(k)} records of the data change"
    return f"{change}, so that the next one changes the answer by as much as S allows"


@explained
def replace_one_pair(data: Any, record: int, value: Any) -> Pair:
    """Return the data and the neighbour with one replaced record.

    Parameters
    ----------
    data : Sample, Points, Categories, WeightedGraph or SimpleGraph
    record : int
        Index from 0: a value, a point, an edge; for a graph with private edges the pair of vertices (0, 1),
        (0, 2), ..., (1, 2), ...
    value : float, sequence of float, sequence of str, or bool
        A number, a point, labels, a weight, or whether the pair is joined.

    Returns
    -------
    Pair

    Raises
    ------
    ParameterError
        If there is no such record.
    DataError
        If the value does not fit such data.

    See Also
    --------
    worst_case_pairs, Pair, audit_run

    Examples
    --------
    >>> from engine import Interval, Sample
    >>> pair = replace_one_pair(Sample([1.0, 2.0, 3.0], Interval(0, 10)), record=0, value=9.0)
    >>> pair.public, pair.neighbour.n
    (False, 3)
    """
    if not hasattr(data, "domain"):
        raise DataError("public bounds are missing; give Sample(values, (lower, upper))")
    record = as_whole("record", record, 0)
    if record >= data.records:
        raise ParameterError(
            "record",
            f"{grouped(record + 1)} does not exist; records are numbered from 1 to {grouped(data.records)}",
        )
    neighbour = data.replaced(record, value)
    beyond = neighbour.outside > data.outside
    why = "one record of the present data is replaced"
    return Pair(
        "moved",
        f"Record {grouped(record + 1)} replaced",
        f"{why}, by one outside the bounds, which counts as the nearest one inside" if beyond else why,
        data,
        neighbour,
        public=False,
    )


def changes_record(pair: Pair) -> bool:
    """Return whether the two databases of a pair differ, as queries read them."""
    before, after = pair.data, pair.neighbour
    if isinstance(before, SimpleGraph):
        return before.steps(after) > 0
    name = next(name for name in ("codes", "values", "weights") if hasattr(before, name))
    return not np.array_equal(getattr(before, name), getattr(after, name))


def moved_window(
    query: WindowMean, data: Sample, k: int, progress: Progress = silent
) -> tuple[Sample, Sample]:
    """Return the worst case for a moved window, following the proof in `engine.queries.order_statistics`.

    k records between x_i and x_j are removed: p of them go to the lower bound and s to the upper one, so that
    x_i and x_j become adjacent around the window.
    """
    low, high = query.window(data.n)
    width = high - low + 1
    left, right = data.ranks(low - 1 - k, low), data.ranks(high, high + 1 + k)
    below = int(np.argmax(right - left)) - k - 1 + low  # i, from low - 1 - k to low
    above = below + width + k
    rises = above > high
    to_lower = low - below if rises else low - 1 - below
    changed = data.values.copy()
    between = _at_ranks(changed, max(0, below), min(data.n, above - 1, max(0, below) + k))
    changed[between[:to_lower]] = data.domain.lower
    changed[between[to_lower:]] = data.domain.upper
    realised = Sample(changed, data.domain, data.release_problem)
    rank = low if rises else high
    last = _at_ranks(changed, rank - 1, rank)[0]
    return realised, realised.replaced(int(last), data.domain.upper if rises else data.domain.lower)


def _at_ranks(values: Floats, start: int, stop: int) -> NDArray[np.intp]:
    """Return ``np.argsort(values, kind="stable")[start:stop]``, but sort only this range."""
    if stop <= start:
        return np.empty(0, dtype=np.intp)
    ends = np.partition(values, [start, stop - 1])[[start, stop - 1]]
    among = np.flatnonzero((values >= ends[0]) & (values <= ends[1]))
    before = int(np.count_nonzero(values < ends[0]))
    return among[np.argsort(values[among], kind="stable")][start - before : stop - before]


def raised_cut(
    query: MstCost, data: WeightedGraph, k: int, progress: Progress = silent
) -> tuple[WeightedGraph, WeightedGraph]:
    """Raise the k lightest weights of the decisive cut, or all but the first of k + 1; then one more."""
    cut = query.deciding_cuts(data, k, progress)[k]
    top, edges = data.domain.upper, cut.edges
    if cut.rising:
        return _weighing(data, edges[1 : k + 1], top, edges[:1], top)
    return _weighing(data, edges[:k], top, edges[k : k + 1], 0.0)


def _weighing(
    data: WeightedGraph, raised: Sequence[int] | Any, top: float, last: Any, weight: float
) -> tuple[WeightedGraph, WeightedGraph]:
    weights = data.weights.copy()
    weights[raised] = top
    after = weights.copy()
    after[last] = weight
    return data.with_weights(weights), data.with_weights(after)


def joined_pair(
    query: TriangleCount, data: SimpleGraph, k: int, progress: Progress = silent
) -> tuple[SimpleGraph, SimpleGraph]:
    """Join k more vertices to both of the decisive pair, first those already joined to one; then the pair."""
    pair = query.deciding_pair(data, k, progress)
    near, far = (set(data.adjacency[[v]].indices.tolist()) for v in (pair.first, pair.second))
    others = set(range(data.n)) - {pair.first, pair.second}
    halves, none = sorted(others & (near ^ far)), sorted(others - near - far)
    graph, left = data, k
    for vertex in (*halves, *none):
        missing = [end for end, own in ((pair.first, near), (pair.second, far)) if vertex not in own]
        if len(missing) > left:
            break
        for end in missing:
            graph = graph.joined(vertex, end)
        left -= len(missing)
    joined = pair.second in near
    return graph, graph.joined(pair.first, pair.second, not joined)
