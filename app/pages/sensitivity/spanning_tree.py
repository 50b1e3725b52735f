"""The page "Spanning tree": a graph with weights as records, and its sensitivities."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.view_states import ViewState
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.page_part import PagePart
from app.pages.sensitivity.graph_panel import GraphPanel
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.style import THEME

WIDE = 1060
"""Least width for graph and curves side by side, at ordinary font size, in pixels."""
WIDE_ON_WALL, PERCENT_ON_WALL = 800, 63
"""The same in presentation mode, where only pictures need it, and the share of the curves there."""
STACKED = 640
"""Least height for both, one above the other, likewise: with less, either picture would be too low."""
SHARES = (54, 46)
"""The initial shares of graph and curves, until the user moves the splitter."""
MAX_PERCENT = 60
"""The largest share of the width for curves, in percent, if all their tabs fit."""

GRAPH, CURVES = "graph", "curves"
"""The parts, one at a time in a low window."""


class _Splitter(QSplitter):
    """Asks for no more than its least size, so that options of a tab do not make the page scroll."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class SpanningTreePage(AnalysisPage):
    """Shows a graph, the sensitivities of its query, and the noise."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs) -> None:
        self.graph = GraphPanel(session)
        super().__init__(declared, session, jobs, self.graph)
        self._seen_alone = GRAPH
        tip = "Show the graph, and the worst case for its sensitivity"
        self.graph_tab = push_button("Graph", tip, self._on_graph, name="tab", checkable=True)
        self.graph_tab.setAccessibleName("Graph")
        self.graph_tab.hide()
        self.card.head.insertWidget(0, self.graph_tab)
        self.card.tabs.tabBarClicked.connect(self._on_curves)
        self.card.tabs.currentChanged.connect(self._on_key)
        self.splitter = _Splitter(Qt.Orientation.Vertical)
        self.splitter.setAccessibleName("Graph and curves")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(8)
        self.splitter.splitterMoved.connect(self._on_moved)
        self._moved = False
        for card, share in zip((self.graph, self.card), SHARES, strict=True):
            self.splitter.addWidget(card)
            self.splitter.setStretchFactor(self.splitter.count() - 1, share)
        self.column.addWidget(self.splitter, 1)
        THEME.scaled.connect(self._share)

    @property
    def folded(self) -> bool:
        """Whether only the graph or the curves fit."""
        if self.splitter.orientation() == Qt.Orientation.Horizontal:
            return False
        return self.height() < STACKED * THEME.scale

    def _height_of(self, part: QWidget) -> int:
        """Return the height that a part needs with all its text."""
        return max(part.heightForWidth(self.width()), part.minimumSizeHint().height())

    def choose(self, **chosen: Any) -> None:
        if "k" in chosen:
            self.graph.show_distance(chosen["k"])
            self._bring(GRAPH)
        super().choose(**chosen)

    def show_tab(self, tab: str) -> None:
        self._bring(CURVES)
        super().show_tab(tab)

    def _view_state(self) -> ViewState:
        return dataclasses.replace(super()._view_state(), k=self.graph.k)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.graph.show_distance(view_state.k)
        super()._apply_view_state(view_state)
        self._bring(GRAPH if view_state.tab == self.declared.pictures[0].name else CURVES)

    def _on_graph(self) -> None:
        if self.card.tab == AUDIT:  # of other data
            self.card.show_tab(self.declared.pictures[0].name)
        self._bring(GRAPH)

    def _on_curves(self) -> None:
        if self._seen_alone == GRAPH:
            self._bring(CURVES)
            self.card.asked.emit()

    def _on_key(self) -> None:
        """Show the curves of a tab that a key chose; the Release view may take a tab away, too."""
        if self.card.tabs.hasFocus():
            self._on_curves()

    def _bring(self, part: str) -> None:
        """Show the graph or the curves, if only one of them fits."""
        self._seen_alone = part
        self._arrange()

    def _arrange(self) -> None:
        super()._arrange()
        self.graph_tab.setVisible(self.wall is None and self.folded)
        self.graph_tab.setEnabled(self._may_show_graph)
        self.graph_tab.setChecked(self._shows_graph_alone)
        self.card.tabs.mark(not self._shows_graph_alone)

    @property
    def _may_show_graph(self) -> bool:
        return self._curator or self.graph.is_public

    @property
    def _shows_one(self) -> bool:
        """Whether the graph and the curves are shown one at a time."""
        return self.wall is None and self.folded and self._may_show_graph

    @property
    def _shows_graph_alone(self) -> bool:
        return self._shows_one and self._seen_alone == GRAPH and self.card.tab != AUDIT

    def _is_seen(self, part: PagePart) -> bool:
        return self._shows_graph_alone if self._shows_one else super()._is_seen(part)

    @property
    def _shows_pictures(self) -> bool:
        return super()._shows_pictures and not self._shows_graph_alone

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def event(self, event: QEvent) -> bool:
        """Update the shares when graph or curves need more or less space."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._share()
        return super().event(event)

    def _on_moved(self) -> None:
        """Keep the shares that the user chose."""
        self._moved = True

    def _share(self) -> None:
        """Divide the space between graph and curves; wrapped texts need more than their size hints."""
        wide = self.width() >= (WIDE if self.wall is None else WIDE_ON_WALL) * THEME.scale
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation != self.splitter.orientation() or self.splitter.sizes() == [0, 0]:
            self.splitter.setOrientation(orientation)
            self.splitter.setSizes([100 * share for share in SHARES])
            self._moved = False
        room = (self.splitter.width() if wide else self.splitter.height()) - self.splitter.handleWidth()
        if wide:
            percent = SHARES[1] if self.wall is None else PERCENT_ON_WALL
            usual, most = room * percent // 100, room * MAX_PERCENT // 100
            whole, tabs = self.card.head_width, self.card.tabs
            least = whole - tabs.sizeHint().width() + tabs.least_width
            graph = room - max(usual, next((need for need in (whole, least) if need <= most), usual))
        else:
            graph = max(self._height_of(self.graph), room * SHARES[self.wall is not None] // 100)
        if not self._moved and self.splitter.sizes() != [graph, room - graph]:
            self.splitter.setSizes([graph, room - graph])
        for part in (self.graph, self.card):
            part.setMinimumHeight(0 if wide else self._height_of(part))
        self._arrange()
