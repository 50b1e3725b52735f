"""Numbers in the help pages of mechanisms of points, counts and categories."""

import functools
import itertools
import math

import numpy as np
from published_costs import published_cost
from scipy.stats import norm

from app.lessons.lesson import Scene
from app.lessons.player import load_scene
from engine import Interval, Sample
from engine.aggregation.blocks import IndependentSubsets, Partition, exceeding
from engine.aggregation.replacement import WithReplacement, in_a_block
from engine.data.points import Points
from engine.domain import Box
from engine.extras.finders.published import Constants
from engine.mechanisms import MECHANISMS
from engine.mechanisms.aggregators import Average, CenterOfAttention, ExponentialMedian, MedianAggregator
from engine.mechanisms.one_cluster.interior_point import FOR_BALL
from engine.mechanisms.one_cluster.overlapping_cells import OverlappingCells
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import ZERO_OUT, Privacy
from engine.progress import silent
from engine.randomness import reproducible
from text_numbers import computes
from text_numbers._outputs import distance

DELTA = 1e-6
ONE = Privacy(1.0, DELTA)
SIGMA = analytic_gaussian_sigma(ONE)
"""Of Gaussian noise for sensitivity 1 at epsilon = 1, delta = 10^-6."""


def box(dimension=2, upper=1.0, lower=0.0):
    return Box.of([lower] * dimension, [upper] * dimension)


def draws(mechanism, data, runs=200, epsilon=1.0, delta=0.0, seed=1):
    """Return simulated releases, one in each row."""
    return mechanism.prepare(data, Privacy(epsilon, delta)).draw(reproducible(seed), runs).reshape(runs, -1)


@computes("help", "mechanisms/cluster-cost", slow=True)
def cluster_cost():
    from cluster_sets import three_blobs

    data = three_blobs(10_000)
    prepared = MECHANISMS["cluster-cost"]().prepare(data, Privacy(1.0, 0.0))
    truth = np.ravel(prepared.true_value())[0]
    found = prepared.draw(reproducible(1), 500).ravel()
    return {"n": data.n, "spread": 0.03, "error": float(np.median(np.abs(found - truth))), "cost": truth}


@computes("help", "mechanisms/counts")
def counts():
    numbers = {"ranges": 2 * math.log(2), "constant": 3 * math.sqrt(math.log(1 / DELTA)), "sigma": SIGMA}
    for d in (1, 10, 17, 100, 1000):
        numbers[f"laplace_{d}"] = d * math.log(2)
        numbers[f"gaussian_{d}"] = norm.ppf(0.75) * SIGMA * math.sqrt(d)
    numbers["wins"] = math.ceil((norm.ppf(0.75) * SIGMA / math.log(2)) ** 2)
    return numbers


@computes("help", "mechanisms/growing-box")
def growing_box():
    mechanism = MECHANISMS["growing-box"]
    pure = [
        boxes
        for boxes in range(2, 64)
        if not mechanism(way="rec-concave", boxes=boxes).problems(Privacy(1.0, 0.0), box(), 10**9)
    ]
    return {"pure_boxes": max(pure)} | {
        f"{way.replace('-', '_')}_{boxes}": mechanism(way=way, boxes=boxes).slack(ONE)
        for way, boxes in itertools.product(
            ("exponential", "above-threshold", "rec-concave"), (64, 1024, 65536)
        )
    }


@computes("help", "mechanisms/interior-point", slow=True)
def interior_point():
    skewed = Points(np.random.default_rng(1).beta(2, 5, (1000, 1)), box(1))
    answers = draws(MECHANISMS["interior-point"](), skewed, 2000)
    line, tenth = box(1), Privacy(0.1, DELTA)
    ours, reduction = MECHANISMS["interior-point"](), MECHANISMS["interior-point"](way="reduction")
    empty = MECHANISMS["interior-point"](relation=ZERO_OUT)
    return {
        "median": float(np.median(skewed.values)),
        "low": float(np.quantile(answers, 0.05)),
        "high": float(np.quantile(answers, 0.95)),
        "for_ball": FOR_BALL,
        "for_ends": 1 - FOR_BALL,
        "one": ours.needed(line, 10_000, ONE),
        "tenth": ours.needed(line, 10_000, tenth),
        "empty": empty.needed(line, 10_000, ONE),
        "each_side": reduction._margin(ONE),
        "reduction_one": reduction.needed(line, 10_000, ONE),
        "reduction_tenth": reduction.needed(line, 10_000, tenth),
    }


