"""The settings dialog: changes apply at once, and Cancel reverts them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QWidget

from app.model.preferences import DEFAULTS, GROUPS, SETTINGS, SHOWN_WITH
from app.model.wording.numbers import escape
from app.settings import Settings
from app.widgets.buttons import push_button
from app.widgets.card import Card, Remarks, caption, set_text
from app.widgets.dialogs import room_for
from app.widgets.form_row import FormRow
from app.widgets.layouts import ScrolledColumn, stack
from app.widgets.value_editors import ParameterForm, ParameterRow
from engine.errors import ParameterError

NOWHERE = "not on the disk"
PATH_WIDTH = 160
"""Least width of the path of the ledger, in pixels."""
AROUND = 130
"""Width of margins, gaps and arrow beside label and text, in pixels."""
LEDGER_HELP = "Stores every release before its value is shown"


class LedgerRow(FormRow):
    """Shows the path of the ledger, and opens its folder."""

    def __init__(self, ledger: Path | None) -> None:
        self._ledger = ledger
        self.path = QLineEdit(NOWHERE if ledger is None else str(ledger), readOnly=True)
        self.path.setAccessibleName("The ledger of releases")
        self.path.setCursorPosition(0)
        self.path.setMinimumWidth(PATH_WIDTH)
        self.open_button = push_button("Open fol&der", "Show the ledger in its folder", self._open)
        self.open_button.setEnabled(ledger is not None)
        super().__init__("Ledger", self.path, help=LEDGER_HELP)
        self.path.setToolTip(escape(self.path.text()) if ledger else LEDGER_HELP)
        self.add_beside(self.open_button)

    def _open(self) -> None:
        assert self._ledger is not None
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._ledger.parent)))


class SettingsDialog(QDialog):
    """Shows and edits all settings; `rows` maps their names to rows."""

    def __init__(self, settings: Settings, ledger: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._before = settings.values
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Settings")
        self.setMinimumSize(QSize(520, 0))
        self.rows: dict[str, ParameterRow] = {}
        self._said: dict[str, QLabel] = {}
        self.remarks = Remarks(("caption",), lambda: self.rows.values())
        self.ledger = LedgerRow(ledger)
        cards = [self._card(group, names) for group, names in GROUPS.items()]
        cards[-1].body.addWidget(self.ledger)  # the last one is about the budget
        inside = QWidget()
        stack(inside, *cards, None, spacing=10)
        self.area = ScrolledColumn(inside, spacing=0)
        column = stack(self, (self.area, 1), self.remarks, margins=12, spacing=10)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        restore = self.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        restore.setText("Restore defaul&ts")
        restore.setToolTip("Set all settings to their defaults")
        restore.clicked.connect(self.restore)
        column.addWidget(self.buttons)
        settings.changed.connect(self._follow)

    def restore(self) -> None:
        self._settings.change(**DEFAULTS)
        self._follow(frozenset(SETTINGS))

    def show_setting(self, name: str) -> None:
        self.rows[name].box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def reject(self) -> None:
        """Revert all changes since the dialog was opened, and close."""
        self._settings.change(**self._before)
        super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        for child in self.findChildren(QWidget):
            child.ensurePolished()
        self._measure()
        super().showEvent(event)

    def _measure(self) -> None:
        """Fit the columns to the longest label and the longest choice."""
        metrics = self.rows["theme"].label.fontMetrics()
        rows = (*self.rows.values(), self.ledger)
        labels = max(metrics.horizontalAdvance(row.label.text()) for row in rows)
        for row in rows:
            row.label.setFixedWidth(labels)
        text = (text for setting in SETTINGS.values() for text in setting.choice_labels)
        most = room_for(self)
        width = labels + max(map(metrics.horizontalAdvance, text)) + AROUND
        self.setMinimumWidth(min(width, most.width()))
        self.resize(self.sizeHint().expandedTo(self.minimumSize()).boundedTo(most))

    def _card(self, title: str, names: Iterable[str]) -> Card:
        card, form = Card(title), ParameterForm()
        card.put(form)
        form.show_parameters(tuple(SETTINGS[name] for name in names), self._settings.values)
        form.edited.connect(self._on_edited)
        for row in form.rows.values():
            around = SHOWN_WITH[row.declared.name]
            if around["empty"]:
                row.show_empty(around["empty"])
            if around["caution"]:
                row.add_below(caption(around["caution"]))
        card.remarks = self.remarks
        self.rows |= form.rows
        return card

    def say(self, name: str, text: str, wrong: bool) -> None:
        """Show the state of a setting below it."""
        row = self.rows[name]
        row.show_problem(text if wrong else "")
        if name not in self._said:
            self._said[name] = caption()
            row.add_below(self._said[name])
        set_text(self._said[name], "" if wrong else text[:1].upper() + text[1:])

    def _on_edited(self, name: str, value: object, continuous: bool) -> None:
        if isinstance(value, str):
            if continuous:  # half an address is another address
                return
            value = value.strip()
        row = self.rows[name]
        row.settle()
        try:
            self._settings.change(**{name: value})
        except ParameterError as error:
            row.refuse(error.problem)

    def _follow(self, names: frozenset[str]) -> None:
        for name in names:
            self.rows[name].set_value(self._settings[name])
            self.rows[name].show_problem("")
        if "size" in names and self.isVisible():
            QTimer.singleShot(0, self, self._measure)  # in the font of that time
