"""Accounts that were kept under the bytes of a file are found again under the data in it."""

import pytest
from payments import pay

from engine.ledger import Ledger, LedgerError, Limit, Overspent

OLD, NEW = "sha256:0", "table:0"


def epsilon(account):
    spent = account.spent()
    return 0 if spent is None else pytest.approx(spent.basic.epsilon)


@pytest.fixture
def spending(costing, value):
    return lambda account, cost: pay(account, costing(cost), {"release": "median"}, value())


def test_what_was_spent_on_the_bytes_is_carried_over(ledger, spending):
    spending(ledger.account(OLD, "data.csv"), 0.5)
    name = ledger.account(OLD).name
    now = ledger.account(NEW, former=OLD)
    assert (epsilon(now), now.title, now.name) == (0.5, "data.csv", name)
    spending(now, 0.25)
    # the same data in another file, whose bytes were never seen
    other = ledger.account(NEW, "data.parquet", former="sha256:1")
    assert (epsilon(other), other.name) == (0.75, name)
    assert [each.name for each in ledger.accounts()] == [name]
    assert [entry.cost.privacy.epsilon for entry in ledger.account(OLD).entries()] == [0.5, 0.25]


def test_both_are_added_up_where_both_were_spent_from(ledger, spending):
    spending(ledger.account(NEW, former="sha256:1"), 0.125)
    spending(ledger.account(OLD, "data.csv"), 0.5)
    ledger.account(OLD).set_limit(Limit(2.0, 1e-6))
    ledger.account(NEW).set_limit(Limit(3.0, 1e-9))
    spending(ledger.account(NEW), 0.0625)
    name = ledger.account(NEW).name
    together = ledger.account(NEW, former=OLD)
    assert (epsilon(together), together.name) == (0.6875, name)
    assert together.limit == Limit(2.0, 1e-9)
    assert [entry.cost.privacy.epsilon for entry in together.entries()] == [0.125, 0.5, 0.0625]
    together.set_limit(Limit(4.0))
    assert ledger.account(OLD).limit == Limit(4.0)


def test_a_release_that_was_begun_before_is_ended_in_the_account_of_both(ledger, costing, value):
    old = ledger.account(OLD)

    def draw():
        ledger.account(NEW, former=OLD)
        return value(7.0)()

    pay(old, costing(), {}, draw)
    assert [entry.value for entry in ledger.account(NEW).entries()] == [7.0]


def test_the_first_limit_is_not_that_of_an_account_that_is_carried_over(ledger, spending):
    spending(ledger.account(OLD), 0.5)
    now = ledger.account(NEW, first=Limit(0.1), former=OLD)
    assert now.limit is None
    spending(now, 0.5)
    assert ledger.account(NEW).limit is None


def test_it_is_on_the_disk(path, spending):
    spending(Ledger(path).account(OLD), 0.5)
    content = path.read_bytes()
    # what is not known needs nothing to be written
    Ledger(path).account(NEW, former="sha256:1")
    assert path.read_bytes() == content
    Ledger(path).account(NEW, former=OLD)
    again = Ledger(path)
    assert epsilon(again.account(NEW)) == 0.5
    content = path.read_bytes()
    again.account(NEW, former=OLD)
    assert path.read_bytes() == content


def test_two_programs_carry_over_at_once(path, spending):
    spending(Ledger(path).account(OLD), 0.5)
    first, second = Ledger(path), Ledger(path)
    assert first.account(NEW, former=OLD).name == second.account(NEW, former=OLD).name
    spending(second.account(NEW, former=OLD), 0.25)
    assert epsilon(first.account(NEW)) == 0.75


def test_what_cannot_be_carried_over_is_paid_from_the_old_account(path, spending, monkeypatch):
    spending(Ledger(path).account(OLD), 0.5)
    ledger = Ledger(path)

    def full(decide):
        raise LedgerError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ledger, "append", full)
        account = ledger.account(NEW, former=OLD)
        assert epsilon(account) == 0.5
    spending(account, 0.25)
    assert epsilon(ledger.account(NEW, former=OLD)) == 0.75


