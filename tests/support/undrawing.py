"""Pictures that are never drawn, for tests of what is around them."""

from typing import Any

import pytest
from matplotlib.axis import Axis

from app.widgets.plot_canvas import PlotSurface
from app.window.main_window import MainWindow


class Unmade:
    """Ticks of an axis, none before one is asked for; matplotlib makes two of them with each axis."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, axis: Axis | None, owner: Any = None) -> Any:
        """Return the list that is there from now on."""
        return self if axis is None else vars(axis).setdefault(self.name, [])


def draw_nothing(patch: pytest.MonkeyPatch) -> None:
    """Draw no picture, and make no ticks for it: nearly half of the time that a picture takes to be made.

    A window that has started paints no changes either, which would take an eighth of its time.
    """
    patch.setattr(PlotSurface, "draw_background", lambda surface: None)
    for name in ("majorTicks", "minorTicks"):
        patch.setattr(Axis, name, Unmade(name))
    start = MainWindow.start

    def start_unpainted(window: MainWindow) -> None:
        start(window)
        window.setUpdatesEnabled(False)

    patch.setattr(MainWindow, "start", start_unpainted)
