"""A report as a PDF: text that can be searched, figures of lines, a banner on every page if it is private."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from app.export.report.pagination import Page, PageBlock, paginate, stays
from app.export.report.painter import paint_figure
from app.export.report.rich_text import RichTextSetter
from app.export.report.table_setter import TableSetter
from app.export.report.text import clean
from app.export.report.typesetting import BODY, PART, SMALL, SUBPART, TITLE, Type, fill
from app.model.report_document import (
    CONFIDENTIAL,
    Block,
    FactList,
    Paragraph,
    Report,
    ReportFigure,
    ReportSection,
    ReportTable,
    RichText,
)
from app.model.theme import LIGHT
from engine.progress import Progress, part, silent

RESOLUTION = 600
SIDE, TOP, BOTTOM = 54.0, 66.0, 54.0
"""Margins of a page, in points."""
NAMES = 128.0
"""Width of the names of facts."""
BANNER = "Confidential: computed from raw data. For the curator of the data only."
SOFT = "#fdf3dc"

_MEANINGS, _LIST = re.compile(rb"begincmap.*?endcmap", re.DOTALL), re.compile(rb"\[[^\]]*\]")
_TAB, _BLANK = b"<0009>", b"<0020>"


def to_pdf(report: Report, progress: Progress = silent) -> bytes:
    """Return the file; may be called outside of the window's thread."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(RESOLUTION)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setTitle(clean(report.title))
    writer.setCreator("Sensiscope")
    painter = QPainter(writer)
    try:
        painter.scale(RESOLUTION / 72, RESOLUTION / 72)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        setter = _ReportSetter(report, writer, part(progress, 0.0, 0.4))
        pages = paginate(list(setter.blocks()), setter.height - TOP - BOTTOM)
        drawing = part(progress, 0.4, 1.0)
        for number, page in enumerate(pages, 1):
            setter.step = partial(drawing, (number - 1) / len(pages), "drawing")
            setter.step()
            if number > 1:
                writer.newPage()
            setter.draw(painter, page, number, len(pages))
    finally:
        painter.end()
        buffer.close()
    return with_blanks(bytes(content.data()))


def with_blanks(content: bytes) -> bytes:
    """Let blanks be read as blanks.

    Where a font draws tab and blank alike, Qt says of both that they are tabs: whoever searches for two
    words finds nothing, and copies tabs.  Both have one length, so that nothing else in the file moves.
    """

    def corrected(match: re.Match[bytes]) -> bytes:
        return _LIST.sub(lambda one: one[0].replace(_TAB, _BLANK), match[0])

    return _MEANINGS.sub(corrected, content)


