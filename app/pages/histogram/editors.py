"""Editors of the options of the pictures about histograms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QWidget

from app.model.pages.histogram_options import ATTACK_NAMES
from app.model.picture_spec import OptionGroup
from app.model.theme import Palette
from app.pages.base.options_editor import FILLING, OptionsEditor, ParameterEditor
from app.widgets.layouts import line_up
from app.widgets.style import icon
from app.widgets.value_editors import ChoiceEditor, NumberEditor
from engine.analysis.histogram_maps import CellMap, QueryMap
from engine.analysis.histogram_structures import default_facility_price
from engine.domain import Box, Interval
from engine.histograms.attacks import BASELINE
from engine.parameters import Parameter

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


Attack = tuple[str, int]
"""The name of an attack, and its seed."""


class QueryPoint:
    """Where the query point is, which attack put it there, and how far it was moved since.

    The position itself may tell of the data: only the attack and the moves are kept. It is None for the
    middle of the bounds, and until the attack has put the point somewhere.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget where it was put."""
        self.restore(None, ())

    def restore(self, attack: Attack | None, moves: Sequence[float]) -> None:
        """Wait for the attack, and move the point on from there."""
        self.position: tuple[float, ...] | None = None
        self.attack = attack
        self._put: tuple[float, ...] = ()
        self._moves = tuple(moves)

    def within(self, domain: Any) -> tuple[float, ...] | None:
        """Return where it is, within the bounds of now."""
        if self.position is None or not isinstance(domain, Box) or len(self.position) != domain.dimension:
            return None
        return tuple(side.clamp(x).item() for side, x in zip(domain.sides, self.position, strict=True))

    def put(self, attack: Attack | None, position: tuple[float, ...]) -> bool:
        """Take the place where an attack has put it; tell whether it was moved on as it had been before."""
        moves, self._moves = self._moves, ()
        steps = (*moves, *(0.0 for _ in position))
        self.position = tuple(value + step for value, step in zip(position, steps, strict=False))
        self.attack, self._put = attack, position
        return any(moves)

    def move(self, axes: Sequence[int], values: Sequence[float]) -> bool:
        """Put it elsewhere along some axes; tell whether it was anywhere."""
        if self.position is None:
            return False
        moved = list(self.position)
        for axis, value in zip(axes, values, strict=True):
            moved[axis] = value
        self.position = tuple(moved)
        return True

    def moves(self, domain: Any) -> tuple[float, ...]:
        """Return how far it was moved by hand from where it was put, along each axis; () if nowhere."""
        if self.position is None:
            return self._moves
        pairs = enumerate(zip(self.position, self._put, strict=True))
        steps = tuple(
            _step(domain, axis, now, now - put) if now != put else 0.0 for axis, (now, put) in pairs
        )
        return steps if any(steps) else ()


def _step(domain: Any, axis: int, now: float, step: float) -> float:
    """Return how far a point was moved along an axis; across all of it if it stands at a bound.

    From a bound, the very step would lead back to where the attack had put the point.
    """
    if not isinstance(domain, Box):
        return step
    side = domain.sides[axis]
    return math.copysign(side.width, step) if now in (side.lower, side.upper) else step


SHORT = {
    "uniform": "&Uniform",
    "occupied": "Cell",
    "singleton": "Small cell",
    "weighted": "Weighted",
}
"""The attacks on their buttons."""

HELP = {
    "uniform": "A point anywhere within the bounds, which needs no histogram",
    "occupied": "The middle of a random cell that holds points",
    "singleton": "The middle of a cell with a single point, or of one with the fewest",
    "weighted": "A point of a random cell; cells with many points are chosen as often as these say",
}
NOT_AIMED = "No cell holds a single point: the emptiest of those with points was taken."
BLIND = "A guess without the histogram."


class AttackEditor(OptionsEditor):
    """Puts the query point somewhere, by an attack or by hand."""

    share = 0

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._point = QueryPoint()
        self._domain: Any = None
        self._aim: Attack | None = None
        self._seed = 0
        self._held: tuple[Interval, ...] | None = None
        self._canvas: PlotCanvas | None = None
        self._asked: Mapping[str, Any] = {}
        self.buttons: dict[str, QPushButton] = {}
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(QLabel("Guess"))
        for name, text in SHORT.items():
            button = QPushButton(text)
            button.setToolTip(f"{HELP[name]} (from what is released alone)")
            button.setAccessibleName(f"Put the query point by an attack: {ATTACK_NAMES[name]}")
            button.clicked.connect(partial(self.attack, name))
            self.buttons[name] = button
            line.addWidget(button)

    @property
    def values(self) -> dict[str, Any]:
        """The attack and the moves since: never the place itself, which may tell of the data."""
        defaults = {declared.name: declared.default for declared in self.group.parameters()}
        attack, seed = self._aim or self._point.attack or (defaults["attack"], defaults["attack_seed"])
        return {"attack": attack, "attack_seed": seed, "moved": self._point.moves(self._domain)}

    @property
    def arguments(self) -> dict[str, Any]:
        """The attack that is to guess now, else the place; and what is in view while it is dragged."""
        attack, seed = self._aim or (None, 1)
        position = self._point.within(self._domain)
        return {"attack": attack, "attack_seed": seed, "query": position, "window": self._held}

    @property
    def last_box(self) -> QWidget:
        return list(self.buttons.values())[-1]

    def show_values(self, values: Mapping[str, Any]) -> None:
        if "attack" in values:
            self._aim = None if values["attack"] is None else (values["attack"], values["attack_seed"])
            self._seed = 0 if self._aim is None else self._aim[1]
            self._point.restore(None, values["moved"])

    def attack(self, name: str, _: bool = False) -> None:
        """Let an attack put the query point somewhere."""
        self._seed += 1
        self._aim = (name, self._seed)
        self.changed.emit()

    def follow(self, selection: Any, *, public: bool) -> None:
        """Within other bounds, forget where it was put: that may tell of the data."""
        domain = selection.source.domain
        if self._domain is not None and domain != self._domain:
            self.forget()
        self._domain = domain

    def forget(self) -> None:
        self._point.forget()
        self._aim = self._held = None

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Take the place where the point is now; move it on by as much as it was moved before."""
        if not isinstance(result, QueryMap):
            return
        self._asked = asked
        attack = None if asked["attack"] is None else (asked["attack"], asked["attack_seed"])
        if attack is None and asked["query"] is not None:
            return
        moved = self._point.put(attack, tuple(result.query.tolist()))
        self._aim = None
        text = BLIND if attack is not None and attack[0] == BASELINE else NOT_AIMED * (not result.aimed)
        self.said.emit("" if moved else text)
        if moved:
            self.changed.emit()

    def attach(self, canvas: PlotCanvas) -> None:
        self._canvas = canvas
        canvas.pressed.connect(self._on_pointed)
        canvas.moved.connect(self._on_pointed)
        canvas.nudged.connect(self.nudge)
        canvas.released.connect(self._on_dropped)

    def nudge(self, right: int, up: int) -> None:
        """Move the point by a step along the directions that are drawn."""
        if self._seen is not None:
            self._move(self._seen.stepped(right, up).tolist())

    @property
    def _seen(self) -> QueryMap | None:
        result = None if self._canvas is None else self._canvas.result
        return result if isinstance(result, QueryMap) else None

    def _on_pointed(self, x: float, y: float) -> None:
        if self._seen is not None:
            self._held = self._seen.window  # which must not move below the pointer
            self._move(self._seen.moved(x, y).tolist())

    def _on_dropped(self, _x: float, _y: float) -> None:
        self._held = None
        if self._asked.get("near"):
            self.changed.emit()

    def _move(self, drawn: list[float]) -> None:
        """Put the query point elsewhere along the directions that are drawn."""
        assert self._seen is not None
        if self._point.move(self._seen.axes, drawn):
            self._aim = None
            self.said.emit("")
            self.changed.emit()


