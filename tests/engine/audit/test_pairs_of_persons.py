"""A row that moves to another person changes two records: audited, and by enumeration of tiny tables."""

import itertools
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from engine import (
    Box,
    Categories,
    CategoryDomain,
    Concentrated,
    ContingencyTable,
    Interval,
    LaplaceRelease,
    Ledger,
    Mean,
    NoisyHistogram,
    Parts,
    Points,
    Privacy,
    Sample,
    reproducible,
)
from engine.audit import audit_run
from engine.audit.pairs import Pair
from engine.data.category_columns import read_categories
from engine.data.edges import EdgeColumns, read_edges
from engine.data.look_only import rows_of_person
from engine.data.reading_parts import read_parts
from engine.data.rows import PERSON_RULES, combine_rows, keep_rows
from engine.data.table import Table
from engine.errors import DataError, ParameterError
from engine.ledger import Cost
from engine.mechanisms.parts import EachPart, SumsInParts
from engine.privacy import PERSON, PERSON_SAME_GROUP
from engine.questions.asking import account_of, ask
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.question import Question
from engine.questions.sheet import Sheet

BOUNDS = Interval(0.0, 1.0)
MEAN = LaplaceRelease(query=Mean())


def table(rows):
    return Table("t", pa.table({"who": [who for who, _ in rows], "x": [float(x) for _, x in rows]}))


FILES = [
    file
    for file in itertools.product(itertools.product("ab", (0, 1)), repeat=4)
    if {who for who, _ in file} == {"a", "b"}
]


def replaced(file):
    """Yield files in which one row is another one, of the same persons."""
    for index, row in itertools.product(range(len(file)), itertools.product("ab", (0, 1))):
        other = (*file[:index], row, *file[index + 1 :])
        if other in FILES_SET:
            yield other


FILES_SET = set(FILES)


@pytest.mark.parametrize("rule", [rule for rule in PERSON_RULES if rule != "count"])
def test_one_row_changes_at_most_two_records_and_some_change_two(rule):
    records = {
        file: dict(zip(*combine_rows(table(file), "who", rule).data.to_pydict().values(), strict=True))
        for file in FILES
    }
    changed = {sum(records[x][who] != records[y][who] for who in "ab") for x in FILES for y in replaced(x)}
    assert changed == {0, 1, 2}


def test_one_row_costs_twice_the_stated_epsilon_and_no_less():
    """The log-ratio of two Laplace laws is at most the distance of the means in units of the scale."""
    means = {file: combine_rows(table(file), "who", "last").numbers("x").values.mean() for file in FILES}
    largest = max(abs(means[x] - means[y]) for x in FILES for y in replaced(x))
    scale = BOUNDS.width / 2 / 1.0  # of two persons at epsilon 1
    cost = Cost.of(MEAN, 1.0, None, 1)
    assert (cost.privacy, cost.neighbours) == (Privacy(1.0), PERSON)
    assert largest / scale == pytest.approx(cost.row.privacy.epsilon) == 2.0


@pytest.mark.parametrize("most", [1, 2])
def test_one_row_changes_at_most_the_kept_rows_of_two_persons(most):
    """Rows that do not count are alike, so only those that count can differ."""

    def counted(file):
        kept = keep_rows(table(file), "who", most, b"key").kept
        return Counter(row for row, counts in zip(file, kept, strict=True) if counts)

    known = {file: counted(file) for file in FILES}
    differences = [
        max((known[x] - known[y]).total(), (known[y] - known[x]).total()) for x in FILES for y in replaced(x)
    ]
    assert max(differences) <= 2 * most
    cost = Cost.of(MEAN, 0.5, None, most)
    assert cost.privacy.epsilon == 0.5 * most
    assert cost.row.privacy.epsilon == 2 * 0.5 * most


def pair_of_persons(domain: Interval, n: int) -> Pair:
    """Return samples of n persons before and after one row of the file moved to another person.

    The record of a person is their last row.  The last row of the file is the upper bound of person 0, or
    the lower bound of person 1 in the neighbour: the records of both fall from the upper to the lower bound.
    """
    low, high = domain.lower, domain.upper

    def records(person: int, value: float) -> Sample:
        columns = {"person": [*range(n), person], "value": [low, *[high] * (n - 1), value]}
        table = Table("persons", pa.table(columns))
        return Sample(combine_rows(table, "person", "last").numbers("value").values, domain)

    return Pair(
        "changes-person",
        "A row changes its person",
        "one row of the file moves to another person, so that the records of both change",
        records(0, high),
        records(1, low),
    )


def test_the_audit_refutes_a_cost_that_counts_one_record_and_not_the_one_that_counts_two():
    pair = pair_of_persons(BOUNDS, 40)
    assert (pair.data.values != pair.neighbour.values).sum() == 2
    once = audit_run(MEAN, pair, Privacy(1.0), runs=40_000, seed=1, confidence=1 - 1e-6).audit
    assert once.verdict == "violated"
    assert 1.0 < once.epsilon_lower_bound <= Cost.of(MEAN, 1.0, None, 1).row.privacy.epsilon


