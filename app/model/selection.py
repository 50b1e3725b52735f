"""What a job needs to know of a state: the data, the budget, and the mechanism, put together."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable
from typing import Any

from app.model.kinds.points import PointsBuilder
from app.model.state import SessionState
from app.model.trusted_code import check_trust, names_file
from app.model.wording.releases import Step
from engine.components import files_of, stated_pattern
from engine.errors import ParameterError
from engine.mechanisms import BlockMechanism, ScalarMechanism
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planning import MIN_BLOCKS, Plan, plan_blocks, with_blocks
from engine.mechanisms.problem import Problem
from engine.mechanisms.relation import missing_problem
from engine.privacy import Privacy

STATED_PATTERN = (
    "a stated pattern is for pictures and simulations; leave it empty for a release, whose blocks are secret"
)

UNPLANNED = 100
"""The number of blocks where there is no plan."""


@dataclasses.dataclass(frozen=True, eq=False)
class Selection:
    """A state that makes sense.

    Attributes
    ----------
    source : DatasetBuilder
        What makes the database.
    mechanism : Mechanism
    plan : Plan or None
        What the planner expects of the number of blocks; None where that was chosen by hand, where
        there are none, or where there is no plan.
    """

    source: Any
    privacy: Privacy
    mechanism: Any
    unit: str
    plan: Plan | None = None

    @classmethod
    def of(cls, state: SessionState) -> Selection:
        """Return what `state` declares; `ParameterError` for what makes no sense."""
        source: Any = state.builder()
        privacy = Privacy(state.epsilon, state.delta_or_default)
        mechanism, plan = state.mechanism.build(), None
        _check_files(mechanism, state)  # before anything is asked of it: a file may come from anywhere
        if isinstance(mechanism, BlockMechanism) and blocks_are_planned(state):
            mechanism, plan = with_plan(mechanism, source, privacy, state.guess)
        return cls(source, privacy, mechanism.resolve(privacy), state.unit, plan)


def blocks_are_planned(state: SessionState) -> bool:
    """Tell whether the planner chooses the number of blocks: where none was chosen."""
    sampling = state.mechanism.find("sampling")
    return sampling is not None and "blocks" not in sampling.values


_MADE: weakref.WeakKeyDictionary[SessionState, Selection | Problem] = weakref.WeakKeyDictionary()


def selection(state: SessionState) -> Selection:
    """Return what a job needs; `ParameterError` for what makes no sense.

    It is put together, and its blocks are planned, once for each state.  Whether functions from
    files are still those that were confirmed is looked at each time; what was wrong with a file is
    not remembered, since it may be right by now.
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
    """Return a selection of which numbers can be found; `ParameterError` for what keeps them from it."""
    made = selection(state)
    wrong = made.source.problem()
    if wrong is not None:
        raise ParameterError(wrong.field, wrong.message)
    # the sensitivity of a query can be looked at whether or not the method fits it
    if not isinstance(made.mechanism, ScalarMechanism):
        made.mechanism.refuse(made.privacy, made.source.domain, made.source.n)
    return made


def _check_files(mechanism: Mechanism[Any], state: SessionState) -> None:
    """Raise `ParameterError` for a function from a file that is not the one that was confirmed."""
    for box in files_of(mechanism):
        check_trust(box, state.trusted)


def problems(state: SessionState) -> tuple[Problem, ...]:
    """Return what has to be set right before Run, each beside its field."""
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
    """Return the step of what would be released, from public facts alone; None where it has none."""
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
    """Let the planner choose the number of blocks; where it cannot, some that are possible."""
    space = mechanism.vectors.space(source.domain)
    try:
        plan = plan_blocks(mechanism, source.domain, source.n, privacy, guess * space.diameter)
    except ParameterError:
        most = source.n // mechanism.function.sensible_block(source.domain)
        return with_blocks(mechanism, max(MIN_BLOCKS, min(UNPLANNED, most))), None
    return with_blocks(mechanism, plan.blocks), plan


def relation_of(state: SessionState) -> str:
    """Return what the chosen mechanism states, or the neighbours of what is asked where it is unfinished."""
    try:
        return str(state.mechanism.build().relation)
    except ParameterError:
        return state.neighbours
