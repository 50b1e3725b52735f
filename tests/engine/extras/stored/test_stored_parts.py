"""Records of stored tables are dealt to parts as those in memory."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from engine import CategoryDomain, DataError, Interval, Median, Privacy, read_table
from engine.data.frames import as_table
from engine.data.reading_parts import read_parts
from engine.data.rows import all_hold, read_row_condition
from engine.extras.stored.opening import stored_table
from engine.mechanisms.parts import ChoiceInParts

GROUPS = CategoryDomain(["city"], [["Bern", "Basel", "other"]])
BOUNDS = Interval(0, 100)
WHERE = (read_row_condition("age >= 30"), read_row_condition('note = "a" or note is empty'))


@pytest.fixture
def records():
    rng = np.random.default_rng(1)
    n = 5000
    pay = rng.normal(50, 20, n)
    return pa.table(
        {
            "pay": pa.array([None if index % 17 == 0 else value for index, value in enumerate(pay)]),
            "city": pa.array(np.array(["Bern", "Basel", "Genf", None], dtype=object)[rng.integers(0, 4, n)]),
            "age": rng.integers(18, 70, n),
            "note": pa.array(np.array(["a", "b", None], dtype=object)[rng.integers(0, 3, n)]),
        }
    )


@pytest.fixture
def path(records, tmp_path):
    parquet.write_table(records, tmp_path / "people.parquet", row_group_size=700)
    return tmp_path / "people.parquet"


@pytest.mark.parametrize("fill", [None, 40.0])
def test_they_are_those_of_the_table_in_memory(path, fill):
    stored = stored_table(path).parts("pay", BOUNDS, by=GROUPS, where=WHERE, fill=fill)
    table = read_table(path)
    known = read_parts(table, "pay", BOUNDS, by=GROUPS, holds=all_hold(WHERE, table), fill=fill)
    assert stored.domain == known.domain
    assert np.array_equal(stored.index, known.index)
    inside = known.index >= 0
    assert np.array_equal(stored.values[inside], known.values[inside])
    assert stored.n == known.n == 5000
    released = ChoiceInParts(query=Median()).run(stored, Privacy(100.0)).value["groups"]
    for number, group in enumerate(released):
        assert abs(group["value"] - np.median(known.part(number))) < 1


def test_counts_need_no_column(records, path):
    stored = stored_table(path).parts("", Interval(0, 1), by=GROUPS)
    assert stored.sizes.sum() == 5000 - records["city"].null_count


def test_a_wrong_column_is_named(path):
    table = stored_table(path)
    with pytest.raises(DataError, match="'note': the value is not a number"):
        table.parts("note", BOUNDS)
    with pytest.raises(DataError, match="salary"):
        table.parts("salary", BOUNDS)


def test_a_text_gives_numbers_alone(records, tmp_path):
    csv.write_csv(records, tmp_path / "people.csv")
    table = stored_table(tmp_path / "people.csv")
    assert table.parts("pay", BOUNDS, where=WHERE[:1]).n == 5000
    with pytest.raises(DataError, match=r"'city': it is text, and .* write it as Parquet"):
        table.parts("pay", BOUNDS, by=GROUPS)


def test_a_dask_dataframe_is_read_in_pieces(records):
    dataframe = pytest.importorskip("dask.dataframe")
    frame = records.to_pandas()
    stored = stored_table(dataframe.from_pandas(frame, npartitions=4)).parts("pay", BOUNDS, by=GROUPS)
    known = read_parts(as_table(frame), "pay", BOUNDS, by=GROUPS)
    assert [len(stored.part(number)) for number in range(3)] == [
        len(known.part(number)) for number in range(3)
    ]
