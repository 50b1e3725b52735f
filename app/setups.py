"""What a job needs to know of a state: the data, the budget, and the mechanism, put together."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from app.sources import Source
from engine import catalog
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

if TYPE_CHECKING:
    from app.state import SessionState


class Setup(Protocol):
    """A state that makes sense."""

    source: Source
    privacy: Privacy
    mechanism: Mechanism[Any]
    unit: str


@dataclasses.dataclass(frozen=True, eq=False)
class QuerySetup:
    """A query of one number, released by one of the methods."""

    source: Source
    privacy: Privacy
    mechanism: Mechanism[Any]
    query: Any
    noise: Any
    constants: str
    split: float
    unit: str

    @classmethod
    def of(cls, state: SessionState) -> QuerySetup:
        """Return the setup that `state` declares; `ParameterError` for what makes no sense."""
        source = state.source()
        privacy = Privacy(state.epsilon, state.delta)
        query = catalog.query(state.query, **state.chosen("query", state.query))
        noise = catalog.noise(state.noise, **state.chosen("noise", state.noise))
        chosen = state.chosen("method", state.method)
        mechanism = catalog.mechanism(state.method, query, noise if state.uses_noise else None, **chosen)
        return cls(
            source=source,
            privacy=privacy,
            mechanism=mechanism,
            query=query,
            noise=noise,
            constants=chosen.get("constants", "tight"),
            split=chosen.get("split", 0.5),
            unit=state.unit,
        )


SETUPS: dict[str, Callable[[SessionState], Setup]] = dict.fromkeys(
    ("column", "weighted-graph", "simple-graph"), QuerySetup.of
)
"""How a setup comes out of a state, by what is read."""