def needed(name, dimension=2, epsilon=1.0, **more):
    """Return the smallest t that a ball has a guarantee for."""
    search = MECHANISMS[name](t=500, **more).search
    return search.promise(box(dimension), 10_000, Privacy(epsilon, DELTA)).needed


@computes("help", "mechanisms/one-cluster")
def one_cluster():
    numbers = {f"needed_{dimension}": needed("one-cluster", dimension) for dimension in (1, 2, 4, 6, 10)}
    published = MECHANISMS["one-cluster"](method="published").search.promise(box(), 10_000, ONE)
    axes = Constants().axes
    shares = {name: share for name, (_, share) in OverlappingCells.parts.items()}
    return (
        numbers
        | shares
        | {
            "needed_tenth": needed("one-cluster", epsilon=0.1),
            "published": published.needed,
            "axes": axes,
            "thousand": 1000,
            "projected": math.ceil(axes * math.log2(2 * 1000 / 0.1)),
        }
    )


@computes("help", "mechanisms/k-balls", slow=True)
def k_balls():
    rng = np.random.default_rng(1)
    centers = np.array([[0.3, 0.3], [0.7, 0.6]])
    values = rng.uniform(0, 1, (10_000, 2))
    for number, center in enumerate(centers):
        values[1500 * number : 1500 * (number + 1)] = rng.normal(center, 0.01, (1500, 2))
    mechanism, runs = MECHANISMS["k-balls"](t=1200, k=2), 20
    drawn = draws(mechanism, Points(values, box()), runs, delta=DELTA).reshape(runs, 2, -1)[:, :, :2]
    apart = np.abs(drawn[:, :, None] - centers).max(axis=3).min(axis=1)
    found = np.all(apart < 0.05, axis=1)
    return {f"needed_{k}": needed("k-balls", k=k) for k in (1, 2, 3, 5, 8, 16)} | {
        "runs": runs,
        "found": np.count_nonzero(found),
        "accurate": float(apart[found].max()),
    }


@computes("help", "mechanisms/screened-mean", slow=True)
def screened_mean():
    share = MECHANISMS["screened-mean"]().share
    return screened() | {"needed": needed("screened-mean"), "share": share}


