"""The account makes releases itself: of what was written down, or none."""

import dataclasses
import traceback

import numpy as np
import pytest
from cancellable import ASKED, data_for, database, runs
from payments import NO_DATA, Stated, pay

from engine import SuggestedBounds
from engine.catalog import sanitizers
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.ledger import Cost, Ledger, LedgerError, Limit, MisstatedCost, Overspent
from engine.mechanisms import GaussianRelease, LaplaceRelease
from engine.privacy import NO_PROMISE, ZERO_OUT, Privacy
from engine.progress import Cancelled
from engine.queries import Mean

DATA, MEAN = Sample([1.0, 2.0, 3.0], Interval(0, 10)), LaplaceRelease(query=Mean())


@pytest.fixture
def account():
    return Ledger().account("sha256:1", "data.csv")


def test_nobody_else_says_what_a_release_costs(account):
    """What the lambda of a caller drew could cost anything, whatever was written down for it."""
    assert not hasattr(account, "spend")
    with pytest.raises(ParameterError, match="is not a mechanism; give one, such as LaplaceRelease"):
        account.release(lambda: MEAN.run(DATA, 10.0), DATA, 0.01)
    release = account.release(MEAN, DATA, 0.25)
    (entry,) = account.entries()
    assert release.privacy == entry.cost.privacy == Privacy(0.25)
    assert (release.simulated, entry.value, entry.state) == (False, release.value, "spent")
    assert entry.about["release"] == "mean"
    assert entry.about["method"] == "laplace"


WAY = {"interior-point": {"way": "exponential"}}
EMPTY = {
    f"{name} {ZERO_OUT}": kind(**{"relation": ZERO_OUT} | WAY.get(name, {}))
    for name, kind in sanitizers().items()
    if any(parameter.name == "relation" for parameter in kind.parameters())
}
MADE = runs(3000) | EMPTY


@pytest.mark.parametrize("name", MADE)
def test_every_mechanism_of_the_catalog_states_what_is_written_down_for_it(account, name):
    mechanism = MADE[name]
    asked = ASKED if mechanism.facts.is_private else NO_PROMISE
    release = account.release(mechanism, data_for(mechanism, 3000), asked)
    (entry,) = account.entries()
    assert (entry.state, entry.cost.privacy, entry.cost.neighbours) == (
        "spent",
        release.privacy,
        release.neighbours,
    )
    assert (name in EMPTY) == (release.neighbours == ZERO_OUT)


@dataclasses.dataclass(frozen=True)
class Careless(LaplaceRelease):
    """Releases as asked, and says that it costs a hundredth of it."""

    def cost(self, privacy):
        return Privacy(privacy.epsilon / 100)

    def release(self, prepared, data, privacy, rng, progress):
        made = super().release(prepared, data, privacy, rng, progress)
        return dataclasses.replace(made, privacy=privacy)


@dataclasses.dataclass(frozen=True)
class Elsewhere(LaplaceRelease):
    """States its privacy between other neighbours than it says."""

    def release(self, prepared, data, privacy, rng, progress):
        made = super().release(prepared, data, privacy, rng, progress)
        return dataclasses.replace(made, neighbours="zero-out")


@dataclasses.dataclass(frozen=True)
class Seeded(LaplaceRelease):
    """Draws from a seed of its own."""

    def release(self, prepared, data, privacy, rng, progress):
        return super().release(prepared, data, privacy, np.random.default_rng(1), progress)


@pytest.mark.parametrize("kind", [Careless, Elsewhere, Seeded])
def test_a_release_that_states_another_cost_is_thrown_away_and_paid_for(account, kind):
    with pytest.raises(MisstatedCost, match="a cost that differs from its entry") as caught:
        account.release(kind(query=Mean()), DATA, 1.0)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, LedgerError)
    (entry,) = account.entries()
    assert (entry.state, entry.counts, entry.value) == ("open", True, None)
    # nor is the value in what a traceback knows
    for frame, _ in traceback.walk_tb(caught.value.__traceback__):
        assert "release" not in frame.f_locals or callable(frame.f_locals["release"])


def test_work_comes_before_the_entry_and_the_entry_before_the_value(account):
    seen = []

    def look(prepared):
        seen.append(("prepared", account.entries()))

    def draw():
        seen.append(("drawn", [entry.state for entry in account.entries()]))
        return 1.0

    def settle():
        seen.append(("settled", [entry.state for entry in account.entries()]))

    cost = Cost.of(MEAN, 1.0)
    account.release(Stated(cost, draw), NO_DATA, 1.0, {}, look=look, settle=settle)
    assert seen == [("prepared", []), ("drawn", ["open"]), ("settled", ["open"])]
    assert [entry.state for entry in account.entries()] == ["spent"]


def test_what_fails_before_a_draw_writes_nothing(account):
    def look(prepared):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        account.release(MEAN, DATA, 1.0, look=look)
    with pytest.raises(DataError, match="public bounds are missing"):
        account.release(MEAN, [1.0, 2.0], 1.0)
    with pytest.raises(ParameterError):
        account.release(MEAN, DATA, -1.0)
    with pytest.raises(ParameterError):
        account.release(MEAN, DATA, 1e-300)
    with pytest.raises(ParameterError, match="delta"):
        account.release(GaussianRelease(query=Mean()), DATA, 1.0)
    assert account.entries() == []


@pytest.mark.parametrize("at", [0.0, 0.5, 1.0])
def test_what_is_cancelled_costs_nothing(account, at):
    def cancel(fraction, message=""):
        if fraction >= at:
            raise Cancelled

    with pytest.raises(Cancelled):
        account.release(MEAN, DATA, 1.0, progress=cancel)
    assert account.spent() is None
    assert [entry.state for entry in account.entries()] in ([], ["void"])


def test_a_value_that_comes_too_late_is_void(account):
    def settle():
        raise Cancelled

    with pytest.raises(Cancelled):
        account.release(MEAN, DATA, 1.0, settle=settle)
    assert [entry.state for entry in account.entries()] == ["void"]


def test_a_limit_is_looked_at_before_work_that_takes_long(account):
    account.set_limit(Limit(0.5))

    class Long(Stated):
        def prepare(self, data, privacy, progress):
            raise AssertionError("it was prepared")

    with pytest.raises(Overspent):
        account.release(Long(Cost.of(MEAN, 1.0), lambda: 1.0), NO_DATA, 1.0)


def test_of_known_columns_it_may_cost_less(account):
    """What follows from public bounds is in the entry, too."""
    pay(account, Cost.of(MEAN, 1.0), {}, lambda: 1.0)
    account.release(MADE["one-cluster"], database("points", 3000), (4.0, 1e-6), over=True)
    found = account.entries()[-1].cost
    assert found == Cost.of(MADE["one-cluster"], (4.0, 1e-6), database("points", 4).domain)


def test_bounds_are_suggested_by_an_account(account):
    helper = SuggestedBounds(Interval(0, 1000))
    release = account.release(helper, Sample(range(100), Interval(0, 1000)), 2.0)
    (entry,) = account.entries()
    assert entry.value == release.value
    assert (entry.cost.privacy, entry.about["release"]) == (Privacy(2.0), "bounds")
