"""Stated missing values in every format, and the missing values of a code book."""

import json
import sqlite3

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import csv, feather, parquet

from engine.data.reading import read_table

CELLS = {"x": [1, -999, 3, 99, 5], "country": ["NA", "DE", "-", "FR", None]}
RECORDS = [dict(zip(CELLS, cells, strict=True)) for cells in zip(*CELLS.values(), strict=True)]


def write_workbook(path, records):
    book = openpyxl.Workbook()
    book.active.append(list(CELLS))
    for record in records:
        book.active.append(list(record.values()))
    book.save(path)


def write_sqlite(path, records):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x, country)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [tuple(record.values()) for record in records])


def write_duckdb(path, records):
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE t (x DOUBLE, country TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [list(record.values()) for record in records])


WRITERS = {
    "csv": lambda path, records: csv.write_csv(pa.Table.from_pylist(records), path),
    "parquet": lambda path, records: parquet.write_table(pa.Table.from_pylist(records), path),
    "feather": lambda path, records: feather.write_feather(pa.Table.from_pylist(records), path),
    "jsonl": lambda path, records: path.write_text("\n".join(map(json.dumps, records))),
    "json": lambda path, records: path.write_text(json.dumps(records)),
    "xlsx": write_workbook,
    "sqlite": write_sqlite,
    "duckdb": write_duckdb,
    "sav": lambda path, records: pyreadstat.write_sav(pd.DataFrame(records), path),
    "dta": lambda path, records: pyreadstat.write_dta(pd.DataFrame(records), path),
    "xpt": lambda path, records: pyreadstat.write_xport(pd.DataFrame(records), path),
}


@pytest.fixture(params=WRITERS)
def write(request, tmp_path):
    def written(records):
        path = tmp_path / f"a.{request.param}"
        WRITERS[request.param](path, records)
        return path

    return written


def test_every_format_has_the_same_missing_values(write):
    path = write(RECORDS)
    table = read_table(path, missing_values="-999,99.0,-")
    assert table.data["x"].to_pylist() == [1, None, 3, None, 5]
    assert table.data["country"].to_pylist() == ["NA", "DE", None, "FR", None]
    table = read_table(path, missing_values="x=99;country=")
    assert table.data["x"].to_pylist() == [1, -999, 3, None, 5]
    assert table.data["country"].to_pylist() == ["NA", "DE", "-", "FR", None]


@pytest.mark.parametrize("name", ["jsonl", "json", "xlsx", "sqlite"])
def test_a_stated_text_among_numbers_leaves_them_numbers(tmp_path, name):
    path = tmp_path / f"a.{name}"
    WRITERS[name](path, [*RECORDS, {"x": "?", "country": 'a,"x":"?"}'}])
    for stated in ("?", "x=?"):
        table = read_table(path, missing_values=stated)
        assert table.column("x").type == "number"
        assert table.data["x"].to_pylist() == [1, -999, 3, 99, 5, None]
        assert table.data["country"].to_pylist()[-1] == 'a,"x":"?"}'


def test_missing_values_of_spss(tmp_path):
    answers = pd.DataFrame({"x": [1.0, -99, -3, 3, None], "s": ["a", "?", "b", "", "c"]})
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(answers, path, missing_ranges={"x": [-99, {"lo": -5, "hi": -1}], "s": ["?"]})
    for stated, x, s in (
        (None, [1, None, None, 3, None], ["a", None, "b", None, "c"]),
        ("", [1, -99, -3, 3, None], ["a", "?", "b", None, "c"]),
        ("x=", [1, -99, -3, 3, None], ["a", None, "b", None, "c"]),
        ("x=-99", [1, None, -3, 3, None], ["a", None, "b", None, "c"]),
        ("s=a", [1, None, None, 3, None], [None, "?", "b", None, "c"]),
    ):
        options = {} if stated is None else {"missing_values": stated}
        table = read_table(path, **options)
        assert table.data.to_pydict() == {"x": x, "s": s}, stated
        only = read_table(path, columns=["s"], **(options if "x=" not in str(stated) else {}))
        assert only.data.column_names == ["s"]


def test_missing_values_of_stata(tmp_path):
    answers = pd.DataFrame({"x": [1.0, "a", "z", None], "y": [1.0, 2, 3, 4]})
    path = tmp_path / "a.dta"
    pyreadstat.write_dta(answers, path, missing_user_values={"x": ["a", "z"]})
    for stated, x in (
        (None, [1, None, None, None]),
        ("y=2", [1, None, None, None]),
        (".a,.z", [1, None, None, None]),
        ("", ["1", ".a", ".z", None]),
        (".a", ["1", None, ".z", None]),
    ):
        options = {} if stated is None else {"missing_values": stated}
        assert read_table(path, **options).data["x"].to_pylist() == x, stated


def test_a_label_counts_as_missing_as_well_as_its_code(tmp_path):
    answers = pd.DataFrame({"x": [1.0, 9, 2]})
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(answers, path, variable_value_labels={"x": {1: "yes", 2: "no", 9: "refused"}})
    for stated in ("9", "refused"):
        column = read_table(path, missing_values=stated, types={"x": "category"}).data["x"]
        assert column.to_pylist() == ["yes", None, "no"]
