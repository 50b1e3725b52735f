"""What a page writes into a script: its own numbers, and those of the picture that is open."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from app.export.script.cell import ScriptCell
from app.export.script.subject import Subject

NOT_WRITTEN = ScriptCell(
    "The picture that is open cannot be written as a script",
    "# What stands here are the other numbers of the page.",
)
"""Stands in place of a picture of which a script holds no numbers: better said than left out silently."""

PictureWriter = Callable[[Subject], Sequence[ScriptCell]]


@dataclasses.dataclass(frozen=True)
class PageScript:
    """How a page is written.

    Attributes
    ----------
    cells : callable
        Writes what belongs to the page, whichever picture is open.
    pictures : mapping of str to callable
        Writes what belongs to one picture alone, by the tab; asked in the curator's view only.
    default : str
        The picture where none is named.
    """

    cells: Callable[[Subject], list[ScriptCell]]
    pictures: Mapping[str, PictureWriter]
    default: str

    def picture(self, subject: Subject) -> list[ScriptCell]:
        """Return what belongs to the open picture, or the line that says that it cannot be written."""
        write = self.pictures.get(subject.view_state.tab or self.default)
        if write is None:
            return [NOT_WRITTEN]
        return list(write(subject)) if subject.curator else []


def nothing_more(subject: Subject) -> list[ScriptCell]:
    """Write nothing: what the page has written is what the picture shows."""
    return []
