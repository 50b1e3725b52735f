"""Large columns that stay where they are while the command line works on them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.file_options import reading_of
from app.model.loaded import LoadedRecords, LocatedTable
from app.model.wording.number_format import grouped
from engine.domain import Box, Interval
from engine.progress import Progress

if TYPE_CHECKING:
    from app.commands.support.data import DataReader
    from engine.data import Table
    from engine.data.stored.table import StoredTable

LEAST = 2
"""Bytes of a record in a text, at least: smaller files are not looked at."""


def staying(options: argparse.Namespace, reader: DataReader, progress: Progress) -> StoredTable | None:
    """Return the table of a file so large that what is read of it stays there; None of any other."""
    if reader.reads not in MAKERS or options.missing == "fill":
        return None
    columns = len(options.column or ())
    return large_table(options, progress, columns if reader.reads == "points" else 0)


def large_table(options: argparse.Namespace, progress: Progress, coordinates: int = 0) -> StoredTable | None:
    """Return the table of a file that is so large that it is not read into memory; None of any other.

    Of points in files that keep their columns apart, half as many coordinates stay there.  Whether those
    of other files do must not depend on what is asked: they are known to the ledger by it.
    """
    from engine.data.reading import is_columnar
    from engine.data.stored import table as stored
    from engine.data.stored.opening import stored_format, stored_table

    if options.data is None:
        return None
    reading, path = reading_of(options), Path(options.data)
    found = stored_format(path, reading)
    if found is None or (found.is_text and path.stat().st_size < LEAST * stored.LARGE):
        return None
    table = stored_table(path, reading, progress)
    many = is_columnar(path) and 2 * coordinates * table.n > stored.LARGE
    return table if many or table.n > stored.LARGE else None


def head_of(table: StoredTable) -> Table:
    """Return the first record, which says what columns there are."""
    from engine.data import Table

    return Table(table.source, table.head(1))


def stored_records(
    options: argparse.Namespace,
    reader: DataReader,
    located: LocatedTable,
    table: StoredTable,
    progress: Progress,
) -> LoadedRecords[Any]:
    """Return records, none of which is in memory."""
    database = MAKERS[reader.reads](table, located.fields, options.missing, progress)
    columns = located.fields.get("columns") or (located.fields["column"],)
    units = tuple(located.table.column(name).unit for name in columns)
    note = f"{table.source} stays in its file: {grouped(table.n)} records are read as often as is needed"
    return LoadedRecords(
        database,
        f"{', '.join(columns)} ({table.source})",
        units[0] if len(set(units)) == 1 else "",
        None,
        database.dropped,
        notes=(*located.notes, note),
        columns=tuple(columns),
        units=units,
    )


def _column(table: StoredTable, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    from engine.data.stored.column import StoredColumn
    from engine.data.stored.sample import StoredSample

    domain = Interval(fields["lower"], fields["upper"], fields.get("resolution"))
    return StoredSample(StoredColumn.of(table, fields["column"]), domain, missing, progress)


def _points(table: StoredTable, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    from engine.data.stored.points import StoredPoints

    names, bounds = fields["columns"], fields["bounds"]
    domain = Box.of(*zip(*(bounds[name] for name in names), strict=True))
    return StoredPoints(table, names, domain, missing, progress=progress)


MAKERS = {"column": _column, "points": _points}
"""By the kind of data, what makes records of a table that stays where it is."""
