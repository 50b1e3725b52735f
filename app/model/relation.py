"""Between which databases the epsilon that is asked for is meant."""

from __future__ import annotations

from app.model.state import SessionState
from engine.errors import ParameterError


def relation_of(state: SessionState) -> str:
    """Return what the chosen mechanism states, or the neighbours of what is asked where it is unfinished."""
    try:
        return str(state.mechanism.build().relation)
    except ParameterError:
        return state.neighbours
