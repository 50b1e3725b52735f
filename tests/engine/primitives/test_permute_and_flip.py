"""Permute-and-flip: its law from the definition, its privacy on tiny domains, and exact draws."""

import importlib
import itertools
import math

import numpy as np
import pytest
from discrete import assert_drawn_from, number_of_draws
from flint import arb, ctx

from engine.errors import ParameterError
from engine.primitives.permute_and_flip import flip_probabilities, permute_and_flip
from engine.primitives.selection import selection_probabilities
from engine.randomness import reproducible, secure
from engine.sampling.choice import EXPONENTIAL


def by_flips(scores, epsilon):
    """Return the law of coins that are tossed in every order, straight from the definition."""
    heads = [math.exp(epsilon / 2 * (score - max(scores))) for score in scores]
    law = np.zeros(len(scores))
    orders = list(itertools.permutations(range(len(scores))))
    for order in orders:
        left = 1.0
        for place in order:
            law[place] += left * heads[place] / len(orders)
            left *= 1 - heads[place]
    return law


SCORES = [[3.0], [0, 0], [5, 2], [1, 4, 4, 0], [0.5, -2, 7.25, 7, 1], [0] * 6]


@pytest.mark.parametrize("scores", SCORES)
@pytest.mark.parametrize("epsilon", [1e-6, 0.5, 3.0, 100.0])
def test_its_law_is_that_of_coins_in_random_order(scores, epsilon):
    found = flip_probabilities(scores, epsilon)
    assert found == pytest.approx(by_flips(scores, epsilon), rel=1e-10, abs=1e-300)
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize("m", [300, 5000])
def test_the_law_of_many_candidates_adds_up(m):
    scores = np.random.default_rng(m).integers(0, 20, m)
    for epsilon in (1e-3, 1.0, 10.0):
        assert flip_probabilities(scores, epsilon).sum() == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_it_keeps_epsilon_and_is_never_worse_than_the_exponential_mechanism(epsilon):
    """All scores of three candidates from 0 to 3, and all that are at most 1 away in each."""
    losses = []
    for scores in itertools.product(range(4), repeat=3):
        law = flip_probabilities(scores, epsilon)
        assert law @ scores >= selection_probabilities(scores, epsilon) @ scores - 1e-12
        for step in itertools.product((-1, 0, 1), repeat=3):
            other = flip_probabilities(np.add(scores, step), epsilon)
            losses.append(np.abs(np.log(law / other)).max())
    assert 0.8 * epsilon < max(losses) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("source", [secure, lambda: reproducible(3)])
@number_of_draws(500, 20_000)
def test_draws_have_its_law(source, runs):
    scores, rng = np.array([0.0, 3.0, 4.0, 1.0]), source()
    drawn = np.array([permute_and_flip(scores, 1.0, rng) for _ in range(runs)])
    assert_drawn_from(drawn, flip_probabilities(scores, 1.0))


def test_a_release_decides_by_exact_scores(monkeypatch):
    seen = []
    module = importlib.import_module("engine.primitives.permute_and_flip")  # the package holds the function
    monkeypatch.setattr(module, "choose", lambda *given: seen.append(given) or 0)
    permute_and_flip([1.0, 3.5], 0.1, secure(), sensitivity=2.0)
    [(weights, enclosed, _, magnitude, noise)] = seen
    assert noise == EXPONENTIAL
    assert magnitude == pytest.approx(0.0875)
    with ctx.workprec(300):
        for place, score in enumerate((1.0, 3.5)):
            exact = arb(0.1) * arb(score) / 4
            assert abs(enclosed(place) - exact) < arb(2) ** -250
            assert abs(arb(weights[place]) - exact) < arb(2) ** -44


def test_no_candidates_are_refused():
    with pytest.raises(ParameterError):
        permute_and_flip([], 1.0, reproducible(1))
