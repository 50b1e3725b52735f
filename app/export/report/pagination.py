"""Lines, rows and figures one below the other, on pages.

What is to be placed is a list of `PageBlock`: a height, and how it is drawn.  Headings stay with what
follows them, and a table that goes on repeats its header.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtGui import QPainter

Draw = Callable[[QPainter, float, float], None]
"""Draws at x, y, in points."""


@dataclasses.dataclass(frozen=True)
class PageBlock:
    """What is never torn.

    Attributes
    ----------
    height : float
        In points.
    draw : callable
    before : float
        Room above, except at the top of a page.
    keeps : bool
        Whether it stays with the next piece.
    again : PageBlock or None
        What is repeated above it at the top of a page: the header of its table.
    """

    height: float
    draw: Draw
    before: float = 0.0
    keeps: bool = False
    again: PageBlock | None = None


def stays(place: int, lines: int) -> bool:
    """Tell whether a line of a paragraph stays with the next one: none of them is alone on its page."""
    return lines > 1 and place in (0, lines - 2)


Page = list[tuple[float, PageBlock]]
"""What stands on a page, each piece with its distance from the top."""


def paginate(pieces: Sequence[PageBlock], height: float) -> list[Page]:
    """Put pieces on pages of a height.

    Examples
    --------
    >>> piece = Piece(40.0, lambda *_: None)
    >>> [len(page) for page in paginate([piece] * 5, 100.0)]
    [2, 2, 1]
    """
    pages: list[Page] = [[]]
    y = 0.0
    for place, piece in enumerate(pieces):
        before = piece.before if pages[-1] else 0.0
        if pages[-1] and y + before + _together(pieces, place) > height:
            pages.append([])
            y = before = 0.0
            if piece.again is not None:
                pages[-1].append((0.0, piece.again))
                y = piece.again.height
        pages[-1].append((y + before, piece))
        y += before + piece.height
    return pages


def _together(pieces: Sequence[PageBlock], place: int) -> float:
    """Return the height of a piece and of all that it stays with."""
    total = pieces[place].height
    while pieces[place].keeps and place + 1 < len(pieces):
        place += 1
        total += pieces[place].before + pieces[place].height
    return total
