"""Numbers in the help pages of aggregators."""

import math

import numpy as np
from scipy.stats import norm

from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.mechanisms import MECHANISMS
from engine.mechanisms.aggregators import (
    Average,
    CenterOfAttention,
    ExponentialMedian,
    MedianAggregator,
    OneClusterAggregator,
    ShortestInterval,
    SmallestBall,
    WinsorizedAggregator,
)
from engine.privacy import Privacy
from engine.randomness import reproducible
from text_numbers import computes
from text_numbers._outputs import SPREAD, distance, drawn, outputs

DELTA = 1e-6
SIZES = (50, 100, 400, 1000)


def by_blocks(name, aggregator, sizes=SIZES, **more):
    """Return errors of an aggregator by numbers of blocks."""
    return {f"{name}_{blocks}": distance(aggregator, blocks, **more) for blocks in sizes}


def fewest(aggregator, dimension, epsilon=1.0, changed=1):
    """Return the smallest number of blocks that an aggregator accepts for one vector in a unit box."""
    function = MECHANISMS["sample-aggregate"]().block_function
    space = function.space(Box.of([0.0] * dimension, [1.0] * dimension))
    return aggregator.fewest(space, changed, Privacy(epsilon, DELTA))


@computes("help", "aggregators/average")
def average():
    blocks = 50
    return {
        "blocks": blocks,
        "scale": 1 / blocks,
        "error_95": math.log(20) / blocks,
        "away": 0.8 * 0.4 + 0.2,
        "away_average": distance(Average(), 100, away=0.2),
        "away_median": distance(ExponentialMedian(), 100, away=0.2),
    }


@computes("help", "aggregators/center-of-attention", slow=True)
def center_of_attention():
    return {
        **by_blocks("center", CenterOfAttention(), (100, 1000)),
        **by_blocks("plane", CenterOfAttention(), (100, 1000), dimension=2),
        **by_blocks("median", MedianAggregator(), (100, 1000)),
        "ratio": line_ratio(),
    }


def line_ratio(slack=5e-4):
    """Return how far outputs on a line move the center, in multiples of the published bound."""
    from engine.aggregation.center_of_attention import Radii

    shared = [1.0] * 15 + [-1.0] * 13
    before, after = np.array([0.0, 0.0, *shared]), np.array([3 - 2 * slack, 3 - slack, *shared])

    def radii(values):
        return np.sort(np.abs(values[:, None] - values), axis=1)[:, 16]  # t_0 = 17 of 30 for s = 2

    center, moved = before[radii(before).argmin()], after[radii(after).argmin()]
    bound = Radii.of(np.abs(before[:, None] - before), 4.0, 2).published_bound(1.0)
    return abs(moved - center) / bound


@computes("help", "aggregators/exponential-median", slow=True)
def exponential_median():

    numbers = {}
    rows = {
        "ours": ExponentialMedian(),
        "median": MedianAggregator(),
        "winsorized": WinsorizedAggregator(),
        "average": Average(),
    }
    for row, aggregator in rows.items():
        numbers |= by_blocks(row, aggregator, (50, 400))
        numbers[f"{row}_wide"] = distance(aggregator, 400, width=100.0)
    for dimension in (3, 10, 30):
        more = {"dimension": dimension, "sets": 10}
        numbers |= {
            f"ours_d{dimension}": distance(ExponentialMedian(), 1000, delta=DELTA, **more),
            f"pure_d{dimension}": distance(ExponentialMedian(), 1000, **more),
            f"median_d{dimension}": distance(MedianAggregator(), 1000, delta=DELTA, **more),
            f"core_d{dimension}": distance(FriendlyCore(), 1000, delta=DELTA, **more),
        }
    for row, (n, share) in {"few": (300, 0.0), "many": (10_000, 0.0), "bent": (10_000, 0.1)}.items():
        for size in (2, 10, 20):
            numbers[f"slope_{row}_{size}"] = slope_error(ExponentialMedian(), n, size, share)
        numbers[f"slope_{row}_smooth"] = slope_error(MedianAggregator(), n, 20, share)
    return numbers


