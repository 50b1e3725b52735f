"""Data that are only similar to others of which something was released are asked about, and no others.

Ledgers have keys of their own, so what they keep is random: a test of this module fails by chance with
probability below 1e-6.
"""

import contextlib
import dataclasses
import json
import math
import sqlite3

import numpy as np
import pyarrow as pa
import pytest
from payments import pay

from engine.data import Table, table_digest
from engine.data.identity import table_identity
from engine.data.sketch import MAX_CELL_COLUMNS
from engine.ledger import Ledger, LedgerEntry, Limit, Resembling
from engine.ledger.similar import MIN_SHARED_CELLS, MIN_SHARED_ROWS, KeptSketch
from engine.privacy import Privacy

REPLACE = "replace-one"


def people(n=600, seed=1):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "pay": rng.lognormal(10, 1, n).round(2),
            "age": rng.integers(18, 90, n),
            "town": rng.choice(["Rome", "Oslo", "Bonn"], n),
        }
    )


def sketch(table):
    return table_identity(Table("some", table))[1]


@pytest.fixture
def account(ledger):
    """Return the account of a table."""

    def find(table, title="", of=ledger, **more):
        found = Table("some", table)
        return of.account(table_digest(found), title, sketch=table_identity(found)[1], **more)

    return find


@pytest.fixture
def first(account, costing, value):
    """The account of some people, on whom 0.5 was spent."""
    found = account(people(), "people.csv")
    pay(found, costing(0.5), {}, value())
    return found


SIMILAR = {
    "superset": lambda table: pa.concat_tables([table, people(300, seed=2)]),
    "subset": lambda table: table.slice(0, 300),
    "one row less": lambda table: table.slice(1),
    "renamed column": lambda table: table.rename_columns(["income", "age", "town"]),
    "dropped column": lambda table: table.drop_columns("age"),
    "only one column": lambda table: table.select(["pay"]),
    "fewer rows and columns": lambda table: table.slice(100, 250).select(["town", "pay"]),
    "fewer rows, other columns": lambda table: (
        table.slice(200).select(["pay"]).append_column("x", pa.array(np.arange(400)))
    ),
    "new column": lambda table: table.append_column("x", pa.array(np.arange(len(table)))),
    "shuffled and renamed columns": lambda table: table.select(["town", "pay", "age"]).rename_columns(
        ["a", "b", "c"]
    ),
}


@pytest.mark.parametrize("change", SIMILAR.values(), ids=SIMILAR)
def test_what_is_only_similar_is_asked_about(account, first, costing, value, change):
    draw = value()
    other = account(change(people()), "other.csv", first=Limit(9.0))
    (found,) = other.similar()
    assert (found.name, found.title, found.spent.basic) == (first.name, "people.csv", Privacy(0.5))
    with pytest.raises(
        Resembling, match=r"other\.csv: it resembles people\.csv.*nothing was released"
    ) as caught:
        pay(other, costing(), {}, draw)
    assert caught.value.similar == (found,)
    assert draw.drawn == 0
    assert other.entries() == []


def test_the_same_data_have_one_budget_from_then_on(account, ledger, path, first, costing, value):
    later = account(people().slice(0, 300), "part.csv", first=Limit(0.1))
    later.count_as(later.similar()[0].name)
    later.count_as(first.name)
    pay(later, costing(0.25), {}, value())
    assert later.similar() == ()
    assert later.spent().basic == first.spent().basic == Privacy(0.75)
    assert later.limit is None
    assert len(ledger.accounts()) == 1
    # both are known now: what is rather like the part, too (five in six of its rows)
    assert account(people().slice(0, 250)).similar()[0].share > 0.6
    if ledger.path:
        assert len(account(people().slice(0, 300), of=Ledger(path)).entries()) == 2


def test_other_data_have_their_own_budget_and_are_not_asked_about_again(account, first, costing, value):
    other = account(people().slice(0, 300), "other.csv", first=Limit(9.0))
    pay(other, costing(0.25), {}, value(), apart=True)
    pay(other, costing(0.25), {}, value())
    assert other.spent().basic == first.spent().basic == Privacy(0.5)
    assert other.limit == Limit(9.0)
    assert other.similar() == first.similar() == ()
    # the most similar one comes first
    assert [each.title for each in account(people().slice(0, 310)).similar()] == ["other.csv", "people.csv"]


def test_nothing_is_asked_where_nothing_was_released_or_kept(account, ledger, costing, value):
    pay(ledger.account("table:old", "old.csv"), costing(), {}, value())
    account(people(), "limit only").set_limit(Limit(1.0))
    with pytest.raises(ZeroDivisionError):
        pay(account(people(), "void"), costing(), {}, lambda: 1 / 0)
    assert account(people().slice(1)).similar() == ()
    assert ledger.account("table:no sketch").similar() == ()


def test_few_different_rows_are_never_asked_about(account, costing, value):
    few = people(60)
    pay(account(few), costing(), {}, value())
    assert account(few.slice(1)).similar() == ()


