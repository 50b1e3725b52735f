"""Which data a table holds, whatever file it came from: a digest of its canonical form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Ints
from engine.data.arrays import array_of, fill_null
from engine.data.canonical import CanonicalColumn, Words, canonical
from engine.data.columns_apart import ColumnsApart
from engine.data.names import tidied
from engine.data.sketch import FACTOR, SketchMaker, TableSketch, stir
from engine.data.table import Table
from engine.progress import Progress, silent

PIECE = 1 << 18
"""Rows between two reports."""

STRETCH = 1 << 15
"""Rows that are hashed at a time, so that what is at work fits into the processor's cache."""

SMALL = 1 << 22
"""Cells of a table whose columns are all kept, for the second look at them."""

MISSING = np.uint64(2**64 - 1)
"""The length of a text that is missing."""


def table_digest(table: Table | ColumnsApart, progress: Progress = silent) -> str:
    """Return ``table:`` and a SHA-256 that tells a table from all others (private).

    Neither the order of rows and columns nor the format, the types and the spelling of a file matter; see
    `engine.data.canonical`.

    What is hashed is an injective encoding of the canonical table: names and kinds of the columns, then
    their cells, the rows in an order that depends on nothing but their own content.  So whoever finds two
    different tables with one digest has found a collision of SHA-256.  Rows are sorted by 64 bits of a
    quick hash, which has no part in that: rows on which it agrees, by chance or by design, are the same
    row, or are sorted among each other by all of their cells.  It takes O(n log n) for the sort and
    O(n) for all else; two arrays beside one column are in memory (beside all of a small table).
    """
    return table_identity(table, progress)[0]


def table_identity(
    table: Table | ColumnsApart, progress: Progress = silent
) -> tuple[str, TableSketch | None]:
    """Return `table_digest`, and by what tables that are only similar are found; None of too few rows."""
    made = _Digest(table, progress)
    return made.digest(), made.sketch


class _Digest:
    def __init__(self, table: Table | ColumnsApart, progress: Progress) -> None:
        self._table = table
        self._progress = progress
        self._done = 0.0
        columns = table.names if isinstance(table, ColumnsApart) else table.data.column_names
        self._small = table.n * len(columns) <= SMALL
        self._kept: dict[str, CanonicalColumn] = {}
        names = {name: tidied(name) for name in columns}
        if len(set(names.values())) < len(names):
            names = dict(zip(names, names, strict=True))
        self._names = names
        self._order = sorted(names, key=names.__getitem__)
        self.sketch: TableSketch | None = None

    def digest(self) -> str:
        spread, kinds = self._spread()
        rows = _in_order(spread, self._report)
        ordered = spread[rows]
        tied = ordered[1:] == ordered[:-1]
        del spread
        head = json.dumps([self._table.n, kinds, sorted(self._table.vertices)]).encode()
        digest, alike = self._hashed(head, rows, tied if tied.any() else None)
        if not alike:  # rows that differ, with one quick hash
            digest, _ = self._hashed(head, self._exact(rows, ordered, tied), None)
        return f"table:{digest}"

    def _report(self, fraction: float = 0.0, message: str = "") -> None:
        self._progress(self._done, "recognising the data")

    def _cells(self, name: str) -> Any:
        if isinstance(self._table, ColumnsApart):
            return self._table.column(name, self._report)
        return self._table.data.column(name)

    def _columns(self, start: float, stop: float) -> Iterator[tuple[str, CanonicalColumn]]:
        """Return the columns by their names, one at a time, since each is as large as the data."""
        for index, name in enumerate(self._order):
            self._done = start + (stop - start) * index / len(self._order)
            self._report()
            column = self._kept.get(name) or canonical(self._cells(name))
            if self._small:
                self._kept[name] = column
            yield self._names[name], column

    def _spread(self) -> tuple[Words, list[list[Any]]]:
        """Return a quick hash of each row, and what is to be said of each column."""
        spread, kinds = np.zeros(self._table.n, np.uint64), []
        sketch = SketchMaker(self._table.n)
        for name, column in self._columns(0.0, 0.3):
            kinds.append([name, column.kind, len(column.codes), column.texts is not None])
            for start in range(0, self._table.n, STRETCH):
                self._report()
                here = slice(start, start + STRETCH)
                codes = [each[here] for each in column.codes]
                if column.texts is not None:
                    codes.append(_text_hashes(fill_null(column.texts[here], "")))
                for each in codes:
                    _mix(spread[here], each)
                sketch.add(start, column, codes)
            sketch.end_column(column)
        self.sketch = sketch.made()
        return spread, kinds

    def _hashed(self, head: bytes, rows: Ints, tied: Any) -> tuple[str, bool]:
        """Return the digest of the rows in this order, and whether those that are `tied` are the same."""
        digest = hashlib.sha256(len(head).to_bytes(8, "little") + head)
        alike = True
        for _, column in self._columns(0.4, 1.0):
            for start in range(0, len(rows), PIECE):
                self._report()
                before = max(start - 1, 0)  # the last row of the piece before, to be compared
                here = rows[before : start + PIECE]
                for result in _taken(column, here):
                    if tied is not None and alike:
                        differs = ~_same(result[1:], result[:-1])
                        alike = not (differs & tied[before : before + len(differs)]).any()
                    for content in _bytes(result[start - before :]):
                        digest.update(content)
        return digest.hexdigest(), alike

    def _exact(self, rows: Ints, ordered: Words, tied: Bools) -> Ints:
        """Return the rows with those that are tied sorted by all of their cells."""
        places = np.flatnonzero(np.append(tied, False) | np.append(False, tied))
        among, keys = rows[places], [ordered[places]]
        for _, column in self._columns(0.3, 0.4):
            keys += [_ranks(result) for result in _taken(column, among)]
        exact = rows.copy()
        exact[places] = among[np.lexsort(keys[::-1])]
        return exact


