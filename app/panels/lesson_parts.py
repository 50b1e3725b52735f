"""What a step of a lesson is shown with: the line of steps, paragraphs, and hints."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.model.theme import Palette
from app.widgets.layouts import line_up, stack
from app.widgets.style import icon

SIGN = 16
BETWEEN = 3
"""Pixels between the parts of the line of steps."""


class StepLine(QWidget):
    """A line of as many pieces as there are steps, coloured up to the one that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(4)
        self._place, self._steps = 0, 1
        self._palette: Palette | None = None

    def show_place(self, index: int, steps: int) -> None:
        """Colour the pieces up to the step at `index`, counted from 0."""
        self._place, self._steps = index, steps
        self.setAccessibleName(f"Step {index + 1} of {steps}")
        self.update()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pieces."""
        if self._palette is None:
            return
        painter = QPainter(self)
        piece = (self.width() + BETWEEN) / self._steps
        for step in range(self._steps):
            colour = self._palette.accent if step <= self._place else self._palette.border
            left, right = round(step * piece), round((step + 1) * piece) - BETWEEN
            painter.fillRect(left, 0, right - left, self.height(), QColor(colour))


class Paragraphs(QWidget):
    """Markdown whose paragraphs stand apart, as they do not in one label."""

    def __init__(self) -> None:
        super().__init__()
        self._column = stack(self, spacing=6)
        self._labels: list[QLabel] = []

    def set_text(self, text: str) -> None:
        """Show the paragraphs, between which there are empty lines."""
        paragraphs = [part for part in text.split("\n\n") if part.strip()]
        while len(self._labels) < len(paragraphs):
            label = named_label("text")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.MarkdownText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._labels.append(label)
            self._column.addWidget(label)
        for index, label in enumerate(self._labels):
            label.setText(paragraphs[index] if index < len(paragraphs) else "")
            label.setVisible(index < len(paragraphs))


class Hint(QWidget):
    """A line with an icon: where to look, or what to try."""

    def __init__(self, name: str, word: str) -> None:
        super().__init__()
        self._name, self._word = name, word
        self._sign = QLabel()
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.MarkdownText)
        line_up(self, (self._sign, 0, Qt.AlignmentFlag.AlignTop), (self.words, 1), spacing=8)

    def set_text(self, text: str) -> None:
        """Show the words, if there are any."""
        self.words.setText(f"**{self._word}:** {text}")
        self.setVisible(bool(text))

    def set_look(self, palette: Palette, scale: float) -> None:
        """Take the colours of a theme, and type at that size."""
        size = round(SIGN * scale)
        self._sign.setPixmap(icon(self._name, palette.accent, size=size).pixmap(size, size))


def named_label(name: str) -> QLabel:
    """Return an empty label that styles know by a name."""
    label = QLabel()
    label.setObjectName(name)
    return label
