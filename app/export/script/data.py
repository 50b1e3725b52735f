"""The data of a script: how they are read, or what is public about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import call, written
from app.export.script.subject import Subject
from app.model.kinds.column import ColumnChoice
from app.model.kinds.graph import GraphChoice
from app.model.kinds.points import PointsChoice
from app.model.state import SessionState

LOOKED = "# They were taken from the data: strictly, nothing that is released is private."


def data(subject: Subject) -> ScriptCell:
    """Return the lines that make `data`, `bounds` and `n`: the latter two are public."""
    state, source = subject.state, subject.setup.source
    if not subject.curator:
        public = [
            f"bounds = {written(source.domain)}",
            LOOKED * state.looked,
            f"n = {written(source.n)}",
            said(_size(state.reads), "n", private=False),
        ]
        return ScriptCell.of("What is public about the data", public)
    clamped = state.reads in ("column", "weighted-graph", "points")
    lines = [
        _table(state),
        *KINDS[state.reads](state, source),
        "n = data.n",
        said(_size(state.reads), "n", private=False),
        said("records that the bounds move", "data.outside") * clamped,
    ]
    return ScriptCell.of(
        "The data", lines, "Bounds are public: they must be known without looking at the data."
    )


def _size(reads: str) -> str:
    return "vertices" if reads.endswith("graph") else "records"


def _table(state: SessionState) -> str:
    dataset = state.dataset
    assert dataset is not None
    if dataset.example is not None:
        return f"table = {call('load_example', dataset.example)}"
    return f"table = {call('read_table', str(dataset.path or dataset.title))}"


def _missing(missing: str) -> str:
    return "" if missing == "refuse" else f", missing={written(missing)}"


def _bounds(state: SessionState, source: Any) -> list[str]:
    return [f"bounds = {written(source.domain)}", LOOKED * state.looked]


def _column(state: SessionState, source: Any) -> list[str]:
    choice = ColumnChoice.of(state)
    return [
        f"values = table.numbers({written(choice.column)}{_missing(choice.missing)}).values",
        *_bounds(state, source),
        "data = Sample(values, bounds)",
        *_replaced(choice.modified_values),
    ]


def _replaced(values: Mapping[int, float]) -> list[str]:
    if not values:
        return []
    return [
        "# Records that were moved by hand.",
        f"for record, value in {written(dict(sorted(values.items())))}.items():",
        "    data = data.replaced(record, value)",
    ]


def _edges(choice: GraphChoice) -> str:
    columns = choice.edge_columns
    assert columns is not None
    named = written([columns.source, columns.target, columns.weight])[1:-1]
    return f"edges = read_edges(table, EdgeColumns({named}){_missing(choice.missing)})"


def _weighted(state: SessionState, source: Any) -> list[str]:
    choice = GraphChoice.of(state)
    changed = dict(sorted(choice.modified_values.items()))
    edits = f", edits={written(changed)}" if changed else ""
    return [
        _edges(choice),
        *_bounds(state, source),
        "# Weights that were changed by hand come from the edits." * bool(changed),
        f"data = edges.weighted(bounds{edits})",
    ]


def _simple(state: SessionState, source: Any) -> list[str]:
    choice = GraphChoice.of(state)
    removed = sorted(choice.removed_edges)
    absent = f", absent={written(removed)}" if removed else ""
    step = "" if choice.resolution is None else f", {written(choice.resolution)}"
    return [
        _edges(choice),
        *_bounds(state, source),
        "# Edges that were taken out by hand are absent." * bool(removed),
        f"data = edges.simple({written(choice.vertices)}{step}{absent})",
    ]


def _points(state: SessionState, source: Any) -> list[str]:
    choice = PointsChoice.of(state)
    return [
        f"values = table.points({written(list(choice.columns))}{_missing(choice.missing)}).values",
        *_bounds(state, source),
        "data = Points(values, bounds)",
    ]


def _categories(state: SessionState, source: Any) -> list[str]:
    unseen = source.unseen
    other = "" if unseen == "refuse" else f", unseen={written(unseen)}"
    return [
        f"lists = {written(source.declared)}",
        LOOKED * state.looked,
        f"data = read_categories(table, lists{_missing(state.read_data.missing)}{other}).categories",
        "bounds = data.domain",
    ]


KINDS = {
    "column": _column,
    "weighted-graph": _weighted,
    "simple-graph": _simple,
    "points": _points,
    "categories": _categories,
}
