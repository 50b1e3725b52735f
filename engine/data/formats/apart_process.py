"""Runs in a separate process, where a library reads one file: see `engine.data.formats.apart`.

Imports only a library and nothing else of the program: it starts within milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import pkgutil
import select
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import time as time_of_day
from datetime import timedelta
from importlib import import_module
from typing import Any, BinaryIO

LENGTH = struct.Struct("<BQ")
"""Prefix of each message: its kind, and its length in bytes."""

NO_MEMORY = (b"capacity overflow", b"out of memory", b"bad_alloc", b"bad allocation", b"malloc of size")
"""Phrases by which libraries report that memory is exhausted."""

ITEM, REFUSED, DAMAGED, LACKING, END = range(5)
"""Kinds of messages: an item, a refusal of ours, an error of the library, no memory, the end."""


def main(library: str) -> None:
    """Run the functions that standard input names and send their results to standard output, until one fails.

    Libraries are imported before memory is limited.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library may print
    try:
        for name in library.split():
            import_module(name)
    except ImportError as error:
        _send(out, REFUSED, f"{library} is needed to read it, and cannot be loaded ({error})".encode())
        return
    if hasattr(select, "poll"):
        threading.Thread(target=_end_with_asker, daemon=True).start()
    while True:
        try:
            reference, limit, seconds, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        reader: Callable[..., Iterator[Any]] = pkgutil.resolve_name(reference)
        _restrict(limit, seconds)
        kind, said = _answered(out, reader(*arguments))
        _send(out, kind, said)
        if kind != END:
            os._exit(0)  # whatever state the library is in


def _end_with_asker() -> None:
    """End the process once its parent has ended."""
    asker = select.poll()
    asker.register(0, 0)  # returns only at the end of the pipe
    asker.poll()
    os._exit(0)


def _answered(out: BinaryIO, items: Iterator[Any]) -> tuple[int, bytes]:
    """Send items, and return the last message."""
    try:
        for item in items:
            _send(out, ITEM, pickle.dumps(item, protocol=5))
    except MemoryError:
        return LACKING, b""
    except BaseException as error:  # a Rust panic is no Exception
        said = (str(error) or type(error).__name__).encode(errors="replace")
        if type(error) is Refused:
            return REFUSED, said
        return LACKING if any(text in said.lower() for text in NO_MEMORY) else DAMAGED, said
    return END, b""


SPARE = 1 << 28
"""Bytes of address space that may be reserved beyond the limit; the parent watches the memory in use."""

SPARE_SECONDS = 5
"""Extra seconds of processor time after which the process ends, even without a parent."""


class Refused(ValueError):
    """The file is readable, but the request cannot be met."""


def _send(out: BinaryIO, kind: int, content: bytes) -> None:
    out.write(LENGTH.pack(kind, len(content)))
    out.write(content)
    out.flush()


def _restrict(limit: int, seconds: float) -> None:
    """Limit memory and processor time from now on, if the system supports it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        end = int(time.process_time() + seconds) + SPARE_SECONDS
        resource.setrlimit(
            resource.RLIMIT_CPU, (end if hard == resource.RLIM_INFINITY else min(end, hard), hard)
        )
        with open("/proc/self/statm") as facts:
            taken = int(facts.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        ends = [end for end in (hard, taken + limit + SPARE) if end != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min(ends), hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


WAIT = 2.0
"""Seconds to wait for a database that another program has locked."""

ROWS = 10_000
"""Rows of a sheet per message."""


def sheet(path: str, wanted: str) -> Iterator[Any]:
    """Yield facts about a sheet of a workbook, then its rows in batches.

    The facts are its name, the names of all sheets with cells, the first column that is not empty, and the
    number of rows.  The sheet is the wanted one, or the first with content.
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


WITH_CODES = ("read_sav", "read_dta", "read_sas7bdat")
"""The functions of pyreadstat that can return values that the code book declares missing."""


def _as_codes(values: Sequence[Any], is_numeric: bool) -> Sequence[Any]:
    """Write the missing codes of a numeric column as Stata and SAS do: .a for the letter a."""
    if not is_numeric or not any(isinstance(value, str) for value in values):
        return values
    return [f".{value}" if isinstance(value, str) else value for value in values]


