"""Large columns that stay where they are while the command line works on them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.data import check_options
from app.commands.support.file_options import reading_of
from app.model.loaded import LoadedRecords, LocatedTable
from app.model.wording.number_format import grouped
from engine.domain import Box, Interval
from engine.progress import Progress

if TYPE_CHECKING:
    from app.commands.support.data import DataReader
    from engine.data import Table
    from engine.data.formats.file_format import StaysInFile


def staying(options: argparse.Namespace, reader: DataReader, progress: Progress) -> StaysInFile | None:
    """Return the table of a file so large that what is read of it stays there; None of any other."""
    check_options(options, reader)  # before a file is looked at
    if reader.reads not in MAKERS or options.missing == "fill":
        return None
    columns = len(options.column or ())
    return large(options, progress, columns if reader.reads == "points" else 0)


def large(options: argparse.Namespace, progress: Progress, numbers: int = 0) -> StaysInFile | None:
    """Return the table of a file that is so large that it is not read into memory; None of any other."""
    from engine.data.large_files import large_table

    if options.data is None:
        return None
    return large_table(options.data, reading_of(options), progress=progress, numbers=numbers)


def head_of(table: StaysInFile) -> Table:
    """Return the first record, which says what columns there are."""
    from engine.data import Table

    return Table(table.source, table.head(1), release_problem=table.release_problem)


def stored_records(
    options: argparse.Namespace,
    reader: DataReader,
    located: LocatedTable,
    table: StaysInFile,
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
        detected=located.detected,
        columns=tuple(columns),
        units=units,
    )


def _column(table: StaysInFile, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    domain = Interval(fields["lower"], fields["upper"], fields.get("resolution"))
    return table.sample(fields["column"], domain, missing, progress)


def _points(table: StaysInFile, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    names, bounds = fields["columns"], fields["bounds"]
    domain = Box.of(*zip(*(bounds[name] for name in names), strict=True))
    return table.points(names, domain, missing, progress)


MAKERS = {"column": _column, "points": _points}
"""By the kind of data, what makes records of a table that stays where it is."""
