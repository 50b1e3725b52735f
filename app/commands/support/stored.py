"""Large columns that stay in their files while the command line works on them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.file_options import reading_of
from app.model.loaded import LoadedRecords, LocatedTable
from app.model.wording.number_format import grouped
from engine.data.reading_options import DETECTED
from engine.domain import Interval
from engine.progress import Progress

if TYPE_CHECKING:
    from app.commands.support.data import DataReader
    from engine.data import Table

LARGE = 1 << 25
"""Records of a column that are read into memory, at most: 0.3 GB of them, and as much to work with."""


def stays_in_file(options: argparse.Namespace, reader: DataReader) -> bool:
    """Tell whether a Parquet or Feather file is so large that a column of it stays there."""
    from engine.data.formats.columnar import names_and_rows

    plain = options.missing in ("refuse", "drop") and reading_of(options) == DETECTED
    return reader.reads == "column" and plain and names_and_rows(Path(options.data))[1] > LARGE


def head_of(options: argparse.Namespace) -> Table:
    """Return the first record of the file, which says what columns there are."""
    from engine.data.stored.column import first_record

    return first_record(options.data)


def stored_records(
    options: argparse.Namespace, located: LocatedTable, progress: Progress
) -> LoadedRecords[Any]:
    """Return the records of a column, none of which is in memory."""
    from engine.data.stored.column import stored_column
    from engine.data.stored.sample import StoredSample

    fields = located.fields
    domain = Interval(fields["lower"], fields["upper"], fields.get("resolution"))
    column = stored_column(options.data, fields["column"])
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
