"""Mechanisms, budgets and expected errors of the questions of a sheet, from public facts alone."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.catalog import methods
from engine.data.categories import CategoryDomain
from engine.data.look_only import look_only
from engine.data.order_statistics import Sample
from engine.data.parts import IN_NO_PART, Parts, PartsDomain
from engine.data.reading_parts import TRUTH, group_index, read_parts
from engine.data.rows import all_hold, combine_rows, keep_rows, read_row_condition
from engine.data.table import Table
from engine.domain import Interval
from engine.errors import ParameterError
from engine.histograms.grid import round_edges
from engine.ledger.composition import compose
from engine.ledger.cost import Cost
from engine.mechanisms.auto import AutoRelease, resolve_method
from engine.mechanisms.base import Mechanism
from engine.mechanisms.guarantee import FLIP
from engine.mechanisms.parts import ChoiceInParts, EachPart, PartsMechanism, SumsInParts
from engine.mechanisms.parts.methods import method_in_parts
from engine.mechanisms.scalar import ScalarMechanism
from engine.numerals import exact_texts, short
from engine.privacy import Privacy, for_persons
from engine.queries import Count, Mean, Median, Quantile, Query, Sum
from engine.questions.declarations import DROP, ColumnDeclaration, Declarations
from engine.questions.question import BY_RANK, Question
from engine.shown import ShownInALine

if TYPE_CHECKING:
    from engine.data.formats.file_format import StaysInFile

ResultT = TypeVar("ResultT")
TableT = TypeVar("TableT", bound="Table | StaysInFile")

MAX_EPSILON = 100.0
"""Largest epsilon that one question may need."""

MAX_CELLS = 100_000
"""Largest number of cells of a table."""


@dataclasses.dataclass(frozen=True)
class Resolved:
    """A question with the mechanism that answers it.

    Attributes
    ----------
    mechanism : Mechanism
    domain : Interval or PartsDomain
        The public facts of its data.
    read : callable
        Takes the table of records; returns the data that the mechanism reads.
    parts : int
        Number of parts.
    filtered : bool
        Whether a condition leaves records out.
    read_in_file : callable, optional
        Takes a table that stays in its file, and returns the data; None if all columns must be in memory.
    """

    mechanism: Mechanism[Any]
    domain: Any
    read: Callable[[Table], Any]
    parts: int = 1
    filtered: bool = False
    read_in_file: Callable[[StaysInFile], Any] | None = None

    def data(self, records: Table | StaysInFile) -> Any:
        """Return the data that the mechanism reads."""
        if isinstance(records, Table):
            return self.read(records)
        assert self.read_in_file is not None, "only a sheet that `reads_in_file` gets such a table"
        return self.read_in_file(records)

    def settled(self, n: int, privacy: Privacy) -> Resolved:
        """Return a copy in which the automatic method is chosen (public); all groups get the same one."""
        mechanism: Mechanism[Any] = self.mechanism
        if isinstance(mechanism, AutoRelease):
            mechanism = mechanism.choose(self.domain, n, privacy)
        elif isinstance(mechanism, EachPart):
            each = max(1, n // self.parts)
            method: Any = resolve_method(mechanism.method, self.domain.values, each, privacy)
            mechanism = EachPart(method)
        return dataclasses.replace(self, mechanism=mechanism)

    def flipped(self) -> Resolved:
        """Return a copy that chooses by permute-and-flip, if it chooses values of parts by rank."""
        if not isinstance(self.mechanism, ChoiceInParts):
            return self
        return dataclasses.replace(self, mechanism=dataclasses.replace(self.mechanism, choice=FLIP))

    def possible_width(self, question: Question, records: float) -> float:
        """Return the width of the range of an answer about so many records (public)."""
        values = self.domain.values if isinstance(self.domain, PartsDomain) else self.domain
        of_records = question.statistic in ("count", "sum", "histogram", "table")
        return float(values.width * (records if of_records else 1))

    @property
    def query(self) -> Any:
        """The query whose answer is released."""
        mechanism: Any = self.mechanism
        return mechanism.method.query if isinstance(mechanism, EachPart) else mechanism.query


@dataclasses.dataclass(frozen=True)
class Planned:
    """A question with its budget and its expected error.

    Attributes
    ----------
    question : Question
    resolved : Resolved
    privacy : Privacy
        Its share of the budget of the sheet, for one record.
    error : float or None
        Half-width of an interval that holds 95 % of all errors, under `model`.
    model : str
        The assumptions about the data; "" if the error holds for all data.
    rows : int
        The most records of one person; 0 if each row is a record.
    noise_share : float
        The error as a share of the range of possible answers about parts of equal size: with 1 the answer
        says nothing.
    """

    question: Question
    resolved: Resolved
    privacy: Privacy
    error: float | None = None
    model: str = ""
    rows: int = 0
    noise_share: float = 0.0

    @property
    def promise(self) -> Privacy:
        """Its budget between the databases of `relation`."""
        return self.privacy.for_group(max(1, self.rows))

    def to_dict(self) -> dict[str, Any]:
        """Return the question, its method and its budget, with the names of JSON."""
        return {
            "question": self.question.title,
            "method": self.resolved.mechanism.name,
            "epsilon": self.promise.epsilon,
            "delta": self.promise.delta,
        }

    @property
    def relation(self) -> str:
        """The neighbouring relation of its promise."""
        return for_persons(self.privacy, self.resolved.mechanism.relation, self.rows)[1]


def resolve(question: Question, declarations: Declarations) -> Resolved:
    """Return the mechanism for a question, from declarations alone.

    Raises
    ------
    ParameterError
        If a column that it needs is not declared.
    """
    if question.statistic in ("histogram", "table"):
        return _resolve_cells(question, declarations)
    query, bounds, column = _query(question, declarations)
    by, grouping = _groups(question.by, declarations), declarations.column(question.by)
    group = _fill_label(grouping)
    declared = declarations.column(column) if column else ColumnDeclaration("")
    where = tuple(map(read_row_condition, question.where))
    fill = _fill_number(declared)
    complete = not column or declared.missing != DROP

    limited = bool(declarations.person) and declarations.most_rows is not None
    public = question.by in declarations.public_groups and not limited
    if question.statistic == "share":
        return _resolve_share(question, by, grouping, public=public, limited=limited)
    if by is None and not where and complete and not limited:

        def read_column(table: Table) -> Any:
            return Sample(table.numbers(column, declared.missing, fill).values, bounds)

        def sample_of(table: StaysInFile) -> Any:
            return table.sample(column, bounds, declared.missing)

        in_file = sample_of if column and declared.missing == "refuse" else None
        return Resolved(_method(question, query), bounds, read_column, read_in_file=in_file)
    if public and complete and not where:
        if question.statistic == "count":
            raise ParameterError("by", f"the groups of '{question.by}' are public, and so are their sizes")

        def read_groups(table: Table) -> Any:
            _refuse_missing(table, grouping)
            return read_parts(table, column, bounds, by=by, fill=fill, group=group)

        each = EachPart(_method(question, query))
        return Resolved(each, _domain(bounds, by), read_groups, _size(by))

    def read_all(table: Table) -> Any:
        _refuse_missing(table, grouping, declared)
        holds = all_hold(where, table)
        return read_parts(table, column, bounds, by=by, holds=holds, fill=fill, group=group)

    def parts_of(table: StaysInFile) -> Any:
        return table.parts(column, bounds, by=by, where=where, fill=fill)

    checks = limited or group is not None or "refuse" in (declared.missing, grouping.missing)
    in_file = None if checks else parts_of
    if question.population and not (question.interval and question.statistic in BY_RANK):
        raise _no_population()
    covers = "population" if question.population else "data"
    in_parts = method_in_parts(question.method, query, question.interval or 0.0, covers)
    return Resolved(in_parts, _domain(bounds, by), read_all, _size(by), bool(where), in_file)


def _resolve_share(
    question: Question,
    by: CategoryDomain | None,
    grouping: ColumnDeclaration,
    *,
    public: bool,
    limited: bool,
) -> Resolved:
    """Return the mean of 0 and 1: whether each record satisfies the condition."""
    where = tuple(map(read_row_condition, question.where))

    def read_parts_of(table: Table) -> Any:
        holds = all_hold(where, table)
        assert holds is not None
        _refuse_missing(table, grouping)
        parts = read_parts(table, by=by, group=_fill_label(grouping))
        values = table.marked(holds.astype(np.float64), "refuse")
        return Parts(values, parts.index, parts.domain, parts.release_problem)

    def read_whole(table: Table) -> Any:
        parts = read_parts_of(table)
        return Sample(table.marked(parts.values, "refuse"), TRUTH, parts.release_problem)

    if by is None and not limited:
        return Resolved(_method(question, Mean()), TRUTH, read_whole)
    mechanism: Mechanism[Any] = (
        EachPart(_method(question, Mean())) if public else method_in_parts(question.method, Mean())
    )
    return Resolved(mechanism, _domain(TRUTH, by), read_parts_of, _size(by))


def _method(question: Question, query: Query[Any]) -> ScalarMechanism:
    """Return the method that a question names, for records whose number is public."""
    if question.method not in methods():
        known = ", ".join(methods())
        raise ParameterError("method", f"'{question.method}' is no method; there are {known}")
    kind: Any = methods()[question.method]
    names = {declared.name for declared in kind.parameters()}
    interval: dict[str, Any] = {}
    if question.interval is not None and "error_share" in names:
        interval["error_share"] = question.interval
        covers = question.population and question.statistic in BY_RANK and "covers" in names
        interval |= {"covers": "population"} if covers else {}
    if question.population and "covers" not in interval:
        raise _no_population()
    method: ScalarMechanism = kind(query=query, **interval)
    return method


def _no_population() -> ParameterError:
    return ParameterError(
        "population",
        "only a median or quantile has an interval for the population, if a share of epsilon pays for it; "
        "state interval",
    )


def _query(question: Question, declarations: Declarations) -> tuple[Query[Any], Interval, str]:
    """Return the query, the bounds of its values, and its column."""
    if question.statistic in ("count", "share"):
        return Count(), TRUTH, ""
    (column,) = question.columns
    queries: dict[str, Query[Any]] = {
        "median": Median(),
        "quantile": Quantile(q=question.q),
        "mean": Mean(),
        "sum": Sum(),
    }
    return queries[question.statistic], declarations.column(column).interval, column


def _fill_number(declared: ColumnDeclaration) -> float | None:
    """Return the number that replaces missing values of a column; None without one."""
    if declared.missing != "fill":
        return None
    if isinstance(declared.fill, bool) or not isinstance(declared.fill, int | float):
        given = "it has none" if declared.fill is None else f"'{declared.fill}' is none"
        problem = f"column '{declared.name}' needs a number that replaces missing values, and {given}"
        raise ParameterError("fill", problem)
    return float(declared.fill)


def _fill_label(declared: ColumnDeclaration) -> str | None:
    """Return the category that replaces missing values of a column; None without one."""
    if declared.missing != "fill" or not declared.categories:
        return None
    labels = declared.domain.labels[0]
    if declared.fill not in labels:
        given = "it has none" if declared.fill is None else f"'{declared.fill}' is none"
        problem = f"column '{declared.name}' needs a category that replaces missing values, and {given}"
        raise ParameterError("fill", problem)
    return str(declared.fill)


def _refuse_missing(table: Table, *columns: ColumnDeclaration) -> None:
    """Raise `DataError` if a value is missing in a column that must have none."""
    names = [one.name for one in columns if one.missing == "refuse" and one.name]
    if names:
        dataclasses.replace(table, kept=None).complete(names, "refuse")


def _groups(name: str, declarations: Declarations) -> CategoryDomain | None:
    if not name:
        return None
    declared = declarations.column(name)
    if not declared.categories:
        raise ParameterError("categories", f"column '{name}' has no list of groups; declare its categories")
    return declared.domain


def _domain(bounds: Interval, by: CategoryDomain | None) -> PartsDomain:
    return PartsDomain(bounds, () if by is None else by.labels[0])


def _size(by: CategoryDomain | None) -> int:
    return 1 if by is None else len(by.labels[0])


def _resolve_cells(question: Question, declarations: Declarations) -> Resolved:
    """Return the counts of a histogram or a table: one part for each combination of categories."""
    axes = [_axis(name, question, declarations) for name in question.columns]
    if question.by:
        _groups(question.by, declarations)  # refuses a column without groups
        axes.append(_category_axis(declarations.column(question.by)))
    where = tuple(map(read_row_condition, question.where))
    count = math.prod(len(axis.labels) for axis in axes)
    if count > MAX_CELLS:
        problem = f"there would be {count:,} cells; at most {MAX_CELLS:,} are possible: name fewer columns"
        raise ParameterError("ask", problem)
    names = [""]
    for axis in axes:
        names = [f"{name}, {label}" if name else label for name in names for label in axis.labels]
    domain = PartsDomain(TRUTH, tuple(names))

    def read(table: Table) -> Parts:
        index = np.zeros(table.n, dtype=np.int64)
        outside = np.zeros(table.n, dtype=bool)
        for axis in axes:
            own = axis.index(table)
            outside |= own == IN_NO_PART
            index = index * len(axis.labels) + np.maximum(own, 0)
        holds = all_hold(where, table)
        if holds is not None:
            outside |= ~holds
        if table.kept is not None:
            outside |= ~table.kept
        index[outside] = IN_NO_PART
        return Parts(table.marked(np.ones(table.n), "refuse"), index, domain)

    return Resolved(SumsInParts(query=Count()), domain, read, len(names), bool(where))


@dataclasses.dataclass(frozen=True, repr=False)
class _Axis(ShownInALine):
    """Categories of one column, and each record's index among them (private)."""

    labels: tuple[str, ...]
    index: Callable[[Table], Any]


