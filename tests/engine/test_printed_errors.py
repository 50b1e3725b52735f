"""Errors in print that `resources/help/topics/reading-papers.md` lists and no other test is about."""

import itertools
import math

import numpy as np
import pytest

from engine.aggregation.center_of_attention import Radii


def star(centers, leaves, twins=0, near=0, slack=0.0):
    """Return all distances of a star: centers in its middle, leaves 1 from it and 2 from each other.

    Of more points, all at one place, `near` leaves are just less than 2 away, and all else 3 or 4.
    """
    count = centers + leaves + twins
    distances = np.full((count, count), 2.0)
    distances[:centers] = distances[:, :centers] = 1.0
    distances[:centers, :centers] = 0.0
    if twins:
        distances[-twins:] = distances[:, -twins:] = 4.0 - slack
        distances[-twins:, :centers] = distances[:centers, -twins:] = 3.0 - slack
        distances[-twins:, centers : centers + near] = 2.0 - slack
        distances[centers : centers + near, -twins:] = 2.0 - slack
        distances[-twins:, -twins:] = 0.0
    np.fill_diagonal(distances, 0.0)
    return distances


def is_metric(distances):
    through = (distances[:, :, None] + distances[None, :, :]).min(axis=1)
    return np.array_equal(distances, distances.T) and bool(np.all(distances <= through + 1e-12))


@pytest.mark.parametrize("slack", [0.1, 1e-6])
def test_the_printed_center_of_attention_moves_half_as_far_again_as_its_bound(slack):
    """Theorem 4.9 at m = 30, s = 2, beta = 1, a = s/beta = 2: the rate comes as near to 3/2 as wanted."""
    m, s, beta, diameter = 30, 2, 1.0, 4.0
    both = star(2, m - 2, twins=2, near=15, slack=slack)
    assert is_metric(both)
    before, after = both[:m, :m], both[2:, 2:]  # the two centers go, and the twins come
    majority = (m + s) // 2 + 1

    def radii(distances, t):
        return np.sort(distances, axis=1)[:, t - 1]

    center, moved = int(radii(before, majority).argmin()), 2 + int(radii(after, majority).argmin())
    assert center < 2
    assert moved >= m
    a = round(s / beta)
    levels = [
        np.sort(radii(before, t))[:a].mean() if t <= m else diameter for t in range(majority + s, 100, s)
    ]
    printed = 2 * max(level * math.exp(-beta * k) for k, level in enumerate(levels))
    assert both[center, moved] / printed == pytest.approx(1.5 - slack / 2)
    assert Radii.of(before, diameter, s).published_bound(beta) == pytest.approx(printed)
    ours = Radii.of(before, diameter, s).smooth_bound(beta).value
    assert both[center, moved] <= ours
    assert radii(before, majority + s).min() * 3 >= both[center, moved]  # so that 3/2 is the most


def best_cost(points, k):
    """Return the least mean of squared distances to k centers, over all ways to divide the points."""
    least = math.inf
    for labels in itertools.product(range(k), repeat=len(points)):
        groups = [points[np.array(labels) == j] for j in range(k)]
        least = min(least, sum(((group - group.mean()) ** 2).sum() for group in groups if len(group)))
    return least / len(points)


@pytest.mark.parametrize(("n", "k", "width"), [(2, 1, 10.0), (4, 1, 10.0), (4, 2, 10.0), (3, 1, 0.1)])
def test_the_cost_of_a_clustering_moves_by_the_square_of_the_diameter(n, k, width):
    """STOC 2007, section 4.1, prints Λ/n, and the cost is of squared distances: Λ²/n."""
    grid = np.linspace(0.0, width, 5)
    costs = {places: best_cost(grid[list(places)], k) for places in itertools.product(range(5), repeat=n)}
    moved = max(abs(costs[places] - costs[(*places[:-1], other)]) for places in costs for other in range(5))
    assert moved <= width**2 / n
    assert (moved > width / n) == (width > 1)
    if k == 1:
        assert moved == pytest.approx(width**2 * (n - 1) / n**2)


def test_the_sum_of_squares_and_products_moves_by_two():
    """Slides print 1 for X^T X of records of L1 norm 1; it is 1 for one record more, 2 for a replaced one."""
    steps = np.linspace(-1, 1, 9)
    records = [np.array(pair) for pair in itertools.product(steps, steps) if abs(pair[0]) + abs(pair[1]) <= 1]
    outer = [np.outer(record, record) for record in records]
    assert max(np.abs(one).sum() for one in outer) == 1
    assert max(np.abs(one - other).sum() for one in outer for other in outer) == 2


def test_the_ratio_of_volumes_of_balls_is_above_what_is_printed_from_six_dimensions_on():
    """Lemma 2.1 (UAI 2005): the cell is a ball, k = 1, q its middle; so c' = 2 sqrt(2), and c' r < R."""
    for d in range(1, 12):
        ratio, printed = (2 * math.sqrt(2)) ** -d, 2.0 ** (-(d / 2 - 1) * d)
        assert (ratio > printed * (1 + 1e-12)) == (d >= 6)
        # what its proof ends with holds
        assert ratio < math.sqrt(math.pi) * d * 2 ** (-d / 2)


def test_the_sensitivity_of_a_clipped_mean_has_no_epsilon():
    """Slides print |a - b|/(k epsilon) for the sensitivity of a mean of k values between a and b."""
    k, low, high = 4, 2.0, 5.0
    values = np.linspace(0, 8, 9)
    means = {v: np.clip(v, low, high).mean() for v in itertools.combinations_with_replacement(values, k)}
    moved = max(
        abs(mean - np.clip((*v[:-1], other), low, high).mean())
        for v, mean in means.items()
        for other in values
    )
    assert moved == pytest.approx((high - low) / k)
