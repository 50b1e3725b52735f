"""Reads in a process apart (`engine.data.formats.apart`): nothing but the libraries is imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.data.formats.apart_process import Refused

WAIT = 2.0
"""Seconds to wait for another program that holds a database."""

ROWS = 10_000
"""Rows of a sheet that are sent together."""


def sheet(path: str, wanted: str) -> Iterator[Any]:
    """Yield facts of a sheet of a workbook, then its rows, some together.

    The facts are its name, the names of all sheets with cells, the first column that is not empty, and how
    many rows there are.  It is the wanted one, or the first that holds anything.
    """
    import python_calamine

    try:
        with python_calamine.CalamineWorkbook.from_path(path) as book:
            names = [
                one.name
                for one in book.sheets_metadata
                if str(one.typ).endswith("WorkSheet") and str(one.visible).endswith("Visible")
            ]
            charts = {one.name for one in book.sheets_metadata if str(one.typ).endswith("ChartSheet")}
            names = names or [name for name in book.sheet_names if name not in charts]
            if not names:
                raise Refused("there is no sheet with cells in it; save the table on one")
            if wanted and (wanted in charts or wanted not in book.sheet_names):
                lack = (
                    f"the sheet '{wanted}' is a chart"
                    if wanted in charts
                    else f"there is no sheet '{wanted}'"
                )
                raise Refused(f"{lack}; there are {', '.join(names)}")
            sheet = _sheet(book, wanted, names)
            yield sheet.name, names, (sheet.start or (0, 0))[1], sheet.total_height
            rows: list[list[Any]] = []
            for row in sheet.iter_rows():
                rows.append(row)
                if len(rows) == ROWS:
                    yield rows
                    rows = []
            yield rows
    except python_calamine.PasswordError:
        raise Refused(PASSWORD) from None
    except python_calamine.CalamineError as error:
        if "password" not in str(error).lower():
            raise
        raise Refused(PASSWORD) from None


PASSWORD = "it needs a password; save it without one"


def _sheet(book: Any, wanted: str, names: Sequence[str]) -> Any:
    """Return the wanted sheet, or the first with more than one row, or the first."""
    if wanted:
        return book.get_sheet_by_name(wanted)
    first = None
    for name in names:
        sheet = book.get_sheet_by_name(name)
        if sheet.height > 1:
            return sheet
        first = first or sheet
    return first


def statistics(
    path: str, function: str, columns: Sequence[str] | None, encoding: str, rows: int
) -> Iterator[Any]:
    """Yield facts of a file of SPSS, Stata or SAS, then its cells by column, so many records together.

    The facts are the names of its columns, how many records there are, the labels of values by column, and
    the encoding.
    """
    import pyreadstat

    reader = getattr(pyreadstat, function)
    options = {"encoding": encoding.upper()} if encoding else {}
    _, facts = reader(path, metadataonly=True, output_format="dict", **options)
    labels = {name: dict(values) for name, values in facts.variable_value_labels.items()}
    yield list(facts.column_names), facts.number_rows or 0, labels, facts.file_encoding
    read = 0
    while True:
        batch, _ = reader(
            path,
            output_format="dict",
            usecols=list(columns) if columns else None,
            row_offset=read,
            row_limit=rows,
            **options,
        )
        yield dict(batch)
        here = len(next(iter(batch.values()), []))
        read += here
        if here < rows:
            return


def orc_stripes(path: str, columns: Sequence[str] | None) -> Iterator[Any]:
    """Yield how many stripes an ORC file has, and no record; then each stripe, as streams of Arrow."""
    from pyarrow import orc

    with open(path, "rb") as raw:
        reader = orc.ORCFile(raw)
        yield reader.nstripes, _stream(reader.schema, [])
        for number in range(reader.nstripes):
            stripe = reader.read_stripe(number, columns=columns)
            yield _stream(stripe.schema, [stripe])


def parquet_batches(path: str, columns: Sequence[str] | None, size: int) -> Iterator[Any]:
    """Yield how many batches of so many records a Parquet file has, and these, as `orc_stripes`."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as reader:
        yield -(-reader.metadata.num_rows // size), _stream(reader.schema_arrow, [])
        for batch in reader.iter_batches(batch_size=size, columns=columns):
            yield _stream(batch.schema, [batch])


def _stream(schema: Any, batches: Sequence[Any]) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def sqlite_columns(path: str, address: str, query: str, longest: int, rows: int) -> Iterator[Any]:
    """Yield the names of the columns of what a query returns (none where it returns nothing), then these.

    The cells of each column come as tuples, so many rows together.
    """
    import sqlite3

    reading = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
    database = sqlite3.connect(address, uri=True, timeout=WAIT)
    database.text_factory = lambda raw: raw.decode(errors="replace")
    database.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in reading else sqlite3.SQLITE_DENY
    )
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    cursor = database.execute(query)
    yield [description[0] for description in cursor.description or ()]
    while batch := cursor.fetchmany(rows):
        yield list(zip(*batch, strict=True))


def duckdb_batches(path: str, query: str, settings: dict[str, Any], rows: int) -> Iterator[Any]:
    """Yield the schema of what a query returns, then its batches of so many records, as `orc_stripes`."""
    import duckdb

    with duckdb.connect(path, read_only=True, config=settings) as database:
        reader: Any = database.sql(query).to_arrow_reader(rows)
        yield _stream(reader.schema, [])
        for batch in reader:
            yield _stream(batch.schema, [batch])
