"""The exact packing is the optimum of the linear program, whatever doubles say, and ends where they fail."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.extras.frontier import packing
from engine.extras.frontier.packing import FractionalPacking, columns_of


def some_packing(rng):
    height, k = int(rng.integers(1, 6)), int(rng.integers(1, 12))
    rows = np.sort(np.argsort(rng.random((k, height + 2)), axis=1)[:, :3], axis=1)
    return FractionalPacking(np.minimum(rows, height), rng.integers(1, 4, k), height, int(rng.integers(1, 5)))


def by_another_solver(packed):
    """Return the optimum from the definition, by the dual simplex method of HiGHS, in doubles."""
    matrix = columns_of(packed, np.arange(len(packed.rows))).T
    capacities = np.full(packed.height, packed.capacity)
    bounds = np.column_stack([np.zeros(len(packed.most)), packed.most])
    found = linprog(
        -np.ones(len(packed.most)), A_ub=matrix, b_ub=capacities, bounds=bounds, method="highs-ds"
    )
    return -found.fun


PACKINGS = [some_packing(np.random.default_rng(seed)) for seed in range(30)]


def test_it_is_the_optimum_of_the_linear_program():
    """Vertices of so small polytopes have denominators below 100, so that doubles name one rational."""
    for packed in PACKINGS:
        named = Fraction(by_another_solver(packed)).limit_denominator(100)
        assert packed.largest() == named


def nothing(packed, progress):
    """Know nothing: no column is used, and each row is worth 1."""
    return np.zeros(len(packed.rows)), np.ones(packed.height), np.arange(len(packed.rows))


def beyond(packed, progress):
    """Use every column in full, which no row may hold, and believe them worth it."""
    return packed.most.astype(float), np.zeros(packed.height), np.arange(len(packed.rows))


def mixed(packed, progress):
    rng = np.random.default_rng(len(packed.rows))
    order = rng.permutation(len(packed.rows))[: 1 + len(packed.rows) // 2]
    return rng.random(order.size) * packed.most[order], rng.random(packed.height), order


@pytest.mark.parametrize("wrong", [nothing, beyond, mixed])
def test_wrong_doubles_change_nothing(monkeypatch, wrong):
    right = [packed.largest() for packed in PACKINGS]
    monkeypatch.setattr(packing, "_in_doubles", wrong)
    assert [packed.largest() for packed in PACKINGS] == right


def test_columns_that_doubles_take_on_later_are_counted(monkeypatch):
    right = [packed.largest() for packed in PACKINGS]
    monkeypatch.setattr(packing, "COLUMNS_PER_STEP", 2)
    assert [packed.largest() for packed in PACKINGS] == right


def test_a_solver_that_gives_up_changes_nothing(monkeypatch):
    right = PACKINGS[0].largest()
    given_up = type("Result", (), {"x": None})
    monkeypatch.setattr(packing, "waited", lambda work, progress, message: given_up)
    assert PACKINGS[0].largest() == right
