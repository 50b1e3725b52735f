"""Blocks with replacement: what they hold, and how much more private a secret draw makes a release."""

import dataclasses
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from published_costs import published_cost

from engine.aggregation.replacement import WithReplacement, in_a_block
from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import SampleAggregate
from engine.mechanisms.aggregators import Average, CenterOfAttention
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE = Box.of([0.0], [1.0])


def cost_of(sampling, n, spent):
    """Return what the aggregator's budget costs by the formulas in the docstring."""
    p = float(1 - (1 - Fraction(1, n)) ** sampling.block_size(n))
    epsilon = sampling.blocks * math.log1p(p * math.expm1(spent.epsilon))
    return epsilon, spent.delta * math.expm1(epsilon) / math.expm1(spent.epsilon)


@pytest.mark.parametrize("asked", [Privacy(0.1, 1e-6), Privacy(1.0), Privacy(5.0, 1e-9)], ids=str)
@pytest.mark.parametrize(("n", "blocks", "thin"), [(1000, 10, 9), (1000, 50, 1), (90, 3, 9), (10**6, 999, 2)])
def test_what_is_left_costs_what_was_asked(asked, n, blocks, thin):
    sampling = WithReplacement(blocks=blocks, thin=thin)
    epsilon, delta = cost_of(sampling, n, sampling.left(n, asked))
    assert asked.epsilon * (1 - 1e-9) <= epsilon <= asked.epsilon
    assert asked.delta * (1 - 1e-6) <= delta <= asked.delta


def test_a_large_budget_is_no_overflow():
    left = WithReplacement(blocks=3, thin=1).left(30, Privacy(100.0, 1e-6))
    assert left.epsilon < 40
    assert 0 < left.delta < 1
    assert WithReplacement(blocks=50, thin=9).left(1000, Privacy(100.0)).epsilon <= 100


def answers(outputs, epsilon, c):
    """Return the law of an (epsilon, c)-private count of ones, two-sided geometric noise cut at the ends.

    With probability c the count is told as it is.
    """
    m, ones = len(outputs), sum(outputs)
    ratio = math.exp(-epsilon)
    law = np.array([ratio ** abs(ones - value) * (1 - ratio) / (1 + ratio) for value in range(m + 1)])
    law[0], law[m] = ratio**ones / (1 + ratio), ratio ** (m - ones) / (1 + ratio)
    told = np.arange(m + 1) == ones
    return (1 - c) * law + c * told


@pytest.mark.parametrize(("n", "m", "b"), [(3, 3, 1), (4, 3, 2), (3, 5, 1)])
@pytest.mark.parametrize("c", [0.0, 0.01])
def test_a_secret_draw_costs_no_more_on_all_databases(n, m, b, c):
    """Every pattern and every database of bits; the function is the largest bit of a block."""
    spent, p = 1.0, 1 - (1 - 1 / n) ** b
    assert in_a_block(n, b) == pytest.approx(p)
    epsilon = m * math.log1p(p * math.expm1(spent))
    delta = c * math.expm1(epsilon) / math.expm1(spent)
    patterns = np.array(list(itertools.product(range(n), repeat=m * b))).reshape(-1, m, b)
    laws = {}
    for bits in itertools.product((0, 1), repeat=n):
        outputs = np.array(bits)[patterns].max(axis=2)
        seen, times = np.unique(outputs, axis=0, return_counts=True)
        laws[bits] = times @ np.array([answers(row, spent, c) for row in seen.tolist()]) / len(patterns)
    worst = 0.0
    for bits, place in itertools.product(laws, range(n)):
        other = (*bits[:place], 1 - bits[place], *bits[place + 1 :])
        excess = float(np.maximum(laws[bits] - math.exp(epsilon) * laws[other], 0).sum())
        assert excess <= delta * (1 + 1e-9) + 1e-15
        worst = max(worst, float(np.log(laws[bits] / laws[other]).max()))
    assert worst > 0.4 * epsilon  # the bound is no empty one


def test_the_lemma_in_print_is_looser():
    sampling, n = WithReplacement(blocks=100), 9000
    spent = Privacy(1.0, 1e-6)
    printed = published_cost(sampling.blocks * sampling.block_size(n), n, spent)
    epsilon, delta = cost_of(sampling, n, spent)
    assert (round(printed.epsilon, 3), round(epsilon, 3)) == (0.667, 0.191)
    assert delta < printed.delta < 1e-6


def test_records_are_drawn_evenly_among_all():
    """20,000 blocks of 5 among 10; each of ten counts is within 6 standard deviations."""
    (members,) = WithReplacement(blocks=20_000, thin=1).draw(100_000, reproducible(1)).members
    assert members.shape == (20_000, 5)
    counts = np.bincount(members.ravel() // 10_000, minlength=10)
    assert np.abs(counts - 10_000).max() < 6 * math.sqrt(100_000 * 0.09)


def test_blocks_that_are_too_small_are_refused():
    field, words = WithReplacement(blocks=20).problem(100, 1)
    assert (field, "at most 11 blocks" in words) == ("blocks", True)


def test_each_release_draws_blocks_of_its_own():
    values = np.linspace(0, 1, 900)[:, None]
    mechanism = SampleAggregate(sampling=WithReplacement(blocks=10), aggregator=CenterOfAttention())
    ready = mechanism.prepare(Points(values, LINE), Privacy(50.0))
    drawn = ready.draw(reproducible(1), 40)
    assert np.unique(drawn).size == 40
    assert 0.01 < np.std(drawn) < 0.3  # that of means of ten records
    release = mechanism.run(Points(values, LINE), Privacy(1.0), secure())
    assert release.parameters["sampling"] == "with-replacement"
    assert (release.privacy, release.exact) == (Privacy(1.0), True)


@dataclasses.dataclass(frozen=True)
class KnownDraw(WithReplacement):
    """A pattern that everyone knows, with the budget of a secret one: a mistake."""

    redrawn = False


AUDITED = [
    "two-heaps",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("lost-majority", "before-the-jump", "far-from-the-jump", "one-moved")
    ),
]
"""Pairs; the first is the one on which a known draw is caught."""


def on_the_line(kind, name):
    """Return an average of blocks and one of its built-in pairs."""
    mechanism = SampleAggregate(sampling=kind(blocks=20, thin=9), aggregator=Average())
    return mechanism, {pair.name: pair for pair in worst_case_pairs(mechanism, LINE, 200, Privacy(1.0))}[name]


@pytest.mark.parametrize("name", AUDITED)
@pytest.mark.slow
def test_an_audit_passes_the_secret_draw(name):
    """It exceeds epsilon with probability 1e-8."""
    mechanism, pair = on_the_line(WithReplacement, name)
    assert (
        audit_run(mechanism, pair, Privacy(1.0), runs=1000, seed=1, confidence=1 - 1e-8).audit.verdict
        == "consistent"
    )


def test_an_audit_catches_a_known_draw():
    mechanism, pair = on_the_line(KnownDraw, "two-heaps")
    assert audit_run(mechanism, pair, Privacy(1.0), runs=10_000, seed=1).audit.verdict == "violated"


def test_all_pairs_are_audited():
    pairs = worst_case_pairs(on_the_line(WithReplacement, "two-heaps")[0], LINE, 200, Privacy(1.0))
    assert {pair.name for pair in pairs} == {getattr(name, "values", (name,))[0] for name in AUDITED}
