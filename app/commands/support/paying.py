"""The records that a release is made of, and the account that pays for it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.data import columns_of
from app.commands.support.likeness import decide
from app.commands.support.reading import load, locate, records_of
from app.commands.support.spending import account_of, path_of, refuse_spending, say_exposed
from app.commands.support.stored import staying
from engine.errors import DataError
from engine.progress import Progress, part

if TYPE_CHECKING:
    from app.commands.support.data import DataReader
    from app.model.loaded import LoadedRecords
    from engine.data import ColumnsApart, Table
    from engine.data.stored.table import StoredTable
    from engine.ledger import Account


def records_and_account(
    options: argparse.Namespace, subject: DataReader, progress: Progress
) -> tuple[LoadedRecords[Any], Account | None]:
    """Return the records and the account that is to pay; None for a simulation, which costs nothing.

    The account is found by all columns.  Where a file keeps them apart, each is looked at and let go.
    """
    from engine.data import ColumnsApart
    from engine.ledger import Ledger

    if options.seed is not None:
        refuse_spending(options)
        return load(options, subject, progress), None
    whole: Table | ColumnsApart | StoredTable
    if columns_of(options, subject) is not None:
        whole = ColumnsApart(options.data)
        data = load(options, subject, part(progress, 0.0, 0.6))
    elif (stored := staying(options, subject, part(progress, 0.0, 0.1))) is not None:
        whole = stored
        _refuse_look_only(stored)
        data = load(options, subject, part(progress, 0.1, 0.6), stored)
    else:
        located = locate(options, subject, part(progress, 0.0, 0.6))
        _refuse_look_only(located.table)
        whole, data = located.table, records_of(located, subject)
    _refuse_look_only(data.database)
    paying = account_of(options, lambda: whole, part(progress, 0.6, 1.0))
    ledger = Ledger(path_of(options))
    say_exposed(ledger)
    account = paying(ledger)
    decide(options, ledger, account)
    return data, account


def _refuse_look_only(data: Any) -> None:
    """Raise `DataError` where no release may be made of data, before the ledger hears of them."""
    from engine.data.look_only import problem_of

    if problem_of(data):
        raise DataError(problem_of(data))
