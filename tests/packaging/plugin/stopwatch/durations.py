"""A kind of data, a query that reads it, and a page that shows it."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import sensiscope
from sensiscope import Median
from sensiscope.app.model.kinds.base import FOUND, IntervalChoice
from sensiscope.app.model.kinds.column import BOUNDS_HELP, ColumnBuilder, ColumnKind
from sensiscope.app.model.kinds.fields import MISSING, SOURCE, BoundsField, ColumnField
from sensiscope.app.model.kinds.kind import DataKind
from sensiscope.app.model.kinds.options import LOWER, UPPER, DataOption, bounds_of
from sensiscope.app.model.kinds.page_data import PageData
from sensiscope.app.model.kinds.registry import register
from sensiscope.app.model.page_spec import PageSpec
from sensiscope.app.model.pages import registry as pages
from sensiscope.app.model.pages.sensitivity import PICTURES
from sensiscope.engine.errors import ParameterError


@dataclasses.dataclass(frozen=True, eq=False)
class LapChoice(IntervalChoice):
    """Two columns, the difference of which is a duration."""

    begin: str = ""
    finish: str = ""
    durations: Any = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self):
        return None if self.durations is None else len(self.durations)


class LapKind(DataKind[LapChoice]):
    """Durations between two columns of times."""

    name = "laps"
    words = "lap times between two columns"
    holds = "holds lap times"
    examples = ("laps",)
    choice = LapChoice
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


LAPS = LapKind()
register(LAPS)


@sensiscope.register
@dataclasses.dataclass(frozen=True)
class MedianLap(Median):
    """How long most laps take."""

    name: ClassVar[str] = "median-lap"
    reads: ClassVar[str] = "laps"


pages.register(
    PageSpec(
        "laps",
        "Laps",
        "Laps",
        PageData({LAPS: "median-lap"}, ""),
        PICTURES,
        estimate="engine:estimate_scalar_error",
        advice="app.pages.sensitivity.advice:advice",
        script_analyses="app.model.pages.sensitivity:script_analyses",
        icon="table",
    )
)
