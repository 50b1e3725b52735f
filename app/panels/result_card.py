"""The card of a release: value, error, cost, and buttons to copy it and save a report."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from app.model.release_record import ReleaseRecord
from app.model.theme import Palette
from app.releases.text import (
    answer_of,
    asked_words,
    copied_words,
    cost_words,
    flaws_of,
    kind_words,
    when_words,
)
from app.widgets.buttons import icon_button, push_button
from app.widgets.card import Title, caption, plain
from app.widgets.layouts import line_up, stack
from app.widgets.style import THEME, icon

MARGINS = (14, 0, 4, 0)
OTHERS = "Released: earlier settings"
TITLES = {True: "Simulated", False: "Released"}
FREE = "Simulated for the lesson: nothing released, no budget used."


class ResultCard(QFrame):
    """Shows one release until it is closed. It depends only on the record, so it can be shared.

    `earlier`: it comes from the list, so it shows its time and follows no settings.
    """

    closed = Signal()  # the user closed it
    report_wanted = Signal()  # save a report on it

    def __init__(self, record: ReleaseRecord, *, earlier: bool = False) -> None:
        super().__init__()
        self.record, self.earlier = record, earlier
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
        self.copy = push_button("Copy", "Copy the released value with all digits", self._on_copy)
        self.copy.setAccessibleName("Copy the result")
        tip = "Create a report (HTML or PDF; more options: Ctrl+P)"
        self.report = push_button("Report…", tip, self.report_wanted)
        self.report.setAccessibleName("Save a report")
        self.close_button = icon_button("close", "Back to the list (Esc)")
        self.close_button.setAccessibleName("Close the result")
        self.close_button.clicked.connect(self.closed)
        when = f" {when_words(record)}" if earlier else ""
        self._said = f"{kind}{when}: {asked_words(record)}"
        self.title = Title(self._said)
        self.title.setObjectName("released")
        self._answer = QWidget()
        parts = [(part, 0, Qt.AlignmentFlag.AlignBaseline) for part in (self.value, self.unit)]
        line_up(self._answer, *parts, None, spacing=6)
        left, middle = QWidget(), QWidget()
        stack(left, self.title, self._answer, None, spacing=1)
        stack(middle, self.lines, self.cost, None, spacing=1)
        top, buttons = Qt.AlignmentFlag.AlignTop, stack(None, self.copy, self.report, None, spacing=2)
        line_up(
            self, (left, 2), (middle, 3), buttons, (self.close_button, 0, top), margins=MARGINS, spacing=6
        )
        whole = f"{answer.value} {answer.unit}".strip()
        self.setAccessibleName(f"{kind}: {whole}. {'. '.join(answer.lines)}")
        THEME.follow(self.set_palette)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.close_button.setIcon(icon("close", palette.muted))

    def show_current(self, current: bool) -> None:
        """Show whether it belongs to the current settings; dim it if not. An earlier one shows its date."""
        if self.earlier or self.property("stale") == (not current):
            return
        self.setProperty("stale", not current)
        for label in (self, *self.findChildren(QLabel)):
            label.style().unpolish(label)
            label.style().polish(label)
        self.title.set_text(self._said if current else OTHERS, self._said)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(copied_words(self.record))
