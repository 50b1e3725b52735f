"""Shows one help page, with formulas at the resolution of the screen."""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Mapping

from PySide6.QtCore import QPointF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
    QPainterPath,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser

from app.model.texts.pages import HelpPage
from app.model.texts.plain import page_text, readable
from app.model.theme import Palette, mix
from app.model.wording.components import LINK
from app.plots.formula_outlines import CLOSE, CUBIC, LINE, MOVE, QUADRATIC, FormulaError, Outline, outline
from app.plots.markup_html import page_html
from app.widgets.style import THEME
from engine.progress import Progress

SIZE = 14
"""Font size, in pixels."""
LOW = 0.45
"""Height of an x in formulas, in multiples of their font size."""
DISPLAYED = 1.15
"""Scale of formulas on lines of their own."""
NARROWEST = 0.6
"""The smallest scale of a formula that must fit its line."""
MARGIN = 20
IMAGE = "formula:"

Pictures = Mapping[tuple[str, bool], QImage]
"""Formulas as pixels, inline (False) or on a line of their own (True); without those that cannot be drawn."""


@dataclasses.dataclass(frozen=True)
class FormulaStyle:
    """The sizes and the colour with which formulas are drawn."""

    letter: float  # height of an x in the text, in logical pixels
    room: float  # line width, in logical pixels
    ink: str  # as ``#RRGGBB``
    ratio: float  # device pixels for each logical pixel


def pictures_of(page: HelpPage, setting: FormulaStyle, progress: Progress) -> Pictures:
    """Return the formulas of a page as pixels; for a worker."""
    wanted = [
        (run.text, block.kind == "formula")
        for block in page.blocks
        for run in block.all_runs
        if run.kind == "formula"
    ]
    results: dict[tuple[str, bool], QImage] = {}
    for i, (tex, displayed) in enumerate(wanted):
        progress(i / len(wanted), "formulas")
        if (tex, displayed) not in results:
            try:
                drawn = outline(tex)
            except FormulaError:
                continue
            results[tex, displayed] = _set(drawn, displayed, setting)
    return results


def _set(drawn: Outline, displayed: bool, setting: FormulaStyle) -> QImage:
    size = setting.letter / LOW * (DISPLAYED if displayed else 1.0)
    if displayed:
        size *= min(1.0, max(NARROWEST, setting.room / (drawn.width * size)))
    return picture_of(drawn, size, 0.0 if displayed else setting.letter / 4, setting.ink, setting.ratio)


