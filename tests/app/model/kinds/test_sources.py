"""Sources: what the user declared and changed, made into the database that the engine reads."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from app.model import kept_data
from app.model.kept_data import DatabaseCache
from app.model.kinds.category_choice import CategoriesBuilder, CategoryAnswers
from app.model.kinds.column import ColumnBuilder
from app.model.kinds.points import PointsBuilder
from app.model.kinds.simple_graph import SimpleGraphBuilder
from app.model.kinds.weighted_graph import WeightedGraphBuilder
from engine.data import Table
from engine.data.categories import CategoryDomain
from engine.data.edges import EdgeColumns, read_edges
from engine.domain import Box, Interval
from engine.errors import DataError, ParameterError
from engine.progress import silent

DOMAIN = Interval(0.0, 10.0)


@pytest.fixture
def edges():
    table = Table(
        "g.csv",
        pa.table({"source": ["a", "b", "a"], "target": ["b", "c", "c"], "weight": [1.0, 2.0, 30.0]}),
        first_row=2,
    )
    return read_edges(table)


def apart(*pairs):
    """Return edges between named vertices, without weights."""
    first, second = zip(*pairs, strict=True)
    table = Table("g.csv", pa.table({"source": first, "target": second}), first_row=2)
    return read_edges(table, EdgeColumns(weight=None))


def test_changes_by_hand_are_in_the_database_and_not_in_what_was_read(edges):
    graph = WeightedGraphBuilder(edges, {0: 4.0}, DOMAIN).build()
    assert graph.weights.tolist() == [4.0, 2.0, 10.0]
    assert edges.weights.tolist() == [1.0, 2.0, 30.0]
    assert SimpleGraphBuilder(edges, frozenset({1}), 4).build().ends.tolist() == [[0, 1], [0, 2]]


def test_a_source_is_the_same_while_nothing_was_changed(edges):
    weighted = WeightedGraphBuilder(edges, {}, DOMAIN)
    assert weighted.same(WeightedGraphBuilder(edges, {}, Interval(0.0, 10.0)))
    assert not weighted.same(WeightedGraphBuilder(edges, {0: 1.0}, DOMAIN))
    assert not weighted.same(WeightedGraphBuilder(edges, {}, Interval(0.0, 9.0)))
    simple = SimpleGraphBuilder(edges, frozenset(), 4)
    assert simple.same(SimpleGraphBuilder(edges, frozenset(), 4))
    assert not simple.same(SimpleGraphBuilder(edges, frozenset({0}), 4))
    assert not simple.same(SimpleGraphBuilder(edges, frozenset(), 5))


def test_the_newest_database_of_each_kind_is_kept(edges):
    databases = DatabaseCache()
    column = ColumnBuilder(np.arange(3.0), {}, DOMAIN)
    weighted, simple = WeightedGraphBuilder(edges, {}, DOMAIN), SimpleGraphBuilder(edges, frozenset(), 3)
    first = [databases.get(source) for source in (column, weighted, simple)]
    assert [databases.get(source) for source in (column, weighted, simple)] == first
    assert databases.get(WeightedGraphBuilder(edges, {}, DOMAIN)) is first[1]
    assert databases.get(WeightedGraphBuilder(edges, {0: 2.0}, DOMAIN)) is not first[1]
    assert databases.get(simple) is first[2]


def test_databases_of_one_kind_are_kept_unless_they_are_large(edges, monkeypatch):
    databases, columns = DatabaseCache(), [ColumnBuilder(np.arange(3.0), {}, DOMAIN) for _ in range(2)]
    first, second = map(databases.get, columns)
    assert [databases.get(column) for column in columns] == [first, second]
    databases.keep_only(columns[1:])
    assert databases.get(columns[1]) is second
    assert databases.get(columns[0]) is not first
    monkeypatch.setattr(kept_data, "MAX_KEPT_RECORDS", 2)
    graph = WeightedGraphBuilder(edges, {}, DOMAIN)
    kept = databases.get(graph)
    assert databases.get(columns[0]) is not databases.get(columns[1]) is not second
    assert databases.get(graph) is kept  # of another kind


@pytest.mark.parametrize(
    ("source", "field", "words"),
    [
        (lambda: WeightedGraphBuilder(apart("ab", "cd"), {}, DOMAIN), "query", "is not connected"),
        (lambda: SimpleGraphBuilder(apart("ab", "cd"), frozenset(), 3), "vertices", "file names more"),
    ],
    ids=["disconnected", "too few vertices"],
)
def test_what_cannot_be_built_is_known_before(source, field, words):
    problem = source().problem()
    assert problem.field == field
    assert words in problem.message
    assert "\n" not in problem.message
    with pytest.raises((DataError, ParameterError)):
        source().build()


def test_what_can_be_built_has_no_problem(edges):
    for source in (
        WeightedGraphBuilder(edges, {}, DOMAIN),
        SimpleGraphBuilder(edges, frozenset(), 3),
        SimpleGraphBuilder(apart("ab", "cd"), frozenset(), 9),
    ):
        assert source.problem() is None
        assert source.build().n == source.n


@pytest.mark.parametrize(
    ("source", "text", "value"),
    [
        (ColumnBuilder(np.zeros(3), {}, Interval(0, 9)), "40 000", 40_000.0),
        (
            PointsBuilder(np.zeros((3, 2)), ("a", "b"), ("", ""), Box((Interval(0, 1),) * 2)),
            "0.1 : 2",
            [0.1, 2],
        ),
        (SimpleGraphBuilder(SimpleNamespace(), frozenset(), 4), "1", 1.0),
    ],
)
def test_what_a_record_becomes_is_read(source, text, value):
    assert source.record(text) == value
    for wrong in ("", "much", "1:2:3"):
        with pytest.raises(ParameterError):
            source.record(wrong)


def test_a_record_moves_far_away(edges):
    """In a column, a graph and among points to the farther bounds; among categories to another one."""
    column = ColumnBuilder(np.array([1.0, 9.0]), {}, DOMAIN)
    assert [column.distant_value(index, {"": value}) for index, value in enumerate((1.0, 9.0))] == [
        (0, "10"),
        (1, "0"),
    ]
    assert column.distant_value(None, {}) is None
    assert WeightedGraphBuilder(edges, {0: 9.0}, DOMAIN).distant_value(0, {}) == (0, "10")  # before the edit
    moved = ColumnBuilder(np.array([0.0, 9.0]), {0: 10.0}, DOMAIN)
    assert moved.distant_value(0, {"": 10.0}) == (0, "10")
    simple = SimpleGraphBuilder(edges, frozenset({2}), 4)  # the pairs are 01, 02, 03, 12, 13, 23
    assert [simple.distant_value(edge, {}) for edge in range(3)] == [(0, "0"), (3, "0"), (1, "0")]
    assert [len(simple.before(pair).build().ends) for pair in (0, 1)] == [2, 3]  # the removed edge is back
    points = PointsBuilder(
        np.array([[1.0, 2.0], [12.0, 9.0]]), ("x", "y"), ("", ""), Box.of([0, 0], [10, 10])
    )
    assert points.distant_value(0, {}) == (0, "10:10")
    assert points.distant_value(None, {"x": 10.0, "y": 9.0}) == (1, "0:0")  # drawn at the bound
    assert points.distant_value(None, {"x": 3.0}) is points.distant_value(None, {"z": 1.0}) is None


def categories(lists, missing="refuse", **columns):
    answers = CategoryAnswers.read(Table("c.csv", pa.table(columns)), tuple(columns), missing, silent)
    return CategoriesBuilder(answers, CategoryDomain(lists), "refuse")


@pytest.mark.parametrize(
    ("lists", "cells", "values"),
    [
        ({"a": ["3", "4"]}, {"a": [3, 4]}, ["4", "3"]),
        ({"a": ["007", "8"]}, {"a": [7.0, 8.0]}, ["8", "007"]),
        ({"a": ["true", "false"]}, {"a": [True, False]}, ["false", "true"]),
        ({"a": ["08:00", "09:00"]}, {"a": ["08:00", "09:00"]}, ["09:00", "08:00"]),
        ({"a": ["08:00", "9", "8"], "b": ["x"]}, {"a": ["9", "8"], "b": ["x", "x"]}, ["8:x", "9:x"]),
        ({"a": ["no", "yes"], "b": ["S", "M"]}, {"a": ["no", "yes"], "b": ["M", "S"]}, ["yes:S", "no:M"]),
        ({"a": ["no"]}, {"a": ["no", "no"]}, [None, None]),
        ({"a": ["no", "yes"], "b": ["8:00"]}, {"a": ["no", "no"], "b": ["8:00", "8:00"]}, [None, None]),
        ({"a": ["no", "yes"]}, {"a": ["no", "maybe"]}, ["yes", None]),
    ],
)
def test_a_record_moves_to_other_categories(lists, cells, values):
    source = categories(lists, **cells)
    pointed = {name: column[0] for name, column in cells.items()}
    found = [source.distant_value(index, pointed) for index in range(2)]
    assert found == [value if value is None else (index, value) for index, value in enumerate(values)]
    data = None if None in values else source.build()
    for index, text in enumerate(values if data is not None else ()):
        assert (data.replaced(index, source.record(text)).codes != data.codes).any()


def test_records_that_lack_a_category_are_not_counted():
    source = categories({"a": ["no", "yes"]}, "drop", a=["no", None, "yes"])
    assert [source.distant_value(index, {}) for index in range(2)] == [(0, "yes"), (1, "no")]
