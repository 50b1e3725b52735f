"""The cost of a minimum-weight matching: bounds from a histogram, and the true one."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.histograms.histogram import Histogram
from engine.numerals import grouped
from engine.progress import Progress, silent

MAX_MATCHED = 2_000
"""Largest number of points, or cells with an odd count, to match: the time grows with its cube."""


@dataclasses.dataclass(frozen=True, eq=False)
class Matching:
    """Points matched in pairs at low cost; with an odd number one is left out.  From `match_cells`."""

    pairs: Ints  # shape (p, 2); pairs of different cells, by index in the histogram; or of points
    lengths: Floats  # shape (p,); of these pairs
    inside: float  # cost of pairs within cells
    lower: float  # lower bound on the cost of any matching of the points

    @property
    def cost(self) -> float:
        """Cost of this matching; the minimum is between `lower` and this."""
        return float(self.lengths.sum()) + self.inside


def match_cells(histogram: Histogram, *, progress: Progress = silent) -> Matching:
    """Match the points of a histogram in pairs, under d_H: from the histogram alone.

    The points of a cell are matched with each other.  A cell with an odd count leaves one over; these are
    matched as cheaply as `match_distances` can.  With exact counts, and Δ_x the diameter of the cell of x,

        lower  <=  minimum cost  <=  cost,     lower = A/2 - sum of all Δ_x ,

    where A/2 is the lower bound of `match_distances` for the points left over.

    Proof. d_H is no smaller than the distance: a matching costs at most its cost under d_H. For the other
    side take a minimum-weight matching of the points.  Its pairs between different cells are edges on the
    cells.  The degree of a cell has the parity of its count.  So the edges form closed walks, and
    paths that join the cells with an odd count in pairs.

    Along a path, the distance of its ends is at most the sum of its pairs and of the diameters of the cells
    between. d_H adds at most the diameters of the ends (inequality (2) of the paper).  Each Δ belongs to a
    point of a pair and is used once.  So the points left over can be matched for at most the minimum cost
    plus all Δ_x.  (Of an odd number of points, one may be left out of both: the path that ends at it is
    dropped.)

    Chawla, Dwork, McSherry, Talwar 2005, section 3, name minimum-weight matching as a problem whose expected
    cost d_H bounds; the algorithm, and the bound for one histogram, are ours.
    """
    counts = np.rint(np.clip(histogram.counts, 0.0, None)).astype(np.int64)
    odd = np.flatnonzero(counts % 2)
    if len(odd) > MAX_MATCHED:
        raise ParameterError(
            "histogram",
            f"{grouped(len(odd))} cells have an odd count, too many to match; choose a larger t, "
            f"or fewer cells: at most {grouped(MAX_MATCHED)}",
        )
    left = match_distances(histogram.between(odd[:, None], odd[None, :]), progress=progress)
    diameters = histogram.diameters
    inside = float((counts // 2) @ diameters)
    lower = max(0.0, left.lower - float(counts @ diameters))
    return Matching(odd[left.pairs], left.lengths, inside, lower)


def match_points(points: ArrayLike, *, progress: Progress = silent) -> Matching:
    """Match points (n, d) in pairs at low cost; private, if they are."""
    from scipy.spatial.distance import cdist

    values = np.asarray(points, dtype=np.float64)
    if len(values) > MAX_MATCHED:
        raise ParameterError(
            "points",
            f"{grouped(len(values))} are too many to match; it must be at most {grouped(MAX_MATCHED)}",
        )
    return match_distances(cdist(values, values), progress=progress)


def match_distances(distances: Floats, *, progress: Progress = silent) -> Matching:
    """Match items in pairs at low cost, given their symmetric matrix of distances, shape (k, k).

    Let A be the smallest cost of a permutation without fixed points.  A matching, there and back, is such a
    permutation: none costs less than A/2.  An even cycle of the permutation contains two matchings, and the
    cheaper one is taken.  An odd cycle leaves one member over, and these are matched in the same way.  Then
    pairs exchange partners as long as that saves cost.  For odd k an additional item at distance 0 is matched
    with the one that is left out.
    """
    k = len(distances)
    if k < 2:
        return Matching(np.empty((0, 2), dtype=np.int64), np.empty(0), 0.0, 0.0)
    even = np.zeros((k + k % 2,) * 2)
    even[:k, :k] = distances
    np.fill_diagonal(even, np.inf)
    progress(0.0, "matching")
    pairs, least = _pair_cycles(even)
    progress(0.7)
    pairs = np.sort(_exchange_partners(even, pairs), axis=1)
    pairs = pairs[pairs[:, 1] < k]
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return Matching(pairs, distances[pairs[:, 0], pairs[:, 1]], 0.0, least / 2)


def _pair_cycles(distances: Floats) -> tuple[Ints, float]:
    """Return pairs from the cycles of the cheapest permutation, and its cost."""
    from scipy.optimize import linear_sum_assignment

    rows, goal = linear_sum_assignment(distances)
    cost = float(distances[rows, goal].sum())
    pairs, left, seen = [], [], np.zeros(len(goal), dtype=np.bool_)
    for start in range(len(goal)):
        cycle = []
        member = start
        while not seen[member]:
            seen[member] = True
            cycle.append(member)
            member = int(goal[member])
        if cycle:
            edges, alone = _pair_cycle(distances, np.array(cycle))
            pairs.append(edges)
            left += alone
    if left:
        some = np.array(left)
        pairs.append(some[_pair_cycles(distances[np.ix_(some, some)])[0]])
    return np.concatenate(pairs), cost


def _pair_cycle(distances: Floats, cycle: Ints) -> tuple[Ints, list[int]]:
    """Return alternate edges of a cycle at the lowest cost, and the member left over, if any."""
    length, best = len(cycle), np.inf
    for start in range(2 if length % 2 == 0 else length):
        turned = np.roll(cycle, -start)
        pairs = turned[: length - length % 2].reshape(-1, 2)
        cost = float(distances[pairs[:, 0], pairs[:, 1]].sum())
        if cost < best:
            best, edges, alone = cost, pairs, turned[length - length % 2 :].tolist()
    return edges, alone


def _exchange_partners(distances: Floats, pairs: Ints) -> Ints:
    """Exchange partners until no two pairs can gain by it."""
    pairs = pairs.copy()
    waiting = list(range(len(pairs)))
    while waiting:
        one = waiting.pop()
        a, b = pairs[one]
        own = distances[a, b] + distances[pairs[:, 0], pairs[:, 1]]
        ways = np.stack(
            [
                distances[a, pairs[:, 0]] + distances[b, pairs[:, 1]],
                distances[a, pairs[:, 1]] + distances[b, pairs[:, 0]],
            ]
        )
        ways[:, one] = np.inf
        gains = own - ways
        way, other = np.unravel_index(int(gains.argmax()), gains.shape)
        if gains[way, other] > 1e-12 * own[other]:
            c, d = pairs[other] if way == 0 else pairs[other][::-1]
            pairs[one], pairs[other] = (a, c), (b, d)
            waiting += [one, int(other)]
    return pairs
