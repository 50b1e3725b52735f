"""The page "Spanning tree": a graph whose edges are people's, and what they do to sensitivity."""

from __future__ import annotations

from typing import Any, ClassVar

from app.jobs import Jobs
from app.pages.sensitivity_page import SensitivityPage
from app.pages.sensitivity_work import Answers
from app.pages.top_card import TopCard
from app.session import Session
from app.theme import Palette


class EmptyCard(TopCard):
    """The place of the graph."""

    def make(self, palette: Palette, scale: float) -> None:
        """Make the picture."""
        from app.plots.dot_strip import DotStrip
        from app.widgets.plot_canvas import PlotCanvas

        self.canvas = PlotCanvas(DotStrip, "The graph")
        self.body.addWidget(self.canvas)

    def show_view(self, view: Any) -> None:
        """Show the graph."""

    def forget(self) -> None:
        """Show nothing."""


class SpanningTreePage(SensitivityPage):
    """Shows a graph, the sensitivities of what is asked of it, and the noise."""

    name: ClassVar[str] = "spanning-tree"

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.graph = EmptyCard("Graph")
        super().__init__(session, jobs, palette, self.graph, Answers(session.databases))