def _axis(name: str, question: Question, declarations: Declarations) -> _Axis:
    declared = declarations.column(name)
    if declared.categories:
        return _category_axis(declared)
    if question.statistic == "table":
        problem = f"column '{name}' has no list; declare one, such as {{'{name}': ['yes', 'no']}}"
        raise ParameterError("categories", problem)
    edges, fill = _bins(question, declared.interval), _fill_number(declared)
    whole = declared.resolution is not None and declared.resolution >= 1 and not np.any(edges % 1)
    clamp = declared.interval.clamp  # the outer edges may be beyond the bounds
    labels = _bin_labels(clamp(edges[:-1]), clamp(edges[1:] - whole))

    def index(table: Table) -> Any:
        _refuse_missing(table, declared)
        data = read_parts(table, name, declared.interval, fill=fill)
        values = declared.interval.clamp(data.values)
        bins = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(labels) - 1)
        return look_only(np.where(data.index == IN_NO_PART, IN_NO_PART, bins), data.release_problem)

    return _Axis(labels, index)


def _bin_labels(starts: Floats, ends: Floats) -> tuple[str, ...]:
    """Return the first and last value of each bin, or its only one."""
    texts = exact_texts([*starts, *ends])
    pairs = zip(texts, texts[len(starts) :], strict=False)
    return tuple(low if low == high else f"{low}–{high}" for low, high in pairs)


