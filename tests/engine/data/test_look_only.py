"""Why no release may be made of data travels from a table to all that is made of it."""

import copy
import dataclasses
import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import (
    Box,
    Categories,
    CategoryDomain,
    Interval,
    Points,
    Sample,
    SimpleGraph,
    StoredPoints,
    StoredSample,
    Table,
    WeightedGraph,
    as_table,
    read_categories,
    read_edges,
    stored_table,
)
from engine.data.look_only import look_only, missing_of, problem_of
from engine.extras.stored.column import StoredColumn
from engine.extras.stored.large_table import LargeTable

WHY = "these rows may only be looked at"
SIDE, BOX = Interval(0, 10), Box.of([0, 0], [10, 10])
COLUMNS = {
    "x": [1.0, 2.0, 3.0],
    "y": [4.0, 5.0, 6.0],
    "kind": ["a", "b", "a"],
    "source": ["u", "v", "u"],
    "target": ["v", "w", "w"],
    "weight": [1.0, 2.0, 3.0],
}
KINDS = CategoryDomain(["kind"], [["a", "b"]])


def table(problem=WHY):
    return Table("data.csv", pa.table(COLUMNS), release_problem=problem)


def stored(tmp_path, problem=WHY):
    pq.write_table(pa.table(COLUMNS), tmp_path / "data.parquet")
    return dataclasses.replace(stored_table(tmp_path / "data.parquet"), release_problem=problem)


DATABASES = {
    "sample": lambda own, _: Sample(own.numbers("x").values, SIDE),
    "a sample of several columns": lambda own, _: Sample(
        np.concatenate([own.numbers("x").values, own.numbers("y").values]) / 2, SIDE
    ),
    "points": lambda own, _: Points(own.points(["x", "y"]).values, BOX),
    "points of two columns": lambda own, _: Points(
        np.column_stack([own.numbers("x").values, own.numbers("y").values]), BOX
    ),
    "categories": lambda own, _: read_categories(own, KINDS).categories,
    "graph with weights": lambda own, _: read_edges(own).weighted(SIDE),
    "graph": lambda own, _: read_edges(own).simple(5),
    "stored sample": lambda _, kept: StoredSample(StoredColumn.of(kept, "x"), SIDE),
    "stored points": lambda _, kept: StoredPoints(kept, ["x", "y"], BOX),
    "sample of a large table": lambda _, kept: LargeTable(kept).numbers("x").values.sample(SIDE),
    "points of a large table": lambda _, kept: LargeTable(kept).points(["x", "y"]).values.points(BOX),
}


@pytest.mark.parametrize("make", DATABASES.values(), ids=DATABASES)
def test_every_database_says_what_its_table_says(make, tmp_path):
    assert make(table(), stored(tmp_path)).release_problem == WHY
    assert make(table(""), stored(tmp_path, "")).release_problem == ""


SAMPLE = Sample([1.0, 2.0], SIDE, WHY)
POINTS = Points([[1.0, 2.0], [3.0, 4.0]], BOX, release_problem=WHY)
CATEGORIES = Categories([[0], [1]], KINDS, WHY)
WEIGHTED = WeightedGraph([(0, 1), (1, 2)], [1.0, 2.0], SIDE, release_problem=WHY)
SIMPLE = SimpleGraph([(0, 1), (1, 2)], 4, release_problem=WHY)
ALL = (SAMPLE, POINTS, CATEGORIES, WEIGHTED, SIMPLE)

CHANGED = {
    "neighbor of a sample": lambda: SAMPLE.replaced(0, 5.0),
    "part of a sample": lambda: SAMPLE.only(np.array([1])),
    "on the way": lambda: SAMPLE.toward(SAMPLE.far_end("upper"), 1),
    "far away": lambda: SAMPLE.far_end("lower"),
    "neighbor of points": lambda: POINTS.replaced(0, [0.0, 0.0]),
    "part of points": lambda: POINTS.only(np.array([0])),
    "neighbor of categories": lambda: CATEGORIES.replaced(0, ["b"]),
    "part of categories": lambda: CATEGORIES.only(np.array([0])),
    "another weight": lambda: WEIGHTED.replaced(0, 9.0),
    "all weights at a bound": lambda: WEIGHTED.far_end("upper"),
    "another edge": lambda: SIMPLE.replaced(2, 1.0),
    "no edges": lambda: SIMPLE.far_end("empty"),
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_neighbours_and_parts_say_it_too(change):
    assert change().release_problem == WHY


@pytest.mark.parametrize("data", ALL, ids=[type(one).__name__ for one in ALL])
def test_it_travels_to_other_processes(data):
    assert pickle.loads(pickle.dumps(data)).release_problem == WHY
    assert copy.deepcopy(data).release_problem == WHY


@pytest.mark.parametrize("data", [*ALL, table()], ids=[*(type(one).__name__ for one in ALL), "Table"])
def test_what_is_shown_has_no_sizes(data):
    assert not {"n=", "vertices", "edges"} & set(repr(data).replace("(", " ").replace("=", "= ").split())
    assert "records are confidential" in repr(data)


@pytest.mark.parametrize(
    "make",
    [
        lambda values: values[:1],
        lambda values: values.copy(),
        lambda values: 2 * values + 1,
        lambda values: np.where(values > 1, values, 0),
        lambda values: np.concatenate([[1.0, 2.0], values]),
        lambda values: np.sort(values)[::-1],
        lambda values: values.astype(int),
        lambda values: pickle.loads(pickle.dumps(values)),
    ],
)
def test_whatever_numpy_makes_of_values_says_it(make):
    values = look_only(np.array([3.0, 1.0, 2.0]), WHY)
    made = make(values)
    assert problem_of(made) == WHY
    assert np.array_equal(made, make(np.array([3.0, 1.0, 2.0])))


@pytest.mark.parametrize(
    "make",
    [
        lambda *values: values[0] + values[1],
        lambda *values: np.concatenate([[1.0], *values]),
        lambda *values: np.where(True, *values),
        lambda *values: Points(list(values), Box.of([0] * 3, [4] * 3)),
        lambda *values: as_table({"x": values[0], "y": values[1]}).points(["x", "y"]).values,
        lambda *values: as_table(np.column_stack(values)).numbers("x1").values,
    ],
)
def test_what_is_made_of_several_arrays_says_what_any_of_them_does(make):
    look, filled = look_only(np.arange(3.0), WHY), look_only(np.arange(3.0), "", "fill")
    for made in (make(look, filled), make(filled, look)):
        assert problem_of(made) == WHY
        assert missing_of(made) == "fill"
    plain = make(np.arange(3.0), np.arange(3.0))
    assert (problem_of(plain), missing_of(plain)) == ("", "refuse")


def test_other_values_are_arrays_as_ever():
    values = np.array([1.0])
    assert look_only(values, "") is values
    assert type(table("").numbers("x").values) is np.ndarray
