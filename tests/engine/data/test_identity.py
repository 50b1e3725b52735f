"""Which data a file or a table holds, whatever its format."""

import datetime
import decimal
import hashlib
import os

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from same_data import NAMES, ROWS, VARIANTS, text

from engine.data import ColumnsApart, Table, digest_of, example_digest, read_table, table_digest
from engine.data import identity as module
from engine.errors import DataError
from engine.progress import Cancelled, silent


def test_the_digest_is_that_of_the_bytes(tmp_path):
    content = bytes(range(256)) * 12_000  # three pieces
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(content)
    seen = []
    found = digest_of(tmp_path / "a.csv", progress=lambda fraction, message="": seen.append(fraction))
    assert found == f"sha256:{hashlib.sha256(content).hexdigest()}" == digest_of(tmp_path / "b.csv")
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) == 3
    (tmp_path / "b.csv").write_bytes(content + b" ")
    assert digest_of(tmp_path / "b.csv") != found


def test_it_can_be_cancelled(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"x")

    def enough(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        digest_of(tmp_path / "a.csv", progress=enough)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(DataError, match="cannot be read") as caught:
            digest_of(path)
        assert str(path) in str(caught.value)


def test_no_file_has_the_digest_of_an_example():
    assert example_digest("salaries") == "example:salaries"


WRITERS = {"parquet": parquet.write_table, "feather": feather.write_feather}


@pytest.fixture
def table():
    random = np.random.default_rng(1)
    columns = {"b": random.normal(size=500), "a": random.integers(0, 3, 500)}
    return pa.table({**columns, "c": random.choice(["x", "y", None], 500)})


@pytest.mark.parametrize("kind", WRITERS)
def test_the_digest_is_that_of_the_whole_table(table, tmp_path, kind):
    WRITERS[kind](table, tmp_path / "data")
    apart = ColumnsApart(tmp_path / "data")
    assert (apart.n, apart.names) == (500, ["b", "a", "c"])
    assert apart.column("a", silent).to_pylist() == table["a"].to_pylist()
    assert table_digest(apart) == table_digest(read_table(tmp_path / "data"))


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_that_changes_meanwhile_is_refused(table, tmp_path, kind):
    file = tmp_path / "data"
    WRITERS[kind](table, file)
    apart = ColumnsApart(file)
    os.utime(file, ns=(0, 0))
    with pytest.raises(DataError, match="changed while it was read"):
        table_digest(apart)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_cut_file_is_refused(table, tmp_path, kind):
    file = tmp_path / "data"
    WRITERS[kind](table, file)
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(DataError, match="truncated"):
        ColumnsApart(file)


def of(**columns):
    return table_digest(Table("some", pa.table(columns)))


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    path = tmp_path_factory.mktemp("digest") / "data"
    path.write_text(text())
    return table_digest(read_table(path))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_data_in_another_file_are_the_same(variant, known, tmp_path):
    VARIANTS[variant](tmp_path / "data")
    assert table_digest(read_table(tmp_path / "data")) == known


@pytest.mark.parametrize(
    "other",
    [
        ROWS[1:],
        [*ROWS, ROWS[0]],
        [*ROWS[:-1], ROWS[1]],
        [("Adah", *ROWS[0][1:]), *ROWS[1:]],
        [(*ROWS[0][:2], 1.5000000000000002, *ROWS[0][3:]), *ROWS[1:]],
        [(*ROWS[0][:4], "false"), *ROWS[1:]],
        # the same columns, put together in another way
        [(*row[:1], ROWS[-1 - place][1], *row[2:]) for place, row in enumerate(ROWS)],
    ],
)
def test_other_data_are_others(other, known, tmp_path):
    (tmp_path / "data").write_text(text(other))
    assert table_digest(read_table(tmp_path / "data")) != known


def test_another_name_is_other_data(known, tmp_path):
    (tmp_path / "data").write_text(text(names=("names", *NAMES[1:])))
    assert table_digest(read_table(tmp_path / "data")) != known


def test_numbers_are_the_same_by_value():
    for same in (
        pa.array([1, 2, None], pa.int8()),
        pa.array([1.0, 2.0, float("nan")]),
        pa.array(["1", " 2.0", "NA"]),
        pa.array([decimal.Decimal("1.00"), decimal.Decimal(2), None], pa.decimal128(9, 2)),
    ):
        assert of(a=same) == of(a=pa.array([1, 2, None], pa.int64()))
    assert of(a=[0.0, 1.0]) == of(a=[-0.0, 1.0])
    assert of(a=pa.array([decimal.Decimal("0.1")], pa.decimal128(9, 3))) == of(a=[0.1])
    assert of(a=[float("inf"), 1.0]) != of(a=[None, 1.0])
    assert of(a=pa.array(["NA", None, ""])) == of(a=pa.array([None, float("nan"), None]))
    assert of(a=pa.array(["NA", None])) != of(a=pa.array([None] * 3))


@pytest.mark.parametrize("number", [2**53, 2**60 + 2**9, -(2**63), 2**63 - 2**10])
def test_whole_numbers_beyond_doubles_count_in_full(number):
    assert of(a=[number]) == of(a=[float(number)])
    assert of(a=[number + 1]) != of(a=[number])
    assert of(a=pa.array([number + 1, 5])) == of(a=pa.array([5, number + 1]))
    assert of(a=[number + 1, number + 3]) != of(a=[number + 1, number + 2])


def test_decimals_beyond_doubles_count_in_full():
    one, two = (
        pa.array([decimal.Decimal(digits)], pa.decimal128(38))
        for digits in ("12345678901234567890123", "12345678901234567890124")
    )
    assert of(a=one) != of(a=two)


def test_times_are_the_same_whatever_they_are_counted_in():
    moment = datetime.datetime(1969, 7, 20, 20, 17, 40, 500_000)
    units = [pa.array([moment], pa.timestamp(unit)) for unit in ("ms", "us", "ns")]
    assert len({of(a=found) for found in [*units, pa.array(["1969-07-20 20:17:40.5"])]}) == 1
    assert of(a=pa.array([moment, None])) != of(a=pa.array([moment, datetime.datetime(1970, 1, 1)]))
    assert of(a=pa.array([datetime.time(9, 5)], pa.time32("s"))) == of(a=["09:05:00"])
    assert of(a=pa.array([datetime.time(9, 5, 0, 50_000)], pa.time64("us"))) == of(a=["09:05:00.05"])
    assert of(a=pa.array([5], pa.duration("s"))) != of(a=pa.array([5], pa.timestamp("s")))


def test_cells_run_together_are_other_cells():
    assert of(a=["ab", "c"], b=["c", "ab"]) != of(a=["a", "bc"], b=["bc", "a"])
    assert of(a=["x", "y"], b=[1, 2]) != of(a=[1, 2], b=["x", "y"])
    assert of(a=[1, 2], b=[3, 4]) != of(a=[1, 2, 3, 4])
    assert of(a=pa.array(["x", None])) != of(a=pa.array(["x", "x"]))


def test_lists_and_bytes_count_too():
    assert of(a=[[1, 2], [3]]) == of(a=[[3], [1, 2]]) != of(a=[[1], [2, 3]])
    assert of(a=[b"\xff", b"b"]) != of(a=[b"\xfe", b"b"])


@pytest.mark.parametrize("weak", [lambda spread, words: None, lambda spread, words: spread.fill(7)])
def test_rows_with_one_quick_hash_are_told_apart(weak, monkeypatch):
    """Whoever makes rows collide gets neither two digests of one table nor one digest of two."""
    monkeypatch.setattr(module, "_mix", weak)
    random = np.random.default_rng(5)
    columns = {
        "a": random.integers(0, 4, 60),
        "b": pa.array(random.choice(["x", "y", None], 60)),
        "c": pa.array(random.normal(size=60).round(1)),
    }
    table = pa.table(columns)
    found = table_digest(Table("some", table))
    for _ in range(5):
        assert table_digest(Table("some", table.take(random.permutation(60)))) == found
    other = table.set_column(0, "a", pa.array(columns["a"][::-1]))
    assert table_digest(Table("some", other)) != found


def test_pieces_do_not_matter_to_rows_that_are_tied(monkeypatch):
    monkeypatch.setattr(module, "_mix", lambda spread, words: None)
    monkeypatch.setattr(module, "PIECE_ROWS", 4)
    random = np.random.default_rng(6)
    table = pa.table({"a": [1] * 8 + [2] * 3, "b": [f"{place % 3}" + "é" * place for place in range(11)]})
    digests = {table_digest(Table("some", table.take(random.permutation(11)))) for _ in range(8)}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("n", "digest"),
    [
        (10, "f2dfa0f3c2e4d1c2dd92e0e43c2bb679a62f650a3f51ebead50904638390c73f"),
        (5000, "e2de9558fd924aaed4546d90fa6a6aa38d56ae17ea75a789e26819fe5ec25fb7"),
    ],
)
def test_a_ledger_recognises_tables_of_earlier_versions(n, digest):
    names = pa.array([["sales", "hr", None, "", "x"][place % 5] for place in range(n)], pa.string())
    rows = np.random.default_rng(n).permutation(n)
    table = pa.table({"dept": names, "age": pa.array(range(n))}).take(rows)
    assert table_digest(Table("some", table)) == f"table:{digest}"


