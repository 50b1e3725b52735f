"""The metric median among public points: exact laws on all small databases, sums, and what is refused."""

import itertools

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from engine.audit import audit_run, worst_case_pairs
from engine.components import automatic_value
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.frontier.metric_median import MetricMedian
from engine.mechanisms.planted import ExponentialDoubled
from engine.primitives.accounting import of_exponential
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

SQUARE = Box.of([0, 0], [1, 1])
PLACES = list(itertools.product([0.0, 0.4, 1.0], repeat=2))
NORMS = {"L2": "euclidean", "L1": "cityblock", "L-infinity": "chebyshev"}
AMONG = ["0,0; 1,1", "0.2,0.2; 0.3,0.2; 0.2,0.4", "0,1; 0.5,0.5; 1,0; 1,1"]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("among", AMONG)
def test_no_probability_changes_by_more_than_epsilon(norm, among):
    """All databases of up to 3 records at 9 places, and all their neighbours; close to it somewhere."""
    mechanism, privacy = MetricMedian(norm=norm, among=among), Privacy(0.8)
    laws = {
        some: np.log(mechanism.prepare(Points(some, SQUARE), privacy).probabilities)
        for n in (1, 2, 3)
        for some in itertools.combinations_with_replacement(PLACES, n)
    }
    worst = 0.0
    for some, law in laws.items():
        for place in PLACES:
            other = tuple(sorted((*some[1:], place)))
            worst = max(worst, float(np.abs(law - laws[other]).max()))
    assert 0.3 * 0.8 < worst <= 0.8 * (1 + 1e-12)


@pytest.mark.parametrize("norm", NORMS)
def test_the_law_is_that_of_the_sums_of_distances(norm):
    """Where it is compared with its definition, rounding and the two units more are far below 1e-6."""
    rng = np.random.default_rng(4)
    data = Points(rng.uniform(0, 1, (500, 2)), SQUARE)
    mechanism = MetricMedian(norm=norm, parts=5)
    ready = mechanism.prepare(data, Privacy(0.7))
    grid = np.array(list(itertools.product((np.arange(5) + 0.5) / 5, repeat=2)))
    away, apart = cdist(data.values, grid, NORMS[norm]), cdist(grid, grid, NORMS[norm]).max()
    weights = np.exp(-0.7 / (2 * apart) * (away.sum(axis=0) - away.sum(axis=0).min()))
    assert ready.probabilities == pytest.approx(weights / weights.sum(), rel=1e-6)
    best = grid[np.argmin(away.sum(axis=0))]
    assert ready.diagnostics["true_value"] == pytest.approx(best)
    slack = mechanism.public_facts(SQUARE, 500, Privacy(0.7))["slack"]
    beyond = away.mean(axis=0) > away.mean(axis=0).min() + slack
    assert ready.probabilities[beyond].sum() <= 0.05
    drawn = ready.draw(secure(), 3)
    assert {tuple(point) for point in drawn.tolist()} <= {tuple(point) for point in grid.tolist()}
    assert mechanism.guarantee.zcdp_cost(Privacy(0.7)) == of_exponential(0.7)


def test_far_records_and_wide_bounds_change_nothing():
    near = np.random.default_rng(2).uniform(0, 1, (200, 1))
    mechanism = MetricMedian(among="0.2; 0.5; 0.8")
    laws = [
        mechanism.prepare(Points(near, Box.of([0], [upper])), Privacy(1.0)).probabilities
        for upper in (1.0, 1e6)
    ]
    assert laws[0] == pytest.approx(laws[1], rel=1e-3)


@pytest.mark.parametrize("factor", [1e-150, 1e150])
def test_the_unit_of_the_data_does_not_matter(factor):
    values = np.random.default_rng(3).uniform(0, 1, (50, 2))
    one, other = (
        MetricMedian(parts=4)
        .prepare(Points(values * size, Box.of([0, 0], [size, size])), Privacy(1.0))
        .probabilities
        for size in (1.0, factor)
    )
    assert one == pytest.approx(other, rel=1e-6)


def test_the_half_that_is_left_out_is_found():
    """A false alarm has a probability below 1e-6."""
    right = MetricMedian(among="0,0; 1,1")
    mistaken = ExponentialDoubled.planted(right)
    pair = next(one for one in worst_case_pairs(mistaken, SQUARE, 60, Privacy(1.0)) if one.name == "rivals")
    found = [
        audit_run(each, pair, Privacy(1.0), runs=60_000, seed=1, confidence=1 - 1e-6).audit
        for each in (right, mistaken)
    ]
    assert [each.violated for each in found] == [False, True]
    assert found[0].epsilon_lower_bound > 0.4
    fields = [
        each.field for each in ExponentialDoubled.planted(MetricMedian()).problems(Privacy(1.0), SQUARE, 60)
    ]
    assert fields == ["parts"]


def test_what_makes_no_sense_is_refused():
    def fields(box=SQUARE, n=30, epsilon=1.0, **settings):
        return [one.field for one in MetricMedian(**settings).problems(Privacy(epsilon), box, n)]

    assert fields() == []
    assert fields(epsilon=1e-10) == ["epsilon"]
    assert fields(parts=65) == fields(parts=1) == ["parts"]
    assert fields(Box.of([0] * 12, [1] * 12)) == []
    assert fields(Box.of([0] * 13, [1] * 13)) == ["parts"]
    assert fields(among="0; 1") == fields(among="0,0") == fields(among="0,0; 1,2") == ["among"]
    assert fields(among="0,0; 1e-14,0") == ["among"]
    for among in ("a,b", "0,0; 1,", "0,inf"):
        with pytest.raises(ParameterError, match="among"):
            MetricMedian(among=among)
    assert automatic_value(MetricMedian(), "parts", SQUARE) == 32
    released = MetricMedian(parts=4).run(Points([[0.1, 0.1]] * 30, SQUARE), Privacy(9.0), reproducible(1))
    assert released.value == [0.125, 0.125]
