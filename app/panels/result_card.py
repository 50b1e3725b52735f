"""The card of a release: the value, large, how far it may be off, what it cost, and a way to copy it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton

from app.model.release_record import ReleaseRecord
from app.releases.text import answer_of, asked_words, copied_words, cost_words, flaws_of, kind_words
from app.theme import Palette
from app.widgets.card import Title, caption, plain, set_text
from app.widgets.layouts import line_up, stack
from app.widgets.style import icon

WIDTH = 330
"""Most pixels that it takes, times the size of type."""
INSET = QPoint(96, 34)
"""Where it stands on a curve: right of the ticks, below the name of the axis."""
EDGE = 8
"""Pixels to the edges in the corner of a map, which has room at its right."""
OTHERS = "The settings have changed since: this is the answer to the earlier ones."
TITLES = {True: "Simulated", False: "Released"}
FREE = "Simulated for the lesson: nothing was released, nothing spent."


class ResultCard(QFrame):
    """Shows one release, until it is closed.

    All on it can be shared: it is told by the record of the release alone.

    Signals
    -------
    closed()
        The user has seen it.
    report_wanted()
        A report on it is to be saved.

    Attributes
    ----------
    record : ReleaseRecord
    """

    closed = Signal()
    report_wanted = Signal()

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
        self.copy.setToolTip("Copy the released value, with all of its digits")
        self.copy.clicked.connect(self._on_copy)
        self.report = QPushButton("Report…")
        self.report.setAccessibleName("Save a report")
        self.report.setToolTip("Save what was released and how, as HTML or PDF (more choices: Ctrl+P)")
        self.report.clicked.connect(self.report_wanted)
        self.report.setHidden(record.release.simulated)
        self.close_button = QToolButton()
        self.close_button.setProperty("icon_name", "close")
        self.close_button.setAccessibleName("Close the result")
        self.close_button.setToolTip("Close (Esc); the release stays in the list below")
        self.close_button.clicked.connect(self.closed)
        self._title = Title(f"{kind}: {asked_words(record)}")
        self._title.setObjectName("released")
        self._title.wrap()
        value = line_up(
            None,
            (self.value, 0, Qt.AlignmentFlag.AlignBaseline),
            (self.unit, 0, Qt.AlignmentFlag.AlignBaseline),
            None,
            self.copy,
            spacing=6,
        )
        head = line_up(None, (self._title, 1), self.close_button, spacing=6)
        told = line_up(None, (self.cost, 1), (self.report, 0, Qt.AlignmentFlag.AlignBottom), spacing=6)
        stack(self, head, value, self.lines, told, self.stale, margins=(14, 8, 10, 10), spacing=3)
        whole = f"{answer.value} {answer.unit}".strip()
        self.setAccessibleName(f"{kind}: {whole}. {'. '.join(answer.lines)}")

    def set_look(self, palette: Palette, scale: float) -> None:
        """Take the colours of a theme, and type of another size."""
        self._scale = scale
        self.close_button.setIcon(icon("close", palette.muted))

    def show_current(self, current: bool) -> None:
        """Say whether it belongs to what is chosen now, and stand back where it does not."""
        if self.property("stale") == (not current):
            return
        self.setProperty("stale", not current)
        for label in (self, *self.findChildren(QLabel)):
            label.style().unpolish(label)
            label.style().polish(label)
        set_text(self.stale, "" if current else OTHERS)

    def place(self, room: QRect, *, beside: bool) -> None:
        """Stand in the upper left corner of a picture, or `beside` a map in the lower right one."""
        width = min(round(WIDTH * self._scale), room.width() - 2 * EDGE)
        size = QSize(width, max(self.heightForWidth(width), self.minimumSizeHint().height()))
        inset = INSET * self._scale
        last = QPoint(room.width() - size.width() - EDGE, room.height() - size.height() - EDGE)
        corner = last if beside else QPoint(min(inset.x(), last.x()), inset.y())
        self.setGeometry(QRect(room.topLeft() + corner, size))
        self.raise_()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(copied_words(self.record))
