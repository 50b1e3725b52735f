"""A record left empty, of all tables of up to four rows with cells that are empty, a or b."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

from engine.data import Table
from engine.data.categories import CategoryDomain
from engine.data.category_columns import read_categories
from engine.data.points import Points
from engine.domain import Box
from engine.errors import DataError, ParameterError
from engine.extras.frontier.metric_median import MetricMedian
from engine.extras.stored.opening import stored_table
from engine.extras.stored.points import StoredPoints
from engine.ledger import Ledger
from engine.mechanisms import (
    MECHANISMS,
    ContingencyTable,
    CountingQueries,
    Mode,
    NoisyHistogram,
    SampleAggregate,
    SortedHistogram,
)
from engine.mechanisms.base import ledger_cost
from engine.mechanisms.relation import missing_problem
from engine.privacy import NEIGHBOURS, ZERO_OUT, Privacy
from engine.randomness import reproducible

PRIVACY = Privacy(0.7)
LINE, ANSWERS = Box.of([0], [1]), CategoryDomain(["x"], [["a", "b"]])
SCORED = [
    Mode(relation=ZERO_OUT),
    Mode(choice="permute-and-flip", relation=ZERO_OUT),
    MetricMedian(among="0; 1", relation=ZERO_OUT),
]
COUNTED = [
    ContingencyTable(relation=ZERO_OUT),
    SortedHistogram(relation=ZERO_OUT),
    NoisyHistogram(bins=2, relation=ZERO_OUT),
    CountingQueries(where="> 0.5; < 0.5", relation=ZERO_OUT),
]
TABLES = [cells for n in range(1, 5) for cells in itertools.product((None, "a", "b"), repeat=n)]
RELATED = [
    kind(relation=ZERO_OUT)
    for kind in MECHANISMS.values()
    if any(one.name == "relation" for one in kind.parameters())
]
ROUNDING = 1 + 1e-12


def read(mechanism, cells, missing):
    """Return the database that a table with such cells becomes; a stands for 0 and b for 1."""
    if mechanism.reads == "categories":
        table = Table("t.csv", pa.table({"x": pa.array(cells, pa.string())}))
        fill = ["a"] if missing == "fill" else None
        return read_categories(table, ANSWERS, missing=missing, fill=fill).categories
    numbers = [None if cell is None else float(cell == "b") for cell in cells]
    table = Table("t.csv", pa.table({"x": pa.array(numbers, pa.float64())}))
    return Points(table.points(["x"], missing, [0.0] if missing == "fill" else None).values, LINE)


def loss(mechanism, before, after):
    """Return the largest log-ratio of the laws of what is released of two databases, exactly."""
    ready = [mechanism.prepare(data, PRIVACY) for data in (before, after)]
    if mechanism in SCORED:
        first, second = (np.log(one.probabilities) for one in ready)
        return float(np.abs(first - second).max())
    if isinstance(mechanism, NoisyHistogram):
        ready = [mechanism._sanitizer(data, PRIVACY) for data in (before, after)]
    first, second = (one.counts for one in ready)
    return float(np.abs(first - second).sum() / ready[0].noise["scale"])


def name(mechanism):
    return "-".join(map(str, (mechanism.name, *list(mechanism.settings().values())[:1])))


def pairs(missing):
    """Yield tables with each in which one cell of them is empty, both of which are read."""
    for cells in TABLES:
        for row in range(len(cells)):
            left = (*cells[:row], None, *cells[row + 1 :])
            if cells[row] is not None and (missing == "fill" or any(left)):
                yield cells, left


@pytest.mark.parametrize("mechanism", [*SCORED, *COUNTED], ids=name)
def test_where_no_value_is_missing_a_record_that_counts_for_nothing_costs_epsilon(mechanism):
    """All whole tables: what is released of the others, and of all with another record in its place."""
    empty, replaced = [], []
    for cells in TABLES:
        if None in cells:
            with pytest.raises(DataError, match="row"):
                read(mechanism, cells, "refuse")
            continue
        data = read(mechanism, cells, "refuse")
        for row in range(len(cells)):
            others = np.delete(np.arange(len(cells)), row)
            if others.size:
                empty.append(loss(mechanism, data, data.only(others)))
            turned = (*cells[:row], "a" if cells[row] == "b" else "b", *cells[row + 1 :])
            replaced.append(loss(mechanism, data, read(mechanism, turned, "refuse")))
    assert 0.5 * PRIVACY.epsilon < max(empty) <= PRIVACY.epsilon * ROUNDING
    assert PRIVACY.epsilon < max(replaced) <= ledger_cost(mechanism, PRIVACY)[0].epsilon * ROUNDING


@pytest.mark.parametrize("mechanism", [*SCORED, *COUNTED], ids=name)
def test_where_missing_values_are_filled_an_empty_cell_costs_twice(mechanism):
    """The mistake of earlier versions, which made releases of it."""
    worst = max(
        loss(mechanism, *(read(mechanism, cells, "fill") for cells in pair)) for pair in pairs("fill")
    )
    assert 1.5 * PRIVACY.epsilon < worst <= 2 * PRIVACY.epsilon * ROUNDING


@pytest.mark.parametrize("mechanism", RELATED, ids=lambda one: one.name)
@pytest.mark.parametrize("missing", ["fill", "drop"])
def test_releases_are_refused_from_the_choice_alone(mechanism, missing):
    """Of all tables, also those in which no value is missing; by the same line."""
    said = set()
    for cells in TABLES:
        if missing == "fill" or any(cells):
            data = read(mechanism, cells, missing)
            for one in (
                data,
                data.only(np.arange(1)),
                data.replaced(0, ["a"] if hasattr(data, "codes") else 1),
            ):
                with pytest.raises(ParameterError) as raised:
                    mechanism.run(one, Privacy(1.0, 1e-6))
                said.add(str(raised.value))
    assert said == {str(ParameterError("missing", missing_problem(mechanism.relation, missing).message))}


@pytest.mark.parametrize("missing", ["fill", "drop", "refuse"])
def test_whoever_prepares_and_releases_apart_is_refused_too(missing):
    for mechanism in (*SCORED, *COUNTED):
        data = read(mechanism, ("a", "b", "a", "b"), missing)
        ready = mechanism.prepare(data, PRIVACY)  # which an audit does, and a picture
        if missing == "refuse":
            assert mechanism.release(ready, data, PRIVACY, reproducible(1)).neighbours == ZERO_OUT
            continue
        with pytest.raises(ParameterError, match="left empty"):
            mechanism.release(ready, data, PRIVACY, reproducible(1))
        usual = type(mechanism)(**mechanism.settings() | {"relation": NEIGHBOURS})
        assert usual.run(data, PRIVACY).neighbours == NEIGHBOURS


def test_points_that_stay_in_their_file_say_how_they_were_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "0.5,1\n0.25,2\n" * 20, "utf-8")
    data = StoredPoints(stored_table(path), ["x"], LINE, "drop")
    with pytest.raises(ParameterError, match="changes n"):
        CountingQueries(relation=ZERO_OUT).run(data, PRIVACY)
    assert CountingQueries(relation=ZERO_OUT).run(StoredPoints(stored_table(path), ["x"], LINE), PRIVACY)


def test_an_account_writes_nothing_down_of_what_is_refused():
    account = Ledger().account("answers")
    for mechanism in (*SCORED, *COUNTED):
        with pytest.raises(ParameterError, match="left empty"):
            account.release(mechanism, read(mechanism, ("a", "b"), "fill"), PRIVACY)
    with pytest.raises(ParameterError, match="pattern 3 makes this a simulation"):
        account.release(SampleAggregate(pattern=3), Points(np.ones((300, 1)), LINE), Privacy(1.0, 1e-6))
    assert account.entries() == []
    assert not account.release(
        SampleAggregate(), Points(np.ones((300, 1)), LINE), Privacy(1.0, 1e-6)
    ).simulated
