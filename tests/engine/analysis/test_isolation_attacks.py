"""Attacks over c, t and d, and single guesses, against counting by hand."""

import numpy as np
import pytest

from engine import PrivTree
from engine.analysis import isolation_attacks as module
from engine.analysis.isolation_attacks import (
    AttackRates,
    AttackSweep,
    attack_sweep,
    isolation_guess,
    isolation_test,
    isolation_threshold,
)
from engine.analysis.prepared_histograms import simulated_histogram
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.attacks import ATTACKS, BASELINE, Guessed
from engine.histograms.isolation import Isolation
from engine.mechanisms import ShiftedHistogram
from engine.privacy import Privacy
from engine.randomness import reproducible

PRIVACY, BOX = Privacy(1.0), Box.of([0, 0], [1, 1])
SHIFTED = ShiftedHistogram(t=5)


@pytest.fixture(autouse=True)
def few_trials(monkeypatch):
    monkeypatch.setattr(module, "TRIALS", 50)
    monkeypatch.setattr(module, "UNIFORM_POINTS", 60)
    monkeypatch.setattr(module, "DIMENSIONS", (1, 2))


@pytest.fixture
def data():
    return Points(np.random.default_rng(1).beta(2, 5, (150, 2)), BOX)


def test_rates_over_c_are_those_of_the_same_guesses(data):
    sweep = attack_sweep(SHIFTED, data, PRIVACY, c=2.5, seed=3)
    assert 2.5 in sweep.values
    histogram = simulated_histogram(SHIFTED, data, PRIVACY, seed=3)
    place = sweep.values.tolist().index(2.5)
    again = Guessed.against(Isolation(data.values), histogram, BOX, 5, 50, reproducible(3)).attempts(2.5, 5)
    assert [one.attack for one in sweep.attacks] == [BASELINE, *ATTACKS]
    assert [one.rates[place] for one in sweep.attacks[1:]] == [one.hits.rate for one in again]
    assert sweep.attacks[0].rates[place] == again[0].baseline.rate
    for one in sweep.attacks:
        assert (np.diff(one.rates) <= 0).all()
        assert (one.lower <= one.rates).all()
        assert (one.rates <= one.upper).all()


@pytest.mark.parametrize(("swept", "values", "chosen"), [("t", [2, 5, 10, 20, 50, 100], 5), ("d", [1, 2], 2)])
def test_each_value_is_published_as_soon_as_it_is_known(data, swept, values, chosen):
    published = []
    sweep = attack_sweep(SHIFTED, data, PRIVACY, swept=swept, publish=published.append)
    assert sweep.values.tolist() == values
    assert sweep.chosen == chosen
    known = [int(np.isfinite(one.attacks[0].rates).sum()) for one in published]
    assert known == list(range(1, len(values) + 1))
    published.clear()
    assert attack_sweep(SHIFTED, data, PRIVACY, swept=swept, publish=published.append) is sweep
    assert not published


def test_attackers_who_know_columns_are_judged_like_others(data):
    sweep = attack_sweep(SHIFTED, data, PRIVACY, swept="known")
    assert sweep.values.tolist() == [0, 1]
    assert sweep.chosen == 1
    assert sweep.best() is not None


def test_boxes_are_named_in_each_dimension_whatever_the_data(data, monkeypatch):
    monkeypatch.setattr(module, "SINGLING_RUNS", 10)
    published = []
    sweep = attack_sweep(SHIFTED, data, PRIVACY, swept="predicates", publish=published.append)
    assert sweep.values.tolist() == [1, 2]
    assert [one.attack for one in sweep.attacks] == [BASELINE, module.CELL]
    assert len(published) == 2
    assert np.isnan(published[0].attacks[1].rates[1])
    chance, hits = sweep.attacks
    assert (chance.lower == chance.rates).all()
    assert ((hits.lower <= hits.rates) & (hits.rates <= hits.upper)).all()


def test_another_sweep_is_refused(data):
    with pytest.raises(ParameterError, match="must be one of c, t, d"):
        attack_sweep(SHIFTED, data, PRIVACY, swept="n")


def test_the_best_attack_is_found_at_the_chosen_value():
    blind, cell, point = (
        AttackRates(name, np.array(rates), np.zeros(2), np.ones(2))
        for name, rates in ((BASELINE, [0.1, 0.2]), ("occupied", [0.5, np.nan]), ("weighted", [0.3, 0.1]))
    )
    sweep = AttackSweep(SHIFTED, "c", np.array([1.0, 2.0]), (blind, cell, point), 1.0)
    assert sweep.best() == (cell, blind, 0)
    assert AttackSweep(SHIFTED, "c", np.array([1.0, 2.0]), (blind, cell, point), 2.0).best()[0] is point
    assert AttackSweep(SHIFTED, "c", np.array([1.0, 2.0]), (cell, point), 1.0).best() is None
    assert AttackSweep(SHIFTED, "c", np.array([1.0, 2.0]), (blind, cell), 7.0).best() is None


def test_the_threshold_is_that_of_the_mechanism():
    assert isolation_threshold(SHIFTED) == 5
    assert isolation_threshold(PrivTree()) == module.DEFAULT_T


@pytest.mark.parametrize("attack", [BASELINE, *ATTACKS])
def test_guesses_come_from_what_is_released_alone(data, attack):
    histogram = simulated_histogram(SHIFTED, data, PRIVACY, seed=1)
    guess = isolation_guess(histogram, BOX, attack=attack, seed=4)
    assert guess.query.tolist() == isolation_guess(histogram, BOX, attack=attack, seed=4).query.tolist()
    assert guess.query.tolist() != isolation_guess(histogram, BOX, attack=attack, seed=9).query.tolist()
    assert ((guess.query >= 0) & (guess.query <= 1)).all()
    middles = (histogram.lower + histogram.upper) / 2
    at_center = bool((np.abs(middles - guess.query).max(axis=1) < 1e-12).any())
    assert at_center == (attack in ("occupied", "singleton"))
    assert isolation_guess(histogram, BOX).query.tolist() == [0.1, 0.1]


def test_the_test_counts_records_by_distance(data):
    query = np.array([0.3, 0.4])
    found = isolation_test(data, query, c=3.0, t=5)
    gaps = np.linalg.norm(data.values - query, axis=1)
    assert found.distance == gaps.min()
    assert found.nearest.tolist() == data.values[gaps.argmin()].tolist()
    assert found.within.tolist() == data.values[gaps <= 3.0 * gaps.min()].tolist()
    assert found.isolates == (len(found.within) < 5)
