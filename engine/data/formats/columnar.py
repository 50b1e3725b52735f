"""Parquet and Feather: typed columns, read one batch after the other."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.data.formats.damage import refusing_damage
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.data.stored.arrow_files import stored_feather, stored_parquet
from engine.data.table import Table
from engine.errors import DataError
from engine.free_memory import lack_of_memory
from engine.progress import Progress

MAGIC = {"parquet": b"PAR1", "feather": b"ARROW1"}
"""How files begin and end, by the names of their formats."""

BATCH = 1 << 16
"""Records of a Parquet file between two reports of progress."""
PROBE = 64
"""Records by which it is seen how long texts are: a few letters of a file may stand for gigabytes."""
COPIES = 4
"""A table, the numbers of its columns, and what they are sorted in take so many times the columns' size."""


def read_parquet(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Parquet file; of the columns only the wanted ones are read at all.

    Parameters
    ----------
    file : DataFile
    columns : sequence of str or None
        None for all.
    progress : Progress
        Called before every 65,536 records, in the calling thread.

    Raises
    ------
    DataError
        If the file is cut or damaged, or lacks a wanted column.
    """
    import pyarrow as pa
    from pyarrow import parquet

    path, name = file.path, file.name
    _refuse_cut(path, name, PARQUET.name)
    with refusing_damage(name), pa.OSFile(os.fsencode(path)) as raw, parquet.ParquetFile(raw) as reader:
        schema = reader.schema_arrow
        _check(schema, columns, name)
        rows = reader.metadata.num_rows
        wanted = schema.names if columns is None else columns
        size = rows * sum(_width(schema.field(one).type) for one in wanted)
        _refuse_much(COPIES * size, rows, name)
        chosen = list(columns) if columns else None
        for few in itertools.islice(reader.iter_batches(batch_size=PROBE, columns=chosen), 1):
            _refuse_much(COPIES * _plain(few).nbytes / max(few.num_rows, 1) * rows, rows, name)
        batches = reader.iter_batches(batch_size=BATCH, columns=chosen)
        data = collected(schema, batches, -(-rows // BATCH), name, progress)
    return Table(name, data, format=PARQUET.title, reading=FoundReading(PARQUET.name))


def read_feather(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Feather file (version 2, the Arrow file format); as `read_parquet`."""
    import pyarrow as pa

    path, name = file.path, file.name
    _refuse_cut(path, name, FEATHER.name)
    with refusing_damage(name), pa.OSFile(os.fsencode(path)) as raw:
        schema = pa.ipc.open_file(raw).schema
        _check(schema, columns, name)
        wanted = [schema.get_field_index(one) for one in columns] if columns else None
        reader = pa.ipc.open_file(raw, options=pa.ipc.IpcReadOptions(included_fields=wanted))
        count = reader.num_record_batches
        batches = (reader.get_batch(index) for index in range(count))
        data = collected(schema, batches, count, name, progress)
    return Table(name, data, format=FEATHER.title, reading=FoundReading(FEATHER.name))


def keeps_columns_apart(head: bytes) -> bool:
    """Tell by its beginning whether columns of a file that are left out cost nothing."""
    return head.startswith(tuple(MAGIC.values()))


def names_and_rows(path: Path) -> tuple[list[str], int]:
    """Return the names of all columns of a Parquet or Feather file, and how many records it has.

    Raises
    ------
    DataError
        If the file is cut or damaged, or its names are.
    """
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
            narrow = pa.ipc.open_file(raw, options=pa.ipc.IpcReadOptions(included_fields=[0]))
            rows = sum(narrow.get_batch(index).num_rows for index in range(narrow.num_record_batches))
            names = pa.ipc.open_file(raw).schema.names
    check_names(names, path.name)
    return list(names), int(rows)


def _check(schema: Any, columns: Sequence[str] | None, source: str) -> None:
    check_names(schema.names, source)
    check_known(columns or [], schema.names, source)


def _width(kind: Any) -> float:
    """Return how many bytes a value takes at least."""
    try:
        return float(kind.bit_width) / 8
    except ValueError:  # of no fixed width
        return 4.0


def _refuse_much(needed: float, rows: float, source: str) -> None:
    """Raise `DataError` where so many more bytes would not fit into memory."""
    lack = lack_of_memory(needed)
    if lack:
        raise DataError(
            f"it unpacks to {rows:,.0f} records: {lack}; read fewer columns, or a part of the records",
            source=source,
        )


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


def collected(schema: Any, batches: Iterable[Any], count: int, source: str, progress: Progress) -> Any:
    """Gather batches or tables, each checked, so that a damaged one is an error and not a crash."""
    import pyarrow as pa

    message = f"reading {source}"
    progress(0.0, message)
    kept = []
    size = rows = 0
    for done, batch in enumerate(batches, start=1):
        batch.validate(full=True)
        batch = _plain(batch)
        kept.append(batch)
        size, rows = size + batch.nbytes, rows + batch.num_rows
        if done.bit_count() == 1:  # after 1, 2, 4, 8 … batches: texts are as long as they turn out to be
            whole = max(count, done) / done
            _refuse_much((COPIES * whole - 1) * size, rows * whole, source)
        progress(done / max(done, count), message)  # a damaged count may be too low
    if not kept:
        return _plain(schema.empty_table())
    if isinstance(kept[0], pa.Table):
        return pa.concat_tables(kept)
    return pa.Table.from_batches(kept)


def _plain(data: Any) -> Any:
    """Replace columns that hold references to a dictionary by what they refer to."""
    from pyarrow import types

    for index, field in enumerate(data.schema):
        if types.is_dictionary(field.type):
            data = data.set_column(index, field.name, data.column(index).cast(field.type.value_type))
    return data


PARQUET = FileFormat(
    "parquet",
    "Parquet",
    (".parquet",),
    begins_with(MAGIC["parquet"]),
    read_parquet,
    stored=stored_parquet,
)
FEATHER = FileFormat(
    "feather",
    "Feather",
    (".feather", ".arrow"),
    begins_with(MAGIC["feather"]),
    read_feather,
    stored=stored_feather,
)
