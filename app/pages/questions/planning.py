"""Plans of the rows of the sheet, from public facts: shares, methods and expected errors."""

from __future__ import annotations

import dataclasses
import math
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.model.dataset import Dataset
from app.model.questions import AskedQuestion, ReleasedQuestion, Rows, spent
from app.model.state import SessionState
from app.model.wording.numbers import number, quantity, share
from engine.errors import DataError, ParameterError
from engine.privacy import Privacy
from engine.progress import Progress
from engine.questions.declarations import Declarations
from engine.questions.question import Question

if TYPE_CHECKING:
    from engine.data import Table
    from engine.questions.planning import Planned
    from engine.questions.sheet import Sheet

SPENT = "No budget is left for this question: raise the total ε."
ROUNDING = 1e-9
LARGE_NOISE = 0.25
"""Share of the range of possible answers from which an expected error is called large."""
REMEDIES = "A larger ε, fewer groups or questions, or narrower bounds help."


@dataclasses.dataclass(frozen=True)
class RowPlan:
    """The plan of a row; all of it is public."""

    key: int  # the key of the row
    planned: Planned | None = None  # None without a possible plan
    method: str = ""  # the method, in words
    error: str = ""  # the half-width that holds 95 % of the errors, in words; "" if it is not known
    model: str = ""  # the assumptions behind the error; "" if it holds for all data
    reason: str = ""  # the reason why there is no error
    problem: str = ""  # the reason why it has no plan; "" if it has one

    @property
    def privacy(self) -> Privacy | None:
        """Its share of the budget."""
        return None if self.planned is None else self.planned.promise

    @property
    def warning(self) -> str:
        """The reason why its answer says little; "" if it is useful."""
        if self.planned is None or self.planned.noise_share < LARGE_NOISE:
            return ""
        equal = " of groups of equal size" if self.planned.resolved.parts > 1 else ""
        return f"Mostly noise: the error is {share(self.planned.noise_share)} of the possible range{equal}."

    @property
    def lacks_interval(self) -> bool:
        """Whether the answer has no interval, because no epsilon is spent on one."""
        mechanism = None if self.planned is None else self.planned.resolved.mechanism
        return getattr(getattr(mechanism, "method", mechanism), "error_share", None) == 0


@dataclasses.dataclass(frozen=True)
class SheetPlan:
    """The plans of all open rows."""

    request: PlanRequest
    rows: tuple[RowPlan, ...]
    n: int  # number of records (public)
    released: tuple[RowPlan, ...] = ()  # the plans of released rows, with what was spent on them

    @property
    def problem(self) -> str:
        """The reason why the sheet cannot be run; "" for none."""
        if not self.rows:
            return "All questions are released: add another one"
        return next((row.problem for row in self.rows if row.problem), "")

    @property
    def cost(self) -> float:
        """Epsilon of all open rows together."""
        return math.fsum(row.privacy.epsilon for row in self.rows if row.privacy is not None)