class DistinctEditor(ParameterEditor):
    """Lets both columns be chosen; one that is chosen twice gives way to the next."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        for name, other in (("across", "up"), ("up", "across")):
            # before others hear of the choice
            self.boxes[name].activated.connect(partial(self._part, name, other))

    def _part(self, name: str, other: str, _: int) -> None:
        here, there = self.boxes[name], self.boxes[other]
        if here.currentIndex() == there.currentIndex():
            there.setCurrentIndex((there.currentIndex() + 1) % there.count())


BUILT = Parameter(
    "built",
    "choice",
    "tree",
    "",
    "What is built on the cells: a tree that joins them all; facilities, so that these and the ways of all "
    "points to the nearest of them cost little; or a matching of all points in pairs at little cost",
    choices=("tree", "facilities", "matching"),
    choice_labels=("Spanning tree", "Facilities", "Matching"),
)
PRICE = Parameter(
    "price",
    "float",
    1.0,
    "each for",
    "What a facility costs, in units of distance times points: at first as much as if all points went 1 % of "
    "the bounds' diameter. The dearer they are, the fewer are opened.",
    lower=0.0,
    lower_open=True,
)


class FacilityEditor(OptionsEditor):
    """Chooses what is built on cells: a tree, facilities, and what one of these costs, or a matching."""

    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._default: float | None = None
        self._built = ChoiceEditor(BUILT, "What is built on the cells", tool=True)
        self._built.edited.connect(self._on_choice)
        self._price = NumberEditor(PRICE, "What a facility costs", tool=True)
        self._price.edited.connect(self.changed)
        self.box, self.price_box = self._built.box, self._price.box
        self.box.setMinimumContentsLength(12)
        self._unit = QLabel()
        self._unit.setObjectName("caption")
        line_up(self, self.box, *self._price.widgets, self._unit, None)
        self._show()

    @property
    def values(self) -> dict[str, Any]:
        built = self._built.value
        return {
            "price": self._price.value if built == "facilities" else None,
            "matching": built == "matching",
        }

    @property
    def last_box(self) -> QWidget:
        return self.price_box

    def show_values(self, values: Mapping[str, Any]) -> None:
        asked = {**self.values, **values}
        without = "matching" if asked["matching"] else "tree"
        self._built.show_value(without if asked["price"] is None else "facilities")
        if asked["price"] is not None:
            self._price.show_value(asked["price"])
        self._show()

    def follow(self, selection: Any, *, public: bool) -> None:
        self._unit.setText(selection.unit)
        default = default_facility_price(selection.source.domain, selection.source.n)
        waiting = self._default is None and self.values["price"] is not None  # from a session file
        if default != self._default:
            self._default = default
            if not waiting:
                self._price.show_value(default)

    def _show(self) -> None:
        for widget in (*self._price.widgets, self._unit):
            widget.setVisible(self.values["price"] is not None)

    def _on_choice(self) -> None:
        self._show()
        self.changed.emit()


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
