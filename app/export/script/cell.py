"""The pieces of a script: what they are called, what they do, and what is to be said about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True)
class ScriptCell:
    """A section of a script, or a cell of a notebook.

    Attributes
    ----------
    title : str
        A few words of our own: nothing that stands in a file or was typed.
    code : str
        Python, without imports; each simple statement on one line.
    words : str
        What a notebook says before the code, with formulas.
    picture : bool
        Whether it draws: such a cell is for notebooks.
    imports : tuple of str
        References to names in the code, beside those of `engine`.
    """

    title: str
    code: str = ""
    words: str = ""
    picture: bool = False
    imports: tuple[str, ...] = ()

    @classmethod
    def of(cls, title: str, lines: Iterable[str], text: str = "") -> ScriptCell:
        """Return a section with these lines; empty ones are left out."""
        return cls(title, "\n".join(line for line in lines if line), text)


NOT_WRITTEN = ScriptCell(
    "The picture that is open cannot be written as a script",
    "# What stands here are the other numbers of the page.",
)
"""Stands in place of a picture of which a script holds no numbers: better said than left out silently."""


def said(label: str, expression: str, *, private: bool = True) -> str:
    """Return a line that prints a number, and says if it must not be shared."""
    return f'print("{label}{" (confidential)" * private}:", {expression})'