def _category_axis(declared: ColumnDeclaration) -> _Axis:
    domain, instead = declared.domain, _fill_label(declared)

    def index(table: Table) -> Any:
        _refuse_missing(table, declared)
        return group_index(table, domain, instead)

    return _Axis(domain.labels[0], index)


def _bins(question: Question, interval: Interval) -> Any:
    """Return the edges of a histogram: the stated ones between the bounds, or round ones."""
    if not question.edges:
        return round_edges(interval)
    for edge in question.edges:
        if not interval.lower <= edge <= interval.upper:
            bounds = f"{short(interval.lower)} and {short(interval.upper)}"
            raise ParameterError("edges", f"{short(edge)} is not between the bounds, {bounds}")
    within = [edge for edge in question.edges if edge < interval.upper]
    return np.unique([interval.lower, *within, interval.upper + (interval.resolution or 0.0)])


def reads_in_file(questions: Sequence[Question], declarations: Declarations) -> bool:
    """Return whether all questions can be answered by a table that stays in its file.

    Rows of persons must be in memory.  So must the columns of shares, tables, and groups whose members are
    public.  Beside a condition or a group, the check that no value is missing needs them, too.
    """
    asked = (resolve(question, declarations) for question in questions)
    return not declarations.person and all(one.read_in_file is not None for one in asked)


