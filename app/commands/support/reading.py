"""What a query or a mechanism reads: found by the options of the command line, and read."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from app.commands.support.data import DataReader, card_of, check_options, columns_of, table_of
from app.commands.support.file_options import detected_notes
from app.commands.support.options import UsageError
from app.commands.support.stored import head_of, staying, stored_records
from app.model.kinds.missing import FILL, given_fills
from app.model.kinds.options import OptionError, offered
from app.model.kinds.registry import KINDS
from app.model.loaded import LoadedRecords, LocatedTable
from engine.errors import DataError, ParameterError
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.formats.file_format import StaysInFile


def load(
    options: argparse.Namespace, reader: DataReader, progress: Progress, stored: StaysInFile | None = None
) -> LoadedRecords[Any]:
    """Read what `reader` reads, and nothing else of a file if its columns are named.

    `stored` is the table of a large file that stays there, where that was found out before.

    Raises
    ------
    SensiscopeError
        For a mistake in the options, before any file is opened; then `DataError` for one
        in the file.  Whether there are numbers at all is said before bounds are asked for.
    """
    return _with_problem(_loaded(options, reader, progress, stored))


def _with_problem(loaded: LoadedRecords[Any]) -> LoadedRecords[Any]:
    """Note that data may only be looked at: whatever follows from them is as confidential as they are."""
    problem = loaded.database.release_problem
    is_said = not problem or any(problem in note for note in loaded.notes)
    notes = () if is_said else (f"this is confidential, n included: {problem}",)
    return dataclasses.replace(loaded, notes=(*loaded.notes, *notes))


def _loaded(
    options: argparse.Namespace, reader: DataReader, progress: Progress, stored: StaysInFile | None
) -> LoadedRecords[Any]:
    columns, reading = columns_of(options, reader), part(progress, 0.0, 0.8)
    table = stored or staying(options, reader, part(progress, 0.0, 0.2))
    if table is not None:
        located = locate_in(options, reader, progress, partial(head_of, table))
        return stored_records(options, reader, located, table, part(progress, 0.2, 1.0))
    try:
        return records_of(locate(options, reader, reading, columns), reader)
    except DataError:
        if columns is None:
            raise
        return records_of(locate(options, reader, reading), reader)  # to say what else the file offers


def records_of(located: LocatedTable, reader: DataReader) -> LoadedRecords[Any]:
    """Read the records in a table; `DataError` for a mistake in it."""
    loaded = KINDS[reader.reads].load(located.table, located.fields)
    return dataclasses.replace(loaded, notes=(*located.notes, *loaded.notes), detected=located.detected)


def locate(
    options: argparse.Namespace, reader: DataReader, progress: Progress, columns: list[str] | None = None
) -> LocatedTable:
    """Check the options, read the table, find columns and public facts; raise what `load` raises.

    All columns are read, or those that are wanted: the account of a release is found by all of them.
    """
    card = card_of(options, reader)
    return locate_in(options, reader, progress, partial(table_of, options, card, progress, columns))


def locate_in(
    options: argparse.Namespace, reader: DataReader, progress: Progress, read_table: Callable[[], Table]
) -> LocatedTable:
    """Do what `locate` does, with a table of one's own."""
    unused = check_options(options, reader)
    card = card_of(options, reader)
    _check_columns(options, reader, card, read_table)
    try:
        table, fields = KINDS[reader.reads].locate(options, card, read_table)
    except OptionError as error:
        raise UsageError(str(error)) from None
    facts = {**fields, "missing": options.missing, **_fills(options, reader, fields)}
    detected = () if card else detected_notes(table, options)
    return LocatedTable(table, card.name if card else None, facts, unused, detected)


def _fills(options: argparse.Namespace, reader: DataReader, fields: dict[str, Any]) -> dict[str, Any]:
    """Return what stands for missing values, where these are to be filled."""
    if options.missing != FILL:
        if options.fill is not None:
            raise UsageError("--fill: belongs to --missing fill")
        return {}
    kind = KINDS[reader.reads]
    try:
        return {"fills": given_fills(kind, kind.choice(**fields), options.fill)}
    except ParameterError as error:
        raise UsageError(f"--fill: {error.problem}") from None


def _check_columns(
    options: argparse.Namespace, reader: DataReader, card: Example | None, read_table: Callable[[], Table]
) -> None:
    """Refuse data without the columns that are meant, before bounds or lists are asked for.

    Tables are read only for that mistake, or for one that is about to be refused anyway.
    """
    if card is not None:
        known = {own.name for own in card.columns} | {own.name for own in card.categories}
        if not known.issuperset(options.column or ()):
            table = read_table()
            for name in options.column:
                table.column(name)
        return
    bounded = options.lower is not None and options.upper is not None
    if KINDS[reader.reads].of_numbers and not options.column and not bounded:
        table = read_table()
        if not any(column.type == "number" for column in table.columns):
            names = offered([column.name for column in table.columns])
            raise DataError(f"no column holds numbers alone; there are {names}", source=table.source)
