"""CoinPress: what one record moves in each step, the law of a release, and how near it comes."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.frontier.coinpress import CoinPress, CoinPressPrepared, clip_means
from engine.mechanisms import NoisyAverage
from engine.mechanisms.planted import HalvedScale
from engine.noise import Laplace
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE = Box.of([0.0], [10.0])
VALUES = (0.0, 0.5, 4.0, 9.0, 10.0)


def changes(monkeypatch, mechanism, privacy, answers):
    """Return the means over the scales that each database has in each step, where steps give `answers`."""
    found = {}
    first = mechanism.prepare(Points([[0.0]] * 3, LINE), privacy)
    for records in itertools.product(VALUES, repeat=3):
        ready, means, given = dataclasses.replace(first, columns=(np.sort(records),)), [], iter(answers)

        def scripted(self, place, first, last, scales, sums, rng, means=means, given=given, records=records):
            means.append(np.mean(np.clip(records, first[0], last[0])) / scales[0])
            return np.array([next(given)])

        monkeypatch.setattr(CoinPressPrepared, "_noisy", scripted)
        ready.draw(reproducible(1), 1)
        found[records] = np.array(means)
    return found


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_one_record_moves_all_steps_together_by_what_the_budget_hides(monkeypatch, noise):
    """Whatever was released before: all databases of three records, and their neighbours."""
    mechanism = CoinPress(spread="0.2", noise=noise, rounds=3, beta=0.5)
    privacy, attained = Privacy(1.5, 1e-3), []
    one_step = CoinPress(noise=noise, rounds=1).prepare(Points([[1.0]], LINE), privacy).units[0]
    for answers in ((5.0, 5.0, 5.0), (0.0, 9.0, 3.0), (1.0, 0.7, 0.6), (9.9, 9.7, 9.6)):
        means = changes(monkeypatch, mechanism, privacy, answers)
        moved = max(
            (np.abs(means[records] - means[(other, *records[1:])]) for records in means for other in VALUES),
            key=lambda steps: steps[-1],
        )
        total = moved.sum() if noise == "laplace" else math.hypot(*moved)
        limit = privacy.epsilon if noise == "laplace" else 1 / one_step
        assert total <= limit * (1 + 1e-12)
        attained.append(total / limit)
    assert max(attained) > 0.9


def test_the_law_of_a_release_is_that_of_its_noise():
    """One step: by the inequality of Dvoretzky, Kiefer and Wolfowitz, false alarm 1e-6 in all."""
    data = Points([[1.0], [4.0], [6.0]], LINE)
    ready = CoinPress(rounds=1).prepare(data, Privacy(4.0))
    runs = 1500
    drawn = np.sort(ready.draw(secure(), runs)[:, 0])
    inside = (drawn > 0) & (drawn < 10)
    law = Laplace().cdf((drawn - 11 / 3) / (10 / 3 / 4))
    reached = (np.arange(runs) + 1) / runs
    assert np.abs(reached - law)[inside].max() < math.sqrt(math.log(2e6) / (2 * runs)) + 1 / runs


def test_clipped_means_are_those_of_the_definition():
    rng = np.random.default_rng(3)
    column = np.sort(rng.integers(0, 8, 30).astype(float))
    first = rng.uniform(-1, 8, 40)
    last = first + rng.exponential(2, 40)
    sums = np.concatenate([[0.0], np.cumsum(column)])
    expected = [np.clip(column, a, b).mean() for a, b in zip(first, last, strict=True)]
    assert clip_means(column, sums, first, last) == pytest.approx(expected)


def test_bounds_that_are_far_too_wide_hardly_matter():
    values = np.random.default_rng(4).normal(40_000, 10_000, (10_000, 1))
    errors = []
    for mechanism, upper in itertools.product((CoinPress(spread="10000"), NoisyAverage()), (1e6, 1e9)):
        data = Points(values, Box.of([0], [upper]))
        ready = mechanism.prepare(data, Privacy(1.0))
        drawn = ready.draw(reproducible(2), 200)
        errors.append(np.median(mechanism.output.errors(drawn, ready.true_value(), data.domain)))
    assert errors[1] == pytest.approx(errors[0], rel=0.3)
    assert errors[1] < 0.15 * errors[2] < 0.01 * errors[3]


def test_columns_share_the_budget_and_releases_lie_on_their_grid():
    box = Box.of([0, -1e6], [1, 1e6])
    data = Points(np.random.default_rng(5).normal([0.5, 3], [0.1, 2], (5000, 2)), box)
    mechanism, privacy = CoinPress(spread="0.1, 2"), Privacy(2.0)
    one, two = (
        mechanism.prepare(data, privacy).units,
        CoinPress().prepare(Points([[1.0]], LINE), privacy).units,
    )
    assert one == pytest.approx(2 * two)
    simulated = np.array(mechanism.run(data, privacy, reproducible(1)).value)
    assert np.abs(simulated - [0.5, 3]).max() < 1
    value = np.array(mechanism.run(data, privacy).value)
    assert np.all(value % np.array(mechanism.step(box, 5000, privacy)) == 0)
    assert mechanism.guarantee.zcdp_cost(privacy).rho == pytest.approx(sum(two**-2.0) / 2)


def test_half_of_the_noise_is_found():
    mistaken = HalvedScale.planted(CoinPress())
    pair = next(one for one in worst_case_pairs(mistaken, LINE, 100, Privacy(1.0)) if one.name == "one-moved")
    assert audit_run(mistaken, pair, Privacy(1.0), runs=20_000, seed=1).audit.violated
    assert not audit_run(CoinPress(), pair, Privacy(1.0), runs=20_000, seed=1).audit.violated


def test_what_makes_no_sense_is_refused():
    def fields(mechanism, epsilon=1.0):
        privacy = Privacy(epsilon)
        return [problem.field for problem in mechanism.problems(privacy, Box.of([0] * 3, [1] * 3), 50)]

    assert fields(CoinPress()) == fields(CoinPress(spread="1")) == fields(CoinPress(spread="1,2,3")) == []
    assert fields(CoinPress(spread="1,2")) == ["spread"]
    assert fields(CoinPress(), 1e-8) == ["epsilon"]
    assert fields(CoinPress(noise="gaussian")) == ["delta"]
    with pytest.raises(ParameterError, match="spread"):
        CoinPress(spread="1;2")
