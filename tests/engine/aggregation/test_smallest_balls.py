"""The smallest balls: radii from the definition, a bound that is smooth and large enough, and lost digits."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from outputs import largest_rate, moves, multisets, within

from engine.aggregation.center_of_attention import LineRadii
from engine.aggregation.smallest_balls import ACCURACY, BallRadii, distances_needed, most_outputs
from engine.errors import ParameterError

SLACK = 1 + 1e-9
PLANES = (
    np.array([[0, 0], [1, 0], [0.2, 0.9], [0.6, 0.4]]),
    np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]]),
)


def sphere(points):
    """The center of the sphere through exact points, in their affine hull; None where there is none."""
    first, *others = points
    away = [[a - b for a, b in zip(one, first, strict=True)] for one in others]
    rows = [
        [sum(a * b for a, b in zip(one, other, strict=True)) for other in away]
        + [sum(a * a for a in one) / 2]
        for one in away
    ]
    size = len(rows)
    for i in range(size):
        pivot = next((k for k in range(i, size) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [a / rows[i][i] for a in rows[i]]
        for k in range(size):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [at + sum(rows[k][-1] * away[k][axis] for k in range(size)) for axis, at in enumerate(first)]


def exact_radii(points, start):
    """r(start), r(start + 1), ... of doubles, in rational numbers up to the last root."""
    exact = [[Fraction(float(part)) for part in point] for point in points]
    best = [None] * (len(exact) - start + 1)
    for size in range(1, len(exact[0]) + 2):
        for some in itertools.combinations(exact, size):
            center = sphere(some)
            if center is not None:
                away = sorted(sum((a - b) ** 2 for a, b in zip(one, center, strict=True)) for one in exact)
                best = [
                    there if old is None else min(old, there)
                    for old, there in zip(best, away[start - 1 :], strict=True)
                ]
    return [math.sqrt(one) for one in best]


@pytest.mark.parametrize(("m", "d"), [(5, 1), (7, 2), (8, 2), (6, 3)])
def test_no_other_center_has_a_smaller_ball(m, d):
    """Of a fine lattice of centers none is better, and one is nearly as good."""
    rng = np.random.default_rng(m * d)
    points = rng.random((m, d))
    found = BallRadii.of(points, 2.0)
    per_axis = {1: 4001, 2: 151, 3: 31}[d]
    lattice = np.stack(np.meshgrid(*[np.linspace(0, 1, per_axis)] * d), -1).reshape(-1, d)
    near = np.sort(np.linalg.norm(lattice[:, None] - points, axis=2), axis=1)[:, found.majority - 1 :]
    least = near.min(axis=0)
    assert (found.radii <= least * SLACK).all()
    assert (least <= found.radii + math.sqrt(d) / 2 / (per_axis - 1)).all()
    center = np.array([float(part) for part in found.exact_center])
    held = (np.linalg.norm(points - center, axis=1) <= found.radii[0] * SLACK).sum()
    assert held >= found.majority


def test_on_a_line_it_is_the_middle_of_the_shortest_majority():
    values = np.random.default_rng(4).random(15)
    for s in (1, 2):
        ball, line = BallRadii.of(values[:, None], 1.0, s), LineRadii.of(values, 1.0, s)
        assert float(ball.exact_center[0]) == pytest.approx(line.center)
        assert ball.radii[0] == pytest.approx(line._radius(0))


@pytest.mark.parametrize(("points", "m", "s"), [(PLANES[0], 6, 1), (PLANES[0], 6, 2), (PLANES[1], 5, 1)])
def test_the_bound_is_smooth_and_never_below_what_the_center_moves(points, m, s):
    everything = multisets(len(points), m)
    near = within(everything, len(points), s)
    diameter = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    balls = [BallRadii.of(points[row], diameter, s) for row in everything]
    centers = [{tuple(float(part) for part in one.exact_center)} for one in balls]
    local = moves(centers, near, math.dist)
    for beta in (0.1, 1.0):
        bound = np.array([one.smooth_bound(beta).value for one in balls])
        assert np.all(local <= bound * SLACK)
        assert largest_rate(bound, near, beta) <= SLACK
    halved = np.array([one.smooth_bound(1.0).value / 2 for one in balls])  # one ball in the place of two
    assert np.any(local > halved)
    without_maximum = np.array([max(one._level(0) + one._level(1), 1e-9) for one in balls])
    assert largest_rate(without_maximum, near, 0.1) > 2


@pytest.mark.parametrize("apart", [1e-13, 1e-9, 1e-8, 1e-7, 1e-5])
@pytest.mark.parametrize("d", [2, 3])
def test_radii_keep_the_digits_that_are_paid_for(apart, d):
    """Nearly the same outputs, and nearly flat sets of them: against exact arithmetic."""
    rng = np.random.default_rng(int(-math.log10(apart)) + 100 * d)
    for far in (0.0, 1e3):
        two = rng.random((2, d))
        twins = np.concatenate([two, two + apart * rng.standard_normal((2, d)), rng.random((1, d))])
        angles = rng.uniform(0, 2 * math.pi, 5)
        round_ = np.column_stack([np.cos(angles), np.sin(angles), np.zeros((5, d - 2))])
        flat = round_ + apart * rng.standard_normal((5, d))
        for points in (twins + far, flat + far):
            found = BallRadii.of(points, 1e4)
            exact = exact_radii(points, found.majority)
            assert found.radii == pytest.approx(exact, rel=ACCURACY / 2)


def test_equal_outputs_have_a_ball_of_radius_0():
    found = BallRadii.of(np.full((9, 2), 0.3), 4.0)
    assert found.exact_center == (Fraction(0.3), Fraction(0.3))
    assert found.smooth_bound(0.5).value == pytest.approx(4.0 * math.exp(-0.5 * 3))


def test_what_it_takes_is_told_before():
    assert most_outputs(2) < most_outputs(1)
    assert distances_needed(most_outputs(3), 3) <= 10**8 < distances_needed(most_outputs(3) + 1, 3)
    with pytest.raises(ParameterError, match="of 9 outputs"):
        BallRadii.of(np.zeros((9, 2)), 4.0, 9)
