"""The stream format of Arrow: batches one after the other, without a footer."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from engine.data.formats.arrow_sizes import batches_of_stream
from engine.data.formats.columnar import check_columns, collected, refuse_growth
from engine.data.formats.damage import guarded, refusing_damage
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress

END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


def read_arrow_stream(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a file in Arrow's stream format; as `engine.data.formats.columnar.read_parquet`."""
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
        data = collected(schema, batches, 1, file.name, progress, packed)
    with file.path.open("rb") as stream:
        stream.seek(-min(len(END), file.path.stat().st_size), 2)
        if stream.read() != END:
            raise DataError(
                "its end is missing; the file is cut in the middle: get the whole file again",
                source=file.name,
            )
    return Table(file.name, data, format="Arrow stream", reading=FoundReading(FORMAT.name))


FORMAT = FileFormat(
    "arrow-stream",
    "Arrow stream",
    (".arrows", ".arrow"),
    recognised=begins_with(b"\xff\xff\xff\xff"),
    reader=read_arrow_stream,
)
