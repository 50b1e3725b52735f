"""What the demo does with categories: every mechanism, as commands would run them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from app.commands.support.demo_sanitizations import ReadyRun, panels, ready

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from engine.data import Example

COMMANDS = {
    "admissions": (
        "contingency-table --column department --column admitted",
        "sorted-histogram --column department",
        "mode --column department",
        "randomized-response --column department",
    ),
    "penguins": ("contingency-table --missing drop --margins pairs",),
}
"""What is run on each example of categories, and drawn; the first gives the figure its name."""


def sanitizations(card: Example) -> Iterator[ReadyRun]:
    """Yield everything that is run on an example, with what each mechanism has prepared."""
    for command in COMMANDS.get(card.name, ()):
        yield ready(card.name, command)


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw of categories, by the names of the files."""
    return {
        f"{name}-{commands[0].partition(' ')[0]}.png": functools.partial(panels, name, commands, seed)
        for name, commands in COMMANDS.items()
    }
