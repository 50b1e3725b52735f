"""Arrow's formats: Parquet, Feather, streams and ORC; too large a file is refused before it fills the memory.

See "Encapsulated message format" and "IPC file format" of Arrow's columnar format; its metadata are
flatbuffers.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from engine.data.formats.apart import read_apart
from engine.data.formats.damage import guarded, refusing_damage
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.names import check_known, check_names, name_columns, notes_on_names, rename_columns
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.errors import DataError
from engine.free_memory import growth_limit, lack_for, lack_of_memory
from engine.progress import Progress, forwards

LESS = "read fewer columns, or a part of the records"

CONTINUES = b"\xff\xff\xff\xff"
MAGIC = b"ARROW1"
DICTIONARY, RECORDS = 2, 3
"""Kinds of messages."""


COPIES = 4
"""Memory in multiples of the columns' size: for the table, its numbers, and their sort."""


class Batch(NamedTuple):
    """A batch: its rows, its bytes in memory, and whether it holds records (else a dictionary)."""

    rows: int
    size: int
    records: bool


def batches_of_file(file: BinaryIO, source: str) -> list[Batch]:
    """Return all batches of a file in Arrow's file format; `DataError` if the file is damaged."""
    with refusing_damage(source):
        end = file.seek(0, 2)
        file.seek(end - len(MAGIC) - 4)
        (length,) = struct.unpack("<i", file.read(4))
        file.seek(end - len(MAGIC) - 4 - length)
        content = file.read(length)
        footer = _indirect(content, 0)
        blocks = [
            struct.unpack_from("<qi4xq", content, position)
            for field in (2, 3)
            for position in _vector(content, footer, field, 24)
        ]
        return [batch for begin, _, _ in blocks if (batch := _message(file, begin)[0]) is not None]


def batches_of_stream(file: BinaryIO, source: str) -> Iterator[Batch]:
    """Yield the batches of a file in Arrow's stream format; `DataError` if the file is damaged."""
    begin = 0
    end = file.seek(0, 2)
    while begin < end:
        with refusing_damage(source):
            batch, following = _message(file, begin)
        if following <= begin:
            return
        begin = following
        if batch is not None:
            yield batch


def _message(file: BinaryIO, begin: int) -> tuple[Batch | None, int]:
    """Return the batch of a message, or None, and the offset of the next message."""
    file.seek(begin)
    head = file.read(8)
    # before version 0.15 there was only the length
    marked = head[:4] == CONTINUES
    if len(head) < 4 + 4 * marked:
        return None, begin
    (length,) = struct.unpack_from("<i", head, 4 * marked)
    if length <= 0:
        return None, begin
    start = begin + 4 + 4 * marked
    file.seek(start)
    content = file.read(length)
    message = _indirect(content, 0)
    (kind,) = struct.unpack_from("<B", content, _field(content, message, 1))
    following = start + length + max(_long(content, message, 3), 0)
    if kind not in (DICTIONARY, RECORDS):
        return None, following
    table = _indirect(content, _field(content, message, 2))
    if kind == DICTIONARY:
        table = _indirect(content, _field(content, table, 1))
    rows, size = _long(content, table, 0), 0
    for position in _vector(content, table, 2, 16):
        offset, packed = struct.unpack_from("<qq", content, position)
        unpacked = packed
        if packed and _has(content, table, 3):  # the unpacked length precedes the data
            file.seek(start + length + offset)
            (unpacked,) = struct.unpack("<q", file.read(8))
        size += packed if unpacked < 0 else unpacked
    return Batch(rows, size, kind == RECORDS), following


def _indirect(content: bytes, position: int) -> int:
    return position + int(struct.unpack_from("<I", content, position)[0])


def _field(content: bytes, table: int, number: int) -> int:
    """Return the offset of a field of a table; `IndexError` if it is absent."""
    (back,) = struct.unpack_from("<i", content, table)
    (length,) = struct.unpack_from("<H", content, table - back)
    offset = 4 + 2 * number
    (here,) = struct.unpack_from("<H", content, table - back + offset) if offset < length else (0,)
    if not here:
        raise IndexError("a field is missing")
    return table + int(here)


def _has(content: bytes, table: int, number: int) -> bool:
    try:
        return bool(_field(content, table, number))
    except IndexError:
        return False


def _long(content: bytes, table: int, number: int) -> int:
    """Return a number of eight bytes; 0 if it is absent."""
    if not _has(content, table, number):
        return 0
    return int(struct.unpack_from("<q", content, _field(content, table, number))[0])


