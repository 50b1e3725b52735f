"""Tables of a PostgreSQL database: a file says where it is, and nothing is ever written to it."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.data.formats.columnar import collected
from engine.data.formats.databases import OF_THE_TEXT, answered, public_part, refused, statement
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.names import check_known, check_names
from engine.data.stored.spilled import spilled
from engine.data.stored.table import StoredTable
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress

SCHEMES = ("postgresql://", "postgres://")
LONGEST = 200
"""Letters of what the server says."""

TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = ANY (current_schemas(false)) "
    "ORDER BY table_name"
)
SECRET = re.compile(r"(?<=:)[^:/@\s]+(?=@)|(?<=password=)[^\s&]+", re.IGNORECASE)


def read_postgresql(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or what a query returns.

    Parameters
    ----------
    file : DataFile
        A text with the address of a database, such as ``postgresql://ann@db.example.org/staff``.
    columns : sequence of str or None
        None for all.
    progress : Progress

    Raises
    ------
    DataError
        If the driver is not installed, the server is not there or refuses, there is no such table, or the
        query makes no sense or would write.
    """
    import pyarrow as pa

    progress(0.0, f"reading {file.name}")
    with _answer(file) as (reader, table, names):
        check_names(reader.schema.names, file.name)
        check_known(columns or [], reader.schema.names, file.name)
        chosen = list(columns) if columns else reader.schema.names
        schema = pa.schema([reader.schema.field(name) for name in chosen])
        batches = (_typed(batch.select(chosen)) for batch in reader)
        first = next(batches, None)
        if first is None:
            data = schema.empty_table()
        else:
            data = collected(first.schema, itertools.chain([first], batches), 1, file.name, progress)
    return answered(file, FORMAT.name, "PostgreSQL", table, names, data)


def stored_postgresql(file: DataFile, progress: Progress) -> StoredTable:
    """Return what a table or a query returns, kept in a temporary file meanwhile."""
    import pyarrow as pa

    with _answer(file) as (reader, _, _):
        first = _typed(reader.schema.empty_table())
        batches = pa.RecordBatchReader.from_batches(first.schema, map(_typed, reader))
        return spilled(file.name, batches, progress)


@contextlib.contextmanager
def _answer(file: DataFile) -> Iterator[tuple[Any, str, list[str]]]:
    """Ask the server in a transaction that cannot write; yield batches, the table, and the names of all."""
    try:
        from adbc_driver_manager import Error
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise DataError(
            "the driver of PostgreSQL is needed to read it; install it with: "
            "pip install 'sensiscope[databases]'",
            source=file.name,
        ) from None
    address = file.path.read_text("utf-8").strip()
    asked = bool(file.options.sql)
    try:
        with dbapi.connect(address) as database, database.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute(TABLES)
            names = [name for (name,) in cursor.fetchall()]
            query, table = statement(file, names)
            cursor.execute(query)
            yield cursor.fetch_record_batch(), table, names
    except Error as error:
        words = SECRET.sub("…", " ".join(str(error).split()))[:LONGEST]
        problem = _problem(words, (error.sqlstate or "").startswith(OF_THE_TEXT), asked=asked)
        raise refused(problem, words, file.name) from None


def _typed(data: Any) -> Any:
    """Turn exact decimals, which the driver hands over as text, into numbers."""
    import pyarrow as pa

    for index, field in enumerate(data.schema):
        if (field.metadata or {}).get(b"ADBC:postgresql:typname") == b"numeric":
            plain = pa.field(field.name, pa.float64())
            column = data.column(index)
            column = column.storage if isinstance(column, pa.ExtensionArray) else column
            data = data.set_column(index, plain, column.cast(pa.string()).cast(pa.float64()))
    return data


def _problem(words: str, of_the_text: bool, *, asked: bool) -> str:
    why = public_part(words, of_the_text)
    if "read-only transaction" in words:
        return "the query would write; write a SELECT statement"
    if re.search(r"could not (connect|translate)|connection (to server|refused)|authentication", words):
        return f"the server does not answer ({words}); check the address, and whether you may read there"
    if asked:
        return f"the query is wrong{why}; correct it"
    return f"it cannot be read{why}; ask whoever keeps the database"


FORMAT = FileFormat(
    "postgresql",
    "PostgreSQL address",
    (".postgresql",),
    recognised=lambda file: file.beginning.lstrip().startswith(SCHEMES),
    reader=read_postgresql,
    options=("table", "sql"),
    is_text=True,
    stored=stored_postgresql,
)
