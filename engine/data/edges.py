"""Read lists of edges from tables, and public lists of vertices."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, mask_array, text_array
from engine.data.categories import weight_to_fill
from engine.data.cells import plain_numbers, quote
from engine.data.graph import DISCONNECTED, VERTICES_INFERRED, SimpleGraph, WeightedGraph, duplicate
from engine.data.names import check_known
from engine.data.reading import open_file, read_file
from engine.data.reading_options import DETECTED
from engine.data.table import Table
from engine.data.text import lines_of_list
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.numerals import grouped, short
from engine.shown import ShownInALine


def read_weights(table: Table, name: str, missing: str, fill: float | None) -> tuple[Floats, int]:
    """Return one weight per record, and how many were filled with `fill`.

    Other missing weights are 0 here; their rows are refused or left out later.
    """
    if missing == "fill":
        read = table.numbers(name, missing, weight_to_fill(fill, name))
        weights, filled = read.values, read.filled
    else:
        weights, filled = np.zeros(table.n), 0
        weights[table.complete([name], "drop")] = table.numbers(name, "drop").values
    wrong = weights < 0
    if wrong.any():
        index = int(np.argmax(wrong))
        raise table.error("the weight is negative; it must be at least 0", name, index, short(weights[index]))
    return weights, filled


def number_vertices(
    table: Table, columns: tuple[str, str], present: Bools, declared: Sequence[str] = ()
) -> tuple[tuple[str, ...], Ints]:
    """Number the vertices that two columns name.

    Two cells name the same vertex if their trimmed texts are equal, such as the number 1 and the text "1".
    If one column holds numbers and the other text, a text that spells a number counts as that number: reading
    numbers drops their leading and trailing zeros.
    """
    import pyarrow as pa

    mixed = len({table.column(name).type for name in columns} & {"number", "text"}) == 2
    names, codes = [], []
    for column in columns:
        encoded = _checked(table, column).filter(mask_array(present)).combine_chunks().dictionary_encode()
        try:
            texts = cells.texts(encoded.dictionary)
        except ValueError as error:
            _refuse("its values cannot be read as text", table, column, confidential=str(error))
        codes.append(array_of(encoded.indices))
        _refuse_no_name(texts, codes[-1], table, column, present)
        names.append(cells.without_zeros(texts) if mixed else texts)
    distinct = pa.concat_arrays([*names, text_array(declared, pa.large_string())]).dictionary_encode()
    labels = distinct.dictionary.to_pylist()
    index = array_of(distinct.indices).astype(np.int64)
    return tuple(labels), np.column_stack([index[codes[0]], index[len(names[0]) + codes[1]]])


def _checked(table: Table, name: str) -> Any:
    """Return a column if its type can name vertices."""
    import pyarrow as pa
    from pyarrow import types

    column = table.data.column(name)
    if cells.is_string(column.type):
        # joined chunks of short strings may overflow 32-bit offsets
        return column.cast(pa.large_string())
    if table.column(name).type == "text":
        nested = "lists or objects" if types.is_nested(column.type) else f"{column.type} values"
        what = "bytes" if cells.is_binary(column.type) else nested
        _refuse(f"it holds {what}, which cannot name vertices", table, name)
    return column


def _refuse_no_name(texts: Any, codes: NDArray[Any], table: Table, name: str, present: Bools) -> None:
    """Raise `DataError` at the first cell that is blank or not a valid number."""
    import pyarrow.compute as pc

    wrong = ["", "nan", "inf", "-inf"] if table.column(name).type == "number" else [""]
    result = array_of(pc.is_in(texts, value_set=text_array(wrong, texts.type)))
    if result.any():
        record = int(np.argmax(result[codes]))
        text = texts[int(codes[record])].as_py()
        index = int(np.flatnonzero(present)[record])
        _refuse("the cell is no name of a vertex", table, name, index, text or "a blank")


def _refuse(
    problem: str, table: Table, name: str, index: int | None = None, confidential: str = ""
) -> NoReturn:
    raise table.error(f"{problem}; name the vertices by text or whole numbers", name, index, confidential)


ENDS = (("source", "target"), ("from", "to"), ("u", "v"), ("node1", "node2"), ("src", "dst"), ("a", "b"))
"""Usual column names of the two ends, the clearest first."""
WEIGHTS = ("weight", "w", "cost", "length", "distance")
"""Usual column names of the weights."""


DUPLICATES = {
    "refuse": "Stop and ask",
    "lightest": "Keep the smallest weight",
    "sum": "Add up the weights",
}
"""Treatments of rows that join the same two vertices, with their labels."""
LOOPS = {"refuse": "Stop and ask", "drop": "Leave them out"}
"""Treatments of rows that join a vertex to itself, with their labels."""


class UndecidedEdges(DataError):
    """Rows of a list of edges repeat an edge, or join a vertex to itself, and the treatment is not stated.

    Attributes
    ----------
    option : {"duplicates", "loops"}
        The argument of `read_edges` that states it.
    """

    option: str


@dataclasses.dataclass(frozen=True)
class EdgeColumns:
    """The columns of a table that hold the edges.

    Attributes
    ----------
    source, target : str
        The columns that name the two vertices of an edge; edges have no direction.
    weight : str or None
        The column of weights; None to read no weights.

    See Also
    --------
    read_edges

    Examples
    --------
    >>> EdgeColumns("person", "friend", weight=None)  # a list of friendships has no weights
    EdgeColumns(source='person', target='friend', weight=None)
    """

    source: str = "source"
    target: str = "target"
    weight: str | None = "weight"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class EdgeList(ShownInALine):
    """Edges as `read_edges` returns them, before any bounds are declared."""

    labels: tuple[str, ...]  # Names of the vertices
    ends: Ints  # shape (m, 2); the two vertices of each edge, as indices into `labels`; read-only
    weights: Floats | None  # shape (m,); finite and at least 0; read-only. None if no weights were read.
    rows: Ints  # shape (m,); row of each edge, as `Table` numbers them
    source: str
    # Number of records left out because a value is missing, and of edges whose missing weight was replaced by
    # a public one (private)
    dropped: int
    columns: EdgeColumns
    unit: str = ""
    filled: int = 0
    release_problem: str = ""
    # Numbers of rows that repeat the two vertices of an earlier row, and of rows that join a vertex to itself
    merged: int = 0
    loops: int = 0
    # Whether `labels` are a public list of all vertices; otherwise they come from the edges (private)
    is_listed: bool = False

    def __repr__(self) -> str:
        return f"EdgeList({self.source!r}; vertices and edges are confidential)"

    @property
    def n(self) -> int:
        """Number of vertices that appear in edges (private), or in the list (public)."""
        return len(self.labels)

    @property
    def pieces(self) -> int:
        """Number of connected components."""
        return int(self._piece_of.max()) + 1

    def row_of(self, edge: int) -> int:
        """Return the row of an edge (from 0), as a spreadsheet numbers it."""
        return int(self.rows[edge])

    def listed(self, vertices: Sequence[str]) -> EdgeList:
        """Return the same edges with the vertices of a public list."""
        positions: dict[str, int] = {}
        for position, name in enumerate(vertices):
            if positions.setdefault(name, position) != position:
                raise ParameterError("vertices", "it repeats a vertex; list each once")
        for position, name in enumerate(plain_numbers(vertices)):
            positions.setdefault(name, position)
        index = np.array([positions.get(label, -1) for label in self.labels], dtype=np.int64)
        used = np.sort(index[index >= 0])
        ends = index[self.ends]
        if (used[1:] == used[:-1]).any():
            raise ParameterError(
                "vertices", "two vertices of the file have the same name on the list; list both"
            )
        wrong = ends < 0
        if wrong.any():
            edge, side = divmod(int(np.argmax(wrong)), 2)
            raise DataError(
                "it names a vertex that is not on the public list; add it there if it is public, or leave "
                "the row out",
                source=self.source,
                row=self.row_of(edge),
                column=(self.columns.source, self.columns.target)[side],
            )
        if (index < 0).any():
            raise DataError(
                "the file has a vertex without edges that is not on the public list; add it "
                "there if it is public",
                source=self.source,
            )
        ends.flags.writeable = False
        return dataclasses.replace(self, labels=tuple(vertices), ends=ends, is_listed=True)

    def weighted(self, domain: Interval, edits: Mapping[int, float] | None = None) -> WeightedGraph:
        """Return the graph whose weights are the records."""
        if self.weights is None:
            raise DataError(
                "no column of weights is chosen, and a spanning tree needs one; choose it, "
                "or count triangles instead",
                source=self.source,
            )
        if self.pieces > 1:
            pieces = self._piece_of  # two vertices that are the first of their component
            apart = int(np.argmin(pieces)), int(np.argmax(pieces > pieces.min()))
            first, other = (quote(self.labels[vertex]) for vertex in apart)
            raise DataError(
                DISCONNECTED,
                confidential=f"{grouped(self.pieces)} components; no path joins {first} and {other}",
                source=self.source,
            )
        weights = self.weights
        if edits:
            weights = weights.copy()
            weights[list(edits)] = list(edits.values())
        return WeightedGraph(self.ends, weights, domain, self.n, self.release_problem)

    def simple(
        self, n: int | None = None, resolution: float | None = None, absent: Sequence[int] = ()
    ) -> SimpleGraph:
        """Return the graph whose edges are the records."""
        if n is not None and n < self.n:
            raise ParameterError(
                "vertices",
                f"{grouped(n)} are too few; the file has more",
                confidential=f"the file has {grouped(self.n)}",
            )
        if n is not None and self.is_listed and n != self.n:
            raise ParameterError(
                "vertices", f"{grouped(n)} does not match the list; leave it out to use the list's number"
            )
        kept = np.delete(np.arange(len(self.ends)), list(absent))
        inferred = VERTICES_INFERRED if n is None and not self.is_listed else ""
        vertices = self.n if n is None else n
        return SimpleGraph(self.ends[kept], vertices, resolution, self.release_problem or inferred)

    @cached_property
    def _piece_of(self) -> Ints:
        """Index of the component of each vertex."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        matrix = coo_array((np.ones(len(self.ends)), self.ends.T), shape=(self.n, self.n))
        _, piece = connected_components(matrix, directed=False)
        return np.asarray(piece, dtype=np.int64)