def test_declared_vertices_belong_to_the_data():
    edges = pa.table({"source": ["a"], "target": ["b"]})
    alone = table_digest(Table("some", edges))
    assert table_digest(Table("some", edges, vertices=("a", "b", "c"))) != alone
    assert len({table_digest(Table("some", edges, vertices=tuple(each))) for each in ("abc", "cab")}) == 1


def test_it_reports_and_can_be_cancelled():
    seen = []
    table = Table("some", pa.table({"a": ["x", "y"], "b": [1, 2]}))
    table_digest(table, progress=lambda fraction, message="": seen.append(fraction))
    assert seen == sorted(seen)

    def enough(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        table_digest(table, progress=enough)


@pytest.mark.parametrize("kind", ["different", "some alike", "first bits alike", "all alike"])
@pytest.mark.parametrize("n", [1, 2, 5000])
def test_rows_are_sorted_by_their_hashes_part_by_part_and_a_cancel_is_heard_between_them(
    monkeypatch, kind, n
):
    monkeypatch.setattr(module, "MAX_SORTED", 16)
    monkeypatch.setattr(module, "PIECE_ROWS", 32)
    hashes = np.random.default_rng(1).integers(0, 1 << 64, n, dtype=np.uint64)
    if kind == "some alike":
        hashes[::7] = hashes[0]
    elif kind == "first bits alike":
        hashes >>= np.uint64(60 - n.bit_length())  # so that many differ only in the bits of the row
        hashes[::5] = hashes[0]
    elif kind == "all alike":
        hashes[:] = hashes[0]
    heard = []
    rows, alike = module._in_order(hashes, heard.append)
    assert sorted(rows.tolist()) == list(range(n))
    ordered = hashes[rows]
    assert np.array_equal(ordered, np.sort(hashes))
    expected = np.append(ordered[1:] == ordered[:-1], False)
    assert np.array_equal(expected, np.zeros(n, dtype=bool) if alike is None else alike)
    assert len(heard) > n // 16
