"""AboveThreshold: exact outcome probabilities of all short sequences of queries."""

import itertools
import math
import sys

import numpy as np
import pytest
from discrete import assert_drawn_from, laplace_below, laplace_density, legendre, number_of_draws
from flint import ctx

from engine.primitives import above_threshold, above_threshold_slack, above_threshold_tight_slack
from engine.randomness import reproducible, secure
from engine.sampling import balls, noise
from engine.sampling.balls import ball, decide

above = sys.modules[above_threshold.__module__]


def outcomes(queries, threshold, of_threshold, of_query):
    """Pr[first above is i], then Pr[none], for sequences of shape (..., k) and two noise scales."""
    queries = np.asarray(queries, dtype=float)
    kinks = np.unique(queries) - threshold
    around = np.concatenate([-np.geomspace(0.01, 60, 24), [0], np.geomspace(0.01, 60, 24)])
    z, weight = legendre(np.concatenate([around * max(of_threshold, of_query / 2), kinks]), 16)
    mass = weight * laplace_density(z, of_threshold)
    below = laplace_below(threshold + z - queries[..., None], of_query)
    above = laplace_below(queries[..., None] - threshold - z, of_query)
    still = np.cumprod(below, axis=-2)
    first = np.concatenate([np.ones_like(still[..., :1, :]), still[..., :-1, :]], axis=-2) * above
    return np.concatenate([first @ mass, (still[..., -1, :] @ mass)[..., None]], axis=-1)


SHORT = np.array(list(itertools.product(range(4), repeat=3)))
NEAR = np.abs(SHORT[:, None] - SHORT[None]).max(axis=2) <= 1
LONG = np.array([[0] * 29 + [1], [1] * 29 + [0]])
THRESHOLDS = (-3.0, 0.5, 3.0, 10.0)


def worst_loss(of_threshold, of_query):
    found = 0.0
    for threshold in THRESHOLDS:
        for sequences, near in ((SHORT, NEAR), (LONG, np.ones((2, 2), dtype=bool))):
            chances = outcomes(sequences, threshold, of_threshold, of_query)
            np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-9)
            logarithms = np.log(chances)
            found = max(found, np.abs(logarithms[:, None] - logarithms[None])[near].max())
    return found


class Exponentials:
    """A sum of terms c e^(k u z), by k, with enclosures for c: what is integrated between two kinks."""

    def __init__(self, terms):
        self.terms = terms

    def __mul__(self, other):
        terms = {}
        for (k, c), (m, e) in itertools.product(self.terms.items(), other.terms.items()):
            terms[k + m] = terms.get(k + m, 0) + c * e
        return Exponentials(terms)

    def integral(self, u, low, high):
        """Over z from low to high, one of which may be infinite."""
        total = ball(0)
        for k, c in self.terms.items():
            ends = [ball(0) if math.isinf(z) else (k * u * z).exp() / (k * u) for z in (low, high)]
            total += c * (ends[1] - ends[0] if k else ball(high) - ball(low))
        return total


def enclosed_outcomes(queries, threshold, epsilon):
    """As `outcomes`, for the scales of the mechanism, without any error: integrals piece by piece."""
    u = ball(epsilon) / 4
    kinks = sorted({0.0, *(q - threshold for q in queries)})
    found = [ball(0)] * (len(queries) + 1)
    for low, high in itertools.pairwise([-math.inf, *kinks, math.inf]):
        side = 1 if high <= 0 else -1
        still = Exponentials({2 * side: u})
        for place, q in enumerate(queries):
            # the query's noise is below threshold + z - q: e^(u x)/2 up to x = 0, then 1 - e^(-u x)/2
            left = high <= q - threshold
            half = ((1 if left else -1) * u * (ball(threshold) - ball(q))).exp() / 2
            tail = {1: half} if left else {-1: half}
            rest = {0: ball(1), **{k: -c for k, c in tail.items()}}
            above, below = (rest, tail) if left else (tail, rest)
            found[place] += (still * Exponentials(above)).integral(u, low, high)
            still = still * Exponentials(below)
        found[-1] += still.integral(u, low, high)
    return found


@pytest.mark.parametrize("epsilon", [1e-9, 0.7, 30.0])
def test_no_outcome_is_above_epsilon_by_enclosures(epsilon, monkeypatch):
    """All pairs of up to three neighbouring queries in 0..2, in both directions, exactly."""
    monkeypatch.setattr(ctx, "prec", 1000)
    for k, threshold in itertools.product((1, 2, 3), (-0.5, 1.0, 4.0)):
        laws = {q: enclosed_outcomes(q, threshold, epsilon) for q in itertools.product(range(3), repeat=k)}
        for law in laws.values():
            assert abs(sum(law) - 1) < 1e-200
        for first, second in itertools.permutations(laws, 2):
            if max(abs(a - b) for a, b in zip(first, second, strict=True)) == 1:
                for p, q in zip(laws[first], laws[second], strict=True):
                    assert p < q * ball(epsilon).exp()


