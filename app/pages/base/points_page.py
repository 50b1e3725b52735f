"""What the pages about points have in common: which release is shown in the place of a simulated one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.references import module_of
from app.model.selection import Selection
from app.model.view_states import ViewState
from app.pages.base.answering import PictureRequest
from app.pages.base.page import Page
from app.session import Session
from app.theme import Palette
from engine.mechanisms import Release

if TYPE_CHECKING:
    from app.pages.base.points_panel import DeclaredPointsPanel

DATA = frozenset({"dataset", "columns", "points"})
NOTHING = "Nothing has been released yet. Run makes the first release; what it gives will stand here."


class PointsPage(Page):
    """Shows what mechanisms make of points."""

    _setup: Any = None
    """What is declared now; None while it makes no sense."""

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


class DeclaredPointsPage(PointsPage):
    """Shows pictures of points that are declared, with their options by name."""

    card: DeclaredPointsPanel

    def __init__(
        self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette, card: DeclaredPointsPanel
    ) -> None:
        super().__init__(declared, session, jobs, palette, card)

    def _view_state(self) -> ViewState:
        card = self.card
        return dataclasses.replace(
            super()._view_state(), simulated=card.draws.simulated, options=card.options
        )

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.show_options(view_state.options)
        self.card.draws.simulated = view_state.simulated
        super()._apply_view_state(view_state)

    @property
    def modules(self) -> Sequence[str]:
        """What the pictures need."""
        return tuple(dict.fromkeys(module_of(spec.drawn_by) for spec in self.declared.pictures))

    def _request(self, setup: Selection, released: Any, *, public: bool) -> PictureRequest:
        """Return what is asked of a worker for the open picture."""
        spec = self.declared.picture(self.card.tab)
        return PictureRequest(setup, spec, self.card.options, released, public)
