"""What the demo does with a mechanism of its own: prepared and drawn as a command would."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.commands import run
from app.commands.support.options import Parser
from app.commands.support.reading import load
from app.commands.support.sanitizations import sanitization_of
from app.releases.registry import SHAPES
from app.releases.run import Run
from engine.mechanisms import MECHANISMS, Prepared
from engine.progress import silent
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel

ReadyRun = tuple[Run, Prepared]
"""What is released of which data for which budget, and prepared on them."""


@functools.cache
def ready(example: str, command: str) -> ReadyRun:
    """Prepare what a command names on an example, with epsilon 1 where it promises anything."""
    parser = Parser()
    run.configure(parser)
    words = shlex.split(command)
    budget = ["--epsilon", "1"] if MECHANISMS[words[0]].is_private else []
    options = parser.parse([*words, "--example", example, *budget])
    subject = sanitization_of(options)
    made = subject.on(load(options, subject, silent))
    return made, made.mechanism.prepare(made.data.database, made.privacy)


def panels(example: str, commands: Iterable[str], seed: int) -> list[FigurePanel]:
    """Return the pictures of what commands release of an example, for the curator."""
    found = []
    for command in commands:
        made, prepared = ready(example, command)
        release = made.mechanism.release(prepared, made.data.database, made.privacy, reproducible(seed))
        shape = SHAPES[made.mechanism.shape]
        found.append(shape.run_panel(made, release, prepared, show_private=True))
    return found
