"""Apache ORC: typed columns in stripes, read by pyarrow."""

from __future__ import annotations

from collections.abc import Sequence

from engine.data.formats.columnar import collected
from engine.data.formats.damage import refusing_damage
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.progress import Progress


def read_orc(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read an ORC file stripe by stripe; as `engine.data.formats.columnar.read_parquet`."""
    from pyarrow import orc

    with refusing_damage(file.name), file.path.open("rb") as raw:
        reader = orc.ORCFile(raw)
        check_names(reader.schema.names, file.name)
        check_known(columns or [], reader.schema.names, file.name)
        chosen = list(columns) if columns else None
        stripes = (reader.read_stripe(number, columns=chosen) for number in range(reader.nstripes))
        data = collected(reader.schema, stripes, reader.nstripes, file.name, progress)
    return Table(file.name, data, format="ORC", reading=FoundReading(FORMAT.name))


FORMAT = FileFormat("orc", "ORC file", (".orc",), recognised=begins_with(b"ORC"), reader=read_orc)
