"""Tools above a picture of a histogram: how often cells are cut, played level by level."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QWidget

from app.theme import Palette
from app.widgets.style import icon

STEP_MS = 700
"""From one level to the next while they are played."""


class LevelSlider(QSlider):
    """Chooses a level; the space bar plays.

    Signals
    -------
    played()
    """

    played = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setAccessibleName("How often cells are cut at most")
        self.setToolTip("How often cells are cut at most (arrow keys; the space bar plays)")
        self.setPageStep(1)
        self.setRange(0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the space bar into `played`."""
        if event.key() == Qt.Key.Key_Space:
            self.played.emit()
        else:
            super().keyPressEvent(event)


class LevelTools(QWidget):
    """Lets cells be cut one level after the other.

    Signals
    -------
    moved()
        Another level is to be seen: ask `level`.
    """

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._palette: Palette | None = None
        self._known = False
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        self.play = QPushButton()
        self.play.setToolTip("Cut the cells one level after the other")
        self.play.clicked.connect(self.toggle)
        self.slider = LevelSlider()
        self.slider.valueChanged.connect(self._on_moved)
        self.slider.played.connect(self.toggle)
        self.words = QLabel()
        self.words.setObjectName("caption")
        name = QLabel("Le&vel")
        name.setBuddy(self.slider)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.play)
        line.addWidget(name)
        line.addWidget(self.slider, 1)
        line.addWidget(self.words)
        self._show()

    @property
    def level(self) -> int | None:
        """The chosen level; None for as often as cells are cut."""
        return None if self.slider.value() >= self.slider.maximum() else self.slider.value()

    @property
    def playing(self) -> bool:
        """Whether levels follow each other."""
        return self._timer.isActive()

    @property
    def some(self) -> bool:
        """Whether there is more than one level."""
        return self.slider.maximum() > 0

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self._show()

    def offer(self, deepest: int) -> None:
        """Offer the levels of another histogram; who looked at all of them goes on to do so."""
        if deepest == self.slider.maximum():
            return
        last = self.level is None
        blocker = QSignalBlocker(self.slider)
        self.slider.setMaximum(deepest)
        if last:
            self.slider.setValue(deepest)
        blocker.unblock()
        self._show()

    def toggle(self) -> None:
        """Play from the first level, or from where it stands; or stop."""
        if self.playing:
            self.stop()
            return
        if self.level is None:
            self.slider.setValue(0)
        self._timer.start()
        self._show()

    def stop(self) -> None:
        """Stay where it is."""
        self._timer.stop()
        self._show()

    def _step(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.level is None:
            self.stop()

    def _on_moved(self, _: int) -> None:
        self._show()
        self.moved.emit()

    def _show(self) -> None:
        self.play.setText("Sto&p" if self.playing else "&Play")
        self.words.setText(f"{self.slider.value()} of {self.slider.maximum()}")
        self.slider.setEnabled(self.some)
        self.play.setEnabled(self.some)
        if self._palette is not None:
            self.play.setIcon(icon("stop" if self.playing else "play", self._palette.ink, size=14))
