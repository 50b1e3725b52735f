"""A session: questions about one table within one budget, each released and recorded at once."""

from __future__ import annotations

import copy
import dataclasses
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

from engine.arguments import SeedLike, as_seed
from engine.data.frames import as_table
from engine.data.look_only import look_only, rows_of_person
from engine.domain import BoundsLike, as_interval
from engine.errors import DataError, ParameterError, SensiscopeError
from engine.ledger.errors import Resembling
from engine.mechanisms.release import Release
from engine.numerals import given, short
from engine.privacy import NOTHING_LEFT, Privacy, PrivacyLike, as_privacy
from engine.progress import Cancelled
from engine.questions.asking import AnsweredQuestion, account_of, answer, table_of, table_rows
from engine.questions.declarations import ColumnDeclaration, Declarations, as_declarations
from engine.questions.question import Question
from engine.questions.sheet import Sheet
from engine.questions.words import check_question
from engine.signatures import explained, explained_methods

if TYPE_CHECKING:
    from engine.data.table import Table
    from engine.ledger import Account, Ledger

USUAL_SHARE = 0.5
"""Share of the rest of the budget for a question that states no epsilon."""

FURTHER = ("by", "edges", "interval", "method", "population", "q", "where")
"""Further arguments of questions: fields of `Question`."""

MAX_INTERVAL_SHARE = 0.5
"""Largest share of epsilon for an interval; a larger number is meant as its confidence."""

SAME, OTHER = "same", "other"


@explained
def budget(
    data: Any,
    epsilon: PrivacyLike = 1.0,
    delta: float = 0.0,
    *,
    bounds: Mapping[str, BoundsLike] | BoundsLike | None = None,
    categories: Mapping[str, Sequence[str]] | None = None,
    declarations: Declarations | Sequence[ColumnDeclaration] | None = None,
    ledger: Ledger | str | os.PathLike[str] | None = None,
    similar: str = "",
    seed: SeedLike | None = None,
) -> BudgetSession:
    """Begin a session: questions about one table within one budget.

    Each question is a release.  The ledger records it before it is drawn, and its limit holds.

    Parameters
    ----------
    data : Table, path, pandas or polars frame, Sample, Points, or other data that `as_table` takes
    epsilon : PrivacyLike
        The budget of all questions together, for one record replaced; n is public.
    delta : float, default 0
    bounds : mapping of str to pairs of numbers, optional
        Public bounds of the columns, chosen without looking at the data.  A pair holds for all columns.
    categories : mapping of str to list of str, optional
        Public lists of categories.  Other values count as "other".
    declarations : Declarations or list of ColumnDeclaration, optional
        Further public statements, such as the column that identifies a person.
    ledger : Ledger or path, optional
        By default the user's own, which window and command line share.  ``Ledger()`` forgets.
    similar : {"", "same", "other"}
        Whether data that resemble others in the ledger are the same or other data.  By default such data are
        refused.
    seed : int, optional
        Makes reproducible simulations, which are no releases and enter no ledger.

    Returns
    -------
    BudgetSession
        Its methods `median`, `quantiles`, `mean`, `sum`, `count`, `share`, `histogram` and `table` answer.

    Raises
    ------
    ParameterError
        If the budget or a declaration is not possible.
    DataError
        If the data cannot be read.

    See Also
    --------
    ask, Ledger, as_table

    Examples
    --------
    >>> import pandas as pd
    >>> from engine import Ledger
    >>> frame = pd.DataFrame({"pay": range(1000), "city": ["Bern", "Basel"] * 500})
    >>> with budget(frame, epsilon=20, bounds={"pay": (0, 2000)}, ledger=Ledger()) as session:
    ...     median = session.median("pay", epsilon=5)
    ...     by_city = session.group_by("city", ["Bern", "Basel"]).mean("pay", epsilon=5)
    >>> bool(abs(median.value - 500) < 100), session.left.epsilon, len(session.to_frame())
    (True, 10.0, 4)
    """
    whole = as_privacy(epsilon)
    if similar not in ("", SAME, OTHER):
        raise ParameterError("similar", f"{similar!r} is not possible; choose same or other")
    table, known = _table(data)
    whole = Privacy(whole.epsilon, whole.delta or delta)
    result = BudgetSession(table, whole, known if declarations is None else as_declarations(declarations))
    result._seed = None if seed is None else as_seed(seed)
    if not isinstance(bounds, Mapping | None):
        bounds = {column.name: bounds for column in table.columns if column.type == "number"}
    for name, one in (bounds or {}).items():
        result._declare(name, bounds=one)
    if not isinstance(categories, Mapping | None):
        raise ParameterError("categories", "these belong to no column; give {'city': ['Bern', 'Basel']}")
    for name, labels in (categories or {}).items():
        result._declare(name, categories=labels)
    if result._seed is None:
        result._account = _account(table, ledger, data, similar)
        result._apart = similar == OTHER
    return result


