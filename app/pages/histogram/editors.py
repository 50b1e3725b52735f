"""Editors for the options of histogram pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLabel, QSlider

from app.model.picture_spec import OptionGroup
from app.model.wording.buttons import BUTTONS
from app.pages.base.options_editor import OptionsEditor, ParameterEditor
from app.widgets.form_row import combo
from app.widgets.layouts import line_up
from app.widgets.value_editors import ChoiceEditor, NumberEditor
from engine.analysis.histogram_maps import CellMap, QueryMap
from engine.analysis.histogram_structures import default_facility_price
from engine.domain import Box, Interval
from engine.parameters import Parameter

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


Attack = tuple[str, int]
"""Name and seed of an attack."""


class QueryPoint:
    """The query point: the attack that placed it, and later moves by hand.

    Only attack and moves are stored, since the position may reveal data. None: the middle of the bounds, or
    not placed yet.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the position."""
        self.restore(None, ())

    def restore(self, attack: Attack | None, moves: Sequence[float]) -> None:
        """Wait for the attack, then apply the moves."""
        self.position: tuple[float, ...] | None = None
        self.attack = attack
        self._put: tuple[float, ...] = ()
        self._moves = tuple(moves)

    def within(self, domain: Any) -> tuple[float, ...] | None:
        """Return the position within the current bounds."""
        if self.position is None or not isinstance(domain, Box) or len(self.position) != domain.dimension:
            return None
        return tuple(side.clamp(x).item() for side, x in zip(domain.sides, self.position, strict=True))

    def put(self, attack: Attack | None, position: tuple[float, ...]) -> bool:
        """Set the position from an attack; return whether earlier moves were applied."""
        moves, self._moves = self._moves, ()
        steps = (*moves, *(0.0 for _ in position))
        self.position = tuple(value + step for value, step in zip(position, steps, strict=False))
        self.attack, self._put = attack, position
        return any(moves)

    def move(self, axes: Sequence[int], values: Sequence[float]) -> bool:
        """Move it along some axes; return whether it had a position."""
        if self.position is None:
            return False
        moved = list(self.position)
        for axis, value in zip(axes, values, strict=True):
            moved[axis] = value
        self.position = tuple(moved)
        return True

    def moves(self, domain: Any) -> tuple[float, ...]:
        """Return the moves by hand along each axis; () without a position."""
        if self.position is None:
            return self._moves
        pairs = enumerate(zip(self.position, self._put, strict=True))
        steps = tuple(
            _step(domain, axis, now, now - put) if now != put else 0.0 for axis, (now, put) in pairs
        )
        return steps if any(steps) else ()


def _step(domain: Any, axis: int, now: float, step: float) -> float:
    """Return the move along an axis; the whole length for a point at a bound.

    At a bound, the exact move would reveal the attack's position.
    """
    if not isinstance(domain, Box):
        return step
    side = domain.sides[axis]
    return math.copysign(side.width, step) if now in (side.lower, side.upper) else step


GUESSES = {
    None: ("By hand", "Drag the cross"),
    "uniform": ("Blind", "A random point within the bounds, without the histogram"),
    "occupied": ("Cell", "The middle of a random cell that holds points"),
    "singleton": (
        BUTTONS["small-cell"],
        "The middle of a cell with a single point, or with the fewest points",
    ),
    "weighted": ("By counts", "A random point of a random cell, chosen in proportion to its count"),
}
"""The name of each attack, and how it guesses."""
NOT_AIMED = "No cell holds a single point, so the attack took one with the fewest points."


class AttackEditor(OptionsEditor):
    """Places the query point, by an attack or by hand."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._point = QueryPoint()
        self._domain: Any = None
        self._aim: Attack | None = None
        self._seed = 0
        self._held: tuple[Interval, ...] | None = None
        self._canvas: PlotCanvas | None = None
        self._asked: Mapping[str, Any] = {}
        tip = "Place the guess by an attack, which uses the release only; choose it again for another guess"
        names = {attack: name for attack, (name, _) in GUESSES.items()}
        self.box = combo("Place the guess by an attack", names, tip, stretch=False)
        self.box.setMinimumContentsLength(max(map(len, names.values())))
        for index, (_, text) in enumerate(GUESSES.values()):
            self.box.setItemData(index, text, Qt.ItemDataRole.ToolTipRole)
        self.box.activated.connect(lambda index: self.attack(self.box.itemData(index)))
        name = QLabel("&Guess")
        name.setBuddy(self.box)
        line_up(self, name, self.box)

    @property
    def values(self) -> dict[str, Any]:
        """The attack and later moves; never the position, which may reveal data."""
        defaults = {declared.name: declared.default for declared in self.group.parameters()}
        attack, seed = self._aim or self._point.attack or (defaults["attack"], defaults["attack_seed"])
        return {"attack": attack, "attack_seed": seed, "moved": self._point.moves(self._domain)}

    @property
    def arguments(self) -> dict[str, Any]:
        """The attack to run, else the position; and the view during a drag."""
        attack, seed = self._aim or (None, 1)
        position = self._point.within(self._domain)
        return {"attack": attack, "attack_seed": seed, "query": position, "window": self._held}

    def show_values(self, values: Mapping[str, Any]) -> None:
        if "attack" in values:
            self._aim = None if values["attack"] is None else (values["attack"], values["attack_seed"])
            self._seed = 0 if self._aim is None else self._aim[1]
            self._point.restore(None, values["moved"])
            self._show_attack()

    def attack(self, name: str | None) -> None:
        """Place the query point by an attack; None leaves it to the user."""
        if name is not None:
            self._seed += 1
            self._aim = (name, self._seed)
            self.changed.emit()
        self._show_attack()

    def _show_attack(self) -> None:
        """Show which attack placed the point, unless it was moved since."""
        values = self.values
        self.box.setCurrentIndex(self.box.findData(None if any(values["moved"]) else values["attack"]))

    def follow(self, selection: Any, *, public: bool) -> None:
        """Drop the position if the bounds change: it may reveal data."""
        domain = selection.source.domain
        if self._domain is not None and domain != self._domain:
            self.forget()
        self._domain = domain

    def forget(self) -> None:
        self._point.forget()
        self._aim = self._held = None
        self._show_attack()

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Take the new position, and apply earlier moves."""
        if not isinstance(result, QueryMap):
            return
        self._asked = asked
        attack = None if asked["attack"] is None else (asked["attack"], asked["attack_seed"])
        if attack is None and asked["query"] is not None:
            return
        moved = self._point.put(attack, tuple(result.query.tolist()))
        self._aim = None
        self._show_attack()
        self.said.emit("" if moved else NOT_AIMED * (not result.aimed))
        if moved:
            self.changed.emit()

    def attach(self, canvas: PlotCanvas) -> None:
        self._canvas = canvas
        canvas.pressed.connect(self._on_pointed)
        canvas.moved.connect(self._on_pointed)
        canvas.nudged.connect(self.nudge)
        canvas.released.connect(self._on_dropped)

    def nudge(self, right: int, up: int) -> None:
        """Move the point by a step along the drawn axes."""
        if self._seen is not None:
            self._move(self._seen.stepped(right, up).tolist())

    @property
    def _seen(self) -> QueryMap | None:
        result = None if self._canvas is None else self._canvas.result
        return result if isinstance(result, QueryMap) else None

    def _on_pointed(self, x: float, y: float) -> None:
        if self._seen is not None:
            self._held = self._seen.window  # the view must not move below the pointer
            self._move(self._seen.moved(x, y).tolist())

    def _on_dropped(self, _x: float, _y: float) -> None:
        self._held = None
        if self._asked.get("near"):
            self.changed.emit()

    def _move(self, drawn: list[float]) -> None:
        """Move the query point along the drawn axes."""
        assert self._seen is not None
        if self._point.move(self._seen.axes, drawn):
            self._aim = None
            self._show_attack()
            self.said.emit("")
            self.changed.emit()


class DistinctEditor(ParameterEditor):
    """Chooses two columns; if both are equal, the other one changes to the next."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        for name, other in (("across", "up"), ("up", "across")):
            # before the signal
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
    "Structure computed from the cells: a spanning tree, facilities with the connections of all points to "
    "the nearest one, or a matching of all points in pairs. Each has a low total cost.",
    choices=("tree", "facilities", "matching"),
    choice_labels=("Spanning tree", "Facilities", "Matching"),
)
PRICE = Parameter(
    "price",
    "float",
    1.0,
    "each for",
    "Price of a facility, in distance times points. The default is the cost if all points move 1 % of the "
    "bounds' diameter. A higher price means fewer facilities.",
    lower=0.0,
    lower_open=True,
)


