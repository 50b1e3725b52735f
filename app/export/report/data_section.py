"""What is public about the data, and what was asked of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.model.kinds.categories import CategoryChoice
from app.model.kinds.graph import SimpleGraphBuilder, WeightedGraphBuilder
from app.model.kinds.interval import IntervalChoice
from app.model.kinds.points import PointsChoice
from app.model.report_document import Block, FactList, Paragraph, ReportSection
from app.model.state import SessionState
from app.model.wording.formatting import format_count, format_exact
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import with_unit
from engine.errors import ParameterError

MOST_NAMES = 12
"""Categories that are written out."""

LOOKED = (
    "The {what} were taken from the data. They should be known without looking: what is promised holds "
    "for {what} that are public, and not for these."
)
MOVED = "Some of the data were moved by hand: what was released then is about changed data."


def data_section(state: SessionState) -> ReportSection:
    """Say what everybody may know."""
    if state.dataset is None:
        return ReportSection("The data", (Paragraph("No data are open."),))
    words = WORDS[state.neighbours]
    rows = [
        ("Dataset", state.dataset.title + (" (an example of Sensiscope)" if state.dataset.example else "")),
        ("Asked", f"{state.asked.label} of {state.subject}"),
        ("Read from", state.place),
        *_bounds(state),
        *_resolution(state),
        *_categories(state),
        *_size(state),
        ("Neighbours", f"two {words.database}s with {words.difference}"),
    ]
    return ReportSection("The data", (FactList(tuple(rows)), *_flaws(state)))


def _flaws(state: SessionState) -> Iterator[Block]:
    if state.looked:
        what = "lists of categories" if state.reads == "categories" else "bounds"
        yield Paragraph(LOOKED.format(what=what), warns=True)
    if state.edited:
        yield Paragraph(MOVED, warns=True)
    if state.read_data.missing == "drop":
        dropped = WORDS[state.neighbours].dropped
        yield Paragraph(f"{dropped[:1].upper()}{dropped[1:]}.")


def _bounds(state: SessionState) -> Iterator[tuple[str, str]]:
    if state.reads == "points":
        assert state.dataset is not None
        points = PointsChoice.of(state)
        for name in points.columns:
            low, high = points.bounds.get(name, (None, None))
            column = state.dataset.column(name)
            yield f"Bounds of {name}", bounds_words(low, high, column.unit if column else "")
    elif state.reads in ("column", "weighted-graph"):
        numbers = IntervalChoice.of(state)
        yield "Declared bounds", bounds_words(numbers.lower, numbers.upper, state.unit)


def _resolution(state: SessionState) -> Iterator[tuple[str, str]]:
    data = state.read_data
    if isinstance(data, IntervalChoice) and data.resolution is not None:
        yield "Declared resolution", with_unit(format_exact(data.resolution), state.unit)


def bounds_words(low: float | None, high: float | None, unit: str) -> str:
    """Write declared bounds."""
    if low is None or high is None:
        return "not declared"
    return f"{format_exact(low)} to {with_unit(format_exact(high), unit)}"


def _categories(state: SessionState) -> Iterator[tuple[str, str]]:
    data = state.read_data
    if isinstance(data, CategoryChoice):
        for name in data.columns:
            yield f"Categories of {name}", names_words(data.lists.get(name, ()))


def names_words(names: Sequence[str]) -> str:
    """Write a list of names, at most so many of them."""
    more = len(names) - MOST_NAMES
    shown = ", ".join(names[:MOST_NAMES])
    return f"{shown}, and {format_count(more)} more" if more > 0 else shown or "not declared"


def _size(state: SessionState) -> Iterator[tuple[str, str]]:
    try:
        source = state.builder()
    except ParameterError:
        return
    if isinstance(source, WeightedGraphBuilder):
        edges = format_count(len(source.edges.ends))
        yield "Size", f"{format_count(source.n)} vertices, {edges} edges (public)"
    elif isinstance(source, SimpleGraphBuilder):
        yield "Size", f"{format_count(source.n)} vertices (public)"
    else:
        yield "Size", f"n = {format_count(source.n)} records (public)"
