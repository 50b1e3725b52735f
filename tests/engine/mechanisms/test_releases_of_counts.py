"""Mechanisms on counts and sums: that releases are drawn exactly, and as simulations are."""

import dataclasses
import time
from fractions import Fraction

import numpy as np
import pytest
from discrete import number_of_draws
from scipy.stats import ks_2samp

from engine import PrivTree
from engine.catalog import sanitizers
from engine.data.categories import Categories, CategoryDomain
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.scored_choice import MIN_BLOCKS
from engine.extras.libraries.library import Peer
from engine.histograms.attacks import ATTACKS, Guessed, guesses
from engine.histograms.isolation import Isolation
from engine.histograms.synthetic import synthetic_points
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

FALSE_ALARM = 1e-6
BOX = Box.of([0.0, -5.0], [1.0, 5.3])
ANSWERS = CategoryDomain(["answer"], [["yes", "no", "none"]])
TABLE = CategoryDomain(["answer", "place"], [["yes", "no", "none"], ["north", "south"]])
CENTERS = ("lloyd", "k-means-on-cells")
NAMES = [
    name
    for name, kind in sanitizers().items()
    if (kind.facts.topic == "histograms" or name in CENTERS) and not issubclass(kind, Peer)
]
CHOICES = ("noise", "post", "sampler", "about", "margins", "cells", "partition", "region")


def variants(name):
    """The mechanism with each of its choices, small enough for many draws."""
    kind = sanitizers()[name]
    small = {"size": 2, "steps": 20, "bins": 3, "depth": 2, "centers": 8, "t": 5, "rounds": 2}
    names = {declared.name for declared in kind.parameters()}
    right = kind(**{field: value for field, value in small.items() if field in names})
    yield right
    for declared in kind.parameters():
        if declared.name in CHOICES:
            for choice in declared.choices:
                if choice != getattr(right, declared.name):
                    yield dataclasses.replace(right, **{declared.name: choice})


VARIANTS = [one for name in NAMES for one in variants(name)]


def named(mechanism):
    return f"{mechanism.name}-{'-'.join(str(getattr(mechanism, name, '')) for name in CHOICES)}".strip("-")


def data_for(mechanism, n=40):
    rng = np.random.default_rng(3)
    if mechanism.reads == "points":
        data = Points(BOX.lower + rng.beta(2, 5, (n, 2)) * BOX.width, BOX)
        return data if not mechanism.problems(Privacy(1.0, 1e-6), BOX, n) else first_column(data)
    domain = ANSWERS if mechanism.name == "randomized-response" else TABLE
    return Categories(rng.integers(0, domain.shape, (n, len(domain.shape))), domain)


def first_column(data):
    """For a mechanism of one column."""
    return Points(data.values[:, :1], Box.of(BOX.lower[:1], BOX.upper[:1]))


def numbers(value):
    """All numbers in what is released."""
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers(part)]
    if isinstance(value, list):
        return [number for part in value for number in numbers(part)]
    return [value] if isinstance(value, (int, float)) else []


@pytest.mark.parametrize("mechanism", VARIANTS, ids=named)
def test_every_mechanism_releases_without_doubles_of_numpy(mechanism):
    """The generator of releases refuses what is not exact."""
    privacy = Privacy(1.0, 1e-6)
    release = mechanism.run(data_for(mechanism), privacy, secure())
    assert not release.simulated
    assert np.isfinite(numbers(release.value)).all()
    assert release.exact == (getattr(mechanism, "sampler", "exact") == "exact")
    assert release.step == mechanism.step(data_for(mechanism).domain, 40, privacy)


UNTOUCHED = [one for one in VARIANTS if getattr(one, "post", "") == "none" or not one.facts.is_private]
FITTED = (
    "histogram-tree",
    "sorted-histogram",
    "perturbed-points",  # no counts
)  # made of numbers on the grid by least squares, which leaves none


