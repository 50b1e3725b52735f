"""The page "Spanning tree": a graph whose edges' weights are records, and what they do to sensitivity."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.view_states import ViewState
from app.pages.sensitivity import graph_analysis as graph_work
from app.pages.sensitivity.graph_panel import GraphPanel
from app.pages.sensitivity.page import SensitivityPage
from app.session import Session
from app.theme import Palette

WIDE = 1100
"""Width from which graph and curves stand side by side."""
SHARES = (54, 46)
"""How graph and curves share the page, until the user moves what is between them."""


class SpanningTreePage(SensitivityPage):
    """Shows a graph, the sensitivities of what is asked of it, and the noise."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.graph = GraphPanel(session)
        super().__init__(
            declared,
            session,
            jobs,
            palette,
            self.graph,
            # the graph is what users look at, and what they change
            before=[graph_work.first_look, graph_work.decided],
            public=[graph_work.topology],
        )
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setAccessibleName("Graph and curves")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(8)
        for card, share in zip((self.graph, self.card), SHARES, strict=True):
            self.splitter.addWidget(card)
            self.splitter.setStretchFactor(self.splitter.count() - 1, share)
        self.column.addWidget(self.splitter)

    def choose(self, **chosen: Any) -> None:
        """Choose the distance `k` whose cut is marked, and options."""
        if "k" in chosen:
            self.graph.show_distance(chosen["k"])
        super().choose(**chosen)

    def _view_state(self) -> ViewState:
        return dataclasses.replace(super()._view_state(), k=self.graph.k)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.graph.show_distance(view_state.k)
        super()._apply_view_state(view_state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put graph and curves side by side where there is room."""
        super().resizeEvent(event)
        wide = event.size().width() >= WIDE
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if not event.oldSize().isValid() or orientation != self.splitter.orientation():
            self.splitter.setOrientation(orientation)
            self.splitter.setSizes([100 * share for share in SHARES])
