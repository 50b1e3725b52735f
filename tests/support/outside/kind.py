"""A kind of data, a query that reads it, and a page that shows it."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import engine
from app.model.kinds.base import FOUND, IntervalChoice
from app.model.kinds.column import BOUNDS_HELP, ColumnBuilder, ColumnKind
from app.model.kinds.fields import MISSING, SOURCE, BoundsField, ColumnField
from app.model.kinds.kind import DataKind
from app.model.kinds.options import LOWER, UPPER, DataOption, bounds_of
from app.model.kinds.page_data import PageData
from app.model.kinds.registry import register
from app.model.page_spec import PageSpec
from app.model.pages import registry as pages
from app.model.pages.sensitivity import PICTURES
from engine import Median
from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True, eq=False)
class DurationChoice(IntervalChoice):
    """Two columns, the difference of which is a duration."""

    begin: str = ""
    finish: str = ""
    durations: Any = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self):
        return None if self.durations is None else len(self.durations)


class DurationKind(DataKind[DurationChoice]):
    """Durations between two columns of times."""

    name = "durations"
    words = "durations between two columns"
    holds = "holds durations"
    examples = ("durations",)
    choice = DurationChoice
    unnamed = ("begin", "is empty; it must name a column")
    options = (
        DataOption("begin", "column of the begin"),
        DataOption("finish", "column of the end"),
        LOWER,
        UPPER,
    )
    fields = (
        ColumnField(
            "F&rom – to",
            "When each begins and ends",
            boxes={"begin": "Begin", "finish": "End"},
            problems=("begin", "finish"),
        ),
        MISSING,
        BoundsField("&Bounds", BOUNDS_HELP),
        SOURCE,
    )

    far_ends = ColumnKind.far_ends

    def from_example(self, card):
        return {}

    def with_columns(self, declared, columns, card):
        return declared

    def columns_of(self, choice):
        return tuple(name for name in (choice.begin, choice.finish) if name)

    def is_read(self, choice):
        return choice.durations is not None

    def read(self, dataset, fields, progress):
        begin, finish = (dataset.table.numbers(fields[name]).values for name in ("begin", "finish"))
        return {**fields, "durations": finish - begin}

    def builder(self, choice, dataset):
        if choice.durations is None:
            raise ParameterError("begin", "choose two columns")
        return ColumnBuilder(choice.durations, choice.modified_values, choice.domain())

    def report(self, choice, dataset):
        return choice.report_bounds("")

    def script(self, choice, source, write):
        begin, finish = (f"table.numbers({write(name)}).values" for name in (choice.begin, choice.finish))
        return [
            f"values = {finish} - {begin}",
            f"bounds = {write(source.domain)}",
            "data = Sample(values, bounds)",
        ]

    def locate(self, options, card, read_table):
        domain = bounds_of(options, {})
        return read_table(), {"begin": options.begin, "finish": options.finish, **domain.facts}


DURATIONS = DurationKind()
register(DURATIONS)


@engine.register
@dataclasses.dataclass(frozen=True)
class MedianDuration(Median):
    """How long most things take."""

    name: ClassVar[str] = "median-duration"
    reads: ClassVar[str] = "durations"


pages.register(
    PageSpec(
        "durations",
        "Durations",
        "Durations",
        PageData({DURATIONS: "median-duration"}, ""),
        PICTURES,
        estimate="engine:estimate_scalar_error",
        advice="app.pages.sensitivity.advice:advice",
        told="app.model.pages.sensitivity:told",
        icon="table",
    )
)