class FacilityEditor(OptionsEditor):
    """Chooses the structure on the cells (tree, facilities or matching), and the price of a facility."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._default: float | None = None
        self._built = ChoiceEditor(BUILT, "Structure on the cells", tool=True)
        self._built.edited.connect(self._on_choice)
        self._price = NumberEditor(PRICE, "Price of a facility", tool=True)
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


FIGURES = "\N{FIGURE SPACE}>3"
"""The format of a level: all are equally wide, so that nothing moves."""


class LevelEditor(OptionsEditor):
    """Shows the cells level by level."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.has_choice = False
        self._pending: int | None = None
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Level")
        self.slider.setToolTip("Number of cuts of the cells (arrow keys)")
        self.slider.setPageStep(1)
        self.slider.setRange(0, 0)
        self.slider.valueChanged.connect(self._on_moved)
        self.count = QLabel()
        self.count.setObjectName("caption")
        name = QLabel("Level")  # the letters of the word belong to menus
        name.setBuddy(self.slider)
        line_up(self, name, self.slider, self.count, spacing=4)
        self._show()

    @property
    def level(self) -> int | None:
        """The chosen level; None for the last one."""
        if self._pending is not None:
            return self._pending
        return None if self.slider.value() >= self.slider.maximum() else self.slider.value()

    @property
    def values(self) -> dict[str, Any]:
        return {"level": self.level}

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show a level once the levels are known; None for the last one."""
        self._pending = level = values.get("level", self.level)
        if level is None:
            self._slide(self.slider.maximum())
        self._show()

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Offer the levels of another histogram; the last level stays the last."""
        if not isinstance(result, CellMap):
            return
        deepest = result.deepest
        if deepest != self.slider.maximum() or self._pending is not None:
            level, self._pending = self.level, None
            self._slide(deepest if level is None else min(level, deepest), deepest)
        self._show()

    def forget(self) -> None:
        """Wait for the levels of another histogram; the number of old ones may reveal data."""
        self._pending = self.level
        self._slide(0, 0)
        self._show()

    def _on_moved(self, _: int) -> None:
        self._pending = None
        self._show()
        self.changed.emit()

    def _slide(self, level: int, deepest: int | None = None) -> None:
        """Move the slider without a signal."""
        with QSignalBlocker(self.slider):
            if deepest is not None:
                self.slider.setMaximum(deepest)
            self.slider.setValue(level)

    def _show(self) -> None:
        self.has_choice = self.slider.maximum() > 0
        self.count.setText(f"{self.slider.value():{FIGURES}}")
