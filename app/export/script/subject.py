"""What a script is about: what a person has chosen, and how the page looks."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.model.selection import selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism


@dataclasses.dataclass(frozen=True)
class Subject:
    """A state that makes sense, and its setup."""

    state: SessionState
    view_state: ViewState
    setup: Any

    @classmethod
    def of(cls, state: SessionState, view_state: ViewState) -> Subject:
        """Return what a script is about; `ParameterError` for what is missing or makes no sense."""
        setup = selection(state)
        wrong = setup.source.problem()
        if wrong is not None:
            raise ParameterError(wrong.field, wrong.message)
        subject = cls(state, view_state, setup)
        # the sensitivity of a query can be looked at whether or not the method fits it
        if not isinstance(setup.mechanism, ScalarMechanism):
            setup.mechanism.refuse(setup.privacy, setup.source.domain, setup.source.n)
        return subject

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
