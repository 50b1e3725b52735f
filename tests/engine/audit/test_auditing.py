"""The audit: calibrated where epsilon is exact, and what it keeps of a run."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from engine import Lloyd
from engine.aggregation.blocks import Partition
from engine.aggregation.center_of_attention import Radii
from engine.audit import Pair, audit, audit_mechanism, audit_run, auditing
from engine.audit.events import Features, Outcomes
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms import (
    Clusters,
    ExponentialRelease,
    LaplaceRelease,
    NoisyAverage,
    ProposeTestRelease,
    SampleAggregate,
    SmoothRelease,
)
from engine.mechanisms.aggregators import Average, MedianAggregator, WinsorizedAggregator
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.queries import MstCost, TriangleCount
from engine.randomness import reproducible

HALVES = Sample([0.0] * 50 + [10.0] * 51, Interval(0, 10))
MOVED = HALVES.replaced(100, 0.0)
LINE = Box.of([0], [1])
SQUARE = Box.of([0, 0], [1, 1])


def line_pair(n=40):
    """Half of the points at either end; one moves, and with it the majority of single-point blocks."""
    before = np.repeat([[0.0], [1.0]], [n // 2 - 1, n // 2 + 1], axis=0)
    after = before.copy()
    after[[n // 2 - 1, n // 2]] = 0.0
    return Points(before, LINE), Points(before, LINE).replaced(n // 2 - 1, [0.0])


def blob_pair(n=300):
    rng = np.random.default_rng(91)
    centers = np.array([[0.1, 0.1], [0.9, 0.9]])
    before = Points(centers[rng.integers(0, 2, n)] + 0.02 * rng.standard_normal((n, 2)), SQUARE)
    return before, before.replaced(0, [1.0, 0.0])


def test_the_bound_is_close_to_an_exact_epsilon_and_rarely_above():
    """Laplace noise at epsilon = 1 and eta = 0.05: above in at most 5 % of 200 audits.

    Were it above with probability 0.05, more than 27 times would have probability 1e-6.
    """
    rng, above, bounds = reproducible(1), 0, []
    for _ in range(200):
        found = audit(rng.laplace(0, 1, 4000), rng.laplace(1, 1, 4000), Privacy(1.0), confidence=0.95)
        above += found.violated
        bounds.append(found.epsilon_lower_bound)
    assert above <= 27
    assert np.median(bounds) > 0.6


def test_more_runs_come_closer():
    rng = reproducible(2)
    found = audit(rng.laplace(0, 1, 200_000), rng.laplace(1, 1, 200_000), Privacy(1.0))
    assert 0.9 < found.epsilon_lower_bound <= 1.0
    assert found.verdict == "consistent"
    assert "value" in found.event or "position" in found.event


def test_noise_of_different_size_at_one_place_is_told_apart():
    rng = reproducible(3)
    found = audit(rng.normal(0, 1, (50_000, 2)), rng.normal(0, 3, (50_000, 2)), Privacy(1.0))
    assert found.violated
    assert "distance" in found.event


def test_a_refusal_is_an_outcome():
    rng = reproducible(4)
    sides = [np.where(rng.random(20_000) < p, np.nan, rng.laplace(0, 5, 20_000)) for p in (0.5, 0.02)]
    found = audit(*sides, Privacy(1.0))
    assert math.log(25) * 0.8 < found.epsilon_lower_bound < math.log(25) * 1.05
    assert "refuses" in found.event


def test_delta_is_allowed_for():
    """An outcome of probability 0.01 on one side only is fine at delta = 0.02 and not at 1e-6."""
    rng = reproducible(5)
    first = np.where(rng.random(100_000) < 0.01, 100.0, rng.laplace(0, 1, 100_000))
    second = rng.laplace(0, 1, 100_000)
    assert not audit(first, second, Privacy(1.0, 0.02)).violated
    assert audit(first, second, Privacy(1.0, 1e-6)).violated


@pytest.mark.parametrize(("often", "rarely", "delta"), [(300, 40, 0.0), (500, 500, 0.0), (500, 100, 0.3)])
def test_both_probabilities_are_bounded_by_clopper_and_pearson(often, rarely, delta):
    """Events with so many of 1,000 outcomes; the same ones in either half."""
    sides = [np.tile(np.arange(1000) < count, 2).astype(float) for count in (often, rarely)]
    # a confidence of 99 % leaves half a percent on either side
    low, high = (binomtest(count, 1000).proportion_ci(0.99, "exact") for count in (often, rarely))
    expected = max(0.0, math.log((low.low - delta) / high.high))
    assert audit(*sides, Privacy(1.0, delta), 0.99).epsilon_lower_bound == pytest.approx(expected, rel=1e-9)


def test_what_chooses_the_event_does_not_bound_it():
    """Sides that differ in the first half of the draws alone are not told apart."""
    same = np.tile([0.0, 1.0], 5000)
    found = audit(np.r_[np.zeros(10_000), same], np.r_[np.ones(10_000), same], Privacy(1.0))
    assert found.epsilon_lower_bound == 0


def test_too_few_runs_are_refused():
    for first, second in (([0.0] * 999, [0.0] * 999), ([0.0] * 2000, [0.0] * 1000)):
        with pytest.raises(ParameterError, match="runs"):
            audit(first, second, Privacy(1.0))


TRIANGLE = WeightedGraph([(0, 1), (1, 2), (0, 2)], [10.0, 10.0, 0.0], Interval(0, 10))
WHEEL = [(0, i) for i in range(2, 8)] + [(1, i) for i in range(2, 8)]
PAIRS = {
    "smooth median": (SmoothRelease(), HALVES, MOVED),
    "laplace median": (LaplaceRelease(), HALVES, MOVED),
    "exponential median": (ExponentialRelease(), HALVES, MOVED),
    "propose-test-release": (ProposeTestRelease(bound=1.0), Sample([5.0] * 101, Interval(0, 10)), None),
    "spanning tree": (SmoothRelease(query=MstCost()), TRIANGLE, TRIANGLE.with_weights([10.0, 0.0, 0.0])),
    "triangles": (
        SmoothRelease(query=TriangleCount()),
        SimpleGraph(WHEEL, n=8),
        SimpleGraph([*WHEEL, (0, 1)], n=8),
    ),
    "center of attention": (SampleAggregate(sampling=Partition(blocks=39)), *line_pair()),
    "median of blocks": (
        SampleAggregate(sampling=Partition(blocks=39), aggregator=MedianAggregator()),
        *line_pair(),
    ),
    "average of blocks": (SampleAggregate(sampling=Partition(blocks=20), aggregator=Average()), *line_pair()),
    "winsorized mean": (
        SampleAggregate(sampling=Partition(blocks=20), aggregator=WinsorizedAggregator()),
        *line_pair(),
    ),
    "clusters": (Clusters(k=2, sampling=Partition(blocks=30)), *blob_pair()),
    "noisy average": (NoisyAverage(), *blob_pair()),
}


@pytest.mark.parametrize("name", PAIRS)
def test_mechanisms_keep_their_promise(name):
    """Each audit exceeds epsilon with probability at most 1e-6 while the promise holds."""
    mechanism, data, neighbour = PAIRS[name]
    neighbour = neighbour or data.replaced(0, 10.0)
    delta = 1e-3 if name == "propose-test-release" else 0.0
    found = audit_mechanism(
        mechanism, data, neighbour, Privacy(1.0, delta), runs=40_000, seed=6, confidence=1 - 1e-6
    )
    assert not found.violated


@pytest.mark.slow
def test_lloyd_keeps_its_promise():
    before, after = blob_pair(40)
    found = audit_mechanism(
        Lloyd(k=2, rounds=2), before, after, Privacy(1.0), runs=4_000, seed=7, confidence=1 - 1e-6
    )
    assert not found.violated


def test_an_order_that_is_not_released_tells_nothing():
    """Two centers with nearly the same first coordinate: one record decides which comes first inside."""
    mechanism = Clusters(k=2, sampling=Partition(blocks=300))
    (blocks,) = mechanism.sampling.draw(900, reproducible(mechanism.seed)).members
    ahead = np.where(np.arange(300) < 150, 1e-9, -1e-9)
    records = np.empty((900, 2))
    records[blocks[:, 0]] = (0.5, 0.1)
    records[blocks[:, 1:]] = np.stack([0.5 + ahead, np.full(300, 0.9)], axis=1)[:, None]
    before = Points(records, SQUARE)
    after, privacy = before.replaced(int(blocks[0, 1]), [0.5 - 3e-9, 0.9]), Privacy(4.0)
    inside = [mechanism.prepare(points, privacy).center for points in (before, after)]
    assert np.abs(inside[0] - inside[1]).max() > 0.7
    assert not audit_mechanism(
        mechanism, before, after, privacy, runs=20_000, seed=9, confidence=1 - 1e-6
    ).violated


def test_the_run_keeps_what_it_judged():
    """Counts, probabilities and the bound follow from the numbers and the event that are kept."""
    pair = Pair("ends", "Ends", "", HALVES, MOVED)
    found = audit_run(LaplaceRelease(), pair, Privacy(1.0), runs=20_000, seed=3)
    assert found.judged == len(found.first) == len(found.second) == 10_000
    inside = [int(np.count_nonzero(found.event.happens(side))) for side in (found.first, found.second)]
    assert found.inside == tuple(inside)
    rarely, often = sorted(inside)
    assert found.event.swapped == (inside[1] > inside[0])
    assert found.p_low < often / 10_000
    assert found.q_high > rarely / 10_000
    assert found.audit.epsilon_lower_bound == pytest.approx(math.log(found.p_low / found.q_high))
    assert found.audit.event == found.event.describe()
    same = audit_mechanism(LaplaceRelease(), HALVES, MOVED, Privacy(1.0), runs=20_000, seed=3)
    assert same == found.audit


def test_a_run_shows_nothing_by_accident():
    found = audit_run(
        LaplaceRelease(), Pair("ends", "Ends", "", HALVES, MOVED), Privacy(1.0), runs=1000, seed=3
    )
    assert repr(found) == object.__repr__(found)


def test_refusals_are_kept_as_infinite_numbers():
    rng = reproducible(4)
    sides = [np.where(rng.random(4000) < p, np.nan, rng.laplace(0, 5, 4000)) for p in (0.5, 0.4)]
    features = Features(*(Outcomes(side) for side in sides))
    for side in map(Outcomes, sides):
        assert np.array_equal(np.isinf(features.of(side, "the value")), np.isnan(side.values[:, 0]))
        assert np.array_equal(features.of(side, features.names[0]), np.isnan(side.values[:, 0]))


def test_an_audit_is_cancelled_while_it_draws():
    calls = []

    def stop(fraction, message=""):
        calls.append(fraction)
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        audit_mechanism(LaplaceRelease(), HALVES, MOVED, Privacy(1.0), runs=50_000, seed=1, progress=stop)
    assert calls == sorted(calls)
    assert max(calls) < 0.5


def test_more_numbers_than_fit_are_refused(monkeypatch):
    monkeypatch.setattr(auditing, "MAX_NUMBERS", 1500)
    with pytest.raises(ParameterError, match="at most 750 are possible"):
        audit_mechanism(NoisyAverage(), *blob_pair(), Privacy(1.0), runs=1000, seed=1)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 99.0])
def test_a_confidence_is_a_probability(confidence):
    with pytest.raises(ParameterError, match="confidence"):
        audit(np.zeros(1000), np.zeros(1000), Privacy(1.0), confidence)


def test_the_published_radius_bound_is_named_as_such():
    assert "NOT private" in Radii.published_bound.__doc__


@pytest.mark.filterwarnings("error")
def test_outcomes_as_large_as_bounds_can_be_are_multiplied_without_overflow():
    rng = np.random.default_rng(1)
    sides = [rng.normal(middle, 0.5, (2000, 2)) for middle in (-1.0, 1.0)]
    ordinary, huge = (
        list(Features(*(Outcomes(scale * side) for side in sides)).pairs()) for scale in (1.0, 1e200)
    )
    for (name, *usual), (_, *large) in zip(ordinary, huge, strict=True):
        for one, other in zip(usual, large, strict=True):
            assert np.isfinite(other).all(), name
            assert np.array_equal(np.argsort(one), np.argsort(other)), name
