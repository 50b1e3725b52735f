"""How a budget was spent, release by release, beside what the releases up to there cost together."""

import math

import pytest

from app.model.budget import COMPOSITIONS, MAX_POINTS, BudgetCurves
from engine.ledger import Cost, compose
from engine.primitives import of_pure
from engine.privacy import NO_PROMISE, Privacy


def cost(epsilon):
    return Cost(Privacy(epsilon, epsilon * 1e-6), of_pure(epsilon), "replace-one")


@pytest.mark.parametrize("many", [1, 7, 3 * MAX_POINTS + 5])
def test_each_place_is_what_the_releases_up_to_there_cost(many):
    costs = [cost(0.01 + 0.001 * (turn % 5)) for turn in range(many)]
    view = BudgetCurves.of(costs, 1e-6, "basic", None)
    assert (view.releases[0], view.releases[-1], len(view.releases)) == (0, many, min(many, MAX_POINTS) + 1)
    for name, field in COMPOSITIONS.items():
        assert view.spent[name][0] == 0
        for place, value in zip(view.releases[1:], view.spent[name][1:], strict=True):
            assert value == pytest.approx(getattr(compose(costs[:place]), field).epsilon, rel=1e-9)


def test_of_nothing_nothing_is_spent_and_what_promises_nothing_has_no_number():
    assert [values.tolist() for values in BudgetCurves.of([], 1e-6, "basic", None).spent.values()] == [
        [0.0]
    ] * 3
    costs = [cost(0.1), Cost(NO_PROMISE, None, "replace-one"), cost(0.1)]
    for values in BudgetCurves.of(costs, 1e-6, "basic", None).spent.values():
        assert [math.isnan(value) for value in values] == [False, False, True, True]
