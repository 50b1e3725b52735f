"""Which data a file holds: what tells them from all others, and what tells others that are similar."""

from __future__ import annotations

import dataclasses
import os
import re

from engine.data import large_files
from engine.data.columns_apart import ColumnsApart
from engine.data.digest import digest_of
from engine.data.formats.file_format import StaysInFile
from engine.data.identity import table_digest, table_identity
from engine.data.large_files import stored_format
from engine.data.reading import is_columnar, read_file
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.data.sketch import TableSketch
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress, part, silent


@dataclasses.dataclass(frozen=True, eq=False)
class FileIdentity:
    """Which data a file holds (private).

    Attributes
    ----------
    digest : str
        `table_digest` of what was read.
    former : str
        `digest_of` the bytes.
    sketch : TableSketch or None
        By which data that are only similar are found; None where there are too few different rows.
    others : tuple of str
        `table_digest` of each further table of a database that a query names.
    """

    digest: str = dataclasses.field(repr=False)
    former: str = dataclasses.field(repr=False)
    sketch: TableSketch | None = dataclasses.field(default=None, repr=False)
    others: tuple[str, ...] = dataclasses.field(default=(), repr=False)


def file_identity(
    table: Table | ColumnsApart | StaysInFile,
    path: str | os.PathLike[str],
    progress: Progress = silent,
    *,
    reading: ReadingOptions = DETECTED,
) -> FileIdentity:
    """Return which data were read from a file."""
    stated = isinstance(table, Table) and (reading != DETECTED or bool(_table_behind(table)))
    others: tuple[str, ...] = ()
    if stated and isinstance(table, Table):
        try:
            options, *more = _places_of(table, reading)
            others = tuple(_digest_at(path, other, part(progress, 0.0, 0.2)) for other in more)
            table = read_file(path, options, part(progress, 0.2 * bool(more), 0.4), asks=False)
        except DataError:
            same = digest_of(path, part(progress, 0.4, 1.0))
            return FileIdentity(same, same)
    if not isinstance(table, Table | ColumnsApart) or (isinstance(table, Table) and _is_large(table, path)):
        same = digest_of(path, part(progress, 0.4 * stated, 1.0))
        return FileIdentity(same, same)
    # the bytes last: nothing but what was kept under their digest by older versions depends on them
    digest, sketch = table_identity(table, part(progress, 0.4 * stated, 0.8))
    return FileIdentity(digest, digest_of(path, part(progress, 0.8, 1.0)), sketch, others)


def _is_large(table: Table, path: str | os.PathLike[str]) -> bool:
    """Tell whether a file is one of which columns stay there where only they are asked for."""
    if table.n <= large_files.LARGE or is_columnar(path):
        return False
    return stored_format(path) is not None


def _digest_at(path: str | os.PathLike[str], options: ReadingOptions, progress: Progress) -> str:
    table = read_file(path, options, part(progress, 0.0, 0.5), asks=False)
    if _is_large(table, path):
        raise DataError("it is known by the bytes of its file", source=table.source)
    return table_digest(table, part(progress, 0.5, 1.0))


def _places_of(table: Table, reading: ReadingOptions) -> list[ReadingOptions]:
    """Return which sheet or table is read; of a query, the table behind it, and all others that it names."""
    if not reading.sql:
        read = ReadingOptions(sheet=reading.sheet, table=reading.table, connect=reading.connect)
        behind = _table_behind(table)
        # first the table: a view of it is no dataset of its own, but may have been paid for as one
        return [*([ReadingOptions(table=behind, connect=reading.connect)] if behind else []), read]
    named = [name for name in table.reading.offered.get("table", ()) if _names(reading.sql, name)]
    stored = table.reading.stored_table
    ordered = dict.fromkeys([*([stored] if stored else []), *named] or [""])
    return [ReadingOptions(table=name, connect=reading.connect) for name in ordered]


def _table_behind(table: Table) -> str:
    """Return the stored table behind a view; "" for a table itself, or a query."""
    read, stored = table.reading.values.get("table", ""), table.reading.stored_table
    return stored if read and stored != read else ""


def _names(query: str, table: str) -> bool:
    """Tell whether a query has the name of a table, as a word of its own, or as it stands within quotes."""
    spelled = {table.casefold(), table.casefold().replace('"', '""')}
    return any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", query.casefold()) for each in spelled)
