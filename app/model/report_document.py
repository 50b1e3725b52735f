"""Reports: their options, and their sections of sentences, facts, tables and figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.model.views import CURATOR, RELEASE, VIEWS
from app.model.wording.numbers import grouped

if TYPE_CHECKING:
    from app.model.texts.marks import MarkupBlock


MAX_ROWS = 24
"""Largest number of table rows in a report."""

CONFIDENTIAL = "Confidential"
"""The label on confidential content."""


@dataclasses.dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text; `warns` makes it stand out."""

    text: str
    warns: bool = False
    private: bool = False


@dataclasses.dataclass(frozen=True)
class RichText:
    """Paragraphs with formulas, taken from help pages: public, and part of the program."""

    blocks: tuple[MarkupBlock, ...]
    private: bool = False


@dataclasses.dataclass(frozen=True)
class FactList:
    """Pairs of name and text, one below the other."""

    rows: tuple[tuple[str, str], ...]
    private: bool = False


@dataclasses.dataclass(frozen=True)
class ReportTable:
    """A table of numbers, texts and booleans.

    `left_out` counts omitted rows; a `folded` table opens on demand, where the format allows it; `digits`
    are significant digits of numbers.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    left_out: int = 0
    folded: bool = False
    private: bool = False
    digits: int = 5

    @classmethod
    def of(
        cls, title: str, header: list[str], rows: list[list[Any]], most: int = MAX_ROWS, **options: Any
    ) -> ReportTable:
        """Make a table of the first `most` rows, and count the others."""
        shown = tuple(map(tuple, rows[:most]))
        return cls(title, tuple(header), shown, left_out=len(rows) - len(shown), **options)

    @property
    def remark(self) -> str:
        """A sentence about omitted rows; "" if there are none."""
        if not self.left_out:
            return ""
        rows = "row is" if self.left_out == 1 else "rows are"
        return f"{grouped(self.left_out)} more {rows} not shown."


@dataclasses.dataclass(frozen=True)
class ReportFigure:
    """A figure.

    `said` is the alternative text; `draw` makes the matplotlib figure, in a worker.
    """

    title: str
    said: str
    draw: Callable[[], Any]
    private: bool = False


Block = Paragraph | RichText | FactList | ReportTable | ReportFigure


@dataclasses.dataclass(frozen=True)
class ReportSection:
    """A heading with its content; `level` is 2 or 3.

    Sections that are `folded` open on demand, where the format allows it.
    """

    title: str
    blocks: tuple[Block, ...]
    level: int = 2
    private: bool = False
    folded: bool = False


@dataclasses.dataclass(frozen=True)
class Report:
    """A whole report.

    `about` has date, version and author, below the title; `view` is a sentence about permitted uses;
    `private` is True if any content was computed from raw data.
    """

    title: str
    about: tuple[tuple[str, str], ...]
    view: str
    sections: tuple[ReportSection, ...]
    private: bool = False


REPORT_VIEWS = {
    RELEASE: f"{VIEWS[RELEASE]}: only results that can be shared",
    CURATOR: f"{VIEWS[CURATOR]}: with the exact numbers, too",
}
"""Contents of a report, by names of views; the first one is the default."""


@dataclasses.dataclass(frozen=True)
class ReportOptions:
    """Choices in the report dialog.

    `view` is a key of `REPORT_VIEWS`; `figures` adds a figure for each release, and `pictures` are the chosen
    pictures on the screen, by index. `author` and `notes` are printed below the title.
    """

    title: str
    view: str = "release"
    figures: bool = True
    pictures: tuple[int, ...] = ()
    author: str = ""
    notes: str = ""

    @property
    def private(self) -> bool:
        """Whether the report includes confidential content."""
        return self.view == "curator"
