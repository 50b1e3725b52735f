"""A column of numbers in a file, in pieces that can be read one at a time."""

from __future__ import annotations

import dataclasses
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.data import cells
from engine.data.formats.columnar import MAGIC, keeps_columns_apart, refusing_damage
from engine.data.names import check_known, check_names
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress

FoundT = TypeVar("FoundT")

READERS = max(1, min(2, os.cpu_count() or 1))
"""Threads that read; more of them wait for the disk and for memory."""


@dataclasses.dataclass(frozen=True)
class StoredPiece:
    """Consecutive records of a column.

    Attributes
    ----------
    first : int
        Place of the first record, from 0.
    records : int
    missing : int or None
        How many of them have no value, where the file says it.
    lower, upper : float
        What the values are not below and not above, where the file says it; else infinite.
    """

    first: int
    records: int
    missing: int | None = None
    lower: float = -np.inf
    upper: float = np.inf

    @property
    def present(self) -> int:
        """How many records have a value, where the file says it; else how many there are."""
        return self.records - (self.missing or 0)


@dataclasses.dataclass(frozen=True)
class StoredColumn:
    """A column of numbers in a Parquet or Feather file.

    Attributes
    ----------
    path : Path
    name : str
    pieces : tuple of StoredPiece
        All records, in their order.
    load : callable
        Returns the values of the piece at a place, as an Arrow array; may be called in any thread.
    """

    path: Path
    name: str
    pieces: tuple[StoredPiece, ...]
    load: Callable[[int], Any] = dataclasses.field(repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[..., StoredColumn], tuple[Path, str]]:
        """Arrive in another process as the same column of the same file."""
        return stored_column, (self.path, self.name)

    @property
    def source(self) -> str:
        """What messages call the file."""
        return self.path.name

    @property
    def records(self) -> int:
        """How many records there are, those without a value included."""
        return sum(piece.records for piece in self.pieces)

    @property
    def missing(self) -> int:
        """How many records have no value (private); counted where the file does not say it."""
        return sum(
            int(self.load(place).null_count) if piece.missing is None else piece.missing
            for place, piece in enumerate(self.pieces)
        )

    def values(self, place: int) -> NDArray[np.float64]:
        """Return the values of a piece, without missing ones; `DataError` for one that is not finite."""
        import pyarrow as pa

        with refusing_damage(self.source):
            cells_here = self.load(place).cast(pa.float64(), safe=False)
        found: NDArray[np.float64] = cells_here.drop_null().to_numpy()
        with np.errstate(over="ignore", invalid="ignore"):
            finite = bool(np.isfinite(found.sum())) or bool(np.isfinite(found).all())
        if not finite:
            whole = cells_here.to_numpy(zero_copy_only=False)
            index = int(np.argmax(~np.isfinite(whole) & cells_here.is_valid().to_numpy(zero_copy_only=False)))
            value = float(whole[index])
            what = "NaN is not a value" if np.isnan(value) else f"{value} is not a finite number"
            raise DataError(
                f"{what}; write a finite number, or leave the cell empty to count it as missing",
                source=self.source,
                row=self.pieces[place].first + index + 1,
                column=self.name,
            )
        return found

    def check(self, values: NDArray[np.float64], place: int) -> None:
        """Raise `DataError` if the file says other things of a piece than there are in it."""
        piece = self.pieces[place]
        told = piece.missing is None or values.size == piece.present
        if not told or (values.size and not (piece.lower <= values.min() and values.max() <= piece.upper)):
            raise DataError(
                f"what it says of its records from {piece.first + 1:,} on is not true; write the file again",
                source=self.source,
                column=self.name,
            )

    def over(
        self,
        places: Sequence[int],
        examine: Callable[[NDArray[np.float64], int], FoundT],
        progress: Progress,
        message: str,
    ) -> Iterator[FoundT]:
        """Yield what `examine` finds in pieces, in their order; they are read by several threads."""
        with ThreadPoolExecutor(READERS) as pool:
            waiting: deque[Future[FoundT]] = deque()
            left = iter(places)
            done = 0
            try:
                for place in left:
                    waiting.append(pool.submit(lambda place: examine(self.values(place), place), place))
                    if len(waiting) > READERS:
                        yield waiting.popleft().result()
                        done += 1
                        progress(done / len(places), message)
                while waiting:
                    yield waiting.popleft().result()
                    done += 1
                    progress(done / len(places), message)
            finally:
                for future in waiting:
                    future.cancel()


