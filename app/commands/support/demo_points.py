"""What the demo does with points: every mechanism and every aggregator, as commands would run them."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from app.commands import run
from app.commands.support.options import Parser
from app.commands.support.reading import load
from app.commands.support.sanitizations import sanitization_of
from app.model.loaded import LoadedRecords
from app.releases.points import PointsRelease
from engine.mechanisms import SANITIZERS
from engine.privacy import Privacy
from engine.progress import silent
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.releases.figures import FigurePanel
    from engine.data import Example
    from engine.mechanisms import Prepared

    Ready = tuple[PointsRelease, LoadedRecords, Privacy, Prepared]

COMMANDS = {
    "three-clusters": (
        "clusters",
        "clusters --aggregator median",
        "clusters --aggregator average",
        "clusters --aggregator winsorized-mean",
        "clusters --aggregator one-cluster --delta 1e-6",
        "sample-aggregate",
        "sample-aggregate --column x --aggregator shortest-interval",
        "noisy-average",
    ),
    "mixture-5d": ("mixture --k 4", "mixture --k 4 --aggregator median"),
    "four-heaps": ("clusters --k 2", "lloyd --k 2"),
    "four-heaps-neighbour": ("clusters --k 2", "lloyd --k 2"),
    "geyser": (
        "clusters --k 2",
        "lloyd --k 2",
        "sample-aggregate --function regression",
        "interior-point --column waiting",
    ),
    "planted-disc": ("one-cluster --t 600 --delta 1e-6",),
    "two-minorities": ("k-balls --t 1500 --delta 1e-6", "noisy-average"),
    "airports": ("one-cluster --t 300 --delta 1e-6",),
    "outliers": ("screened-mean --t 4000 --delta 1e-6", "noisy-average"),
}
"""What is run on each example of points; the first ones are drawn."""

HISTOGRAMS = {
    "airports": (
        "histogram-recursive --t 20",
        "histogram-shifted --t 20",
        "histogram-noisy",
        "histogram-tree",
        "privtree",
        "covariance",
    ),
    "around-the-middle": (
        "histogram-recursive",
        "histogram-shifted",
        "histogram-voronoi-net --t 60",
        "histogram-voronoi-random --t 60 --centers 20",
        "histogram-embedded",
        "synthetic",
    ),
}
"""The histograms that are made of examples, and what else is released of them; all are drawn."""

DRAWN = 4


def sanitizations(card: Example) -> Iterator[Ready]:
    """Yield everything that is run on an example, with what each mechanism has prepared."""
    for command in (*COMMANDS.get(card.name, ()), *HISTOGRAMS.get(card.name, ())):
        yield _ready(card.name, command)


@functools.cache
def _ready(name: str, command: str) -> Ready:
    parser = Parser()
    run.configure(parser)
    words = shlex.split(command)
    budget = ["--epsilon", "1"] if SANITIZERS[words[0]].is_private else []
    options = parser.parse([*words, "--example", name, *budget])
    asked, subject = sanitization_of(options, run.PROGRAM)
    assert isinstance(subject, PointsRelease)
    data = load(options, subject, parser.prog, silent)
    subject = subject.fitted(data, asked)
    return subject, data, asked, subject.mechanism.prepare(data.database, asked)


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw of points, by the names of the files."""
    plan: dict[str, Callable[[], list[FigurePanel]]] = {}
    for name, commands in COMMANDS.items():
        first = commands[0].partition(" ")[0]
        plan[f"{name}-{first}.png"] = functools.partial(_panels, name, commands[:DRAWN], seed)
    for name, commands in HISTOGRAMS.items():
        plan[f"{name}-histograms.png"] = functools.partial(_panels, name, commands, seed)
    return plan


def _panels(name: str, commands: Sequence[str], seed: int) -> list[FigurePanel]:
    panels = []
    for command in commands:
        subject, data, asked, prepared = _ready(name, command)
        release = subject.mechanism.release(prepared, data.database, asked, reproducible(seed))
        panels.append(subject.panel(release, prepared, data, show_private=True))
    return panels
