"""What the pages about points have in common: which release is shown in the place of a simulated one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.model.selection import Selection
from app.model.view_states import ViewState
from app.pages.base.page import Page
from engine.mechanisms import Release

if TYPE_CHECKING:
    from app.pages.clustering.pipeline_panel import PipelinePanel
    from app.pages.histogram.plot_panel import HistogramPlotPanel
    from app.pages.one_cluster.plot_panel import BallPlotPanel

DATA = frozenset({"dataset", "columns", "points"})
NOTHING = "Nothing has been released yet. Run makes the first release; what it gives will stand here."


class PointsPage(Page):
    """Shows what mechanisms make of points."""

    _setup: Any = None
    """What is declared now; None while it makes no sense."""

    card: BallPlotPanel | HistogramPlotPanel | PipelinePanel

    def _view_state(self) -> ViewState:
        card = self.card
        directions, draws = card.directions.axes, card.draws
        return dataclasses.replace(
            super()._view_state(),
            seed=draws.seed,
            simulated=draws.simulated,
            across=directions[0],
            up=directions[1],
        )

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.draws.choose(view_state.seed, view_state.simulated)
        self.card.directions.choose(view_state.across, view_state.up)
        super()._apply_view_state(view_state)

    def _is_about(self, setup: Any) -> bool:
        """Tell whether an answer, which may come late, is about the data and the mechanism of now."""
        now = self._setup
        return now is not None and (setup.mechanism.name, setup.source.columns) == (
            now.mechanism.name,
            now.source.columns,
        )

    def _newest(self, setup: Selection, *, exactly: bool) -> Release | None:
        """Return the newest release of what is asked; with `exactly`, by this very mechanism."""
        state = self._session.state
        if state.dataset is None:
            return None
        for record in reversed(state.releases):
            release = record.release
            same = self._session.is_here(record) and release.query == state.query
            if not same or not self._fits(setup, release):
                continue
            stated = setup.mechanism.release_parameters().items()
            matches = all(release.parameters.get(name) == value for name, value in stated)
            if not exactly or (matches and release.privacy == setup.mechanism.cost(setup.privacy)):
                return release
        return None

    def _ask_beside(self, setup: Any) -> None:
        self.judged.emit(None)  # nobody looks at the data now

    def _fits(self, setup: Any, release: Release) -> bool:
        """Tell whether what was released can be shown where the mechanism's own releases are."""
        return True
