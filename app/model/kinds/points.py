"""Several columns of numbers: each record is a point between public bounds."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from app.model.kinds.base import DataChoice, Fields, PageState, chosen
from engine.aggregation.functions import FUNCTIONS
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms import MECHANISMS
from engine.specification import key_of

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example, Numbers
    from engine.progress import Progress

DECIDED = ("columns", "bounds", "missing", "bounds_source")
"""What is chosen about points, by the fields of a `PointsChoice`."""


@dataclasses.dataclass(frozen=True, eq=False)
class PointsChoice(DataChoice):
    """The choice of the coordinates of points.

    Attributes
    ----------
    columns : tuple of str
    bounds : mapping of str to (float or None, float or None)
        Lower and upper bound by the name of a column; also of columns that were chosen before.
    points : Numbers or None
        The values of the columns; None while they have not been read.
    """

    columns: tuple[str, ...] = ()
    bounds: Mapping[str, tuple[float | None, float | None]] = dataclasses.field(default_factory=dict)
    points: Numbers | None = None

    def builder(self, dataset: Dataset | None, reads: str) -> PointsBuilder:
        """Return what makes the points; `ParameterError` for what is missing."""
        if self.points is None or dataset is None:
            raise ParameterError("columns", "choose the columns that are the coordinates of a point")
        domain = Box(tuple(_side(name, *self.bounds.get(name, (None, None))) for name in self.columns))
        units = tuple(dataset.column(name).unit for name in self.columns)
        return PointsBuilder(self.points.values, self.columns, units, domain)

    def names(self) -> tuple[str, ...]:
        """Return the coordinates."""
        return self.columns

    def unit(self, dataset: Dataset | None, reads: str) -> str:
        """Return the unit that all columns share, or nothing."""
        units = {dataset.column(name).unit for name in self.columns} if dataset else set()
        return str(units.pop()) if len(units) == 1 else ""


@dataclasses.dataclass(frozen=True, eq=False)
class PointsBuilder:
    """Several columns as points, and the public bounds of each."""

    values: NDArray[np.float64]
    columns: tuple[str, ...]
    units: tuple[str, ...]
    domain: Box

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.values)

    def build(self) -> Points:
        """Make the points (looks for what is not finite)."""
        return Points(self.values, self.domain)

    def same(self, other: PointsBuilder) -> bool:
        """Tell whether both make the same points."""
        return self.values is other.values and self.domain == other.domain

    def problem(self) -> None:
        """Return None: columns that could be read make points."""


def _side(name: str, lower: float | None, upper: float | None) -> Interval:
    """Return the bounds of a column; the error names the column, beside whose bounds it belongs."""
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


@dataclasses.dataclass(frozen=True)
class PointsKind:
    """Several columns of numbers: each record is a point between public bounds."""

    topic: str = "clusters"
    query: str = "clusters"
    example: str = "three-clusters"
    delta: float = 0.0

    kind = "points"
    choice: ClassVar[type[PointsChoice]] = PointsChoice
    reads: ClassVar[tuple[str, ...]] = ("points",)

    def from_example(self, card: Example) -> Fields:
        """Return all columns and their bounds."""
        return {
            "columns": tuple(column.name for column in card.columns),
            "bounds": {column.name: (float(column.lower), float(column.upper)) for column in card.columns},
            "missing": "drop",
            "bounds_source": "known",
        }

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the coordinates."""
        progress(0.0, "reading the columns")
        return {**fields, "points": dataset.table.points(fields["columns"], missing=fields["missing"])}

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read: nothing else follows from it."""
        return fields

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Keep the bounds of each column; what to do about missing values is asked."""
        choice = PointsChoice.of(page)
        fields = {**chosen(choice, *DECIDED), **changed}
        assert page.dataset is not None
        new = set(fields["columns"]) - set(choice.columns)
        if fields["missing"] == "refuse" and any(page.dataset.column(name).missing for name in new):
            return None
        return fields

    def to_document(self, page: PageState) -> dict[str, str] | None:
        """Return columns, bounds, what is done about missing values, and the function from a file."""
        choice = PointsChoice.of(page)
        bounds = {name: choice.bounds.get(name, (None, None)) for name in choice.columns}
        if not bounds or any(None in pair for pair in bounds.values()):
            return None
        box, function = page.file_function, page.mechanism.find("function")
        return {
            "columns": json.dumps(choice.columns),
            "bounds": json.dumps(bounds),
            "missing": choice.missing,
            "origin": choice.bounds_source,
            "query": page.query,
            "function": function.name if function else "mean",
            "black_box": json.dumps(dataclasses.asdict(box)) if box else "",
        }

    def from_document(self, stored: Callable[[str], str]) -> Fields:
        """Return what `to_document` stored; a function from a file is named, and not trusted."""
        from engine.aggregation.black_box import BlackBox

        fields: Fields = {name: stored(name) for name in ("missing", "query", "function")}
        fields["bounds_source"] = stored("origin")
        topic = MECHANISMS[fields["query"]].topic if fields["query"] in MECHANISMS else ""
        if topic != self.topic or fields["function"] not in FUNCTIONS:
            raise ValueError(fields)
        try:
            columns = json.loads(stored("columns"))
            bounds = {
                str(name): (float(low), float(high))
                for name, (low, high) in json.loads(stored("bounds")).items()
            }
            box = stored("black_box")
            values = dataclasses.asdict(BlackBox(**json.loads(box))) if box else None
        except (TypeError, AttributeError, SensiscopeError) as error:
            raise ValueError(error) from error
        if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
            raise ValueError(columns)
        parameters = {} if values is None else {"parameters": {key_of(BlackBox): values}}
        return {**fields, "columns": tuple(columns), "bounds": bounds, **parameters}
