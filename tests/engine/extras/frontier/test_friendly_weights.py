"""The statement about friendly weights, from its definition: all outputs of small spaces, all neighbours."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from outputs import multisets, within

from engine.aggregation.spaces import Euclidean, Manhattan, Wasserstein
from engine.domain import Box
from engine.extras.frontier.friendly_core import SEPARATION, FriendlyWeights, friendly_radii

LINE, SQUARE = Box.of([0], [4]), Box.of([0, 0], [2, 2])
NUMBERS = np.arange(5.0)[:, None]
CORNERS = np.array([[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]], dtype=float)
SETS = np.array([[0, 4], [4, 0.25], [0.25, 3.5], [0.5, 3.75], [2, 2]])
SPACES = [(Euclidean(LINE), NUMBERS), (Manhattan(SQUARE), CORNERS), (Wasserstein(LINE.times(2), 2), SETS)]


def distance(space, first, second):
    """Return the distance of two outputs, by all ways to match them."""
    if not isinstance(space, Wasserstein):
        return np.linalg.norm(first - second, ord=1 if isinstance(space, Manhattan) else 2)
    ways = itertools.permutations(second.reshape(space.k, -1))
    return min(np.linalg.norm(first - np.ravel(way)) for way in ways)


def defined(space, outputs, s, radius):
    """Return the weights of a few outputs at a radius, one by one."""
    m, found = len(outputs), []
    for one in outputs:
        friends = sum(bool(distance(space, one, other) <= radius) for other in outputs)
        centers = one.reshape(getattr(space, "k", 1), -1)
        apart = [np.linalg.norm(a - b) for a, b in itertools.combinations(centers, 2)]
        together = any(gap <= SEPARATION * radius for gap in apart)
        found.append(0 if together else max(0, 2 * friends - m - s))
    return found


@pytest.mark.parametrize(("space", "points"), SPACES, ids=["L2", "L1", "wasserstein"])
@pytest.mark.parametrize("s", [1, 2])
def test_weights_are_those_of_the_definition(space, points, s):
    for row in multisets(len(points), 6)[::17]:
        found = FriendlyWeights.of(points[row], space, s)
        for radius, weights in zip(found.radii, found.weights, strict=True):
            assert weights.tolist() == defined(space, points[row], s, radius)
        exact = [Fraction(int(weights.sum()), 6 - s) for weights in found.weights]
        assert all(
            0 <= one - Fraction(total) < 2**-20 for one, total in zip(exact, found.totals, strict=True)
        )


def test_radii_follow_from_the_diameter():
    radii = friendly_radii(10.0)
    assert radii[[0, 2, 4, -1]].tolist() == [10.0, 5.0, 2.5, 10 * 2.0**-20]
    assert np.allclose(radii[1:] / radii[:-1], np.sqrt(0.5))


def mean(space, outputs, weights):
    """Return the weighted mean of outputs, sets in the order of the first of them."""
    held = outputs[weights > 0]
    if isinstance(space, Wasserstein):
        ways = [one[list(order)] for one in held for order in itertools.permutations(range(space.k))]
        ways = np.reshape(ways, (len(held), -1, held.shape[1]))
        held = np.stack([min(each, key=lambda way: np.linalg.norm(way - held[0])) for each in ways])
    return weights[weights > 0] @ held / weights.sum()


def worst(space, points, m, s, kind=FriendlyWeights):
    """Return the largest change of V, and of the mean, each as a share of what is stated for it."""
    everything = multisets(len(points), m)
    near = within(everything, len(points), s)
    radii = friendly_radii(space.diameter)[:10]
    table = np.array([[distance(space, one, other) for other in points] for one in points])
    found = [kind.of(points[row], space, s).weights[:10] for row in everything]
    moved = changed = 0.0
    for i, j in np.argwhere(np.triu(near, 1)):
        for place, radius in enumerate(radii):
            first, second = found[i][place], found[j][place]
            totals = first.sum(), second.sum()
            changed = max(changed, abs(totals[0] - totals[1]) / (3 * s * (m - s)))
            if min(totals) == 0:
                continue
            held = np.append(everything[i][first > 0], everything[j][second > 0])
            assert table[np.ix_(held, held)].max() <= 2 * radius * (1 + 1e-12)
            apart = distance(
                space, mean(space, points[everything[i]], first), mean(space, points[everything[j]], second)
            )
            moved = max(moved, apart * max(totals) / (2 * radius * 3 * s * (m - s)))
    return changed, moved


@pytest.mark.parametrize(("space", "points"), SPACES, ids=["L2", "L1", "wasserstein"])
@pytest.mark.parametrize("s", [1, 2])
def test_totals_and_means_move_by_no_more_than_stated(space, points, s):
    changed, moved = worst(space, points[:4], 4 + s, s)
    assert 0.6 <= changed <= 1
    assert 0 < moved <= 1


def test_abrupt_weights_move_by_more():
    from engine.extras.frontier.planted import AbruptWeights

    changed, _ = worst(Euclidean(LINE), NUMBERS[:3], 9, 1, AbruptWeights)
    assert changed > 1.5


def test_sets_are_put_in_order_by_their_nearest_centers():
    rng = np.random.default_rng(5)
    space = Wasserstein(Box.of([0.0, 0.0], [1.0, 1.0]).times(3), 3)
    first = np.array([0.1, 0.1, 0.5, 0.9, 0.9, 0.2])
    sets = (first + rng.uniform(-0.05, 0.05, (20, 6))).reshape(20, 3, 2)
    mixed = np.stack([one[rng.permutation(3)] for one in sets]).reshape(20, 6)
    assert np.array_equal(space.in_order_of(first, mixed), sets.reshape(20, 6))
    apart = [min(np.linalg.norm(a - b) for a, b in itertools.combinations(one, 2)) for one in sets]
    assert np.allclose(space.separations(mixed), apart, rtol=1e-12)
    assert np.isinf(Euclidean(SQUARE).separations(CORNERS)).all()
    assert np.array_equal(Euclidean(SQUARE).in_order_of(CORNERS[0], CORNERS), CORNERS)
