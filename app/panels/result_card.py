"""The card of a release: value, error, cost, and buttons to copy it and save a report."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QToolButton, QWidget

from app.model.release_record import ReleaseRecord
from app.model.theme import Palette
from app.releases.text import answer_of, asked_words, copied_words, cost_words, flaws_of, kind_words
from app.widgets.card import Title, caption, plain, set_text
from app.widgets.layouts import line_up
from app.widgets.style import icon

WIDTH = 330
"""The largest width in pixels, at ordinary font size."""
EDGE = 8
"""Margin to the edges of the picture, in pixels."""
MARGINS = (14, 8, 10, 10)
OTHERS = "Released with earlier settings"
TITLES = {True: "Simulated", False: "Released"}
FREE = "Simulated for the lesson: nothing released, no budget used."


class ResultCard(QFrame):
    """Shows one release until it is closed. It depends only on the record of the release, so it can be
    shared.
    """

    closed = Signal()  # the user closed it
    report_wanted = Signal()  # save a report on it

    def __init__(self, record: ReleaseRecord) -> None:
        super().__init__()
        self.record = record
        self._scale = 1.0
        self.setObjectName("result")
        answer = answer_of(record)
        kind = TITLES[record.release.simulated]
        self.value = plain(answer.value)
        self.value.setObjectName("answer")
        self.unit = plain(answer.unit)
        self.unit.setObjectName("unit")
        self.lines = caption("\n".join(answer.lines))
        cost = FREE if record.release.simulated else cost_words(record)
        flawed = not record.release.simulated and flaws_of(record)
        self.cost = caption(f"{cost}\nIt is a {kind_words(record)}." if flawed else cost)
        self.stale = caption(OTHERS)
        self.stale.hide()
        self.copy = QPushButton("Copy")
        self.copy.setAccessibleName("Copy the result")
        self.copy.setToolTip("Copy the released value with all digits")
        self.copy.clicked.connect(self._on_copy)
        self.report = QPushButton("Report…")
        self.report.setAccessibleName("Save a report")
        self.report.setToolTip("Create a report (HTML or PDF; more options: Ctrl+P)")
        self.report.clicked.connect(self.report_wanted)
        if record.release.simulated:
            self.report.hide()
        self.close_button = QToolButton()
        self.close_button.setProperty("icon_name", "close")
        self.close_button.setAccessibleName("Close the result")
        self.close_button.setToolTip("Close (Esc); the release stays in the list below")
        self.close_button.clicked.connect(self.closed)
        self._title = Title(f"{kind}: {asked_words(record)}")
        self._title.setObjectName("released")
        self._title.wrap()
        self._answer = QWidget()
        line_up(
            self._answer,
            (self.value, 0, Qt.AlignmentFlag.AlignBaseline),
            (self.unit, 0, Qt.AlignmentFlag.AlignBaseline),
            None,
            spacing=6,
        )
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(*MARGINS)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(3)
        self._lies = False
        self._arrange()
        whole = f"{answer.value} {answer.unit}".strip()
        self.setAccessibleName(f"{kind}: {whole}. {'. '.join(answer.lines)}")

    def set_look(self, palette: Palette, scale: float) -> None:
        """Set colours and font size."""
        self._scale = scale
        self.close_button.setIcon(icon("close", palette.muted))

    def show_current(self, current: bool) -> None:
        """Show whether it belongs to the current settings; dim it if not."""
        if self.property("stale") == (not current):
            return
        self.setProperty("stale", not current)
        for label in (self, *self.findChildren(QLabel)):
            label.style().unpolish(label)
            label.style().polish(label)
        set_text(self.stale, "" if current else OTHERS)

    def lie(self, flat: bool) -> None:
        """Lay out the card in a line below a picture, or as a column on one."""
        if flat != self._lies:
            self._lies = flat
            self._arrange()

    def size_on(self, room: QSize) -> QSize:
        """Return the size of the card on a picture of that size."""
        width = min(round(WIDTH * self._scale), room.width() - 2 * EDGE)
        return QSize(width, max(self.heightForWidth(width), self.minimumSizeHint().height()))

    def move_into(self, room: QRect, corner: QPoint) -> None:
        """Move the card to a corner of a picture, or as near as it fits."""
        size = self.size_on(room.size())
        last = QPoint(room.width() - size.width() - EDGE, room.height() - size.height() - EDGE)
        within = QPoint(min(corner.x(), last.x()), min(corner.y(), last.y()))
        self.setGeometry(QRect(room.topLeft() + within, size))
        self.raise_()

    def _arrange(self) -> None:
        """Place all parts in the grid: row, column, row span and column span of each."""
        flat = self._lies
        for part, tall, wide in (
            (self._title, (0, 0, 1, 2), (0, 0, 1, 1)),
            (self.close_button, (0, 2, 1, 1), (0, 4, 3, 1)),
            (self._answer, (1, 0, 1, 2), (1, 0, 2, 1)),
            (self.copy, (1, 2, 1, 1), (0, 2, 3, 1)),
            (self.lines, (2, 0, 1, 3), (0, 1, 1, 1)),
            (self.cost, (3, 0, 1, 2), (1, 1, 1, 1)),
            (self.report, (3, 2, 1, 1), (0, 3, 3, 1)),
            (self.stale, (4, 0, 1, 3), (2, 1, 1, 1)),
        ):
            self._grid.removeWidget(part)
            aside = part in (self.copy, self.report, self.close_button)
            bottom = Qt.AlignmentFlag.AlignBottom if part is self.report else Qt.AlignmentFlag.AlignVCenter
            how = Qt.AlignmentFlag.AlignRight | (Qt.AlignmentFlag.AlignVCenter if flat else bottom)
            self._grid.addWidget(part, *(wide if flat else tall), how if aside else Qt.AlignmentFlag(0))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(copied_words(self.record))
