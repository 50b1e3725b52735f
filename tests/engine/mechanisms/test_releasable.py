"""No mechanism makes a release of data that may only be looked at; a simulation goes on."""

import dataclasses
import re
from contextlib import nullcontext

import numpy as np
import pytest

from engine import (
    Box,
    Interval,
    LaplaceRelease,
    Ledger,
    Lloyd,
    Mean,
    Points,
    Privacy,
    PrivateKMeans,
    PrivateStatistic,
    Sample,
    SuggestedBounds,
    as_table,
    reproducible,
    secure,
)
from engine.data.look_only import look_only
from engine.errors import DataError, ParameterError
from engine.mechanisms import MECHANISMS, PLANTED

WHY = "these rows may only be looked at"
BUDGET, SIDE = Privacy(1.0, 1e-6), Interval(0, 1)
VALUES = np.random.default_rng(1).random(64)
LOOK_ONLY = Sample(VALUES, SIDE, WHY)
MEAN = LaplaceRelease(query=Mean())
EVERY = {**MECHANISMS, **PLANTED}


@pytest.mark.parametrize("name", EVERY)
def test_every_mechanism_of_the_catalog_refuses_before_it_draws(name):
    mechanism = object.__new__(EVERY[name])
    with pytest.raises(DataError, match=WHY):
        mechanism.release(None, LOOK_ONLY, BUDGET, secure())
    with pytest.raises(DataError, match=WHY):
        mechanism.release(rng=secure(), data=LOOK_ONLY, prepared=None, privacy=BUDGET)


def test_a_mechanism_from_elsewhere_refuses_too():
    class Own(LaplaceRelease):
        def release(self, ready, records, privacy, source, progress=None):
            raise AssertionError("it was drawn")

    with pytest.raises(DataError, match=WHY):
        Own(query=Mean()).release(None, LOOK_ONLY, BUDGET, secure())


def test_it_refuses_before_anything_is_worked_out(monkeypatch):
    monkeypatch.setattr(LaplaceRelease, "prepare", lambda *_: pytest.fail("the data were looked at"))
    with pytest.raises(DataError, match=WHY):
        MEAN.run(LOOK_ONLY, BUDGET)


def test_a_seed_makes_the_same_simulation_as_of_any_other_data():
    made, other = (MEAN.run(data, BUDGET, reproducible(3)) for data in (LOOK_ONLY, Sample(VALUES, SIDE)))
    assert made.simulated
    assert made.value == other.value


def test_suggested_bounds_are_a_release_too():
    helper = SuggestedBounds(SIDE)
    with pytest.raises(DataError, match=WHY):
        helper.run(LOOK_ONLY, Privacy(1.0))
    assert helper.run(LOOK_ONLY, Privacy(1.0), reproducible(1)).simulated


def test_an_account_writes_nothing_down():
    account = Ledger().account("a view")
    with pytest.raises(DataError, match=WHY):
        account.release(MEAN, LOOK_ONLY, BUDGET)
    assert account.entries() == []


@pytest.mark.parametrize("seed", [None, 1])
def test_estimators_of_scikit_learn(seed):
    values = look_only(VALUES, WHY)
    fits = [
        lambda: PrivateStatistic(MEAN, lower=0, upper=1, random_state=seed).fit(values),
        lambda: PrivateKMeans(Lloyd(k=2), lower=0, upper=1, random_state=seed).fit(values.reshape(-1, 2)),
    ]
    for fit in fits:
        if seed is None:
            with pytest.raises(DataError, match=WHY):
                fit()
        else:
            assert fit().release_.simulated


def test_estimators_refuse_filled_values_where_a_record_is_left_empty():
    values = look_only(VALUES.reshape(-1, 2), "", "fill")
    for relation, refuses in (("zero-out", True), ("replace-one", False)):
        estimator = PrivateKMeans(Lloyd(k=2, relation=relation), lower=0, upper=1)
        with pytest.raises(ParameterError, match="two counts") if refuses else nullcontext():
            estimator.fit(values)


def test_values_of_a_table_that_go_through_numpy_are_refused():
    table = dataclasses.replace(as_table({"x": VALUES}), release_problem=WHY)
    scaled = 2 * table.numbers("x").values - 1
    with pytest.raises(DataError, match=re.escape(WHY)):
        MEAN.run(Sample(scaled, (-1, 1)), 1.0)
    points = Points(np.column_stack([scaled, scaled]), Box.of([-1, -1], [1, 1]))
    with pytest.raises(DataError, match=re.escape(WHY)):
        Lloyd(k=2).run(points, 1.0)
