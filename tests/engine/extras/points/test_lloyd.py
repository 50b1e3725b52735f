"""Lloyd's algorithm with noise: what its rounds see and cost, and where its centers lie."""

from fractions import Fraction

import numpy as np
import pytest
from blobs import DATA, SQUARE

from engine import Lloyd
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.k_means import assign_points
from engine.privacy import Privacy
from engine.randomness import reproducible, secure


def worst_round(points_before, points_after, mechanism, privacy):
    """Return the loss of one round of noisy Lloyd for given centers."""
    ready = [mechanism.prepare(points, privacy) for points in (points_before, points_after)]
    centers = np.random.default_rng(81).uniform(-1, 1, (mechanism.k, 2))
    statistics = []
    for one in ready:
        nearest = np.argmin(((one.points[:, None] - centers) ** 2).sum(axis=2), axis=1)
        counts = np.bincount(nearest, minlength=mechanism.k)
        sums = np.stack([np.bincount(nearest, column, mechanism.k) for column in one.points.T], axis=1)
        statistics.append((counts, sums))
    (count, total), (count2, total2) = statistics
    return (
        np.abs(count - count2).sum() / ready[0].for_counts.scale
        + np.abs(total - total2).sum() / ready[0].for_sums.scale
    )


def test_rounds_of_lloyd_cost_their_share():
    mechanism, privacy = Lloyd(k=3, rounds=4), Privacy(0.8)
    rng = np.random.default_rng(82)
    losses = []
    for _ in range(200):
        points = rng.uniform(0, 1, (12, 2))
        corner = rng.choice([0.0, 1.0], (2, 2))
        before, after = points.copy(), points.copy()
        before[0], after[0] = corner
        losses.append(worst_round(Points(before, SQUARE), Points(after, SQUARE), mechanism, privacy))
    share = 0.8 / 4
    assert max(losses) <= share * (1 + 1e-9)
    assert max(losses) > 0.6 * share


class Recorder:
    """A generator of noise that is always 0, and of what was asked for."""

    def __init__(self):
        self.asked = []

    def laplace(self, location, scale, size):
        self.asked.append((location, scale, size))
        return np.zeros(size)

    def uniform(self, low, high, size):
        return np.zeros(size)


def test_what_lloyd_sees_of_the_data_has_noise_and_nothing_else():
    ready = Lloyd(k=3, rounds=4).prepare(DATA, Privacy(0.8))
    recorder, centers = Recorder(), ready.first
    drawn = ready.draw(recorder, 1)
    assert recorder.asked == [(0, ready.for_counts.scale, (3,)), (0, ready.for_sums.scale, (6,))] * 4
    for _ in range(4):
        nearest = np.argmin(((ready.points[:, None] - centers) ** 2).sum(axis=2), axis=1)
        held = [ready.points[nearest == j] for j in range(3)]
        centers = np.array([some.mean(axis=0) if len(some) else np.zeros(2) for some in held])
    # sums are rounded to a grid of 2^-19 of their noise or finer
    assert np.allclose(drawn, ready.back(centers[None]), rtol=1e-6)


@pytest.mark.parametrize("k", [1, 2, 9])
def test_the_center_of_a_point_does_not_depend_on_the_other_points(k):
    rng = np.random.default_rng(86)
    points, centers = rng.uniform(-1, 1, (40_000, 3)), rng.uniform(-1, 1, (k, 3))
    points[:k], points[k:20_000] = centers, points[20_000 : 40_000 - k]  # some are far from alone
    nearest = assign_points(points, centers)
    distances = ((points[:, None] - centers) ** 2).sum(axis=2)
    assert distances[np.arange(len(points)), nearest] == pytest.approx(distances.min(axis=1), abs=1e-12)
    some = rng.permutation(len(points))[:5000]
    assert np.array_equal(assign_points(points[some], centers), nearest[some])
    assert np.array_equal(assign_points(np.asfortranarray(points), centers), nearest)
    twice = np.concatenate([centers, centers])
    assert np.array_equal(assign_points(points, twice), nearest)  # the first of equally near ones


@pytest.mark.parametrize("release", [True, False])
def test_centers_of_lloyd_lie_on_a_public_grid(release):
    box = Box.of([0.1, -7.3], [0.7, 1e6])
    points = Points(np.random.default_rng(87).uniform(box.lower, box.upper, (200, 2)), box)
    steps = Lloyd().step(box, 200, Privacy(1.0))
    for epsilon in (1e-6, 1.0, 100.0):
        drawn = Lloyd().prepare(points, Privacy(epsilon)).draw(secure() if release else reproducible(1), 20)
        for axis, step in enumerate(steps):
            numbers = drawn[:, axis::2]
            assert np.array_equal(np.rint(numbers / step) * step, numbers)
            assert np.all((numbers >= box.lower[axis]) & (numbers <= box.upper[axis]))


@pytest.mark.parametrize("bounds", [([0, 0], [1, 1]), ([1e9, -1], [1e9 + 3e-6, 1e6])])
def test_sums_of_lloyd_are_exact_and_points_within_their_norm(bounds):
    box = Box.of(*bounds)
    rng = np.random.default_rng(84)
    points = Points(np.concatenate([rng.uniform(box.lower, box.upper, (999, 2)), [box.upper]]), box)
    ready = Lloyd(k=1).prepare(points, Privacy(1.0))
    assert np.abs(ready.points).max() <= 1
    for column in ready.points.T:
        summed = np.bincount(np.zeros(1000, dtype=int), column)[0]
        assert Fraction(summed) == sum(map(Fraction, column.tolist()))
    back = ready.back(ready.points[:, None])
    assert np.abs(back - points.values).max() <= 1e-9 * max(1.0, *box.upper)
