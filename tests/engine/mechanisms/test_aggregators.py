"""The privacy of every aggregator: all outputs of blocks on small grids, and all their neighbours."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from outputs import multisets, within
from privacy_loss import largest_log_ratio

from engine.aggregation.spaces import Euclidean, Manhattan, Wasserstein
from engine.domain import Box
from engine.mechanisms.aggregators import (
    AGGREGATORS,
    Average,
    CenterOfAttention,
    MedianAggregator,
    OneClusterAggregator,
    ShortestInterval,
    SmallestBall,
    WinsorizedAggregator,
)
from engine.mechanisms.aggregators.base import output_grids
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.planted.bounds import OtherSmoothness, PublishedBound
from engine.noise import (
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplacePareto,
    MultivariateT,
    PowerLaplace,
    StudentT,
)
from engine.privacy import Privacy
from engine.randomness import reproducible

LINE = Box.of([0], [4])
NUMBERS = np.arange(5.0)[:, None]
SQUARE = Box.of([0, 0], [2, 2])
CORNERS = np.array(list(itertools.product([0.0, 1.0, 2.0], repeat=2)))[[0, 1, 4, 5, 8]]
PAIRS_OF_CENTERS = np.array([[0, 1], [1, 0], [0, 3], [3, 1], [2, 2]], dtype=float)


def ready(aggregator, points, space, m, s, privacy):
    everything = multisets(len(points), m)
    near = within(everything, len(points), s)
    found = [aggregator.prepare(points[row], space, s, privacy) for row in everything]
    return found, [(found[i], found[j]) for i, j in np.argwhere(near) if i < j]


def on_a_line(one):
    """Return what draws the single number of a vector."""
    return AdditivePrepared(
        center=one.exact[0],
        scale=float(one.scale[0]),
        family=one.family,
        grid=output_grids(LINE)[0],
        noise={},
        diagnostics=one.diagnostics,
        error=None,
    )


def with_few(few, many, *noises):
    """Yield all noises with few outputs, and the first one with more that a record may change."""
    for place, noise in enumerate(noises):
        yield pytest.param(*noise, *few)
        yield pytest.param(*noise, *many, marks=pytest.mark.slow if place else [])


@pytest.mark.parametrize(
    ("noise", "m", "s"),
    [
        *with_few((7, 1), (8, 2), (LaplacePareto(),), (GeneralizedCauchy(),)),
        *(pytest.param(StudentT(), *at, marks=pytest.mark.slow) for at in ((7, 1), (8, 2))),
    ],
    ids=repr,
)
@pytest.mark.parametrize("aggregator", [CenterOfAttention, ShortestInterval, SmallestBall, MedianAggregator])
def test_one_number_with_pure_noise(aggregator, noise, m, s):
    for epsilon in (0.5, 2.0)[s - 1 :]:  # both where there are few
        _, pairs = ready(aggregator(noise=noise), NUMBERS[:4], Euclidean(LINE), m, s, Privacy(epsilon))
        # many neighbours share center and scale, and with them the law of what is released
        laws = {(*x.center, *x.scale, *y.center, *y.scale): (x, y) for x, y in pairs}
        worst = max(largest_log_ratio(on_a_line(x), on_a_line(y)) for x, y in laws.values())
        assert worst <= epsilon * (1 + 1e-9)


def shift(first, second, space, norm):
    """Return how far two centers are apart in the norm of the noise, matched if they are sets."""
    ways = [second]
    if isinstance(space, Wasserstein):
        sets = second.reshape(space.k, -1)
        ways = [sets[list(order)].ravel() for order in itertools.permutations(range(space.k))]
        ways = [min(ways, key=lambda way: np.linalg.norm(first - way))]
    return np.linalg.norm(first - ways[0], ord=1 if norm == "L1" else 2)


@pytest.mark.parametrize(
    ("space", "points"),
    [
        (Euclidean(SQUARE), CORNERS),
        (Manhattan(SQUARE), CORNERS),
        (Wasserstein(LINE.times(2), 2), PAIRS_OF_CENTERS),
    ],
    ids=["L2", "L1", "wasserstein"],
)
@pytest.mark.parametrize(
    ("noise", "delta", "m", "s"),
    list(
        with_few(
            (6, 1),
            (7, 2),
            (LaplacePareto(), 0.0),
            (MultivariateT(), 0.0),
            (PowerLaplace(), 0.0),
            (Laplace(), 1e-3),
            (Gaussian(), 1e-3),
        )
    ),
    ids=repr,
)
def test_vectors_keep_to_the_admissible_pair(space, points, noise, delta, m, s):
    """Centers move by at most alpha scales, scales by at most a factor e^beta."""
    pair = noise.admissible(Privacy(1.0, delta), space.dimension)
    _, pairs = ready(CenterOfAttention(noise=noise), points, space, m, s, Privacy(1.0, delta))
    for x, y in pairs:
        smaller = min(x.scale[0], y.scale[0])
        assert shift(x.center, y.center, space, noise.norm) <= pair.alpha * smaller * (1 + 1e-9)
        assert abs(math.log(x.scale[0] / y.scale[0])) <= pair.beta * (1 + 1e-9)


def test_medians_of_coordinates_share_the_budget():
    noise, privacy = LaplacePareto(), Privacy(1.0)
    pair = noise.admissible(Privacy(0.5))
    _, pairs = ready(MedianAggregator(noise=noise), CORNERS, Euclidean(SQUARE), 7, 1, privacy)
    for x, y in pairs:
        smaller = np.minimum(x.scale, y.scale)
        assert np.all(np.abs(x.center - y.center) <= pair.alpha * smaller * (1 + 1e-9))
        assert np.all(np.abs(np.log(x.scale / y.scale)) <= pair.beta * (1 + 1e-9))


@pytest.mark.parametrize("s", [1, 2])
def test_the_average(s):
    _, pairs = ready(Average(), CORNERS, Euclidean(SQUARE), 6, s, Privacy(0.7))
    loss = [np.sum(np.abs(x.center - y.center) / x.scale) for x, y in pairs]
    assert max(loss) <= 0.7 * (1 + 1e-9)
    assert max(loss) >= 0.7 * (1 - 1e-9)


@pytest.mark.parametrize("s", [1, 2])
def test_the_winsorized_mean_step_by_step(s):
    """Quartiles at epsilon/4 each; then, for every outcome of them, the mean at epsilon/2."""
    epsilon, m = 0.8, 7
    aggregator, space = WinsorizedAggregator(), Euclidean(LINE)
    found, pairs = ready(aggregator, NUMBERS, space, m, s, Privacy(epsilon))
    del found
    rng = np.random.default_rng(71)
    for x, y in pairs[:: 1 + len(pairs) // 400]:
        for mine, theirs in zip(x.quartiles[0], y.quartiles[0], strict=True):
            assert largest_log_ratio(mine, theirs) <= epsilon / 4 * (1 + 1e-9)
        quartiles = rng.uniform(0, 4, (2, 30))
        means = []
        for one in (x, y):
            fixed = dataclasses.replace(one, quartiles=((Fixed(quartiles[0]), Fixed(quartiles[1])),))
            means.append(fixed._draw(Silent(), 30)[:, 0])
        middle, half = quartiles.mean(axis=0), 4 * np.cbrt(m) * np.abs(np.diff(quartiles, axis=0)[0])
        width = np.clip(middle + half, 0, 4) - np.clip(middle - half, 0, 4)
        scale = ((width * x.share) + 1e-12) / x.rest
        assert np.all(np.abs(means[0] - means[1]) <= epsilon / 2 * scale * (1 + 1e-9) + 1e-12)


def test_the_winsorized_mean_shares_the_budget_among_coordinates():
    """In each of two: a quartile for epsilon/8, and the mean of what is clipped for epsilon/4."""
    epsilon, m = 0.8, 7
    _, pairs = ready(WinsorizedAggregator(), CORNERS, Euclidean(SQUARE), m, 1, Privacy(epsilon))
    for x, y in pairs[:: 1 + len(pairs) // 20]:
        assert x.rest == epsilon / 4
        for column in range(2):
            for mine, theirs in zip(x.quartiles[column], y.quartiles[column], strict=True):
                assert largest_log_ratio(mine, theirs) <= epsilon / 8 * (1 + 1e-9)


def test_the_winsorized_mean_is_that_of_clipped_outputs():
    rng = np.random.default_rng(73)
    outputs, first = rng.uniform(0, 4, (9, 1)), rng.uniform(0, 4, 50)
    second = first + rng.uniform(-0.1, 0.1, 50)
    prepared = WinsorizedAggregator().prepare(outputs, Euclidean(LINE), 1, Privacy(1.0))
    fixed = dataclasses.replace(prepared, quartiles=((Fixed(first), Fixed(second)),))
    middle, half = (first + second) / 2, 4 * np.cbrt(9) * np.abs(second - first)
    expected = np.clip(outputs, np.clip(middle - half, 0, 4), np.clip(middle + half, 0, 4)).mean(axis=0)
    assert np.allclose(fixed._draw(Silent(), 50)[:, 0], expected, rtol=1e-12)


@dataclasses.dataclass
class Fixed:
    """A quartile that is always the same."""

    values: np.ndarray

    def draw(self, rng, size, progress=None):
        return self.values


class Silent:
    """A generator of noise that is always 0."""

    def laplace(self, size):
        return np.zeros(size)


@pytest.mark.parametrize("name", AGGREGATORS)
def test_outputs_that_agree_give_an_answer_nearby(name):
    """Outputs within 0.01 of 0.3 in [0, 1] at epsilon = 2: 9 of 10 releases within 0.1."""
    privacy = Privacy(2.0, 1e-6 if name in ("one-cluster", "friendly-core") else 0.0)
    rng = np.random.default_rng(72)
    outputs = 0.3 + 0.01 * rng.uniform(-1, 1, (100 if name == "smallest-ball" else 400, 1))
    space = Euclidean(Box.of([0], [1]))
    aggregator = AGGREGATORS[name]()
    assert not aggregator.problems(space, len(outputs), 1, privacy)
    drawn = aggregator.prepare(outputs, space, 1, privacy).draw(reproducible(4), 2000)
    assert drawn.shape == (2000, 1)
    assert np.all((drawn >= 0) & (drawn <= 1))
    assert np.mean(np.abs(drawn - 0.3) < 0.1) > 0.9


def test_a_ball_around_outputs_of_different_units_finds_both():
    """One coordinate up to a million, one up to 1: each counts in shares of its range."""
    space = Euclidean(Box.of([0, 0], [1e6, 1]))
    outputs = np.array([5e5, 0.7]) + np.random.default_rng(3).uniform(-1, 1, (1500, 2)) * [1e4, 0.01]
    drawn = OneClusterAggregator().prepare(outputs, space, 1, Privacy(1.0, 1e-6)).draw(reproducible(1), 20)
    assert np.abs(drawn[:, 0] / 5e5 - 1).max() < 0.05
    assert np.abs(drawn[:, 1] / 0.7 - 1).max() < 0.05


@pytest.mark.parametrize("aggregator", [CenterOfAttention, ShortestInterval, MedianAggregator])
def test_noise_never_vanishes_among_the_digits_of_doubles(aggregator):
    """400 equal outputs and epsilon = 100: S underflows, and a public share of the range stands for it."""
    space = Euclidean(Box.of([0], [1]))
    prepared = aggregator().prepare(np.full((400, 1), 0.3), space, 1, Privacy(100.0))
    assert prepared.diagnostics["smooth"] < 2.0**-100
    assert prepared.scale[0] >= 2.0**-40 / prepared.noise["alpha"]


def test_impossible_choices_are_explained():
    plane, line = Euclidean(SQUARE), Euclidean(LINE)
    assert ShortestInterval().problems(plane, 10, 1, Privacy(1.0))[0].field == "aggregator"
    assert CenterOfAttention().problems(line, 4, 2, Privacy(1.0))[0].field == "blocks"
    assert CenterOfAttention(noise=Laplace()).problems(line, 9, 1, Privacy(1.0))[0].field == "delta"
    assert OneClusterAggregator().problems(line, 400, 1, Privacy(1.0))[0].field == "delta"
    [few] = OneClusterAggregator().problems(line, 9, 1, Privacy(1.0, 1e-6))
    assert (few.field, "use more blocks" in few.message) == ("blocks", True)
    many = Euclidean(Box.of([0] * 7, [1] * 7))
    assert OneClusterAggregator().problems(many, 4000, 2, Privacy(1.0, 1e-6))[0].field == "aggregator"
    assert not OneClusterAggregator().problems(plane, 4000, 2, Privacy(1.0, 1e-6))
    for aggregator in AGGREGATORS.values():
        assert aggregator().problems(line, 9, 1, Privacy(1e-12))[0].field == "epsilon"


def worst_rate(aggregator):
    pair = aggregator.noise.admissible(Privacy(1.0), 1)
    _, pairs = ready(aggregator, NUMBERS, Euclidean(LINE), 7, 1, Privacy(1.0))
    rates = [abs(math.log(x.scale[0] / y.scale[0])) / pair.beta for x, y in pairs]
    shifts = [abs(x.center[0] - y.center[0]) / min(x.scale[0], y.scale[0]) / pair.alpha for x, y in pairs]
    return max(*rates, *shifts)


@pytest.mark.parametrize(
    "mistake",
    [OtherSmoothness.of(CenterOfAttention(), 60.0), PublishedBound(noise=LaplacePareto())],
    ids=["no look ahead", "printed"],
)
def test_planted_mistakes_are_caught(mistake):
    assert worst_rate(CenterOfAttention()) <= 1 + 1e-9
    assert worst_rate(mistake) > 1.2


@pytest.mark.parametrize("aggregator", [CenterOfAttention, ShortestInterval, SmallestBall, MedianAggregator])
@pytest.mark.parametrize("width", [1e-200, 1e-170, 1.0, 1e200])
def test_narrow_and_wide_boxes_get_the_same_noise_in_their_unit(aggregator, width):
    """Half of the outputs at either end: squares of distances must not be 0, nor infinite."""
    outputs = np.repeat([[0.0], [1.0]], [11, 10], axis=0)
    space, unit = (Euclidean(Box.of([0.0], [w])) for w in (width, 1.0))
    there = aggregator().prepare(width * outputs, space, 1, Privacy(1.0))
    here = aggregator().prepare(outputs, unit, 1, Privacy(1.0))
    assert there.scale / width == pytest.approx(here.scale, rel=1e-12)
    assert here.scale > 0.5


@pytest.mark.parametrize("width", [1e-200, 1e200])
@pytest.mark.parametrize("space", [Euclidean, Manhattan, lambda box: Wasserstein(box, 2)])
def test_distances_in_narrow_and_wide_boxes(space, width):
    points = np.random.default_rng(1).random((6, 4))
    there, here = (space(Box.of([0.0] * 4, [w] * 4)) for w in (width, 1.0))
    assert there.table(width * points) / width == pytest.approx(here.table(points), rel=1e-12)
    assert there.distances(width * points, width * points[:2]) / width == pytest.approx(
        here.distances(points, points[:2]), rel=1e-12
    )
