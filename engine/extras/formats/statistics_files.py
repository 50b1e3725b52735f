"""Files of SPSS, Stata and SAS, read by pyreadstat (ReadStat)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.data.formats.apart import read_apart
from engine.data.formats.file_format import DataFile, FileFormat, begins_with
from engine.data.formats.values import column_of
from engine.data.names import check_known
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.free_memory import lack_of_memory
from engine.progress import Progress, forwards

BATCH = 100_000
"""Records between two progress reports."""

REMEDY = "get the whole file again, or state its encoding"

CELL = 100
"""Bytes of a cell as a Python object."""

SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
OLD_STATA = tuple(bytes([version, order]) for version in range(105, 116) for order in (1, 2))


def _read(
    function: str, kind: tuple[str, str], file: DataFile, columns: Sequence[str] | None, progress: Progress
) -> Table:
    """Read the records batch by batch; replace codes by their labels."""
    import pyarrow as pa

    chosen = list(columns) if columns else None
    progress = forwards(progress)
    missing = file.options.missing
    stated = None if missing.everywhere is not None else list(missing.columns)
    arguments = (function, chosen, file.options.encoding, BATCH, stated)
    batches = read_apart(file, "statistics", "pyreadstat", arguments, REMEDY, progress)
    names, count, labels, encoding = next(batches)
    check_known(columns or [], names, file.name)
    lack = lack_of_memory(CELL * count * len(chosen or names))
    if lack:
        raise file.error(f"{lack}; read fewer columns or fewer records")
    pieces: dict[str, list[Any]] = {name: [] for name in chosen or names}
    read = 0
    for batch in batches:
        for name in pieces:
            pieces[name].extend(batch.get(name, []))
        read += len(next(iter(batch.values()), []))
        progress(min(1.0, read / max(count, 1)), f"reading {file.name}")
    name, title = kind
    data = {}
    for column, cells in pieces.items():
        own = missing.of(column)
        values = cells if own is None else own.without(cells)
        data[column] = column_of(_labelled(values, labels.get(column, {})))
    return Table(
        file.name,
        pa.table(data),
        format=", ".join(filter(None, (title, encoding))),
        reading=FoundReading(name, {"encoding": file.options.encoding}),
    )


def _labelled(values: Sequence[Any], labels: Mapping[Any, str]) -> Sequence[Any]:
    """Replace codes by labels if every code has a label; otherwise return the codes."""
    if not labels:
        return values
    there = {value for value in values if value is not None and value == value}
    if not there <= labels.keys():
        return values
    return [labels.get(value) for value in values]


SPSS = FileFormat(
    "spss",
    "SPSS file",
    (".sav", ".zsav"),
    recognised=begins_with(b"$FL2", b"$FL3"),
    reader=partial(_read, "read_sav", ("spss", "SPSS")),
    options=("encoding",),
)
STATA = FileFormat(
    "stata",
    "Stata file",
    (".dta",),
    recognised=lambda file: (
        file.head.startswith(b"<stata_dta>") or (file.suffix == ".dta" and file.head.startswith(OLD_STATA))
    ),
    reader=partial(_read, "read_dta", ("stata", "Stata")),
    options=("encoding",),
)
SAS_DATA = FileFormat(
    "sas",
    "SAS file",
    (".sas7bdat",),
    recognised=begins_with(SAS),
    reader=partial(_read, "read_sas7bdat", ("sas", "SAS")),
    options=("encoding",),
)
SAS_TRANSPORT = FileFormat(
    "sas-transport",
    "SAS transport file",
    (".xpt",),
    recognised=begins_with(b"HEADER RECORD*******L"),
    reader=partial(_read, "read_xport", ("sas-transport", "SAS transport")),
    options=("encoding",),
)
