"""Averages: sensitivities by enumeration of tiny databases, and what the noise makes of them."""

import itertools
import math

import numpy as np
import pytest
from discrete import number_of_draws
from scipy.special import log_ndtr
from scipy.stats import ks_2samp, kstest

from engine.errors import ParameterError
from engine.primitives import SumCount, analytic_gaussian_sigma, largest_rho, noisy_average
from engine.primitives.averaging import OUTWARD, _noisy_sum, clip, diameter, noisy_average_sigma
from engine.privacy import Privacy
from engine.randomness import reproducible, secure
from engine.sampling.noise import add_noise, noise_step
from engine.sampling.output_grid import finest_step

AWAY = None
"""A record outside of the cell, or one that is not active."""

CELLS = {
    "interval": (0.5, [np.array([x]) for x in (-0.5, -0.1, 0.5)]),
    "disc": (2.0, [2 * np.array([math.cos(a), math.sin(a)]) for a in (0, 2, math.pi, 4)] + [np.zeros(2)]),
    "box": (np.array([3.0, 1.0]), [np.array(c) for c in itertools.product((-3, 3), (-1, 0, 1))]),
}


def databases(points, n):
    """Every multiset of n records, of which some are away, with its sum and count."""
    records = [AWAY, *range(len(points))]
    for chosen in itertools.combinations_with_replacement(range(len(records)), n):
        held = [points[records[i]] for i in chosen if records[i] is not AWAY]
        yield chosen, np.sum(held, axis=0) if held else np.zeros_like(points[0]), len(held)


def largest_move(points, release, changed=1, n=3):
    """The L2 distance between neighbours, each coordinate in units of its noise."""
    found = 0.0
    for (a, sum_a, count_a), (b, sum_b, count_b) in itertools.combinations(databases(points, n), 2):
        common = sum(min(a.count(r), b.count(r)) for r in set(a))
        if n - common <= changed:
            move = ((sum_a - sum_b) ** 2).sum() / release.sigma_sum**2
            found = max(found, move + (count_a - count_b) ** 2 / release.sigma_count**2)
    return math.sqrt(found)


def gaussian_delta(mu, epsilon):
    near, far = log_ndtr([mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu])
    return math.exp(near) - math.exp(epsilon + far)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("changes", [1, 2])
@pytest.mark.parametrize("privacy", [Privacy(0.2, 1e-6), Privacy(2.0, 1e-3)], ids=repr)
def test_no_pair_of_neighbours_is_told_apart(cell, changes, privacy):
    """Replacing covers adding and removing, too: a record may be away."""
    reach, points = CELLS[cell]
    release = SumCount.of(diameter(reach), privacy, changes=changes)
    mu = largest_move(points, release, changes)
    assert gaussian_delta(mu, privacy.epsilon) <= privacy.delta * (1 + 1e-6)
    assert gaussian_delta(mu, privacy.epsilon) >= privacy.delta * 0.999
    assert mu**2 / 2 == pytest.approx(release.cost.rho, rel=5e-5)
    assert release.cost.delta == 0


@pytest.mark.parametrize("cell", CELLS)
def test_both_kinds_of_change_cost_the_same(cell):
    reach, points = CELLS[cell]
    release = SumCount.of_rho(diameter(reach), 0.1)
    stays = max(((a - b) ** 2).sum() for a, b in itertools.product(points, points)) / release.sigma_sum**2
    leaves = max((a**2).sum() for a in points) / release.sigma_sum**2 + 1 / release.sigma_count**2
    assert stays == pytest.approx(0.2, rel=5e-5)
    assert leaves == pytest.approx(0.2, rel=5e-5)


def test_the_exact_condition_needs_less_noise_than_the_conversion():
    privacy = Privacy(1.0, 1e-6)
    exact = SumCount.of(2.0, privacy)
    assert exact.sigma_sum == pytest.approx(2 * analytic_gaussian_sigma(privacy), rel=5e-5)
    converted = SumCount.of_rho(2.0, largest_rho(privacy))
    assert exact.sigma_sum < 0.95 * converted.sigma_sum
    assert exact.sigma_count < 0.95 * converted.sigma_count


class Drawn:
    """A generator that gives out normals in the order given, and one Laplace number."""

    def __init__(self, *normals, laplace=0.0):
        self.normals, self.unit = list(normals), laplace

    def standard_normal(self, size=()):
        count = math.prod(size)
        drawn, self.normals = self.normals[:count], self.normals[count:]
        return np.reshape(drawn, size)

    def normal(self, loc, scale, size):
        return loc + scale * self.standard_normal(size)

    def laplace(self, loc, scale, size):
        return np.full(size, loc + scale * self.unit)


