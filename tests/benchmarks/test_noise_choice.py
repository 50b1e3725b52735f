"""The noise that the rule chooses against every family with its default shape and equal shares.

Median errors are exact: S*(beta) m / alpha, with m the median of |Z|.  No other library with smooth
sensitivity is installed that could stand beside it.  Run with ``-s`` to see the table.
"""

import functools

import pytest

from engine.data import load_example
from engine.data.edges import read_edges
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import SmoothRelease
from engine.mechanisms.smooth import smooth_bound
from engine.noise import NOISES, Automatic
from engine.privacy import Privacy
from engine.queries import Median, MstCost, TriangleCount, TrimmedMean


def column(name, upper):
    table = load_example(name)
    return Sample(table.numbers(table.columns[0].name).values, Interval(0, upper))


CASES = {
    "salaries": (Median(), lambda: column("salaries", 500_000)),
    "evenly-spaced": (Median(), lambda: column("evenly-spaced", 1000)),
    "k60": (MstCost(), lambda: read_edges(load_example("k60")).weighted(Interval(0, 1000))),
    "karate": (TriangleCount(), lambda: read_edges(load_example("karate")).simple()),
    "trimmed mean": (TrimmedMean(), lambda: column("salaries", 500_000)),
}


@functools.cache
def database(name):
    return CASES[name][1]()


def median_error(mechanism, data, privacy):
    used = mechanism.calibrate(privacy)
    bound = smooth_bound(mechanism, data, used.pair.beta).value
    return bound * float(used.noise.quantile(0.75)) / used.pair.alpha


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "epsilon", [0.1, 1.0, *(pytest.param(one, marks=pytest.mark.slow) for one in (0.3, 3.0))]
)
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_never_more_than_a_tenth_worse_than_the_best_family(name, epsilon, delta):
    query, data, privacy = CASES[name][0], database(name), Privacy(epsilon, delta)
    errors = {}
    for family, kind in NOISES.items():
        try:
            errors[family] = median_error(SmoothRelease(query=query, noise=kind()), data, privacy)
        except ParameterError:
            continue
    own = SmoothRelease(query=query, noise=Automatic())
    used = own.calibrate(privacy)
    found, best = median_error(own, data, privacy), min(errors, key=errors.__getitem__)
    print(
        f"\n{name:14s} epsilon {epsilon:g} delta {delta:g}: auto {found:.4g} "
        f"({used.noise!r}, {used.split:.2g}), "
        f"best {best} {errors[best]:.4g}, ratio {found / errors[best]:.2f}"
    )
    assert found <= 1.08 * errors[best]
