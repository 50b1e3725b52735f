"""Parquet and Feather: types kept, wanted columns only, damage named."""

import decimal

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from engine.data import read_table
from engine.errors import DataError
from engine.progress import Cancelled

ROWS = 200_000


def write_parquet(table, path):
    parquet.write_table(table, path, row_group_size=ROWS // 2)


def write_feather(table, path):
    feather.write_feather(table, path, chunksize=ROWS // 4)


FORMATS = pytest.mark.parametrize(
    ("name", "write"), [("people.parquet", write_parquet), ("people.feather", write_feather)]
)


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(7)
    return pa.table(
        {
            "age": rng.integers(0, 99, ROWS),
            "pay": rng.lognormal(10, 1, ROWS),
            "name": ["Ann", "Bo"] * (ROWS // 2),
        }
    )


@FORMATS
def test_reading_reports_progress_and_keeps_the_numbers(tmp_path, people, name, write):
    write(people, tmp_path / name)
    seen = []
    table = read_table(tmp_path / name, progress=lambda fraction, message: seen.append((fraction, message)))
    np.testing.assert_array_equal(table.numbers("pay").values, people["pay"].to_numpy())
    assert table.n == ROWS
    assert seen[0] == (0.0, f"reading {name}")
    assert seen[-1][0] == 1.0
    assert seen == sorted(seen)
    assert len(seen) >= 4


@FORMATS
def test_only_the_wanted_columns_are_read(tmp_path, people, name, write):
    write(people, tmp_path / name)
    before = pa.total_allocated_bytes()
    table = read_table(tmp_path / name, columns=["pay"])
    assert [column.name for column in table.columns] == ["pay"]
    assert pa.total_allocated_bytes() - before < 2 * 8 * ROWS
    with pytest.raises(DataError, match="there is no column 'pey'; try pay"):
        read_table(tmp_path / name, columns=["pey"])


@FORMATS
def test_cancelling_ends_the_reading(tmp_path, people, name, write):
    write(people, tmp_path / name)

    def impatient(fraction, message=""):
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(tmp_path / name, progress=impatient)


@FORMATS
def test_the_first_record_is_row_1_and_types_are_kept(tmp_path, name, write):
    table = pa.table(
        {
            "small": pa.array([1, None, 3], pa.int8()),
            "single": pa.array([0.5, 1.5, float("nan")], pa.float32()),
            "money": pa.array(
                [decimal.Decimal("1.25"), decimal.Decimal(2), decimal.Decimal(-3)], pa.decimal128(9, 2)
            ),
            "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
            "day": pa.array([0, 1, 2], pa.date32()),
            "yes": [True, False, None],
            "digits": ["1", "2", "3"],
            "raw": [b"\xff", b"b", b"c"],
            "none": pa.nulls(3),
        }
    )
    write(table, tmp_path / name)
    read = read_table(tmp_path / name)
    assert [column.type for column in read.columns] == (
        ["number"] * 3 + ["text", "date", "boolean"] + ["text"] * 3
    )
    np.testing.assert_array_equal(read.numbers("money").values, [1.25, 2, -3])
    np.testing.assert_array_equal(read.numbers("small", "drop").values, [1, 3])
    assert read.preview(1) == [("1", "0.5", "1.25", "a", "1970-01-01", "true", "1", "b'\\xff'", "")]
    wrong = {
        "small": "row 2, column 'small': the value is missing; fill it in, or choose",
        "single": "row 3, column 'single': the value is not a finite number",
        "kind": "row 1, column 'kind': the value is not a number",
        "day": "column 'day': it holds dates; read it as days, or choose a column of numbers",
        "yes": "column 'yes': it holds true or false; choose a column of numbers",
        "digits": "column 'digits': its numbers are stored as text; read it as numbers, or choose",
        "raw": "column 'raw': it holds lists, objects or bytes instead of single numbers; choose a column",
        "none": "column 'none': every value is missing; choose a column",
    }
    for column, message in wrong.items():
        with pytest.raises(DataError) as caught:
            read.numbers(column)
        assert message in str(caught.value)


@FORMATS
def test_a_cut_file(tmp_path, people, name, write):
    write(people, tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    for length in (10, len(whole) // 2, len(whole) - 1):
        (tmp_path / name).write_bytes(whole[:length])
        with pytest.raises(
            DataError, match=f"{name}: its end, .* is missing; the file is truncated: get the"
        ):
            read_table(tmp_path / name)


@FORMATS
def test_a_damaged_file(tmp_path, people, name, write):
    write(people, tmp_path / name)
    whole = bytearray((tmp_path / name).read_bytes())
    whole[-300:-20] = b"x" * 280
    (tmp_path / name).write_bytes(whole)
    with pytest.raises(DataError, match=f"{name}: it is damaged; get the whole file again"):
        read_table(tmp_path / name)


@FORMATS
def test_text_that_is_not_utf_8_is_damage(tmp_path, name, write):
    cells = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")]
    )
    write(pa.table({"x": cells}), tmp_path / name)
    with pytest.raises(DataError, match="damaged") as caught:
        read_table(tmp_path / name)
    assert "UTF8" in caught.value.confidential


@FORMATS
def test_no_records_and_no_columns(tmp_path, people, name, write):
    write(people.slice(0, 0), tmp_path / name)
    with pytest.raises(DataError, match="there are column names but no records"):
        read_table(tmp_path / name)
    write(people.select([]), tmp_path / name)
    with pytest.raises(DataError, match="there are no columns; at least one is needed"):
        read_table(tmp_path / name)


def test_doubled_and_empty_names(tmp_path):
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array(["a"])], names=["x", "x", ""])
    parquet.write_table(table, tmp_path / "x.parquet")
    with pa.OSFile(str(tmp_path / "x.feather"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    for name in ("x.feather", "x.parquet"):
        result = read_table(tmp_path / name)
        assert result.data.to_pydict() == {"x": [1], "x 2": [2], "column 3": ["a"]}
        assert len(result.reading.notes) == 2
        assert read_table(tmp_path / name, columns=["x 2"]).data.to_pydict() == {"x 2": [2]}


@pytest.fixture
def little_memory(monkeypatch):
    """Leave 10 MB free, and ask for every byte."""
    monkeypatch.setattr("engine.free_memory.free_memory", lambda: 10_000_000)
    monkeypatch.setattr("engine.data.reading.MODEST", 0)


def test_a_small_file_that_unpacks_to_more_than_there_is_room_for_is_refused_at_once(tmp_path, little_memory):
    file = tmp_path / "zeros.parquet"
    parquet.write_table(pa.table({"x": np.zeros(10**6), "y": np.zeros(10**6, dtype=np.int8)}), file)
    assert file.stat().st_size < 10_000
    words = (
        r"zeros.parquet: it unpacks to 1,000,000 records: it needs about 36 MB of memory, and 10 MB are free"
    )
    with pytest.raises(DataError, match=words):
        read_table(file)
    assert read_table(file, columns=["y"]).n == 10**6


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.parametrize("first", ["x", "x" * 1000])
def test_long_words_behind_short_references_count_as_what_they_become(tmp_path, little_memory, kind, first):
    codes = np.repeat(np.arange(2, dtype=np.int32), [70_000, 230_000])
    data = pa.table({"t": pa.DictionaryArray.from_arrays(codes, [first, "y" * 1000])})
    file = tmp_path / f"words.{kind}"
    if kind == "parquet":
        parquet.write_table(data, file)
    else:
        feather.write_feather(data, file, chunksize=65_536)
    assert file.stat().st_size < 100_000
    with pytest.raises(DataError, match="10 MB are free; read fewer columns, or a part of the records"):
        read_table(file)


def test_a_text_larger_than_memory_is_refused_before_it_is_read(tmp_path, little_memory, monkeypatch):
    monkeypatch.setattr("engine.data.reading.MODEST", 1e6)  # smaller ones are read without asking
    file = tmp_path / "large.csv"
    file.write_text("x,y\n" + "1,2\n" * 2_000_000)
    with pytest.raises(DataError, match=r"large.csv: it needs about 16 MB of memory"):
        read_table(file)
