"""The bundled examples are what their cards say."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.data import (
    EXAMPLES,
    CategoryDomain,
    guess_columns,
    load_example,
    read_categories,
    read_edges,
)
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import UnknownName
from engine.resources import resource

TABLES = [
    *("salaries", "penguins", "engel", "evenly-spaced"),
    *("one-to-ten", "two-heaps", "two-heaps-neighbour", "anas-firm"),
]
GRAPHS = ["karate", "roads", "k60", "k3"]
POINTS = [
    *("three-clusters", "mixture-5d", "four-heaps", "four-heaps-neighbour", "geyser"),
    *("planted-disc", "two-minorities", "airports", "outliers", "around-the-middle"),
]
CATEGORIES = ["admissions", "blood-types"]
NAMES = TABLES + GRAPHS + POINTS + CATEGORIES


def test_all_are_offered_the_salaries_first():
    assert list(EXAMPLES) == NAMES
    assert len(EXAMPLES) == len(NAMES)
    assert next(iter(EXAMPLES)) == "salaries"
    assert [name for name, example in EXAMPLES.items() if example.kind == "table"] == TABLES
    assert [name for name, example in EXAMPLES.items() if example.kind == "graph"] == GRAPHS
    assert [name for name, example in EXAMPLES.items() if example.kind == "points"] == POINTS


def test_every_file_has_a_card_and_all_are_small():
    files = {path.name for path in resource("examples").iterdir()}
    assert files == {f"{name}.toml" for name in NAMES} | {example.file for example in EXAMPLES.values()}
    assert sum(path.stat().st_size for path in resource("examples").iterdir()) < 1_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_true(name):
    example = EXAMPLES[name]
    table = load_example(name)
    assert example.name == name
    for words in (example.title, example.description, example.source, example.licence, example.bounds):
        assert words
        assert "\n" not in words
    assert "ublic domain" in example.licence or "not under copyright" in example.licence
    assert (table.n, table.source) == (example.n, example.file)
    if name not in CATEGORIES:
        assert (example.column, example.unit) == (example.columns[0].name, example.columns[0].unit)
        assert Interval(example.lower, example.upper).width > 0
    for column in example.columns:
        assert (table.column(column.name).type, table.column(column.name).unit) == ("number", column.unit)
        domain = Interval(column.lower, column.upper)
        values = table.numbers(column.name, "drop").values
        assert domain.outside(values) <= values.size / 1000
        narrow = name in ("k3", "around-the-middle")
        assert np.ptp(values) > domain.width / 200 or narrow


@pytest.mark.parametrize("name", GRAPHS)
def test_the_card_of_a_graph_is_true(name):
    example = EXAMPLES[name]
    table = load_example(name)
    edges = read_edges(table)
    assert guess_columns(table) == edges.columns
    assert table.data.column_names == ["source", "target", "weight"]
    assert [column.name for column in example.columns] == ["weight"]
    assert (len(edges.ends), edges.n, edges.unit) == (example.n, example.vertices, example.unit)
    assert (edges.pieces, edges.merged, edges.dropped) == (1, 0, 0)
    graph = edges.weighted(Interval(example.lower, example.upper))
    assert (graph.outside, graph.domain.lower) == (0, 0)
    assert edges.simple().n == example.vertices


@pytest.mark.parametrize("name", POINTS)
def test_the_card_of_points_is_true(name):
    example = EXAMPLES[name]
    table = load_example(name)
    columns = [column.name for column in example.columns]
    assert table.data.column_names == columns
    box = Box.of([column.lower for column in example.columns], [column.upper for column in example.columns])
    points = Points(table.points(columns).values, box)
    assert (points.n, len(columns)) == (example.n, box.dimension)
    assert points.outside <= example.n / 1000


@pytest.mark.parametrize("name", [name for name in NAMES if EXAMPLES[name].categories])
def test_the_lists_of_categories_hold_every_value_and_each_is_taken(name):
    example = EXAMPLES[name]
    domain = CategoryDomain(
        [own.name for own in example.categories], [own.labels for own in example.categories]
    )
    found = read_categories(load_example(name), domain, missing="drop")
    counts = found.categories.table
    for axis in range(counts.ndim):
        assert (counts.sum(axis=tuple({*range(counts.ndim)} - {axis})) > 0).all()
    assert found.dropped == (11 if name == "penguins" else 0)


@pytest.mark.parametrize("name", TABLES + POINTS + CATEGORIES)
def test_only_the_card_of_a_graph_has_vertices(name):
    assert EXAMPLES[name].vertices == 0


def test_an_unknown_example_is_answered_with_the_nearest_names():
    with pytest.raises(UnknownName, match="there is no example 'salary'; try salaries"):
        load_example("salary")


def test_cards_are_read_only_when_asked_for():
    script = (
        "import pathlib, engine.resources\n"
        "engine.resources.resource = lambda *parts: exit('a card was read')\n"
        "import engine.data\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(engine.__file__).parents[1])
