"""Text with marks, as plain data: runs of words, and the blocks that they make."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class TextRun:
    """Some words of a line.

    Attributes
    ----------
    text : str
        The words, or a formula without its dollars.
    kind : str
        "text", "code" or "formula".
    bold, italic : bool
        How they are set.
    target : str
        Where a link leads; "" for none.
    """

    text: str
    kind: str = "text"
    bold: bool = False
    italic: bool = False
    target: str = ""


Runs = tuple[TextRun, ...]


@dataclasses.dataclass(frozen=True)
class MarkupBlock:
    """A paragraph, an item of a list, a formula, a table, or code.

    Attributes
    ----------
    kind : str
        "paragraph", "bullet", "number", "formula", "table" or "code".
    runs : tuple of TextRun
        The words; of a formula or code one run.
    rows : tuple of tuple of (tuple of TextRun)
        The cells of a table, its header first.
    line : int
        Where it begins.
    """

    kind: str
    runs: Runs = ()
    rows: tuple[tuple[Runs, ...], ...] = ()
    line: int = 0

    @property
    def all_runs(self) -> Runs:
        """All words, also those in cells."""
        return self.runs + tuple(run for row in self.rows for cell in row for run in cell)
