"""Large columns that stay where they are while the command line works on them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.file_options import reading_of
from app.model.loaded import LoadedRecords, LocatedTable
from app.model.wording.number_format import grouped
from engine.domain import Interval
from engine.progress import Progress

if TYPE_CHECKING:
    from app.commands.support.data import DataReader
    from engine.data import Table
    from engine.data.stored.table import StoredTable

LEAST = 2
"""Bytes of a record in a text, at least: smaller files are not looked at."""


def staying(options: argparse.Namespace, reader: DataReader, progress: Progress) -> StoredTable | None:
    """Return the table of a file that is so large that a column of it stays there; None of any other."""
    able = reader.reads == "column" and options.missing != "fill"
    return large_table(options, progress) if able else None


def large_table(options: argparse.Namespace, progress: Progress) -> StoredTable | None:
    """Return the table of a file that is so large that it is not read into memory; None of any other."""
    from engine.data.stored import table as stored
    from engine.data.stored.opening import stored_format, stored_table

    if options.data is None:
        return None
    reading, path = reading_of(options), Path(options.data)
    found = stored_format(path, reading)
    if found is None or (found.is_text and path.stat().st_size < LEAST * stored.LARGE):
        return None
    table = stored_table(path, reading, progress)
    return table if table.n > stored.LARGE else None


def head_of(table: StoredTable) -> Table:
    """Return the first record, which says what columns there are."""
    from engine.data import Table

    return Table(table.source, table.head(1))


def stored_records(
    options: argparse.Namespace, located: LocatedTable, table: StoredTable, progress: Progress
) -> LoadedRecords[Any]:
    """Return the records of a column, none of which is in memory."""
    from engine.data.stored.column import StoredColumn
    from engine.data.stored.sample import StoredSample

    fields = located.fields
    domain = Interval(fields["lower"], fields["upper"], fields.get("resolution"))
    column = StoredColumn.of(table, fields["column"])
    sample = StoredSample(column, domain, options.missing, progress)
    note = (
        f"{column.source} stays in its file: {grouped(column.records)} records are read as often as is needed"
    )
    return LoadedRecords(
        sample,
        f"{column.name} ({column.source})",
        located.table.column(column.name).unit,
        None,
        sample.dropped,
        notes=(*located.notes, note),
        columns=(column.name,),
        units=(located.table.column(column.name).unit,),
    )
