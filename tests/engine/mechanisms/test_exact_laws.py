"""The laws of releases as programs, enumerated: every grid point, every database of a tiny domain.

Probabilities are enclosed in balls and compared with e^epsilon without an error.  The bounds and
scales are those that the mechanisms have worked out in doubles.
"""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from discrete import number_of_draws
from exact_laws import additive, keeps
from flint import arb
from scipy.special import chdtrc
from thinned import thinned

from engine import WinsorizedMean
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.extras.frontier.ladder import Ladder
from engine.mechanisms import ExponentialRelease, GaussianRelease, LaplaceRelease, SmoothRelease
from engine.noise import (
    ArsinhNormal,
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplacePareto,
    PowerLaplace,
    StudentT,
    UniformLogNormal,
)
from engine.privacy import Privacy
from engine.queries import Count, Maximum, Mean, Median, Quantile
from engine.randomness import reproducible, secure
from engine.sampling.balls import ball

DOMAIN = Interval(0.0, 1.0, resolution=0.125)
VALUES = (0.0, 0.5, 0.7, 1.0)
PURE = (LaplacePareto(), LaplacePareto(g=2.2), StudentT(), GeneralizedCauchy(gamma=2.0), PowerLaplace())
WITH_DELTA = (Laplace(), Gaussian(), ArsinhNormal(), UniformLogNormal())
QUERIES = (Median(), Quantile(q=0.9), Maximum(), Mean(), WinsorizedMean(trim=0.3))


def law(mechanism, values, privacy):
    ready = mechanism.prepare(Sample(values, DOMAIN), privacy)
    if not isinstance(mechanism, ExponentialRelease):
        return additive(ready.center, ready.scale, ready.family, ready.grid)
    # multiples of an eighth: the best rank among the records on one counts
    sought, moved = mechanism.query.records_below(len(values)), [round(8 * value) for value in values]
    missed = [
        max(0, sum(one < point for one in moved) - sought, sought - sum(one <= point for one in moved))
        for point in range(9)
    ]
    weights = [(-ball(privacy.epsilon) * far / 2).exp() for far in missed]
    return [weight / sum(weights, arb(0)) for weight in weights]


def neighbours(n):
    """Return pairs of sorted databases that differ in one record."""
    for rest in itertools.combinations_with_replacement(VALUES, n - 1):
        for one, other in itertools.combinations(VALUES, 2):
            yield (*rest, one), (*rest, other)


def assert_private(mechanism, privacy, n=3):
    laws = {}
    for pair in neighbours(n):
        for values in pair:
            key = tuple(sorted(values))
            if key not in laws:
                laws[key] = law(mechanism, values, privacy)
                assert abs(sum(laws[key], arb(0)) - 1) < arb(2) ** -120
        first, second = (laws[tuple(sorted(values))] for values in pair)
        assert len(first) == 9
        assert keeps(first, second, privacy.epsilon, privacy.delta)


@pytest.mark.parametrize(
    ("query", "noise", "epsilon"),
    thinned(itertools.product(QUERIES, PURE, [0.3, 1.0]), lambda case: (case[:2], case[1:]), repr),
)
def test_smooth_releases_with_pure_noise(query, noise, epsilon):
    assert_private(SmoothRelease(query=query, noise=noise), Privacy(epsilon))


@pytest.mark.parametrize("query", [Median(), Mean()], ids=repr)
@pytest.mark.parametrize("noise", WITH_DELTA, ids=repr)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 1e-2), (1.0, 1e-6)])
def test_smooth_releases_with_delta(query, noise, epsilon, delta):
    assert_private(SmoothRelease(query=query, noise=noise), Privacy(epsilon, delta))


@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 30.0])
def test_global_noise(query, epsilon):
    assert_private(LaplaceRelease(query=query), Privacy(epsilon))
    assert_private(GaussianRelease(query=query), Privacy(epsilon, 1e-5))


@pytest.mark.parametrize("query", [Median(), Median(even="average"), Quantile(q=0.9), Maximum()], ids=repr)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("n", [2, 3])
def test_exponential_mechanism(query, epsilon, n):
    assert_private(ExponentialRelease(query=query), Privacy(epsilon), n)


@pytest.mark.parametrize("wrong", [2.0, 1.02])
def test_the_enumeration_finds_what_is_wrong(wrong):
    """Noise for a larger epsilon than is held against it."""
    laws = [law(LaplaceRelease(), values, Privacy(wrong)) for values in ((0, 0, 1), (0, 1, 1))]
    assert not keeps(*laws, 1.0, 0.0)


@pytest.mark.parametrize("rng", [secure, lambda: reproducible(12)], ids=["release", "simulation"])
@pytest.mark.parametrize(
    "mechanism",
    [
        *(SmoothRelease(noise=noise) for noise in (*PURE, *WITH_DELTA)),
        LaplaceRelease(query=Mean()),
        ExponentialRelease(),
    ],
    ids=repr,
)
@number_of_draws(500, 1_500)
def test_what_is_drawn_has_the_law_that_is_enumerated(mechanism, rng, runs):
    """Chi-square; false alarm 1e-8 each, below 1e-6 together."""
    values, privacy = (0.1, 0.5, 0.7, 0.7, 1.0), Privacy(2.0, 1e-3)
    expected = runs * np.array([float(p) for p in law(mechanism, values, privacy)])
    drawn = mechanism.prepare(Sample(values, DOMAIN), privacy).draw(rng(), runs)
    counts = np.bincount(np.rint(drawn * 8).astype(int), minlength=9)
    few = expected < 5
    statistic = np.sum(((counts - expected) ** 2 / expected)[~few])
    cells = np.count_nonzero(~few)
    if few.any() and expected[few].sum() > 1:
        statistic += (counts[few].sum() - expected[few].sum()) ** 2 / expected[few].sum()
        cells += 1
    assert chdtrc(cells - 1, statistic) > 1e-8


@pytest.mark.parametrize("resolution", [None, 1e-3])
def test_the_same_public_facts_give_the_same_grid(resolution):
    """Whatever the data are: the step and the ends follow from bounds and n alone."""
    domain = dataclasses.replace(DOMAIN, resolution=resolution)
    for mechanism in (SmoothRelease(), LaplaceRelease(query=Mean()), ExponentialRelease()):
        grids = {mechanism.grid(Sample(x, domain)) for x in itertools.product(VALUES, repeat=3)}
        assert len(grids) == 1
        [grid] = grids
        assert math.frexp(grid.step)[0] == 0.5 or grid.step == resolution


@pytest.mark.parametrize("mechanism", [LaplaceRelease, SmoothRelease, Ladder])
def test_a_resolution_that_is_too_large_for_what_is_asked_is_a_problem_of_it(mechanism):
    """It is found before anything is prepared: a window can say it beside the field."""
    domain, share = Interval(0.0, 10.0, resolution=1.5), Count(where="> 5", give="share")
    [problem] = mechanism(query=share).problems(Privacy(1.0), domain, 4)
    assert problem.field == "resolution"
    assert problem.message == "1.5 is not possible; it must be above 0 and at most 1"
    assert mechanism(query=Count(where="> 5")).problems(Privacy(1.0), domain, 4) == ()