def test_a_file_known_by_its_bytes_has_one_account_with_what_was_asked_of_parts_of_it(path, spending):
    """A query on a database first, then a large table of it; and another file, which has its own."""
    ledger = Ledger(path)
    spending(ledger.account(NEW, "query", former="sha256:1"), 0.5)
    spending(ledger.account("table:1", "other query", former="sha256:1"), 0.25)
    spending(ledger.account("table:2", "other file", former="sha256:2"), 8.0)
    assert len(ledger.accounts()) == 3
    whole = Ledger(path).account("sha256:1", "people.duckdb", former="sha256:1")
    assert epsilon(whole) == 0.75
    spending(whole, 0.125)
    again = Ledger(path)
    for digest in (NEW, "table:1", "sha256:1"):
        assert epsilon(again.account(digest, former="sha256:1")) == 0.875
    assert sorted(epsilon(each).expected for each in again.accounts()) == [0.875, 8.0]
    # what was asked of the whole first counts for every part
    spending(again.account("sha256:3", former="sha256:3"), 1.0)
    assert epsilon(again.account("table:3", former="sha256:3")) == 1.0


def test_a_file_is_noted_with_the_first_release_that_knows_it(ledger, spending):
    spending(ledger.account(NEW), 0.5)
    assert epsilon(ledger.account(OLD, former=OLD)) == 0
    spending(ledger.account(NEW, former="sha256:1"), 0.5)
    spending(ledger.account(NEW, former="sha256:1"), 0.5)
    assert epsilon(ledger.account("sha256:1", former="sha256:1")) == 1.5
    (holdings,) = ledger.known().accounts.values()
    assert len(holdings.files) == 1


OTHERS = ("table:1", "table:2")


@pytest.mark.parametrize("spent", [(), (NEW,), ("table:1",), ("table:1", "table:2"), (NEW, *OTHERS)])
def test_a_query_over_tables_counts_for_each_and_all_that_was_spent_on_them_for_it(ledger, spending, spent):
    for place, digest in enumerate(spent):
        spending(ledger.account(digest, digest), 2.0**-place)
    before = sum(2.0**-place for place in range(len(spent)))
    query = ledger.account(NEW, "people.db", others=OTHERS)
    assert epsilon(query) == before
    assert len(ledger.accounts()) == len(spent), "a look joins nothing"
    spending(query, 4.0)
    for digest in (NEW, *OTHERS):
        assert epsilon(ledger.account(digest)) == before + 4.0
    spending(ledger.account("table:2"), 8.0)
    assert epsilon(query) == epsilon(ledger.account(NEW)) == before + 12.0
    assert all(query.goes_by(ledger.account(digest).name) for digest in OTHERS)
    assert len(ledger.accounts()) == 1


def test_a_query_over_tables_keeps_within_the_limit_of_each(path, spending):
    ledger = Ledger(path)
    ledger.account("table:1", "visits").set_limit(Limit(1.0))
    spending(ledger.account("table:1"), 0.75)
    query = ledger.account(NEW, "people.db", Limit(5.0), others=OTHERS)
    with pytest.raises(Overspent):
        spending(query, 0.5)
    assert [each.title for each in ledger.accounts()] == ["visits"], "what was refused joins nothing"
    spending(query, 0.125)
    assert query.limit == Ledger(path).account("table:2").limit == Limit(1.0)
    with pytest.raises(Overspent):
        spending(Ledger(path).account("table:2"), 0.25)


def test_a_release_that_fails_is_void_for_each_table(ledger, costing):
    query = ledger.account(NEW, others=OTHERS)
    with pytest.raises(ZeroDivisionError):
        pay(query, costing(), {}, lambda: 1 / 0)
    assert [epsilon(ledger.account(digest)) for digest in (NEW, *OTHERS)] == [0, 0, 0]
