"""Epsilons of which the inverse is beyond all numbers: refused in one line or promised nothing, never a crash."""

import pytest

from engine import (
    Box,
    HierarchicalHistogram,
    InteriorPoint,
    Interval,
    NoisyHistogram,
    OneCluster,
    ParameterError,
    Privacy,
)
from engine.mechanisms.one_cluster.search import MOST_POINTS, Guarantee

LINE, SQUARE = Box((Interval(0.0, 1.0),)), Box((Interval(0.0, 1.0),) * 2)
TINY = [5e-324, 1e-310]


@pytest.mark.parametrize("epsilon", TINY)
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_nothing_is_promised_of_a_ball(epsilon, delta):
    found = OneCluster(t=50).guarantee(SQUARE, 100, Privacy(epsilon, delta))
    assert (found.promised, found.needed) == (0.0, MOST_POINTS + 1)


def test_a_promise_says_how_many_points_it_needs():
    assert Guarantee.of(10, 4.5, 5.5, 2.0) == Guarantee(5.5, 6, 2.0)
    assert Guarantee.of(10, 4.0, float("inf"), 2.0) == Guarantee(0.0, MOST_POINTS + 1, 2.0)


@pytest.mark.parametrize("epsilon", TINY)
@pytest.mark.parametrize("way", ["exponential", "reduction"])
def test_an_interior_point_needs_more_records(epsilon, way):
    problems = InteriorPoint(way=way).problems(Privacy(epsilon, 1e-6), LINE, 100)
    assert problems


@pytest.mark.parametrize("epsilon", TINY)
@pytest.mark.parametrize("mechanism", [NoisyHistogram(), HierarchicalHistogram()])
def test_noise_without_a_scale_is_refused(epsilon, mechanism):
    (problem,) = mechanism.problems(Privacy(epsilon), SQUARE, 100)
    assert problem.field == "epsilon"
    assert "at least 1e-300" in problem.message
    with pytest.raises(ParameterError, match="at least 1e-300"):
        mechanism.step(SQUARE, 100, Privacy(epsilon))
    assert mechanism.problems(Privacy(1e-300), SQUARE, 100) == ()