def read_edges(
    table: Table,
    columns: EdgeColumns | None = None,
    missing: str = "refuse",
    fill: float | None = None,
    *,
    vertices: Sequence[str] | None = None,
    duplicates: str = "refuse",
    loops: str = "refuse",
) -> EdgeList:
    """Read the edges of a graph from a table.

    Edges have no direction: rows from a to b and from b to a repeat one edge.  After merging, a row changes
    the weight of at most one edge (or whether two vertices are joined), so a guarantee for one edge also
    holds for one row.  A sum may exceed the public bound of a weight; it is clamped like any weight.

    Parameters
    ----------
    table : Table
    columns : EdgeColumns, optional
        By default source, target and weight.
    missing : {"refuse", "fill", "drop"}
        How to handle a record without a label or a weight; missing labels cannot be filled.
    fill : float, optional
        The weight that replaces a missing one, chosen without looking at the data.
    vertices : sequence of str, optional
        A public list of all vertices: see `EdgeList.listed`.
    duplicates : {"refuse", "lightest", "sum"}
        How to handle rows that join the same two vertices: merge them into one edge with the smallest weight
        or with the sum of their weights.  Without weights both keep one edge.
    loops : {"refuse", "drop"}
        How to handle rows that join a vertex to itself.  The vertices of dropped loops stay.

    Returns
    -------
    EdgeList

    Raises
    ------
    DataError
        For an unknown column, or if a record is a person.  Also at the first row with one of: a label that
        names no vertex, an unlisted vertex, a refused missing value, a refused duplicate or loop, or an
        invalid weight (text, negative, NaN or infinite).
    ParameterError
        If `missing`, `duplicates` or `loops` is an unknown choice, or `fill` is not a number of at least 0
        where one is needed.

    See Also
    --------
    EdgeColumns, SimpleGraph, WeightedGraph

    Examples
    --------
    >>> from engine import load_example
    >>> edges = read_edges(load_example("karate"))
    >>> len(edges.labels), len(edges.ends)
    (34, 78)
    """
    for name, value, choices in (("duplicates", duplicates, DUPLICATES), ("loops", loops, LOOPS)):
        if value not in choices:
            raise ParameterError(name, f"{value!r} is not possible; it is one of {', '.join(choices)}")
    if table.rows_of_person:
        # one row of the file may change the edges of two persons, which no relation of graphs counts
        raise DataError(
            "each row of a graph is an edge, not a person; make each row a record", source=table.source
        )
    columns = columns or EdgeColumns()
    names = [columns.source, columns.target, *([columns.weight] if columns.weight is not None else [])]
    check_known(names, table.data.column_names, table.source)
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        problem = "the column is chosen twice; source, target and weight must be different columns"
        raise table.error(problem, twice)
    weights, filled = None, 0
    if columns.weight is not None:
        weights, filled = read_weights(table, columns.weight, missing, fill)
    present = table.complete(*((names[:2], "refuse") if missing == "fill" else (names, missing)))
    labels, ends = number_vertices(table, (columns.source, columns.target), present, table.vertices)
    rows = table.first_row + np.flatnonzero(present)
    kept = None if weights is None else weights[present]
    dropped = table.n - len(ends)

    def undecided(option: str, problem: str, edge: int) -> UndecidedEdges:
        names = " and ".join(quote(labels[vertex]) for vertex in dict.fromkeys(ends[edge].tolist()))
        error = UndecidedEdges(problem, confidential=names, source=table.source, row=int(rows[edge]))
        error.option = option
        return error

    is_loop = ends[:, 0] == ends[:, 1]
    if is_loop.any():
        if loops == "refuse":
            problem = 'the edge joins a vertex to itself; leave such edges out, or state loops="drop"'
            raise undecided("loops", problem, int(np.argmax(is_loop)))
        ends, rows = ends[~is_loop], rows[~is_loop]
        kept = None if kept is None else kept[~is_loop]
    repeated = duplicate(ends)
    before = len(ends)
    if repeated is not None:
        if duplicates == "refuse":
            first, second = repeated
            how = 'duplicates="lightest"' + ("" if kept is None else ' or duplicates="sum"')
            problem = (
                f"it repeats the edge of row {rows[first]}, in the same or the other direction; state {how}"
            )
            raise undecided("duplicates", problem, second)
        firsts, kept = _merge(ends, kept, duplicates)
        ends, rows = ends[firsts], rows[firsts]
    for array in (ends, rows, kept):
        if array is not None:
            array.flags.writeable = False
    edges = EdgeList(
        labels,
        ends,
        kept,
        rows,
        table.source,
        dropped,
        columns,
        unit="" if columns.weight is None else table.column(columns.weight).unit,
        filled=filled,
        release_problem=table.release_problem,
        merged=before - len(ends),
        loops=int(np.count_nonzero(is_loop)),
    )
    return edges if vertices is None else edges.listed(vertices)


