"""What the demo compares: all methods for the median, at one epsilon and along several."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.commands.support.demo_plan import DELTA, EPSILON, read
from engine.comparison import alternatives, compare, contenders_from, sweep_between
from engine.data import EXAMPLES
from engine.mechanisms import SmoothRelease
from engine.noise import Laplace
from engine.privacy import Privacy
from engine.queries import Median

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel

EXAMPLE, RUNS = "salaries", 300
STEPS = 7
"""Values of epsilon, from a tenth to ten times the usual one, which is in the middle."""


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw of comparisons, by the names of the files."""
    return {f"{EXAMPLE}-median-comparison.png": functools.partial(_panels, seed)}


def _panels(seed: int) -> list[FigurePanel]:
    from app.commands.support.figures import errors_panel, frontier_panel

    privacy, query = Privacy(EPSILON, DELTA), Median()
    data = read(EXAMPLES[EXAMPLE], query)
    domain, n = data.database.domain, data.database.n
    contenders = contenders_from(alternatives(SmoothRelease(query, noise=Laplace()), privacy, domain, n))
    sweep = sweep_between("epsilon", EPSILON / 10, EPSILON * 10, STEPS, integer=False)
    comparison = compare(contenders, data.database, privacy, sweep, runs=RUNS, seed=seed)
    middle = STEPS // 2
    return [errors_panel(comparison, data.unit, middle), frontier_panel(comparison, data.unit, middle)]
