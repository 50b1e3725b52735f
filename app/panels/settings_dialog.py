"""The settings, drawn from their table: they take effect at once, and Cancel puts back what was."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.model.wording.formatting import escape
from app.settings import DEFAULTS, SETTINGS, Setting, Settings
from app.widgets.card import Card
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, combo

NOWHERE = "not on the disk"
PLACE = 160
"""Least width of where the ledger is."""
AROUND = 130
"""Margins, gaps and the arrow of a choice, beside label and words."""
LEDGER_HELP = "Where every release is written down, before its value is shown"


class SettingRow(FormRow):
    """The row of one setting."""

    def __init__(self, setting: Setting, settings: Settings) -> None:
        self.setting = setting
        self._settings = settings
        self.box: QComboBox | NumberBox
        name = setting.label.replace("&", "")
        if setting.kind == "choice":
            self.box = combo(name)
            for key, words in setting.choices.items():
                self.box.addItem(words, key)
            self.box.activated.connect(self._on_choice)
        else:
            self.box = NumberBox(name, whole=setting.kind == "whole")
            self.box.edited.connect(self._on_number)
            self.box.refused.connect(self.refuse)
        editors = (self.box, QLabel(setting.unit)) if setting.unit else (self.box,)
        super().__init__(setting.label, *editors, help=setting.help, fields=[setting.name])
        if isinstance(self.box, NumberBox) and setting.kind == "optional":
            self.box.lineEdit().setPlaceholderText("none")
            self.box.lineEdit().editingFinished.connect(self._on_emptied)
        self.show_value(settings[setting.name])

    def show_value(self, value: Any) -> None:
        """Show what is set."""
        if isinstance(self.box, QComboBox):
            self.box.setCurrentIndex(self.box.findData(value))
        else:
            self.box.set_value(value)
        self.show_problem("")

    def _on_choice(self, index: int) -> None:
        self._take(self.box.itemData(index))  # type: ignore[union-attr]

    def _on_number(self, value: float, _: bool) -> None:
        if self.setting.kind == "whole" and not float(value).is_integer():
            self.refuse(f"{value:g} is not a whole number")
        else:
            self._take(int(value) if self.setting.kind == "whole" else value)

    def _on_emptied(self) -> None:
        assert isinstance(self.box, NumberBox)
        if not self.box.text().strip():
            self._take(None)

    def _take(self, value: Any) -> None:
        self.settle()
        try:
            self._settings.change(**{self.setting.name: value})
        except ValueError as error:
            self.refuse(str(error))


class LedgerRow(FormRow):
    """Says where the ledger lies, and opens the folder."""

    def __init__(self, ledger: Path | None) -> None:
        self._ledger = ledger
        self.place = QLineEdit(NOWHERE if ledger is None else str(ledger))
        self.place.setReadOnly(True)
        self.place.setAccessibleName("The ledger of releases")
        self.place.setCursorPosition(0)
        self.place.setMinimumWidth(PLACE)
        self.open_button = QPushButton("Open fol&der")
        self.open_button.setToolTip("Show the ledger among the other files")
        self.open_button.setEnabled(ledger is not None)
        self.open_button.clicked.connect(self._open)
        super().__init__("Ledger", self.place, help=LEDGER_HELP)
        self.place.setToolTip(escape(self.place.text()) if ledger else LEDGER_HELP)
        self.add_beside(self.open_button)

    def _open(self) -> None:
        assert self._ledger is not None
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._ledger.parent)))


class SettingsDialog(QDialog):
    """Shows and edits all settings.

    Parameters
    ----------
    settings : Settings
    ledger : Path, optional
        Where releases are written down.

    Attributes
    ----------
    rows : dict of str to SettingRow
        By the names of the settings.
    """

    def __init__(self, settings: Settings, ledger: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._before = settings.values
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Settings")
        self.setMinimumSize(QSize(520, 0))
        self.rows = {name: SettingRow(one, settings) for name, one in SETTINGS.items()}
        self.ledger = LedgerRow(ledger)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(10)
        for group, members in groupby(SETTINGS.values(), key=lambda one: one.group):
            more = [self.ledger] if group == "Budget" else []
            column.addWidget(self._card(group, [*(self.rows[one.name] for one in members), *more]))
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        restore = self.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        restore.setText("Restore defaul&ts")
        restore.setToolTip("Set everything here as it was at the very beginning")
        restore.clicked.connect(self.restore)
        column.addWidget(self.buttons)
        settings.changed.connect(self._follow)

    def restore(self) -> None:
        """Set everything as it was at the very beginning."""
        self._settings.change(**DEFAULTS)
        for name, row in self.rows.items():
            row.show_value(self._settings[name])

    def show_setting(self, name: str) -> None:
        """Bring the keyboard to one setting."""
        self.rows[name].box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def reject(self) -> None:
        """Put back everything as it was when the dialog was opened, and close."""
        self._settings.change(**self._before)
        super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        """Give labels and choices the room that the longest of each needs, whatever the size of type."""
        metrics = self.rows["theme"].label.fontMetrics()
        rows = (*self.rows.values(), self.ledger)
        labels = max(metrics.horizontalAdvance(row.label.text()) for row in rows)
        for row in rows:
            row.label.setFixedWidth(labels)
        words = (words for setting in SETTINGS.values() for words in setting.choices.values())
        self.setMinimumWidth(labels + max(map(metrics.horizontalAdvance, words)) + AROUND)
        super().showEvent(event)

    def _card(self, title: str, rows: Iterable[QWidget]) -> Card:
        card = Card(title)
        for row in rows:
            card.body.addWidget(row)
        return card

    def _follow(self, names: frozenset[str]) -> None:
        """Show what was set here, or elsewhere."""
        for name in names:
            self.rows[name].show_value(self._settings[name])