def test_enclosures_and_quadrature_agree():
    for queries, threshold in (((0, 1, 2), 2.0), ((6, 0, 9), 0.5), ((1,), -3.0)):
        exact = [float(p) for p in enclosed_outcomes(queries, threshold, 1.5)]
        np.testing.assert_allclose(outcomes(queries, threshold, 2 / 1.5, 4 / 1.5), exact, atol=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_no_log_ratio_is_above_epsilon(epsilon):
    assert 0.7 * epsilon < worst_loss(2 / epsilon, 4 / epsilon) <= epsilon


@pytest.mark.parametrize("scales", [(1.0, 2.0), (0.05, 4.0), (2.0, 0.05)])
def test_too_little_noise_is_noticed(scales):
    """Half of both; (almost) none on the threshold; (almost) none on the queries."""
    assert worst_loss(*scales) > 1.05


@pytest.mark.parametrize("rng", [reproducible(6), secure()], ids=["simulated", "released"])
@pytest.mark.parametrize("queries", [(0, 1, 2), (3, 3, 0), (6, 0, 9), (1.7, -0.2, 2.4)])
@number_of_draws(1_500, 4_000)
def test_answers_follow_the_probabilities(queries, rng, runs):
    epsilon = 1.5
    drawn = [above_threshold(iter(queries), 2.0, epsilon, rng) for _ in range(runs)]
    places = [3 if index is None else index for index in drawn]
    assert_drawn_from(places, outcomes(queries, 2.0, 2 / epsilon, 4 / epsilon))


def test_the_threshold_and_every_query_get_noise_of_their_own():
    class Recorded:
        def __init__(self):
            self.scales = []

        def laplace(self, scale):
            self.scales.append(scale)
            return 0.0

    rng = Recorded()
    assert above_threshold([0, 1, 2, 9], 2.0, 0.5, rng) == 2
    assert rng.scales == pytest.approx([4, 8, 8, 8], rel=1e-12)
    assert min(rng.scales[0] - 4, rng.scales[1] - 8) > 0  # what is rounded is rounded up


def test_queries_are_asked_one_by_one_until_the_answer():
    asked = []

    def queries():
        for value in (-1e6, -1e6, 1e6, 1e6):
            asked.append(value)
            yield value

    rng = np.random.default_rng(7)
    assert above_threshold(queries(), 0.0, 1.0, rng) == 2
    assert asked == [-1e6, -1e6, 1e6]
    assert above_threshold([], 0.0, 1.0, rng) is None
    assert above_threshold([-1e6] * 5, 0.0, 1.0, rng) is None


@pytest.mark.parametrize("k", [1, 2, 6, 20, 200])
@pytest.mark.parametrize("beta", [0.3, 0.05])
def test_answers_are_right_but_for_the_slack(k, beta):
    """The first k - 1 queries are below by the slack and the last is above by it."""
    epsilon = 0.8
    tight = above_threshold_tight_slack(k, epsilon, beta)
    assert above_threshold_slack(k, epsilon, beta) == pytest.approx(2 * tight)
    assert above_threshold_slack(k, epsilon, beta) == pytest.approx(
        8 / epsilon * (math.log(k) + math.log(2 / beta))
    )

    def wrong(slack):
        mixed = outcomes([-slack] * (k - 1) + [slack], 0.0, 2 / epsilon, 4 / epsilon)[k - 1]
        below = outcomes([-slack] * k, 0.0, 2 / epsilon, 4 / epsilon)[k]
        return 1 - min(mixed, below)

    assert wrong(tight) <= beta
    if k >= 20:
        assert wrong(0.7 * tight) > beta


@pytest.mark.parametrize("digits", [-1, 1])
def test_a_release_looks_at_as_many_digits_as_it_takes(digits, monkeypatch):
    """A query that is above, or below, by one unit in the last place: bounds on doubles do not tell."""
    word, asked = 3 << 62, []
    monkeypatch.setattr(noise, "random_words", lambda size: np.array([word], dtype=np.uint64))
    monkeypatch.setattr(balls, "decide", lambda question: asked.append(1) or decide(question))
    # both have the noise -ln(3/4), but for 2^-63, times 2 and 4
    monkeypatch.setattr(above, "outward", lambda scale: scale)
    value = 2 * math.log(0.75)
    value += digits * 2 * np.spacing(abs(value))
    assert above_threshold([value], 0.0, 1.0, secure()) == (0 if digits > 0 else None)
    assert asked


@pytest.mark.parametrize("epsilon", [1e-12, 1e-9, 100.0, 1e6])
@pytest.mark.parametrize("threshold", [0.0, 1e300, -1e300])
def test_releases_of_any_size_come_to_an_end(epsilon, threshold):
    found = above_threshold([0.0, 1.0, 1e9], threshold, epsilon, secure())
    if abs(threshold) > 1:  # noise never goes so far
        assert found == (None if threshold > 0 else 0)