@pytest.mark.parametrize("epsilon", [1e-8, 1.0, 100.0])
@pytest.mark.parametrize("mechanism", [one for one in UNTOUCHED if one.name not in FITTED], ids=named)
def test_counts_as_noise_leaves_them_lie_on_the_grid_that_is_stated(mechanism, epsilon):
    release = mechanism.run(data_for(mechanism), Privacy(epsilon, 1e-6), secure())
    counted = release.value.get("cells") or release.value["counts"]
    steps = np.array([one["count"] for one in counted]) / release.step
    assert np.array_equal(steps, np.rint(steps))
    assert np.log2(release.step) == round(np.log2(release.step))


@pytest.mark.parametrize("mechanism", [one for one in VARIANTS if hasattr(one, "post")], ids=named)
def test_what_can_be_left_out_is_left_out(mechanism):
    assert mechanism.unprocessed() == dataclasses.replace(mechanism, post="none")


@pytest.mark.parametrize("mechanism", VARIANTS, ids=named)
@pytest.mark.parametrize(("epsilon", "n"), [(1e-9, 1), (1e-9, 40), (1.0, 1), (100.0, 1), (100.0, 40)])
def test_extremes_neither_overflow_nor_hang(mechanism, epsilon, n):
    """All records the same; epsilons from the least to the most that a mechanism takes."""
    if hasattr(mechanism, "k"):
        mechanism = dataclasses.replace(mechanism, k=1)
    n = max(n, MIN_BLOCKS * mechanism.size) if mechanism.name == "scored-choice" else n
    data = data_for(mechanism, n)
    values = data.values if mechanism.reads == "points" else data.codes
    data = type(data)(np.repeat(values[:1], n, axis=0), data.domain)
    for factor in (1, 2, 8, 100):
        if not (problems := mechanism.problems(Privacy(epsilon * factor, 1e-6), data.domain, n)):
            break
    assert not problems
    start = time.process_time()
    release = mechanism.run(data, Privacy(epsilon * factor, 1e-6), secure())
    assert time.process_time() - start < 5
    assert np.isfinite(numbers(release.value)).all()


SAME = [
    pytest.param(one, id=named(one), marks=pytest.mark.slow if getattr(one, "post", "") == "top-down" else ())
    for one in VARIANTS
    if one.facts.is_private and one.name not in ("privtree", "synthetic", "k-means-on-cells")
]


@pytest.mark.parametrize("mechanism", SAME)
@number_of_draws(300, 1_000)
def test_releases_and_simulations_have_the_same_law(mechanism, runs):
    """Kolmogorov-Smirnov for every number; false alarm 1e-6 together."""
    data = data_for(mechanism)
    ready = mechanism.prepare(data, Privacy(1.0, 1e-6))
    released, simulated = (ready.draw(rng, runs) for rng in (secure(), reproducible(9)))
    columns = [
        (one, other) for one, other in zip(released.T, simulated.T, strict=True) if np.ptp([one, other]) > 0
    ]
    for one, other in columns:
        # of numbers with many ties the exact law cannot always be worked out
        assert ks_2samp(one, other, method="asymp").pvalue > FALSE_ALARM / len(columns)


def test_what_is_made_of_a_release_may_be_drawn_in_doubles():
    data = data_for(PrivTree())
    for name in ("privtree", "histogram-shifted", "histogram-voronoi-random", "histogram-embedded"):
        histogram = sanitizers()[name]().prepare(data, Privacy(1.0)).histogram(secure())
        assert len(synthetic_points(histogram, secure(), 30)) == 30
        for attack in ATTACKS:
            assert guesses(attack, histogram, 5, secure())[0].shape == (5, 2)
        assert Guessed.against(Isolation(data.values), histogram, BOX, 3, 10, secure()).attempts(2.0, 3)


@pytest.mark.parametrize("rounds", [1, 5, 7, 100])
def test_rounds_of_lloyd_spend_no_more_than_epsilon(rounds):
    """In exact numbers: counts move by 2 and sums by 2 d, together, in each round."""
    mechanism = dataclasses.replace(sanitizers()["lloyd"](), rounds=rounds)
    for epsilon in np.arange(1, 200) / 100:
        ready = mechanism.prepare(data_for(mechanism), Privacy(epsilon))
        costs = Fraction(2) / Fraction(ready.for_counts.scale) + Fraction(4) / Fraction(ready.for_sums.scale)
        assert rounds * costs <= Fraction(float(epsilon))