@explained_methods
class BudgetSession:
    """Questions about one table within one budget, from `budget`.

    A question without `epsilon` gets half of what is left.  The bounds and categories that a question states
    are kept for later ones.

    Attributes
    ----------
    privacy : Privacy
        The whole budget.
    """

    def __init__(self, table: Table, privacy: Privacy, declarations: Declarations) -> None:
        self.privacy = privacy
        self._table = table
        self._account: Account | None = None
        self._seed: int | None = None
        self._apart = False
        self._by, self._where = "", ()  # type: tuple[str, tuple[str, ...]]
        self._other: bool | None = None  # as the column declares
        self._shared = _Shared(declarations)

    def __repr__(self) -> str:
        kind = "simulated, " if self._seed is not None else ""
        return f"BudgetSession({kind}epsilon={short(self.privacy.epsilon)}, left={short(self._left)})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._shared.closed = True

    @property
    def left(self) -> Privacy:
        """The budget that is left; its epsilon is 0 if it is used up."""
        rest = self._left
        return NOTHING_LEFT if rest <= 0 else Privacy(rest, self._delta(rest))

    @property
    def answers(self) -> tuple[AnsweredQuestion, ...]:
        """The questions so far, with their releases."""
        return tuple(self._shared.answers)

    # Narrower questions

    def where(self, *conditions: str) -> BudgetSession:
        """Return the session for records that meet conditions, such as "age >= 30"; it shares the budget."""
        result = copy.copy(self)
        result._where = (*self._where, *conditions)
        return result

    def group_by(
        self, column: str, categories: Sequence[str] | None = None, other: bool | None = None
    ) -> BudgetSession:
        """Return the session for answers by group; it shares the budget.

        The groups are the public categories of the column, also those without records, and "other" for
        records of none of them.  With ``other=False`` such records are left out.
        """
        if not isinstance(column, str):
            problem = f"{given(column)} is not the name of a column; `table` counts by several columns"
            raise ParameterError("by", problem)
        self._declare(column, categories=categories)
        result = copy.copy(self)
        result._by, result._other = column, other
        return result

    # Questions

    def median(
        self, column: str = "", bounds: BoundsLike | None = None, *, epsilon: float | None = None, **more: Any
    ) -> Release:
        """Release the median of a column.

        Parameters
        ----------
        column : str
            May be left out if there is only one.
        bounds : pair of numbers, optional
            Public bounds, if they are not declared yet.
        epsilon : float, optional
            The part of the budget; by default half of what is left.
        more : dict
            Further fields of `Question`: ``method``, and ``interval``: the share of epsilon, such as 0.1,
            that pays for a 95 % interval.
        """
        return self._ask("median", column, bounds, epsilon, **more)

    def mean(
        self, column: str = "", bounds: BoundsLike | None = None, *, epsilon: float | None = None, **more: Any
    ) -> Release:
        """Release the mean of a column; see `median`."""
        return self._ask("mean", column, bounds, epsilon, **more)

    def sum(
        self, column: str = "", bounds: BoundsLike | None = None, *, epsilon: float | None = None, **more: Any
    ) -> Release:
        """Release the sum of a column; see `median`."""
        return self._ask("sum", column, bounds, epsilon, **more)

    def quantile(
        self,
        column: str = "",
        q: float = 0.5,
        bounds: BoundsLike | None = None,
        *,
        epsilon: float | None = None,
        **more: Any,
    ) -> Release:
        """Release a quantile of a column: q is the share of records below it; see `median`."""
        return self._ask("quantile", column, bounds, epsilon, q=q, **more)

    def quantiles(
        self,
        column: str = "",
        q: Iterable[float] = (0.25, 0.5, 0.75),
        bounds: BoundsLike | None = None,
        *,
        epsilon: float | None = None,
        **more: Any,
    ) -> tuple[Release, ...]:
        """Release several quantiles, which share epsilon equally; see `median`."""
        shares = (q,) if isinstance(q, Real | str) else tuple(q)
        if not shares:
            raise ParameterError("q", "there are none; give shares such as (0.25, 0.5, 0.75)")
        name = self._bounded("quantiles", column, bounds)
        return self._release([self._question("quantile", (name,), q=one, **more) for one in shares], epsilon)

    def count(self, *, epsilon: float | None = None, **more: Any) -> Release:
        """Release the number of records by group, or of those that meet a condition; see `median`."""
        (release,) = self._release([self._question("count", (), **more)], epsilon)
        return release

    def share(self, *, epsilon: float | None = None, **more: Any) -> Release:
        """Release the share of records that meet a condition; see `median`."""
        (release,) = self._release([self._question("share", (), **more)], epsilon)
        return release

    def histogram(
        self,
        column: str = "",
        bounds: BoundsLike | None = None,
        *,
        edges: Sequence[float] = (),
        epsilon: float | None = None,
        **more: Any,
    ) -> Release:
        """Release a histogram of a column, with round edges or those that are given; see `median`."""
        return self._ask("histogram", column, bounds, epsilon, edges=edges, **more)

    def table(self, *columns: str, epsilon: float | None = None, **more: Any) -> Release:
        """Release the counts of all combinations of categories; see `median`."""
        (release,) = self._release([self._question("table", columns, **more)], epsilon)
        return release

    def to_frame(self) -> Any:
        """Return the answers as a pandas frame, one row for each released number."""
        import importlib

        return importlib.import_module("pandas").DataFrame(table_rows(self._shared.answers))

    def spent(self) -> Any:
        """Return the cost of all releases of these data in the ledger; None without any, or with a seed."""
        return None if self._account is None else self._account.spent()

    # Work

    def _column(self, name: str) -> str:
        if not isinstance(name, str):
            raise ParameterError("column", f"{given(name)} is not the name of a column; give its name")
        if name:
            self._table.column(name)  # raises for an unknown one
            return name
        names = [column.name for column in self._table.columns]
        if len(names) > 1:
            raise ParameterError("column", f"there are {len(names)} columns; name one, such as '{names[0]}'")
        return names[0]

    def _declare(
        self,
        name: str,
        bounds: BoundsLike | None = None,
        categories: Sequence[str] | None = None,
    ) -> None:
        """Keep public statements about a column."""
        declared = self._shared.declarations.column(name)
        if bounds is not None:
            one = as_interval(bounds)
            declared = dataclasses.replace(
                declared, lower=one.lower, upper=one.upper, resolution=one.resolution
            )
        if categories is not None:
            declared = dataclasses.replace(declared, categories=categories)  # type: ignore[arg-type]
        self._table.column(name)  # raises for an unknown one
        self._shared.declarations = self._shared.declarations.with_column(declared)

    def _bounded(self, statistic: str, column: str, bounds: BoundsLike | None) -> str:
        """Return the name of a column, whose bounds are now declared if it has numbers."""
        name = self._column(column)
        self._declare(name, bounds=bounds)
        declared = self._shared.declarations.column(name)
        if self._table.column(name).type == "number" and not declared.categories and declared.lower is None:
            problem = f"column '{name}' has none; give {statistic}('{name}', bounds=(lower, upper))"
            raise ParameterError("bounds", f"{problem}, chosen without looking at the data")
        return name

    def _ask(
        self, statistic: str, column: str, bounds: BoundsLike | None, epsilon: float | None, **more: Any
    ) -> Release:
        name = self._bounded(statistic, column, bounds)
        (release,) = self._release([self._question(statistic, (name,), **more)], epsilon)
        return release

    def _question(self, statistic: str, columns: tuple[str, ...], **more: Any) -> Question:
        where = more.pop("where", ())
        where = (where,) if isinstance(where, str) else tuple(where)
        by = more.pop("by", "") or self._by
        for name in more:
            if name not in FURTHER:
                raise ParameterError(name, f"there is no such argument; there are {', '.join(FURTHER)}")
        result = Question(statistic, columns, by=by, where=(*self._where, *where), **more)
        if result.interval is not None and result.interval > MAX_INTERVAL_SHARE:
            advice = f"give at most {MAX_INTERVAL_SHARE}, such as 0.1, for an interval with 95 % confidence"
            raise ParameterError(
                "interval", f"{short(result.interval)} would be its share of epsilon; {advice}"
            )
        check_question(result, [column.name for column in self._table.columns])
        return result

    @property
    def _left(self) -> float:
        rest = Fraction(self.privacy.epsilon) - sum(map(Fraction, self._shared.spent), Fraction(0))
        value = float(rest)
        return value if Fraction(value) <= rest else math.nextafter(value, 0)

    def _delta(self, epsilon: float) -> float:
        return self.privacy.delta * (epsilon / self.privacy.epsilon)

    def _share(self, epsilon: float | None) -> float:
        """Return the epsilon of a question; raise `SensiscopeError` if the budget does not allow it."""
        if self._shared.closed:
            raise SensiscopeError("the session is closed; begin another one with sensiscope.budget")
        left = self._left
        if left <= 0:
            raise SensiscopeError("the budget of the session is used up; begin another one, or ask for less")
        if epsilon is None:
            return USUAL_SHARE * left
        wanted = as_privacy(epsilon).epsilon
        if wanted > left * (1 + 1e-9):
            raise SensiscopeError(
                f"epsilon = {short(wanted)} is more than the {short(left)} that is left; ask for less"
            )
        return min(wanted, left)  # the parts of 1 need not add up to 1 in doubles

    def _release(self, questions: list[Question], epsilon: float | None) -> tuple[Release, ...]:
        share = self._share(epsilon)
        declarations = self._shared.declarations
        if self._other is not None:
            groups = dataclasses.replace(declarations.column(self._by), other=self._other)
            declarations = declarations.with_column(groups)
        sheet = Sheet(questions, share, self._delta(share), declarations)
        seed = None if self._seed is None else self._seed + len(self._shared.answers)
        known = len(self._shared.answers)
        self._shared.spent.append(share)
        try:
            answer(
                self._table,
                sheet,
                seed=seed,
                account=self._account,
                apart=self._apart,
                finished=self._shared.answers.append,
            )
        except (SensiscopeError, Cancelled) as error:
            if len(self._shared.answers) == known:  # none of them is paid for
                self._shared.spent.pop()
            if isinstance(error, Resembling):
                raise SensiscopeError(f'{error}: give budget(…, similar="same") or similar="other"') from None
            raise
        return tuple(one.release for one in self._shared.answers[known:])


