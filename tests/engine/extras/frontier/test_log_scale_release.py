"""Dwork and Lei's test on a logarithmic scale: distances by enumeration, the promise exactly."""

import itertools
import math

import numpy as np
import pytest
from definition import databases, neighbours

from engine.audit import audit_run, worst_case_pairs
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.extras.frontier.log_scale_release import LogScaleRelease
from engine.mechanisms import ProposeTestRelease
from engine.mechanisms.planted import TestLeftOut
from engine.privacy import Privacy
from engine.queries import Count, InterquartileRange, Median
from engine.queries.interquartile_range import bin_around
from engine.randomness import reproducible

VALUES, BOUNDED = (0.0, 1.0, 1.5, 4.0, 9.0), Interval(0.0, 9.0)


def distances(n, factor):
    """Return D for each database and both ways to place bins, by walking from neighbour to neighbour."""
    everything = databases(VALUES, n)
    s, t = InterquartileRange().ranks(n)
    value = {x: x[t - 1] - x[s - 1] for x in everything}
    near = {x: neighbours(x, VALUES) for x in everything}

    def bin_of(x, shift):
        return bin_around(value[x], factor, shift) if value[x] > 0 else None

    found = {}
    for x, shift in itertools.product(everything, (0.0, 0.5)):
        seen, edge, k = {x}, {x}, 0
        while edge and all(bin_of(y, shift) == bin_of(x, shift) for y in edge):
            edge = {z for y in edge for z in near[y]} - seen
            seen |= edge
            k += 1
        found[x, shift] = k if edge else n + 1
    return value, near, found


@pytest.mark.parametrize(("n", "factor"), [(2, 3.0), (4, 2.0), (5, 5.0), (6, 1.2)])
def test_distances_are_the_definition_and_the_promise_holds_for_all_neighbours(n, factor):
    value, near, found = distances(n, factor)
    privacy = Privacy(1.0, 0.05)
    mechanism = LogScaleRelease(factor=factor)
    ready = {x: mechanism.prepare(Sample(x, BOUNDED), privacy) for x in value}
    for x, one in ready.items():
        if value[x] > 0:
            assert one.distances == (found[x, 0.0] - 1, found[x, 0.5] - 1)
    for x in value:
        for y in near[x]:
            assert divergence(ready[x], ready[y]) <= privacy.delta * (1 + 1e-9)


def passing(distance, ready):
    margin = (ready.threshold - distance) / ready.test_scale
    return 0.5 * math.exp(-margin) if margin >= 0 else 1 - 0.5 * math.exp(margin)


def divergence(one, other):
    """Return the divergence at epsilon = 1 of which test is passed and of the logarithm released."""

    def outcomes(ready):
        first, second = (passing(distance, ready) for distance in ready.distances)
        return first, (1 - first) * second, (1 - first) * (1 - second)

    shift = abs(float(one.answer.center - other.answer.center)) / one.answer.scale
    total = 0.0
    for p, q in list(zip(outcomes(one), outcomes(other), strict=True))[:2]:
        if p > 0:
            left = 1 + math.log(q / p) if q > 0 else -math.inf
            total += p * laplace_divergence(shift, left)
    p, q = outcomes(one)[2], outcomes(other)[2]
    return total + max(0.0, p - math.e * q)


def laplace_divergence(shift, epsilon):
    """Return sup_S P(S) - e^epsilon Q(S) of Laplace laws of scale 1 that far apart."""
    if epsilon >= shift:
        return 0.0
    if epsilon <= -shift:
        return 1 - math.exp(epsilon)
    return 1 - math.exp((epsilon - shift) / 2)


def test_bins_hold_their_value_and_are_as_wide_as_the_factor():
    rng = np.random.default_rng(1)
    for value in 10.0 ** rng.uniform(-200, 200, 300):
        for factor, shift in ((1.01, 0.0), (2.0, 0.5), (900.0, 0.5)):
            low, high = bin_around(float(value), factor, shift)
            assert low <= value < high
            assert abs(math.log(high) - math.log(low) - math.log(factor)) < 2.0**-41
    assert bin_around(8.0, 2.0, 0.0) == (8.0, 16.0)


def test_far_data_are_answered_within_a_factor_and_near_ones_refused():
    privacy, wide = Privacy(1.0, 1e-6), Interval(0.0, 1e9)
    many = Sample(np.linspace(0, 1000, 4001), wide)
    release = LogScaleRelease().run(many, privacy)
    assert 500 / 1e6 < release.value < 500 * 1e6
    few = LogScaleRelease().prepare(Sample(np.linspace(0, 1000, 20), wide), privacy)
    assert few.diagnostics["answer_probability"] < 0.01
    equal = LogScaleRelease().prepare(Sample([5.0] * 4001, wide), privacy)
    assert equal.distances == (0.0, 0.0)


def test_density_and_quantiles_belong_together():
    ready = LogScaleRelease(clamp="none").prepare(
        Sample(np.linspace(0, 1000, 4001), Interval(0.0, 1e9)), Privacy(1.0, 1e-6)
    )
    for p in (0.05, 0.3, 0.8):
        at = float(ready.quantile(p))
        slope = (float(ready.quantile(p + 1e-6)) - at) / 1e-6
        assert float(ready.density(at)) * slope == pytest.approx(1, rel=1e-4)


def test_simulated_answers_follow_the_stated_quantiles_and_refusals():
    """Binomial counts of 20,000 draws: beyond 5.5 standard deviations with probability below 1e-7 each."""
    mechanism, privacy = LogScaleRelease(clamp="none"), Privacy(1.0, 1e-2)
    ready = mechanism.prepare(Sample(np.linspace(0, 1000, 161), Interval(0.0, 1e9)), privacy)
    drawn = ready.draw(reproducible(1), 20_000)
    answered = ready.diagnostics["answer_probability"]
    assert 0.05 < answered < 0.95
    for p in (0.1, 0.5, 0.9):
        share = np.mean(drawn <= ready.quantile(p))  # what was refused is not
        expected = answered * p
        assert abs(share - expected) < 5.5 * math.sqrt(expected * (1 - expected) / 20_000)


def test_what_it_is_not_for_is_refused():
    for query in (Median(), Count()):
        with pytest.raises(ParameterError, match="need an interquartile range"):
            LogScaleRelease(query=query).run(Sample([1.0, 2.0], BOUNDED), Privacy(1.0, 1e-6))
    with pytest.raises(ParameterError, match=r"^delta: "):
        LogScaleRelease().run(Sample([1.0, 2.0], BOUNDED), Privacy(1.0))


@pytest.mark.parametrize(
    "right", [LogScaleRelease(), ProposeTestRelease(bound=1.0)], ids=lambda one: one.name
)
def test_a_test_that_is_left_out_is_found(right):
    mistaken, privacy = TestLeftOut.planted(right), Privacy(1.0, 1e-3)
    pair = next(one for one in worst_case_pairs(right, BOUNDED, 41, privacy) if one.name == "zeros-and-tops")
    assert audit_run(mistaken, pair, privacy, runs=5_000, seed=1).audit.violated
