"""The declared workspaces: they use the data of the page before them, or the table of the program."""

from __future__ import annotations

import dataclasses

import engine
from app.model import lazy
from app.model.page_spec import PageSpec
from app.model.pages.points import position
from app.model.picture_spec import OptionGroup, PictureSpec, TabTitle, options
from app.model.references import Analysis, ClassLoader
from engine.parameters import parameter

MODES = {"dots": "Dots", "box": "Boxes", "ecdf": "Share within"}
"""Ways to draw errors at one value of the sweep, with their labels."""

SPREADS = {"band": "Middle 90 %", "dots": "Runs"}
"""Ways to draw the spread of runs in the frontier, with their labels."""


@options
class SweepValueOptions(OptionGroup):
    """The selected value of the sweep."""

    index: int | None = position(
        label="Value", help="The value of the sweep to show; at first, the middle one."
    )


@options
class ErrorsOptions(OptionGroup):
    """The way to draw errors."""

    mode: str = parameter(default="dots", choices=tuple(MODES), label="Errors", help="How errors are drawn.")


@options
class FrontierOptions(OptionGroup):
    """The way to draw runs."""

    spread: str = parameter(default="band", choices=tuple(SPREADS), label="Runs", help="How runs are drawn.")


def _compared(
    name: str, title: TabTitle, drawn_by: ClassLoader | None, *options: type[OptionGroup]
) -> PictureSpec:
    return PictureSpec(
        name,
        title,
        drawn_by,
        Analysis(lambda: engine.compare),
        options=(SweepValueOptions, *options),
        arguments=lambda: lazy.comparison_arguments,
        view=lambda: lazy.ComparisonView.of,
    )


COMPARE = PageSpec(
    "compare",
    "Compare",
    "Comparison",
    pictures=(
        _compared(
            "errors",
            TabTitle(
                "Errors",
                "How far simulated releases are from the truth, at one value of what is varied",
                "The errors of all mechanisms, with the same data and seeds: smaller is better.",
            ),
            lambda: lazy.ComparisonErrors,
            ErrorsOptions,
        ),
        _compared(
            "frontier",
            TabTitle(
                "Frontier",
                "Median error of each mechanism, by what is varied",
                "How much accuracy more budget or more records buy; a click shows a single run.",
            ),
            lambda: lazy.ComparisonFrontier,
            FrontierOptions,
        ),
        _compared(
            "time",
            TabTitle(
                "Run time",
                "How long a release takes",
                "The time of one release, on this computer: shorter is better.",
            ),
            lambda: lazy.ComparisonTime,
        ),
        _compared(
            "table",
            TabTitle(
                "Table",
                "All numbers, to be sorted and saved",
                "One row for each mechanism at each value.",
            ),
            None,
        ),
        PictureSpec(
            "needed",
            TabTitle(
                "Which ε?",
                "The smallest epsilon for an error that is small enough",
                "The smallest ε whose error is small enough; the bar is what the runs leave open.",
            ),
            lambda: lazy.ComparisonNeeded,
            Analysis(lambda: engine.needed_epsilons),
            arguments=lambda: lazy.comparison_arguments,
            absent=lambda: lazy.why_not_searched,
        ),
    ),
    widget=lambda: lazy.ComparePage,
    selection=lambda: lazy.requested,
    script_section=lambda: lazy.contenders_cell,
    help="topics/comparing",
)

LESSONS = PageSpec("lessons", "Lessons", "Lessons", widget=lambda: lazy.LessonsPage, help="topics/start")

DATA_VIEW = PageSpec(
    "data", "Data", "Data", widget=lambda: lazy.DataPage, help="topics/opening-files", icon="table"
)

QUESTIONS_VIEW = PageSpec(
    "questions", "Questions", "Questions", widget=lambda: lazy.QuestionsPage, help="topics/questions"
)

RELEASED = PageSpec(
    "released",
    "Released",
    "Released",
    widget=lambda: lazy.ReleasedPage,
    help="topics/what-to-publish",
    icon="shield",
)

FIRST = {spec.name: spec for spec in (DATA_VIEW, QUESTIONS_VIEW)}
"""The workspaces about the table of the program, in menu order above the pages."""

WORKSPACES = {**FIRST, **{spec.name: spec for spec in (COMPARE, LESSONS, RELEASED)}}
"""The workspaces; those that are not in `FIRST` stand below the pages."""

FULL_WIDTH = (*FIRST, LESSONS.name, RELEASED.name)
"""Workspaces that take all the room beside the list of pages: no forms, no history."""

PICTURED = tuple(name for name, spec in WORKSPACES.items() if spec.pictures)
"""Workspaces whose view states a session file stores."""


@dataclasses.dataclass(frozen=True)
class RunButton:
    """The state of a button."""

    # text, help: label and tooltip
    text: str
    help: str
    able: bool = True  # whether it can be pressed
    primary: bool = False  # whether it is the page's own action
