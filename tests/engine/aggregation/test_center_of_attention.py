"""Centers of attention: the bound is smooth and large enough, on all data of small spaces."""

import math

import numpy as np
import pytest
from outputs import grid, largest_rate, moves, multisets, random_metric, within

from engine.aggregation.center_of_attention import LineRadii, Radii
from engine.errors import ParameterError

CASES = [(5, 5, 1), (5, 7, 1), (4, 8, 1), (4, 8, 2), (4, 9, 2), (3, 11, 3), (3, 13, 3), (3, 12, 2)]
"""Points in the space, outputs m, and s."""
BETAS = (0.1, 0.4, 1.0)
SLACK = 1 + 1e-9


def spaces(size):
    yield grid(size)[1]
    rng = np.random.default_rng(61)
    for _ in range(2):
        yield random_metric(rng, size)


def all_radii(distances, everything, s):
    return [Radii.of(distances[np.ix_(row, row)], distances.max(), s) for row in everything]


@pytest.mark.parametrize(("size", "m", "s"), CASES)
def test_the_bound_is_smooth_and_never_below_what_the_center_moves(size, m, s):
    everything = multisets(size, m)
    near = within(everything, size, s)
    for distances in spaces(size):
        radii = all_radii(distances, everything, s)
        centers = []
        for row, one in zip(everything, radii, strict=True):
            around = one.radius(one.majority)
            assert around[one.center] == around.min()
            centers.append(set(row[around == around.min()].tolist()))
        local = moves(centers, near, lambda a, b, d=distances: d[a, b])
        for beta in BETAS:
            bound = np.array([one.smooth_bound(beta).value for one in radii])
            assert np.all(local <= bound * SLACK)
            assert largest_rate(bound, near, beta) <= SLACK


@pytest.mark.parametrize(("size", "m", "s"), CASES)
def test_the_middle_of_the_shortest_majority(size, m, s):
    points, distances = grid(size)
    everything = multisets(size, m)
    near = within(everything, size, s)
    lines = [LineRadii.of(points[row], distances.max(), s) for row in everything]
    centers = []
    for line in lines:
        lengths = line._lengths(line.majority)
        starts = np.flatnonzero(lengths == lengths.min())
        centers.append(set((line.values[starts] + lengths.min() / 2).tolist()))
        assert line.center in centers[-1]
    local = moves(centers, near, lambda a, b: abs(a - b))
    for beta in BETAS:
        bound = np.array([line.smooth_bound(beta).value for line in lines])
        assert np.all(local <= bound * SLACK)
        assert largest_rate(bound, near, beta) <= SLACK


def test_the_published_bound_fails_both_tests():
    """Its logarithm moves faster than beta, and for beta > 1/2 it can be below the local sensitivity."""
    everything = multisets(5, 7)
    near = within(everything, 5, 1)
    _, distances = grid(5)
    radii = all_radii(distances, everything, 1)
    centers = []
    for row, one in zip(everything, radii, strict=True):
        around = one.radius(one.majority)
        centers.append(set(row[around == around.min()].tolist()))
    local = moves(centers, near, lambda a, b: distances[a, b])
    slow = np.array([one.published_bound(0.1) for one in radii])
    assert largest_rate(slow, near, 0.1) > 1.5
    fast = np.array([one.published_bound(1.0) for one in radii])
    assert np.max(local / fast) > 1.3


def test_planted_bugs_are_caught():
    """The bound without the maximum over k, and with one ball instead of two."""
    everything = multisets(5, 7)
    near = within(everything, 5, 1)
    _, distances = grid(5)
    radii = all_radii(distances, everything, 1)
    without_maximum = np.array([max(one._level(0) + one._level(1), 1e-9) for one in radii])
    assert largest_rate(without_maximum, near, 0.4) > 2
    one_ball = np.array([one.smooth_bound(0.4).value / 2 for one in radii])
    centers = [{int(row[one.center])} for row, one in zip(everything, radii, strict=True)]
    local = moves(centers, near, lambda a, b: distances[a, b])
    assert np.any(local > one_ball)


def test_outputs_that_agree_leave_a_small_bound():
    """With two thirds within r of one output, S is at most max(4 r, Λ exp(-beta (m/(6 s) - 1)))."""
    rng = np.random.default_rng(62)
    for s in (1, 2, 3):
        outputs = np.concatenate([0.5 + 0.01 * rng.uniform(-1, 1, (240, 2)), rng.uniform(0, 1, (120, 2))])
        distances = np.linalg.norm(outputs[:, None] - outputs, axis=2)
        radii = Radii.of(distances, math.sqrt(2), s)
        for beta in (0.05, 0.2, 1.0):
            r = 0.02 * math.sqrt(2)
            limit = max(4 * r, math.sqrt(2) * math.exp(-beta * (360 / (6 * s) - 1)))
            assert radii.smooth_bound(beta).value <= limit


def test_equal_outputs_and_too_many_that_change():
    radii = Radii.of(np.zeros((9, 9)), 4.0, 1)
    # t_0 = 6 of 9: four more changes and no majority is left
    assert radii.smooth_bound(0.5).value == pytest.approx(4.0 * math.exp(-0.5 * 3))
    assert radii.center == 0
    for s in (0, 9):
        with pytest.raises(ParameterError, match="of 9 outputs"):
            Radii.of(np.zeros((9, 9)), 4.0, s)
        with pytest.raises(ParameterError, match="of 9 outputs"):
            LineRadii.of(np.zeros(9), 4.0, s)
    with pytest.raises(ParameterError, match="beta"):
        radii.smooth_bound(0.0)