def _vector(content: bytes, table: int, number: int, width: int) -> range:
    """Return the offsets of the items of a vector."""
    if not _has(content, table, number):
        return range(0)
    begin = _indirect(content, _field(content, table, number))
    (count,) = struct.unpack_from("<I", content, begin)
    return range(begin + 4, begin + 4 + count * width, width)


def width_of(kind: Any) -> float:
    """Return the fewest bytes that a value takes."""
    try:
        return float(kind.bit_width) / 8
    except ValueError:  # of no fixed width
        return 4.0


def refuse_excess(size: float, rows: float, source: str, packed: float) -> None:
    """Raise `DataError` if the memory is not free, or is too much for a file of `packed` bytes."""
    lack = lack_for(size, packed) or lack_of_memory(COPIES * size)
    if lack:
        raise DataError(f"it unpacks to {rows:,.0f} records: {lack}; {LESS}", source=source)


def without_references(data: Any, source: str, packed: float) -> Any:
    """Decode dictionary columns to plain columns."""
    from pyarrow import types

    for index, field in enumerate(data.schema):
        if types.is_dictionary(field.type):
            column = data.column(index)
            refuse_excess(_size_without_references(column), data.num_rows, source, packed)
            with refusing_damage(source):
                data = data.set_column(index, field.name, column.cast(field.type.value_type))
    return data


def _size_without_references(column: Any) -> float:
    """Return the bytes that the values of a column take after decoding."""
    import pyarrow.compute as pc
    from pyarrow import types

    kind = column.type.value_type
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind)):
        return len(column) * width_of(kind)
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    lengths = (pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in chunks)
    return float(sum(pc.sum(each).as_py() or 0 for each in lengths)) + 4.0 * len(column)


BEGINNINGS = {"parquet": b"PAR1", "feather": b"ARROW1"}
"""Magic bytes at both ends of files, by format."""

BATCH = 1 << 16
"""Records of a Parquet file between two progress reports."""
PROBE = 64
"""Records to probe for the length of texts: a few bytes of a file may decode to gigabytes."""
PAGE_HEAD, DICTIONARY_PAGE = 16, 2


