"""Files of R (.rds, .rda, .RData): data frames, read by the optional package rdata."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from engine.data.formats.apart import read_apart
from engine.data.formats.columnar import collect_batches
from engine.data.formats.file_format import DataFile
from engine.data.names import check_known, check_names, tidy_name
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.extras.formats.declarations import R
from engine.extras.formats.r_process import AS_CSV
from engine.extras.formats.value_labels import ValueLabels
from engine.optional_packages import install_command
from engine.progress import Progress, forwards

READER = "engine.extras.formats.r_process:data_frame"

REMEDY = f"get the whole file again, or {AS_CSV}"


def read_r(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a data frame: the stated one, or the first.

    Factors become categories by their levels.  Row names that are texts are the first column.
    """
    import pyarrow as pa

    if importlib.util.find_spec("rdata") is None:
        raise file.error(f"it is a file of R; {AS_CSV}, or install: {install_command('r')}")
    progress = forwards(progress)
    chosen = list(columns) if columns else None
    pieces = read_apart(
        file, READER, "rdata pyarrow", (file.options.table, chosen), REMEDY, progress, keeps=False
    )
    frames, name, fields, labels = next(pieces)
    check_known(columns or [], fields, file.name)
    stream = pa.ipc.open_stream(next(pieces))
    data = collect_batches(stream.schema, stream, 1, file.name, progress=progress)
    if not columns:
        data = data.rename_columns([tidy_name(field) for field in data.column_names])
        check_names(data.column_names, file.name)
    types = dict(file.options.types)
    for field, own in labels.items():
        book, type_name = ValueLabels(own), types.get(field, "")
        if field in data.column_names and (
            type_name == "category" or (not type_name and book.are_categories)
        ):
            texts = pa.array(book.texts(data.column(field).to_pylist()), pa.string())
            data = data.set_column(data.column_names.index(field), field, texts)
    return Table(
        file.name,
        data,
        format=f"R, {name or 'one data frame'}",
        reading=FoundReading(R.name, {"table": name}, {"table": tuple(frames)}, labelled=tuple(labels)),
    )
