"""Points: several columns of numbers between public bounds."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, DataChoice, Fields, as_many, bounds_words, far_bound, numbers_of
from app.model.kinds.declared import bounded, source_of
from app.model.kinds.fields import MISSING, ColumnsField
from app.model.kinds.kind import DataKind, Write, bounds_lines, check_fills, missing_argument
from app.model.kinds.options import (
    COLUMN,
    LOWER,
    UPPER,
    OptionError,
    box_of,
    check_pairs,
    known_bounds,
    offered,
    values_in,
)
from app.model.wording.console import counted
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import DataError, ParameterError

if TYPE_CHECKING:
    from engine.data import Example, Numbers, Table
    from engine.data.table import PointsInFile
    from engine.progress import Progress
    from engine.questions.declarations import Declarations


@dataclasses.dataclass(frozen=True, eq=False)
class PointsChoice(DataChoice):
    """The choice of the coordinates of points."""

    columns: tuple[str, ...] = ()
    # lower and upper bound by column; columns chosen earlier keep theirs
    bounds: Mapping[str, tuple[float | None, float | None]] = dataclasses.field(default_factory=dict)
    # replacement for missing values, by column
    fills: Mapping[str, float] = dataclasses.field(default_factory=dict)
    # values of the columns; None until they are read
    points: Numbers | None = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self) -> int | None:
        return None if self.points is None else len(self.points.values)


@dataclasses.dataclass(frozen=True, eq=False)
class PointsBuilder:
    """Several columns as points, with public bounds for each."""

    values: Floats | PointsInFile
    columns: tuple[str, ...]
    units: tuple[str, ...]
    domain: Box

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.values)

    def build(self) -> Points:
        """Make the points; checks that all values are finite."""
        if not isinstance(self.values, np.ndarray):  # they stay in their file
            return self.values.points(self.domain, self.units)
        return Points(self.values, self.domain, self.columns, self.units)

    def same(self, other: PointsBuilder) -> bool:
        """Return whether both make the same points."""
        alike = self.domain == other.domain and (self.columns, self.units) == (other.columns, other.units)
        return self.values is other.values and alike

    def before(self, record: int) -> PointsBuilder:
        """Return the builder itself: no point is changed by hand."""
        return self

    def problem(self) -> None:
        """Return None: columns that could be read make points."""

    def record(self, text: str) -> list[float]:
        """Return typed coordinates."""
        return as_many(numbers_of(text), self.columns)

    def distant_value(self, record: int | None, values: Mapping[str, Any]) -> tuple[int, str] | None:
        """Return the farthest corner."""
        if not isinstance(self.values, np.ndarray):  # they stay in their file
            return None
        if record is None:  # pictures draw some of the records, clamped
            columns = zip(self.columns, self.domain.sides, self.values.T, strict=True)
            alike = [side.clamp(one) == values[name] for name, side, one in columns if name in values]
            if not (alike and np.all(alike, axis=0).any()):
                return None
            record = int(np.argmax(np.all(alike, axis=0)))
        return record, ":".join(map(far_bound, self.domain.sides, self.values[record].tolist()))


class PointsKind(DataKind[PointsChoice]):
    """Points between public bounds."""

    name = "points"
    follows = True
    description = "points, with a column of numbers for each coordinate"
    holds = "holds points"
    examples = ("points", "table")
    choice = PointsChoice
    fields = (
        ColumnsField(
            "C&olumns",
            "The columns of numbers that are the coordinates of a point, in the order of the file",
            title="Columns of the data",
            of_numbers=True,
            fewest="a point needs at least one column; choose another one first",
        ),
        MISSING,
    )
    options = (COLUMN, LOWER, UPPER)
    nearest = "bounds"
    unnamed = ("columns", "is empty; it must name the columns of the points")
    of_numbers = True

    def from_example(self, card: Example) -> Fields:
        return {
            "columns": tuple(column.name for column in card.columns),
            "bounds": {column.name: (float(column.lower), float(column.upper)) for column in card.columns},
            "missing": "drop",
            "bounds_source": "known",
        }

    def with_columns(self, declared: Fields, columns: tuple[str, ...], card: Example) -> Fields:
        return {**declared, "columns": columns}

    def columns_in(self, declarations: Declarations, dataset: Dataset) -> tuple[str, ...]:
        return bounded(declarations, dataset)

    def declared_fields(self, columns: tuple[str, ...], declarations: Declarations) -> Fields:
        declared = [declarations.column(name) for name in columns]
        bounds = {one.name: (one.lower, one.upper) for one in declared}
        units = {one.name: one.unit for one in declared}
        return {"bounds": bounds, "bounds_source": source_of(declared), "units": units}

    def declare(self, choice: PointsChoice, declarations: Declarations) -> Declarations:
        for name in choice.columns:
            low, high = choice.bounds.get(name, (None, None))
            declared = declarations.column(name)
            if (declared.lower, declared.upper) != (low, high):
                declared = dataclasses.replace(declared, lower=low, upper=high, source=choice.bounds_source)
                declarations = declarations.with_column(declared)
        return declarations

    def columns_of(self, choice: PointsChoice) -> tuple[str, ...]:
        return choice.columns

    coordinates = columns_of

    def is_read(self, choice: PointsChoice) -> bool:
        return bool(choice.columns)

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        progress(0.0, "reading the columns")
        known = fields.get("fills", {})
        columns = tuple(fields["columns"])
        fill = tuple(known.get(name, 0.0) for name in columns)
        return {**fields, "points": dataset.numbers(columns, fields["missing"], fill)}

    def builder(self, choice: PointsChoice, dataset: Dataset | None) -> PointsBuilder:
        if choice.points is None or dataset is None:
            raise ParameterError("columns", "choose the columns that are the coordinates of a point")
        domain = Box(tuple(_side(name, *choice.bounds.get(name, (None, None))) for name in choice.columns))
        units = tuple(choice.unit_of(name, dataset) for name in choice.columns)
        check_fills(self, choice)
        return PointsBuilder(choice.points.values, choice.columns, units, domain)

    def bounds_of_column(self, choice: PointsChoice, column: str) -> tuple[float | None, float | None]:
        return choice.bounds.get(column, (None, None))

    def unit(self, choice: PointsChoice, dataset: Dataset | None) -> str:
        units = {choice.unit_of(name, dataset) for name in choice.columns}
        return units.pop() if len(units) == 1 else ""

    def report(self, choice: PointsChoice, dataset: Dataset) -> Iterator[tuple[str, str]]:
        for name in choice.columns:
            low, high = choice.bounds.get(name, (None, None))
            yield f"Bounds of {name}", bounds_words(low, high, choice.unit_of(name, dataset))

    def script(self, choice: PointsChoice, source: Any, write: Write) -> list[str]:
        units = f", units={write(list(source.units))}" if any(source.units) else ""
        columns = f"columns = {write(list(choice.columns))}"
        if not isinstance(source.values, np.ndarray):  # they stay in their file
            made = f"StoredPoints(table, columns, bounds{missing_argument(self, choice, write)}{units})"
            return [columns, *bounds_lines(choice, source, write), f"data = {made}"]
        return [
            columns,
            f"values = table.points(columns{missing_argument(self, choice, write)}).values",
            *bounds_lines(choice, source, write),
            f"data = Points(values, bounds, columns{units})",
        ]

    def value_of(self, texts: Sequence[str], domain: Box) -> list[float]:
        return values_in(texts, domain.dimension)

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        named = options.column or ([column.name for column in card.columns] if card is not None else [])
        twice = next((name for name in named if named.count(name) > 1), None)
        if twice is not None:
            raise OptionError("column", f"'{twice}' is named twice; name each coordinate once")
        if named:
            columns = named
            domain = box_of(options, columns, [known_bounds(card, name) for name in columns])
            table = read_table()
        else:
            pairs = check_pairs(options)
            table = read_table()
            columns = _as_many_columns(table, pairs)
            domain = box_of(options, columns, [{}] * pairs)
        bounds = {name: (side.lower, side.upper) for name, side in zip(columns, domain.sides, strict=True)}
        return table, {"columns": tuple(columns), "bounds": bounds}


def _side(name: str, lower: float | None, upper: float | None) -> Interval:
    """Return the bounds of a column; `ParameterError` names their field in the form."""
    field = f"bounds of {name}"
    if lower is None or upper is None:
        which = {(True, True): "both bounds", (True, False): "the lower bound"}.get(
            (lower is None, upper is None), "the upper bound"
        )
        raise ParameterError(field, f"declare {which}, from what is known without the data")
    try:
        return Interval(lower, upper)
    except ParameterError as error:
        raise ParameterError(field, error.problem) from None


def _as_many_columns(table: Table, pairs: int) -> list[str]:
    """Return the columns of numbers, one for each pair of bounds; `DataError` if the counts differ."""
    candidates = [column.name for column in table.columns if column.type == "number"]
    if len(candidates) == pairs:
        return candidates
    raise DataError(
        f"it has {counted(len(candidates), 'column')} of numbers, and the bounds are those of {pairs}; say "
        "with --column, once for each, which ones are the coordinates: "
        + offered(candidates or [column.name for column in table.columns]),
        source=table.source,
    )
