"""Points written to files: read back exactly, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from engine.data.reading import read_table
from engine.data.writing import write_points
from engine.errors import DataError
from engine.progress import Cancelled

POINTS = np.random.default_rng(1).normal(size=(70_000, 2)) * [1e-9, 1e200]


@pytest.mark.parametrize("name", ["p.csv", "P.CSV", "p.parquet"])
def test_what_is_read_back_is_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    columns = ["age, in years", 'the "other"']
    write_points(path, columns, POINTS)
    table = read_table(path)
    assert [column.name for column in table.columns] == columns
    np.testing.assert_array_equal(table.points(columns).values, POINTS)
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("columns", [["a", "1"], ["x;y", "'q'"], ["ü ö", "|"], ["a, b"], ['"', "b"]])
def test_odd_names_come_back(tmp_path: Path, columns: list[str]) -> None:
    path = tmp_path / "p.csv"
    points = np.arange(3.0 * len(columns)).reshape(3, -1)
    write_points(path, columns, points)
    assert [column.name for column in read_table(path, header="1").columns] == columns


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (["1", "nan"], "the numeric names"),
        (["ü ", "b"], "call it 'ü', or write .parquet"),
        (["z\tw", "b"], "call it 'z w', or write .parquet"),
        (["two\nlines", "b"], "call it 'two lines'"),
        (["nul\0", "b"], "call it 'nul'"),
    ],
)
def test_names_that_csv_would_lose_are_refused(tmp_path: Path, columns: list[str], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        write_points(tmp_path / "p.csv", columns, POINTS[:3])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(tmp_path: Path, bad: float) -> None:
    points = POINTS[:3].copy()
    points[1, 1] = bad
    with pytest.raises(DataError, match="record 2 has a number that is not finite"):
        write_points(tmp_path / "p.parquet", ["a", "b"], points)


def test_no_points(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there are no points"):
        write_points(tmp_path / "p.csv", ["a"], np.empty((0, 1)))


@pytest.mark.parametrize("name", ["p.csv", "p.parquet"])
def test_nothing_half_written_stays(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")

    def stop(fraction: float, message: str = "") -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_points(path, ["a", "b"], POINTS, progress=stop)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(
    ("name", "columns", "problem"),
    [
        ("p.xlsx", ["a", "b"], "the name must end in .csv or .parquet"),
        ("p", ["a", "b"], "the name must end in .csv or .parquet"),
        ("p.csv", ["a"], "1 names do not fit points of shape"),
        ("p.csv", ["a", "a"], "have the same name"),
        ("p.csv", ["a", ""], "the name of column 2 is empty"),
        ("d.csv", ["a", "b"], "it is a directory"),
        ("no/p.csv", ["a", "b"], "there is no folder"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, columns: list[str], problem: str) -> None:
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(DataError, match=problem):
        write_points(tmp_path / name, columns, POINTS[:3])
    assert os.listdir(tmp_path) == ["d.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_where_one_may_not_write(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("old")
    path.chmod(0o400)
    with pytest.raises(DataError, match="you may not replace it"):
        write_points(path, ["a", "b"], POINTS[:3])
    tmp_path.chmod(0o500)
    with pytest.raises(DataError, match="you may not write to the folder"):
        write_points(tmp_path / "q.csv", ["a", "b"], POINTS[:3])
    tmp_path.chmod(0o700)