@functools.cache
def screened():
    """Return errors around (300, 300) with one in twenty of 5,000 points anywhere."""
    rng, n = np.random.default_rng(1), 5000
    values = rng.normal(300.0, 2.0, (n, 2))
    values[: n // 20] = rng.uniform(0, 1000, (n // 20, 2))
    data = Points(values, box(2, 1000.0))
    ours = MECHANISMS["screened-mean"](t=4000).prepare(data, ONE).draw(reproducible(1), 20)
    average = draws(MECHANISMS["noisy-average"](), data)
    return {
        "n": n,
        "error": float(np.median(np.linalg.norm(ours[:, :2] - 300, axis=1))),
        "average": float(np.median(np.linalg.norm(average - 300, axis=1))),
    }


@computes("help", "mechanisms/noisy-average", slow=True)
def noisy_average():
    values = screened()
    return {
        "n": 10_000,
        "share": math.log(20) * 2 / 10_000,
        "points": values["n"],
        "error": values["average"],
        "inside": values["error"],
    }


@computes("help", "mechanisms/mode")
def mode():
    numbers = {}
    for gap, choices in itertools.product((5, 10, 20), (2, 10, 100)):
        odds = math.exp(-gap / 2)
        numbers[f"exponential_{gap}_{choices}"] = 1 / (1 + (choices - 1) * odds)
        # the first coin that shows heads: all others fall before the most frequent one with odds each
        numbers[f"flip_{gap}_{choices}"] = math.fsum(
            (1 - odds) ** before / choices for before in range(choices)
        )
    return numbers


@computes("help", "mechanisms/quantiles", slow=True)
def quantiles():
    scene = Scene("median", query="mean", example="salaries")
    data = Sample(load_scene(scene, silent).data["numbers"].values, Interval(0, 500_000))
    points, ordered = Points(data.values[:, None], box(1, 500_000.0)), np.sort(data.values)
    numbers = {"n": data.n}
    for parts, name in ((10, "deciles"), (100, "percentiles")):
        numbers[f"price_{name}"] = float(MECHANISMS["quantiles"](parts=parts).tree().price())
    for count in (1, 3, 9, 19, 99):
        together = draws(MECHANISMS["quantiles"](parts=count + 1), points, 200)
        wanted = np.arange(1, count + 1) / (count + 1)
        ranks = np.searchsorted(ordered, together) - wanted * data.n
        numbers[f"together_{count}"] = float(np.abs(ranks).mean())
        apart = [
            np.searchsorted(ordered, one_quantile(data, q, 1 / count)) - q * data.n for q in wanted.tolist()
        ]
        numbers[f"apart_{count}"] = float(np.abs(apart).mean())
    return numbers


def one_quantile(data, q, epsilon):
    from engine import Quantile

    return draws(MECHANISMS["exponential"](query=Quantile(q=q)), data, 200, epsilon).ravel()


@computes("help", "mechanisms/randomized-response")
def randomized_response():
    numbers = {
        "truth": math.e / (math.e + 1),
        "random": 2 / (math.e + 1),
    }
    for n, choices in itertools.product((100, 1000, 10_000), (2, 10)):
        p, q = math.e / (math.e + choices - 1), 1 / (math.e + choices - 1)
        share = 1 / choices
        variance = share * p * (1 - p) + (1 - share) * q * (1 - q)
        # a normal law's mean distance from its center, for equally frequent categories
        numbers[f"error_{n}_{choices}"] = math.sqrt(2 / math.pi * variance / n) / (p - q)
    return numbers | {f"counts_{n}": 2 / n for n in (100, 1000, 10_000)}


@computes("help", "mechanisms/stable-cell", slow=True)
def stable_cell():
    def fewest(**more):
        facts = MECHANISMS["stable-cell"](**more).public_facts(box(), 10_000, ONE)
        return math.ceil(facts["needed"])

    scene = Scene("one-cluster", query="one-cluster", example="planted-disc")
    data, runs = Points(load_scene(scene, silent).data["points"].values, box()), 400
    answers = {
        cells: np.isfinite(draws(MECHANISMS["stable-cell"](cells=cells), data, runs, delta=DELTA)).all(axis=1)
        for cells in (32, 3200)
    }
    assert answers[32].all()
    return {
        "n": 10_000,
        "needed": fewest(),
        "needed_empty": fewest(relation=ZERO_OUT),
        "runs": runs,
        "fine": np.count_nonzero(answers[3200]),
    }


@computes("help", "mechanisms/coinpress", slow=True)
def coinpress():
    rng = np.random.default_rng(1)
    values = rng.normal(40_000, 10_000, 10_001)
    numbers = {"n": values.size}
    for power, upper in ((5, 5e5), (7, 1e7), (9, 1e9)):
        data = Points(np.clip(values, 0, upper)[:, None], box(1, upper))
        mean = data.values.mean()
        rows = {
            "average": (MECHANISMS["noisy-average"](), 0.0),
            "ours": (MECHANISMS["coinpress"](spread="10000"), 0.0),
            "ten": (MECHANISMS["coinpress"](spread="100000"), 0.0),
            "gaussian": (MECHANISMS["coinpress"](spread="10000", noise="gaussian"), DELTA),
        }
        for name, (mechanism, delta) in rows.items():
            found = draws(mechanism, data, 200, delta=delta)
            numbers[f"{name}_{power}"] = float(np.median(np.abs(found - mean)))
    for rounds in (4, 6, 8):  # with the widest bounds
        mechanism = MECHANISMS["coinpress"](spread="10000", rounds=rounds)
        numbers[f"low_{rounds}"] = float(np.median(np.abs(draws(mechanism, data, 200, 0.1) - mean)))
    # log-normal incomes with a mean of about 50,000 and a standard deviation of about 40,000
    incomes = np.random.default_rng(1).lognormal(math.log(50_000) - 0.25, math.sqrt(0.5), 10_001)
    data = Points(np.clip(incomes, 0, 5e5)[:, None], box(1, 5e5))
    for name, mechanism in (
        ("heavy", MECHANISMS["coinpress"](spread="40000")),
        ("heavy_average", MECHANISMS["noisy-average"]()),
    ):
        numbers[name] = float(np.median(np.abs(draws(mechanism, data, 200) - data.values.mean())))
    return numbers


@computes("help", "mechanisms/lloyd", slow=True)
def lloyd():
    from cluster_sets import NEAR, blobs_of, farthest, median_distance, three_blobs

    numbers = {
        f"error_{rounds}_{power}": median_distance(
            draws(MECHANISMS["lloyd"](rounds=rounds), three_blobs(10**power), 40)
        )
        for rounds, power in itertools.product((3, 5, 10, 20), (3, 4, 5))
    }
    numbers |= {"n": 10_000, "spread": 0.03, "near": NEAR}
    for name, blobs in (("unequal", "80, 15 and 5 %"), ("four", "4 blobs, d = 4")):
        centers, data = blobs_of(blobs, 10_000)
        for relation, more in (("", {}), ("_empty", {"relation": ZERO_OUT})):
            found = draws(MECHANISMS["lloyd"](k=len(centers), **more), data, 100)
            numbers[name + relation] = float(np.mean(farthest(found, centers) <= NEAR))
    patterns, (centers, data) = 40, blobs_of("3 blobs", 10_000)
    lost = [
        farthest(draws(MECHANISMS["lloyd"](pattern=pattern), data, 11), centers)
        for pattern in range(1, patterns + 1)
    ]
    return numbers | {
        "patterns": patterns,
        "lost": sum(bool(np.median(one) > 5 * NEAR) for one in lost),
    }


@computes("help", "mechanisms/sample-aggregate", slow=True)
def sample_aggregate():
    return {
        "exponential": distance(ExponentialMedian(), 100),
        "average": distance(Average(), 100),
        "center": distance(CenterOfAttention(), 100),
    }


@computes("help", "functions/mean", slow=True)
def mean_of_blocks():
    data = near_the_middle()
    mechanism = MECHANISMS["sample-aggregate"](sampling=Partition(blocks=100), aggregator=Average())
    truth = data.values.mean()
    return {
        "n": data.n,
        "spread": 0.2 / math.sqrt(data.n / 100),
        "whole": math.log(2) / data.n,
        "blocks": float(np.median(np.abs(draws(mechanism, data) - truth))),
    }


def near_the_middle():
    """Return 10,000 normal records in [0, 1]."""
    return Points(np.random.default_rng(1).normal(0.4, 0.1, (10_000, 1)).clip(0, 1), box(1))


@computes("help", "functions/median", slow=True)
def median_of_blocks():
    from engine import Median

    data = near_the_middle()
    mechanism = MECHANISMS["sample-aggregate"](
        sampling=Partition(blocks=100), aggregator=MedianAggregator(), block_function="median"
    )
    numbers = Sample(data.values[:, 0], Interval(0, 1))
    query = MECHANISMS["exponential"](query=Median()).prepare(numbers, Privacy(1.0, 0.0))
    return {
        "n": data.n,
        "blocks": float(np.median(np.abs(draws(mechanism, data) - np.median(data.values)))),
        "query": float(query.error_quantiles([0.5])[0]),
    }


@computes("help", "samplings/partition")
def partition():
    return {"direct": 10_000 / 9 * math.log1p((math.e - 1) / 10_000)}


@computes("help", "samplings/subsets")
def subsets():
    sizes, changed = (25, 100, 1000), (3, 5, 8, 9, 11)
    numbers = {f"above_{s}_{m}": exceeding(m, 1 / m, s) for s, m in itertools.product(changed, sizes)}
    numbers |= {"small": 25, "usual": 100, "large": 1000}
    for n in (1000, 10_000, 100_000):
        numbers[f"least_{n}"] = IndependentSubsets(blocks=100)._enough(
            n
        )  # as the message of a refusal names it
    return numbers


@computes("help", "samplings/with-replacement")
def with_replacement():
    n, one, tenth = 10**6, Privacy(1.0, 0.0), Privacy(0.1, 0.0)
    ninth, every = WithReplacement(blocks=100), WithReplacement(blocks=100, thin=1)
    return {
        "one": ninth.left(n, one).epsilon,
        "tenth": ninth.left(n, tenth).epsilon,
        "one_every": every.left(n, one).epsilon,
        "tenth_every": every.left(n, tenth).epsilon,
        "published": published_cost(n // 9, n, one).epsilon,
        "direct": n / 9 * math.log1p(in_a_block(n, 1) * math.expm1(1.0)),
    }


@computes("help", "mechanisms/scored-choice")
def scored_choice():
    return {"lower": 2 * math.log(10)}