class PageView(QTextBrowser):
    """Shows a page. A link to another page emits a signal; the desktop opens all other links."""

    wanted = Signal(str)  # the key of another page

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Help page")
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_link)
        self.page: HelpPage | None = None
        self._pictures: Pictures = {}
        self._drawn: list[str] = []

    @property
    def setting(self) -> FormulaStyle:
        """The sizes and the colour of the text around formulas."""
        letter = QFontMetricsF(self._type).xHeight()
        room = self.viewport().width() - 2 * MARGIN * THEME.scale - 24
        return FormulaStyle(letter, room, THEME.palette.ink, self.devicePixelRatioF())

    def show_page(self, page: HelpPage, pictures: Pictures) -> None:
        """Show a page from its beginning; if it is open already, keep the position."""
        again = self.page is not None and self.page.key == page.key
        index = self.verticalScrollBar().value() if again else 0
        self.page, self._pictures = page, pictures
        self.setAccessibleDescription(page_text(page))
        self._draw()
        self.verticalScrollBar().setValue(index)

    def formula_at(self, position: QPointF) -> str:
        """Return the formula under the pointer, without dollars; "" for none."""
        name = self.document().documentLayout().imageAt(position)
        return self._drawn[int(name.removeprefix(IMAGE))] if name.startswith(IMAGE) else ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Add a menu entry that copies the formula under the pointer."""
        scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        formula = self.formula_at(QPointF(event.pos()) + scrolled)
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if formula:
            copying = menu.addAction("Copy formula as &LaTeX")
            copying.triggered.connect(lambda _=False, tex=formula: QGuiApplication.clipboard().setText(tex))
        menu.popup(event.globalPos())

    def _draw(self) -> None:
        assert self.page is not None
        document = self.document()
        document.clear()
        self._drawn = []
        document.setDocumentMargin(round(MARGIN * THEME.scale))
        document.setDefaultFont(self._type)
        document.setDefaultStyleSheet(_style(THEME.palette, THEME.scale))
        document.setHtml(f"<body>{page_html(self.page, self._formula)}</body>")

    def _formula(self, tex: str, displayed: bool) -> str:
        """Return the HTML of a formula, and add its picture to the document."""
        picture = self._pictures.get((tex, displayed))
        if picture is None:
            return f"<i>{html.escape(readable(tex), quote=False)}</i>"
        name = f"{IMAGE}{len(self._drawn)}"
        self._drawn.append(tex)
        self.document().addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), picture)
        width, height = (
            round(side / picture.devicePixelRatio()) for side in (picture.width(), picture.height())
        )
        return f'<img src="{name}" width="{width}" height="{height}" style="vertical-align: middle">'

    @property
    def _type(self) -> QFont:
        font = self.font()
        font.setPixelSize(round(SIZE * THEME.scale))
        return font

    def _on_link(self, link: QUrl) -> None:
        target = link.toString()
        if target.startswith(LINK):
            self.wanted.emit(target.removeprefix(LINK))
        else:
            QDesktopServices.openUrl(link)


def picture_of(drawn: Outline, size: float, lift: float, ink: str, ratio: float) -> QImage:
    """Return the picture of a formula, as high above its middle as below it.

    `size` is the font size, and `ratio` the number of device pixels for each logical pixel. The middle stands
    `lift` pixels above the baseline of the line.
    """
    half = math.ceil(max(drawn.ascent * size - lift, drawn.descent * size + lift) + 1)
    width = math.ceil(drawn.width * size) + 2
    picture = QImage(round(width * ratio), round(2 * half * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(1, half + lift)
    painter.scale(size, -size)
    painter.fillPath(path_of(drawn), QColor(ink))
    painter.end()
    return picture


def path_of(drawn: Outline) -> QPainterPath:
    """Return the outline of a formula set at size 1, with the baseline at y = 0 and y upwards."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for code, points in drawn.parts():
        ends = [QPointF(x, y) for x, y in points]
        if code == MOVE:
            path.moveTo(ends[0])
        elif code == LINE:
            path.lineTo(ends[0])
        elif code == QUADRATIC:
            path.quadTo(*ends)
        elif code == CUBIC:
            path.cubicTo(*ends)
        elif code == CLOSE:
            path.closeSubpath()
    return path


def _style(palette: Palette, scale: float) -> str:
    """Return the style sheet of a page."""

    def px(length: float) -> str:
        return f"{round(length * scale)}px"

    line = f"line-height: {round(22 * scale)}; -qt-line-height-type: fixed;"
    link = palette.text(palette.accent)
    return f"""
        body {{ color: {palette.ink}; }}
        h1 {{ font-size: {px(20)}; font-weight: 600; margin: 0 0 {px(6)} 0; }}
        h2 {{ font-size: {px(16)}; font-weight: 600; margin: {px(20)} 0 {px(4)} 0; }}
        p, li {{ margin: {px(5)} 0; {line} }}
        p.summary {{ color: {palette.muted}; font-size: {px(15)}; }}
        p.formula {{ margin: {px(10)} 0 {px(10)} {px(20)};
            -qt-line-height-type: proportional; line-height: 100; }}
        a {{ color: {link}; text-decoration: none; }}
        code, pre {{ font-family: "DejaVu Sans Mono", monospace; }}
        table.numbers {{ margin: {px(8)} 0; border-collapse: collapse; border-color: {palette.grid};
            border-style: solid; border-width: 1px; }}
        table.numbers td, table.numbers th {{ border-color: {palette.grid}; border-width: 1px;
            border-style: solid; padding: {px(4)} {px(9)}; }}
        table.numbers th {{ background-color: {palette.background}; }}
        table.errata, table.none {{ margin: {px(18)} 0 {px(4)} 0; border-collapse: collapse; }}
        table.errata td {{ background-color: {palette.tint(palette.private, 0.14)};
            border-left: 4px solid {palette.private}; padding: {px(4)} {px(14)} {px(10)} {px(14)}; }}
        table.none td {{ background-color: {palette.background};
            border-left: 4px solid {mix(palette.border, palette.ink, 0.08)};
            padding: {px(4)} {px(14)} {px(10)} {px(14)}; }}
        table.errata h2, table.none h2 {{ margin-top: {px(8)}; }}
        td table.numbers td {{ border-left-width: 1px; }}
    """