class _ReportSetter:
    """The report in blocks, and the page around them; `step` is called while figures are drawn."""

    def __init__(self, report: Report, writer: QPdfWriter, progress: Progress) -> None:
        self._progress = progress
        self.step: Callable[[], None] = partial(progress, 0.0, "drawing")
        size = QPageSize.sizePoints(QPageSize.PageSizeId.A4)
        self._report = report
        self.width, self.height = float(size.width()), float(size.height())
        self._room = self.width - 2 * SIDE
        muted = LIGHT.muted
        self._body = Type(writer, BODY)
        self._bold = Type(writer, BODY, bold=True)
        self._muted = Type(writer, BODY, colour=muted)
        self._small = Type(writer, SMALL, colour=muted)
        self._badge = Type(writer, SMALL - 1, bold=True, colour=LIGHT.on_private)
        self._title = Type(writer, TITLE, bold=True)
        self._rich_text = RichTextSetter(writer, self._room)
        self._tables = TableSetter(self._body, self._bold, self._room)
        self._heads = {2: Type(writer, PART, bold=True), 3: Type(writer, SUBPART, bold=True)}

    def draw(self, painter: QPainter, page: Page, number: int, count: int) -> None:
        """Draw a page: what stands on it, and what stands around it."""
        top, right = 30.0, self.width - SIDE
        if self._report.private:
            fill(painter, 0, 0, self.width, 24, LIGHT.private)
            self._badge.draw(painter, SIDE, 12 - self._badge.leading / 2, BANNER)
            top = 34.0
        if number > 1:
            line = self._small.lines(self._report.title, self._room)[0]
            self._small.draw(painter, SIDE, top, line)
        foot = self.height - BOTTOM + 16
        self._small.draw(painter, SIDE, foot, "Sensiscope")
        self._small.draw(painter, SIDE, foot, f"Page {number} of {count}", right - SIDE, right=True)
        for y, block in page:
            block.draw(painter, SIDE, TOP + y)

    def blocks(self) -> Iterator[PageBlock]:
        """Yield what is to be placed, from the title on."""
        yield from self._text(self._title, self._report.title)
        yield PageBlock(4, _nothing, keeps=True)
        yield from self._facts(FactList(self._report.about), ruled=False)
        yield from self._notice(self._report.view, LIGHT.private if self._report.private else LIGHT.accent)
        for index, section in enumerate(self._report.sections):
            self._progress(index / len(self._report.sections), "drawing")
            yield from self._head(section)
            for block in section.blocks:
                yield from self._block(block)

    def _head(self, section: ReportSection) -> Iterator[PageBlock]:
        head = self._heads[section.level]
        before = 24.0 if section.level == 2 else 16.0
        lines = head.lines(section.title, self._room - 70 * section.private)
        for index, line in enumerate(lines):
            last = index == len(lines) - 1
            yield PageBlock(
                head.leading,
                partial(self._titled, head, line, section.private and last),
                before if index == 0 else 0.0,
                keeps=True,
            )
        yield PageBlock(3, _nothing, keeps=True)

    def _titled(self, head: Type, line: str, private: bool, painter: QPainter, x: float, y: float) -> None:
        head.draw(painter, x, y, line)
        if private:
            self._mark(painter, x + head.width(line) + 8, y + head.leading / 2)

    def _mark(self, painter: QPainter, x: float, middle: float) -> None:
        """Draw a badge."""
        height, width = self._badge.leading + 1, self._badge.width(CONFIDENTIAL) + 10
        fill(painter, x, middle - height / 2, width, height, LIGHT.private, height / 2)
        self._badge.draw(painter, x + 5, middle - self._badge.leading / 2, CONFIDENTIAL)

    def _block(self, block: Block) -> Iterator[PageBlock]:
        if isinstance(block, Paragraph):
            if block.warns:
                yield from self._notice(block.text, LIGHT.private)
            else:
                for text in block.text.split("\n\n"):
                    yield from self._text(self._body, text, before=4)
                yield PageBlock(2, _nothing)
        elif isinstance(block, RichText):
            yield from self._rich_text.blocks(block.blocks)
        elif isinstance(block, FactList):
            yield from self._facts(block)
        elif isinstance(block, ReportTable):
            yield from self._table(block)
        else:
            yield self._figure(block)
            yield from self._text(self._small, block.said, before=3)
            yield PageBlock(4, _nothing)

    def _text(self, kind: Type, text: str, before: float = 0.0) -> Iterator[PageBlock]:
        lines = kind.lines(text, self._room)
        for index, line in enumerate(lines):
            keeps = stays(index, len(lines))
            yield PageBlock(kind.leading, partial(_line, kind, line), 0.0 if index else before, keeps=keeps)

    def _notice(self, text: str, colour: str) -> Iterator[PageBlock]:
        """Yield a sentence beside a bar."""
        lines = self._body.lines(text, self._room - 24)
        height = self._body.leading * len(lines) + 10

        def draw(painter: QPainter, x: float, y: float) -> None:
            fill(painter, x, y, self._room, height, SOFT if colour == LIGHT.private else LIGHT.background)
            fill(painter, x, y, 3, height, colour)
            for index, line in enumerate(lines):
                self._body.draw(painter, x + 12, y + 5 + index * self._body.leading, line)

        yield PageBlock(height, draw, before=6)
        yield PageBlock(4, _nothing)

    def _facts(self, facts: FactList, ruled: bool = True) -> Iterator[PageBlock]:
        pad = 3.0 if ruled else 0.5
        for index, (name, text) in enumerate(facts.rows):
            names = self._muted.lines(name, NAMES - 8)
            lines = self._body.lines(text, self._room - NAMES - 62 * facts.private)
            yield PageBlock(
                self._body.leading * max(len(names), len(lines)) + 2 * pad,
                partial(self._fact, names, lines, facts.private, pad, ruled and index > 0),
                keeps=index in (0, len(facts.rows) - 2),  # none stands alone on a page
            )
        yield PageBlock(4, _nothing)

    def _fact(
        self,
        names: list[str],
        lines: list[str],
        private: bool,
        pad: float,
        ruled: bool,
        painter: QPainter,
        x: float,
        y: float,
    ) -> None:
        if ruled:
            fill(painter, x, y, self._room, 0.5, LIGHT.border)
        for index, line in enumerate(names):
            self._muted.draw(painter, x, y + pad + index * self._body.leading, line)
        for index, line in enumerate(lines):
            self._body.draw(painter, x + NAMES, y + pad + index * self._body.leading, line)
        if private:
            end = x + NAMES + self._body.width(lines[0]) + 8
            self._mark(painter, end, y + pad + self._body.leading / 2)

    def _table(self, table: ReportTable) -> Iterator[PageBlock]:
        title = self._muted.lines(table.title, self._room - 70)
        for index, line in enumerate(title):
            private = table.private and index == len(title) - 1
            draw = partial(self._titled, self._muted, line, private)
            yield PageBlock(self._muted.leading, draw, before=0 if index else 8, keeps=True)
        yield from self._tables.blocks(table)
        if table.remark:
            yield from self._text(self._small, table.remark, before=3)
        yield PageBlock(4, _nothing)

    def _figure(self, block: ReportFigure) -> PageBlock:
        figure = block.draw()
        width, height = figure.get_size_inches()
        target = self._room * height / width

        def draw(painter: QPainter, x: float, y: float) -> None:
            paint_figure(figure, painter, QRectF(x, y, self._room, target), self.step)

        return PageBlock(target, draw, before=8, keeps=True)


def _line(kind: Type, line: str, painter: QPainter, x: float, y: float) -> None:
    kind.draw(painter, x, y, line)


def _nothing(painter: QPainter, x: float, y: float) -> None:
    pass
