"""The window's pictures of a comparison, as panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.plots.comparison_errors import ComparisonErrors
from app.plots.comparison_frontier import ComparisonFrontier
from app.plots.comparison_view import ComparisonView
from app.verbs.shared.comparison_told import largest_error
from app.verbs.shared.figures import Panel
from engine.comparison.verdict import verdict

if TYPE_CHECKING:
    from app.plots.base import Picture
    from engine.comparison import Comparison


def comparison_panel(found: Comparison, unit: str) -> Panel:
    """Show the errors, or how they depend on what was varied."""
    place = len(found.sweep.values) - 1
    view = ComparisonView(found, place, verdict(found.at(place)), largest=largest_error(found, place))
    sweeping = place > 0
    picture: type[Picture[Any]] = ComparisonFrontier if sweeping else ComparisonErrors
    title = f"Errors against {found.sweep.name}" if sweeping else "Errors of simulated releases"
    return Panel(title, picture, view, unit)
