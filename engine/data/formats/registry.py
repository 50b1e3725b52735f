"""All formats of files, in the order in which a file is asked whether it is one of them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.data.formats import (
    arrow_stream,
    columnar,
    delimited,
    duckdb_files,
    graphml,
    json_array,
    json_lines,
    orc,
    sqlite,
    statistics_files,
    workbook,
)
from engine.data.formats.file_format import DataFile, FileFormat

BINARY = (
    columnar.PARQUET,
    columnar.FEATHER,
    arrow_stream.FORMAT,
    orc.FORMAT,
    workbook.FORMAT,
    statistics_files.SPSS,
    statistics_files.STATA,
    statistics_files.SAS_DATA,
    statistics_files.SAS_TRANSPORT,
    sqlite.FORMAT,
    duckdb_files.FORMAT,
)

TEXT = (graphml.FORMAT, json_array.FORMAT, json_lines.FORMAT, delimited.FORMAT)

FORMATS = {one.name: one for one in (*TEXT[::-1], *BINARY)}
"""By name, the usual ones first."""


def recognised(file: DataFile, formats: Iterable[FileFormat]) -> FileFormat | None:
    """Return the format of a file, None if it has none of these."""
    return next((one for one in formats if one.recognised(file)), None)


def suffixes(*, graphs: bool) -> tuple[str, ...]:
    """Return how the names of files end, with those that hold graphs alone or without; packed ones too."""
    from engine.data.unpacking import PACKINGS

    found = [end for one in FORMATS.values() if graphs or not one.of_graphs for end in one.suffixes]
    packed = [end for packing in PACKINGS for end in packing.suffixes]
    return tuple(dict.fromkeys([*found, *packed]))
