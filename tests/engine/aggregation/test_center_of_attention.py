"""Centers of attention: bounds on all data of small spaces; balls against the table of all distances."""

import math

import numpy as np
import pytest
from outputs import grid, largest_rate, moves, multisets, random_metric, within

from engine.aggregation import center_of_attention as module
from engine.aggregation.center_of_attention import LineRadii, MajorityRadii, Radii
from engine.aggregation.spaces import Euclidean, Wasserstein
from engine.domain import Box
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


SPACES = {
    "L2": Euclidean(Box.of([0.0, 0.0], [1.0, 1.0])),
    "sets": Wasserstein(Box.of([0.0] * 6, [1.0] * 6), 3),
}
RADII_BETAS = (1e-3, 0.02, 0.3, 2.0)


def outputs_of(kind, space, m):
    rng = np.random.default_rng(m)
    values = rng.uniform(0, 1, (m, space.dimension))
    if kind == "near":
        values[: 3 * m // 4] = 0.3 + 0.01 * values[: 3 * m // 4]
    return np.round(values, 1) if kind == "ties" else values


@pytest.mark.parametrize("few", [True, False])  # levels and outputs at once
@pytest.mark.parametrize("kind", ["spread", "near", "ties"])
@pytest.mark.parametrize("name", SPACES)
def test_center_and_bound_are_those_of_the_whole_table(name, kind, few, monkeypatch):
    if few:
        monkeypatch.setattr(module, "LEVELS", 3)
        monkeypatch.setattr(module, "DISTANCES_PER_REPORT", 100)
        monkeypatch.setattr(module, "LIMIT_SAMPLE_SIZE", 5)
        monkeypatch.setattr(module, "FIRST_LIMIT_DIVISOR", 3)
    space = SPACES[name]
    for m, s in ((3, 1), (40, 1), (41, 3), (80, 2)):
        outputs = outputs_of(kind, space, m)
        whole = Radii.of(space.table(outputs), space.diameter, s)
        found = MajorityRadii(space, outputs, s)
        assert (found.center, found.majority) == (whole.center, whole.majority)
        assert found.radius == whole.radius(whole.majority)[whole.center]
        for beta in RADII_BETAS:
            assert found.smooth_bound(beta) == whole.smooth_bound(beta)


def test_as_many_as_there_are_cannot_change():
    space = SPACES["L2"]
    with pytest.raises(ParameterError, match="below 4"):
        MajorityRadii(space, np.zeros((4, 2)), 4)
