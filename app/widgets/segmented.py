"""Two or three choices side by side, one of them checked."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QButtonGroup, QPushButton, QWidget

from app.model.theme import Palette
from app.widgets.style import icon

ICON = 16


class Segmented(QWidget):
    """Push buttons that exclude each other."""

    chosen = Signal(str)  # the key that the user chose

    def __init__(self, name: str, choices: dict[str, tuple[str, str, str]]) -> None:
        """Take `choices` as key -> (text, icon or "", tip)."""
        super().__init__()
        self.setAccessibleName(name)
        self._icons = {key: picture for key, (_, picture, _) in choices.items()}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, QPushButton] = {}
        self._texts = {key: text for key, (text, _, _) in choices.items()}
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(4)
        for key, (text, picture, tip) in choices.items():
            button = QPushButton(text)
            button.setObjectName("segment")
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setProperty("key", key)
            button.setProperty("plain", not picture)
            self._group.addButton(button)
            self._buttons[key] = button
            button.setAccessibleName(text)
            self._line.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)

    def show_choice(self, key: str) -> None:
        """Show which one holds."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QPushButton:
        return self._buttons[key]

    def set_compact(self, compact: bool) -> None:
        """Show icons one above the other, or words side by side."""
        directions = QBoxLayout.Direction
        self._line.setDirection(directions.TopToBottom if compact else directions.LeftToRight)
        for key, button in self._buttons.items():
            button.setText("" if compact else self._texts[key])

    def set_scale(self, scale: float) -> None:
        for button in self._buttons.values():
            button.setIconSize(QSize(1, 1) * round(ICON * scale))

    def set_palette(self, palette: Palette) -> None:
        for key, button in self._buttons.items():
            if self._icons[key]:
                button.setIcon(icon(self._icons[key], palette.muted, palette.card, ICON))

    def _on_clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(button.property("key"))
