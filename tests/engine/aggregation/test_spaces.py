"""Distances between outputs: brute force over permutations, and what noise must cover."""

import itertools
import math

import numpy as np
import pytest

from engine.aggregation.spaces import Euclidean, Manhattan, Wasserstein, _by_assignment, _by_subsets, _matched
from engine.domain import Box
from engine.errors import ParameterError
from engine.progress import Cancelled

BOX = Box.of([0, -1, 10], [2, 1, 14])


def test_vectors():
    rng = np.random.default_rng(64)
    a, b = rng.uniform(BOX.lower, BOX.upper, (7, 3)), rng.uniform(BOX.lower, BOX.upper, (5, 3))
    difference = a[:, None] - b
    assert np.allclose(Euclidean(BOX).distances(a, b), np.sqrt((difference**2).sum(axis=2)))
    assert np.allclose(Manhattan(BOX).distances(a, b), np.abs(difference).sum(axis=2))
    assert Euclidean(BOX).diameter == pytest.approx(math.sqrt(24))
    assert Manhattan(BOX).diameter == 8


@pytest.mark.parametrize(("k", "dimension"), [(1, 2), (2, 2), (3, 1), (4, 2), (9, 1)])
def test_sets_of_centers_are_matched_as_well_as_possible(k, dimension):
    rng = np.random.default_rng(65)
    space = Wasserstein(Box.of([0] * dimension, [1] * dimension).times(k), k)
    count = 6 if k < 9 else 2
    a, b = rng.random((count, k * dimension)), rng.random((count, k * dimension))
    b[0] = a[0].reshape(k, dimension)[::-1].ravel()
    found = space.distances(a, b)
    permutations = list(itertools.permutations(range(k))) if k < 9 else None
    for i, j in itertools.product(range(count), repeat=2):
        left, right = a[i].reshape(k, dimension), b[j].reshape(k, dimension)
        if permutations is None:  # in one dimension the order is the best matching
            best = np.linalg.norm(np.sort(left, axis=0) - np.sort(right, axis=0))
        else:
            best = min(np.linalg.norm(left - right[list(order)]) for order in permutations)
        assert found[i, j] == pytest.approx(best, abs=1e-12)
    assert found[0, 0] == pytest.approx(0, abs=1e-7)


def test_assignment_and_subsets_agree():
    cost = np.random.default_rng(66).random((5, 5, 4, 4))
    assert np.allclose(_by_assignment(cost), _by_subsets(cost), rtol=1e-14)


@pytest.mark.parametrize(("k", "search"), [(5, _by_subsets), (8, _by_subsets), (9, _by_assignment)])
@pytest.mark.parametrize("plain", [0.0, 0.4, 0.9, 1.0])
def test_plain_matchings_are_those_that_a_search_finds(k, search, plain):
    """To the last bit, whichever share of the pairs is plain; equal costs and centers are among them."""
    rng = np.random.default_rng(k)
    near = np.array([[rng.permutation(np.eye(k)) for _ in range(6)] for _ in range(6)]).transpose(2, 3, 0, 1)
    cost = rng.random((k, k, 6, 6))
    cost = np.where(rng.random((6, 6)) < plain, cost / 8 + 1 - near, cost)
    cost[:, :, 0, ::2] = np.rint(3 * cost[:, :, 0, ::2])
    assert np.array_equal(_matched(cost), search(cost))


@pytest.mark.parametrize("space", [Euclidean(BOX), Manhattan(BOX), Wasserstein(BOX.times(2), 2)], ids=repr)
def test_no_difference_is_longer_than_the_distance_stretched(space):
    rng = np.random.default_rng(67)
    a, b = (rng.uniform(space.box.lower, space.box.upper, (200, space.dimension)) for _ in range(2))
    distance = np.array([space.distances(x[None], y[None])[0, 0] for x, y in zip(a, b, strict=True)])
    assert np.all(distance <= space.diameter * (1 + 1e-12))
    sets = b.reshape(200, -1, 3)
    orders = list(itertools.permutations(range(sets.shape[1]))) if isinstance(space, Wasserstein) else None
    for norm, power in (("L1", 1), ("L2", 2)):
        ways = [b] if orders is None else [sets[:, list(order)].reshape(200, -1) for order in orders]
        if orders is not None:
            # the matching that the distance takes, not the best one for this norm
            costs = np.array([((a - way) ** 2).sum(axis=1) for way in ways])
            ways = [np.array(ways)[costs.argmin(axis=0), np.arange(200)]]
        length = np.linalg.norm(a - ways[0], ord=power, axis=1)
        assert np.all(length <= space.stretch(norm) * distance * (1 + 1e-9))


def test_large_tables_come_in_chunks_with_progress(monkeypatch):
    rng = np.random.default_rng(68)
    space = Wasserstein(Box.of([0, 0], [1, 1]).times(2), 2)
    a = rng.random((23, 4))
    whole = space.distances(a, a)
    monkeypatch.setattr("engine.aggregation.spaces._CHUNK", 50)
    seen = []
    assert np.array_equal(space.distances(a, a, lambda share, words="": seen.append(share)), whole)
    assert np.allclose(space.table(a), whole, atol=1e-15)
    assert np.array_equal(space.table(a), space.table(a).T)
    for which in ([1, 2], [0], [22], [3, 4, 17, 20]):
        assert np.array_equal(space.rows(a, np.array(which)), space.table(a)[which])
    assert len(seen) > 5

    def impatient(share, words=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        space.distances(a, a, impatient)


def test_centers_that_do_not_share_the_coordinates_are_refused():
    with pytest.raises(ParameterError, match="evenly"):
        Wasserstein(BOX, 2)