def test_the_release_is_noisy_sum_by_noisy_count():
    release = SumCount.of_rho(4.0, 8.0, changes=3.0)
    assert release.sigma_sum == pytest.approx(3 * 4 / 4, rel=5e-5)
    assert release.sigma_count == pytest.approx(3 / math.sqrt(12))
    points = np.array([[1.0, 0.5], [0.5, -1.0], [1.5, 0.25], [0.2, 0.3], [0.0, 0.0]])
    offset = release.release(points, 2.0, Drawn(0.5, -0.25, 2.0))
    step = noise_step(release.sigma_count)
    count = np.rint((5 + 2 * release.sigma_count) / step) * step
    expected = (points.sum(axis=0) + 3 * OUTWARD * np.array([0.5, -0.25])) / count
    np.testing.assert_allclose(offset, expected)
    # few points: the count is 1 at least, and the offset stays in the cell
    np.testing.assert_allclose(release.release(points[:1], 2.0, Drawn(0, 0, -9)), points[0])
    far = release.release(np.zeros((0, 2)), 2.0, Drawn(3, 4, 0))
    np.testing.assert_allclose(far, [1.2, 1.6])
    np.testing.assert_allclose(release.release(points, [0.1, 1.0], Drawn(3, -4, 0)), [0.1, -1.0])


def test_draws_have_the_noise_stated():
    """Far from clipping: 4,000 draws, six standard errors (false alarm below 1e-7)."""
    release, rng, m = SumCount.of_rho(2.0, 0.5), np.random.default_rng(13), 400
    points = np.full((m, 3), 0.1)
    offsets = np.array([release.release(points, 1.0, rng) for _ in range(4000)])
    sigma = math.hypot(release.sigma_sum, 0.1 * release.sigma_count) / m
    np.testing.assert_allclose(offsets.mean(axis=0), 0.1, atol=6 * sigma / math.sqrt(4000))
    np.testing.assert_allclose(offsets.std(axis=0) / sigma, 1, atol=6 / math.sqrt(8000) + 0.01)


def test_points_outside_are_moved_to_the_nearest_in_the_cell():
    rng = np.random.default_rng(14)
    points = rng.normal(0, 2, (40, 2))
    grid = np.stack(np.meshgrid(*[np.linspace(-1.5, 1.5, 151)] * 2), axis=-1).reshape(-1, 2)
    for reach, inside in (
        (1.5, np.linalg.norm(grid, axis=1) <= 1.5),
        (np.array([0.5, 1.2]), (np.abs(grid) <= [0.5, 1.2]).all(axis=1)),
    ):
        moved = clip(points, reach)
        nearest = np.linalg.norm(points[:, None] - grid[inside], axis=2).min(axis=1)
        np.testing.assert_allclose(np.linalg.norm(points - moved, axis=1), nearest, atol=0.03)
        np.testing.assert_array_equal(clip(moved[0], reach), moved[0])
    np.testing.assert_array_equal(clip([[0.0, 0.0]], 0.0), [[0.0, 0.0]])
    assert diameter(1.5) == 3
    assert diameter([3.0, 4.0]) == 10


def test_a_sum_is_exact_in_a_release():
    """With next to no noise the exact sum is what is released, rounded once; fsum rounds once, too."""
    points = np.random.default_rng(19).random((30_001, 2)) ** 9
    points[::7] *= -1e-9
    exact = [math.fsum(column) for column in points.T]
    assert _noisy_sum(points, 1, 1e-40, secure()).tolist() == exact
    assert points.sum(axis=0).tolist() != exact
    third = _noisy_sum(points[:3], 3, 1e-40, secure())
    np.testing.assert_allclose(third, points[:3].mean(axis=0), rtol=1e-15)


@pytest.mark.parametrize("size", [1e-200, 1e-3, 1e150])
def test_points_that_are_moved_into_a_cell_are_covered(size):
    """A point may miss the cell by a rounding, which the noise has room for."""
    rng = np.random.default_rng(20)
    points = clip(rng.normal(0, 3 * size, (20_000, 3)) if size > 1e-100 else np.zeros((1, 3)), size)
    assert max(math.hypot(*point) for point in points) <= size * (1 + (OUTWARD - 1) / 1000)


@pytest.mark.parametrize("rng", [reproducible(21), secure()], ids=["simulated", "released"])
def test_sums_and_counts_have_the_laws_stated(rng):
    """Kolmogorov-Smirnov at a false-alarm probability of 1e-6, for each of sum and count."""
    release, points = SumCount.of_rho(2.0, 0.5), np.full((3, 2), 0.1)
    sums = np.concatenate([_noisy_sum(points, 1, release.sigma_sum, rng) for _ in range(1000)])
    assert kstest((sums - 0.3) / release.sigma_sum, "norm").pvalue > 1e-6
    # a cell of one place: 0 by the count
    counts = add_noise(
        np.full(2000, 3), release.sigma_count, "gaussian", noise_step(release.sigma_count), rng
    )
    assert kstest((counts - 3) / release.sigma_count, "norm").pvalue > 1e-6