def _mix(spread: Words, codes: Words) -> None:
    """Stir one word of each row into its hash."""
    spread ^= codes
    stir(spread)


def _in_order(hashes: Words, report: Progress) -> Ints:
    """Return the rows in the order of their hashes: by the first byte, and then each part by itself.

    Parts fit into the processor's cache, so that this takes half the time of one sort, and can be cancelled.
    """
    first = (hashes >> np.uint64(56)).astype(np.uint8)
    report(0.0)
    rows = np.argsort(first, kind="stable")
    start = 0
    for count in np.bincount(first):
        report(0.0)
        some = rows[start : start + count]
        some[:] = some[np.argsort(hashes[some])]
        start += count
    return rows


def _text_hashes(texts: Any) -> Words:
    """Return a polynomial of the bytes of each text; that it can be predicted costs time and nothing else."""
    offsets, data = _buffers(texts)
    lengths = np.diff(offsets)
    powers = np.full(max(int(lengths.max(initial=0)), 1), FACTOR)
    np.multiply.accumulate(powers, out=powers)
    places = np.arange(len(data)) - np.repeat(offsets[:-1], lengths)
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum((data + np.uint64(1)) * powers[places], out=sums[1:])
    hashes: Words = sums[offsets[1:]] - sums[offsets[:-1]]
    return hashes


def _buffers(texts: Any) -> tuple[Ints, NDArray[np.uint8]]:
    """Return where each text begins, and where the last one ends; and the bytes of all."""
    _, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    content = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    return places - places[0], content[places[0] : places[-1]]


def _taken(column: CanonicalColumn, rows: Ints) -> list[Any]:
    """Return all there is of some rows, in their order."""
    import pyarrow as pa

    results: list[Any] = [codes[rows] for codes in column.codes]
    return results if column.texts is None else [*results, column.texts.take(pa.array(rows))]


def _same(some: Any, others: Any) -> Bools:
    """Tell which are equal, place by place."""
    if isinstance(some, np.ndarray):
        equal_words: Bools = some == others
        return equal_words
    import pyarrow.compute as pc

    equal = fill_null(pc.equal(some, others), False)
    both = pc.and_(some.is_null(), others.is_null())
    result: Bools = array_of(pc.or_(equal, both))
    return result


def _bytes(cells: Any) -> Iterator[Any]:
    """Return what is hashed of some rows; of text the lengths, and then the text."""
    if isinstance(cells, np.ndarray):
        yield np.ascontiguousarray(cells, "<u8")
        return
    filled = fill_null(cells, "")
    offsets, data = _buffers(filled)
    lengths = np.diff(offsets).astype("<u8")
    lengths[array_of(cells.is_null())] = MISSING
    yield lengths
    yield data


def _ranks(cells: Any) -> Words:
    """Return numbers in the order of the cells."""
    if isinstance(cells, np.ndarray):
        return cells
    import pyarrow.compute as pc

    coded = cells.dictionary_encode()
    ranks = np.empty(len(coded.dictionary) + 1, np.uint64)
    ranks[array_of(pc.sort_indices(coded.dictionary))] = np.arange(1, len(ranks), dtype=np.uint64)
    ranks[-1] = 0  # missing
    places: Words = ranks[array_of(fill_null(coded.indices, -1))]
    return places
