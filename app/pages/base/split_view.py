"""One picture, or two: side by side where there is room, else one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.model.view_states import BesideViewState
from app.pages.base.beside_panel import BesidePanel
from app.widgets.layouts import stack

ROOMY = 1000
"""Width in which a second picture is shown unless the user has closed it."""
LARGE = 1.4
"""Size of type, that of a projector, from which on one picture has all the room."""
NARROW, NARROW_MAPS = 880, 600
"""Width below which the second picture stands below the first: side by side, titles would be cut off.

Maps keep their shape: below each other they would be smaller still.
"""


class SplitView(QSplitter):
    """Holds the picture of the open tab and, if it is wanted or there is room, a second one.

    Signals
    -------
    asked()
        There is more room than before, or less, so that something else may be shown.

    Attributes
    ----------
    beside : BesidePanel
    wanted : str or None
        The second picture; "" for none; None leaves it to the room that there is.
    """

    asked = Signal()

    def __init__(self, pictures: QWidget, beside: BesidePanel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.beside = beside
        self.wanted: str | None = None
        self._scale = 1.0
        self._maps = False
        self._room = False, True  # for a second picture of itself, and none side by side
        first = QWidget()
        self._first = stack(first, (pictures, 1))
        for widget in (first, beside):
            self.addWidget(widget)
            self.setStretchFactor(self.count() - 1, 1)
        beside.hide()

    @property
    def view_state(self) -> BesideViewState:
        """What stands beside the open picture."""
        return BesideViewState(self.wanted, self.beside.mechanism)

    def restore_view_state(self, view_state: BesideViewState) -> None:
        """Show what stood there."""
        self.wanted = view_state.tab
        self.beside.choose(self.beside.tab, view_state.mechanism)

    def tab_beside(self, opened: str, tabs: Sequence[str], *, automatic: bool) -> str:
        """Return which of the pictures stands beside the open one; "" for none.

        With `automatic` it is the first other one where there is room and nothing else was said.
        """
        if self.wanted is None:
            others = [tab for tab in tabs if tab != opened]
            return others[0] if automatic and self._room[0] and others else ""
        alone = self.wanted == opened and not self.beside.mechanism
        return self.wanted if self.wanted in tabs and not alone else ""

    def make_way(self, opened: str, before: str) -> None:
        """Change places where the picture that is opened stands beside the one that was open."""
        if opened == self.wanted and not self.beside.mechanism and before:
            self.wanted = before

    def show_beside(self, on: bool) -> None:
        """Show the second picture, or the first one alone."""
        if on == self.beside.isHidden():
            self.beside.setVisible(on)
            self._turn()
            half = (self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()) // 2
            self.setSizes([half, half])

    def take_maps(self, both: bool) -> None:
        """Know whether both pictures are maps."""
        if both != self._maps:
            self._maps = both
            self._turn()
            self._measure()

    def set_scale(self, scale: float) -> None:
        """Show type at another size, which needs the room."""
        self.beside.set_scale(scale)
        self._scale = scale
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Look whether there is room for two."""
        super().resizeEvent(event)
        self._turn()
        self._measure()

    @property
    def is_narrow(self) -> bool:
        """Whether there is no room for two pictures side by side."""
        return self.width() < (NARROW_MAPS if self._maps else NARROW) * self._scale

    def _turn(self) -> None:
        """Stand side by side, as high as each other, or one below the other."""
        self.setOrientation(Qt.Orientation.Vertical if self.is_narrow else Qt.Orientation.Horizontal)
        level = not self.is_narrow and not self.beside.isHidden()
        self._first.setContentsMargins(0, self.beside.head_height if level else 0, 0, 0)

    def _measure(self) -> None:
        """Say so where there is room for more or for less than before."""
        room = self._scale < LARGE and self.width() >= ROOMY * self._scale, self.is_narrow
        if room != self._room:
            self._room = room
            self.asked.emit()
