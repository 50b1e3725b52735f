"""Medians of 50 groups of ten million rows, against DuckDB's `median … group by`."""

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from timing import seconds

from engine.data.parts import Parts, PartsDomain
from engine.domain import Interval
from engine.mechanisms import ChoiceInParts, SumsInParts
from engine.privacy import Privacy
from engine.queries import Mean

ROWS, GROUPS, LIMIT = 10_000_000, 50, 3.0
DOMAIN = PartsDomain(Interval(0, 1e6), tuple(map(str, range(GROUPS))))


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(1)
    return rng.lognormal(10, 1, ROWS), rng.integers(0, GROUPS, ROWS)


@pytest.mark.benchmark
@pytest.mark.parametrize("mechanism", [ChoiceInParts(), SumsInParts(query=Mean())], ids=lambda one: one.name)
def test_all_groups_within_three_times_their_medians(mechanism, columns):
    duckdb = pytest.importorskip("duckdb")
    values, index = columns
    connection = duckdb.connect()
    connection.register("rows", pa.table({"v": values, "g": index}))
    grouping = seconds(lambda: connection.execute("select g, median(v) from rows group by g").fetchall())
    releasing = seconds(lambda: mechanism.run(Parts(values, index, DOMAIN), Privacy(1.0)))
    ratio = releasing / grouping
    print(f"\n{mechanism.query.name}: {releasing:.2f} s; DuckDB {grouping:.2f} s; ratio {ratio:.2f}")
    assert ratio <= LIMIT


@pytest.mark.benchmark
def test_memory_for_all_groups_is_that_of_the_data(columns):
    values, index = columns
    tracemalloc.start()
    ChoiceInParts().run(Parts(values, index, DOMAIN), Privacy(1.0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"\n{peak / 1e6:.0f} MB beside {(values.nbytes + index.nbytes) / 1e6:.0f} MB of data")
    assert peak <= values.nbytes + index.nbytes
