"""One contender as users see it: its colour, what it is called, and a way to leave it out."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from app.model.theme import Palette
from app.model.wording.formatting import escape
from app.model.wording.numbers import number
from app.plots.compare.contender_style import ContenderStyle, contender_style
from app.widgets.style import icon
from engine.comparison import ComparedMechanism
from engine.parameters import Parameterised

WIDEST = 250
"""Pixels that the label of a contender takes at most, in type of ordinary size."""
ORDINARY = 17
"""Height of a line of type of that size."""


class Swatch(QWidget):
    """A piece of the line that a contender has in pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(26, 14)
        self._style: ContenderStyle | None = None

    def show_style(self, style: ContenderStyle) -> None:
        """Draw in that colour, with those dashes."""
        self._style = style
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the line."""
        if self._style is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(self._style.colour), self._style.stroke.width + 0.6)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if self._style.stroke.dashes:
            pen.setDashPattern([max(0.1, length) for length in self._style.stroke.dashes])
        painter.setPen(pen)
        middle = self.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(self.width() - 1, middle))


class NameLabel(QLabel):
    """A name that is cut short where it is longer than the room for it."""

    def __init__(self, name: str, widest: int = WIDEST) -> None:
        super().__init__(name)
        self.name = name
        self._widest = widest
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        """Ask for the room of the whole name, within limits."""
        wish = self.fontMetrics().horizontalAdvance(self.name) + 4
        most = round(self._widest * self.fontMetrics().height() / ORDINARY)
        return QSize(min(wish, most), super().sizeHint().height())

    def set_name(self, name: str) -> None:
        """Change the name."""
        self.name = name
        self.setText(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, self.width()))
        self.setToolTip(escape(name))
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Give way before the window must."""
        return QSize(min(60, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the name to the room."""
        super().resizeEvent(event)
        self.setText(self.fontMetrics().elidedText(self.name, Qt.TextElideMode.ElideRight, self.width()))


class Chip(QFrame):
    """Shows a contender.

    Signals
    -------
    removed()
        The user wants to leave it out.
    """

    removed = Signal()

    def __init__(self, place: int, look: int, contender: ComparedMechanism, problem: str) -> None:
        super().__init__()
        self.setObjectName("chip")
        self.setProperty("unfit", bool(problem))
        self.place = place
        self._look = look
        self.swatch = Swatch()
        self.label = NameLabel(contender.label)
        self.remove = QToolButton()
        self.remove.setToolTip(escape(f"Leave out: {contender.label}"))
        self.remove.setAccessibleName(f"Leave out: {contender.label}")
        self.remove.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.remove.clicked.connect(self.removed)
        summary = contender.mechanism.summary
        facts = [contender.label, parameter_words(contender.mechanism), summary]
        if problem:
            facts.append(f"Does not fit here: {problem}")
        self.setToolTip(escape("\n".join(fact for fact in facts if fact)))
        self.setAccessibleName(contender.label)
        self.setAccessibleDescription("; ".join(fact for fact in facts[1:] if fact))
        line = QHBoxLayout(self)
        line.setContentsMargins(7, 1, 1, 1)
        line.setSpacing(5)
        line.addWidget(self.swatch)
        line.addWidget(self.label)
        line.addWidget(self.remove)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.swatch.show_style(contender_style(self._look, palette))
        self.remove.setIcon(icon("close", palette.muted, size=12))
        self.remove.setIconSize(QSize(12, 12))


def parameter_words(component: Parameterised) -> str:
    """Write all parameters of a mechanism and of its parts."""
    results = []
    for declared in component.parameters():
        value: Any = getattr(component, declared.name)
        if isinstance(value, Parameterised):
            inside = parameter_words(value)
            text = getattr(value, "label", declared.label)
            results.append(f"{declared.kind}: {text}{f' ({inside})' if inside else ''}")
        elif not declared.is_component:
            written = number(value, 6) if isinstance(value, int | float) else str(value)
            results.append(f"{declared.label} {written}")
    return ", ".join(results)
