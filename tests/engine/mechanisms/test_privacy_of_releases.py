"""The privacy loss of every mechanism, on all neighbours of tiny domains.

The densities that `Prepared` states are compared with each other here, and with what
is really drawn in test_draws.py; together they cover the mechanism from end to end.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from definition import databases
from privacy_loss import different, hockey_stick, largest_log_ratio
from thinned import thinned
from tiny_databases import BOUNDS, VALUES, prepared_pairs, worst_ratio

from engine import WinsorizedMean
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.extras.frontier.inverse_sensitivity import InverseSensitivity, PiecewiseLaplace
from engine.extras.frontier.ladder import Ladder
from engine.mechanisms import (
    PLANTED,
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    ProposeTestRelease,
    SmoothRelease,
)
from engine.noise import Gaussian, GeneralizedCauchy, Laplace, LaplacePareto, StudentT
from engine.privacy import Privacy
from engine.queries import (
    Count,
    Distance,
    InterquartileRange,
    Maximum,
    Mean,
    Median,
    Minimum,
    MstCost,
    Quantile,
    Sum,
    TriangleCount,
    TrimmedMean,
)
from engine.sampling.balls import ball, precision

QUERIES = (
    Median(),
    Median(even="average"),
    Quantile(q=0.8),
    Minimum(),
    Maximum(),
    Mean(),
    TrimmedMean(trim=0.25),
    WinsorizedMean(trim=0.25),
    MstCost(),
    TriangleCount(),
)
PURE = (LaplacePareto(), LaplacePareto(g=2.5), GeneralizedCauchy(gamma=2.0), GeneralizedCauchy(), StudentT())


def worst_delta(mechanism, privacy):
    pairs = different(prepared_pairs(mechanism, privacy, n=3))
    return max(hockey_stick(x, y, privacy.epsilon) for x, y in pairs)


def pure_cases():
    """Yield every query with every noise; usually each with one, and each noise with one query."""
    for query, noise, epsilon in itertools.product(QUERIES, PURE, (0.3, 2.0)):
        usual = epsilon == 0.3 and (noise is PURE[0] or query is QUERIES[0])
        yield pytest.param(query, noise, epsilon, marks=[] if usual else pytest.mark.slow)


@pytest.mark.parametrize(("query", "noise", "epsilon"), list(pure_cases()), ids=repr)
def test_smooth_release_with_pure_noise(query, noise, epsilon):
    assert worst_ratio(SmoothRelease(query=query, noise=noise), Privacy(epsilon)) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("epsilon", [1e-9, 0.3, 20.0])
def test_scales_keep_definition_2_1_without_an_error(query, epsilon):
    """Of neighbours, values differ by alpha times the smaller scale, and scales by e^beta, at most."""
    with precision(200):
        for x, y in prepared_pairs(SmoothRelease(query=query), Privacy(epsilon)):
            alpha, beta = Fraction(x.noise["alpha"]), Fraction(x.noise["beta"])
            assert abs(x.center - y.center) <= alpha * Fraction(min(x.scale, y.scale))
            if x.scale != y.scale:
                assert abs((ball(x.scale) / ball(y.scale)).log()) <= ball(beta)


@pytest.mark.parametrize("split", [0.2, 0.5, 0.8])
def test_any_split_is_private(split):
    mechanism = SmoothRelease(query=Median(), split=split)
    assert worst_ratio(mechanism, Privacy(1.0)) <= 1.0 + 1e-9


def delta_cases():
    """Yield queries with noise that needs delta; usually each with one noise and one delta."""
    usual = {
        (Median(), Laplace(), 1e-4),
        (Median(), Gaussian(), 1e-4),
        (TrimmedMean(trim=0.25), Gaussian(), 1e-2),
        (MstCost(), Laplace(), 1e-4),
        (TriangleCount(), Laplace(), 1e-2),
    }
    queries = (Median(), MstCost(), TrimmedMean(trim=0.25), TriangleCount())
    for case in itertools.product(queries, (Laplace(), Gaussian()), (1e-4, 1e-2)):
        yield pytest.param(*case, marks=[] if case in usual else pytest.mark.slow)


@pytest.mark.parametrize(("query", "noise", "delta"), list(delta_cases()), ids=repr)
def test_smooth_release_with_delta(query, noise, delta):
    assert worst_delta(SmoothRelease(query=query, noise=noise), Privacy(1.0, delta)) <= delta * (1 + 1e-3)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_global_laplace_is_tight(query):
    found = worst_ratio(LaplaceRelease(query=query), Privacy(0.7))
    assert found == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize(
    ("query", "epsilon"),
    [
        *((query, epsilon) for query in (Median(), Mean()) for epsilon in (0.5, 3.0)),
        (TriangleCount(), 3.0),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [(MstCost(), 0.5), (MstCost(), 3.0), (TriangleCount(), 0.5)]
        ),
    ],
    ids=repr,
)
def test_global_gaussian_is_tight(query, epsilon):
    privacy = Privacy(epsilon, 1e-3)
    assert worst_delta(GaussianRelease(query=query), privacy) == pytest.approx(1e-3, rel=2e-3)


def test_gaussian_noise_for_a_slightly_larger_epsilon_is_found():
    pairs = different(prepared_pairs(GaussianRelease(), Privacy(1.02, 1e-3), n=3))
    assert max(hockey_stick(x, y, 1.0) for x, y in pairs) > 1.03e-3


@pytest.mark.parametrize(
    "query", [Median(), Median(even="average"), Quantile(q=0.8), Minimum(), Maximum()], ids=repr
)
def test_exponential_release(query):
    assert worst_ratio(ExponentialRelease(query=query), Privacy(0.9)) <= 0.9 * (1 + 1e-9)


BY_DISTANCE = itertools.product([*QUERIES[:-2], Sum()], [InverseSensitivity, PiecewiseLaplace], [0.03, 0.0])


@pytest.mark.parametrize(
    ("query", "kind", "smoothing"), thinned(BY_DISTANCE, lambda case: (case[:2], case[1:]), repr)
)
def test_values_by_their_distance(query, kind, smoothing):
    assert worst_ratio(kind(query=query, smoothing=smoothing), Privacy(0.9)) <= 0.9 * (1 + 1e-9)


@pytest.mark.parametrize(
    "query", [*QUERIES[-2:], InterquartileRange(), Count(), Distance(threshold=5.0)], ids=repr
)
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_ladder(query, epsilon):
    assert worst_ratio(Ladder(query=query), Privacy(epsilon)) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("bound", [0.4, 1.9])
def test_propose_test_release(query, bound):
    """Both outcomes: the refusal, and the density of an answer times its probability."""
    privacy, half = Privacy(1.0, 1e-2), 0.5
    mechanism = ProposeTestRelease(query=query, bound=bound)
    for x, y in prepared_pairs(mechanism, privacy):
        p, q = (side.diagnostics["answer_probability"] for side in (x, y))
        assert abs(math.log((1 - p) / (1 - q))) <= half * (1 + 1e-9)
        if x.diagnostics["distance"] == y.diagnostics["distance"] == 0:
            # nothing is known about how far the answers are apart; they come out rarely
            assert max(p, q) <= privacy.delta * (1 + 1e-9)
        else:
            assert largest_log_ratio(x.answer, y.answer) + abs(math.log(p / q)) <= 1.0 + 1e-9


def test_the_distance_is_the_definition():
    for n, bound in itertools.product((3, 5), (0.5, 3.0)):
        for x in databases(VALUES, n):
            data = Sample(x, BOUNDS)
            levels = Median().sensitivity_at_distance(data, n)
            found = ProposeTestRelease(query=Median(), bound=bound).prepare(data, Privacy(1.0, 1e-3))
            assert found.diagnostics["distance"] == int(np.argmax(levels > bound))


def test_large_data_far_from_any_change_are_answered():
    """Equal data: half of them must change first, which no cap on the search may hide."""
    data = Sample(np.full(5001, 5.0), BOUNDS)
    ready = ProposeTestRelease(bound=1.0).prepare(data, Privacy(0.05, 1e-6))
    assert ready.diagnostics["distance"] >= 2 * math.log(1 / 2e-6) / 0.05 + 80 / 0.05
    assert ready.diagnostics["answer_probability"] > 1 - 1e-12
    everything = ProposeTestRelease(bound=1.0).prepare(data, Privacy(0.05, 1e-6)).diagnostics
    assert everything["distance"] == min(2500, math.ceil((math.log(1 / 2e-6) + 42) / 0.025))


@pytest.mark.parametrize(
    ("family", "offset"),
    [
        (LaplaceRelease, 1e15),
        (LaplaceRelease, -3e17),
        (SmoothRelease, 1e16),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [(LaplaceRelease, 1e16), (SmoothRelease, 1e15), (SmoothRelease, -3e17)]
        ),
    ],
)
def test_values_coarser_than_the_sensitivity_are_still_covered(family, offset):
    """Far from 0 the mean of n values rounds to steps larger than (U - L)/n."""
    width, n, epsilon = 4.0 * np.spacing(abs(offset)), 1000, 1.0
    bounds = Interval(offset, offset + width)
    mechanism = family(query=Mean())
    ready = [
        mechanism.prepare(Sample([offset + width] * top + [offset] * (n - top), bounds), Privacy(epsilon))
        for top in range(0, n + 1, 1)
    ]
    centers = np.array([one.center for one in ready])
    assert np.ptp(centers) > 0
    alphas = [one.noise.get("alpha", epsilon) for one in ready]
    for x, y, alpha in zip(ready[:-1], ready[1:], alphas[:-1], strict=True):
        assert abs(x.center - y.center) <= alpha * min(x.scale, y.scale)


def test_a_proposed_bound_below_the_spacing_of_the_values_is_still_covered():
    offset, n, privacy = 1e16, 1000, Privacy(1.0, 1e-3)
    step = np.spacing(offset)
    bounds = Interval(offset, offset + 4 * step)
    mechanism = ProposeTestRelease(query=Mean(), bound=3.5 * step / n)
    ready = [
        mechanism.prepare(
            Sample([offset + 3 * step] * top + [offset + 2 * step] * (n - top), bounds), privacy
        )
        for top in range(n + 1)
    ]
    assert min(one.diagnostics["distance"] for one in ready) > 0
    jumps = [abs(x.answer.center - y.answer.center) for x, y in itertools.pairwise(ready)]
    assert max(jumps) == Fraction(step) / n
    assert max(jumps) <= privacy.epsilon / 2 * ready[0].answer.scale


def test_a_published_pair_that_breaks_its_promise_is_refused():
    for noise, privacy in ((Laplace(), Privacy(30.0, 1e-3)), (Gaussian(), Privacy(30.0, 1e-3))):
        (problem,) = SmoothRelease(noise=noise, constants="published").problems(privacy, BOUNDS, 9)
        assert problem.field == "constants"
    for noise in (Laplace(), Gaussian(), GeneralizedCauchy()):
        assert not SmoothRelease(noise=noise, constants="published").problems(Privacy(1.0, 1e-3), BOUNDS, 9)


def test_published_constants_are_the_ones_that_are_used():
    ready = SmoothRelease(noise=GeneralizedCauchy(), constants="published").prepare(
        Sample(VALUES, BOUNDS), Privacy(1.0)
    )
    assert (ready.noise["alpha"], ready.noise["beta"]) == (0.1, 0.1)


MISTAKES = ("local-noise", "halved-scale", "beta-is-epsilon", "gap-formula", "shifted-gap-formula")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_planted_mistakes_are_caught(mistake):
    assert worst_ratio(PLANTED[mistake].planted(SmoothRelease()), Privacy(1.0)) > 1.05


@pytest.mark.parametrize(
    ("mistake", "right"),
    [
        ("exponential-doubled", ExponentialRelease()),
        ("exponential-doubled", PiecewiseLaplace()),
        ("exponential-doubled", Ladder(query=TriangleCount())),
        ("halved-scale", LaplaceRelease()),
    ],
    ids=["exponential-doubled", "piecewise-doubled", "ladder-doubled", "laplace"],
)
def test_planted_mistakes_are_caught_in_other_methods(mistake, right):
    assert worst_ratio(PLANTED[mistake].planted(right), Privacy(1.0)) > 1.05


@pytest.mark.parametrize("query", [MstCost(), TriangleCount()], ids=repr)
@pytest.mark.parametrize("mistake", MISTAKES[:3])
def test_planted_mistakes_are_caught_on_graphs(mistake, query):
    assert worst_ratio(PLANTED[mistake].planted(SmoothRelease(query=query)), Privacy(1.0)) > 1.05


@pytest.mark.parametrize("query", [MstCost(), TriangleCount()], ids=repr)
def test_half_of_global_noise_is_caught_on_graphs(query):
    assert worst_ratio(PLANTED["halved-scale"].planted(LaplaceRelease(query=query)), Privacy(1.0)) > 1.05
