"""The window's pictures of a comparison, as panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.plots.compare.errors import ComparisonErrors
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.compare.view import ComparisonView
from app.plots.figure_panel import FigurePanel

if TYPE_CHECKING:
    from engine.comparison import Comparison


def comparison_panel(found: Comparison, unit: str) -> FigurePanel:
    """Show the errors, or how they depend on what was varied."""
    place = len(found.sweep.values) - 1
    return frontier_panel(found, unit, place) if place > 0 else errors_panel(found, unit, place)


def errors_panel(found: Comparison, unit: str, place: int) -> FigurePanel:
    """Show the errors at one value of the sweep."""
    return FigurePanel("Errors of simulated releases", ComparisonErrors, ComparisonView(found, place), unit)


def frontier_panel(found: Comparison, unit: str, place: int) -> FigurePanel:
    """Show errors along the sweep, with a word on who wins at one of its values."""
    return FigurePanel(
        f"Errors against {found.sweep.name}", ComparisonFrontier, ComparisonView(found, place), unit
    )
