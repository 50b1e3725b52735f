"""What a script is about: what the user has chosen, and how the page looks."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.model.page_spec import PageSpec
from app.model.state import SessionState
from app.model.view_states import ViewState


@dataclasses.dataclass(frozen=True)
class Subject:
    """A state that makes sense, and what is asked there: a `Selection`, or a `ComparisonRequest`."""

    state: SessionState
    view_state: ViewState
    setup: Any

    @classmethod
    def of(cls, page: PageSpec, state: SessionState, view_state: ViewState) -> Subject:
        """Return what a script is about; `ParameterError` for what is missing or makes no sense."""
        return cls(state, view_state, page.asked(state))

    @property
    def curator(self) -> bool:
        """Whether numbers may be computed from raw data."""
        return self.state.view == "curator"

    @property
    def fits(self) -> bool:
        """Whether the mechanism can be run on such data."""
        setup = self.setup
        return not setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)

    @property
    def is_planned(self) -> bool:
        """Whether the planner chooses the number of blocks."""
        return self.setup.plan is not None