VISITS = Table(
    "visits",
    pa.table(
        {
            "who": [f"p{row % 30}" for row in range(90)],
            "x": [row / 90 for row in range(90)],
            "y": [row / 90 for row in range(90)],
            "city": ["Bern", "Basel"] * 45,
        }
    ),
)
CITIES = CategoryDomain(["city"], [["Bern", "Basel"]])


def test_releases_of_all_kinds_of_data_state_that_a_record_is_a_person(tmp_path):
    persons = combine_rows(VISITS, "who", "mean")
    numbers = persons.numbers("x").values
    parts = read_parts(persons, "x", BOUNDS, by=CITIES)
    databases = {
        MEAN: Sample(numbers, BOUNDS),
        NoisyHistogram(bins=2): Points(persons.points(["x", "y"]).values, Box.of([0, 0], [1, 1])),
        ContingencyTable(): read_categories(persons, CITIES).categories,
        SumsInParts(query=Mean()): parts,
    }
    assert {type(one) for one in databases.values()} == {Sample, Points, Categories, Parts}
    account = Ledger(tmp_path / "ledger").account("0" * 64, "visits")
    for mechanism, data in databases.items():
        assert mechanism.run(data, 1.0, reproducible(1)).neighbours == PERSON
        release = account.release(mechanism, data, 1.0)
        assert (release.neighbours, release.privacy) == (PERSON, Privacy(1.0))
    assert account.spent().basic.epsilon == 2 * len(databases)
    assert EachPart(MEAN).run(parts, 1.0, reproducible(1)).neighbours == PERSON_SAME_GROUP
    others = (
        databases[MEAN].replaced(0, 0.5),
        databases[MEAN].only(np.array([1, 2])),
        parts.replaced(0, (0.5, 1)),
        parts.only(np.array([1, 2])),
    )
    assert {rows_of_person(one) for one in others} == {1}
    assert MEAN.run(Sample(VISITS.numbers("x").values, BOUNDS), 1.0).neighbours == "replace-one"


def test_a_record_left_empty_says_nothing_of_a_person():
    data = read_categories(combine_rows(VISITS, "who", "last"), CITIES).categories
    with pytest.raises(ParameterError, match="says nothing about a person; choose replace-one"):
        ContingencyTable(relation="zero-out").run(data, 1.0)


def test_edges_are_those_of_rows():
    persons = combine_rows(Table("t", pa.table({"who": [1, 1], "source": [1, 2], "target": [2, 3]})), "who")
    with pytest.raises(DataError, match="each row of a graph is an edge, not a person"):
        read_edges(persons, EdgeColumns("source", "target", None))


QUESTIONS = (
    "mean of x",
    "median of x by city",
    "count where x > 0.5",
    "share where x > 0.5",
    "histogram of x",
    "table of city",
)


@pytest.mark.parametrize("rows", [None, 2])
def test_all_questions_of_a_sheet_promise_to_persons(tmp_path, rows):
    columns = (ColumnDeclaration("x", lower=0, upper=1), ColumnDeclaration("city", categories=("Bern",)))
    declarations = Declarations(columns, person="who", most_rows=rows)
    sheet = Sheet(QUESTIONS, 2.0, 0.0, declarations)
    ledger = Ledger(tmp_path / "ledger")
    answers = ask(VISITS, sheet, ledger=ledger)
    assert {one.release.neighbours for one in answers} == {PERSON}
    costs = [one.release.privacy.epsilon for one in answers]
    assert sum(costs) == pytest.approx(2.0)
    assert costs == pytest.approx([one.planned.promise.epsilon for one in answers])
    assert account_of(VISITS, ledger).spent().basic.epsilon == pytest.approx(4.0)  # for one row


def test_a_delta_helps_persons_with_several_rows():
    columns = (ColumnDeclaration("x", lower=0, upper=1),)
    questions = [f"count where x > {limit / 80}" for limit in range(1, 80)]
    shares = {}
    for delta in (0.0, 1e-6):
        declarations = Declarations(columns, person="who", most_rows=2)
        planned = Sheet(questions, 1.0, delta, declarations).plan(1000)
        shares[delta] = planned[0].privacy.epsilon
    assert shares[1e-6] > 1.1 * shares[0.0]
    costs = [one.resolved.mechanism.guarantee.zcdp_cost(one.privacy).rho for one in planned]
    together = Concentrated(sum(costs)).for_group(2)  # rho grows with the square of the number of rows
    assert together.privacy(1e-6).epsilon == pytest.approx(1.0, rel=1e-4)


def test_noise_that_needs_a_delta_gets_one_for_each_record():
    columns = (ColumnDeclaration("x", lower=0, upper=1),)
    question = Question("count", where=("x > 0.5",), method="gaussian")
    declarations = Declarations(columns, person="who", most_rows=3)
    (planned,) = Sheet([question], 1.0, 1e-6, declarations).plan(1000)
    assert 0 < planned.privacy.delta < 1e-6 / 3
    assert planned.promise.epsilon >= 1.0 - 1e-12
    assert planned.promise.delta <= 1e-6
