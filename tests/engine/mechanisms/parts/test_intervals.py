"""Intervals of quantiles of parts: private on all small tables, and right whatever the size of a part."""

import itertools
import math

import numpy as np
import pytest

from engine import ChoiceInParts, Interval, Median, Parts, PartsDomain, Privacy, Quantile, reproducible
from engine.mechanisms.parts.choice import EndChoice

VALUES = Interval(0, 2, resolution=1)


def law(choice):
    """Return the probability of each released value, with the public bound of an end."""
    edges, probabilities = choice.edges, choice.probability
    bound = choice._share_of_bound if isinstance(choice, EndChoice) else 0.0
    result = {"bound": bound} if bound else {}
    for low, high, probability in zip(edges, edges[1:], probabilities, strict=False):
        inside = [value for value in range(3) if low < value < high]
        for value in inside:
            result[value] = result.get(value, 0.0) + (1 - bound) * probability / len(inside)
    return result


@pytest.mark.parametrize("q", [0.5, 0.9])
@pytest.mark.parametrize("groups", [(), ("a", "b")])
@pytest.mark.parametrize(
    ("choice", "covers"),
    [("exponential", "data"), ("exponential", "population"), ("permute-and-flip", "data")],
)
def test_all_choices_together_cost_epsilon(q, groups, choice, covers):
    mechanism = ChoiceInParts(query=Quantile(q=q), error_share=0.6, choice=choice, covers=covers)
    privacy = Privacy(2.0)
    domain = PartsDomain(VALUES, groups)
    rows = [(0, -1), *itertools.product(range(3), range(domain.size))]
    laws = {
        table: [
            law(choice)
            for choice in mechanism.prepare(Parts(*zip(*table, strict=True), domain), privacy).choices
        ]
        for table in itertools.product(rows, repeat=3)
    }
    worst = 0.0
    for table, laws_here in laws.items():
        for row in rows:
            other = laws[(row, *table[1:])]
            ratios = (
                max(math.log(one[value] / two[value]) for value in one)
                for one, two in zip(laws_here, other, strict=True)
            )
            worst = max(worst, sum(ratios))
    assert 0.3 < worst <= 2.0 + 1e-9


@pytest.mark.parametrize("resolution", [None, 1.0, 50.0])
@pytest.mark.parametrize("spread", [1.0, 200.0])
def test_they_hold_the_quantile_whatever_the_size(resolution, spread):
    """3,000 draws with a coverage of 95 %: fewer than 2,760 have a probability below 1e-6."""
    rng = np.random.default_rng(3)
    sizes = (3000, 400, 50, 5, 1)
    index = np.repeat(np.arange(5), sizes)
    values = rng.normal(500, spread, index.size)
    data = Parts(values, index, PartsDomain(Interval(0, 1000, resolution), tuple("abcde")))
    prepared = ChoiceInParts(query=Median(), error_share=0.5).prepare(data, Privacy(1.0))
    drawn = prepared.draw(reproducible(1), 3000).reshape(3000, 5, 3)
    truth = prepared.diagnostics["true_value"]
    if resolution:
        truth = np.rint(truth / resolution) * resolution
    inside = (drawn[:, :, 1] <= truth) & (truth <= drawn[:, :, 2])
    assert (inside.sum(axis=0) >= 2760).all()
    assert (drawn[:, :, 1] <= drawn[:, :, 2]).all()


def test_they_hold_the_chosen_value_and_what_was_drawn():
    index = np.repeat([0, 1], 30)
    data = Parts(np.arange(60), index, PartsDomain(Interval(0, 60, 1), ("a", "b")))
    prepared = ChoiceInParts(error_share=0.9).prepare(data, Privacy(0.5))
    drawn = prepared.draw(reproducible(1), 400).reshape(400, 2, 3)
    rng = reproducible(1)
    raw = np.array([choice.draw(rng, 400) for choice in prepared.choices]).T.reshape(400, 2, 3)
    low, high = raw[:, :, 1:].min(axis=2), raw[:, :, 1:].max(axis=2)
    value = raw[:, :, 0]
    assert ((value < low) | (value > high)).any()
    np.testing.assert_array_equal(
        drawn, np.stack([value, np.minimum(low, value), np.maximum(high, value)], 2)
    )


@pytest.mark.parametrize("q", [0.5, 0.9])
def test_they_hold_the_quantile_of_the_population(q):
    """600 samples with a coverage of 95 %: fewer than 544 have a probability below 1e-6."""
    rng = np.random.default_rng(4)
    mechanism = ChoiceInParts(query=Quantile(q=q), error_share=0.5, covers="population")
    inside, narrow = np.zeros(3, int), np.zeros(3, int)
    for turn in range(600):
        index = rng.choice([-1, 0, 1, 2], 1500, p=[0.1, 0.6, 0.28, 0.02])
        data = Parts(rng.uniform(0, 1, 1500), index, PartsDomain(Interval(0, 1), tuple("abc")))
        drawn = mechanism.prepare(data, Privacy(8.0)).draw(reproducible(turn), 1).reshape(3, 3)
        inside += (drawn[:, 1] <= q) & (q <= drawn[:, 2])
        narrow += drawn[:, 2] - drawn[:, 1] < 0.4
    assert (inside >= 544).all()
    assert narrow[0] > 500


def test_a_release_states_them_and_a_small_part_has_a_wide_one():
    index = np.repeat([0, 1], [5000, 3])
    values = np.concatenate([np.linspace(0, 100, 5000), [10, 20, 30]])
    data = Parts(values, index, PartsDomain(Interval(0, 100), ("many", "few")))
    many, few = ChoiceInParts(error_share=0.5).run(data, Privacy(2.0), reproducible(1)).value["groups"]
    assert many["interval"][1] - many["interval"][0] < 15
    assert few["interval"][1] - few["interval"][0] > 30
    single = Parts(values, np.zeros(index.size, int), PartsDomain(Interval(0, 100)))
    released = ChoiceInParts(error_share=0.5).run(single, Privacy(2.0), reproducible(2))
    low, high = released.parameters["interval"]
    assert low < 50 < high


def test_permute_and_flip_releases_multiples_with_its_probabilities():
    """A seeded law is that of the formula; a release is one of the multiples."""
    values = np.concatenate([np.arange(20), [11] * 6])
    data = Parts(values, np.zeros(values.size, int), PartsDomain(Interval(0, 30, resolution=1)))
    mechanism = ChoiceInParts(choice="permute-and-flip")
    prepared = mechanism.prepare(data, Privacy(1.0))
    drawn = prepared.draw(reproducible(1), 40_000)[:, 0].astype(int)
    shares, (choice,) = np.bincount(drawn, minlength=31) / 40_000, prepared.choices
    lengths = np.diff(choice.near.places).astype(int)
    each = np.repeat(choice.probability / lengths, lengths)
    assert np.abs(shares - each).max() < 0.0125  # 5 standard deviations
    assert mechanism.run(data, Privacy(1.0)).value in range(31)
    assert mechanism.guarantee.zcdp_cost(Privacy(1.0)).rho == 0.5


def test_each_multiple_keeps_its_length_far_from_zero():
    """Half steps of the grid must not be lost in doubles as large as the bounds."""
    values = 1e9 + np.linspace(0, 1, 1001)
    data = Parts(values, np.zeros(1001, int), PartsDomain(Interval(1e9, 1e9 + 1)))
    (choice,) = ChoiceInParts().prepare(data, Privacy(1.0)).choices
    lengths = np.diff(choice.near.places)
    assert lengths.min() == 1.0
    assert lengths.sum() == round(1 / choice.grid.step) + 1
