"""Our choice of a median by rank beside OpenDP's, among the same candidates and for the same epsilon.

Run with ``python3 packaging/test.py -m benchmark -s tests/benchmarks/test_choice_by_rank.py``.
"""

import itertools

import numpy as np
import pytest
from discrete import assert_drawn_from

from engine import Interval, Median, Privacy, Sample
from engine.data import load_example
from engine.extras.libraries.opendp import OPENDP, OpenDPRelease
from engine.mechanisms import ExponentialRelease
from engine.primitives.permute_and_flip import flip_probabilities
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

SIZES, GRIDS, EPSILONS = (100, 1000), (32, 128, 1024, 8192), (0.1, 1.0)
OF_AGES = (30, 120)
"""Numbers of candidates: their steps are exact in doubles, and those of ages are whole years."""

KINDS = ("salaries", "ages", "log-normal", "bimodal")
DRAWN = 5
"""Data sets of each kind and size."""


def salaries():
    return np.asarray(load_example("salaries").numbers("salary").values)


def records(kind, n, rng):
    """Return records of a kind and the upper bound; the lower bound is 0."""
    if kind == "salaries":
        return rng.choice(salaries(), n, replace=False), 500_000.0
    if kind == "ages":
        return np.rint(rng.normal(42, 18, n)).clip(0, 120), 120.0
    if kind == "log-normal":
        return rng.lognormal(3, 1, n).clip(0, 1000), 1000.0
    first = rng.random(n) < 0.5
    return np.where(first, rng.normal(25, 5, n), rng.normal(75, 5, n)).clip(0, 100), 100.0


def ours(values, top, candidates, epsilon, choice="automatic"):
    """Return the probability of each candidate."""
    domain = Interval(0.0, top, resolution=top / candidates)
    ready = ExponentialRelease(choice=choice).prepare(Sample(values, domain), Privacy(epsilon))
    many = np.rint(np.diff(ready.near.places)).astype(int)
    law = np.zeros(candidates + 1)
    start = round(ready.near.places[0] + 0.5)
    law[start : start + many.sum()] = np.repeat(ready.probability / many, many)
    return law


def theirs(values, top, candidates, epsilon):
    """Return the law of OpenDP: permute-and-flip, and the half of the records on a candidate below it."""
    points, ordered = np.arange(candidates + 1) * (top / candidates), np.sort(values)
    below, upto = (np.searchsorted(ordered, points, side) for side in ("left", "right"))
    return flip_probabilities(-np.abs((below + upto - values.size) / 2), epsilon)


def expected_error(law, values, top):
    """Return the mean distance, at least a thousandth of a step: less is no error that anybody sees."""
    step = top / (law.size - 1)
    return max(1e-3 * step, float(law @ np.abs(np.arange(law.size) * step - np.median(values))))


def test_ours_is_nearer_on_average_over_data_and_grids():
    """No kind of data is farther on average over sizes, grids and epsilons; most are nearer."""
    logs = {"automatic": [], "exponential": []}
    for kind in KINDS:
        rng = np.random.default_rng(1)
        for n, _ in itertools.product(SIZES, range(DRAWN)):
            values, top = records(kind, n, rng)
            for candidates, epsilon in itertools.product(OF_AGES if kind == "ages" else GRIDS, EPSILONS):
                other = expected_error(theirs(values, top, candidates, epsilon), values, top)
                for choice, found in logs.items():
                    error = expected_error(ours(values, top, candidates, epsilon, choice), values, top)
                    found.append((kind, np.log(error / other)))
    ratios = {}
    for choice, found in logs.items():
        each = {kind: np.exp(np.mean([log for of, log in found if of == kind])) for kind in KINDS}
        ratios[choice] = np.exp(np.mean([log for _, log in found]))
        written = ", ".join(f"{kind} {ratio:.3f}" for kind, ratio in each.items())
        print(f"\n{choice}: error / error of OpenDP {ratios[choice]:.3f} ({written})", end="")
        if choice == "automatic":
            assert max(each.values()) < 1
    assert ratios["automatic"] < 0.98
    assert ratios["automatic"] < 0.98 * ratios["exponential"]


def test_the_median_of_the_salaries_depends_on_the_grid():
    """One multiple of 50 is 11 from the median; the same candidates give ours the same median error."""
    values, top = salaries(), 500_000.0
    for candidates, half in ((10_000, 11.0), (1000, 139.0)):
        distances = np.abs(np.arange(candidates + 1) * (top / candidates) - np.median(values))
        order = np.argsort(distances)
        for law in (ours(values, top, candidates, 1.0), theirs(values, top, candidates, 1.0)):
            middle = distances[order][np.searchsorted(np.cumsum(law[order]), 0.5)]
            print(f"\n{candidates} candidates: half within {middle:.3g}", end="")
            assert middle == pytest.approx(half, abs=0.5)


@pytest.mark.skipif(not OPENDP.is_installed, reason="opendp is not installed (extra 'peers')")
@pytest.mark.parametrize(("kind", "epsilon"), [("salaries", 0.1), ("ages", 1.0), ("bimodal", 0.3)])
def test_the_law_is_that_of_opendp(kind, epsilon):
    values, top = records(kind, 100, np.random.default_rng(2))
    mechanism = OpenDPRelease(query=Median(), candidates=30)
    drawn = mechanism.prepare(Sample(values, Interval(0.0, top)), Privacy(epsilon)).draw(
        reproducible(1), 3000
    )
    assert_drawn_from(np.rint(drawn / (top / 30)).astype(int), theirs(values, top, 30, epsilon))
