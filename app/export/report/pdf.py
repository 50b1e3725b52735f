"""A report as a PDF: its page of HTML printed by Qt, with a banner on every sheet if it is private."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

import shiboken6
from PySide6.QtCore import QBuffer, QByteArray, QEventLoop, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from app.export.report.html import HtmlWriter, clean, markup
from app.help.browser import LOW, picture_of
from app.model.report_document import CONFIDENTIAL, FactList, Paragraph, Report, ReportFigure, ReportTable
from app.model.texts.plain import readable
from app.model.theme import LIGHT
from app.plots.formula_outlines import FormulaError, outline
from engine.progress import Progress, part, silent

FAMILIES = (
    "Segoe UI",
    "Helvetica Neue",
    "Noto Sans",
    "Open Sans",
    "Liberation Sans",
    "DejaVu Sans",
    "sans-serif",
)
BODY = 12.5
"""Size of type, in units of the page: there are `UNITS` in an inch, as in a browser."""
UNITS, RESOLUTION = 96, 600
SIDE, TOP, BOTTOM = 72.0, 88.0, 72.0
"""Margins of a sheet."""
DPI = 240
"""Of figures."""
SHARPNESS = 5
"""Pixels of a formula for each unit."""
BANNER = "Confidential: computed from raw data. For the curator of the data only."
SOFT = "#fdf3dc"
STYLE = f"""
body {{ color: {LIGHT.ink}; }}
h1 {{ font-size: 27px; font-weight: 600; margin: 0 0 8px 0; }}
h2 {{ font-size: 18px; font-weight: 600; margin: 30px 0 6px 0; }}
h6 {{ color: {LIGHT.muted}; font-size: 12px; font-weight: 400; margin: 10px 0 0 0; }}
h3 {{ font-size: 14px; font-weight: 600; margin: 20px 0 4px 0; }}
p, li {{ margin: 5px 0; line-height: 18; -qt-line-height-type: fixed; }}
p.formula {{ margin: 6px 0 6px 24px; -qt-line-height-type: proportional; line-height: 100; }}
p.figure {{ margin: 8px 0 0 0; -qt-line-height-type: proportional; line-height: 100; }}
td.name {{ color: {LIGHT.muted}; }}
p.small {{ color: {LIGHT.muted}; font-size: 11px; }}
code {{ font-family: monospace; }}
span.badge {{ background-color: {LIGHT.private}; color: {LIGHT.on_private}; font-weight: 600;
  font-size: 10px; }}
table {{ border-collapse: collapse; margin: 4px 0; }}
td, th {{ padding: 3px 18px 3px 0; border-bottom: 1px solid {LIGHT.border}; }}
th {{ font-weight: 600; }}
td.bar {{ background-color: {SOFT}; border-left: 4px solid {LIGHT.private}; border-bottom: 0;
  padding: 6px 12px; }}
td.view {{ background-color: {LIGHT.background}; border-left: 4px solid {LIGHT.accent}; border-bottom: 0;
  padding: 6px 12px; }}
