"""The query point of the test of isolation: an attack puts it somewhere, or whoever moves it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.model.pages.histogram_options import ATTACK_NAMES
from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import OptionsEditor
from engine.analysis.histogram_maps import QueryMap
from engine.domain import Box, Interval
from engine.histograms.attacks import BASELINE

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
