"""Files that differ in one record: what is read of all others is the same, or no release may be made."""

import itertools
import json

import numpy as np
import pytest

from engine import CategoryDomain
from engine.data import cells, read_table
from engine.data.category_columns import read_categories
from engine.errors import DataError

N = 12
ROWS = range(1, N + 1)

FILES = {
    "commas": ["name,age", *(f"p{i},{20 + i}" for i in ROWS)],
    "decimal commas": ["a;b", *(f"{i},5;{2 * i}" for i in ROWS)],
    "thousands": ["a\tb", *(f"{i},{100 + i}\t{i}" for i in ROWS)],
    "row names": ["x y", *(f'"{i}" {i}.5 {2 * i}' for i in ROWS)],
    "row names of one column": ['"x"', *(f'"{i}",{i}.5' for i in ROWS)],
    "row names without quotes": ["id town pay", *(f"{i} New York{i} {10 * i}" for i in ROWS)],
    "blanks": ["a b c", *(f"{18 + i}.0   8   {i}" for i in ROWS)],
    "fixed": ["id  town      pay", *(f"{i:<4}{'town ' + chr(97 + i):<10}{10 * i}" for i in ROWS)],
    "sentences": ["address", *(f"{i} Main Street {i}" for i in ROWS)],
    "blanks between thousands": ["amount", *(f"{i} {100 + i}" for i in ROWS)],
    "one column of decimal commas": ["amount", *(f"{i},5" for i in ROWS)],
    "empty last column": ["a,b,", *(f"{i},{2 * i}," for i in ROWS)],
    "delimiter at the end": ["a,b", *(f"{i},{2 * i}," for i in ROWS)],
    "single quotes": ["a,b", *(f"'x{i}',{2 * i}" for i in ROWS)],
    "single quotes in the header": ["'a','b'", *(f"'x{i}',{2 * i}" for i in ROWS)],
    "quoted last cells": ["a,b,c", *(f'x{i},{2 * i},"z{i}"' for i in ROWS)],
    "inches": ["a,b,c", *(f'x{i},{2 * i},{i}"' for i in ROWS)],
    "titles": ["My table", "", "name,age,pay", *(f"p{i},{20 + i},{1000 + i}" for i in ROWS)],
    "letters": ["café,x", *(f"Zoë{i},{i}" for i in ROWS)],
    "graph": ["# Undirected graph", *(f"{i} {i + 1}" for i in ROWS)],
    "dimacs": [f"p sp {N + 1} {N}", *(f"a {i} {i + 1} 4" for i in ROWS)],
    "pajek": [f"*Vertices {N + 1}", "*Edges", *(f"{i} {i + 1}" for i in ROWS)],
    "json": ["", *(json.dumps({"a": i, "b": f"x{i}"}) for i in ROWS)],
}
RECORDS = [
    "SECRET",
    "SECRET,99",
    "SECRET 99 5",
    '"SECRET',
    "SECRET,1,2,3",
    "'SECRET','b'",
    "'SECRET',2",
    '"SECRET",2',
    'x",2,"SECRET',
    'x,2,"SECRET',
    "1,2,SECRET",
    "12,5",
    "1.5",
    "1.5;2",
    "1,234.5;3",
    "1,234.5\t3",
    '"1,234.5",3',
    "5 6 7",
    "5 6",
    "a b\tc",
    "a b\tc\td",
    "x y",
    "-",
    "x,1",
    b"b\xe9,2",
    "1 2 {'SECRET': 3}",
    "1 2 5",
    '{"a": 1, "b": "x", "SECRET": 5}',
]


def silent_reading(path, lines, row):
    """Return the names, the number of records and the other records; None if a release is refused."""
    path.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    try:
        table = read_table(path)
    except DataError as error:
        assert "SECRET" not in str(error)  # noqa: PT017 - not every variant is refused
        return None
    if table.release_problem:
        return None
    first = len(lines) - table.n
    others = [index for index in range(table.n) if index != row - first]
    columns = [[column.take(others).to_pylist(), cells.kind(column.type)] for column in table.data.columns]
    return table.data.column_names, table.n, columns


def agree(one, other):
    """Tell whether names, numbers of records, and the columns that are numbers in both, are the same."""
    pairs = zip(one[2], other[2], strict=False)
    alike = all(a == b for (a, kind), (b, other_kind) in pairs if kind == other_kind == "number")
    return one[:2] == other[:2] and alike