def test_a_ledger_of_before_goes_on(path, account, costing, value):
    ledger = Ledger(path)
    digest = table_digest(Table("some", people()))
    pay(ledger.account(digest, "people.csv"), costing(), {}, value())  # as it was written before
    similar = people().slice(1)
    assert account(similar, of=ledger).similar() == ()
    pay(account(people(), of=ledger), costing(), {}, value())
    assert account(similar, of=ledger).similar()[0].title == "people.csv"
    with contextlib.closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT text FROM event WHERE kind = ?", (b"charge",)).fetchall()
    contents = [json.loads(text) for (text,) in rows]
    assert ["sketch" in content for content in contents] == [False, True]
    assert len(json.dumps(contents[1]["sketch"])) < 700  # of rows, and of the cells of one column
    # it is part of an entry, the other parts of which are what they were; another form is left alone
    assert all(isinstance(entry, LedgerEntry) for entry in Ledger(path).account(digest).entries())
    assert KeptSketch.read({"form": 2}) == KeptSketch.read(None) == ()


def test_it_is_written_once_and_says_nothing_without_the_key(account, ledger, costing, value):
    found = account(people())
    for _ in range(3):
        pay(found, costing(), {}, value())
    (kept,) = ledger.known().accounts[found.name].sketches
    assert KeptSketch.read(json.loads(json.dumps(kept.content))) == (kept,)
    other = KeptSketch.of(sketch(people()), Ledger(None).keyed)
    assert not kept.columns & other.columns
    # the bits of another key agree by chance; false alarm with probability below 1e-6
    assert abs(kept.shared(other)[0]) < 0.29
    assert kept.shared(other)[1] == 0
    # what was kept before there were cells is read as ever
    content = {name: part for name, part in kept.content.items() if name != "cells"}
    assert KeptSketch.read(content) == (dataclasses.replace(kept, cells=()),)


def test_the_probability_of_a_false_alarm_without_repeated_rows():
    """Of bins with a row of both tables, as many as there are by chance, half of the bits agree."""
    choose = [[math.comb(n, k) for k in range(n + 1)] for n in range(513)]

    def above(one, other, share=MIN_SHARED_ROWS):
        found = 0.0
        for both in range(max(0, one + other - 512), min(one, other) + 1):
            least = math.ceil((both + share * (one + other - both)) / 2)
            tail = sum(choose[both][least:]) / 2**both
            found += tail * (choose[one][both] * choose[512 - one][other - both] / choose[512][other])
        return found

    for one in (64, 128, 256, 384, 448, 480, 512):
        assert above(one, one) <= above(512, 512) < 1e-8
        assert above(one, 512) <= above(512, 512)
        assert above(one, one, MIN_SHARED_CELLS) <= above(512, 512, MIN_SHARED_CELLS)
    # and with all pairs of the columns of which cells are kept
    assert above(512, 512) + MAX_CELL_COLUMNS**2 * above(512, 512, MIN_SHARED_CELLS) < 1e-8


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 1.2, 3.0, 30.0])
@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.1])
def test_the_bound_on_what_independent_samples_share_by_chance(rate, ratio):
    k = np.arange(0, 400)
    factorials = np.array([math.lgamma(each + 1) for each in k])
    larger, smaller = (np.exp(k * math.log(mean) - mean - factorials) for mean in (rate, rate * ratio))
    shared = (larger * smaller)[1:].sum() / (1 - larger[0] * smaller[0])
    repeated = larger[2:].sum() / (1 - larger[0])
    assert shared <= min(repeated, 0.21)


@pytest.mark.parametrize(
    "kind", ["numbers", "ages and towns", "few whole numbers", "dense", "chosen keys", "inches", "logarithms"]
)
def test_unrelated_data_of_the_same_distribution_are_not_asked_about(kind):
    """24 pairs; each is asked about with probability below 1e-7, all with less than 3e-6."""

    def table(seed):
        rng = np.random.default_rng([seed, len(kind)])
        found = people(seed=seed + 100)
        own = pa.table({"x": rng.normal(size=600)})
        return {
            "numbers": found,
            "ages and towns": found.select(["age", "town"]),
            "few whole numbers": pa.table({"x": rng.poisson(500, 900)}),
            "dense": pa.table({"x": rng.integers(0, 4000, 5000)}),
            # with numbers of their own, so that no row is in two of them
            "chosen keys": own.append_column("key", pa.array(rng.permutation(1000)[:600])),
            "inches": own.append_column("height", pa.array(rng.normal(68, 4, 600).round(1) * 2.54)),
            "logarithms": own.append_column("visits", pa.array(np.log1p(rng.poisson(3000, 600)))),
        }[kind]

    keyed = Ledger(None).keyed
    kept = [KeptSketch.of(sketch(table(seed)), keyed) for seed in range(4)]
    for place, some in enumerate(kept):
        for other in kept[:place]:
            assert not some.resembles(other)
