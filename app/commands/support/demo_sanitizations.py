"""What the demo does with a mechanism of its own: prepared and drawn as a command would."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from app.commands import run
from app.commands.support.options import Parser
from app.commands.support.reading import load
from app.commands.support.sanitizations import sanitization_of
from app.model.loaded import LoadedRecords
from app.releases.base import PicturedSanitization
from engine.mechanisms import MECHANISMS, Prepared
from engine.privacy import Privacy
from engine.progress import silent
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.releases.figures import FigurePanel

ReadySanitization = tuple[PicturedSanitization[Any, Any, Any], LoadedRecords[Any], Privacy, Prepared]
"""What is released, of which data, for which budget, and prepared on them."""


@functools.cache
def ready(example: str, command: str) -> ReadySanitization:
    """Prepare what a command names on an example, with epsilon 1 where it promises anything."""
    parser = Parser()
    run.configure(parser)
    words = shlex.split(command)
    budget = ["--epsilon", "1"] if MECHANISMS[words[0]].is_private else []
    options = parser.parse([*words, "--example", example, *budget])
    privacy, subject = sanitization_of(options, run.PROGRAM)
    assert isinstance(subject, PicturedSanitization)
    data = load(options, subject, parser.prog, silent)
    subject = subject.fit(data, privacy)
    return subject, data, privacy, subject.mechanism.prepare(data.database, privacy)


def panels(example: str, commands: Iterable[str], seed: int) -> list[FigurePanel]:
    """Return the pictures of what commands release of an example, for the curator."""
    found = []
    for command in commands:
        subject, data, privacy, prepared = ready(example, command)
        release = subject.mechanism.release(prepared, data.database, privacy, reproducible(seed))
        found.append(subject.panel(release, prepared, data, show_private=True))
    return found
