"""Tools above a picture of a histogram: which level, which attack."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSlider, QWidget

from app.model.pages.histogram_options import LARGEST, IsolationOptions
from app.plots.histogram.words import ATTACK_NAMES, SWEPT
from app.theme import Palette
from app.widgets.card import show_only
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import combo
from app.widgets.style import icon

STEP_MS = 700
"""From one level to the next while they are played."""

_FACTOR = IsolationOptions().c

SHORT = {
    "uniform": "&Uniform",
    "occupied": "Cell",
    "singleton": "Small cell",
    "weighted": "Weighted",
}
"""What the attacks are called on their buttons."""

HELP = {
    "uniform": "A point anywhere within the bounds, which needs no histogram",
    "occupied": "The middle of a random cell that holds points",
    "singleton": "The middle of a cell with a single point, or of one with the fewest",
    "weighted": "A point of a random cell; cells with many points are chosen as often as these say",
}


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


class LevelOptionsBar(QWidget):
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
        self.words = QLabel()
        self.words.setObjectName("caption")
        name = QLabel("&By level")
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
        if self._pending is not None:
            return self._pending
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

    def choose(self, level: int | None) -> None:
        """Look at a level as soon as it is known which there are; None for as often as cells are cut."""
        self._pending = level
        if level is None:
            blocker = QSignalBlocker(self.slider)
            self.slider.setValue(self.slider.maximum())
            blocker.unblock()
        self.stop()

    def offer(self, deepest: int) -> None:
        """Offer the levels of another histogram; who looked at all of them goes on to do so."""
        if deepest == self.slider.maximum() and self._pending is None:
            return
        level, self._pending = self.level, None
        blocker = QSignalBlocker(self.slider)
        self.slider.setMaximum(deepest)
        self.slider.setValue(deepest if level is None else min(level, deepest))
        blocker.unblock()
        self._show()

    def forget(self) -> None:
        """Wait for the levels of another histogram: how many this one has may tell of the data."""
        self._pending = self.level
        blocker = QSignalBlocker(self.slider)
        self.slider.setMaximum(0)
        blocker.unblock()
        self.stop()

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
        self._pending = None
        self._show()
        self.moved.emit()

    def _show(self) -> None:
        self.play.setText("Sto&p" if self.playing else "&Play")
        self.words.setText(f"{self.slider.value()} of {self.slider.maximum()}")
        self.slider.setEnabled(self.some)
        self.play.setEnabled(self.some)
        if self._palette is not None:
            self.play.setIcon(icon("stop" if self.playing else "play", self._palette.ink, size=14))


class AttackOptionsBar(QWidget):
    """Chooses an attack, the c of the test of isolation, and what is swept.

    Attributes
    ----------
    near_box : QCheckBox
        Whether only what lies around the query point is in view; for its owner to place.

    Signals
    -------
    asked()
        Something else is to be seen.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._aim: tuple[str, int] | None = None
        self._seed = 0
        self.buttons: dict[str, QPushButton] = {}
        self.c = NumberBox("How many times as far as the nearest record (c)", lower=1, step=0.5)
        self.c.set_value(_FACTOR)
        self.c.setToolTip("q isolates if fewer than t records are within c times the distance of the nearest")
        self.c.setMaximumWidth(72)
        self.c.edited.connect(self._on_c)
        self.c.refused.connect(self._on_refused)
        self.sweep_box = combo("What varies", stretch=False)
        for key, words in SWEPT.items():
            self.sweep_box.addItem(words, key)
        self.sweep_box.setMinimumContentsLength(24)
        self.sweep_box.activated.connect(self._on_sweep)
        self._over, self._factor = QLabel("&By"), QLabel("c")
        self._over.setBuddy(self.sweep_box)
        self._factor.setBuddy(self.c)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._over)
        line.addWidget(self.sweep_box)
        self._guess = QLabel("Guess")
        line.addWidget(self._guess)
        for name, words in SHORT.items():
            button = QPushButton(words)
            button.setToolTip(f"{HELP[name]} (from what is released alone)")
            button.setAccessibleName(f"Put the query point by an attack: {ATTACK_NAMES[name]}")
            button.clicked.connect(self._on_attack)
            self.buttons[name] = button
            line.addWidget(button)
        line.addWidget(self._factor)
        line.addWidget(self.c)
        self.near_box = QCheckBox("Close u&p")
        self.near_box.setToolTip("Look at what lies around the query point")
        self.near_box.clicked.connect(self._on_near)
        line.addStretch(1)

    def choose(self, c: float, sweep: str, near: bool, attack: tuple[str, int] | None) -> None:
        """Choose the c of the test, what varies, what is in view, and an attack to be made again."""
        self.c.set_value(c)
        self.sweep_box.setCurrentIndex(max(0, self.sweep_box.findData(sweep)))
        self.near_box.setChecked(near)
        self._aim = attack
        self._seed = 0 if attack is None else attack[1]

    @property
    def factor(self) -> float:
        """The c of the test: at least 1."""
        return _FACTOR if self.c.value is None else max(1.0, self.c.value)

    @property
    def near(self) -> bool:
        """Whether only what lies around the query point is in view."""
        return self.near_box.isChecked()

    @property
    def sweep(self) -> str:
        """What varies."""
        return str(self.sweep_box.currentData())

    @property
    def aim(self) -> tuple[str, int] | None:
        """Which attack is to guess next, and its seed; None while the query point stays where it is."""
        return self._aim

    def attack(self, name: str) -> None:
        """Let an attack put the query point somewhere."""
        self._seed += 1
        self._aim = (name, self._seed)
        self.asked.emit()

    def settle(self) -> None:
        """Leave the query point where it is."""
        self._aim = None

    def part(self, tab: str) -> None:
        """Show what belongs to a tab."""
        aimed = dict.fromkeys((self._guess, *self.buttons.values()), tab == "isolation")
        show_only(aimed | dict.fromkeys((self._over, self.sweep_box), tab == "attacks"))

    def _on_attack(self, _: bool) -> None:
        self.attack(next(name for name, button in self.buttons.items() if button is self.sender()))

    def _on_c(self, value: float, _: bool) -> None:
        if not 1 <= value <= LARGEST:
            self.c.set_value(min(max(value, 1.0), LARGEST))
        self.asked.emit()

    def _on_refused(self, _: str) -> None:
        self.c.set_value(self.factor)

    def _on_sweep(self, _: int) -> None:
        self.asked.emit()

    def _on_near(self, _: bool) -> None:
        self.asked.emit()
