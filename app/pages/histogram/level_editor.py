"""Cuts cells one level after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QWidget

from app.model.picture_spec import OptionGroup
from app.model.theme import Palette
from app.pages.base.options_editor import FILLING, OptionsEditor
from app.widgets.style import icon
from engine.analysis.histogram_maps import CellMap

STEP_MS = 700
"""From one level to the next while they are played."""


class LevelSlider(QSlider):
    """Chooses a level; the space bar plays."""

    played = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setAccessibleName("How often cells are cut at most")
        self.setToolTip("How often cells are cut at most (arrow keys; the space bar plays)")
        self.setPageStep(1)
        self.setRange(0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.played.emit()
        else:
            super().keyPressEvent(event)


class LevelEditor(OptionsEditor):
    """Lets cells be cut one level after the other."""

    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.has_choice = False
        self._palette: Palette | None = None
        self._pending: int | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        self.play = QPushButton()
        self.play.setToolTip("Cut the cells one level after the other")
        self.play.clicked.connect(self.toggle)
        self.slider = LevelSlider()
        self.slider.valueChanged.connect(self._on_moved)
        self.slider.played.connect(self.toggle)
        self.count = QLabel()
        self.count.setObjectName("caption")
        name = QLabel("&By level")
        name.setBuddy(self.slider)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.play)
        line.addWidget(name)
        line.addWidget(self.slider, 1)
        line.addWidget(self.count)
        self._show()

    @property
    def level(self) -> int | None:
        """The chosen level; None for as often as cells are cut."""
        if self._pending is not None:
            return self._pending
        return None if self.slider.value() >= self.slider.maximum() else self.slider.value()

    @property
    def playing(self) -> bool:
        """Whether levels follow each other."""
        return self._timer.isActive()

    @property
    def values(self) -> dict[str, Any]:
        return {"level": self.level}

    @property
    def last_box(self) -> QWidget:
        return self.slider

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self._show()

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Look at a level as soon as it is known which there are; None for as often as cells are cut."""
        self._pending = level = values.get("level", self.level)
        if level is None:
            self._slide(self.slider.maximum())
        self.rest()

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Offer the levels of another histogram; who looked at all of them goes on to do so."""
        if not isinstance(result, CellMap):
            return
        deepest = result.deepest
        if deepest != self.slider.maximum() or self._pending is not None:
            level, self._pending = self.level, None
            self._slide(deepest if level is None else min(level, deepest), deepest)
        self._show()

    def outdate(self) -> None:
        self.count.clear()

    def forget(self) -> None:
        """Wait for the levels of another histogram: how many this one has may tell of the data."""
        self._pending = self.level
        self._slide(0, 0)
        self.rest()

    def rest(self) -> None:
        self._timer.stop()
        self._show()

    def toggle(self) -> None:
        """Play from the first level, or from where it stands; or stop."""
        if self.playing:
            self.rest()
            return
        if self.level is None:
            self.slider.setValue(0)
        self._timer.start()
        self._show()

    def _step(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.level is None:
            self.rest()

    def _on_moved(self, _: int) -> None:
        self._pending = None
        self._show()
        self.changed.emit()

    def _slide(self, level: int, deepest: int | None = None) -> None:
        """Move the slider, without announcing it."""
        blocker = QSignalBlocker(self.slider)
        if deepest is not None:
            self.slider.setMaximum(deepest)
        self.slider.setValue(level)
        blocker.unblock()

    def _show(self) -> None:
        self.has_choice = self.slider.maximum() > 0
        self.play.setText("Sto&p" if self.playing else "&Play")
        self.count.setText(f"{self.slider.value()} of {self.slider.maximum()}")
        self.slider.setEnabled(self.has_choice)
        self.play.setEnabled(self.has_choice)
        if self._palette is not None:
            self.play.setIcon(icon("stop" if self.playing else "play", self._palette.ink, size=14))
