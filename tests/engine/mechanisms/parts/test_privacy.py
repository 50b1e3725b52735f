"""Answers for parts of a table keep their guarantee: all tables of up to five rows, all replaced rows.

The law of a choice is compared with the definition.  Noise on a sum is at least as private as the ratio of
its densities, which is |difference|/scale in the tails of Laplace noise.
"""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from exact_laws import additive

from engine.data.parts import IN_NO_PART, Parts, PartsDomain
from engine.domain import Interval
from engine.mechanisms import ChoiceInParts, SumsInParts
from engine.noise import Laplace
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy
from engine.queries import Count, Mean, Median, Quantile, Sum

EPSILON, DELTA = 1.0, 1e-6
PRIVACY = Privacy(EPSILON, DELTA)
VALUES = (-2.0, 0.0, 3.0)
BOUNDS = Interval(-2, 3, 1.0)
LISTS = {"one part": (), "two groups": ("a", "b"), "three groups": ("a", "b", "c")}
ROWS = {"one part": 5, "two groups": 5, "three groups": 4}

SUMS = [
    *(SumsInParts(query=query) for query in (Count(), Sum(), Mean(), Count(where="> 1", give="share"))),
    *(SumsInParts(query=query, noise="gaussian") for query in (Count(), Sum(), Mean())),
    SumsInParts(query=Count(give="share")),
    SumsInParts(query=Count(where="> 1")),
]
CHOICES = [ChoiceInParts(query=query) for query in (Median(), Quantile(q=0.9), Quantile(q=0.25))]


def domain_of(name):
    return PartsDomain(BOUNDS, LISTS[name])


def neighbours(name):
    """Yield the values of each part of all tables, and of their neighbours, up to the order of rows."""
    size = domain_of(name).size
    rows = list(itertools.product(VALUES, range(IN_NO_PART, size)))
    for n in range(1, ROWS[name] + 1):
        for rest in itertools.combinations_with_replacement(rows, n - 1):
            for one, other in itertools.combinations(rows, 2):
                yield (
                    n,
                    *(
                        tuple(
                            tuple(sorted(value for value, index in (*rest, row) if index == part))
                            for part in range(size)
                        )
                        for row in (one, other)
                    ),
                )


def prepared(mechanism, values, n, domain):
    """Prepare a table whose first part has these values; the other rows are in no part."""
    filled = [*values, *([math.nan] * (n - len(values)))]
    return mechanism.prepare(Parts(filled, [0] * len(values) + [-1] * (n - len(values)), domain), PRIVACY)


def law(choice):
    """Return the probability of each multiple of the step."""
    points = np.arange(BOUNDS.lower, BOUNDS.upper + 1)
    return choice.density(points) * (BOUNDS.resolution or 1)


def distances(values, q, c):
    """Return how far the inner ranks of each value on the grid are from the rank sought, by definition."""
    sought, margin = q * len(values), math.floor(64 * q * (1 - q) / c) / 8
    for point in range(int(BOUNDS.lower), int(BOUNDS.upper) + 1):
        below, upto = sum(value < point for value in values), sum(value <= point for value in values)
        outer = min((upto - below) / 4, margin)
        yield max(0, below + outer - sought, sought - upto + outer)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("mechanism", CHOICES, ids=repr)
def test_choices_keep_epsilon_whatever_row_is_replaced(mechanism, name):
    domain = domain_of(name)
    c = mechanism.rate(domain, PRIVACY)

    @functools.cache
    def logarithms(values, n):
        probabilities = law(prepared(mechanism, values, n, domain).choices[0])
        weights = [math.exp(-c * float(distance)) for distance in distances(values, mechanism.q, c)]
        assert probabilities == pytest.approx(np.array(weights) / sum(weights), rel=1e-9)
        return np.log(probabilities)

    largest = 0.0
    for n, one, other in neighbours(name):
        changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        ratios = [logarithms(a, n) - logarithms(b, n) for a, b in changed]
        largest = max(largest, sum(ratio.max() for ratio in ratios), sum(-ratio.min() for ratio in ratios))
    assert 0.35 * EPSILON < largest <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize("groups", [(), ("a", "b")])
