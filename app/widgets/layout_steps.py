"""The layout of a picture, a step at a time: all of it at once would hold the window up."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

NEW = 3
"""Steps of the layout of a new picture: ticks are made; they depend on the room that the layout leaves, and
it on them, so that it is computed twice. Later it takes one."""


class LayoutSteps:
    """Finds room for the labels of a figure.

    Parameters
    ----------
    figure : Figure
    """

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._engine = ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.08)
        self._left = NEW

    def step(self, renderer: Any) -> bool:
        """Take the next step; return whether it was the last one."""
        if self._left == NEW:
            for axes in _with_ticks(self._figure.axes):
                for axis in (axes.xaxis, axes.yaxis):
                    axis.get_tightbbox(renderer)  # makes the ticks, and measures their labels
        else:
            with warnings.catch_warnings():
                # A window that is too small for its labels keeps the layout it had.
                warnings.filterwarnings("ignore", message="constrained_layout not applied")
                self._engine.execute(self._figure)
        self._left = max(self._left - 1, 0)
        return self._left == 0


def _with_ticks(some: Iterable[Any]) -> Iterator[Axes]:
    """Yield those whose ticks are seen, also inside others: a figure knows the outermost alone."""
    for axes in some:
        if axes.get_visible():
            if axes.axison:
                yield axes
            yield from _with_ticks(axes.child_axes)
