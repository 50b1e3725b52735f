"""A chain of stages as boxes with arrows between them; each can be opened with mouse or keyboard."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QPushButton, QSizePolicy, QWidget

from app.model.theme import LIGHT, Palette
from app.widgets.layouts import line_up

LINES = 2
"""Facts below the name of a stage."""
PAD = 6
GAP, NARROW_GAP = 18, 9
"""Room for an arrow."""
NARROW = 640
"""Width below which arrows are short."""
DOT = 5
"""Diameter of the mark of a private fact."""


@dataclasses.dataclass(frozen=True)
class Fact:
    """One line about a stage."""

    text: str
    private: bool = False


class StageBox(QAbstractButton):
    """A box with the name of a stage and the facts about it."""

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self._palette = LIGHT
        self.facts: tuple[Fact, ...] = ()
        self.setText(name)
        self._tip = tip
        self.setToolTip(tip)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # all stages are of the same width, whatever they say
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show other facts."""
        if tuple(facts) != self.facts:
            self.facts = tuple(facts)
            said = "; ".join(f"{fact.text}{' (confidential)' * fact.private}" for fact in facts)
            self.setAccessibleDescription(said)
            self.setToolTip(f"{self._tip}\n{said}" if said else self._tip)
            self.update()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Never be narrower than the name, at whatever size it is written."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.setMinimumWidth(self.minimumSizeHint().width())

    def sizeHint(self) -> QSize:
        widest = max((self._small.horizontalAdvance(fact.text) for fact in self.facts), default=0)
        width = max(widest, QFontMetrics(self._bold).horizontalAdvance(self.text()))
        return QSize(width + 2 * PAD + DOT + 4, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        height = QFontMetrics(self._bold).height() + LINES * self._small.height() + 2 * PAD
        return QSize(QFontMetrics(self._bold).horizontalAdvance(self.text()) + 2 * PAD, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, painter = self._palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = self.isChecked()
        back = palette.tint(palette.accent, 0.14 if chosen else 0.0)
        if self.underMouse() and not chosen:
            back = palette.tint(palette.ink, 0.06)
        edge = palette.accent if chosen or self.hasFocus() else palette.border
        painter.setPen(QPen(QColor(edge), 2.0 if self.hasFocus() else 1.2))
        painter.setBrush(QColor(back))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -2, -2), 6, 6)
        left, width = PAD, self.width() - 2 * PAD
        bold = QFontMetrics(self._bold)
        painter.setFont(self._bold)
        painter.setPen(QColor(palette.ink))
        painter.drawText(QRect(left, PAD, width, bold.height()), Qt.AlignmentFlag.AlignLeft, self.text())
        top = PAD + bold.height()
        painter.setFont(self._font(0.92))
        for fact in self.fitting(width):
            self._draw_fact(painter, fact, QRect(left, top, width, self._small.height()))
            top += self._small.height()
        painter.end()

    def fitting(self, width: int) -> list[Fact]:
        """Return the facts that can be read whole; what is left out of large type stands in the tip."""
        return [
            fact
            for fact in self.facts[:LINES]
            if self._small.horizontalAdvance(fact.text) + (DOT + 4) * fact.private <= width
        ]

    def _draw_fact(self, painter: QPainter, fact: Fact, rect: QRect) -> None:
        if fact.private:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._palette.private))
            middle = rect.center().y() + 1
            painter.drawEllipse(QPointF(rect.left() + DOT / 2, middle), DOT / 2, DOT / 2)
            rect = rect.adjusted(DOT + 4, 0, 0, 0)
        painter.setPen(QColor(self._palette.ink if self.isChecked() else self._palette.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, fact.text)

    def _font(self, share: float, *, bold: bool = False) -> QFont:
        font = QFont(self.font())
        size = font.pixelSize()
        if size > 0:
            font.setPixelSize(round(size * share))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    @property
    def _bold(self) -> QFont:
        return self._font(1.0, bold=True)

    @property
    def _small(self) -> QFontMetrics:
        return QFontMetrics(self._font(0.92))


class Pipeline(QWidget):
    """Stages side by side, one of them open; separate stages have no arrows."""

    chosen = Signal(str)  # the stage that the user opened

    def __init__(self, name: str, stages: Mapping[str, tuple[str, str]], apart: Collection[str] = ()) -> None:
        """Take `stages` as key -> (name, tip)."""
        super().__init__()
        self.setAccessibleName(name)
        self._palette = LIGHT
        self._apart = apart
        self.stages = {key: StageBox(*texts) for key, texts in stages.items()}
        self._beside: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._line = line_up(self, spacing=GAP)
        for key, stage in self.stages.items():
            stage.setProperty("key", key)
            self._group.addButton(stage)
            self._line.addWidget(stage, 1)  # with a stretch, room is left for every name
        self._group.buttonClicked.connect(self._on_clicked)

    def beside(self, key: str, name: str, tip: str) -> QPushButton:
        """Return a button that opens something else than a stage; it stands wherever there is room."""
        button = QPushButton(name)
        button.setObjectName("segment")
        button.setProperty("plain", True)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.setProperty("key", key)
        self._group.addButton(button)
        self._beside[key] = button
        return button

    @property
    def shown(self) -> list[str]:
        """The stages that there are now."""
        return [key for key, stage in self.stages.items() if not stage.isHidden()]

    def show_only(self, keys: Sequence[str]) -> None:
        """Leave out all other stages."""
        for key, stage in self.stages.items():
            stage.setVisible(key in keys)
        self.update()

    def show_choice(self, key: str) -> None:
        """Show what is open: a stage, or what stands beside."""
        (self.stages.get(key) or self._beside[key]).setChecked(True)

    def show_facts(self, facts: Mapping[str, Sequence[Fact]]) -> None:
        """Show what is known about each stage."""
        for key, stage in self.stages.items():
            stage.show_facts(facts.get(key, ()))

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        for stage in self.stages.values():
            stage.set_palette(palette)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._space()

    def event(self, event: QEvent) -> bool:
        """Give the width there is to names that came, or grew."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._space()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(hint.width() - self._arrows * (self._line.spacing() - NARROW_GAP), hint.height())

    @property
    def _arrows(self) -> int:
        return max(0, len(self.shown) - 1)

    def _space(self) -> None:
        """Make arrows short where there is no room for long ones."""
        long = self.minimumSizeHint().width() + self._arrows * (GAP - NARROW_GAP)
        gap = NARROW_GAP if self.width() < max(NARROW, long) else GAP
        if gap != self._line.spacing():
            self._line.setSpacing(gap)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._palette.muted), 1.4))
        shown = [self.stages[key] for key in self.shown if key not in self._apart]
        for before, after in itertools.pairwise(shown):
            start, end = before.geometry().right() + 2, after.geometry().left() - 2
            y = before.geometry().center().y()
            painter.drawLine(QPointF(start, y), QPointF(end, y))
            painter.drawPolyline(
                QPolygonF([QPointF(end - 4, y - 4), QPointF(end, y), QPointF(end - 4, y + 4)])
            )
        painter.end()

    def _on_clicked(self, stage: QAbstractButton) -> None:
        self.chosen.emit(stage.property("key"))
