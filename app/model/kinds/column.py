"""A column of numbers between public bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.model.kinds.base import Fields, PageState, chosen, stored_number, stored_text
from app.model.kinds.interval import IntervalChoice
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example, Numbers
    from engine.progress import Progress

DECIDED = ("column", "missing", "lower", "upper", "resolution", "bounds_source")
"""What is chosen about a column, by the fields of a `ColumnChoice`."""


@dataclass(frozen=True, eq=False)
class ColumnChoice(IntervalChoice):
    """The choice of a column.

    Attributes
    ----------
    column : str
    numbers : Numbers or None
        Its values; None while they have not been read.
    """

    column: str = ""
    numbers: Numbers | None = None

    def builder(self, dataset: Dataset | None, reads: str) -> ColumnBuilder:
        """Return what makes the sample; `ParameterError` for what is missing."""
        domain = self.domain()
        if self.numbers is None:
            raise ParameterError("column", "choose a column of numbers")
        return ColumnBuilder(self.numbers.values, self.modified_values, domain)

    def subject(self, dataset: Dataset | None) -> str:
        """Return the name of the column."""
        return self.column or super().subject(dataset)

    def place(self, reads: str) -> str:
        """Return the name of the column."""
        return f"column {self.column}"

    def unit(self, dataset: Dataset | None, reads: str) -> str:
        """Return the unit of the column."""
        column = dataset.column(self.column) if dataset else None
        return column.unit if column else ""


@dataclass(frozen=True, eq=False)
class ColumnBuilder:
    """Values of one column, dots moved by hand, public bounds."""

    values: NDArray[np.float64]
    modified_values: Mapping[int, float]
    domain: Interval

    @property
    def resolution(self) -> float | None:
        """The declared step of released values (public)."""
        return self.domain.resolution

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.values)

    def build(self) -> Sample:
        """Make the sample (copies and clamps all n values)."""
        values = self.values
        if self.modified_values:
            values = values.copy()
            values[list(self.modified_values)] = list(self.modified_values.values())
        return Sample(values, self.domain)

    def same(self, other: ColumnBuilder) -> bool:
        """Tell whether both make the same sample."""
        moved = self.modified_values == other.modified_values
        return self.values is other.values and moved and self.domain == other.domain

    def problem(self) -> None:
        """Return None: numbers that could be read make a sample."""


class ColumnKind:
    """A column of numbers, and queries of one number."""

    kind = "table"
    choice = ColumnChoice
    reads = ("column",)
    topic = ""
    query = "median"
    example = "salaries"
    delta = 0.0

    def from_example(self, card: Example) -> Fields:
        """Return the default column and its bounds."""
        return {
            "column": card.column,
            "missing": "drop",
            "lower": card.lower,
            "upper": card.upper,
            "resolution": None,
            "bounds_source": "known",
        }

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the numbers of the column."""
        progress(0.0, f"reading column '{fields['column']}'")
        numbers = dataset.table.numbers(fields["column"], missing=fields["missing"])
        return {**fields, "numbers": numbers}

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read: nothing else follows from it."""
        return fields

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Let another column have bounds of its own; what to do about missing values is asked."""
        choice = ColumnChoice.of(page)
        if changed.get("column", choice.column) == choice.column:
            return {**chosen(choice, *DECIDED), **changed}
        assert page.dataset is not None
        if page.dataset.column(changed["column"]).missing:
            return None
        return {**chosen(ColumnChoice(), *DECIDED), **changed}

    def to_document(self, page: PageState) -> dict[str, str] | None:
        """Return column, bounds and what is done about missing values."""
        choice = ColumnChoice.of(page)
        if choice.lower is None or choice.upper is None:
            return None
        names = ("column", "missing", "lower", "upper", "resolution")
        stored = {name: stored_text(getattr(choice, name)) for name in names}
        return {**stored, "origin": choice.bounds_source}

    def from_document(self, stored: Callable[[str], str]) -> Fields:
        """Return column, bounds and what is done about missing values."""
        return {
            "column": stored("column"),
            "missing": stored("missing"),
            "bounds_source": stored("origin"),
            "lower": float(stored("lower")),
            "upper": float(stored("upper")),
            "resolution": stored_number(stored("resolution")),
        }
