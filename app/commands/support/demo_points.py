"""What the demo does with points: every mechanism and every aggregator, as commands would run them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from app.commands.support.demo_sanitizations import ReadyRun, panels, ready

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from engine.data import Example

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


def sanitizations(card: Example) -> Iterator[ReadyRun]:
    """Yield everything that is run on an example, with what each mechanism has prepared."""
    for command in (*COMMANDS.get(card.name, ()), *HISTOGRAMS.get(card.name, ())):
        yield ready(card.name, command)


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw of points, by the names of the files."""
    plan: dict[str, Callable[[], list[FigurePanel]]] = {}
    for name, commands in COMMANDS.items():
        first = commands[0].partition(" ")[0]
        plan[f"{name}-{first}.png"] = functools.partial(panels, name, commands[:DRAWN], seed)
    for name, commands in HISTOGRAMS.items():
        plan[f"{name}-histograms.png"] = functools.partial(panels, name, commands, seed)
    return plan
