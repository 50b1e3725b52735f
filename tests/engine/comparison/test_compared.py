"""What a comparison tells of its outcomes, counted by hand."""

import dataclasses
import math
import types

import numpy as np
import pytest

from engine.comparison.compared import Comparison
from engine.comparison.results import ComparedMechanism, Outcome, Sweep, Trial
from engine.mechanisms.facts import Facts
from engine.privacy import Privacy

NAN = math.nan
ERRORS = {
    (0, 0): [1.0, 2.0, 9.0],
    (1, 0): [3.0, 3.0, 3.0],
    (2, 0): [0.0, 0.0, 1.0],
    (0, 1): [5.0, NAN, NAN],
    (1, 1): [2.0, 4.0, 4.0],
    (2, 1): [0.0, 0.0, 0.0],
    (0, 2): [],
    (1, 2): [1.0, 2.0, 3.0],
}
"""By contender and place; the last contender promises nothing, and has not begun at the last place."""


@pytest.fixture
def found():
    contenders = [
        ComparedMechanism(types.SimpleNamespace(facts=Facts(is_private=place < 2)), "abc"[place])
        for place in range(3)
    ]
    outcomes = [
        Outcome(
            Trial(who, place, 10.0**place, contenders[who].mechanism, Privacy(1.0), 5),
            3,
            np.array(errors),
            problem="" if errors else "does not fit",
        )
        for (who, place), errors in ERRORS.items()
    ]
    return Comparison(tuple(contenders), Sweep("epsilon", (1.0, 10.0, 100.0)), tuple(outcomes), 3, 1)


def test_medians_and_who_comes_first(found):
    assert [found.median(who, 0) for who in range(3)] == [2.0, 3.0, 0.0]
    assert found.median(0, 1) == math.inf
    assert math.isnan(found.median(2, 2))
    assert [found.order(place) for place in range(3)] == [[2, 0, 1], [2, 1, 0], [1, 0, 2]]


def test_who_fits_where(found):
    assert found.fitting(0) == [0, 1, 2]
    assert found.fitting(2) == [1, 2]
    assert found.fitting() == [0, 1, 2]


def test_private_contenders_win(found):
    assert found.private == [0, 1]
    # three runs tell nothing; in the end only one is possible
    assert found.winners([0, 1, 2]) == [(None, 1.0, 10.0), (1, 100.0, 100.0)]
    assert found.winners([0]) == [(None, 1.0, 1.0)]


def test_a_significant_difference_wins(found):
    errors = {(0, 0): 1.0, (1, 0): 2.0, (0, 1): 4.0, (1, 1): 2.0}
    outcomes = [
        dataclasses.replace(one, errors=np.full(100, errors[key])) if key in errors else one
        for one in found.outcomes
        for key in [(one.trial.contender, one.trial.position)]
    ]
    found = dataclasses.replace(found, outcomes=tuple(outcomes))
    assert found.winners([0, 1, 2]) == [(0, 1.0, 1.0), (1, 10.0, 100.0)]


def test_shares_of_runs(found):
    first, refusing, exact = (found.outcome(*who) for who in ((0, 0), (0, 1), (2, 0)))
    assert (first.within(2.0), refusing.within(5.0), exact.exact) == (2 / 3, 1 / 3, 2 / 3)
    errors, counts = first.curve(400, 0.01)
    assert (errors.tolist(), counts.tolist()) == ([1.0, 2.0, 9.0], [1, 2, 3])
