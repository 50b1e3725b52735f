"""What mechanisms of several steps cost under concentrated privacy, from the laws of all their steps."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from engine import ClusterCost, KMeansOnCells, PrivTree
from engine.aggregation.blocks import IndependentSubsets
from engine.aggregation.replacement import WithReplacement
from engine.data.order_statistics import Sample
from engine.domain import Box, Interval
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.mechanisms import (
    MECHANISMS,
    KBalls,
    OneCluster,
    ProposeTestRelease,
    SampleAggregate,
    ScreenedMean,
    SmoothRelease,
)
from engine.mechanisms.aggregators import (
    AGGREGATORS,
    CenterOfAttention,
    OneClusterAggregator,
    WinsorizedAggregator,
)
from engine.mechanisms.one_cluster.cells import bounds, number_of_cells
from engine.mechanisms.one_cluster.finders import FINDERS
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly
from engine.mechanisms.one_cluster.search import Task
from engine.mechanisms.one_cluster.tight_boxes import TightBoxes, sigma_of_axes
from engine.noise.concentrated import LaplaceLogNormal
from engine.primitives import (
    SumCount,
    best_share,
    crossing_scores,
    of_exponential,
    of_pure,
    selection_probabilities,
)
from engine.privacy import Privacy
from engine.queries import Median

ORDERS = (1.1, 2.0, 5.0, 30.0)
PRIVACY = Privacy(1.0, 1e-6)


def located(points, privacy):
    """Return points of a grid of five, ready to be searched for three of four."""
    task = Task(DomainGrid(Box.of([0], [1]), 4), 4, 3, privacy, 0.1)
    return CenterOnly().prepare(task, np.array(points)[:, None])


def runs(ready):
    """Yield (probability, sum, count, half-width) of each level and cell, by their exact laws."""
    epsilon, task = ready._epsilon, ready.task
    heights, last = ready.dyadic.heights, float(task.grid.last[0])
    scores = crossing_scores(heights, task.t - ready._slacks["scale"])
    for level, chance in enumerate(selection_probabilities(scores, epsilon["scale"])):
        single = level == task.grid.bits + 1
        corners = np.arange(int(number_of_cells(task.grid, level)[0])) - (0 if single else 1)
        ends = [bounds(task.grid, level, np.array([corner])) for corner in corners]
        ends = [(max(low[0], 0), min(high[0], last)) for low, high in ends]
        points = ready.points[:, 0]
        inside = [points[(points >= low) & (points <= high)] for low, high in ends]
        cells = selection_probabilities([len(one) for one in inside], epsilon["box"])
        for probability, (low, high), held in zip(cells, ends, inside, strict=True):
            # a single grid point is released as it is
            half = 0.0 if single else (high - low) / 2
            yield chance * probability, float(np.sum(held - (low + high) / 2)) * (half > 0), len(held), half


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_a_cell_and_its_mean_cost_no_more_than_stated(epsilon):
    """All data of four records on five points: the Rényi divergence of level, cell, sum and count."""
    privacy = Privacy(epsilon, 1e-3)
    cost = CenterOnly().zcdp_cost(privacy)
    assert cost.delta == 0
    data = list(itertools.combinations_with_replacement(range(5), 4))
    laws = {points: list(runs(located(points, privacy))) for points in data}
    rho = located(data[0], privacy)._rho
    largest = 0.0
    for one, other in itertools.permutations(data, 2):
        if sum(abs(one.count(value) - other.count(value)) for value in range(5)) != 2:
            continue
        for order in ORDERS:
            total = 0.0
            for (p, here, held, half), (q, there, kept, _) in zip(laws[one], laws[other], strict=True):
                noise = SumCount.of_rho(max(1.0, 2 * half), rho)
                moved = ((here - there) / noise.sigma_sum) ** 2
                moved += ((held - kept) / noise.sigma_count) ** 2 if half else 0.0
                total += p**order * q ** (1 - order) * math.exp(order * (order - 1) / 2 * moved)
            largest = max(largest, math.log(total) / (order - 1) / order)
    assert 0.1 * cost.rho < largest <= cost.rho


@pytest.mark.parametrize("name", FINDERS)
@pytest.mark.parametrize("dimension", [1, 6, 7, 25, 30])
def test_every_split_of_a_budget_is_one_whose_cost_is_stated(name, dimension):
    way = FINDERS[name]()
    task = Task(DomainGrid(Box.of([0] * dimension, [1] * dimension), 64), 10_000, 500, PRIVACY, 0.1)
    stated = way.budgets(PRIVACY)
    if name == "published":
        assert (stated, way.zcdp_cost(PRIVACY)) == ((), OneCluster(method=name).guarantee.zcdp_cost(PRIVACY))
        return
    assert way.shares(task) in stated
    assert {one.name for split in stated for one in split} <= set(way.costs)


def test_steps_of_balls_add_up():
    shares = {"scale": 0.25, "box": 0.35, "reach": 0.2}
    mean = SumCount.of(1.0, Privacy(0.2, 1e-6)).rho
    cells = OneCluster(method="overlapping-cells").guarantee.zcdp_cost(PRIVACY)
    assert cells.rho == pytest.approx(sum(e * e / 8 for e in shares.values()) + mean, rel=1e-6)
    assert cells.delta == 0
    boxes = OneCluster(method="tight-boxes").guarantee.zcdp_cost(PRIVACY)
    mean = SumCount.of(1.0, Privacy(0.2, 5e-7)).rho
    assert boxes.rho == pytest.approx(2 * 0.2**2 / 8 + 2 * 0.2**2 / 2 + mean, rel=1e-6)
    assert 0.999 * 5e-7 <= boxes.delta <= 5e-7
    auto = OneCluster().guarantee.zcdp_cost(PRIVACY)
    assert (auto.rho, auto.delta) == (max(cells.rho, boxes.rho), boxes.delta)
    one = OneCluster().guarantee.zcdp_cost(best_share(PRIVACY, 3))
    assert KBalls(k=3).guarantee.zcdp_cost(PRIVACY).rho == pytest.approx(3 * one.rho)
    ball, inside = PRIVACY.split([0.7, 0.3])
    expected = OneCluster().guarantee.zcdp_cost(ball).rho + SumCount.of(1.0, inside).rho
    assert ScreenedMean().guarantee.zcdp_cost(PRIVACY).rho == pytest.approx(expected)


@pytest.mark.parametrize("d", [26, 100])
def test_axes_of_a_projection_cost_the_same_however_many(d):
    privacy = Privacy(0.5, 1e-6)
    cost = TightBoxes.costs["axes"](privacy)
    # one record moves two counts of each axis by 1
    assert 0.999 * cost.rho <= 2 * d / (2 * sigma_of_axes(privacy, d) ** 2) <= cost.rho
    assert -math.expm1(d * math.log1p(-privacy.delta / (2 * d))) <= cost.delta


def test_propose_test_release_but_for_what_passes_by_chance():
    """Exact laws of test and noise, for pairs of which one has a small sensitivity, or neither."""
    mechanism, privacy = ProposeTestRelease(query=Median(), bound=0.2), Privacy(1.0, 1e-3)
    cost, largest = mechanism.guarantee.zcdp_cost(privacy), 0.0
    assert (cost.rho, cost.delta) == (2 * 0.5**2 / 2, privacy.delta)
    data = list(itertools.combinations_with_replacement((0.0, 0.1, 1.0), 5))
    ready = {x: mechanism.prepare(Sample(x, Interval(0, 1)), privacy) for x in data}
    x = np.linspace(-15, 16, 40_001)
    for one, other in itertools.permutations(data, 2):
        if sum(abs(one.count(value) - other.count(value)) for value in (0.0, 0.1, 1.0)) != 2:
            continue
        passing = [ready[each].diagnostics["answer_probability"] for each in (one, other)]
        if ready[one].distance == ready[other].distance == 0:
            assert max(passing) <= privacy.delta * (1 + 1e-9)
            continue
        (p, first), (q, second) = zip(passing, (ready[one].answer, ready[other].answer), strict=True)
        logs = [
            -np.abs(x - float(each.center)) / each.scale - math.log(2 * each.scale)
            for each in (first, second)
        ]
        for order in ORDERS:
            inside = np.trapezoid(np.exp(order * logs[0] + (1 - order) * logs[1]), x)
            total = (1 - p) ** order * (1 - q) ** (1 - order) + p**order * q ** (1 - order) * inside
            largest = max(largest, math.log(total) / (order - 1) / order)
    assert 0 < largest <= cost.rho


def test_steps_of_other_mechanisms_add_up():
    assert KMeansOnCells().guarantee.zcdp_cost(PRIVACY) == PrivTree(share=0.3).guarantee.zcdp_cost(PRIVACY)
    assert KMeansOnCells(partition="grid").guarantee.zcdp_cost(PRIVACY) == of_pure(1.0)
    cost = ClusterCost(share=0.4).guarantee.zcdp_cost(PRIVACY).rho
    assert cost == pytest.approx(KMeansOnCells().guarantee.zcdp_cost(Privacy(0.4)).rho + 0.6**2 / 2)


def test_blocks_cost_what_their_aggregator_does():
    for kind in (FriendlyCore, OneClusterAggregator, WinsorizedAggregator):
        blocks = SampleAggregate(aggregator=kind())
        found = blocks.guarantee.zcdp_cost(PRIVACY)
        assert found == kind().zcdp_cost(PRIVACY)
        assert found.rho < 0.15
        # where the chance of a pattern counts as delta, so much is known only with n
        for sampling in (IndependentSubsets(check="delta"), WithReplacement()):
            chance = dataclasses.replace(blocks, sampling=sampling).guarantee.zcdp_cost(PRIVACY)
            assert (chance.rho, chance.delta) == (0.5, 1e-6)
        assert (
            dataclasses.replace(blocks, sampling=IndependentSubsets()).guarantee.zcdp_cost(PRIVACY) == found
        )
    # three steps of each of D coordinates, for epsilon/D, cost most where D is 1
    for epsilon, d in itertools.product((0.5, 10.0, 100.0), (1, 2, 7)):
        steps = 2 * of_exponential(epsilon / 4 / d).rho + of_pure(epsilon / 2 / d).rho
        stated = WinsorizedAggregator().zcdp_cost(Privacy(epsilon)).rho
        assert d * steps <= stated * (1 + 1e-12)
    assert SampleAggregate(aggregator=CenterOfAttention()).guarantee.zcdp_cost(PRIVACY).rho == 0.5


PLAIN = {
    "laplace": "one step of Laplace noise",
    "lipschitz-extension": "one step of Laplace noise",
    "noisy-average": "Laplace noise for a sum of coordinates, whose number is not known beforehand",
    "log-scale": "tests and an answer that may fail with probability delta",
    "opendp": "of another library no more is known than its epsilon",
    "diffprivlib": "of another library no more is known than its epsilon",
    "python-dp": "of another library no more is known than its epsilon",
    "histogram-opendp": "of another library no more is known than its epsilon",
    "histogram-diffprivlib": "of another library no more is known than its epsilon",
    "histogram-python-dp": "of another library no more is known than its epsilon",
    "k-means-diffprivlib": "of another library no more is known than its epsilon",
    "auto": "the chosen method states it",
    "stable-cell": "one choice that may fail with probability delta",
    "randomized-response": "it attains epsilon tanh(epsilon/2)",
    "histogram-recursive": "it promises nothing",
    "histogram-shifted": "it promises nothing",
    "histogram-voronoi-net": "it promises nothing",
    "histogram-voronoi-random": "it promises nothing",
    "histogram-embedded": "it promises nothing",
    "perturbed-points": "it promises nothing",
}
"""Mechanisms that count as any step of their privacy, and why."""


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_mechanism_states_its_cost_or_has_a_reason(name):
    chosen = {"smooth": SmoothRelease(noise=LaplaceLogNormal(), constants="published")}
    stated = chosen.get(name, MECHANISMS[name]()).guarantee.zcdp is not None
    assert stated != (name in PLAIN)


def test_every_aggregator_states_its_cost_or_has_noise_of_one_step():
    base = CenterOfAttention.zcdp_cost
    plain = {name for name, kind in AGGREGATORS.items() if kind.zcdp_cost is base}
    assert plain == {"center-of-attention", "shortest-interval", "smallest-ball", "median", "average"}
