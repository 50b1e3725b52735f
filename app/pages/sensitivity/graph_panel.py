"""The graph, in which users change weights or remove edges."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.model import lazy
from app.model.kinds.graph import GraphChoice
from app.model.view_states import WallView
from app.model.wording.numbers import quantity
from app.pages.sensitivity import graph_analysis
from app.pages.sensitivity.data_card import DataCard
from app.pages.sensitivity.graph_options import DistanceOptionsBar, EdgeOptionsBar
from app.plots.sensitivity.graph_view import GraphView
from app.session import Session
from app.widgets.card import caption, set_text
from app.widgets.layouts import line_up

NARROW = 31
"""Least width for the slider of k, in heights of a line of text."""
HINTS = {
    "mst": "Click an edge to change it",
    "triangles": "Click an edge to remove it",
}
PUBLIC = "The edges are public. Weights, tree and worst case are confidential and not shown here."
BRIDGE = (
    "{edge} is a bridge: every spanning tree contains it. This weight alone can change the cost by {reach}, "
    "so S* is at least that."
)


class GraphPanel(DataCard):
    """Shows the graph, and turns changes of an edge into edits of the session."""

    loaders = (lambda: lazy.GraphPicture,)
    is_large: ClassVar[bool] = True
    # the graph is the main part
    views_before = (graph_analysis.first_look, graph_analysis.decided)
    public_views = (graph_analysis.topology,)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "")
        self.setAccessibleName("Graph")
        self._view: GraphView | None = None
        self._wall: WallView | None = None
        self.chosen: int | None = None  # the edge that tools and arrow keys change
        self.k = 0  # the number of records that may change first
        self.body.setContentsMargins(12, 8, 12, 8)
        self.body.setSpacing(4)
        self.reset = self.add_tool("reset", "Put all weights and edges back (Ctrl+0)")
        self.reset.clicked.connect(session.put_back)
        self.distance = DistanceOptionsBar()
        self.distance.chosen.connect(self.show_distance)
        self.edge = EdgeOptionsBar()
        self.edge.weighed.connect(self._weigh)
        self.edge.joined.connect(self._join)
        self.caption = caption(name="advice")
        self.problem = caption(name="problem")
        self.edge.refused.connect(lambda text: set_text(self.problem, text))
        self._tools = QWidget()
        line_up(self._tools, (self.distance, 1), (self.edge, 1), spacing=8)
        self.head.insertWidget(0, self._tools, 99)
        self.put(self.problem, self.caption)
        session.watch({"modified_values", "removed_edges"}, self, self._show_changed)
        self.forget()

    @property
    def _choice(self) -> GraphChoice:
        return GraphChoice.of(self._session.state)

    def make(self) -> None:
        from app.plots.sensitivity.graph_picture import GraphPicture
        from app.widgets.plot_canvas import PlotCanvas

        self.canvas = PlotCanvas(GraphPicture, "The graph, and the worst case for its sensitivity")
        self.canvas.pressed.connect(self._on_pressed)
        self.canvas.nudged.connect(self._on_nudged)
        self.canvas.updated.connect(self._show_sentence)
        self.body.insertWidget(1, self.canvas, 1)
        self.setTabOrder(self.reset, self.canvas)
        self.setTabOrder(self.canvas, self.distance.slider)
        self.forget()

    @property
    def choice(self) -> int:
        return self.k

    @property
    def is_public(self) -> bool:
        return self._session.state.reads == "weighted-graph"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.distance.set_narrow(event.size().width() < NARROW * self.fontMetrics().height())

    def show_wall(self, wall: WallView | None) -> None:
        super().show_wall(wall)
        self._wall = wall
        if wall is None:
            self.head.insertWidget(0, self._tools, 99)
        else:  # which has no line at the top
            self.body.insertWidget(self.body.indexOf(self.problem), self._tools)
        self._show_tools()
        self._show_sentence()

    def _show_tools(self) -> None:
        """Show the tools of the curator; on the wall, those that the task of the step needs."""
        curator, wall = self._session.state.view == "curator", self._wall
        self._tools.setVisible(curator)  # else the title takes their place
        self.distance.setVisible(curator and (wall is None or "slider" in wall.attempt))
        self.edge.setVisible(curator and (wall is None or "weight" in wall.attempt))

    def _show_sentence(self) -> None:
        """Show the sentence above the graph, but not on the wall, which has one in large."""
        if self.canvas is not None and self.canvas.has_picture:
            for above in self.canvas.picture.sentences:
                above.silence(self._wall is not None)

    def show_view(self, view: GraphView | None) -> None:
        """Show the graph; None changes nothing."""
        if view is None or self.canvas is None:
            return
        self.k = min(self.k, view.farthest)
        self._view = view
        self.canvas.private = view.private
        self._show_chosen()
        self.distance.show_choice(self.k, view.farthest)

    def forget(self) -> None:
        super().forget()
        state = self._session.state
        curator = state.view == "curator"
        self._view = self.chosen = None
        self.badge.setVisible(curator)
        self.reset.setVisible(curator and state.edited)
        self._show_tools()
        self.edge.show_nothing("")
        self.distance.show_choice(0, 0)
        set_text(self.problem, "")
        set_text(self.caption, "" if curator else PUBLIC)
        if self.canvas is not None:
            self.canvas.private = curator
            self.canvas.forget(state.unit)

    def show_released(self, text: str) -> None:
        self._title.set_text(text)

    def choose(self, edge: int | None) -> None:
        self.chosen = edge
        self._show_chosen()

    def show_distance(self, k: int) -> None:
        """Show the worst case of A^(k)."""
        self.k = k
        self.ask()

    def step(self, by: int) -> None:
        """Choose the edge `step` places heavier (or later); at first the first one."""
        view = self._view
        if view is None or not len(view.edges):
            return
        order = view.edges if view.weights is None else view.edges[np.argsort(view.weights, kind="stable")]
        position = np.flatnonzero(order == self.chosen)
        start = int(position[0]) + by if position.size else 0
        self.choose(int(order[min(max(start, 0), len(order) - 1)]))

    def nudge(self, hundredths: int) -> None:
        """Change the weight of the chosen edge by hundredths of Λ, or add or remove it."""
        if self.chosen is None:
            self.step(0)
        if self.chosen is None or self._view is None:
            return
        if self._view.weights is None:
            self._join(hundredths > 0)
            return
        domain = self._view.domain
        value = domain.clamp(self._weight() + hundredths * domain.width / 100)
        self._weigh(float(f"{float(value):.6g}"), True)

    def _weight(self) -> float:
        """Return the current weight of the chosen edge."""
        view = self._view
        assert view is not None
        assert self.chosen is not None
        assert view.chosen_index is not None
        assert view.weights is not None
        now = self._choice.modified_values.get(self.chosen, view.weights[view.chosen_index])
        return float(view.domain.clamp(now))

    def _show_chosen(self) -> None:
        view = self._view
        if view is None or self.canvas is None:
            return
        view = self._view = dataclasses.replace(view, chosen=self.chosen)
        index = view.chosen_index
        if index is None:
            self.chosen = None
        self.canvas.show_result(view)
        if not view.private:
            return
        state = self._session.state
        self.reset.setVisible(state.edited)
        if index is None:
            self.edge.show_nothing(HINTS.get(state.query, ""))
        elif view.weights is None:
            self.edge.show_edge(view.edge_name(index), self.chosen not in self._choice.removed_edges)
        else:
            self.edge.show_weight(view.edge_name(index), self._weight(), view.domain, state.unit)
        self._explain_bridge(index)

    def _explain_bridge(self, index: int | None) -> None:
        view = self._view
        text = ""
        if view is not None and index is not None and view.weights is not None and view.bridges[index]:
            weight = self._weight()
            reach = quantity(max(weight, view.domain.upper - weight), self._session.state.unit)
            text = BRIDGE.format(edge=view.edge_name(index), reach=reach)
        set_text(self.caption, text)

    def _weigh(self, weight: float, continuous: bool) -> None:
        if self.chosen is None:
            return
        edits = {**self._choice.modified_values, self.chosen: weight}
        merge = f"weight {self.chosen}" if continuous else ""
        self._session.edit("change a weight", merge=merge, modified_values=edits)

    def _join(self, present: bool) -> None:
        if self.chosen is None or not self.isVisible():  # a late click
            return
        absent = self._choice.removed_edges
        changed = absent - {self.chosen} if present else absent | {self.chosen}
        self._session.edit("add an edge" if present else "remove an edge", removed_edges=changed)

    def _show_changed(self) -> None:
        """Show an edit at once; tree and cut follow when computed."""
        if self._session.state.query in HINTS and self._view is not None and self._view.private:
            self._show_chosen()

    def _on_pressed(self, x: float, y: float) -> None:
        if self.canvas is None or self._view is None or not self.canvas.has_result:
            return
        if self._view.private:
            self.choose(self.canvas.picture.nearest_edge(x, y))  # type: ignore[attr-defined]

    def _on_nudged(self, right: int, up: int) -> None:
        if self._view is None or not self._view.private:
            return
        if up:
            self.step(up)
        else:
            self.nudge(right)