def slope_error(aggregator, n, size, outliers, sets=20, runs=50):
    """Return the median error of the slope 0.5 in the unit square, noise 0.05, some records anywhere."""
    errors = []
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        x = rng.uniform(0, 1, n)
        values = np.column_stack([x, np.clip(0.25 + 0.5 * x + rng.normal(0, 0.05, n), 0, 1)])
        values[: round(outliers * n)] = rng.uniform(0, 1, (round(outliers * n), 2))
        mechanism = MECHANISMS["sample-aggregate"](
            sampling=Partition(blocks=n // size), aggregator=aggregator, block_function="regression"
        )
        data = Points(values, Box.of([0.0, 0.0], [1.0, 1.0]))
        errors.append(np.abs(mechanism.prepare(data, Privacy(1.0, 0.0)).draw(reproducible(seed), runs) - 0.5))
    return float(np.median(np.concatenate([one.ravel() for one in errors])))


@computes("help", "aggregators/median")
def median():
    return {
        **by_blocks("ours", MedianAggregator()),
        **by_blocks("exponential", ExponentialMedian()),
        **by_blocks("plane", MedianAggregator(), (100, 400, 1000), dimension=2),
        **by_blocks("plane_exponential", ExponentialMedian(), (100, 400, 1000), dimension=2),
        "away": distance(MedianAggregator(), 100, away=0.2),
        "away_average": distance(Average(), 100, away=0.2),
    }


@computes("help", "aggregators/one-cluster", slow=True)
def one_cluster():
    ours = OneClusterAggregator()
    return {
        **{f"fewest_{numbers}": fewest(ours, numbers) for numbers in (1, 2, 4, 6, 8)},
        "fewest_nine": fewest(ours, 2, changed=9),
        "blocks": 1000,
        "away": distance(ours, 1000, away=0.2, delta=DELTA),
        "away_median": distance(ExponentialMedian(), 1000, away=0.2),
        "away_average": distance(Average(), 1000, away=0.2),
    }


@computes("help", "aggregators/shortest-interval")
def shortest_interval():
    mixed = outputs(100, 1, 0)
    values = mixed.values.copy()
    values[:40] = 1.0
    return {
        **by_blocks("ours", ShortestInterval()),
        **by_blocks("median", MedianAggregator()),
        **by_blocks("average", Average()),
        "half": middle_of_majority(values[:, 0]),
        "half_median": float(np.sort(values[:, 0])[49]),
    }


def middle_of_majority(values):
    """Return the middle of the shortest interval that holds more than half of the numbers."""
    ordered, count = np.sort(values), values.size // 2 + 1
    first = int((ordered[count - 1 :] - ordered[: ordered.size - count + 1]).argmin())
    return float(ordered[first] + ordered[first + count - 1]) / 2


@computes("help", "aggregators/smallest-ball", slow=True)
def smallest_ball():
    from engine.aggregation.smallest_balls import MAX_DISTANCES

    numbers = {}
    rows = {
        "ours": SmallestBall(),
        "center": CenterOfAttention(),
        "median": MedianAggregator(),
        "average": Average(),
    }
    for row, aggregator in rows.items():
        for blocks in (30, 50, 100):
            numbers[f"{row}_{blocks}"] = in_the_plane(aggregator, blocks, 0.0)
            numbers[f"{row}_third_{blocks}"] = in_the_plane(aggregator, blocks, 1 / 3)
    for name, dimension in (("plane", 2), ("space", 3)):
        blocks = 1
        while (blocks + 1) * sum(math.comb(blocks + 1, j) for j in range(1, dimension + 2)) <= MAX_DISTANCES:
            blocks += 1
        numbers[name] = blocks
    return numbers


def in_the_plane(aggregator, blocks, anywhere, sets=4, runs=50):
    """Return the median error around (0.4, 0.6) in the unit square, a share of the outputs anywhere."""
    center, errors = np.array([0.4, 0.6]), []
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        values = np.clip(center + rng.normal(0, SPREAD, (blocks, 2)), 0, 1)
        count = round(anywhere * blocks)
        values[:count] = rng.uniform(0, 1, (count, 2))
        found = drawn(aggregator, Points(values, Box.of([0.0, 0.0], [1.0, 1.0])), runs=runs, seed=seed)
        errors.append(np.linalg.norm(found - center, axis=1))
    return float(np.median(np.concatenate(errors)))


@computes("help", "aggregators/winsorized-mean", slow=True)
def winsorized_mean():
    quartiles = 2 * norm.ppf(0.75) * SPREAD
    numbers = {
        "normal": 2 * norm.ppf(0.75),
        "apart": quartiles,
        "times_100": 8 * 100 ** (1 / 3),
        "times_1000": 8 * 1000 ** (1 / 3),
    }
    rows = {
        "ours": WinsorizedAggregator(),
        "average": Average(),
        "median": MedianAggregator(),
    }
    for row, aggregator in rows.items():
        numbers[f"{row}_narrow"] = distance(aggregator, 400)
        for blocks in (200, 400, 1000):
            numbers[f"{row}_{blocks}"] = distance(aggregator, blocks, width=100.0, center=40.0)
    for power in (3, 4, 5, 6):
        blocks = 10**power
        scale = 2 * 8 * blocks ** (1 / 3) * quartiles / blocks
        noise, error = theorem(blocks)
        sampling = norm.ppf(0.75) * SPREAD / math.sqrt(blocks)
        numbers |= {
            f"expected_{power}": scale * math.log(2),
            f"measured_{power}": noise,
            f"sampling_{power}": sampling,
            f"ratio_{power}": scale * math.log(2) / sampling,
            f"error_{power}": error,
        }
    return numbers


def theorem(blocks, sets=8, runs=250):
    """Return the median noise, and the median error, of outputs around 40 in the range from 0 to 100."""
    noises, errors = [], []
    for seed in range(sets):
        data = outputs(blocks, 1, seed, width=100.0, center=40.0)
        found = drawn(WinsorizedAggregator(), data, runs=runs, seed=seed)
        noises.append(np.abs(found - data.values.mean()))
        errors.append(np.abs(found - 40.0))
    return float(np.median(np.concatenate(noises))), float(np.median(np.concatenate(errors)))


FRIENDLY = {"small": 0.3, "one": 1.0, "three": 3.0}