@dataclasses.dataclass(frozen=True, eq=False)
class PlanRequest:
    """All that a plan depends on."""

    table: Dataset
    declarations: Declarations
    rows: Rows
    budget: Privacy

    @classmethod
    def of(cls, state: SessionState) -> PlanRequest | None:
        """Return the request of a state; None without a table."""
        if state.table is None:
            return None
        return cls(state.table, state.declarations, state.questions, state.sheet_budget)

    def is_same(self, other: PlanRequest | None) -> bool:
        """Return whether both ask for the same plan."""
        return (
            other is not None
            and self.table is other.table
            and (self.declarations, self.rows, self.budget) == (other.declarations, other.rows, other.budget)
            and [row.key for row in self.rows] == [row.key for row in other.rows]
        )

    def compute(self, progress: Progress) -> SheetPlan:
        """Plan all open rows (in a worker)."""
        n = records(self.table, self.declarations).n
        open_rows = [row for row in self.rows if row.released is None]
        problems = {row.key: problem_of(row.question, self.declarations, n) for row in open_rows}
        sound = [row for row in open_rows if not problems[row.key]]
        planned = {
            row.key: one for row, one in zip(sound, self._planned(sound, n), strict=True) if one is not None
        }
        progress(1.0)
        plans = (self._plan(row, planned.get(row.key), problems[row.key]) for row in open_rows)
        released = (self._released(row, n) for row in self.rows if row.released is not None)
        return SheetPlan(self, tuple(plans), n, tuple(released))

    def _released(self, row: AskedQuestion, n: int) -> RowPlan:
        """Return the plan of a released row; one without an error if it was released with other bounds."""
        assert row.released is not None
        release = row.released.release
        try:
            (planned,) = self._sheet([row], release.privacy).plan(n)
        except (DataError, ParameterError):
            return RowPlan(row.key)
        domain, known = planned.resolved.domain, release.parameters
        bounds = getattr(domain, "values", domain)
        same = (bounds.lower, bounds.upper) == (known.get("lower"), known.get("upper"))
        return self._plan(row, planned, "") if same else RowPlan(row.key)

    def _planned(self, sound: Sequence[AskedQuestion], n: int) -> Sequence[Planned | None]:
        """Return the plan of each sound row; None where no budget is left."""
        if not sound:
            return ()
        used = spent(self.rows)
        if used is None:
            return self._sheet(sound, self.budget).plan(n)
        plans = [self._with_left(sound, n, used)]
        if self.budget.delta:
            plans.append(self._as_begun(sound, n))
        return max(plans, key=_epsilon_of)

    def _with_left(self, sound: Sequence[AskedQuestion], n: int, used: Privacy) -> Sequence[Planned | None]:
        """Share what the sum of the released rows leaves."""
        left = self.budget.epsilon - used.epsilon
        if left <= ROUNDING * self.budget.epsilon:
            return [None] * len(sound)
        return self._sheet(sound, Privacy(left, max(0.0, self.budget.delta - used.delta))).plan(n)

    def _as_begun(self, sound: Sequence[AskedQuestion], n: int) -> Sequence[Planned | None]:
        """Share the whole budget as zCDP does, if no released row has cost more than its share of it."""
        kept = [row for row in self.rows if row.released is not None or row in sound]
        try:
            shares = self._sheet(kept, self.budget).plan(n)
        except (DataError, ParameterError):
            return [None] * len(sound)
        for row, one in zip(kept, shares, strict=True):
            cost = None if row.released is None else row.released.release.privacy.epsilon
            if cost is not None and cost > one.promise.epsilon * (1 + ROUNDING):
                return [None] * len(sound)
        return [one for row, one in zip(kept, shares, strict=True) if row.released is None]

    def _sheet(self, rows: Sequence[AskedQuestion], budget: Privacy) -> Sheet:
        from engine.questions.sheet import Sheet

        questions = [row.question for row in rows]
        return Sheet(questions, budget.epsilon, budget.delta, self.declarations)

    def _plan(self, row: AskedQuestion, planned: Planned | None, problem: str) -> RowPlan:
        if planned is None:
            return RowPlan(row.key, problem=problem or SPENT)
        error = _error_words(planned.error, self, row.question)
        if error and planned.noise_share >= LARGE_NOISE:
            error += f" ({share(planned.noise_share)})"
        reason = "" if error else planned.model or "depends on the data"
        label = planned.resolved.mechanism.label
        return RowPlan(row.key, planned, label, error, planned.model if error else "", reason)


def _error_words(error: float | None, request: PlanRequest, question: Question) -> str:
    """Write an expected error in the unit of its answer; "" if it is not known."""
    unit = ReleasedQuestion(request.table, question, request.declarations).unit
    return "" if error is None else f"± {quantity(error, unit)}"


def _epsilon_of(plans: Sequence[Planned | None]) -> float:
    return math.fsum(one.privacy.epsilon for one in plans if one is not None)


_RECORDS: weakref.WeakKeyDictionary[Dataset, tuple[tuple[object, ...], Table]] = weakref.WeakKeyDictionary()


def records(dataset: Dataset, declarations: Declarations) -> Table:
    """Return the table with one row for each record (in a worker); it is kept while the data are open."""
    from secrets import token_bytes

    from engine.questions.planning import records_of

    about = (declarations.person, declarations.person_rule, declarations.most_rows)
    known = _RECORDS.get(dataset)
    if known is not None and known[0] == about:
        return known[1]
    table = records_of(dataset.table, declarations, token_bytes(16))
    _RECORDS[dataset] = about, table
    return table


def problem_of(question: Question, declarations: Declarations, n: int) -> str:
    """Return the problem of a question with the declarations; "" if there is none."""
    from engine.questions.sheet import Sheet

    try:
        Sheet([question], declarations=declarations).plan(n)
    except ParameterError as error:
        return f"{error.problem[:1].upper()}{error.problem[1:]}"
    except DataError as error:
        return str(error)
    return ""


@dataclasses.dataclass(frozen=True)
class MethodChoice:
    """A possible method of a row, with its expected error in words; "" if that is not known."""

    key: int
    name: str
    label: str
    error: str


METHODS = ("auto", "laplace", "gaussian", "exponential", "smooth")
"""Methods that a row may choose from, if they fit its question."""


@dataclasses.dataclass(frozen=True, eq=False)
class MethodsRequest:
    """Asks for the possible methods of a row, with their expected errors."""

    plan: SheetPlan
    key: int

    def compute(self, progress: Progress) -> tuple[MethodChoice, ...]:
        """Return the methods that fit the question, the automatic one first (in a worker)."""
        from engine.questions.planning import expected_error, resolve

        request, n = self.plan.request, self.plan.n
        row = next(row for row in request.rows if row.key == self.key)
        here = next(one for one in self.plan.rows if one.key == self.key)
        if row.question.statistic in CELLS or here.privacy is None:
            return ()
        results: list[MethodChoice] = []
        for name in METHODS:
            question = dataclasses.replace(row.question, method=name)
            try:
                settled = resolve(question, request.declarations).settled(n, here.privacy)
                settled.mechanism.refuse(here.privacy, settled.domain, n)
                error, _ = expected_error(question, settled, n, here.privacy, question.assumed)
            except ParameterError:
                continue
            label = settled.mechanism.label
            text = f"Automatic: {label}" if name == "auto" else label
            results.append(MethodChoice(row.key, name, text, _error_words(error, request, question)))
        return tuple(results)


