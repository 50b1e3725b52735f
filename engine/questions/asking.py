"""Ask the questions of a sheet: one release for each, all within one budget."""

from __future__ import annotations

import dataclasses
import importlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from engine.data.cells import is_string
from engine.data.frames import as_table
from engine.data.identity import ColumnsApart, file_identity, table_identity
from engine.data.large_files import large_table
from engine.data.reading import is_columnar, read_table
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.data.rows import read_row_condition
from engine.data.table import Table
from engine.errors import DataError, ParameterError, SensiscopeError
from engine.ledger.composition import compose
from engine.ledger.cost import Cost
from engine.mechanisms.answer_rows import AnswerRow, covers_population
from engine.mechanisms.relation import refuse_look_only
from engine.mechanisms.release import Release, plain_value
from engine.numerals import short
from engine.progress import Cancelled, Progress, part, silent
from engine.questions.planning import Planned, reads_in_file, records_of
from engine.questions.question import Question
from engine.questions.sheet import Sheet
from engine.randomness import SeedLike, as_seed, reproducible
from engine.shown import rows_in_html
from engine.signatures import explained

if TYPE_CHECKING:
    from engine.data.formats.file_format import StaysInFile
    from engine.ledger import Account, Ledger


@dataclasses.dataclass(frozen=True)
class AnsweredQuestion:
    """A question with its release.

    Attributes
    ----------
    planned : Planned
        The question, its budget and its expected error.
    release : Release
    """

    planned: Planned
    release: Release

    @property
    def rows(self) -> tuple[AnswerRow, ...]:
        """The released numbers with their 95 % intervals."""
        return self.release.rows

    def to_dict(self) -> dict[str, Any]:
        """Return the question and its answer as plain values, with the names of JSON."""
        rows, release = self.rows, self.release
        answers = [{"group": row.group, "value": row.value, "interval": row.interval} for row in rows]
        is_alone = len(rows) == 1 and not rows[0].group
        if is_alone:
            del answers[0]["group"]
        plain: dict[str, Any] = plain_value(
            {
                **self.planned.to_dict(),
                **(answers[0] if is_alone else {"groups": answers}),
                **({"covers": "population"} if covers_population(release) else {}),
                "step": release.step,
                "exact": release.exact,
            }
        )
        return plain


def table_rows(answers: Iterable[AnsweredQuestion]) -> list[dict[str, Any]]:
    """Return one mapping for each released number: question, group, value, interval, epsilon, method."""
    return [
        {
            "question": answer.planned.question.title,
            "group": row.group,
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "epsilon": answer.planned.promise.epsilon,
            "method": answer.release.method,
        }
        for answer in answers
        for row in answer.rows
    ]