@pytest.mark.parametrize("q", [0.25, 0.5, 0.8])
def test_choices_nearly_attain_epsilon(q, groups):
    """On wide bounds, with a value next to the rank sought that is rarely drawn."""
    mechanism, privacy = ChoiceInParts(query=Quantile(q=q)), Privacy(0.5)
    domain = PartsDomain(Interval(0, 2**30, 1.0), groups)
    near, far = (0, 2.0**30) if q <= 0.5 else (2.0**30, 0)
    middle = near + (far - near) / 2**20
    below = round(20 * min(q, 1 - q))
    if groups:
        part = [near] * below + [middle] + [far] * (19 - below)
        data = Parts([*part, *part[1:]], [0] * 20 + [1] * 19, domain)
        other = data.replaced(0, (near, 1))
    else:
        data = Parts([near] * below + [middle] * 3 + [far] * (17 - below), [0] * 20, domain)
        other = data.replaced(0, (far, 0))
    points = near + (far - near) * np.array([2.0**-21, 0.5])
    ratio = 0.0
    for one, two in zip(
        mechanism.prepare(data, privacy).choices, mechanism.prepare(other, privacy).choices, strict=True
    ):
        ratio += np.abs(np.log(one.density(points) / two.density(points))).max()
    assert 0.95 * 0.5 < ratio <= 0.5 * (1 + 1e-9)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("mechanism", SUMS, ids=repr)
def test_noise_hides_every_replaced_row_and_no_less_would(mechanism, name):
    domain = domain_of(name)
    scales = mechanism.scales(domain, PRIVACY)

    @functools.cache
    def sums(values, n):
        return prepared(mechanism, values, n, domain).sums[0]

    power = 1 if mechanism.noise == "laplace" else 2
    limit = Fraction(EPSILON if power == 1 else analytic_gaussian_sigma(PRIVACY) ** -2)
    largest = Fraction(0)
    for n, one, other in neighbours(name):
        loss = sum(
            (abs(a - b) / Fraction(scale)) ** power
            for before, after in zip(one, other, strict=True)
            if before != after
            for a, b, scale in zip(sums(before, n), sums(after, n), scales, strict=True)
        )
        largest = max(largest, loss)
    assert limit * (1 - Fraction(1e-9)) <= largest <= limit * (1 + (0 if power == 1 else Fraction(1e-12)))


@pytest.mark.parametrize("name", ["one part", "two groups"])
def test_released_counts_attain_epsilon(name):
    """The exact laws of counts with clamped noise, on all tables of four rows."""
    domain, n, mechanism = domain_of(name), 4, SumsInParts(query=Count())
    (scale,), (grid,) = mechanism.scales(domain, PRIVACY), mechanism.grids(domain, n)
    laws = [
        np.array([float(p.log()) for p in additive(Fraction(k), scale, Laplace(), grid)])
        for k in range(n + 1)
    ]
    steps = [(up - down).max() for up, down in itertools.pairwise(laws)]
    steps += [(down - up).max() for up, down in itertools.pairwise(laws)]
    moved = 2 if domain.size > 1 else 1
    assert moved * max(steps) == pytest.approx(EPSILON, rel=1e-12)


@pytest.mark.parametrize("mechanism", [*CHOICES, *SUMS], ids=repr)
def test_an_empty_part_answers_like_any_other(mechanism):
    domain = PartsDomain(BOUNDS, ("a", "b"))
    data = Parts([1.0, 2.0, math.nan], [0, 0, -1], domain)
    for _ in range(5):
        first, second = mechanism.run(data, PRIVACY).value["groups"]
        assert first.keys() == second.keys()
        assert isinstance(second["value"], float)
        assert (first["interval"] is None) == (second["interval"] is None)
