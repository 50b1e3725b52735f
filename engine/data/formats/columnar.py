"""Parquet and Feather: typed columns, read one batch after the other."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.data.formats.apart import read_apart
from engine.data.formats.arrow_sizes import (
    COPIES,
    LESS,
    Batch,
    batches_of_file,
    refuse_excess,
    width_of,
    without_references,
)
from engine.data.formats.damage import guarded, refusing_damage
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.errors import DataError
from engine.free_memory import growth_limit, lack_of_memory
from engine.progress import Progress, forwards

MAGIC = {"parquet": b"PAR1", "feather": b"ARROW1"}
"""How files begin and end, by the names of their formats."""

BATCH = 1 << 16
"""Records of a Parquet file between two reports of progress."""
PROBE = 64
"""Records by which it is seen how long texts are: a few letters of a file may stand for gigabytes."""
PAGE_HEAD, DICTIONARY_PAGE = 16, 2


def read_parquet(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Parquet file; of the columns only the wanted ones are read at all."""
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
        check_columns(schema, columns, name)
        rows = max(metadata.num_rows, sum(groups))
        wanted = list(schema.names if columns is None else columns)
        size = rows * sum(width_of(schema.field(one).type) for one in wanted)
        refuse_excess(size, rows, name, packed)
        chosen = list(columns) if columns else None
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
            # a batch of references to one text must be no larger than all may be
            batch = int(min(BATCH, max(PROBE, growth_limit(packed) // max(longest, 1))))
            count = -(-rows // batch)
            batches = guarded(reader.iter_batches(batch_size=batch, columns=chosen), name)
        data = collected(schema, batches, count, name, progress, packed)
    return Table(name, data, format=PARQUET.title, reading=FoundReading(PARQUET.name))


def _longest_reference(raw: Any, metadata: Any, schema: Any, wanted: Sequence[str]) -> float:
    """Return how many bytes a text of a Parquet file may have that records refer to.

    Infinite where nothing tells: of lists of any length, and texts that repeat the beginning of the one
    before.
    """
    from pyarrow import types

    if any(types.is_nested(schema.field(name).type) for name in wanted):
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
    """Return how many bytes the texts take that records refer to, by the head of the first page."""
    raw.seek(min(filter(None, (chunk.dictionary_page_offset, chunk.data_page_offset)), default=0))
    head = iter(raw.read(PAGE_HEAD))
    numbers = []
    for _ in range(2):  # the kind of the page and its size, as a structure of Thrift begins
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
    """Have a file read in a process apart; return its schema, about how many batches there are, and these."""
    import pyarrow as pa

    pieces = read_apart(file, reader, "pyarrow", arguments, "get the whole file again", progress)
    count, first = next(pieces)
    batches = (batch for piece in pieces for batch in pa.ipc.open_stream(piece))
    return pa.ipc.open_stream(first).schema, count, batches


def read_feather(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Feather file (version 2, the Arrow file format); as `read_parquet`."""
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
        check_columns(schema, columns, name)
        wanted = [schema.get_field_index(one) for one in columns] if columns else None
        with refusing_damage(name):
            reader = pa.ipc.open_file(raw, options=pa.ipc.IpcReadOptions(included_fields=wanted))
            count = reader.num_record_batches
        batches = guarded((reader.get_batch(index) for index in range(count)), name)
        data = collected(schema, batches, count, name, progress, packed)
    return Table(name, data, format=FEATHER.title, reading=FoundReading(FEATHER.name))


def refuse_growth(batches: Iterable[Batch], source: str, packed: int) -> None:
    """Raise `DataError` where batches take more memory than a file of so many bytes may."""
    rows = size = 0
    for batch in batches:
        rows += batch.rows
        size += max(batch.size, 8 * batch.rows)
        if size > growth_limit(packed):
            refuse_excess(size, rows, source, packed)


def keeps_columns_apart(head: bytes) -> bool:
    """Tell by its beginning whether columns of a file that are left out cost nothing."""
    return head.startswith(tuple(MAGIC.values()))


def names_and_rows(path: Path) -> tuple[list[str], int]:
    """Return the names of all columns of a Parquet or Feather file, and how many records it has."""
    import pyarrow as pa
    from pyarrow import parquet

    with path.open("rb") as file:
        is_parquet = file.read(4) == MAGIC[PARQUET.name]
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
    check_names(names, path.name)
    return list(names), int(rows)


def check_columns(schema: Any, columns: Sequence[str] | None, source: str) -> None:
    """Raise `DataError` for names that are unusable, or that are not there."""
    with refusing_damage(source):  # they may be no text
        names = schema.names
    check_names(names, source)
    check_known(columns or [], names, source)


def _refuse_cut(path: Path, source: str, format: str) -> None:
    """Raise `DataError` unless the file ends as it began, with its magic bytes."""
    magic = MAGIC[format]
    with path.open("rb") as file:
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(0, size - len(magic)))
        if size < 2 * len(magic) or file.read() != magic:
            raise DataError(
                f"its end, where {format.capitalize()} keeps its footer, is missing; the file is cut in the "
                "middle: get the whole file again",
                source=source,
            )


def collected(
    schema: Any, batches: Iterable[Any], count: int, source: str, progress: Progress, packed: float = math.inf
) -> Any:
    """Gather batches, each checked, so that a damaged one is an error and not a crash."""
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
        if done.bit_count() == 1:  # after 1, 2, 4, 8 … batches: texts are as long as they turn out to be
            whole = max(count, done) / done
            lack = lack_of_memory((COPIES * whole - 1) * size)
            if lack:
                raise DataError(f"it unpacks to {rows * whole:,.0f} records: {lack}; {LESS}", source=source)
        progress(min(1.0, done / max(done, count)), message)  # a damaged count may be too low
    if not kept:
        return without_references(schema.empty_table(), source, packed)
    return pa.Table.from_batches(kept)


PARQUET = FileFormat(
    "parquet",
    "Parquet",
    (".parquet",),
    begins_with(MAGIC["parquet"]),
    read_parquet,
)
FEATHER = FileFormat(
    "feather",
    "Feather",
    (".feather", ".arrow"),
    begins_with(MAGIC["feather"]),
    read_feather,
)