@dataclasses.dataclass(frozen=True)
class Answers:
    """The answers to the questions of a sheet.

    Attributes
    ----------
    sheet : Sheet
    answers : tuple of AnsweredQuestion
        In the order of the questions; fewer if the user cancelled.
    n : int
        Number of records.
    """

    sheet: Sheet
    answers: tuple[AnsweredQuestion, ...]
    n: int

    def __iter__(self) -> Iterator[AnsweredQuestion]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def table(self) -> list[dict[str, Any]]:
        """Return one mapping for each released number: question, group, value, interval, epsilon, method."""
        return table_rows(self.answers)

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as plain values, with the names that `sensiscope ask --json` prints."""
        return {
            "questions": [one.to_dict() for one in self.answers],
            "privacy": {"epsilon": self.sheet.epsilon, "delta": self.sheet.delta},
            "n": self.n,
            "simulated": any(one.release.simulated for one in self.answers),
        }

    def to_pandas(self) -> Any:
        """Return the answers as a pandas frame, one row for each released number."""
        frames: Any = importlib.import_module("pandas")
        return frames.DataFrame(self.table())

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{row['question']}{row['group'] and ': ' + row['group']}",
                "none" if row["value"] is None else _with_interval(row),
            )
            for row in self.table()
        ]
        return rows_in_html(f"Answers (ε = {short(self.sheet.epsilon)})", rows)


def _with_interval(row: dict[str, Any]) -> str:
    text = short(row["value"])
    return text if row["low"] is None else f"{text} ({short(row['low'])} to {short(row['high'])})"


@explained
def ask(
    data: Any,
    sheet: Sheet | str | os.PathLike[str],
    *,
    seed: SeedLike | None = None,
    ledger: Ledger | None = None,
    progress: Progress = silent,
) -> Answers:
    """Ask all questions of a sheet about a table.

    Parameters
    ----------
    data : Table, path, pandas or polars frame, or other data that `as_table` takes
    sheet : Sheet
        The path of its file is accepted.
    seed : int, optional
        Makes a reproducible simulation, which is not a release.
    ledger : Ledger, optional
        Receives one entry for each question.  If its limit does not allow the whole sheet, nothing is
        released.
    progress : Progress
        If the user cancels, finished questions stay released, and the others cost nothing.

    Returns
    -------
    Answers

    Raises
    ------
    SensiscopeError
        If the limit does not allow the sheet.
    DataError, ParameterError
        If a question does not fit the data or the declarations; nothing is released.

    See Also
    --------
    Sheet, Question, budget

    Examples
    --------
    >>> import pandas as pd
    >>> from engine import ColumnDeclaration, Declarations
    >>> frame = pd.DataFrame({"pay": range(1000), "city": ["Bern", "Basel"] * 500})
    >>> pay = ColumnDeclaration("pay", lower=0, upper=2000)
    >>> city = ColumnDeclaration("city", categories=["Bern", "Basel"], other=False)
    >>> sheet = Sheet(["median of pay by city"], 1.0, declarations=Declarations([pay, city]))
    >>> answers = ask(frame, sheet, seed=1)
    >>> [row.group for row in answers.answers[0].rows]
    ['Bern', 'Basel']
    """
    if isinstance(sheet, str | os.PathLike) and (os.path.exists(sheet) or str(sheet).endswith(".toml")):
        sheet = Sheet.read(sheet)
    if not isinstance(sheet, Sheet):
        right = 'Sheet(["median of salary"], epsilon=1.0, declarations=…), or the path of its file'
        raise ParameterError("sheet", f"it is no Sheet; give {right}")
    seed = None if seed is None else as_seed(seed)
    table = large_table_for(sheet, data) or table_of(data)
    account = None if ledger is None or seed is not None else account_of(table, ledger, data)
    return answer(table, sheet, seed=seed, account=account, progress=progress)


def answer(
    table: Table | StaysInFile,
    sheet: Sheet,
    *,
    seed: int | None = None,
    account: Account | None = None,
    over: bool = False,
    apart: bool = False,
    finished: Callable[[AnsweredQuestion], None] | None = None,
    progress: Progress = silent,
) -> Answers:
    """Do the work of `ask` for a table whose account is known.

    `over` passes the limit, and `apart` treats the data as different from similar ones, as for
    `Account.release`.  `finished` receives each answer at once: it is paid for, even if a later one fails.
    """
    key = secrets.token_bytes(16) if seed is None else b"%d" % seed
    records = records_of(table, sheet.declarations, key)
    planned = sheet.plan(records.n)
    if account is not None and not over:
        check_limit(account, planned)
    databases = [one.resolved.data(records) for one in planned]  # refuses wrong data before any release
    if seed is None:
        for database in databases:
            refuse_look_only(database)
    answers: list[AnsweredQuestion] = []
    for number, (one, database) in enumerate(zip(planned, databases, strict=True)):
        here = part(progress, number / len(planned), (number + 1) / len(planned))
        mechanism, privacy = one.resolved.mechanism, one.privacy
        try:
            if account is not None:
                about = about_question(one, sheet, table.source)
                made = account.release(
                    mechanism, database, privacy, about, over=over, apart=apart, progress=here
                )
            else:
                rng = None if seed is None else reproducible(seed + number)
                made = mechanism.run(database, privacy, rng, here)
        except Cancelled:
            if not answers:
                raise
            break
        answers.append(AnsweredQuestion(one, made))
        if finished is not None:
            finished(answers[-1])
    return Answers(sheet, tuple(answers), records.n)


def about_question(planned: Planned, sheet: Sheet, source: str) -> dict[str, Any]:
    """Return the public description of a release in the ledger."""
    sheet_name = {"sheet": sheet.name} if sheet.name else {}
    method = planned.resolved.mechanism.name
    return {"release": planned.question.title, "of": source, "method": method, **sheet_name}


def table_of(data: Any) -> Table:
    """Return data as a table: a table as it is, a path read, other data converted."""
    if getattr(data, "kind", ""):
        raise DataError(f"a {type(data).__name__} is no table; give a frame, or the path of a file")
    if isinstance(data, Table):
        return data
    return read_table(data) if isinstance(data, str | os.PathLike) else as_table(data)


def large_table_for(
    sheet: Sheet, path: Any, options: ReadingOptions = DETECTED, progress: Progress = silent
) -> StaysInFile | None:
    """Return the table of a large file that stays there, if a sheet can ask about it; None for other data."""
    if not isinstance(path, str | os.PathLike) or not reads_in_file(sheet.questions, sheet.declarations):
        return None
    table = large_table(path, options, progress=progress)
    if table is not None and getattr(table, "numbers_only", False):  # texts of its columns are not read
        named = {name for one in sheet.questions for name in columns_named(one)}
        texts = {field.name for field in table.schema if is_string(field.type)}
        return None if named & texts else table
    return table


def columns_named(question: Question) -> tuple[str, ...]:
    """Return all columns that a question names."""
    conditions = (name for text in question.where for name in read_row_condition(text).columns)
    return (*question.columns, *filter(None, [question.by]), *conditions)


def identified(table: Table | StaysInFile, path: str | os.PathLike[str]) -> Any:
    """Return the table that identifies a file: a columnar one is read a column at a time."""
    return table if isinstance(table, Table) or not is_columnar(path) else ColumnsApart(path)


def account_of(table: Table | StaysInFile, ledger: Ledger, data: Any = None) -> Account:
    """Return the account of a table in a ledger; `data` may be the path of its file."""
    if isinstance(data, str | os.PathLike):
        known = file_identity(identified(table, data), data)
        fields = {field.name: getattr(known, field.name) for field in dataclasses.fields(known)}
        return ledger.account(title=table.source, **fields)
    assert isinstance(table, Table)
    digest, sketch = table_identity(table)
    return ledger.account(digest, table.source, sketch=sketch)


def check_limit(account: Account, planned: tuple[Planned, ...]) -> None:
    """Raise `SensiscopeError` if the limit of an account does not allow all questions together."""
    limit = account.limit
    costs = [Cost.of(one.resolved.mechanism, one.privacy, None, one.rows) for one in planned]
    spent = account.spent()
    together = compose(costs) if limit is None else compose(costs, limit.extra)
    if limit is None or together is None:
        return
    total = together if spent is None else spent + together
    if not total.within(limit):
        raise SensiscopeError(
            f"{account.title}: with this sheet {total.excess(limit)}; nothing was released: give the sheet a "
            "smaller epsilon, or raise the limit"
        )
