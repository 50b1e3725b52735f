"""Sets tables: columns as wide as what is in them, as far as there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtGui import QPainter

from app.export.report.pagination import PageBlock
from app.export.report.text import cell_words, clean, is_number
from app.export.report.typesetting import Type, fill
from app.model.report_document import ReportTable
from app.model.theme import LIGHT

GAP = 14.0
"""Room between columns."""


class TableSetter:
    """Sets header and rows in a width (points)."""

    def __init__(self, body: Type, head: Type, room: float) -> None:
        self._body, self._head, self._room = body, head, room

    def blocks(self, table: ReportTable) -> Iterator[PageBlock]:
        """Yield the header, and one block for each row."""
        texts = [[clean(cell_words(value, table.digits)) for value in row] for row in table.rows]
        right = [all(is_number(row[index]) for row in table.rows) for index in range(len(table.header))]
        widths = self._widths(table.header, texts)
        header = self._row(self._head, table.header, widths, right, 1.0)
        yield PageBlock(header.height, header.draw, keeps=True)
        for row in texts:
            block = self._row(self._body, row, widths, right, 0.5)
            yield PageBlock(block.height, block.draw, again=header)

    def _widths(self, header: tuple[str, ...], texts: list[list[str]]) -> list[float]:
        """Return how wide columns are: as wide as what is in them, or less where there is no room."""
        columns = zip(header, *texts, strict=True)
        wanted = [
            max([self._head.width(column[0]), *map(self._body.width, column[1:])]) + GAP for column in columns
        ]
        # narrow columns keep what they want, wide ones share the rest
        left, fair = self._room, 0.0
        for index, width in enumerate(sorted(wanted)):
            fair = left / (len(wanted) - index)
            if width > fair:
                break
            left -= width
        return [width if width <= fair else fair for width in wanted]

    def _row(
        self,
        kind: Type,
        cells: Sequence[str],
        widths: list[float],
        right: list[bool],
        rule: float,
    ) -> PageBlock:
        lines = [kind.lines(text, width - GAP + 0.5) for text, width in zip(cells, widths, strict=True)]
        height = kind.leading * max(map(len, lines), default=1) + 5

        def draw(painter: QPainter, x: float, y: float) -> None:
            left = x
            for own, width, aligned in zip(lines, widths, right, strict=True):
                for index, line in enumerate(own):
                    top = y + 2 + index * kind.leading
                    kind.draw(painter, x, top, line, width - GAP, right=aligned)
                x += width
            fill(painter, left, y + height - rule, min(self._room, sum(widths)), rule, LIGHT.border)

        return PageBlock(height, draw)
