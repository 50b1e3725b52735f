"""Suggested bounds: the guarantee by brute force over small databases, the counts, what is left out."""

import itertools
import math
from functools import partial

import numpy as np
import pytest

from engine import Interval, Privacy, Sample, SuggestedBounds
from engine.errors import ParameterError
from engine.primitives import selection_probabilities
from engine.randomness import reproducible

WIDE = Interval(-4, 4)
VALUES = (-4.0, -1.5, 0.0, 2.0, 4.0)


def probabilities(values, privacy):
    """Return with which probability each pair of choices is made, from the scores alone."""
    found = SuggestedBounds(WIDE, 0.1).scores(Sample(values, WIDE), privacy)
    upper, lower = (selection_probabilities(scores, privacy.epsilon / 2) for scores in found)
    return np.log(np.outer(upper, lower))


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_no_pair_of_choices_tells_neighbours_apart_by_more_than_epsilon(epsilon):
    privacy = Privacy(epsilon)
    of = {
        values: probabilities(values, privacy)
        for values in itertools.combinations_with_replacement(VALUES, 3)
    }
    farthest = 0.0
    for values, (place, value) in itertools.product(of, itertools.product(range(3), VALUES)):
        other = tuple(sorted((*values[:place], value, *values[place + 1 :])))
        farthest = max(farthest, float(np.abs(of[values] - of[other]).max()))
    assert farthest <= epsilon * (1 + 1e-9)
    assert farthest > epsilon / 4  # the bound is not idle


def test_counts_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    values = np.append(rng.normal(0, 2, 200), [-4.0, -1.0, 0.0, 0.0, 2.0])
    helper, data = SuggestedBounds(WIDE), Sample(values, WIDE)
    above, below = helper.counts(data)
    clamped = np.clip(values, -4, 4)
    assert above.tolist() == [int((clamped >= place).sum()) for place in helper.candidates]
    assert below.tolist() == [int((clamped <= place).sum()) for place in helper.candidates[::-1]]


def test_candidates_depend_on_the_wide_range_alone_and_reach_its_ends():
    places = SuggestedBounds(Interval(-300, 1e9)).candidates
    assert (places[0], places[-1]) == (-300, 1e9)
    assert (np.diff(places) > 0).all()
    assert {0.0, 1.0, 200.0, 5e6, 2e7} <= set(places.tolist())
    assert 1980.0 in SuggestedBounds(Interval(1000, 3000)).candidates


@pytest.mark.parametrize("wide", [Interval(0, 1e9), Interval(-1e12, 1e6), Interval(-50, 1e5)])
def test_few_records_are_left_out_and_the_bounds_are_not_far_beyond_the_data(wide):
    values = np.random.default_rng(2).lognormal(8, 0.7, 4000)
    helper, data, privacy = SuggestedBounds(wide), Sample(values, wide), Privacy(0.5)
    most = helper.left_out(privacy, data.n)
    far = 0
    for seed in range(40):
        lower, upper = helper.run(data, privacy, reproducible(seed)).value
        assert wide.lower <= lower < upper <= wide.upper
        far += (data.values < lower).sum() > most or (data.values > upper).sum() > most
        far += upper > 10 * values.max()
    assert far <= 8


def test_records_that_are_all_the_same_get_bounds_around_them():
    data = Sample(np.full(1000, 7.0), Interval(0, 100))
    lower, upper = SuggestedBounds(data.domain).run(data, Privacy(2.0), reproducible(1)).value
    assert 5 <= lower <= 7 <= upper <= 10
    assert lower < upper


def test_a_release_draws_by_itself_and_costs_epsilon_alone():
    data = Sample(range(1000), Interval(0, 1e6))
    helper = SuggestedBounds(data.domain)
    release = helper.run(data, Privacy(1.0, 1e-6))
    assert not release.simulated
    assert release.privacy == Privacy(1.0)
    assert math.isclose(helper.guarantee.zcdp_cost(Privacy(1.0)).rho, 2 * 0.5**2 / 8)


@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1.9e-9, 201, 1e308])
def test_too_little_or_too_much_to_choose_by_is_refused(epsilon):
    helper, data = SuggestedBounds(WIDE), Sample([1.0] * 100, WIDE)
    for work in (helper.check, lambda privacy: helper.problem(privacy, 100), partial(helper.run, data)):
        with pytest.raises(ParameterError, match="at least 2e-09 and at most 200"):
            work(Privacy(epsilon))


def test_too_few_records_and_other_ranges_are_refused():
    helper = SuggestedBounds(Interval(0, 1e6))
    assert "too few" in helper.problem(Privacy(0.1), 50)
    assert helper.problem(Privacy(1.0), 5000) == ""
    with pytest.raises(ParameterError, match="another range"):
        helper.run(Sample([1.0], Interval(0, 1)), Privacy(1.0))
    with pytest.raises(ParameterError, match=r"0\.5 is not possible"):
        SuggestedBounds(WIDE, 0.5)