def read_parquet(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Parquet file; columns that are not wanted are skipped."""
    import pyarrow as pa
    from pyarrow import parquet

    path, name = file.path, file.name
    packed = file.size
    _refuse_cut(path, name, PARQUET.name)
    with contextlib.ExitStack() as stack:
        with refusing_damage(name):
            raw = stack.enter_context(pa.OSFile(os.fsencode(path)))
            reader = stack.enter_context(parquet.ParquetFile(raw))
            schema, metadata = reader.schema_arrow, reader.metadata
            groups = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        names = check_columns(schema, columns, name)
        is_odd = names != schema.names
        rows = max(metadata.num_rows, sum(groups))
        wanted = list(schema.names if columns is None or is_odd else columns)
        size = rows * sum(width_of(field.type) for field in schema if field.name in wanted)
        refuse_excess(size, rows, name, packed)
        chosen = list(columns) if columns and not is_odd else None
        with refusing_damage(name):
            longest = _longest_reference(raw, metadata, schema, wanted)
        if longest == math.inf:
            progress = forwards(progress)
            _, count, batches = batches_apart(file, "parquet_batches", (chosen, BATCH), progress)
        else:
            first = itertools.islice(reader.iter_batches(batch_size=PROBE, columns=chosen), 1)
            for few in guarded(first, name):
                taken = without_references(few, name, packed).nbytes
                refuse_excess(taken / max(few.num_rows, 1) * rows, rows, name, packed)
            # a batch that references one text must not exceed the limit of all
            batch = int(min(BATCH, max(PROBE, growth_limit(packed) // max(longest, 1))))
            count = -(-rows // batch)
            batches = guarded(reader.iter_batches(batch_size=batch, columns=chosen), name)
        data = collect_batches(schema, batches, count, name, progress=progress, packed=packed)
    data = rename_columns(data, columns if is_odd else None)
    reading = FoundReading(PARQUET.name, notes=notes_on_names(schema.names, names))
    return Table(name, data, format=PARQUET.title, reading=reading)


def _longest_reference(raw: Any, metadata: Any, schema: Any, wanted: Sequence[str]) -> float:
    """Return the largest size in bytes of a text that records reference.

    Infinite if unknown: for lists of any length, and for prefix-compressed texts.
    """
    from pyarrow import types

    if any(types.is_nested(field.type) for field in schema if field.name in wanted):
        return math.inf
    columns = map(metadata.schema.column, range(metadata.num_columns))
    texts = [
        index
        for index, column in enumerate(columns)
        if column.physical_type == "BYTE_ARRAY" and column.path in wanted
    ]
    longest = 0.0
    for group in range(metadata.num_row_groups) if texts else ():
        chunks = metadata.row_group(group)
        for index in texts:
            chunk = chunks.column(index)
            repeats = "DELTA_BYTE_ARRAY" in chunk.encodings
            longest = max(longest, math.inf if repeats else _dictionary_size(raw, chunk))
    return longest


def _dictionary_size(raw: Any, chunk: Any) -> float:
    """Return the size of the dictionary's texts, from the header of the first page."""
    raw.seek(min(filter(None, (chunk.dictionary_page_offset, chunk.data_page_offset)), default=0))
    head = iter(raw.read(PAGE_HEAD))
    numbers = []
    for _ in range(2):  # a Thrift structure begins with the kind and the size of the page
        if next(head, 0) != 0x15:
            return math.inf
        value = shift = 0
        for byte in head:
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        numbers.append(value >> 1 ^ -(value & 1))
    return numbers[1] if numbers[0] == DICTIONARY_PAGE else 0


def batches_apart(
    file: DataFile, reader: str, arguments: tuple[Any, ...], progress: Progress
) -> tuple[Any, int, Iterator[Any]]:
    """Read a file in a separate process; return its schema, the approximate number of batches, and the
    batches.
    """
    import pyarrow as pa

    pieces = read_apart(file, reader, "pyarrow", arguments, "get the whole file again", progress)
    count, first = next(pieces)
    batches = (batch for piece in pieces for batch in pa.ipc.open_stream(piece))
    return pa.ipc.open_stream(first).schema, count, batches


def read_feather(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Feather file (version 2, the Arrow file format), like `read_parquet`."""
    import pyarrow as pa

    path, name = file.path, file.name
    packed = file.size
    _refuse_cut(path, name, FEATHER.name)
    with path.open("rb") as stream:
        refuse_growth(batches_of_file(stream, name), name, packed)
    with contextlib.ExitStack() as stack:
        with refusing_damage(name):
            raw = stack.enter_context(pa.OSFile(os.fsencode(path)))
            schema = pa.ipc.open_file(raw).schema
        names = check_columns(schema, columns, name)
        wanted = [names.index(one) for one in columns] if columns else None
        with refusing_damage(name):
            reader = pa.ipc.open_file(raw, options=pa.ipc.IpcReadOptions(included_fields=wanted))
            count = reader.num_record_batches
        batches = guarded((reader.get_batch(index) for index in range(count)), name)
        data = collect_batches(schema, batches, count, name, progress=progress, packed=packed)
    data = data.rename_columns([names[index] for index in (wanted or range(len(names)))])
    reading = FoundReading(FEATHER.name, notes=notes_on_names(schema.names, names))
    return Table(name, data, format=FEATHER.title, reading=reading)


def refuse_growth(batches: Iterable[Batch], source: str, packed: int) -> None:
    """Raise `DataError` if the batches exceed the memory allowed for a file of this size."""
    rows = size = 0
    for batch in batches:
        rows += batch.rows
        size += max(batch.size, 8 * batch.rows)
        if size > growth_limit(packed):
            refuse_excess(size, rows, source, packed)


def keeps_columns_apart(head: bytes) -> bool:
    """Tell from the first bytes whether a file is columnar, so that columns can be skipped at no cost."""
    return head.startswith(tuple(BEGINNINGS.values()))


def names_and_rows(path: Path) -> tuple[list[str], int]:
    """Return the column names and the number of records of a Parquet or Feather file."""
    import pyarrow as pa
    from pyarrow import parquet

    with path.open("rb") as file:
        is_parquet = file.read(4) == BEGINNINGS[PARQUET.name]
    _refuse_cut(path, path.name, PARQUET.name if is_parquet else FEATHER.name)
    with refusing_damage(path.name), pa.OSFile(os.fsencode(path)) as raw:
        if is_parquet:
            metadata = parquet.read_metadata(raw)
            names, rows = metadata.schema.to_arrow_schema().names, metadata.num_rows
        else:
            names = pa.ipc.open_file(raw).schema.names
    if not is_parquet:
        with path.open("rb") as stream:
            rows = sum(batch.rows for batch in batches_of_file(stream, path.name) if batch.records)
    return name_columns(names), int(rows)


def check_columns(schema: Any, columns: Sequence[str] | None, source: str) -> list[str]:
    """Return distinct names of the columns; raise `DataError` if there are none, or for unknown ones."""
    with refusing_damage(source):  # they may be no text
        names = name_columns(schema.names)
    check_names(names, source)
    check_known(columns or [], names, source)
    return names


def _refuse_cut(path: Path, source: str, format: str) -> None:
    """Raise `DataError` unless the file ends with its magic bytes."""
    magic = BEGINNINGS[format]
    with path.open("rb") as file:
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(0, size - len(magic)))
        if size < 2 * len(magic) or file.read() != magic:
            raise DataError(
                f"its end, with the {format.capitalize()} footer, is missing; the file is "
                "truncated: get the whole file again",
                source=source,
            )


def collect_batches(
    schema: Any,
    batches: Iterable[Any],
    count: int,
    source: str,
    *,
    progress: Progress,
    packed: float = math.inf,
) -> Any:
    """Collect batches and validate each: a damaged one raises an error instead of crashing."""
    import pyarrow as pa

    message = f"reading {source}"
    progress(0.0, message)
    kept = []
    size = rows = 0
    for done, batch in enumerate(batches, start=1):
        with refusing_damage(source):
            batch.validate(full=True)
        batch = without_references(batch, source, packed)
        kept.append(batch)
        size, rows = size + max(batch.nbytes, batch.num_rows), rows + batch.num_rows
        if size > growth_limit(packed):
            refuse_excess(size, rows, source, packed)
        if done.bit_count() == 1:  # after 1, 2, 4, 8 … batches, since the length of texts is not known ahead
            whole = max(count, done) / done
            lack = lack_of_memory((COPIES * whole - 1) * size)
            if lack:
                raise DataError(f"it unpacks to {rows * whole:,.0f} records: {lack}; {LESS}", source=source)
        progress(min(1.0, done / max(done, count)), message)  # a damaged count may be too low
    if not kept:
        return without_references(schema.empty_table(), source, packed)
    return pa.Table.from_batches(kept)


PARQUET = FileFormat("parquet", "Parquet", (".parquet",), begins_with(BEGINNINGS["parquet"]), read_parquet)
FEATHER = FileFormat(
    "feather", "Feather", (".feather", ".arrow"), begins_with(BEGINNINGS["feather"]), read_feather
)


END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


def read_arrow_stream(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a file in Arrow's stream format, like `engine.data.formats.columnar.read_parquet`."""
    import pyarrow as pa

    packed = file.size
    with file.path.open("rb") as content:
        refuse_growth(batches_of_stream(content, file.name), file.name, packed)
    with contextlib.ExitStack() as stack:
        with refusing_damage(file.name):
            reader = pa.ipc.open_stream(stack.enter_context(pa.OSFile(os.fsencode(file.path))))
            schema = reader.schema
        check_columns(schema, columns, file.name)
        kept = list(columns or schema.names)
        batches = (batch.select(kept) for batch in guarded(reader, file.name))
        data = collect_batches(schema, batches, 1, file.name, progress=progress, packed=packed)
    with file.path.open("rb") as stream:
        stream.seek(-min(len(END), file.path.stat().st_size), 2)
        if stream.read() != END:
            raise file.error("its end is missing; the file is truncated: get the whole file again")
    return Table(file.name, data, format="Arrow stream", reading=FoundReading(ARROW_STREAM.name))


ARROW_STREAM = FileFormat(
    "arrow-stream",
    "Arrow stream",
    (".arrows", ".arrow"),
    recognised=begins_with(b"\xff\xff\xff\xff"),
    reader=read_arrow_stream,
)


def read_orc(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read an ORC file stripe by stripe, like `engine.data.formats.columnar.read_parquet`."""
    progress = forwards(progress)
    chosen = list(columns) if columns else None
    schema, count, stripes = batches_apart(file, "orc_stripes", (chosen,), progress)
    check_columns(schema, columns, file.name)
    data = collect_batches(schema, stripes, count, file.name, progress=progress, packed=file.size)
    return Table(file.name, data, format="ORC", reading=FoundReading(ORC.name))


ORC = FileFormat("orc", "ORC file", (".orc",), recognised=begins_with(b"ORC"), reader=read_orc)
