"""The attacks on the low bits of real releases, in exact arithmetic and apart from the program's own.

Real releases have no seed.  A right program fails a single test here with probability below 1e-7, all
of them together with less than 1e-5; only guesses of the database by low bits are left to chance.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from low_bits import (
    Case,
    can_give,
    guessed_right,
    low_bits,
    on_grid,
    other_cases,
    salaries,
    scalar_cases,
)
from scipy.stats import binom

from engine.audit.low_bits import numbers
from engine.mechanisms import LaplaceRelease, SmoothRelease
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.planted import NaiveDoubles
from engine.noise import Laplace, LaplacePareto
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

FALSE_ALARM = 1e-8
"""Of one guess of the database by low bits."""

SLOWLY = {"ball", "three centers"}
"""Of which a release takes long."""
OFTEN = {"0.1-0.3 laplace", "0-tiny laplace", "salaries smooth lcp", "tree smooth lcp", "triangles laplace"}


def released(case: Case, runs: int) -> list[np.ndarray]:
    """Real releases of both databases without clamping; refusals are left out."""
    mechanism, found = case.mechanism.unprocessed(), []
    for data in (case.pair.data, case.pair.neighbour):
        ready = mechanism.prepare(data, case.privacy)
        drawn = numbers(mechanism, ready, data.domain, secure(), runs)
        if case.name == "ball":
            drawn = drawn[:, :2]  # a radius is a distance of points of the grid
        found.append(drawn[~np.isnan(drawn).any(axis=1)])
    return found


def parametrised(cases: list[Case], quick: set[str]) -> list:
    marks = {True: (), False: pytest.mark.slow}
    return [pytest.param(case, id=case.name, marks=marks[case.name in quick]) for case in cases]


CASES = [*scalar_cases(), *other_cases()]
QUICK = {
    *OFTEN,
    *(case.name for case in CASES if case.name.startswith("0.1-0.3")),
    "0-1 exponential",
    "salaries laplace",
    *(case.name for case in other_cases()),
}


def check(case: Case, runs: int) -> None:
    sides = released(case, runs)
    # on one grid for both, which follows from public facts
    for side in sides:
        assert on_grid(side, case.step)
    steps = {stated(case, data) for data in (case.pair.data, case.pair.neighbour)}
    assert steps == {case.step}
    # the low bits alone do not tell which database it was
    few = min(map(len, sides))
    for column in range(sides[0].shape[1]):
        bits = [low_bits(side[:few, column], case.step, case.low) for side in sides]
        for right, guesses in guessed_right(*bits, case.low):
            assert binom.sf(right - 1, guesses, 0.5) > FALSE_ALARM


def stated(case: Case, data) -> float:
    """The step that a release states."""
    step = case.mechanism.run(data, case.privacy).step
    if isinstance(step, list):
        [step] = set(step)
    return step


@pytest.mark.parametrize("case", parametrised(CASES, QUICK))
def test_releases_lie_on_a_public_grid_and_low_bits_say_nothing(case):
    check(case, 50 if case.name in SLOWLY else 300)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_low_bit_tells_in_many_releases(case):
    check(case, 1000 if case.name in SLOWLY else 5000)


ADDITIVE = [case for case in scalar_cases() if isinstance(case.mechanism, (LaplaceRelease, SmoothRelease))]


@pytest.mark.parametrize("case", parametrised(ADDITIVE, QUICK))
def test_no_release_is_impossible_for_the_neighbour(case):
    """The neighbour gives each of them with a density that is smaller by e^epsilon at most (and delta).

    Over a step of the grid the densities change by less than 1e-9 of themselves.
    """
    mechanism = case.mechanism.unprocessed()
    ready = [mechanism.prepare(data, case.privacy) for data in (case.pair.data, case.pair.neighbour)]
    for here, there, side in zip(ready, reversed(ready), released(case, 200), strict=True):
        logs = [log_density(one, side[:, 0]) for one in (here, there)]
        assert np.isfinite(logs[1]).all()
        if case.privacy.delta == 0 or isinstance(here.family, LaplacePareto):
            assert (logs[0] - logs[1]).max() <= case.privacy.epsilon * (1 + 1e-9)


def log_density(ready: AdditivePrepared, values: np.ndarray) -> np.ndarray:
    away = np.array([float(Fraction(value) - ready.center) for value in values.tolist()])
    return ready.family.log_density(away / ready.scale) - math.log(ready.scale)


@pytest.mark.parametrize("case", parametrised(ADDITIVE, QUICK))
def test_the_same_attack_catches_noise_in_double_precision(case):
    """With a seed, for nothing is left to chance.  What is drawn here is found to be possible here."""
    planted = NaiveDoubles.planted(case.mechanism).unprocessed()
    ready = [planted.prepare(data, case.privacy) for data in (case.pair.data, case.pair.neighbour)]
    impossible = 0
    for seed, (here, there) in enumerate((ready, ready[::-1])):
        drawn = here.draw(reproducible(seed), 1000)  # of "tree laplace", 4 in 1000 are impossible
        assert not on_grid(drawn, case.step)
        for one, expected in ((here.ready, True), (there.ready, None)):
            found = [can_give(value, float(one.center), one.scale) for value in drawn.tolist()]
            assert expected is None or all(found)
            impossible += found.count(False)
    assert impossible > 0 or not catchable(case)


def catchable(case: Case) -> bool:
    """Where noise is small beside the values, all of these are sums; then they are off the grid alone."""
    return case.name.startswith(("0.1-0.3", "tree", "triangles"))


# The median from releases by global Laplace noise: 500,001 candidates.

CANDIDATES = np.arange(500_001.0)
SMALL = Privacy(0.01)


def survivors(values: list[float], scale: float, candidates: np.ndarray) -> np.ndarray:
    """Which medians can have led to all of these values, if noise is added by numpy's sampler."""
    for value in values:
        candidates = candidates[can_lead_to(value, scale, candidates)]
    return candidates


