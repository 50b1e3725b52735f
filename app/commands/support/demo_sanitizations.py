"""What the demo does with points and categories: mechanisms, prepared and drawn as commands would."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Iterable, Iterator
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
    from engine.data import Example

COMMANDS = {
    "three-clusters": (
        "clusters",
        "clusters --aggregator median",
        "clusters --aggregator exponential-median",
        "clusters --aggregator average",
        "clusters --aggregator winsorized-mean",
        "clusters --aggregator one-cluster --delta 1e-6",
        "sample-aggregate",
        "sample-aggregate --column x --aggregator shortest-interval",
        "sample-aggregate --aggregator smallest-ball --blocks 40",
        "noisy-average",
        "k-means-on-cells",
        "cluster-cost",
        "coinpress",
        "metric-median",
    ),
    "mixture-5d": (
        "mixture --k 4",
        "mixture --k 4 --aggregator median",
        "mixture --k 4 --aggregator friendly-core --delta 1e-6",
        "k-means-on-cells --k 4",
    ),
    "four-heaps": ("clusters --k 2", "lloyd --k 2"),
    "four-heaps-neighbour": ("clusters --k 2", "lloyd --k 2"),
    "geyser": (
        "clusters --k 2",
        "lloyd --k 2",
        "sample-aggregate --function regression",
        "perceptron",
        "interior-point --column waiting",
        "quantiles --column waiting --multiples 1",
    ),
    "planted-disc": (
        "one-cluster --t 600 --delta 1e-6",
        "growing-box --way rec-concave --delta 1e-6",
        "stable-cell --delta 1e-6",
    ),
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
        "counts",
        "scored-choice",
    ),
    "around-the-middle": (
        "histogram-recursive",
        "histogram-shifted",
        "histogram-voronoi-net --t 60",
        "histogram-voronoi-random --t 60 --centers 20",
        "histogram-embedded",
        "perturbed-points",
        "synthetic",
    ),
}
"""The histograms that are made of examples, and what else is released of them; all are drawn."""

DRAWN = 4

CATEGORIES = {
    "admissions": (
        "contingency-table --column department --column admitted",
        "sorted-histogram --column department",
        "mode --column department",
        "randomized-response --column department",
    ),
    "blood-types": ("contingency-table",),
    "penguins": ("contingency-table --missing drop --margins pairs",),
}
"""What is run on each example of categories, and drawn; the first gives the figure its name."""

ReadyRun = tuple[Run, Prepared]
"""What is released of which data for which budget, and prepared on them."""


@functools.cache
def ready(example: str, command: str) -> ReadyRun:
    """Prepare what a command names on an example, with epsilon 1 where it promises anything."""
    parser = Parser()
    run.configure(parser)
    arguments = shlex.split(command)
    budget = ["--epsilon", "1"] if MECHANISMS[arguments[0]].facts.is_private else []
    options = parser.parse([*arguments, "--example", example, *budget])
    subject = sanitization_of(options)
    made = subject.on(load(options, subject, silent))
    return made, made.mechanism.prepare(made.data.database, made.privacy)


def panels(example: str, commands: Iterable[str], seed: int) -> list[FigurePanel]:
    """Return the pictures of what commands release of an example, for the curator."""
    panels = []
    for command in commands:
        made, prepared = ready(example, command)
        release = made.mechanism.release(prepared, made.data.database, made.privacy, reproducible(seed))
        shape = SHAPES[made.mechanism.facts.shape]
        panels.append(shape.run_panel(made, release, prepared, show_private=True))
    return panels


def sanitizations(card: Example) -> Iterator[ReadyRun]:
    """Yield everything that is run on an example, with what each mechanism has prepared."""
    for commands in (COMMANDS, HISTOGRAMS, CATEGORIES):
        for command in commands.get(card.name, ()):
            yield ready(card.name, command)


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw, by the names of the files."""
    plan: dict[str, Callable[[], list[FigurePanel]]] = {}
    for group, first in ((COMMANDS, ""), (HISTOGRAMS, "histograms"), (CATEGORIES, "")):
        for name, commands in group.items():
            drawn = commands if first else commands[:DRAWN]
            title = first or commands[0].partition(" ")[0]
            plan[f"{name}-{title}.png"] = functools.partial(panels, name, drawn, seed)
    return plan