CELLS = ("histogram", "table")
"""Statistics whose method cannot be chosen: noisy counts."""


@dataclasses.dataclass(frozen=True, eq=False)
class SameAccuracyRequest:
    """Asks for weights that make all errors the same share of their range."""

    plan: SheetPlan

    def compute(self, progress: Progress) -> dict[int, float]:
        """Return the new weight of each open row, by key (in a worker)."""
        from engine.questions.planning import same_accuracy

        request = self.plan.request
        rows = [row for row in request.rows if row.released is None]
        asked = same_accuracy([row.question for row in rows], request.declarations, self.plan.n)
        return {row.key: question.weight for row, question in zip(rows, asked, strict=True)}


@dataclasses.dataclass(frozen=True)
class NeededEpsilon:
    """The epsilon that a row needs for an error; None if no possible one is enough."""

    key: int
    error: float
    epsilon: float | None


@dataclasses.dataclass(frozen=True, eq=False)
class NeededRequest:
    """Asks which epsilon a row needs for an error."""

    plan: SheetPlan
    key: int
    error: float

    def compute(self, progress: Progress) -> NeededEpsilon:
        """Search for the epsilon (in a worker)."""
        from engine.questions.planning import epsilon_for

        request = self.plan.request
        row = next(row for row in request.rows if row.key == self.key)
        epsilon = epsilon_for(row.question, request.declarations, self.plan.n, self.error)
        return NeededEpsilon(self.key, self.error, epsilon)


def with_share(plan: SheetPlan, key: int, epsilon: float) -> tuple[Rows, Privacy]:
    """Return the rows and the total in which a row has another epsilon and all others keep theirs."""
    request, rows = plan.request, plan.request.rows
    known = {row.key: row.privacy.epsilon for row in plan.rows if row.privacy is not None}
    before = known.get(key, 0.0)
    shares = {**known, key: epsilon}
    changed = tuple(
        row.but(weight=shares[row.key]) if row.released is None and row.key in shares else row for row in rows
    )
    used = spent(rows)
    fixed = math.fsum(shares.values()) - epsilon + (0.0 if used is None else used.epsilon)
    total = request.budget.epsilon * (fixed + epsilon) / ((fixed + before) or request.budget.epsilon)
    return _comparable(changed), dataclasses.replace(request.budget, epsilon=max(total, epsilon))


def with_boundary(plan: SheetPlan, keys: Sequence[int], index: int, share: float) -> Rows:
    """Return the rows after the boundary behind a piece of the bar was moved.

    `keys` are the rows of the pieces, and `share` is the new share of the piece of all of them.
    """
    weights = {row.key: row.question.weight for row in plan.request.rows}
    sizes = [sizes_of(plan.request.rows, plan)[key] for key in keys]
    whole, pair = math.fsum(sizes), sizes[index] + sizes[index + 1]
    first = min(max(share * whole, 0.0), pair)
    per_size = (weights[keys[index]] + weights[keys[index + 1]]) / (pair or 1.0)
    new = {keys[index]: first * per_size, keys[index + 1]: (pair - first) * per_size}
    return tuple(
        row.but(weight=max(new[row.key], 1e-6)) if row.key in new else row for row in plan.request.rows
    )


def sizes_of(rows: Rows, plan: SheetPlan | None) -> dict[int, float]:
    """Return the epsilon of each row: spent, or planned; 0 if it is unknown."""
    planned = {} if plan is None else {row.key: row.privacy for row in plan.rows}
    sizes = {}
    for row in rows:
        privacy = planned.get(row.key) if row.released is None else row.released.release.privacy
        sizes[row.key] = 0.0 if privacy is None or not math.isfinite(privacy.epsilon) else privacy.epsilon
    return sizes


def _comparable(rows: Rows) -> Rows:
    """Give released rows their epsilon as weight, since the open rows have theirs."""
    return tuple(
        row if row.released is None else row.but(weight=max(row.released.release.privacy.epsilon, 1e-6))
        for row in rows
    )


def budget_words(plan: SheetPlan | None, rows: Rows, left: str) -> str:
    """Say what is planned, unless the total alone says it, and what is spent and left."""
    used = spent(rows)
    cost = 0.0 if plan is None else plan.cost
    whole = used is None and plan is not None and number(cost) == number(plan.request.budget.epsilon)
    parts = [
        "" if rows else "add a question to run the sheet",
        f"planned ε = {number(cost)}" if cost and not whole else "",
        f"spent ε = {number(used.epsilon)}" if used is not None else "",
        left,
    ]
    text = " · ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}"
