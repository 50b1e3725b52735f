"""What the demo does with categories: every mechanism, as commands would run them."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from app.commands import run
from app.commands.support.options import Parser
from app.commands.support.reading import load
from app.commands.support.sanitizations import sanitization_of
from app.model.loaded import LoadedRecords
from app.releases.categories import CategoriesRelease
from engine.privacy import Privacy
from engine.progress import silent
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.releases.figures import FigurePanel
    from engine.data import Example
    from engine.mechanisms import Prepared

    Ready = tuple[CategoriesRelease, LoadedRecords, Privacy, Prepared]

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


def sanitizations(card: Example) -> Iterator[Ready]:
    """Yield everything that is run on an example, with what each mechanism has prepared."""
    for command in COMMANDS.get(card.name, ()):
        yield _ready(card.name, command)


@functools.cache
def _ready(name: str, command: str) -> Ready:
    parser = Parser()
    run.configure(parser)
    options = parser.parse([*shlex.split(command), "--example", name, "--epsilon", "1"])
    asked, subject = sanitization_of(options, run.PROGRAM)
    assert isinstance(subject, CategoriesRelease)
    data = load(options, subject, parser.prog, silent)
    return subject, data, asked, subject.mechanism.prepare(data.database, asked)


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw of categories, by the names of the files."""
    return {
        f"{name}-{commands[0].partition(' ')[0]}.png": functools.partial(_panels, name, seed)
        for name, commands in COMMANDS.items()
    }


def _panels(name: str, seed: int) -> list[FigurePanel]:
    panels = []
    for command in COMMANDS[name]:
        subject, data, asked, prepared = _ready(name, command)
        release = subject.mechanism.release(prepared, data.database, asked, reproducible(seed))
        panels.append(subject.panel(release, prepared, data, show_private=True))
    return panels
