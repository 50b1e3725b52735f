"""Public lists of the vertices of a graph, whose edges are private."""

from __future__ import annotations

import os
from pathlib import Path

from engine.data import cells
from engine.data.formats.graphml import looks_like_xml
from engine.data.reading import read_file
from engine.data.reading_options import DETECTED
from engine.data.text import lines_of_list
from engine.errors import DataError

MAX_VERTICES_BYTES = 1 << 26
"""Of a file with a name in each line."""


def read_vertices(path: str | os.PathLike[str], column: str = "") -> tuple[str, ...]:
    """Read a public list of vertices, which says nothing about who is joined with whom."""
    file = Path(path)
    if column:
        # a named column says that the file has names of columns
        table = read_file(file, DETECTED, columns=[column], asks=False)
        first, texts = table.first_row, cells.texts(table.data.column(column)).to_pylist()
    elif _is_graphml(file):
        first, texts = 1, list(read_file(file, DETECTED).vertices)
    else:
        first, texts = 1, lines_of_list(file, "vertices", MAX_VERTICES_BYTES)
    rows: dict[str, int] = {}
    for row, text in enumerate(texts, start=first):
        name = (text or "").strip()
        if name and rows.setdefault(name, row) != row:
            raise DataError(
                f"the vertex of row {rows[name]} stands there again; list each one once",
                source=file.name,
                row=row,
            )
    if not rows:
        raise DataError("there is no name of a vertex in it; write one in each line", source=file.name)
    return tuple(rows)


def _is_graphml(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return looks_like_xml(stream.read(1000).decode("utf-8-sig", errors="replace"))
    except OSError:  # the reader explains it
        return False