def _merge(ends: Ints, weights: Floats | None, duplicates: str) -> tuple[Ints, Floats | None]:
    """Return the first row of each edge, in the order of the file, and the merged weights."""
    low, high = ends.min(axis=1), ends.max(axis=1)
    _, firsts, edge = np.unique(low * (high.max() + 1) + high, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rows: Ints = firsts[order].astype(np.int64)
    if weights is None:
        return rows, None
    if duplicates == "sum":
        merged = np.bincount(edge, weights).astype(np.float64)
    else:
        merged = np.full(len(firsts), np.inf)
        np.minimum.at(merged, edge, weights)
    return rows, merged[order]


def guess_columns(table: Table) -> EdgeColumns | None:
    """Guess by their names which columns hold the edges; None if no names match."""
    called = {column.name.lower(): column.name for column in reversed(table.columns)}
    for source, target in ENDS:
        if source in called and target in called:
            weight = next((called[name] for name in WEIGHTS if name in called), None)
            return EdgeColumns(called[source], called[target], weight)
    return None


def unnamed_columns(table: Table) -> EdgeColumns | None:
    """Return the first columns of a file without a header: two ends, and perhaps a weight; else None."""
    names = [column.name for column in table.columns]
    if names[:2] != ["column 1", "column 2"]:
        return None
    return EdgeColumns("column 1", "column 2", "column 3" if "column 3" in names else None)


MAX_VERTICES_BYTES = 1 << 26
"""Size limit of a file with one vertex per line."""


def read_vertices(path: str | os.PathLike[str], column: str = "") -> tuple[str, ...]:
    """Read a public list of vertices; it reveals nothing about the edges."""
    file = Path(path)
    if column:
        # a named column implies a header
        table = read_file(file, DETECTED, columns=[column], asks=False)
        first, texts = table.first_row, cells.texts(table.data.column(column)).to_pylist()
    elif _is_graph(file):
        first, texts = 1, list(read_file(file, DETECTED).vertices)
    else:
        first, texts = 1, lines_of_list(file, "vertices", MAX_VERTICES_BYTES)
    rows: dict[str, int] = {}
    for row, text in enumerate(texts, start=first):
        name = (text or "").strip()
        if name and rows.setdefault(name, row) != row:
            raise DataError(
                f"it repeats the vertex of row {rows[name]}; list each vertex once",
                source=file.name,
                row=row,
            )
    if not rows:
        raise DataError("it contains no vertices; write one name in each line", source=file.name)
    return tuple(rows)


def _is_graph(file: Path) -> bool:
    try:
        _, file_format = open_file(file)
    except DataError:  # the reader explains the error
        return False
    return file_format is not None and file_format.of_graphs
