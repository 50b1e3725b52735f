"""Parquet and Feather: typed columns, read one batch after the other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.data.names import check_known, check_names
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress

BATCH = 1 << 16
"""Records of a Parquet file between two reports of progress."""


def read_parquet(path: Path, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Parquet file; of the columns only the wanted ones are read at all.

    Parameters
    ----------
    path : Path
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

    _refuse_cut(path, b"PAR1", "Parquet")
    with _refusing_damage(path), pa.OSFile(os.fsencode(path)) as raw, parquet.ParquetFile(raw) as file:
        schema = file.schema_arrow
        _check(schema, columns, path.name)
        batches = file.iter_batches(batch_size=BATCH, columns=list(columns) if columns else None)
        count = -(-file.metadata.num_rows // BATCH)
        return Table(path.name, _collected(schema, batches, count, path, progress), format="Parquet")


def read_feather(path: Path, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a Feather file (version 2, the Arrow file format); as `read_parquet`."""
    import pyarrow as pa

    _refuse_cut(path, b"ARROW1", "Feather")
    with _refusing_damage(path), pa.OSFile(os.fsencode(path)) as raw:
        schema = pa.ipc.open_file(raw).schema
        _check(schema, columns, path.name)
        wanted = [schema.get_field_index(name) for name in columns] if columns else None
        file = pa.ipc.open_file(raw, options=pa.ipc.IpcReadOptions(included_fields=wanted))
        count = file.num_record_batches
        batches = (file.get_batch(index) for index in range(count))
        return Table(path.name, _collected(schema, batches, count, path, progress), format="Feather")


def _check(schema: Any, columns: Sequence[str] | None, source: str) -> None:
    check_names(schema.names, source)
    check_known(columns or [], schema.names, source)


def _refuse_cut(path: Path, magic: bytes, format: str) -> None:
    """Raise `DataError` unless the file ends as it began, with its magic bytes."""
    with path.open("rb") as file:
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(0, size - len(magic)))
        if size < 2 * len(magic) or file.read() != magic:
            raise DataError(
                f"its end, where {format} keeps its footer, is missing; the file is cut in the middle: "
                "get the whole file again",
                source=path.name,
            )


@contextlib.contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise DataError(f"it is damaged ({reason}); get the whole file again", source=path.name) from None


def _collected(schema: Any, batches: Iterable[Any], count: int, path: Path, progress: Progress) -> Any:
    """Gather the batches, each checked, so that a damaged one is an error and not a crash."""
    import pyarrow as pa

    message = f"reading {path.name}"
    progress(0.0, message)
    kept = []
    for done, batch in enumerate(batches, start=1):
        batch.validate(full=True)
        kept.append(batch)
        progress(done / max(done, count), message)  # a damaged count may be too low
    return _plain(pa.Table.from_batches(kept) if kept else schema.empty_table())


def _plain(data: Any) -> Any:
    """Replace columns that hold references to a dictionary by what they refer to."""
    from pyarrow import types

    for index, field in enumerate(data.schema):
        if types.is_dictionary(field.type):
            data = data.set_column(index, field.name, data.column(index).cast(field.type.value_type))
    return data
