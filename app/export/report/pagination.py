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
        Whether it stays with the next block.
    again : PageBlock or None
        What is repeated above it at the top of a page: the header of its table.
    """

    height: float
    draw: Draw
    before: float = 0.0
    keeps: bool = False
    again: PageBlock | None = None


def stays(index: int, lines: int) -> bool:
    """Tell whether a line of a paragraph stays with the next one: none of them is alone on its page."""
    return lines > 1 and index in (0, lines - 2)


Page = list[tuple[float, PageBlock]]
"""What stands on a page, each block with its distance from the top."""


def paginate(blocks: Sequence[PageBlock], height: float) -> list[Page]:
    """Put blocks on pages of a height.

    Examples
    --------
    >>> block = PageBlock(40.0, lambda *_: None)
    >>> [len(page) for page in paginate([block] * 5, 100.0)]
    [2, 2, 1]
    """
    pages: list[Page] = [[]]
    y = 0.0
    for index, block in enumerate(blocks):
        before = block.before if pages[-1] else 0.0
        if pages[-1] and y + before + _together(blocks, index) > height:
            pages.append([])
            y = before = 0.0
            if block.again is not None:
                pages[-1].append((0.0, block.again))
                y = block.again.height
        pages[-1].append((y + before, block))
        y += before + block.height
    return pages


def _together(blocks: Sequence[PageBlock], index: int) -> float:
    """Return the height of a block and of all that it stays with."""
    total = blocks[index].height
    while blocks[index].keeps and index + 1 < len(blocks):
        index += 1
        total += blocks[index].before + blocks[index].height
    return total
