"""What else the window shows: workspaces on the data of the page from which one came, declared."""

from __future__ import annotations

import dataclasses

from app.model.page_spec import PageSpec
from app.model.pages.points import MAX_PLACES
from app.model.picture_spec import OptionGroup, PictureSpec, TabTitle
from engine.parameters import parameter

MODES = {"dots": "Dots", "box": "Boxes", "ecdf": "Share within"}
"""How errors at one value of the sweep can be drawn, and what it is called on the screen."""

SPREADS = {"band": "Middle 90 %", "dots": "Runs"}
"""How the frontier shows that runs differ, and what it is called on the screen."""


@dataclasses.dataclass(frozen=True)
class PlaceOptions(OptionGroup):
    """Which value of what is varied is looked at."""

    place: int | None = parameter(
        default=None,
        kind="int",
        optional=True,
        lower=0,
        upper=MAX_PLACES,
        label="Value",
        help="Which value of what is varied is looked at; at first, the one in the middle.",
    )


@dataclasses.dataclass(frozen=True)
class ErrorsOptions(OptionGroup):
    """How errors are drawn."""

    mode: str = parameter(default="dots", choices=tuple(MODES), label="Errors", help="How errors are drawn.")


@dataclasses.dataclass(frozen=True)
class FrontierOptions(OptionGroup):
    """How runs are drawn."""

    spread: str = parameter(default="band", choices=tuple(SPREADS), label="Runs", help="How runs are drawn.")


def _compared(name: str, title: TabTitle, drawn_by: str, *options: type[OptionGroup]) -> PictureSpec:
    return PictureSpec(
        name,
        title,
        drawn_by,
        "engine:compare",
        options=(PlaceOptions, *options),
        arguments="app.pages.compare.request:comparison_arguments",
        view="app.plots.compare.view:ComparisonView.of",
    )


COMPARE = PageSpec(
    "compare",
    "Compare",
    "Comparison",
    None,
    (
        _compared(
            "errors",
            TabTitle(
                "Errors",
                "How far simulated releases are from the truth, at one value of what is varied",
                "The same data and the same seeds for all; smaller is better.",
            ),
            "app.plots.compare.errors:ComparisonErrors",
            ErrorsOptions,
        ),
        _compared(
            "frontier",
            TabTitle(
                "Frontier",
                "Median error of each mechanism, by what is varied",
                "How much accuracy more budget or more records buy; a click shows a single run.",
            ),
            "app.plots.compare.frontier:ComparisonFrontier",
            FrontierOptions,
        ),
        _compared(
            "time",
            TabTitle(
                "Run time",
                "How long a release takes",
                "Looking at the data once, and then a draw.",
            ),
            "app.plots.compare.contender_rows:ComparisonTime",
        ),
        _compared(
            "table",
            TabTitle(
                "Table",
                "All numbers, to be sorted and saved",
                "One row for each mechanism at each value.",
            ),
            "",
        ),
        PictureSpec(
            "needed",
            TabTitle(
                "Which ε?",
                "The smallest epsilon for an error that is small enough",
                "Found by search over simulated releases; the bar is what the runs leave open.",
            ),
            "app.plots.compare.contender_rows:ComparisonNeeded",
            "engine:needed_epsilons",
            arguments="app.pages.compare.request:comparison_arguments",
            absent="app.pages.compare.request:why_not_searched",
        ),
    ),
    widget="app.pages.compare.page:ComparePage",
    asked="app.pages.compare.request:requested",
    stated="app.export.script.mechanism:contenders",
    help="topics/comparing",
)

LESSONS = PageSpec(
    "lessons",
    "Lessons",
    "Lessons",
    None,
    (),
    widget="app.lessons.lessons_page:LessonsPage",
    help="topics/start",
)

WORKSPACES = {spec.name: spec for spec in (COMPARE, LESSONS)}
"""In the order of the menu, below the pages."""

PICTURED = tuple(name for name, spec in WORKSPACES.items() if spec.pictures)
"""Those of which a session file keeps how they look."""
