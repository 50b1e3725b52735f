"""The records that a release is made of, and the account that pays for it."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from app.commands.support.data import card_of, check_options, columns_of, table_of
from app.commands.support.file_options import reading_of
from app.commands.support.likeness import decide
from app.commands.support.reading import load, locate_in, records_of
from app.commands.support.spending import account_of, path_of, refuse_spending, say_exposed, simulated_by
from app.commands.support.stored import head_of, staying
from app.model.kinds.options import offered
from app.model.kinds.registry import KINDS
from engine.data.reading import is_columnar
from engine.errors import DataError
from engine.progress import Progress, part

if TYPE_CHECKING:
    from app.commands.support.data import DataReader
    from app.model.loaded import LoadedRecords
    from engine.data import ColumnsApart, Table
    from engine.data.formats.file_format import StaysInFile
    from engine.ledger import Account


def records_and_account(
    options: argparse.Namespace, subject: DataReader, progress: Progress
) -> tuple[LoadedRecords[Any], Account | None]:
    """Return the records and the account that is to pay; None for a simulation, which costs nothing.

    The account is found by all columns.  Where a file keeps them apart, each is looked at and let go.
    """
    from engine.data import ColumnsApart
    from engine.data.look_only import problem_of
    from engine.data.reading import release_problem
    from engine.ledger import Ledger

    if simulated := simulated_by(options, getattr(subject, "mechanism", None)):
        refuse_spending(options, simulated)
        return load(options, subject, progress), None
    if options.data is not None:
        check_options(options, subject)  # before a file is looked at
        # before it is read: whether there are records in an answer tells of people, too
        _refuse(release_problem(options.data, reading_of(options)))
    whole: Table | ColumnsApart | StaysInFile
    if columns_of(options, subject) is not None:
        whole = ColumnsApart(options.data)
        data = load(options, subject, part(progress, 0.0, 0.6))
    elif (stored := staying(options, subject, part(progress, 0.0, 0.1))) is not None:
        whole = stored
        _refuse(problem_of(stored))
        _refuse_unnamed(options, subject, head_of(stored))
        data = load(options, subject, part(progress, 0.1, 0.6), stored)
    else:
        reading = part(progress, 0.0, 0.6)
        located = locate_in(options, subject, reading, partial(_named_table, options, subject, reading))
        whole, data = located.table, records_of(located, subject)
    _refuse(problem_of(data.database))
    paying = account_of(options, lambda: whole, part(progress, 0.6, 1.0))
    ledger = Ledger(path_of(options))
    say_exposed(ledger)
    account = paying(ledger)
    decide(options, ledger, account)
    return data, account


def _refuse(problem: str) -> None:
    """Raise `DataError` where no release may be made of data, before the ledger hears of them."""
    if problem:
        raise DataError(problem)


def _named_table(options: argparse.Namespace, subject: DataReader, progress: Progress) -> Table:
    table = table_of(options, card_of(options, subject), progress)
    _refuse(table.release_problem)
    _refuse_unnamed(options, subject, table)
    return table


def _refuse_unnamed(options: argparse.Namespace, subject: DataReader, table: Table) -> None:
    """Refuse a release where it would depend on the records which columns are meant.

    Types are found cell by cell in most formats: one record may make one column a text and another one
    numbers, so that something else would be released.
    """
    given = options.lower is not None and options.upper is not None  # or they are asked for first
    if options.column or options.example or not given or is_columnar(options.data):
        return
    types = [column.type for column in table.columns]
    of_numbers = KINDS[subject.reads].of_numbers and len(types) > 1
    if of_numbers and (subject.reads == "column" or set(types) != {"number"}):
        names = offered([column.name for column in table.columns])
        raise DataError(f"there are several columns; choose with --column: {names}", source=table.source)