def records_of(table: TableT, declarations: Declarations, key: bytes = b"") -> TableT | Table:
    """Return the table of records: as it is, or with one row, or at most so many, for each person."""
    if not declarations.person:
        return table
    assert isinstance(table, Table)
    if declarations.most_rows is not None:
        return keep_rows(table, declarations.person, declarations.most_rows, key)
    return combine_rows(table, declarations.person, declarations.person_rule)


def budgets(
    questions: Sequence[Question],
    mechanisms: Sequence[Mechanism[Any]],
    total: Privacy,
    rows: int = 1,
) -> tuple[Privacy, ...]:
    """Return the budget of each question for one record; for `rows` records the total is at most `total`.

    Epsilon is shared by weight, and delta among those that use it.  With a delta, zCDP may allow more: then
    all shares of epsilon grow by the same factor.  The sum of all rho, times rows^2, converts to the total
    epsilon at the delta that is left; at least half is left.  For several rows this needs questions that cost
    no delta in zCDP.
    """
    weights = np.array([question.weight for question in questions], dtype=np.float64)
    if not len(weights):
        return ()
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        raise ParameterError("weight", "each question needs a weight above 0")
    record = budget_of_record(total, rows)
    shares = weights / weights.sum() * record.epsilon
    if not total.delta:
        return tuple(Privacy(float(share)) for share in shares)
    costs = [Cost.of(mechanism, record) for mechanism in mechanisms]
    deltas = _deltas(record.delta, weights, [cost.privacy.delta > 0 for cost in costs])
    needed = [cost.concentrated is not None and cost.concentrated.delta > 0 for cost in costs]
    halved = np.where(needed, _deltas(record.delta / 2, weights, needed), deltas)

    def allowed(factor: float) -> bool:
        together = compose(
            Cost.of(mechanism, Privacy(float(share * factor), float(delta)))
            for mechanism, share, delta in zip(mechanisms, shares, halved, strict=True)
        )
        assert together is not None
        rest = total.delta - together.approximate
        if rest <= 0 or not math.isfinite(together.rho) or (rows > 1 and together.approximate):
            return False
        for_all = dataclasses.replace(together, rho=rows**2 * together.rho, slack=rest)
        return for_all.concentrated.epsilon <= total.epsilon

    low, high = 1.0, 2.0
    while high < 1e3 and allowed(high):
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if allowed(middle) else (low, middle)
    chosen = deltas if low == 1 else halved
    return tuple(
        Privacy(float(share * low), float(delta)) for share, delta in zip(shares, chosen, strict=True)
    )


