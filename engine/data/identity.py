"""Identify data by a digest of the file's bytes, or of the table in canonical form."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Ints
from engine.data import large_files
from engine.data.arrays import array_of, fill_null
from engine.data.formats.columnar import names_and_rows
from engine.data.formats.file_format import StaysInFile
from engine.data.large_files import stored_format
from engine.data.names import tidy_name
from engine.data.reading import is_columnar, read_file, read_table
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.data.sketch import (
    FACTOR,
    STRETCH,
    CanonicalColumn,
    SketchMaker,
    TableSketch,
    Words,
    canonical,
    stir,
)
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress, part, silent

PIECE = 1 << 20
"""Bytes between two progress reports."""


def digest_of(path: str | os.PathLike[str], *, progress: Progress = silent) -> str:
    """Return ``sha256:`` and the SHA-256 of a file's bytes in hexadecimal digits (private).

    Parameters
    ----------
    path : path-like
    progress : Progress

    Returns
    -------
    str

    Raises
    ------
    DataError
        If the file cannot be read.

    See Also
    --------
    Ledger, example_digest

    Examples
    --------
    The digest of an empty file:

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "empty")
    ...     file.touch()
    ...     digest_of(file)[:23]
    'sha256:e3b0c44298fc1c14'
    """
    file = Path(path)
    digest, done = hashlib.sha256(), 0
    try:
        with file.open("rb") as stream:
            size = max(1, os.fstat(stream.fileno()).st_size)
            while piece := stream.read(PIECE):
                digest.update(piece)
                done += len(piece)
                progress(min(1.0, done / size), "recognizing the file")
    except OSError as error:
        raise DataError(
            f"it cannot be read: {error.strerror or error}; choose another file", source=str(file)
        ) from None
    return f"sha256:{digest.hexdigest()}"


def example_digest(name: str) -> str:
    """Return the identifier of a bundled example, used like a digest: its name.

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    See Also
    --------
    load_example, digest_of

    Examples
    --------
    >>> example_digest("salaries")
    'example:salaries'
    """
    return f"example:{name}"


class ColumnsApart:
    """The columns of a Parquet or Feather file, each read on access and not cached."""

    vertices: tuple[str, ...] = ()

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._before = self._stamp()
        self.names, self.n = names_and_rows(self._path)

    def column(self, name: str, progress: Progress) -> Any:
        """Read a column as an Arrow column; `DataError` if the file has changed."""
        result = read_table(self._path, progress=progress, columns=[name]).data.column(name)
        self.check()
        return result

    def check(self) -> None:
        """Raise `DataError` if the file has changed since this object was made."""
        if self._stamp() != self._before:
            raise DataError("it was changed while it was read; read it again", source=self._path.name)

    def _stamp(self) -> tuple[int, ...]:
        try:
            stat = self._path.stat()
        except OSError as error:
            raise DataError(
                f"it cannot be read: {error.strerror or error}; choose another file", source=str(self._path)
            ) from None
        return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns


PIECE_ROWS = 1 << 18
"""Rows between two progress reports."""

SMALL = 1 << 24
"""Largest number of cells of a table whose columns stay in memory between the two passes."""

MAX_SORTED = 1 << 22
"""Most numbers that are sorted between two progress reports."""

MISSING = np.uint64(2**64 - 1)
"""Encoded length of a missing text."""


def table_digest(table: Table | ColumnsApart, *, progress: Progress = silent) -> str:
    """Return ``table:`` and a SHA-256 that identifies a table (private).

    The order of rows and columns, file formats, types and number formats do not matter; see
    `engine.data.sketch`.

    The hash covers an injective encoding of the canonical table: names and kinds of the columns, then the
    cells, with rows in an order that depends only on their content.  Two different tables with one digest
    would therefore be a collision of SHA-256.

    Rows are sorted by a quick 64-bit hash.  The digest does not depend on its quality: rows with equal quick
    hashes are identical, or are sorted by all of their cells.  Time is O(n log n) for the sort and O(n)
    otherwise.  Memory is three numbers for each row beside one column, or all of a small table.
    """
    return table_identity(table, progress=progress)[0]


def table_identity(
    table: Table | ColumnsApart, *, progress: Progress = silent
) -> tuple[str, TableSketch | None]:
    """Return `table_digest` and a sketch to find similar tables; None for too few rows."""
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
        names = {name: tidy_name(name) for name in columns}
        if len(set(names.values())) < len(names):
            names = dict(zip(names, names, strict=True))
        self._names = names
        self._order = sorted(names, key=names.__getitem__)
        self.sketch: TableSketch | None = None

    def digest(self) -> str:
        spread, kinds = self._spread()
        rows, tied = _in_order(spread, self._report)
        head = json.dumps([self._table.n, kinds, sorted(self._table.vertices)]).encode()
        digest, alike = self._hashed(head, rows, tied)
        if tied is not None and not alike:  # different rows with the same quick hash
            digest, _ = self._hashed(head, self._exact(rows, spread, tied), None)
        return f"table:{digest}"

    def _report(self, fraction: float = 0.0, message: str = "") -> None:
        self._progress(self._done, "recognizing the data")

    def _cells(self, name: str) -> Any:
        if isinstance(self._table, ColumnsApart):
            return self._table.column(name, self._report)
        return self._table.data.column(name)

    def _columns(self, start: float, stop: float) -> Iterator[tuple[str, CanonicalColumn]]:
        """Yield the columns by name, one at a time, since each may be as large as the data."""
        for index, name in enumerate(self._order):
            self._done = start + (stop - start) * index / len(self._order)
            self._report()
            column = self._kept.get(name) or canonical(self._cells(name))
            if self._small:
                self._kept[name] = column
            yield self._names[name], column

    def _spread(self) -> tuple[Words, list[list[Any]]]:
        """Return a quick hash of each row, and the header to hash for each column."""
        spread, kinds = np.zeros(self._table.n, np.uint64), []
        sketch = SketchMaker(self._table.n)
        for name, column in self._columns(0.0, 0.3):
            kinds.append([name, column.kind, len(column.codes), column.texts is not None])
            for start in range(0, self._table.n, STRETCH):
                self._report()
                here = slice(start, start + STRETCH)
                codes = [each[here] for each in column.codes]
                if column.texts is not None:
                    codes.append(_text_hashes(column.texts[here]))
                for each in codes:
                    _mix(spread[here], each)
                sketch.add(start, column, codes)
            sketch.end_column(column)
        self.sketch = sketch.made()
        return spread, kinds

    def _hashed(self, head: bytes, rows: Ints, tied: Bools | None) -> tuple[str, bool]:
        """Return the digest of the rows in this order, and whether all `tied` rows equal the next."""
        digest = hashlib.sha256(len(head).to_bytes(8, "little") + head)
        alike = True
        for _, column in self._columns(0.4, 1.0):
            for start in range(0, len(rows), PIECE_ROWS):
                self._report()
                before = max(start - 1, 0)  # last row of the previous batch, for the comparison
                here = rows[before : start + PIECE_ROWS]
                for result in _taken(column, here):
                    if tied is not None and alike:
                        differs = ~_same(result[1:], result[:-1])
                        alike = not (differs & tied[before : before + len(differs)]).any()
                    for content in _bytes(result[start - before :]):
                        digest.update(content)
        return digest.hexdigest(), alike

    def _exact(self, rows: Ints, hashes: Words, tied: Bools) -> Ints:
        """Return the row order with tied rows sorted by all of their cells."""
        places = np.flatnonzero(tied | np.append(False, tied[:-1]))
        among = rows[places]
        keys = [hashes[among]]
        for _, column in self._columns(0.3, 0.4):
            keys += [_ranks(result) for result in _taken(column, among)]
        exact = rows.copy()
        exact[places] = among[np.lexsort(keys[::-1])]
        return exact


def _mix(spread: Words, codes: Words) -> None:
    """Mix one word of each row into its hash."""
    spread ^= codes
    stir(spread)


def _in_order(hashes: Words, report: Progress) -> tuple[Ints, Bools | None]:
    """Return the order of the hashes, and which ones equal the next; None if all differ.

    Sorts numbers that consist of the first bits of a hash and the bits of its row.  That takes a third of the
    time and memory of `numpy.argsort`.  The few hashes whose first bits alone are equal are sorted once more.
    """
    n = len(hashes)
    row_bits = np.uint64((1 << n.bit_length()) - 1)
    keys = hashes & ~row_bits
    for start in range(0, n, PIECE_ROWS):
        report(0.0)
        some = keys[start : start + PIECE_ROWS]
        some |= np.arange(start, start + len(some), dtype=np.uint64)
    _sort(keys, report)
    alike, wrong = np.zeros(n, dtype=bool), []
    for start in range(0, n, PIECE_ROWS):
        report(0.0)
        ordered = hashes[(keys[start : start + PIECE_ROWS + 1] & row_bits).view(np.int64)]
        alike[start : start + len(ordered) - 1] = ordered[1:] == ordered[:-1]
        wrong += (start + np.flatnonzero(ordered[1:] < ordered[:-1])).tolist()
    stop = 0
    for position in wrong:
        if position >= stop:
            report(0.0)
            start, stop = np.searchsorted(
                keys, [keys[position] & ~row_bits, keys[position] | row_bits]
            ).tolist()
            ordered = hashes[(keys[start:stop] & row_bits).view(np.int64)]
            order = np.argsort(ordered)
            keys[start:stop], ordered = keys[start:stop][order], ordered[order]
            alike[start : stop - 1] = ordered[1:] == ordered[:-1]
    keys &= row_bits
    return keys.view(np.int64), alike if alike.any() else None


def _sort(keys: Words, report: Progress) -> None:
    """Sort different numbers in place, in parts, so that it can be cancelled."""
    report(0.0)
    if len(keys) <= MAX_SORTED:
        keys.sort()
        return
    middle = len(keys) // 2
    keys.partition(middle)
    _sort(keys[:middle], report)
    _sort(keys[middle:], report)


def _text_hashes(texts: Any) -> Words:
    """Return a polynomial hash of each text, 0 if missing; a predictable hash only costs time here."""
    from pyarrow import types

    if types.is_dictionary(texts.type):
        different = np.append(_text_hashes(texts.dictionary), np.uint64(0))
        coded: Words = different[array_of(fill_null(texts.indices, -1))]
        return coded
    offsets, data = _buffers(fill_null(texts, ""))
    lengths = np.diff(offsets)
    powers = np.full(max(int(lengths.max(initial=0)), 1), FACTOR)
    np.multiply.accumulate(powers, out=powers)
    places = np.arange(len(data)) - np.repeat(offsets[:-1], lengths)
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum((data + np.uint64(1)) * powers[places], out=sums[1:])
    hashes: Words = sums[offsets[1:]] - sums[offsets[:-1]]
    return hashes


def _buffers(texts: Any) -> tuple[Ints, NDArray[np.uint8]]:
    """Return the offsets of the texts in a buffer, and the buffer."""
    _, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    content = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    return places - places[0], content[places[0] : places[-1]]


def _taken(column: CanonicalColumn, rows: Ints) -> list[Any]:
    """Return the content of some rows, in their order."""
    import pyarrow as pa

    results: list[Any] = [codes[rows] for codes in column.codes]
    if column.texts is not None:
        results.append(column.texts.take(pa.array(rows)).cast(pa.large_string()))
    return results


def _same(some: Any, others: Any) -> Bools:
    """Compare element by element."""
    if isinstance(some, np.ndarray):
        equal_words: Bools = some == others
        return equal_words
    import pyarrow.compute as pc

    equal = fill_null(pc.equal(some, others), False)
    both = pc.and_(some.is_null(), others.is_null())
    result: Bools = array_of(pc.or_(equal, both))
    return result


def _bytes(cells: Any) -> Iterator[Any]:
    """Yield the bytes to hash for some rows; for text its lengths, then the text."""
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
    """Return numbers that sort like the cells."""
    if isinstance(cells, np.ndarray):
        return cells
    import pyarrow.compute as pc

    coded = cells.dictionary_encode()
    ranks = np.empty(len(coded.dictionary) + 1, np.uint64)
    ranks[array_of(pc.sort_indices(coded.dictionary))] = np.arange(1, len(ranks), dtype=np.uint64)
    ranks[-1] = 0  # missing
    places: Words = ranks[array_of(fill_null(coded.indices, -1))]
    return places


@dataclasses.dataclass(frozen=True, eq=False)
class FileIdentity:
    """Identifies the data of a file (private): `table_digest` of the table, `digest_of` the bytes (`former`).

    `sketch` finds similar data; it is None for too few distinct rows.  `others` lists the `table_digest` of
    each further database table that a query names.
    """

    digest: str = dataclasses.field(repr=False)
    former: str = dataclasses.field(repr=False)
    sketch: TableSketch | None = dataclasses.field(default=None, repr=False)
    others: tuple[str, ...] = dataclasses.field(default=(), repr=False)


def file_identity(
    table: Table | ColumnsApart | StaysInFile,
    path: str | os.PathLike[str],
    *,
    progress: Progress = silent,
    reading: ReadingOptions = DETECTED,
) -> FileIdentity:
    """Return the identity of the data read from a file."""
    stated = isinstance(table, Table) and (
        reading != DETECTED or table.reading.as_edges or bool(_table_behind(table))
    )
    others: tuple[str, ...] = ()
    if stated and isinstance(table, Table):
        try:
            options, *more = _places_of(table, reading)
            others = tuple(_digest_at(path, other, progress=part(progress, 0.0, 0.2)) for other in more)
            table = read_file(path, options, progress=part(progress, 0.2 * bool(more), 0.4), asks=False)
        except DataError:
            same = digest_of(path, progress=part(progress, 0.4, 1.0))
            return FileIdentity(same, same)
    if not isinstance(table, Table | ColumnsApart) or (isinstance(table, Table) and _is_large(table, path)):
        same = digest_of(path, progress=part(progress, 0.4 * stated, 1.0))
        return FileIdentity(same, same)
    # bytes last: only entries of older versions depend on their digest
    digest, sketch = table_identity(table, progress=part(progress, 0.4 * stated, 0.8))
    return FileIdentity(digest, digest_of(path, progress=part(progress, 0.8, 1.0)), sketch, others)


def _is_large(table: Table, path: str | os.PathLike[str]) -> bool:
    """Tell whether a file is so large that single columns are read from it in place."""
    if table.n <= large_files.LARGE or is_columnar(path):
        return False
    return stored_format(path) is not None


def _digest_at(path: str | os.PathLike[str], options: ReadingOptions, *, progress: Progress) -> str:
    table = read_file(path, options, progress=part(progress, 0.0, 0.5), asks=False)
    if _is_large(table, path):
        raise DataError("a large file has only the digest of its bytes", source=table.source)
    return table_digest(table, progress=part(progress, 0.5, 1.0))


def _places_of(table: Table, reading: ReadingOptions) -> list[ReadingOptions]:
    """Return options that read each table involved: the sheet or table, or all tables of a query."""
    if not reading.sql:
        read = ReadingOptions(sheet=reading.sheet, table=reading.table, connect=reading.connect)
        behind = _table_behind(table)
        # the stored table first: its view is no separate dataset, but an older ledger may hold it as one
        return [*([ReadingOptions(table=behind, connect=reading.connect)] if behind else []), read]
    named = [name for name in table.reading.offered.get("table", ()) if _names(reading.sql, name)]
    stored = table.reading.stored_table
    ordered = dict.fromkeys([*([stored] if stored else []), *named] or [""])
    return [ReadingOptions(table=name, connect=reading.connect) for name in ordered]


def _table_behind(table: Table) -> str:
    """Return the stored table behind a view; "" for a table itself, or a query."""
    read, stored = table.reading.values.get("table", ""), table.reading.stored_table
    return stored if read and stored != read else ""


def _names(query: str, table: str) -> bool:
    """Tell whether a query names a table, as a whole word or in quotes."""
    spelled = {table.casefold(), table.casefold().replace('"', '""')}
    return any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", query.casefold()) for each in spelled)
