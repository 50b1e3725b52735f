"""Accounts, limits and entries: a release is paid for before it is made."""

import math
from datetime import datetime

import numpy as np
import pytest
from payments import pay

from engine.ledger import Cost, Ledger, Limit, Overspent
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Cancelled

REPLACE = "replace-one"


def test_a_release_is_paid_for_before_it_is_made(ledger, costing):
    account = ledger.account("sha256:1", "data.csv")
    assert (account.entries(), account.spent(), account.limit) == ([], None, None)
    assert ledger.accounts() == []

    def draw():
        (entry,) = ledger.account("sha256:1").entries()
        assert (entry.state, entry.value, entry.counts) == ("open", None, True)
        return np.float64(2.5)

    before = datetime.now().astimezone()
    release = pay(account, costing(0.5), {"release": "median", "n": np.int64(3)}, draw)
    assert release.value == 2.5
    (entry,) = account.entries()
    assert (entry.state, entry.value, entry.over) == ("spent", 2.5, False)
    assert entry.about == {"release": "median", "n": 3}
    assert entry.cost == costing(0.5)
    assert before <= entry.when <= datetime.now().astimezone()
    assert account.spent().basic == Privacy(0.5)
    (found,) = ledger.accounts()
    assert (found.name, found.title) == (account.name, "data.csv")


def test_another_digest_is_another_account_and_the_name_says_nothing(ledger, path, costing, value):
    one, two = ledger.account("sha256:1"), ledger.account("sha256:2")
    pay(one, costing(), {}, value())
    assert two.entries() == []
    assert len({one.name, two.name, Ledger(None).account("sha256:1").name}) == 3
    assert one.name == ledger.keyed("dataset", b"sha256:1")
    assert ledger.keyed("session", b"sha256:1") != one.name
    assert ledger.key_id != Ledger(None).key_id
    if ledger.path:
        assert Ledger(path).key_id == ledger.key_id
        assert b"sha256" not in path.read_bytes()


@pytest.mark.parametrize("error", [ValueError("x"), Cancelled(), KeyboardInterrupt()])
def test_a_draw_that_fails_costs_nothing_and_its_error_goes_on(ledger, costing, error):
    account = ledger.account("sha256:1")
    account.set_limit(Limit(0.1))

    def fail():
        raise error

    with pytest.raises(type(error)):
        pay(account, costing(), {}, fail)
    assert [entry.state for entry in account.entries()] == ["void"]
    assert account.spent() is None
    assert account.with_one_more(costing())[1] is False


def test_a_limit_is_kept_until_a_person_says_otherwise(ledger, costing, value):
    account, draw = ledger.account("sha256:1", "data.csv"), value()
    account.set_limit(Limit(0.3))
    assert ledger.account("sha256:1").limit == Limit(0.3)
    for _ in range(3):
        pay(account, costing(), {}, draw)
    composition, over = account.with_one_more(costing())
    assert (composition.basic.epsilon, over) == (pytest.approx(0.4), True)
    with pytest.raises(Overspent) as caught:
        pay(account, costing(), {}, draw)
    assert (caught.value.cost, caught.value.limit) == (costing(), Limit(0.3))
    assert caught.value.composition == composition
    assert caught.value.spent == account.spent()
    assert str(caught.value) == (
        "data.csv: epsilon 0.3, delta 0 is spent for one row of the file, and with this release "
        "it would be epsilon 0.4, above the "
        "limit of epsilon 0.3; nothing was released: ask for less, or raise the limit"
    )
    assert draw.drawn == len(account.entries()) == 3
    pay(account, costing(), {}, draw, over=True)
    assert [entry.over for entry in account.entries()] == [False] * 3 + [True]
    # what is spent stays spent, whatever the limit becomes
    account.set_limit(Limit(0.5))
    pay(account, costing(), {}, draw, over=True)
    assert account.entries()[-1].over is False
    with pytest.raises(Overspent):
        pay(account, costing(1e-3), {}, draw)
    account.set_limit(None)
    assert account.limit is None
    pay(account, costing(7.0), {}, draw)
    assert account.spent().basic.epsilon == pytest.approx(7.5)


def test_a_first_limit_is_written_with_the_first_release_and_never_over_another(ledger, costing, value):
    first, draw = Limit(0.3), value()
    account = ledger.account("sha256:1", "data.csv", first)
    assert (account.limit, account.spent(), account.with_one_more(costing(0.4))[1]) == (
        first,
        None,
        True,
    )
    with pytest.raises(Overspent):
        pay(account, costing(0.4), {}, draw)
    pay(account, costing(), {}, draw)
    # whoever knows nothing of it keeps it, too
    assert ledger.account("sha256:1").limit == first
    assert ledger.account("sha256:1", first=Limit(9.0)).limit == first
    ledger.account("sha256:1").set_limit(None)
    pay(account, costing(7.0), {}, draw)
    assert account.limit is None
    # to look at a dataset writes nothing of it
    assert ledger.account("sha256:2", "other.csv", first).limit == first
    assert [each.title for each in ledger.accounts()] == ["data.csv"]


def test_what_promises_nothing_is_recorded_and_is_over_every_limit(ledger, value):
    account, nothing = ledger.account("sha256:1"), Cost(NO_PROMISE, None, REPLACE)
    pay(account, nothing, {}, value())
    assert account.entries()[0].cost == nothing
    assert account.entries()[0].cost.privacy is NO_PROMISE
    assert account.spent().tightest is NO_PROMISE
    account.set_limit(Limit(100.0))
    with pytest.raises(Overspent, match=r"no epsilon would be large enough.*: remove the limit$"):
        pay(account, nothing, {}, value())


def test_deltas_over_the_limit_are_named(ledger, value):
    account = ledger.account("sha256:1")
    account.set_limit(Limit(5.0, 1e-6))
    from engine.primitives import Concentrated

    cost = Cost(Privacy(1.0, 1e-6), Concentrated(0.02), REPLACE)
    pay(account, cost, {}, value())
    with pytest.raises(Overspent, match="deltas would sum to 2e-06, above the limit of delta 1e-06"):
        pay(account, cost, {}, value())


@pytest.mark.parametrize(
    ("released", "kept"),
    [
        (None, None),
        (math.nan, None),
        (np.array([1.0, math.inf]), [1.0, None]),
        ({"cells": [{"lower": (np.float32(0.5), 1)}]}, {"cells": [{"lower": [0.5, 1]}]}),
        ("yes", "yes"),
        ([0.123456789] * 100_000, None),
    ],
)
def test_values_are_kept_as_json_unless_they_are_long(path, costing, released, kept):
    account = Ledger(path).account("sha256:1")
    release = pay(account, costing(), {}, lambda: released)
    assert release.value is released
    (entry,) = Ledger(path).account("sha256:1").entries()
    assert (entry.value, entry.state) == (kept, "spent")


def test_what_cannot_be_kept_does_not_lose_the_release(path, costing):
    loop = []
    loop.append(loop)
    account = Ledger(path).account("sha256:1")
    assert pay(account, costing(), {}, lambda: loop).value is loop
    assert account.entries()[0].counts