"""


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
    sheet = QSizeF(writer.width(), writer.height()) * (UNITS / RESOLUTION)
    document = _document(report, QSizeF(sheet.width() - 2 * SIDE, sheet.height() - TOP - BOTTOM), progress)
    painter = QPainter(writer)
    try:
        painter.scale(RESOLUTION / UNITS, RESOLUTION / UNITS)
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        count = document.pageCount()
        for index in range(count):
            part(progress, 0.8, 1.0)(index / count, "drawing")
            if index:
                writer.newPage()
            _draw_edges(
                painter, sheet, report, document.defaultFont(), f"Page {index + 1} of {count}", index > 0
            )
            _draw_page(painter, document, index)
    finally:
        painter.end()
        buffer.close()
        # collect now: formula frames hold Qt objects that must end in this thread
        shiboken6.delete(document)
    return with_blanks(bytes(content.data()))


def with_blanks(content: bytes) -> bytes:
    """Make blanks searchable.

    If a font draws blank and tab alike, Qt writes both as tabs: a search for two words then fails, and
    copying yields tabs. Both have one length, so nothing else in the file moves.
    """

    def correct(match: re.Match[bytes]) -> bytes:
        return re.sub(rb"\[[^\]]*\]", lambda one: one[0].replace(b"<0009>", b"<0020>"), match[0])

    return re.sub(rb"begincmap.*?endcmap", correct, content, flags=re.DOTALL)


class _PrintWriter(HtmlWriter):
    """Writes a report in the HTML that a `QTextDocument` knows: bars and facts are tables, figures images."""

    folds = False
    badge = f'<span class="badge">&nbsp;{CONFIDENTIAL}&nbsp;</span>'

    def __init__(self, report: Report, document: QTextDocument, width: float, progress: Progress) -> None:
        super().__init__(report, progress)
        self._document = document
        self._width = width
        self._letter = QFontMetricsF(document.defaultFont()).xHeight()
        self._images = 0

    def _view(self, report: Report) -> str:
        return _bar(markup(report.view), "bar" if report.private else "view")

    def _paragraph(self, block: Paragraph) -> Iterator[str]:
        texts = list(super()._paragraph(block))
        yield from [_bar("".join(texts), "bar")] if block.warns else texts

    def _facts(self, facts: FactList) -> str:
        rows = "".join(
            f'<tr><td class="name" width="27%">{markup(name)}</td>'
            f"<td>{self._titled(text, facts.private).replace(chr(10), '<br>')}</td></tr>"
            for name, text in facts.rows
        )
        return f'<table width="100%" cellspacing="0">{rows}</table>'

    def _table(self, table: ReportTable) -> Iterator[str]:
        yield f'<h6>{self._titled(table.title, table.private)}</h6><table cellspacing="0">'
        for text in self._rows(table):
            # of classes Qt knows the name, but not that numbers stand to the right
            yield text.replace(" class=number", ' align="right"').replace(
                '<th scope="col">', '<th align="left">'
            )
        yield f'</table><p class="small">{markup(table.remark)}</p>' if table.remark else "</table>"

    def _figure(self, block: ReportFigure, name: str, step: Callable[[], None]) -> Iterator[str]:
        from app.plots.figure_panel import render

        picture = QImage.fromData(render(block.draw(), ".png", DPI))
        height = self._width * picture.height() / picture.width()
        yield f'<p class="figure">{self._image(picture, self._width, height)}</p>'
        yield f'<p class="small">{self._titled(block.said, block.private)}</p>'

    def _formula(self, tex: str, displayed: bool) -> str:
        try:
            drawn = outline(tex)
        except FormulaError:
            return escape(readable(tex))
        size, lift = self._letter / LOW, self._letter / 4
        if displayed:
            size = min(1.12 * size, (self._width - 30) / drawn.width)
            lift = (drawn.ascent - drawn.descent) / 2 * size
        picture = picture_of(drawn, size, lift, LIGHT.ink, SHARPNESS)
        return self._image(picture, picture.width() / SHARPNESS, picture.height() / SHARPNESS)

    def _image(self, picture: QImage, width: float, height: float) -> str:
        self._images += 1
        name = f"image:{self._images}"
        self._document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), picture)
        return f'<img src="{name}" width="{width:.0f}" height="{height:.0f}" style="vertical-align: middle">'


def _bar(text: str, kind: str) -> str:
    return f'<table width="100%" cellspacing="0"><tr><td class="{kind}">{text}</td></tr></table>'


def _document(report: Report, size: QSizeF, progress: Progress) -> QTextDocument:
    """Return the report laid out on pages of a size."""
    QEventLoop()  # the layout begins timers, which a thread of Python has no dispatcher for otherwise
    document = QTextDocument()
    font = QFont()
    font.setFamilies(list(FAMILIES))
    font.setPixelSize(round(BODY))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    # a ligature is one letter to whoever searches the file for a word
    font.setFeature(QFont.Tag("liga"), 0)
    document.setUseDesignMetrics(True)
    document.setDefaultFont(font)
    document.setDocumentMargin(0)
    document.setDefaultStyleSheet(STYLE)
    writer = _PrintWriter(report, document, size.width(), part(progress, 0.0, 0.8))
    document.setHtml(f"<body>{''.join(writer.body())}</body>")
    document.setPageSize(size)
    _keep_headings(document, size.height())
    return document


def _keep_headings(document: QTextDocument, height: float) -> None:
    """Begin a page where a heading would stand alone at the end of one."""

    def page_of(block: QTextBlock) -> float:
        top = document.documentLayout().blockBoundingRect(block).top()
        return (top + block.layout().lineAt(0).y()) // height

    block = document.begin()
    while block.isValid():
        following, form = block.next(), block.blockFormat()
        if form.headingLevel() and following.isValid() and page_of(block) != page_of(following):
            form.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            QTextCursor(block).setBlockFormat(form)
            # otherwise only a part is laid out anew, and what follows is lost
            document.markContentsDirty(0, document.characterCount())
        block = following


def _draw_page(painter: QPainter, document: QTextDocument, index: int) -> None:
    size = document.pageSize()
    painter.save()
    painter.translate(SIDE, TOP - index * size.height())
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = QRectF(0, index * size.height(), size.width(), size.height())
    # a formula may hang from the last line of the page before
    painter.setClipRect(context.clip.adjusted(0, 2, 0, 0))
    document.documentLayout().draw(painter, context)
    painter.restore()


def _draw_edges(
    painter: QPainter, sheet: QSizeF, report: Report, font: QFont, number: str, again: bool
) -> None:
    """Draw the banner, the title where it stands `again`, and the number of the page."""
    small = QFont(font)
    small.setPixelSize(11)
    width = sheet.width() - 2 * SIDE
    left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
    painter.setFont(small)
    painter.setPen(QColor(LIGHT.muted))
    foot, head = QRectF(SIDE, sheet.height() - BOTTOM + 20, width, 20), QRectF(SIDE, 44, width, 20)
    painter.drawText(foot, left, "Sensiscope")
    painter.drawText(foot, right, number)
    if again:
        title = QFontMetricsF(small).elidedText(clean(report.title), Qt.TextElideMode.ElideRight, width)
        painter.drawText(head, left, title)
    if report.private:
        painter.fillRect(QRectF(0, 0, sheet.width(), 32), QColor(LIGHT.private))
        small.setWeight(QFont.Weight.DemiBold)
        painter.setFont(small)
        painter.setPen(QColor(LIGHT.on_private))
        painter.drawText(QRectF(SIDE, 0, width, 32), left | Qt.AlignmentFlag.AlignVCenter, BANNER)