def statistics(
    path: str,
    function: str,
    columns: Sequence[str] | None,
    encoding: str,
    rows: int,
    stated: Sequence[str] | None,
) -> Iterator[Any]:
    """Yield facts about an SPSS, Stata or SAS file, then its cells by column, in batches of records.

    Values that the code book declares missing are None, except in the columns with `stated` missing values
    (all columns for None).  The facts are the column names, the number of records, the value labels by
    column, the encoding, and the code book of `_code_book`.
    """
    import pyreadstat

    reader = getattr(pyreadstat, function)
    options = {"encoding": encoding.upper()} if encoding else {}
    _, facts = reader(path, metadataonly=True, output_format="dict", **options)
    numeric = {name for name, kind in facts.readstat_variable_types.items() if kind != "string"}
    labels = {
        name: dict(zip(_as_codes(list(values), name in numeric), values.values(), strict=True))
        for name, values in facts.variable_value_labels.items()
    }
    yield list(facts.column_names), facts.number_rows or 0, labels, facts.file_encoding, _code_book(facts)
    wanted = list(columns or facts.column_names)
    kept = [name for name in wanted if stated is None or name in stated]
    parts = [(kept, True), ([name for name in wanted if name not in kept], False)]
    read = 0
    while True:
        batch: dict[str, Any] = {}
        for names, user_missing in parts:
            if names:
                part, _ = reader(
                    path,
                    output_format="dict",
                    usecols=None if len(names) == len(facts.column_names) else names,
                    row_offset=read,
                    row_limit=rows,
                    **({"user_missing": True} if user_missing and function in WITH_CODES else {}),
                    **options,
                )
                batch |= {name: _as_codes(part[name], name in numeric) for name in names}
        yield batch | _durations(reader, path, batch, read, rows, options)
        here = len(next(iter(batch.values()), []))
        read += here
        if here < rows:
            return


def _code_book(facts: Any) -> dict[str, Any]:
    """Return the measurement level of each column with labels, and its ranges of missing codes."""
    ranges = {name: [(one["lo"], one["hi"]) for one in own] for name, own in facts.missing_ranges.items()}
    return {
        name: (facts.variable_measure.get(name) or "", ranges.get(name, []))
        for name in facts.variable_value_labels
    }


IN_SECONDS = {"read_sav", "read_por", "read_sas7bdat", "read_xport"}
"""The functions of pyreadstat whose times are seconds; it wraps them at 24 hours."""


def _durations(
    reader: Any, path: str, batch: dict[str, Any], first: int, rows: int, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the columns of times of a batch; values outside 0 to 24 hours become durations."""
    names = [name for name, values in batch.items() if any(isinstance(one, time_of_day) for one in values)]
    if not names or reader.__name__ not in IN_SECONDS:
        return {}
    seconds, _ = reader(
        path,
        output_format="dict",
        usecols=names,
        row_offset=first,
        row_limit=rows,
        disable_datetime_conversion=True,
        **options,
    )
    return {
        name: [
            one if raw is None or 0 <= raw < 86_400 else timedelta(seconds=raw)
            for one, raw in zip(batch[name], seconds[name], strict=True)
        ]
        for name in names
    }


def orc_stripes(path: str, columns: Sequence[str] | None) -> Iterator[Any]:
    """Yield the number of stripes of an ORC file and an empty batch, then each stripe as an Arrow stream."""
    from pyarrow import orc

    with open(path, "rb") as raw:
        reader = orc.ORCFile(raw)
        yield reader.nstripes, _stream(reader.schema, [])
        for number in range(reader.nstripes):
            stripe = reader.read_stripe(number, columns=columns)
            yield _stream(stripe.schema, [stripe])


def parquet_batches(path: str, columns: Sequence[str] | None, size: int) -> Iterator[Any]:
    """Yield the number of batches of a Parquet file, then the batches, as `orc_stripes` does."""
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
    """Yield the column names of a query's result (none without a result), then its rows.

    Rows come in batches, one tuple of cells per column.
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
    """Yield the schema of a query's result, then its batches, as `orc_stripes` does."""
    import duckdb

    with duckdb.connect(path, read_only=True, config=settings) as database:
        reader: Any = database.sql(query).to_arrow_reader(rows)
        yield _stream(reader.schema, [])
        for batch in reader:
            yield _stream(batch.schema, [batch])
