"""Wherever a budget is asked for, epsilon alone or (epsilon, delta) will do, and nonsense is told at once."""

import inspect

import numpy as np
import pytest
import users_script

import engine
from engine import (
    Interval,
    LaplaceRelease,
    Mean,
    Mechanism,
    ParameterError,
    Privacy,
    Sample,
    Sweep,
    compare,
    contenders_from,
    simulate,
)
from engine.audit import audit_mechanism
from engine.mechanisms import MECHANISMS
from engine.privacy import PrivacyLike

ASKING = [
    name
    for name in engine.__all__
    if inspect.isfunction(function := inspect.unwrap(getattr(engine, name)))
    and "privacy" in inspect.signature(function).parameters
]
MEAN, DATA = LaplaceRelease(query=Mean()), Sample([1.0, 2.0, 3.0], Interval(0, 10))


@pytest.mark.parametrize("name", ASKING)
def test_every_function_looks_at_its_budget_first(name):
    function = getattr(engine, name)
    others = dict.fromkeys(inspect.signature(function).parameters)
    for wrong in ("much", (1.0, 0.1, 2), True, None):
        with pytest.raises(
            ParameterError, match=r"is not a budget; give Privacy\(epsilon, delta\), or epsilon"
        ):
            function(**{**others, "privacy": wrong})
    assert inspect.signature(function).parameters["privacy"].annotation in ("PrivacyLike", PrivacyLike)


@pytest.mark.parametrize("kind", MECHANISMS.values(), ids=lambda kind: kind.name)
def test_every_mechanism_prepares_for_a_number(kind):
    with pytest.raises(ParameterError, match="is not a budget"):
        kind.prepare(None, None, "much")
    with pytest.raises(ParameterError, match="is not a budget"):
        kind.release(None, None, None, "much", None)
    with pytest.raises(ParameterError, match="finite number above 0"):
        kind.prepare(None, None, privacy=-1)


@pytest.mark.parametrize("given", [0.5, (0.5, 1e-6), [0.5, 1e-6], np.float64(0.5)])
def test_numbers_give_what_a_budget_gives(given):
    privacy = Privacy(*np.atleast_1d(given).tolist())
    assert MEAN.prepare(DATA, given).diagnostics == MEAN.prepare(DATA, privacy).diagnostics
    one, two = (simulate(MEAN, DATA, each, runs=10, seed=1).values.tolist() for each in (given, privacy))
    assert one == two
    other = DATA.replaced(0, 9.0)
    one, two = (audit_mechanism(MEAN, DATA, other, each, runs=1000, seed=1) for each in (given, privacy))
    assert one == two
    sweep = Sweep("n", (3.0,))
    one, two = (
        compare(contenders_from([MEAN]), DATA, each, sweep, runs=10, seed=1).median(0, 0)
        for each in (given, privacy)
    )
    assert one == two


def test_mechanisms_of_ones_own_take_numbers_too():
    class Own(LaplaceRelease):
        def prepare(self, data, privacy, progress=None):
            assert isinstance(privacy, Privacy)
            return privacy

    assert issubclass(Own, Mechanism)
    assert Own(query=Mean()).prepare(DATA, 2) == Privacy(2.0)


def test_a_script_as_people_write_it_runs_and_its_checked_errors_are_errors():
    found = users_script.released()
    assert [found[name].privacy.epsilon for name in ("run", "named", "pair", "points", "other name")] == [
        0.5,
        *[1.0] * 4,
    ]
    assert found["simulated"] == 0
    assert found["cost"] == 0.5
    assert "'much' is not a budget" in users_script.refused()
