"""Where released values lie: on the grid they state, within their bounds, at every extreme."""

import dataclasses
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scalar_methods import DATA, METHODS, PRIVACY
from thinned import thinned

from engine import WinsorizedMean
from engine.data.graph import SimpleGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import (
    LaplaceRelease,
    ProposeTestRelease,
    SmoothRelease,
)
from engine.privacy import Privacy
from engine.queries import QUERIES, Median, TriangleCount
from engine.randomness import reproducible, secure
from engine.simulation import simulate


def test_values_are_rounded_to_the_public_resolution():
    data = Sample(DATA.values, Interval(0.0, 20.0, resolution=0.25))
    for mechanism in METHODS:
        values = simulate(mechanism, data, PRIVACY, runs=50, seed=4).values
        assert np.all(np.isnan(values) | (values * 4 == np.round(values * 4)))


@pytest.mark.parametrize("mechanism", METHODS, ids=repr)
@pytest.mark.parametrize("rng", [secure, lambda: reproducible(9)], ids=["release", "simulation"])
def test_values_are_clamped_to_the_range_of_results(mechanism, rng):
    clamped = dataclasses.replace(mechanism, clamp="bounds")
    assert clamped.unprocessed() == mechanism
    ready = clamped.prepare(DATA, Privacy(0.01, 1e-4))
    values = ready.draw(rng(), 300)
    assert np.all(np.isnan(values) | ((values >= 0.0) & (values <= 20.0)))
    assert clamped.run(DATA, PRIVACY, reproducible(1)).parameters["clamp"] == "bounds"


EXTREMES = itertools.product(
    [query for query in QUERIES.values() if query.reads == "column"],
    [1e-9, 1.0, 100.0],
    [(0.0, 1e-200), (-1e200, 1e200), (1e6, 1e6 + 1e-9), (0.0, 1.0)],
    [1, 50],
)


@pytest.mark.parametrize(
    ("query", "epsilon", "bounds", "n"),
    thinned(EXTREMES, lambda case: (case[1:], *((case[0], one) for one in case[1:]))),
)
def test_releases_at_the_extremes(query, epsilon, bounds, n):
    """All equal data: no overflow, no hang, and every release is a point of the grid in the range."""
    low, high = bounds
    data = Sample(np.full(n, low + (high - low) / 3), Interval(low, high))
    for method in METHODS:
        mechanism = dataclasses.replace(method, query=query(), clamp="bounds")
        if isinstance(method, ProposeTestRelease):
            mechanism = dataclasses.replace(mechanism, bound=(high - low) / 1e6)
        privacy = Privacy(epsilon, 1e-6)
        if mechanism.problems(privacy, data.domain, n):
            continue
        release, within = mechanism.run(data, privacy), mechanism.query.value_range(data.domain, n)
        assert release.value is None or within.lower <= release.value <= within.upper
        assert release.value is None or (Fraction(release.value) / Fraction(release.step)).denominator == 1
        assert math.frexp(release.step)[0] == 0.5


@pytest.mark.parametrize("mechanism", METHODS, ids=repr)
def test_releases_state_their_grid_and_that_they_are_exact(mechanism):
    release = mechanism.run(DATA, PRIVACY)
    assert release.step == mechanism.grid(DATA).step
    assert release.exact
    coarse = Sample(DATA.values, Interval(0.0, 20.0, resolution=0.3))
    again = mechanism.run(coarse, PRIVACY)
    assert again.step == 0.3
    assert again.value is None or again.value == round(again.value / 0.3) * 0.3


def test_what_cannot_be_exact_says_so():
    mechanism = ProposeTestRelease(query=WinsorizedMean(), bound=1.0)
    assert "floating point" in mechanism.inexact
    assert not mechanism.run(DATA, PRIVACY).exact


def test_clamped_values_are_multiples_of_the_resolution_too():
    """Noise as wide as this throws half of the values beyond the bounds, which are no multiples."""
    data = Sample([4.0] * 5, Interval(0.5, 10.0, resolution=0.75))
    mechanism, asked = LaplaceRelease(query=Median()), Privacy(0.1)
    simulated = simulate(mechanism, data, asked, runs=200, seed=5).values
    # 200 releases stay off either end with a probability below 2^-80
    released = mechanism.prepare(data, asked).draw(secure(), 200)
    assert mechanism.prepare(data, asked).grid.ends == (0.75, 9.75)
    for values in (simulated, released):
        assert (values.min(), values.max()) == (0.75, 9.75)
        assert np.all(values / 0.75 == np.round(values / 0.75))


def test_counts_may_be_rounded_to_tens():
    graph = SimpleGraph([(i, j) for i in range(9) for j in range(i)], n=9, resolution=10.0)
    release = SmoothRelease(query=TriangleCount()).run(graph, Privacy(1.0), reproducible(3))
    assert release.value % 10 == 0
    assert release.parameters["resolution"] == 10.0
    with pytest.raises(ParameterError, match="at most 84"):
        SmoothRelease(query=TriangleCount()).run(
            SimpleGraph([(0, 1)], n=9, resolution=100.0), Privacy(1.0), reproducible(3)
        )


def test_the_dictionary_has_the_names_of_json() -> None:
    release = LaplaceRelease("mean").run(Sample([1.0, 2.0], (0, 3)), 1.0, 1)
    plain = release.to_dict()
    assert (plain["mechanism"], plain["query"], plain["method"]) == ("mean", "mean", release.mechanism)
