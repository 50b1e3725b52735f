"""Make tables of the edges that graph files hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.data import cells
from engine.data.formats.file_format import DataFile
from engine.data.formats.graphml import ENDS, check_nodes
from engine.data.formats.values import column_of
from engine.data.names import check_known, problem_of_names, tidy_name
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.free_memory import lack_of_memory
from engine.progress import Progress

OBJECT_SIZE = 12
"""Size of Python objects in memory, as a multiple of the size of their text."""

MAX_VERTICES = 10_000_000
"""Largest number of vertices that a file may declare without listing them."""


def text_of(file: DataFile, progress: Progress) -> str:
    """Return a whole file as text; `DataError` if it does not fit into memory."""
    lack = lack_of_memory(OBJECT_SIZE * file.path.stat().st_size)
    if lack:
        raise file.error(f"{lack}; write the edges as CSV instead")
    try:
        return b"".join(file.text.blocks(progress)).decode()
    except UnicodeDecodeError:
        raise file.error(cells.NOT_UTF_8) from None


def column_names(names: Sequence[str], count: int) -> list[str]:
    """Return so many names; columns beyond `names` are numbered."""
    return [*names[:count], *(f"column {number}" for number in range(len(names) + 1, count + 1))]


def numbered(file: DataFile, count: int) -> tuple[str, ...]:
    """Return the vertices 1 to `count`, which a file declares."""
    if not 0 <= count <= MAX_VERTICES:
        raise file.error(f"it declares too many vertices; at most {MAX_VERTICES:,} are possible")
    return tuple(map(str, range(1, count + 1)))


def labelled(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the names of vertices by identifier: the labels if all differ, else the identifiers."""
    texts = {identifier: label.strip() for identifier, label in labels.items()}
    differ = all(texts.values()) and len(set(texts.values())) == len(texts)
    return texts if differ else {identifier: identifier for identifier in labels}


def edge_table(
    file: DataFile,
    name: str,
    title: str,
    ends: tuple[Sequence[str], Sequence[str]],
    data: Sequence[Mapping[str, Any]] | Mapping[str, Any] = (),
    *,
    nodes: Sequence[str] | Mapping[str, str] = (),
    columns: Sequence[str] | None = None,
    declared: Iterable[str] = (),
    problem: str = "",
) -> Table:
    """Return the edges of a file in the format `name`.

    `data` holds the data of each edge by name, or whole columns.  `nodes` are all vertices, or their names by
    the identifiers that `ends` use; without them, the vertices are those of the edges.  The file declares the
    names of `declared` data.  `problem` is the release problem.
    """
    import pyarrow as pa

    if not len(ends[0]):
        raise file.error("there are no edges; at least one is needed")
    names = nodes if isinstance(nodes, Mapping) else {node: node for node in nodes}
    results: dict[str, Any] = {}
    for side, texts in zip(ENDS, ends, strict=True):
        if names:
            check_nodes(file, side, texts, names)
        results[side] = pa.array([names.get(text, text) for text in texts], pa.string())
    if isinstance(data, Mapping):
        results |= data
    else:
        problem = problem or problem_of_names((key for one in data for key in one), len(data), declared)
        keys = dict.fromkeys((*(key for described in data for key in described), *declared))
        for key in (key for key in keys if key not in ENDS):
            name = tidy_name(str(key)) or "data"
            missing = file.options.missing.texts(name)
            results[name] = numbers_or_same(column_of([described.get(key) for described in data]), missing)
    check_known(columns or [], list(results), file.name)
    return Table(
        file.name,
        pa.table({one: results[one] for one in columns or results}),
        format=f"{title}, {file.text.encoding.upper()}",
        vertices=tuple(names.values()),
        reading=FoundReading(name, {"encoding": file.text.encoding}),
        release_problem=problem,
    )


def numbers_or_same(column: Any, missing: Sequence[str]) -> Any:
    """Return a column of texts as numbers if all that are not missing spell one; else the same column."""
    import pyarrow as pa

    if not pa.types.is_string(column.type):
        return column
    spelled = cells.spelled_numbers(column, missing)
    for wanted in (pa.int64(), pa.float64()):
        try:
            return spelled.cast(wanted)
        except pa.ArrowInvalid:
            continue
    return column
