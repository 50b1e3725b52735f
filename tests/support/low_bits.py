"""Neighbours on which low bits are attacked, and the attack once more, in exact arithmetic."""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from engine.audit import Pair
from engine.data import load_example
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms import (
    Clusters,
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    NoisyHistogram,
    OneCluster,
    ProposeTestRelease,
    SmoothRelease,
)
from engine.mechanisms.base import Mechanism
from engine.noise import NOISES, LaplacePareto
from engine.privacy import Privacy
from engine.queries import MstCost, TriangleCount

UNIT, SQUARE = Interval(0, 1), Box.of([0, 0], [1, 1])
PURE, WITH_DELTA = Privacy(1.0), Privacy(1.0, 1e-6)
TESTED = Privacy(2.0, 0.1)
"""With which a proposed bound is accepted often enough to be looked at."""


@dataclasses.dataclass(frozen=True, eq=False)
class Case:
    """A mechanism on a pair of neighbours.

    `step` is the spacing of its public grid, worked out by hand, and `origin` a point of it; None
    where it is only known to the mechanism.  `low` tells how many of the lowest bits say nothing.
    """

    name: str
    mechanism: Mechanism[Any]
    pair: Pair
    privacy: Privacy
    step: float | None
    low: int = 20


def pair_of(data: Any, neighbour: Any) -> Pair:
    return Pair("neighbours", "Neighbors", "", data, neighbour)


@functools.cache
def salaries() -> Sample:
    return Sample(load_example("salaries").numbers("salary").values, Interval(0, 500_000))


def _salaries() -> Pair:
    data = salaries()
    at_median = int(np.argsort(data.values, kind="stable")[data.n // 2])
    return pair_of(data, data.replaced(at_median, 500_000.0))


def _far(value: float) -> Sample:
    return Sample([0.0] * 500 + [value] + [1.0] * 500, UNIT)


def medians() -> dict[str, tuple[Pair, float]]:
    """Return pairs of columns with the spacing of the grid, 2^(floor(log2 range) - 40)."""
    return {
        "0.1-0.3": (pair_of(*(Sample([0, value, 1], UNIT) for value in (0.1, 0.3))), 2.0**-40),
        "0-1": (pair_of(*(Sample([0, value, 1], UNIT) for value in (0.0, 1.0))), 2.0**-40),
        "0-tiny": (pair_of(_far(0.0), _far(2.0**-10)), 2.0**-40),
        "salaries": (_salaries(), 2.0 ** (18 - 40)),
    }


def graphs() -> dict[str, tuple[Any, Pair, float]]:
    """Return a spanning tree and triangles, with their neighbours."""
    ring = [(vertex, (vertex + 1) % 5) for vertex in range(5)]
    weights = np.array([0.1, 0.7, 0.3, 0.9, 0.2])
    tree = WeightedGraph(ring, weights, UNIT, 5)
    other = tree.with_weights(np.array([0.1, 0.7, 0.35, 0.9, 0.2]))
    edges = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    return {
        "tree": (MstCost(), pair_of(tree, other), 2.0**-40),
        # an edge closes at most 3 triangles with 5 vertices
        "triangles": (
            TriangleCount(),
            pair_of(SimpleGraph(edges, 5), SimpleGraph(edges[1:], 5)),
            2.0 ** (1 - 40),
        ),
    }


def points(n: int) -> Pair:
    rng = np.random.default_rng(16)
    centers = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])
    values = np.clip(centers[rng.integers(0, 3, n)] + 0.05 * rng.standard_normal((n, 2)), 0, 1)
    data = Points(values, SQUARE)
    return pair_of(data, data.replaced(0, [1.0, 0.0]))