@pytest.mark.parametrize("points", [np.zeros((0, 1)), np.full((1, 1), 0.5), np.full((400, 1), -0.25)])
@number_of_draws(500, 1_500)
def test_releases_are_distributed_as_simulations(points, runs):
    """Two samples, Kolmogorov-Smirnov at 1e-6: a noisy mean, and NoisyAVG with its refusals."""
    privacy = Privacy(1.0, 0.01)
    release = SumCount.of(2.0, privacy)
    drawn, averaged = [], []
    for rng in (reproducible(22), secure()):
        drawn.append([float(release.release(points, 1.0, rng)[0]) for _ in range(runs)])
        means = [noisy_average(points, np.full(len(points), True), 1.0, privacy, rng) for _ in range(runs)]
        averaged.append([-1e9 if mean is None else float(mean[0]) for mean in means])
    assert ks_2samp(*drawn, method="asymp").pvalue > 1e-6
    assert ks_2samp(*averaged, method="asymp").pvalue > 1e-6


def test_released_sums_lie_on_a_public_step():
    release = SumCount.of_rho(2.0, 0.5)
    step = finest_step(release.sigma_sum, release.sigma_sum)
    for points in (np.full((1, 2), 0.1), np.full((9, 2), 1 / 3)):
        sums = _noisy_sum(points, 1, release.sigma_sum, secure())
        assert np.array_equal(sums, np.rint(sums / step) * step)


@pytest.mark.parametrize("epsilon", [1e-9, 1.0, 100.0])
@pytest.mark.parametrize("width", [1e-150, 1.0, 1e150])
def test_releases_of_any_size_stay_in_the_cell(epsilon, width):
    release = SumCount.of(width, Privacy(epsilon, 1e-12))
    for points in (np.zeros((0, 2)), [[width / 4, 0.0]], np.full((50, 2), width)):
        offset = release.release(points, [width / 3, width / 3], secure())
        assert np.all(np.abs(offset) <= width / 3)


def test_outlying_points_do_not_break_the_release():
    """What is called a point of the cell but is not is clipped to it."""
    release = SumCount.of_rho(2.0, 0.5)
    points = [[1e9, 0.0], *[[0.0, 0.5]] * 9]
    np.testing.assert_allclose(release.release(points, 1.0, Drawn(0, 0, 0)), [0.1, 0.45])
    np.testing.assert_allclose(release.release(points, [0.6, 0.2], Drawn(0, 0, 0)), [0.06, 0.18])


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: SumCount(0.0, 1.0), "diameter"),
        (lambda: SumCount(1.0, -1.0), "rho"),
        (lambda: SumCount(1.0, math.inf), "rho"),
        (lambda: SumCount(1.0, 1.0, 0.0), "changes"),
        (lambda: SumCount.of(1.0, Privacy(1.0)), "delta"),
        (lambda: SumCount(2.0, 1.0).release([[0.0, 0.0]], 1.001, np.random.default_rng(0)), "reach"),
        (lambda: SumCount(2.0, 1.0).release([[0.0, 0.0]], [0.8, 0.8], np.random.default_rng(0)), "reach"),
        (lambda: averaged(Privacy(2.0, 1e-6)), "epsilon"),
        (lambda: averaged(Privacy(1.0)), "delta"),
    ],
)
def test_what_makes_no_sense_is_refused(call, field):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.field == field


def averaged(privacy, rng=None, radius=1.0):
    values, inside = np.array([[0.5, 0.0], [9.0, 9.0], [3.0, 4.0]]), [True, False, True]
    return noisy_average(values, inside, radius, privacy, rng or np.random.default_rng(0))


def test_noisy_average_is_the_algorithm_in_print():
    privacy = Privacy(0.5, 0.1)
    shift = 4 * math.log(20)
    for laplace, count in ((3.0, 14 - shift), (5.0, 22 - shift)):
        sigma = noisy_average_sigma(count, 1.0, privacy)
        assert sigma == pytest.approx(8 / (0.5 * count) * math.sqrt(2 * math.log(80)))
        found = averaged(privacy, Drawn(1.0, -2.0, laplace=laplace))
        # (3, 4) lies outside of the radius
        expected = np.array([1.1 / 2, 0.8 / 2]) + sigma * np.array([1, -2])
        # the count is on a grid of 2^-17, a step below the nearest point
        np.testing.assert_allclose(found, expected, rtol=2**-15)
    assert averaged(privacy, Drawn(laplace=(shift - 2) / 4)) is None
    assert averaged(Privacy(1.999, 1e-6)) is None
    nobody = noisy_average(np.ones((5, 2)), [False] * 5, 1.0, privacy, Drawn(0.0, 0.0, laplace=9.0))
    np.testing.assert_array_equal(nobody, [0, 0])
    alone = noisy_average([[0.5, 0.25]], [True], 1.0, privacy, Drawn(0.0, 0.0, laplace=9.0))
    np.testing.assert_array_equal(alone, [0.5, 0.25])
