"""Attackers who know columns of a record: where their guesses lie, and what a brute count says of them."""

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.attacks import ATTACKS, BASELINE, centers, guess_informed, guess_knowing
from engine.mechanisms import NoisyHistogram, ShiftedHistogram
from engine.mechanisms.histograms.base import sanitize_with
from engine.privacy import NO_PROMISE, Privacy
from engine.randomness import reproducible

CUBE = Box.of([0, -1, 2], [1, 1, 4])
VALUES = np.random.default_rng(1).uniform(CUBE.lower, CUBE.upper, (60, 3))


@pytest.fixture(scope="module")
def histogram():
    mechanism = ShiftedHistogram(t=5)
    return sanitize_with(mechanism, NO_PROMISE)(VALUES, CUBE, 5, reproducible(1))


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("columns", [1, 2])
def test_guesses_agree_with_what_is_known_and_with_a_cell_that_holds_it(histogram, attack, columns):
    known = VALUES[np.arange(40), :columns]
    drawn, aimed = guess_informed(attack, histogram, known, CUBE, reproducible(2))
    assert np.array_equal(drawn[:, :columns], known)
    for guess in drawn:
        possible = [
            cell
            for cell in range(len(histogram.counts))
            if histogram.counts[cell] > 0
            and (histogram.lower[cell][:columns] <= guess[:columns]).all()
            and (guess[:columns] <= histogram.upper[cell][:columns]).all()
        ]
        rest = guess[columns:]
        if attack == "weighted":
            assert any(
                (histogram.lower[cell][columns:] <= rest).all()
                and (rest <= histogram.upper[cell][columns:]).all()
                for cell in possible
            )
        else:
            if attack == "singleton":
                fewest = min(histogram.counts[cell] for cell in possible)
                possible = [cell for cell in possible if histogram.counts[cell] == fewest]
            assert any(np.array_equal(centers(histogram)[cell][columns:], rest) for cell in possible)
    assert aimed or attack == "singleton"


def test_nothing_known_is_an_attack_as_before_and_everything_else_blind_guesses_it(histogram):
    none = np.empty((300, 0))
    drawn, _ = guess_informed("occupied", histogram, none, CUBE, reproducible(3))
    middles = {tuple(row) for row in centers(histogram)[histogram.counts > 0].tolist()}
    assert {tuple(row) for row in drawn.tolist()} <= middles
    assert len({tuple(row) for row in drawn.tolist()}) > len(middles) / 2
    blind, _ = guess_informed(BASELINE, histogram, VALUES[:50, :2], CUBE, reproducible(3))
    assert np.array_equal(blind[:, :2], VALUES[:50, :2])
    assert ((blind >= CUBE.lower) & (blind <= CUBE.upper)).all()


def test_hits_are_those_of_the_definition(histogram):
    """All guesses again, with the same seed, judged by counting records one by one."""
    c, t, trials = 2.0, 5, 60
    attempts = guess_knowing(VALUES, 2, histogram, CUBE, t, trials, reproducible(4)).attempts(c, t)
    rng = reproducible(4)
    known = VALUES[rng.integers(0, len(VALUES), trials), :2]
    hits = {}
    for name in (BASELINE, *ATTACKS):
        drawn, _ = guess_informed(name, histogram, known, CUBE, rng)
        distances = np.sort(np.linalg.norm(drawn[:, None] - VALUES, axis=2), axis=1)
        hits[name] = int(((distances <= c * distances[:, :1]).sum(axis=1) < t).sum())
    assert [one.hits.successes for one in attempts] == [hits[name] for name in ATTACKS]
    assert attempts[0].baseline.successes == hits[BASELINE]


def test_noisy_cells_that_hold_nothing_known_leave_any_other(histogram):
    data = Points(np.full((50, 2), 0.1), Box.of([0, 0], [1, 1]))
    noisy = sanitize_with(NoisyHistogram(bins=4, post="none"), Privacy(1.0))(
        data.values, data.domain, 5, reproducible(1)
    )
    drawn, _ = guess_informed("weighted", noisy, np.full((20, 1), 0.99), data.domain, reproducible(1))
    assert (drawn[:, 0] == 0.99).all()
    with pytest.raises(ParameterError, match="no cell"):
        guess_informed("weighted", _Empty(), np.full((2, 1), 0.5), data.domain, reproducible(1))


class _Empty:
    counts = np.zeros(3)
