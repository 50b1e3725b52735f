"""Apache ORC: typed columns in stripes, read by pyarrow in a process apart.

Nothing says how long the texts of a stripe are before it is unpacked.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.data.formats.columnar import batches_apart, check_columns, collected
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.progress import Progress, forwards


def read_orc(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read an ORC file stripe by stripe; as `engine.data.formats.columnar.read_parquet`."""
    progress = forwards(progress)
    chosen = list(columns) if columns else None
    schema, count, stripes = batches_apart(file, "orc_stripes", (chosen,), progress)
    check_columns(schema, columns, file.name)
    data = collected(schema, stripes, count, file.name, progress, file.size)
    return Table(file.name, data, format="ORC", reading=FoundReading(FORMAT.name))


FORMAT = FileFormat("orc", "ORC file", (".orc",), recognised=begins_with(b"ORC"), reader=read_orc)
