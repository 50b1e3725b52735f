"""What a job needs to know of a state: the data, the budget, and the mechanism, put together."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from app.model.kinds.desks import FILE
from app.model.kinds.sources import CategoriesBuilder, DatasetBuilder, PointsBuilder
from app.model.trusted_code import check_trust
from app.model.wording.grids import Step
from engine import catalog
from engine.errors import ParameterError
from engine.mechanisms import (
    SANITIZERS,
    BlockMechanism,
    CategoriesMechanism,
    PointsMechanism,
    Sanitizer,
    ScalarMechanism,
)
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planner import FEWEST, Plan
from engine.mechanisms.planning import planned, with_blocks
from engine.privacy import Privacy

if TYPE_CHECKING:
    from app.model.state import SessionState
    from engine.aggregation.function import BlockFunction


UNPLANNED = 100
"""The number of blocks where there is no plan."""


class Selection(Protocol):
    """A state that makes sense."""

    source: DatasetBuilder
    privacy: Privacy
    mechanism: Mechanism[Any]
    unit: str


@dataclasses.dataclass(frozen=True, eq=False)
class QuerySelection:
    """A query of one number, released by one of the methods."""

    source: DatasetBuilder
    privacy: Privacy
    mechanism: Mechanism[Any]
    query: Any
    noise: Any
    constants: str
    split: float
    unit: str

    @classmethod
    def of(cls, state: SessionState) -> QuerySelection:
        """Return the setup that `state` declares; `ParameterError` for what makes no sense."""
        source = state.source()
        privacy = Privacy(state.epsilon, state.failing)
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


@dataclasses.dataclass(frozen=True, eq=False)
class PointsSelection:
    """A mechanism on points.

    Attributes
    ----------
    plan : Plan or None
        What the planner expects of the number of blocks; None where a person chose it, where
        there are none, or where there is no plan.
    """

    source: PointsBuilder
    privacy: Privacy
    mechanism: PointsMechanism
    unit: str
    plan: Plan | None

    @classmethod
    def of(cls, state: SessionState) -> PointsSelection:
        """Return the setup that `state` declares; `ParameterError` for what makes no sense."""
        source = PointsBuilder.of(state)
        privacy = Privacy(state.epsilon, state.failing)
        mechanism, plan = sanitizer(state), None
        assert isinstance(mechanism, PointsMechanism)
        if isinstance(mechanism, BlockMechanism) and blocks_are_planned(state):
            mechanism, plan = with_plan(mechanism, source, privacy, state.guess)
        return cls(source, privacy, mechanism, state.unit, plan)


@dataclasses.dataclass(frozen=True, eq=False)
class CategoriesSelection:
    """A mechanism on categories."""

    source: CategoriesBuilder
    privacy: Privacy
    mechanism: CategoriesMechanism
    unit: str = ""

    @classmethod
    def of(cls, state: SessionState) -> CategoriesSelection:
        """Return the setup that `state` declares; `ParameterError` for what makes no sense."""
        source = CategoriesBuilder.of(state)
        mechanism = sanitizer(state)
        assert isinstance(mechanism, CategoriesMechanism)
        return cls(source, Privacy(state.epsilon, state.failing), mechanism)


def step_of(setup: Selection) -> Step:
    """Return the step of what would be released, from public facts alone; None where it has none."""
    mechanism, source = setup.mechanism, setup.source
    if isinstance(mechanism, ScalarMechanism):
        if source.n < 1 or mechanism.query.problem(source.domain, source.n) is not None:
            return None
        return mechanism.public_grid(source.domain, source.n, getattr(source, "resolution", None)).step
    assert isinstance(mechanism, Sanitizer)
    return mechanism.step(source.domain, source.n, setup.privacy)


def blocks_are_planned(state: SessionState) -> bool:
    """Tell whether the planner chooses the number of blocks."""
    return "blocks" not in state.chosen("sampling", state.sampling)


def sanitizer(state: SessionState) -> Sanitizer[Any]:
    """Return the mechanism that is asked for, with its parts; the number of blocks may be open."""
    fields = {declared.kind: declared.name for declared in SANITIZERS[state.query].parameters()}
    parts: dict[str, Any] = {}
    if "sampling" in fields:
        parts[fields["sampling"]] = catalog.sampling(
            state.sampling, **state.chosen("sampling", state.sampling)
        )
    if "aggregator" in fields:
        noise = catalog.noise(state.noise, **state.chosen("noise", state.noise)) if state.uses_noise else None
        chosen = state.chosen("aggregator", state.aggregator) | ({"noise": noise} if noise else {})
        parts[fields["aggregator"]] = catalog.aggregator(state.aggregator, **chosen)
    if "function" in fields:
        parts[fields["function"]] = _function(state)
    return catalog.sanitizer(state.query, **parts, **state.chosen("mechanism", state.query))


def _function(state: SessionState) -> BlockFunction:
    if state.function != FILE:
        return catalog.function(state.function, **state.chosen("function", state.function))
    if state.black_box is None:
        raise ParameterError("function", "choose a Python file")
    check_trust(state.black_box, state.trusted)
    return state.black_box


def with_plan(
    mechanism: BlockMechanism, source: PointsBuilder, privacy: Privacy, guess: float
) -> tuple[BlockMechanism, Plan | None]:
    """Let the planner choose the number of blocks; where it cannot, some that are possible."""
    space = mechanism.space(source.domain)
    try:
        plan = planned(mechanism, source.domain, source.n, privacy, guess * space.diameter)
    except ParameterError:
        most = source.n // mechanism.function.smallest_block(source.domain)
        return with_blocks(mechanism, max(FEWEST, min(UNPLANNED, most))), None
    return with_blocks(mechanism, plan.blocks), plan


SELECTIONS: dict[str, Callable[[SessionState], Selection]] = {
    "column": QuerySelection.of,
    "weighted-graph": QuerySelection.of,
    "simple-graph": QuerySelection.of,
    "points": PointsSelection.of,
    "categories": CategoriesSelection.of,
}
"""How a setup comes out of a state, by what is read."""