@dataclasses.dataclass
class _Shared:
    """The state that a session shares with its groups and conditions."""

    declarations: Declarations
    answers: list[AnsweredQuestion] = dataclasses.field(default_factory=list)
    spent: list[float] = dataclasses.field(default_factory=list)
    closed: bool = False


def _table(data: Any) -> tuple[Table, Declarations]:
    """Return data as a table, and the bounds that they have."""
    kind = getattr(data, "kind", "")
    if rows_of_person(data):
        problem = "the records belong to persons; give the table, and declarations that name their column"
        raise DataError(problem)
    if not kind:
        return table_of(data), Declarations()
    values = getattr(data, "values", None)
    if kind not in ("column", "points") or values is None:
        raise DataError(f"a {type(data).__name__} is no table; give a frame, or the path of a file")
    names = ["value"] if kind == "column" else list(data.columns)
    sides = [data.domain] if kind == "column" else list(data.domain.sides)
    columns = values[:, None] if kind == "column" else values
    marked = look_only(columns, data.release_problem, data.missing)
    table = as_table(dict(zip(names, marked.T, strict=True)))
    declared = (
        ColumnDeclaration(name, side.lower, side.upper, side.resolution)
        for name, side in zip(names, sides, strict=True)
    )
    return table, Declarations(tuple(declared))


def _account(table: Table, ledger: Any, data: Any, similar: str) -> Account:
    from engine.ledger import Ledger
    from engine.user_data import default_ledger

    if not isinstance(ledger, Ledger):
        ledger = Ledger(default_ledger() if ledger is None else ledger)
    source = data if isinstance(data, str | os.PathLike) else None
    account = account_of(table, ledger, source)
    if similar == SAME and (others := account.similar()):
        account.count_as(others[0].name)
    return account
