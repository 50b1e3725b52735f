"""Requests for comparisons, checked by public facts alone."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any

from app.model.budget import USUAL_DELTA
from app.model.comparison_choice import ComparisonChoice
from app.model.kinds.base import DatasetBuilder
from app.model.kinds.registry import KINDS
from app.model.pages.registry import PAGES
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.trusted_code import check_trust
from app.model.view_states import ViewState
from app.model.wording.numbers import format_count, short
from engine.comparison import ComparedMechanism, Comparison, Sweep, trials
from engine.comparison.contenders import alternatives, contenders_from, same_task
from engine.comparison.sweeps import MAX_STEPS, default_sweep, sweep_between, sweepable
from engine.components import files_of
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism
from engine.mechanisms.base import Mechanism
from engine.parameters import Parameter
from engine.privacy import Privacy

Mechanisms = tuple[Mechanism[Any], ...]

PREVIEW = 7
"""Number of values for finding the ends of a sweep, which do not depend on it."""

OF_NUMBERS, OF_OTHERS = 1000, 100
"""Default runs of mechanisms that release one number, which are fast, and of all others."""

FEWER = (300, 100, 50, 30, 20, 10)
"""Default runs of slow mechanisms."""

DEFAULT_ERROR = 0.01
"""Largest error in a search for epsilon, as a share of the range of all answers."""

LONG = 12.0
"""The most seconds of one processor for the default runs of one mechanism."""

SLOW = 0.2
"""A reference without privacy that takes more seconds per draw is compared only if added."""


@dataclasses.dataclass(frozen=True, eq=False)
class ComparisonRequest:
    """Mechanisms, data and a sweep."""

    page: str  # the page of the data, and the kind of data that it reads
    reads: str
    source: DatasetBuilder
    privacy: Privacy  # the budget, if it is not swept
    contenders: tuple[ComparedMechanism, ...]
    choice: ComparisonChoice  # the sweep, the runs, and the question about ε
    start: float  # ends of the sweep: chosen, or defaults for the variable
    stop: float
    each: tuple[int, ...]  # runs of each mechanism at each value
    unit: str  # of the errors
    question: str  # the answer that all of them estimate: "Median of salary"

    @property
    def runs(self) -> int:
        """The runs of each mechanism at each value; slow ones may have fewer."""
        return max(self.each)

    @property
    def fewer(self) -> dict[str, int]:
        """The runs of mechanisms that have fewer, by label."""
        named = zip(self.contenders, self.each, strict=True)
        return {one.label: runs for one, runs in named if runs < self.runs}

    @property
    def mechanisms(self) -> Mechanisms:
        """The compared mechanisms without labels."""
        return tuple(contender.mechanism for contender in self.contenders)

    @property
    def offered(self) -> dict[str, str]:
        """The possible variables: labels by name."""
        # a graph cannot be sampled to fewer vertices
        fewer = {"n": "n (records)"} if KINDS[self.reads].counted == "records" else {}
        results = {"epsilon": "epsilon"} | fewer
        return results | {declared.name: declared.label for declared in sweepable(self.mechanisms)}

    @functools.cached_property
    def wrong(self) -> str:
        """The problem of the request; "" if it is valid."""
        steps, runs = self.choice.steps, self.runs
        for name, many, most in (("values", steps, MAX_STEPS), ("runs", runs, math.inf)):
            if not (float(many).is_integer() and many >= 1):
                return f"{short(many)} {name} are not possible; enter a whole number from 1"
            if many > most:
                asked, possible = format_count(int(many)), format_count(int(most))
                return f"{asked} {name} are too many; at most {possible} are possible"
        try:
            stop = self.start if steps == 1 else self.stop
            ends = sweep_between(self.choice.sweep, self.start, stop, min(steps, 2), self.whole)
            trials(self.contenders, ends, self.privacy, self.source.n)
        except ParameterError as error:
            return error.problem
        return ""

    @property
    def whole(self) -> bool:
        """Whether the variable is a whole number."""
        return is_whole(self.choice.sweep, self.mechanisms)

    @property
    def within(self) -> float | None:
        """The largest error in a search for epsilon: chosen, or 1 % of all answers; None without bounds."""
        fitting = (one for one, problem in zip(self.mechanisms, self.problems, strict=True) if not problem)
        usual = (one.output.trivial_error(self.source.domain, self.source.n) for one in fitting)
        half = next(filter(math.isfinite, usual), None) if self.choice.within is None else None
        return self.choice.within if half is None else float(f"{2 * DEFAULT_ERROR * half:.1g}")

    def sweep(self) -> Sweep:
        """Return the values of the sweep; raise `ParameterError` if it is invalid."""
        choice = self.choice
        stop = self.start if choice.steps == 1 else self.stop
        return sweep_between(choice.sweep, self.start, stop, choice.steps, self.whole)

    @functools.cached_property
    def problems(self) -> tuple[str, ...]:
        """Why each mechanism does not fit the data; "" if it does."""
        return tuple(map(self._problem, self.mechanisms))

    @functools.cached_property
    def needy(self) -> tuple[str, ...]:
        """The labels of mechanisms that do not fit only because delta is 0."""
        if self.privacy.delta > 0:
            return ()
        above = dataclasses.replace(self, privacy=Privacy(self.privacy.epsilon, USUAL_DELTA))
        tried = zip(self.contenders, self.problems, strict=True)
        return tuple(one.label for one, problem in tried if problem and not above._problem(one.mechanism))

    def _problem(self, mechanism: Mechanism[Any]) -> str:
        results = mechanism.problems(self.privacy, self.source.domain, self.source.n)
        return results[0].message if results else ""

    def same_data(self, other: ComparisonRequest) -> bool:
        """Tell whether both are about the same records."""
        alike = self.page == other.page and type(self.source) is type(other.source)
        return alike and self.source.same(other.source)

    def same(self, other: ComparisonRequest) -> bool:
        """Tell whether both have the same result."""
        return self.same_data(other) and self._asked == other._asked

    @property
    def _asked(self) -> tuple[Any, ...]:
        choice = self.choice
        epsilon = None if choice.sweep == "epsilon" else self.privacy.epsilon
        ends = self.start, None if choice.steps == 1 else self.stop
        budget = self.privacy.delta, epsilon
        return self.mechanisms, choice.sweep, ends, choice.steps, self.each, choice.seed, budget


@dataclasses.dataclass(frozen=True, eq=False)
class ComparisonResult:
    """A comparison and its request."""

    request: ComparisonRequest
    comparison: Comparison

    def answers(self, request: ComparisonRequest) -> bool:
        """Tell whether it is the complete result for `request`."""
        return self.comparison.complete and self.request.same(request)


class Alternatives:
    """The default mechanisms: the form's first one, and its alternatives.

    Changes of the form keep them, so that the user can add its new mechanism. Other data, or another
    question, replace them.
    """

    def __init__(self) -> None:
        self._page = ""
        self._source: DatasetBuilder | None = None
        self._found: Mechanisms = ()

    def of(self, page: str, setup: Selection) -> Mechanisms:
        """Return the mechanisms to compare for a page."""
        if not (self._found and self._fits(page, setup)):
            source = setup.source
            self._page, self._source = page, source
            possible = alternatives(setup.mechanism, setup.privacy, source.domain, source.n)
            self._found = (possible[0], *(one for one in possible[1:] if not is_left_out(one, source)))
        return self._found

    def forget(self) -> None:
        """Read the form again."""
        self._found = ()

    def _fits(self, page: str, setup: Selection) -> bool:
        if page != self._page or self._source is None or type(setup.source) is not type(self._source):
            return False
        alike = self._found[0].question == setup.mechanism.question
        return alike and bool(setup.source.same(self._source))


def request_of(state: SessionState, defaults: Alternatives) -> ComparisonRequest:
    """Return the request of `state`; raise `ParameterError` if it is incomplete or invalid."""
    choice = state.comparison
    if choice.mechanisms is None:
        setup = selection(state)
        source, privacy = setup.source, setup.privacy
        mechanisms = defaults.of(state.page, setup)
    else:
        source, privacy = state.builder(), Privacy(state.epsilon, state.delta_or_default)
        mechanisms = choice.mechanisms
        if any(mechanism.reads != state.reads for mechanism in mechanisms):
            problem = (
                "these mechanisms read other columns than the form; its large button starts a new comparison"
            )
            raise ParameterError("mechanisms", problem)
        for box in (box for mechanism in mechanisms for box in files_of(mechanism)):
            check_trust(box, state.trusted)
    wrong = source.problem()
    if wrong is not None:
        raise ParameterError(wrong.field, wrong.message)
    same_task(mechanisms)
    choice = dataclasses.replace(choice, sweep=_known(choice.sweep, mechanisms, source))
    start, stop = ends_of(choice, mechanisms, privacy, source.n)
    query = getattr(mechanisms[0], "query", None)
    return ComparisonRequest(
        page=state.page,
        reads=state.reads,
        source=source,
        privacy=privacy,
        contenders=contenders_from(mechanisms),
        choice=choice,
        start=start,
        stop=stop,
        each=tuple(
            usual_runs(one, choice, source) if choice.runs is None else choice.runs for one in mechanisms
        ),
        unit=error_unit(state),
        question=f"{PAGES[state.page].title if query is None else query.label} of {state.subject}",
    )


def requested(state: SessionState) -> ComparisonRequest:
    """Return the request of a script; raise `ParameterError` if it is invalid."""
    request = request_of(state, Alternatives())
    if request.wrong:
        raise ParameterError(request.choice.sweep, request.wrong)
    return request


def comparison_arguments(state: SessionState, view_state: ViewState) -> dict[str, Any]:
    """Return the arguments of a comparison and of a search for epsilon, by name."""
    request = requested(state)
    return {
        "delta": request.privacy.delta,
        "sweep": request.sweep(),
        "within": request.within,
        "share": request.choice.share,
        "runs": request.each if request.fewer else request.runs,
        "seed": request.choice.seed,
    }


def why_not_searched(request: ComparisonRequest) -> str:
    """Ask for the largest error if it is missing; "" if not."""
    return "" if request.within is not None else "Enter the largest error first."


def is_whole(name: str, mechanisms: Mechanisms) -> bool:
    """Tell whether the variable is a whole number."""
    declared = _declared(name, mechanisms)
    return name == "n" or (declared is not None and declared.kind == "int")


def ends_of(
    choice: ComparisonChoice, mechanisms: Mechanisms, privacy: Privacy, n: int
) -> tuple[float, float]:
    """Return the first and the last value of the sweep."""
    usual = default_sweep(choice.sweep, mechanisms, privacy, n, PREVIEW).values
    alone = privacy.epsilon if choice.sweep == "epsilon" else n if choice.sweep == "n" else usual[0]
    first = alone if choice.steps == 1 else usual[0]
    return (
        float(first if choice.start is None else choice.start),
        float(usual[-1] if choice.stop is None else choice.stop),
    )


def usual_runs(mechanism: Mechanism[Any], choice: ComparisonChoice, source: DatasetBuilder) -> int:
    """Return the default number of runs: fewer for a slow mechanism."""
    most = OF_NUMBERS if isinstance(mechanism, ScalarMechanism) else OF_OTHERS
    once = mechanism.resources(source.domain, source.n).seconds * times_tried(mechanism, choice)
    return next((runs for runs in (most, *FEWER) if runs <= most and runs * once <= LONG), FEWER[-1])


def times_tried(mechanism: Mechanism[Any], choice: ComparisonChoice, values: int | None = None) -> int:
    """Return the most values at which a mechanism runs: one if the sweep does not affect it."""
    once = choice.sweep == "epsilon" and not mechanism.facts.is_private
    return 1 if once else max(1, choice.steps if values is None else values)


def is_left_out(mechanism: Mechanism[Any], source: DatasetBuilder) -> bool:
    """Tell whether a mechanism is compared only if added: a slow reference."""
    return not mechanism.facts.is_private and mechanism.resources(source.domain, source.n).seconds > SLOW


def error_unit(state: SessionState) -> str:
    """Return the unit of errors: that of the data, except for counts."""
    return "" if state.topic == "histograms" else state.unit


def _known(name: str, mechanisms: Mechanisms, source: DatasetBuilder) -> str:
    """Return the variable; epsilon if no mechanism has the chosen parameter."""
    known = name in ("epsilon", "n") or _declared(name, mechanisms) is not None
    return name if known else "epsilon"


def _declared(name: str, mechanisms: Mechanisms) -> Parameter | None:
    return next((one for one in sweepable(mechanisms) if one.name == name), None)
