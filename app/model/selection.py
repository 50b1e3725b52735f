"""The inputs of a job, made from a state: data, budget and mechanism."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.model.kinds.points import PointsBuilder
from app.model.state import SessionState
from app.model.trusted_code import check_trust, names_file
from app.model.wording.releases import Step
from engine.components import files_of, stated_pattern
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism
from engine.mechanisms.auto import resolve_method
from engine.mechanisms.base import Mechanism
from engine.mechanisms.problem import Problem
from engine.mechanisms.relation import missing_problem
from engine.privacy import Privacy

if TYPE_CHECKING:
    from engine.mechanisms import BlockMechanism
    from engine.mechanisms.planning import Plan

STATED_PATTERN = (
    "a stated pattern is for pictures and simulations; leave it empty for a release, whose blocks are secret"
)

UNPLANNED = 100
"""The number of blocks without a plan."""


@dataclasses.dataclass(frozen=True, eq=False)
class Selection:
    """The data, budget and mechanism of a valid state."""

    source: Any  # makes the database
    privacy: Privacy
    mechanism: Any
    unit: str
    # the planner's estimates for the number of blocks; None if the number was chosen by hand, if there are no
    # blocks, or no plan
    plan: Plan | None = None

    @classmethod
    def of(cls, state: SessionState) -> Selection:
        """Return the selection of a state; `ParameterError` for an invalid one."""
        source: Any = state.builder()
        privacy = Privacy(state.epsilon, state.delta_or_default)
        mechanism, plan = state.mechanism.build().for_columns(getattr(source, "columns", ())), None
        _check_files(mechanism, state)  # first of all: the file of a function may come from anywhere
        if blocks_are_planned(state):
            mechanism, plan = with_plan(mechanism, source, privacy, state.guess)
        own = resolve_method(mechanism.resolve(privacy), source.domain, source.n, privacy)
        return cls(source, privacy, own, state.unit, plan)


def blocks_are_planned(state: SessionState) -> bool:
    """Return whether the planner chooses the number of blocks: true until the user does."""
    sampling = state.mechanism.find("sampling")
    return sampling is not None and "blocks" not in sampling.values


_MADE: weakref.WeakKeyDictionary[SessionState, Selection | Problem] = weakref.WeakKeyDictionary()


def selection(state: SessionState) -> Selection:
    """Return the inputs of a job; `ParameterError` for an invalid state.

    The selection is made, and its blocks are planned, once for each state. Functions from files are compared
    with the confirmed ones at each call. A problem with a file is not cached, since it may be solved by now.
    """
    made = _MADE.get(state)
    if made is None:
        try:
            made = Selection.of(state)
        except ParameterError as error:
            if names_file(state.mechanism):
                raise
            made = Problem(error.field, error.problem)
        _MADE[state] = made
    elif not isinstance(made, Problem):
        _check_files(made.mechanism, state)
    if isinstance(made, Problem):
        raise ParameterError(made.field, made.message)
    return made


def fitting_selection(state: SessionState) -> Selection:
    """Return a selection whose numbers can be computed; `ParameterError` gives the problem otherwise."""
    made = selection(state)
    wrong = made.source.problem()
    if wrong is not None:
        raise ParameterError(wrong.field, wrong.message)
    # the sensitivity of a query is defined whether or not the method suits it
    if not isinstance(made.mechanism, ScalarMechanism):
        made.mechanism.refuse(made.privacy, made.source.domain, made.source.n)
    return made


def _check_files(mechanism: Mechanism[Any], state: SessionState) -> None:
    """Raise `ParameterError` for a function from a file that differs from the confirmed one."""
    for box in files_of(mechanism):
        check_trust(box, state.trusted)


def problems(state: SessionState) -> tuple[Problem, ...]:
    """Return the problems to solve before Run, each with its field."""
    results: dict[str, Problem] = {}
    checks: tuple[Callable[[], object], ...] = (
        state.builder,
        lambda: Privacy(state.epsilon, state.delta_or_default),
        lambda: selection(state),
    )
    for check in checks:
        try:
            check()
        except ParameterError as error:
            results.setdefault(error.field, Problem(error.field, error.problem))
    if state.read_data.look_problem:
        results.setdefault("data", Problem("data", state.read_data.look_problem))
    if state.size_problem is not None:
        results.setdefault(state.size_problem.field, state.size_problem)
    if not results:
        made = selection(state)
        wrong = made.source.problem()
        troubles = made.mechanism.problems(made.privacy, made.source.domain, made.source.n)
        if treated := missing_problem(made.mechanism.relation, state.read_data.missing):
            results["missing"] = treated
        if stated_pattern(made.mechanism) and state.lesson is None:
            results["pattern"] = Problem("pattern", STATED_PATTERN)
        for trouble in (*([wrong] if wrong else []), *troubles):
            results.setdefault(trouble.field, trouble)
    return tuple(results.values())


def step_of(made: Selection) -> Step:
    """Return the step of released values, from public facts alone; None if there is none."""
    mechanism, source = made.mechanism, made.source
    if isinstance(mechanism, ScalarMechanism):
        without = not mechanism.facts.on_step or source.n < 1
        if without or mechanism.query.problem(source.domain, source.n) is not None:
            return None
        return mechanism.public_grid(source.domain, source.n, getattr(source, "resolution", None)).step
    step: Step = mechanism.step(source.domain, source.n, made.privacy)
    return step


def with_plan(
    mechanism: BlockMechanism, source: PointsBuilder, privacy: Privacy, guess: float
) -> tuple[BlockMechanism, Plan | None]:
    """Let the planner choose the number of blocks; if it cannot, use a possible number."""
    from engine.mechanisms.planning import MIN_BLOCKS, plan_blocks, with_blocks

    space = mechanism.vectors.space(source.domain)
    try:
        plan = plan_blocks(mechanism, source.domain, source.n, privacy, guess * space.diameter)
    except ParameterError:
        most = source.n // mechanism.function.sensible_block(source.domain)
        return with_blocks(mechanism, max(MIN_BLOCKS, min(UNPLANNED, most))), None
    return with_blocks(mechanism, plan.blocks), plan


def relation_of(state: SessionState) -> str:
    """Return the neighbouring relation of the mechanism, or of the query while that is incomplete."""
    try:
        return str(state.mechanism.build().relation)
    except ParameterError:
        return state.neighbours
