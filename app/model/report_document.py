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
"""Rows of a table that are written out."""

CONFIDENTIAL = "Confidential"
"""The badge."""


@dataclasses.dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text; one that `warns` must not be overlooked."""

    text: str
    warns: bool = False
    private: bool = False


@dataclasses.dataclass(frozen=True)
class RichText:
    """Paragraphs with formulas, as help pages hold them: public, and written by us."""

    blocks: tuple[MarkupBlock, ...]
    private: bool = False


@dataclasses.dataclass(frozen=True)
class FactList:
    """Names with what is to be said of each, one below the other."""

    rows: tuple[tuple[str, str], ...]
    private: bool = False


@dataclasses.dataclass(frozen=True)
class ReportTable:
    """A table of numbers, words and truths.

    `left_out` counts the rows that are not written out; a `folded` one is opened on demand, where that is
    possible; `digits` are significant digits of numbers.
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
        """Make a table of the first `most` rows, which counts the others."""
        shown = tuple(map(tuple, rows[:most]))
        return cls(title, tuple(header), shown, left_out=len(rows) - len(shown), **options)

    @property
    def remark(self) -> str:
        """What is to be said of rows that are left out; "" if there are none."""
        if not self.left_out:
            return ""
        rows = "row is" if self.left_out == 1 else "rows are"
        return f"{grouped(self.left_out)} more {rows} left out here."


@dataclasses.dataclass(frozen=True)
class ReportFigure:
    """A figure.

    `said` tells what it shows to those who cannot see it; `draw` makes the figure (of matplotlib, which
    nothing here knows), in a worker.
    """

    title: str
    said: str
    draw: Callable[[], Any]
    private: bool = False


Block = Paragraph | RichText | FactList | ReportTable | ReportFigure


@dataclasses.dataclass(frozen=True)
class ReportSection:
    """A heading and what stands below it; `level` 2 or 3."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 2
    private: bool = False


@dataclasses.dataclass(frozen=True)
class Report:
    """All that is written down.

    `about` stands below the title: date, version, author; `view` says in a sentence what the report may be
    used for, and `private` whether anything in it was computed from raw data.
    """

    title: str
    about: tuple[tuple[str, str], ...]
    view: str
    sections: tuple[ReportSection, ...]
    private: bool = False


REPORT_VIEWS = {
    RELEASE: f"{VIEWS[RELEASE]}: what can be shared",
    CURATOR: f"{VIEWS[CURATOR]}: with confidential numbers",
}
"""What a report may hold, by the names of the window's views; the first one unless another is picked."""


@dataclasses.dataclass(frozen=True)
class ReportOptions:
    """What was chosen in the dialog.

    `view` is a key of `REPORT_VIEWS`; `figures` says whether each release has its figure, and `pictures`
    which of those in sight are wanted, by their index.  `author` and `notes` stand below the title.
    """

    title: str
    view: str = "release"
    figures: bool = True
    pictures: tuple[int, ...] = ()
    author: str = ""
    notes: str = ""

    @property
    def private(self) -> bool:
        """Whether what is private is wanted, too."""
        return self.view == "curator"