def budget_of_record(total: Privacy, rows: int) -> Privacy:
    """Return the budget of one record for which that of `rows` records is at most `total`.

    Group privacy multiplies epsilon by r and delta by (e^(r epsilon) - 1)/(e^epsilon - 1).
    """
    if rows == 1:
        return total
    epsilon = total.epsilon / rows
    if not total.delta:
        return Privacy(epsilon)
    ratio = math.exp(epsilon - total.epsilon) * -math.expm1(-epsilon) / -math.expm1(-total.epsilon)
    return Privacy(epsilon, total.delta * ratio * (1 - 1e-9))


def _deltas(total: float, weights: Floats, uses: Sequence[bool]) -> Floats:
    """Divide a delta by weight among the questions that use it; the sum is at most `total`."""
    own: Floats = np.where(uses, weights, 0.0)
    return own / own.sum() * (total * (1 - 1e-12)) if own.any() else own


def expected_error(
    question: Question, resolved: Resolved, n: int, privacy: Privacy, share: float | None = None
) -> tuple[float | None, str]:
    """Return the half-width of a 95 % interval of the error, and the assumptions about the data.

    Parameters
    ----------
    share : float, optional
        The stated share of the records in each part.  By default, half of the records satisfy a condition,
        and all groups have the same size.
    """
    assumed = share if share is not None else (0.5 if resolved.filtered else 1.0) / resolved.parts
    mechanism, domain = resolved.mechanism, resolved.domain
    evenly = isinstance(resolved.query, Median | Quantile)
    if isinstance(mechanism, PartsMechanism):
        error = mechanism.expected_error(domain, n, privacy, assumed)
        size = assumed < 1 and (evenly or (isinstance(mechanism, SumsInParts) and mechanism.is_mean))
    else:
        each = isinstance(mechanism, EachPart)
        method: Any = mechanism.method if isinstance(mechanism, EachPart) else mechanism
        bounds, records = (domain.values, max(1, int(assumed * n))) if each else (domain, n)
        chosen: Any = resolve_method(method, bounds, records, privacy)
        error = chosen.expected_error(bounds, records, privacy)
        size = each
    models = [
        *(["values spread evenly between the bounds"] if evenly else []),
        *([f"each part has {100 * assumed:.3g} % of the records"] if size else []),
    ]
    return error, f"if {' and '.join(models)}" if models else ""