@pytest.mark.parametrize("kind", FILES)
def test_one_record_decides_nothing_about_the_others(tmp_path, kind):
    lines = [line for line in FILES[kind] if kind != "json" or line]
    path = tmp_path / ("data.jsonl" if kind == "json" else "data.txt")
    first = len(lines) - N
    for row in (first, first + 5, len(lines) - 1):
        variants = [[*lines[:row], record, *lines[row + 1 :]] for record in (lines[row], *RECORDS)]
        readings = [silent_reading(path, variant, row) for variant in variants]
        silent = [reading for reading in readings if reading is not None]
        for one, other in itertools.pairwise(silent):
            assert agree(one, other)
        assert all("SECRET" not in " ".join(names) for names, *_ in silent)


def read(tmp_path, text, **options):
    path = tmp_path / "data.csv"
    path.write_text(text, encoding="utf-8")
    return read_table(path, **options)


@pytest.mark.parametrize(
    ("others", "strange"),
    [
        (["007", "7", "08"], "x"),
        (["7.0", "8.0", "9.0"], "x"),
        (["True", "False", "TRUE"], "x"),
        (["1 %", "2 %", "3 %"], "0.5"),
        (["2020-01-01T10:00", "2020-01-02T10:00", "2020-01-03T10:00"], "x"),
        (["10:00", "11:00", "12:00"], "x"),
        (["9007199254740993", "9007199254740995", "9007199254740997"], "0.5"),
    ],
)
def test_categories_whose_type_one_record_decides_permit_no_release(tmp_path, others, strange):
    text = "c,n\n" + "".join(f"{value},1\n" for value in (*others, strange))
    domain = CategoryDomain(["c"], [["a"]])
    if "." not in strange or "%" in others[0]:
        categories = read_categories(read(tmp_path, text), domain, unseen="other").categories
        assert "state it when you open the file, or with --type c=category" in categories.release_problem
    table = read(tmp_path, text, types={"c": "category"})
    assert not read_categories(table, domain, unseen="other").categories.release_problem
    plain = read(tmp_path, f"c,n\n7,1\n8,1\n{strange},1\n", types={"c": "category"})
    assert not read_categories(plain, domain, unseen="other").categories.release_problem


def test_plain_categories_need_no_type(tmp_path):
    for values in ("7 8 x", "yes no x", "true false x", "2020-01-01 2020-01-02 x", "007 K1 K2"):
        table = read(tmp_path, "c,n\n" + "".join(f"{value},1\n" for value in values.split()))
        read_as = read_categories(table, CategoryDomain(["c"], [["x"]]), unseen="other")
        assert not read_as.categories.release_problem


def test_a_time_does_not_rename_the_days(tmp_path):
    domain = CategoryDomain(["day"], [["2020-01-01", "2020-01-02"]])
    for other in ("2020-01-02", "2020-01-02 10:00:00.5"):
        table = read(tmp_path, f"day,n\n2020-01-01,1\n2020-01-01,2\n{other},3\n")
        codes = read_categories(table, domain, unseen="other").categories.codes
        assert np.array_equal(codes[:2, 0], [0, 0])


def test_one_true_does_not_turn_numbers_into_true_and_false(tmp_path):
    table = read(tmp_path, "c,n\n1,1\n0,2\ntrue,3\n")
    codes = read_categories(table, CategoryDomain(["c"], [["0", "1", "true"]])).categories.codes
    assert codes[:, 0].tolist() == [1, 0, 2]


def test_comments_among_edges_must_be_stated(tmp_path):
    path = tmp_path / "a.edges"
    path.write_text("# a graph\n0 1\n# or a vertex\n1 2\n")
    assert "--comment" in read_table(path).release_problem
    assert not read_table(path, comment="#").release_problem


def test_row_names_without_quotes_must_be_stated(tmp_path):
    text = "x y\nn1 1.5 2\nn2 2.5 3\nn3 3.5 4\n"
    assert "--delimiter" in read(tmp_path, text).release_problem
    assert not read(tmp_path, text, delimiter="blanks").release_problem


def test_a_text_with_two_decimal_signs_permits_no_release(tmp_path):
    text = "x\ty\n1.5\t\n2.5\t12,5\n"
    assert "--decimal" in read(tmp_path, text).release_problem
    assert not read(tmp_path, text, decimal=".").release_problem


def test_a_single_value_below_no_name_permits_no_release(tmp_path):
    text = "a,b,\n1,2,\n3,4,\n5,6,{}\n"
    assert read(tmp_path, text.format("")).data.column_names == ["a", "b"]
    assert "has a single value" in read(tmp_path, text.format("7")).release_problem
    assert not read(tmp_path, text.format("7") + "8,9,10\n").release_problem
