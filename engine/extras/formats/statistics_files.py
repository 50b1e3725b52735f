"""Files of SPSS, Stata and SAS, read by pyreadstat (ReadStat)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from engine.data.formats.apart import read_apart
from engine.data.formats.file_format import DataFile
from engine.data.formats.values import column_of
from engine.data.names import check_known
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.extras.formats.value_labels import ValueLabels
from engine.free_memory import lack_of_memory
from engine.progress import Progress, forwards

BATCH = 100_000
"""Records between two progress reports."""

REMEDY = "get the whole file again, or state its encoding"

CELL = 100
"""Bytes of a cell as a Python object."""

LINE = 82
"""Bytes of a line of a portable file; the last one ends with Z."""


def _read(
    function: str, kind: tuple[str, str], file: DataFile, columns: Sequence[str] | None, progress: Progress
) -> Table:
    """Read the records batch by batch; replace codes by their labels where the code book says so."""
    import pyarrow as pa

    chosen = list(columns) if columns else None
    progress = forwards(progress)
    missing = file.options.missing
    stated = None if missing.everywhere is not None else list(missing.columns)
    arguments = (function, chosen, file.options.encoding, BATCH, stated)
    batches = read_apart(file, "statistics", "pyreadstat", arguments, REMEDY, progress)
    names, count, labels, encoding, code_book = next(batches)
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
    books = {column: ValueLabels(own, *code_book[column]) for column, own in labels.items() if own}
    types = dict(file.options.types)
    data = {}
    for column, cells in pieces.items():
        own = missing.of(column)
        values = cells if own is None else own.without(cells)
        data[column] = column_of(_decoded(values, books.get(column), types.get(column, "")))
    return Table(
        file.name,
        pa.table(data),
        format=", ".join(filter(None, (title, encoding))),
        reading=FoundReading(name, {"encoding": file.options.encoding}, labelled=tuple(books)),
    )


def _decoded(values: Sequence[Any], labels: ValueLabels | None, type_name: str) -> Sequence[Any]:
    """Return codes or their labels: as the type of the column states, or else as the code book says."""
    if labels is None or not (type_name == "category" or (not type_name and labels.are_categories)):
        return values
    return labels.texts(values)


def read_spss_portable(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a portable file; refuse one whose end is missing."""
    with file.path.open("rb") as stream:
        stream.seek(-min(LINE, file.path.stat().st_size), 2)
        if not stream.read().rstrip().endswith(b"Z"):
            raise file.error("its end is missing; the file is truncated: get the whole file again")
    return _read("read_por", ("spss-portable", "SPSS portable"), file, columns, progress)


read_spss = partial(_read, "read_sav", ("spss", "SPSS"))
read_stata = partial(_read, "read_dta", ("stata", "Stata"))
read_sas = partial(_read, "read_sas7bdat", ("sas", "SAS"))
read_sas_transport = partial(_read, "read_xport", ("sas-transport", "SAS transport"))