def plan(
    questions: Sequence[Question], declarations: Declarations, n: int, total: Privacy
) -> tuple[Planned, ...]:
    """Return each question with its budget and expected error; reads no record.

    `total` is the budget of a row, or of a person with all rows.

    Raises
    ------
    ParameterError
        If a column that a question needs is not declared, or a method does not allow its budget.
    """
    several = len(questions) > 1
    resolved = [_named(question, several, resolve, question, declarations) for question in questions]
    rows = max(1, declarations.rows_of_person)
    first = budgets(questions, [one.mechanism for one in resolved], Privacy(total.epsilon), rows)
    resolved = [one.settled(n, privacy) for one, privacy in zip(resolved, first, strict=True)]
    if not total.delta:  # with one, choices by the exponential mechanism cost less together
        resolved = [one.flipped() for one in resolved]
    shares = budgets(questions, [one.mechanism for one in resolved], total, rows)
    planned = (
        _named(question, several, _planned, question, one, n, privacy)
        for question, one, privacy in zip(questions, resolved, shares, strict=True)
    )
    return tuple(dataclasses.replace(one, rows=declarations.rows_of_person) for one in planned)


def _planned(question: Question, resolved: Resolved, n: int, privacy: Privacy) -> Planned:
    resolved.mechanism.refuse(privacy, resolved.domain, n)
    error, model = expected_error(question, resolved, n, privacy, question.assumed)
    share = 0.0 if error is None else error / resolved.possible_width(question, n / resolved.parts)
    return Planned(question, resolved, privacy, error, model, noise_share=share)


def _named(question: Question, several: bool, work: Callable[..., ResultT], *arguments: Any) -> ResultT:
    """Do some work for one of several questions; errors name the question."""
    try:
        return work(*arguments)
    except ParameterError as error:
        if not several:
            raise
        raise ParameterError(error.field, f"'{question.title}': {error.problem}") from None


def epsilon_for(question: Question, declarations: Declarations, n: int, error: float) -> float | None:
    """Return the epsilon with which the expected error of a question is at most `error`; None above 100."""
    return _least_epsilon(question, resolve(question, declarations), n, error)


def _least_epsilon(question: Question, resolved: Resolved, n: int, error: float) -> float | None:
    """Return the least epsilon for an expected error of at most `error`; None above `MAX_EPSILON`."""

    def reached(epsilon: float) -> bool:
        expected, _ = expected_error(question, resolved, n, Privacy(epsilon), question.assumed)
        return expected is not None and expected <= error

    low, high = 1e-6, MAX_EPSILON
    if not reached(high):
        return None
    while high - low > 1e-4 * high:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def same_accuracy(questions: Sequence[Question], declarations: Declarations, n: int) -> tuple[Question, ...]:
    """Return the questions with weights that make all errors the same share of their range.

    The range is the width of the bounds; for counts, sums and cells it is that of all records.
    """
    if not questions:
        return ()
    needed = []
    for question in questions:
        resolved = resolve(question, declarations)
        needed.append(_epsilon_at(question, resolved, n))
    most = max(needed)
    return tuple(
        dataclasses.replace(question, weight=max(1e-3, epsilon / most))
        for question, epsilon in zip(questions, needed, strict=True)
    )


def _epsilon_at(question: Question, resolved: Resolved, n: int, part: float = 0.01) -> float:
    """Return the epsilon for an error of `part` of the range of the answer."""
    error = part * resolved.possible_width(question, n)
    return _least_epsilon(question, resolved, n, error) or 10 * MAX_EPSILON