def stored_column(path: str | os.PathLike[str], name: str) -> StoredColumn:
    """Return a column of a Parquet or Feather file without reading it.

    Raises
    ------
    DataError
        If the file is damaged, there is no such column, or it holds no numbers.
    """
    file = Path(path)
    with file.open("rb") as stream:
        head = stream.read(8)
    if not keeps_columns_apart(head):
        raise DataError("its columns are not kept apart; write it as Parquet", source=file.name)
    parquet = head.startswith(MAGIC["parquet"])
    with refusing_damage(file.name):
        return _parquet_column(file, name) if parquet else _feather_column(file, name)


def first_record(path: str | os.PathLike[str]) -> Table:
    """Return a table of the first record alone, which has the columns of the file.

    Raises
    ------
    DataError
        If the file is damaged, or there is no record.
    """
    import pyarrow as pa
    from pyarrow import parquet

    file = Path(path)
    with refusing_damage(file.name), pa.OSFile(os.fsencode(file)) as raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic == MAGIC["parquet"]:
            with parquet.ParquetFile(raw) as reader:
                batches = list(itertools.islice(reader.iter_batches(batch_size=1), 1))
                return Table(file.name, pa.Table.from_batches(batches, reader.schema_arrow))
        feather = pa.ipc.open_file(raw)
        batches = [feather.get_batch(0).slice(0, 1)] if feather.num_record_batches else []
        return Table(file.name, pa.Table.from_batches(batches, feather.schema))


def _check(schema: Any, name: str, source: str) -> None:
    check_names(schema.names, source)
    check_known([name], schema.names, source)
    if cells.kind(schema.field(name).type) != "number":
        raise DataError("it does not hold numbers; choose a column of numbers", source=source, column=name)


def _parquet_column(file: Path, name: str) -> StoredColumn:
    from pyarrow import parquet

    metadata = parquet.read_metadata(file)
    schema = metadata.schema.to_arrow_schema()
    _check(schema, name, file.name)
    index = schema.get_field_index(name)
    pieces, first = [], 0
    for group in range(metadata.num_row_groups):
        rows = metadata.row_group(group)
        pieces.append(StoredPiece(first, rows.num_rows, *_told(rows.column(index).statistics)))
        first += rows.num_rows
    own = threading.local()  # one reader for each thread

    def load(place: int) -> Any:
        if not hasattr(own, "reader"):
            own.reader = parquet.ParquetFile(file)
        return own.reader.read_row_group(place, columns=[name], use_threads=False).column(0).combine_chunks()

    return StoredColumn(file, name, tuple(pieces), load)


def _told(statistics: Any) -> tuple[int | None, float, float]:
    """Return what a file says of a piece: how many values are missing, and their least and greatest."""
    if statistics is None:
        return None, -np.inf, np.inf
    missing = int(statistics.null_count) if statistics.has_null_count else None
    if missing is None or not statistics.has_min_max:
        return missing, -np.inf, np.inf
    ends = statistics.min, statistics.max
    if not all(isinstance(end, int | float | Decimal) for end in ends):  # as bytes, of half precision
        return missing, -np.inf, np.inf
    lower, upper = map(float, ends)
    if not lower <= upper:
        return missing, -np.inf, np.inf
    # whole numbers beyond 2^53 are rounded, so the ends move outwards
    return missing, float(np.nextafter(lower, -np.inf)), float(np.nextafter(upper, np.inf))


def _feather_column(file: Path, name: str) -> StoredColumn:
    import pyarrow as pa

    raw = pa.memory_map(os.fspath(file))
    schema = pa.ipc.open_file(raw).schema
    _check(schema, name, file.name)
    wanted = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(name)], use_threads=False)
    reader = pa.ipc.open_file(raw, options=wanted)
    lock = threading.Lock()

    def load(place: int) -> Any:
        with lock:
            return reader.get_batch(place).column(0)

    sizes = [reader.get_batch(place).num_rows for place in range(reader.num_record_batches)]
    firsts = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    pieces = tuple(StoredPiece(first, size) for first, size in zip(firsts, sizes, strict=False))
    return StoredColumn(file, name, pieces, load)