def can_lead_to(values: np.ndarray | float, scale: float, medians: np.ndarray | float) -> np.ndarray:
    """Whether each of the medians can have led to its value, if noise is added by numpy's sampler."""
    nearest = np.atleast_1d((values - medians) / scale)
    possible = np.zeros(nearest.shape, dtype=bool)
    for steps in range(-2, 3):
        z = nearest
        for _ in range(abs(steps)):
            z = np.nextafter(z, math.copysign(math.inf, steps))
        gives = medians + scale * z == values
        gives[gives] = [is_drawn(one) for one in z[gives].tolist()]
        possible |= gives
    return possible


def is_drawn(z: float) -> bool:
    """Whether numpy's sampler can give z: the logarithm of a number that it makes of 53 random bits."""
    uniform = math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2
    k = round(uniform * 2**53)
    for units in range(max(1, k - 3), min(2**53 - 1, k + 3) + 1):
        u = units * 2.0**-53
        if (math.log(u + u) if u < 0.5 else -math.log(2.0 - u - u)) == z:
            return True
    return False


def test_eight_releases_in_double_precision_tell_the_median():
    """So the attack works; a seed stands for the operating system's bits."""
    data, mechanism = salaries(), LaplaceRelease(clamp="none")
    planted = NaiveDoubles.planted(mechanism).prepare(data, SMALL)
    median = float(np.sort(data.values)[data.n // 2])
    drawn = planted.draw(reproducible(1), 8).tolist()
    assert max(map(abs, drawn)) > 1e7  # so much noise
    assert survivors(drawn, planted.ready.scale, CANDIDATES).tolist() == [median]


@pytest.mark.slow
def test_a_thousand_real_releases_do_not_tell_the_median():
    """They lie on the grid, all whole multiples of 2^-22, whatever the median is: all candidates survive.

    Nor is the true one possible for the old attack more or less often than others: a count that is
    5.5 standard deviations from what is expected has probability below 1e-6.
    """
    data, mechanism = salaries(), LaplaceRelease(clamp="none")
    ready = mechanism.prepare(data, SMALL)
    drawn = ready.draw(secure(), 1000)
    step = mechanism.run(data, SMALL).step
    assert step == 2.0**-22
    assert on_grid(drawn, step)
    assert np.isfinite(Laplace().log_density((drawn[:, None] - CANDIDATES[[0, -1]]) / ready.scale)).all()
    median = float(np.sort(data.values)[data.n // 2])
    others = reproducible(2).choice(np.delete(CANDIDATES, int(median)), 8, replace=False)
    counts = [can_lead_to(drawn, ready.scale, candidate).sum() for candidate in (median, *others.tolist())]
    share = np.mean(counts[1:]) / 1000
    assert abs(counts[0] - 1000 * share) < 5.5 * math.sqrt(1000 * share * (1 - share))
    assert survivors(drawn[:50].tolist(), ready.scale, CANDIDATES).size == 0