def scalar_cases() -> list[Case]:
    """Return every method, and every family of noise, on numbers."""
    found = []
    for name, (pair, step) in medians().items():
        width = pair.data.domain.width
        ways: list[tuple[Mechanism[Any], Privacy]] = [
            (LaplaceRelease(), PURE),
            (GaussianRelease(), WITH_DELTA),
            (ExponentialRelease(), PURE),
            (ProposeTestRelease(bound=0.5 * width), TESTED),
            *((SmoothRelease(noise=family()), WITH_DELTA) for family in NOISES.values()),
        ]
        found += [Case(f"{name} {_words(way)}", way, pair, asked, step) for way, asked in ways]
    for name, (query, pair, step) in graphs().items():
        families = [LaplacePareto(), *(family() for family in NOISES.values() if family is not LaplacePareto)]
        ways = [
            (LaplaceRelease(query=query), PURE),
            (GaussianRelease(query=query), WITH_DELTA),
            *((SmoothRelease(query=query, noise=family), WITH_DELTA) for family in families),
        ]
        found += [Case(f"{name} {_words(way)}", way, pair, asked, step) for way, asked in ways]
    return found


def other_cases() -> list[Case]:
    """Return mechanisms on points: three centers, a ball, counts."""
    few = points(300)
    return [
        Case("three centers", Clusters(k=3), few, PURE, 2.0**-40),
        # whole numbers with noise of scale 200
        Case("counts", NoisyHistogram(bins=3), few, Privacy(0.01), 1.0, low=3),
        # a grid of 2^16 steps, and a mean with noise of some hundred of them
        Case("ball", OneCluster(t=500), points(3000), WITH_DELTA, 2.0**-16, low=2),
    ]


def _words(mechanism: Any) -> str:
    noise = getattr(mechanism, "noise", None)
    return mechanism.name if noise is None else f"{mechanism.name} {noise.name}"


# The attack, in exact arithmetic.


def on_grid(numbers: Any, step: float) -> bool:
    """Tell whether all numbers are whole multiples of a step."""
    return all((Fraction(float(number)) / Fraction(step)).denominator == 1 for number in np.ravel(numbers))


def can_give(value: float, center: float, scale: float, most: int = 64) -> bool:
    """Tell whether a double is the sum, in double precision, of a center and some scale * z.

    Doubles y with fl(center + y) = value lie in an interval around value - center; of each it is
    asked whether a z next to y/scale leads there.  Where there are many of them one is taken to.
    """
    below, above = (Fraction(math.nextafter(value, end)) for end in (-math.inf, math.inf))
    middle = Fraction(value)
    low, high = ((middle + end) / 2 - Fraction(center) for end in (below, above))
    y = math.nextafter(float(low), -math.inf)
    for _ in range(most):
        if Fraction(y) > high:
            return False
        if center + y == value and _is_product(y, scale):
            return True
        y = math.nextafter(y, math.inf)
    return True


def _is_product(y: float, scale: float) -> bool:
    z = float(Fraction(y) / Fraction(scale))
    return any(scale * near == y for near in (z, math.nextafter(z, -math.inf), math.nextafter(z, math.inf)))


def low_bits(numbers: Any, step: float, bits: int) -> np.ndarray:
    """Return the lowest bits of the positions on the grid, in shares of what they can be."""
    index = [int(Fraction(float(number)) / Fraction(step)) % (1 << bits) for number in np.ravel(numbers)]
    return np.array(index, dtype=np.int64)


def guessed_right(first: np.ndarray, second: np.ndarray, bits: int) -> list[tuple[int, int]]:
    """Return how many of how many guesses of the database are right, by low bits alone.

    Two classifiers: each takes 16 classes of the bits, the lowest or the highest four, and learns
    on the first halves which of them are more frequent where.
    """
    results = []
    shift = max(0, bits - 4)
    for classify in (lambda side: side % 16, lambda side: side >> shift):
        sides = [classify(side) for side in (first, second)]
        half = len(first) // 2
        learnt = [np.bincount(side[:half], minlength=16) for side in sides]
        guess = learnt[1] > learnt[0]
        right = int((~guess[sides[0][half:]]).sum() + guess[sides[1][half:]].sum())
        results.append((right, len(first) - half + len(second) - half))
    return results
