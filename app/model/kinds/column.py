"""A column of numbers between public bounds."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, ChangesNumbers, Fields, IntervalChoice, far_bound
from app.model.kinds.declared import REFUSE, bounded
from app.model.kinds.fields import GROUP, MISSING, RESOLUTION, BoundsField, ColumnField
from app.model.kinds.kind import DROP, DataKind, Write, bounds_lines, check_fills, missing_argument
from app.model.kinds.options import COLUMN, LOWER, UPPER, OptionError, bounds_of, known_bounds, offered
from engine.array_types import Floats, Ints
from engine.data.categories import CategoryDomain
from engine.data.order_statistics import OrderStatistics, Sample
from engine.data.reading_parts import ONE_GROUP, numbers_of_group
from engine.domain import Interval
from engine.errors import DataError, ParameterError

if TYPE_CHECKING:
    from engine.data import Example, Numbers, Table
    from engine.data.table import ValuesInFile
    from engine.progress import Progress
    from engine.questions.declarations import Declarations


TITLE = "Column of the data"
BOUNDS_HELP = (
    "Values outside are pulled to the nearest bound. Choose bounds from common knowledge (a pay scale, the "
    "law), not from this file."
)


@dataclass(frozen=True, eq=False)
class NumbersChoice(IntervalChoice):
    """Numbers that are read from a table."""

    # one for each record; None while they have not been read
    numbers: Numbers | None = field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self) -> int | None:
        return None if self.numbers is None else len(self.numbers.values)


@dataclass(frozen=True)
class GroupChoice:
    """One group of a column whose members are public."""

    by: str  # the column of groups
    name: str
    labels: tuple[str, ...]  # all groups

    @property
    def groups(self) -> CategoryDomain:
        """The column of groups, with its public list."""
        return CategoryDomain([self.by], [self.labels])


def public_groups(declarations: Declarations, dataset: Dataset | None) -> tuple[GroupChoice, ...]:
    """Return all groups of the columns whose members are public."""
    columns = () if dataset is None or dataset.stays_in_file else dataset.table.columns
    lists = {
        column.name: declarations.column(column.name).domain.labels[0]
        for column in columns
        if column.name in declarations.public_groups and declarations.column(column.name).categories
    }
    return tuple(GroupChoice(by, name, labels) for by, labels in lists.items() for name in labels)


@dataclass(frozen=True, eq=False)
class ColumnChoice(NumbersChoice):
    """The choice of a column."""

    column: str = ""
    group: GroupChoice | None = None  # the only group whose records are shown; None for all records
    # the row of each record of the group in the table
    rows: Ints | None = field(default=None, repr=False, metadata=FOUND)

    @property
    def look_problem(self) -> str:
        return "" if self.group is None else f"{ONE_GROUP[:1].upper()}{ONE_GROUP[1:]}"

    @property
    def can_change(self) -> bool:
        """Whether records can be changed by hand: not if they stay in their file."""
        return self.numbers is not None and isinstance(self.numbers.values, np.ndarray)

    @property
    def records(self) -> int:
        return len(self.numbers.values) if self.numbers is not None and self.can_change else 0


@dataclass(frozen=True, eq=False)
class ColumnBuilder(ChangesNumbers):
    """Values of one column with public bounds; some may be changed by hand."""

    values: Floats | ValuesInFile
    modified_values: Mapping[int, float]
    domain: Interval
    rows: Ints | None = None  # row of each record in the file, where these are other numbers

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.values)

    def build(self) -> OrderStatistics:
        """Make the sample; copies and clamps all n values."""
        values = self.values
        if not isinstance(values, np.ndarray):  # they stay in their file
            return values.sample(self.domain)
        if self.modified_values:
            values = values.copy()
            values[list(self.modified_values)] = list(self.modified_values.values())
        return Sample(values, self.domain)

    def same(self, other: ColumnBuilder) -> bool:
        """Return whether both make the same sample."""
        moved = self.modified_values == other.modified_values
        return self.values is other.values and moved and self.domain == other.domain

    def problem(self) -> None:
        """Return None: numbers that could be read make a sample."""

    def distant_value(self, record: int | None, values: Mapping[str, Any]) -> tuple[int, str] | None:
        """Return the farther bound."""
        if record is None:
            return None
        value = self.values[record] if isinstance(self.values, np.ndarray) else values.get("")
        return None if value is None else (record, far_bound(self.domain, float(value)))


class ColumnKind(DataKind[ColumnChoice]):
    """A column of numbers."""

    name = "column"
    follows = True
    description = "a column of numbers"
    holds = "holds columns of numbers"
    examples = ("table", "points")
    choice = ColumnChoice
    fields = (
        ColumnField(
            "C&olumn", "The column of numbers to look at", boxes={"column": TITLE}, problems=("column",)
        ),
        GROUP,
        MISSING,
        BoundsField("&Bounds", BOUNDS_HELP),
        RESOLUTION,
    )
    options = (COLUMN, LOWER, UPPER)
    unnamed = ("column", "is empty; it must name a column")
    of_numbers = True
    script_imports = ("engine.data.reading_parts:numbers_of_group",)

    def from_example(self, card: Example) -> Fields:
        return {
            "column": card.column,
            "missing": "drop",
            "lower": card.lower,
            "upper": card.upper,
            "resolution": None,
            "bounds_source": "known",
            "group": None,
        }

    def with_columns(self, declared: Fields, columns: tuple[str, ...], card: Example) -> Fields:
        column = next(one for one in card.columns if one.name == columns[0])
        return {**declared, "column": column.name, "lower": column.lower, "upper": column.upper}

    def far_ends(self, n: int) -> Mapping[str, str]:
        return {
            "lower": "every record goes to the lower bound",
            "upper": "every record goes to the upper bound",
            "halves": "half to the lower, half to the upper bound",
        }

    def columns_in(self, declarations: Declarations, dataset: Dataset) -> tuple[str, ...]:
        return bounded(declarations, dataset)

    def choose_columns(self, columns: tuple[str, ...]) -> Fields:
        return {"column": columns[0]}

    def declared_fields(self, columns: tuple[str, ...], declarations: Declarations) -> Fields:
        [declared] = (declarations.column(name) for name in columns[:1])
        return {
            "lower": declared.lower,
            "upper": declared.upper,
            "resolution": declared.resolution,
            "bounds_source": declared.source,
            "units": {declared.name: declared.unit},
        }

    def declare(self, choice: ColumnChoice, declarations: Declarations) -> Declarations:
        declared = replace(
            declarations.column(choice.column),
            lower=choice.lower,
            upper=choice.upper,
            resolution=choice.resolution,
            source=choice.bounds_source,
        )
        return declarations.with_column(declared)

    def changed_column(self, choice: ColumnChoice) -> str:
        return choice.column

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        progress(0.0, f"reading column '{fields['column']}'")
        fill = fields.get("fills", {}).get(fields["column"], 0.0)
        table, group = dataset.table, fields.get("group")
        if group is None:
            numbers = table.numbers(fields["column"], fields["missing"], fill)
            return {**fields, "numbers": numbers, "rows": None}
        read = numbers_of_group(table, fields["column"], group.groups, group.name, fields["missing"], fill)
        return {**fields, "numbers": read.numbers, "rows": read.rows}

    def on_change(self, choice: ColumnChoice, dataset: Dataset, changed: Fields) -> Fields:
        if changed.get("column", choice.column) == choice.column:
            return {**choice.declared, **changed}
        missing = DROP if dataset.column(changed["column"]).missing else REFUSE
        return {**ColumnChoice().declared, "missing": missing, **changed}

    def builder(self, choice: ColumnChoice, dataset: Dataset | None) -> ColumnBuilder:
        domain = choice.domain()
        check_fills(self, choice)
        if choice.numbers is None:
            raise ParameterError("column", "choose a column of numbers")
        rows = None
        if choice.rows is not None and dataset is not None:
            rows = choice.rows + dataset.table.first_row
        return ColumnBuilder(choice.numbers.values, choice.modified_values, domain, rows)

    def subject(self, choice: ColumnChoice, dataset: Dataset | None) -> str:
        group = "" if choice.group is None else f", {choice.group.name}"
        return f"{choice.column}{group}" if choice.column else super().subject(choice, dataset)

    def location(self, choice: ColumnChoice) -> str:
        group = choice.group
        of = "" if group is None else f", group {group.name} of {group.by}"
        return f"{super().location(choice)}{of}"

    def unit(self, choice: ColumnChoice, dataset: Dataset | None) -> str:
        return choice.unit_of(choice.column, dataset)

    def report(self, choice: ColumnChoice, dataset: Dataset) -> Iterator[tuple[str, str]]:
        if choice.group is not None:
            yield f"Group of {choice.group.by}", choice.group.name
        yield from super().report(choice, dataset)

    def script(self, choice: ColumnChoice, source: Any, write: Write) -> list[str]:
        moved = write(dict(sorted(choice.modified_values.items())))
        missing = missing_argument(self, choice, write)
        if not choice.can_change:
            return [
                *bounds_lines(choice, source, write),
                f"column = StoredColumn.of(table, {write(choice.column)})",
                f"data = StoredSample(column, bounds{missing})",
            ]
        read = f"table.numbers({write(choice.column)}{missing})"
        if (group := choice.group) is not None:
            named = f"{write(choice.column)}, {write(group.groups)}, {write(group.name)}"
            read = f"numbers_of_group(table, {named}{missing}).numbers"
        lines = [
            f"values = {read}.values",
            *bounds_lines(choice, source, write),
            "data = Sample(values, bounds)",
        ]
        if choice.modified_values:
            lines += [
                "# Records that were moved by hand.",
                f"for record, value in {moved}.items():",
                "    data = data.replaced(record, value)",
            ]
        return lines

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        if len(options.column or []) > 1:
            raise OptionError("column", f"a query here takes one column; {len(options.column)} were given")
        named = options.column[0] if options.column else None
        domain = bounds_of(options, known_bounds(card, named))
        table = read_table()
        column = named or (card.column if card is not None else _only_column(table))
        return table, {"column": column, **domain.facts}


def _only_column(table: Table) -> str:
    """Return the only column of numbers; `DataError` lists the candidates if there are several."""
    candidates = [column for column in table.columns if column.type == "number"]
    if len(table.columns) == 1 or len(candidates) == 1:
        return (candidates or table.columns)[0].name
    problem = "no column of numbers alone" if not candidates else "several columns of numbers"
    names = offered([column.name for column in candidates or table.columns])
    raise DataError(f"{problem}; choose one with --column: {names}", source=table.source)
