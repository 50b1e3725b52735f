"""Points whose coordinates stay in their source."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, nan_as_null
from engine.data.names import check_known, check_names
from engine.data.points import Hand, Order, Points
from engine.domain import Box, BoxLike, as_box
from engine.errors import DataError
from engine.extras.stored.column import refuse_infinite
from engine.extras.stored.table import StoredTable
from engine.extras.stored.temp_table import temp_folder
from engine.free_memory import lack_of_memory
from engine.numerals import grouped
from engine.progress import Progress, silent
from engine.sampling.shuffle import Shuffled, random_order

HELD = 1 << 28
"""Bytes of points in memory at once, unless a caller asks for more."""

MAX_FILES = 256
"""Approximate limit of open files."""


@contextlib.contextmanager
def reorder_points(
    parts: Iterable[Floats], dimension: int, order: Order, count: int, most: int, source: str
) -> Iterator[Hand]:
    """Yield a function that returns the points at positions of an order; positions only increase.

    Up to `HELD` bytes, points stay in memory.  Otherwise each range of positions has a file in a temporary
    folder, which is read when the function first needs it.  There are `count` positions, and one call asks
    for at most `most`.
    """
    size = _size(dimension, count, most)
    if count <= size:
        held = np.empty((count, dimension))
        for places, points in _placed(parts, order):
            held[places] = points
        yield lambda start, stop: held[start:stop]
        return
    with temp_folder(source) as folder:
        starts = np.minimum(np.arange(-(-count // size) + 1) * size, count)
        runs = PlacedFiles(folder, starts, dimension)
        try:
            for places, points in _placed(parts, order):
                runs.write(np.searchsorted(starts, places, "right") - 1, points, places)
            runs.close()
            yield runs.hand
        finally:
            runs.close()


@contextlib.contextmanager
def shuffle_points(
    parts: Iterable[Floats], dimension: int, count: int, most: int, source: str
) -> Iterator[Hand]:
    """Yield a function that returns points in a secret order; all orders have the same probability.

    Up to `HELD` bytes, points stay in memory.  Otherwise each point goes to one of several files, uniformly
    and independently, and each file is shuffled when it is read.  This is like sorting all points by random
    numbers with infinitely many digits, whose first digits choose the file.  So memory holds only the
    points of one file.
    """
    size = _size(dimension, count, most)
    if count <= size:
        held, end = np.empty((count, dimension)), 0
        for points in parts:
            held[end : end + len(points)] = points
            end += len(points)
        order = random_order(count)
        yield lambda start, stop: held.take(order[start:stop], axis=0)
        return
    with temp_folder(source) as folder:
        runs = ShuffledFiles(folder, 1 << (-(-count // size) - 1).bit_length(), dimension)
        try:
            for points in parts:
                runs.write_anywhere(points)
            runs.close()
            yield runs.hand
        finally:
            runs.close()


def _size(dimension: int, count: int, most: int) -> int:
    """Return approximately how many points are in memory at once."""
    return max(HELD // (8 * dimension), most, -(-count // MAX_FILES))


def _placed(parts: Iterable[Floats], order: Order) -> Iterator[tuple[Ints, Floats]]:
    """Yield positions and the points at these positions."""
    first = 0
    for points in parts:
        records, places = order.places(first, first + len(points))
        yield places, points[records - first]
        first += len(points)


class PlacedFiles:
    """Points in files, one for each range of positions; a file stores the position of each point."""

    def __init__(self, folder: Path, starts: Ints, dimension: int) -> None:
        import pyarrow as pa

        self._starts, self._dimension = starts, dimension
        axes = [pa.field(str(axis), pa.float64()) for axis in range(dimension)]
        self._schema = pa.schema([pa.field("place", pa.int64()), *axes])
        self._paths = [folder / f"{run}.arrow" for run in range(len(starts) - 1)]
        self._open = contextlib.ExitStack()
        self._writers = [self._writer(path) for path in self._paths]
        self._run = -1
        self._held: Floats = np.empty((0, dimension))

    def _writer(self, path: Path) -> Any:
        import pyarrow as pa

        file = self._open.enter_context(pa.OSFile(os.fsencode(path), "wb"))
        return self._open.enter_context(pa.ipc.new_stream(file, self._schema))

    def write(self, runs: NDArray[np.integer[Any]], points: Floats, places: Ints) -> None:
        """Write points and their positions to the files of their ranges."""
        import pyarrow as pa

        order = np.argsort(runs, kind="stable")
        places, points = places[order], points[order]
        ends = np.searchsorted(runs[order], np.arange(len(self._writers) + 1))
        for writer, start, stop in zip(self._writers, ends[:-1], ends[1:], strict=True):
            if start < stop:
                columns = [places[start:stop], *np.ascontiguousarray(points[start:stop].T)]
                writer.write_batch(pa.record_batch(list(map(pa.array, columns)), schema=self._schema))

    def close(self) -> None:
        """Close the files for writing."""
        self._open.close()

    def hand(self, start: int, stop: int) -> Floats:
        """Return the points at positions from `start` to `stop` - 1."""
        parts = []
        while start < stop:
            run = int(np.searchsorted(self._starts, start, "right")) - 1
            if run != self._run:
                self._run, self._held = run, np.empty((0, self._dimension))
                self._held = self._read(run)
            first, last = self._starts[run : run + 2].tolist()
            end = min(stop, last)
            parts.append(self._held[start - first : end - first])
            start = end
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def _read(self, run: int) -> Floats:
        import pyarrow as pa

        first, last = self._starts[run : run + 2].tolist()
        held = np.empty((last - first, self._dimension))
        placed = self._place_in(run)
        with pa.OSFile(os.fsencode(self._paths[run])) as file, pa.ipc.open_stream(file) as batches:
            for batch in batches:
                places = placed(array_of(batch.column(0)))
                for axis in range(self._dimension):
                    held[places, axis] = array_of(batch.column(axis + 1))
        self._paths[run].unlink()
        return held

    def _place_in(self, run: int) -> Callable[[Ints], Ints]:
        """Return a function from stored positions to those within the file."""
        return lambda written: written - self._starts[run]


class ShuffledFiles(PlacedFiles):
    """Points in files, distributed uniformly and shuffled when they are read."""

    def __init__(self, folder: Path, runs: int, dimension: int) -> None:
        super().__init__(folder, np.zeros(runs + 1, dtype=np.int64), dimension)
        self._sizes = np.zeros(runs, dtype=np.int64)

    def write_anywhere(self, points: Floats) -> None:
        """Write each point to a random file, by the operating system's entropy."""
        runs = np.frombuffer(os.urandom(len(points)), np.uint8) & np.uint8(len(self._sizes) - 1)
        counts = np.bincount(runs, minlength=len(self._sizes))
        places = np.empty(len(points), dtype=np.int64)
        places[np.argsort(runs, kind="stable")] = np.concatenate(
            [np.arange(before, before + count) for before, count in zip(self._sizes, counts, strict=True)]
        )
        self._sizes += counts
        self.write(runs, points, places)

    def close(self) -> None:
        """Close the files for writing; only now are the first positions of all files known."""
        super().close()
        self._starts[1:] = np.cumsum(self._sizes)

    def _place_in(self, run: int) -> Callable[[Ints], Ints]:
        order = random_order(int(self._sizes[run]))
        return lambda written: order[written]


FoundT = TypeVar("FoundT")

WORKING_SIZE = 2
"""Memory for points and the work on them, as a multiple of their size."""


class StoredPoints(Points):
    """Points in columns that stay in their source (see `stored_column`), clamped to a public box.

    Histograms count them piece by piece, and one pass distributes them to blocks.  Methods that need all
    points at once read them into memory, if there is room.

    Parameters
    ----------
    table : StoredTable
    columns : sequence of str
        The coordinates.
    domain : Box
        Public bounds of each.
    missing : {"refuse", "drop"}
        Refuse records without a coordinate, or drop them.
    units : sequence of str, optional
    progress : Progress
        Receives every pass.

    Raises
    ------
    DataError
        If a column does not hold numbers, a number is not finite, a missing coordinate is refused, or there
        is no record.

    See Also
    --------
    stored_column, Points

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from engine import Box, NoisyHistogram, Privacy, reproducible, stored_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "places.csv")
    ...     _ = file.write_text("x,y" + chr(10) + ("0.25,0.75" + chr(10)) * 1000)
    ...     data = StoredPoints(stored_table(file), ["x", "y"], Box.of([0, 0], [1, 1]))
    ...     made = NoisyHistogram(bins=2).run(data, Privacy(1.0), reproducible(1))
    >>> data.n, float(made.histogram.counts.max().round(-2))
    (1000, 1000.0)
    """

    dealing: ClassVar[float] = 0.3

    def __init__(
        self,
        table: StoredTable,
        columns: Sequence[str],
        domain: BoxLike,
        missing: str = "refuse",
        units: Sequence[str] = (),
        progress: Progress = silent,
    ) -> None:
        schema, domain = table.schema, as_box(domain, len(columns))
        check_names(schema.names, table.source)
        check_known(columns, schema.names, table.source)
        for name in columns:
            if cells.kind(schema.field(name).type) != "number":
                raise DataError(
                    "it does not hold numbers; choose columns of numbers", source=table.source, column=name
                )
        if len(columns) != domain.dimension:
            raise DataError(
                f"{len(columns)} columns do not fit bounds of {domain.dimension}; give one pair per column",
                source=table.source,
            )
        self._table = table
        self.release_problem, self.missing = table.release_problem, missing
        self.rows_of_person = 0  # a row is a record
        self._domain = domain
        self._progress = progress
        self.columns = tuple(columns)
        self.units = tuple(units) or ("",) * domain.dimension
        result = list(self._over(partial(_counted, domain)))
        self._sizes = [size for size, _ in result]
        self._outside = sum(moved for _, moved in result)
        self.dropped = table.n - self.n
        if self.dropped and missing == "refuse":
            raise DataError(
                "a coordinate is missing in some records; fill it in, or choose to drop missing values, NaN "
                "among them",
                confidential=f"in {grouped(self.dropped)} of {grouped(table.n)}",
                source=table.source,
            )
        if not self.n:
            raise DataError("there are no records; at least one is needed", source=table.source)

    def as_kind(self, kind: str) -> Any:
        return None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the points in memory."""
        return {**self.__dict__, "_progress": silent, "_raw": None, "values": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the pickled fields."""
        self.__dict__.update({name: value for name, value in state.items() if value is not None})

    @property
    def n(self) -> int:
        """The number of records (public)."""
        return sum(self._sizes)

    @cached_property
    def outside(self) -> int:
        """The number of records that clamping moves (private)."""
        return self._outside

    @cached_property
    def _raw(self) -> Floats:  # type: ignore[override]
        """All unclamped points; `DataError` if there is no room."""
        self._refuse_more(self.n)
        points = np.empty((self.n, self._domain.dimension))
        start = 0
        for some in self._as_counted(self._over(_unchanged)):
            points[start : start + len(some)] = some
            start += len(some)
        return points

    @contextlib.contextmanager
    def in_order(self, order: Order, count: int, most: int, progress: Progress = silent) -> Iterator[Hand]:
        """Yield a function that returns the clamped points at positions of an order, by one pass."""
        if "values" in self.__dict__:
            with super().in_order(order, count, most, progress) as hand:
                yield hand
            return
        self._refuse_more(most)
        parts = self._over(partial(_clamped, self._domain, _unchanged), progress)
        source, dimension = self._table.source, self._domain.dimension
        counted = self._as_counted(parts)
        # a secret order needs no memory: the points are shuffled during the pass
        if isinstance(order, Shuffled):
            dealing = shuffle_points(counted, dimension, count, most, source)
        else:
            dealing = reorder_points(counted, dimension, order, count, most, source)
        with dealing as hand:
            yield hand

    def _as_counted(self, parts: Iterator[Floats]) -> Iterator[Floats]:
        """Yield parts; `DataError` if one has another size than in the first pass."""
        for size, points in zip(self._sizes, parts, strict=True):
            if len(points) != size:
                raise DataError("it changed while it was read; open it again", source=self._table.source)
            yield points

    def _refuse_more(self, count: int) -> None:
        """Raise `DataError` if there is no memory for that many points."""
        lack = lack_of_memory(WORKING_SIZE * 8.0 * count * self._domain.dimension)
        if lack:
            raise DataError(f"{lack}; use a histogram, or a part of the points", source=self._table.source)

    def found_in_parts(
        self,
        examine: Callable[[Floats], FoundT],
        progress: Progress = silent,
        message: str = "",
        numbers: int = 1,
    ) -> Iterator[FoundT]:
        if "values" in self.__dict__:
            return super().found_in_parts(examine, progress, message, numbers)
        return self._over(partial(_clamped, self._domain, examine), progress)

    def _over(self, examine: Callable[[Floats], FoundT], progress: Progress = silent) -> Iterator[FoundT]:
        table, progress = self._table, self._progress if progress is silent else progress
        works = {
            index: partial(
                _examined,
                table.source,
                self.columns,
                table.first_row - 1 + first,
                self.missing == "drop",
                examine,
            )
            for index, first in enumerate(table.firsts)
        }
        return table.over(self.columns, works, progress, f"reading {table.source}")


def _examined(
    source: str,
    columns: tuple[str, ...],
    first: int,
    nan_is_missing: bool,
    examine: Callable[[Floats], FoundT],
    table: Any,
) -> FoundT:
    import pyarrow as pa

    points = np.empty((table.num_rows, len(columns)))
    present = np.ones(table.num_rows, dtype=bool)
    for axis, name in enumerate(columns):
        result = table.column(name).cast(pa.float64(), safe=False)
        result = nan_as_null(result) if nan_is_missing else result
        refuse_infinite(result, source, name, first)
        points[:, axis] = array_of(result)
        if result.null_count:
            present &= array_of(result.is_valid())
    return examine(points if present.all() else points[present])


def _counted(domain: Box, points: Floats) -> tuple[int, int]:
    """Return the number of points, and the number of those outside the box."""
    return len(points), int(np.count_nonzero((domain.clamp(points) != points).any(axis=1)))


def _unchanged(points: Floats) -> Floats:
    return points


def _clamped(domain: Box, examine: Callable[[Floats], FoundT], points: Floats) -> FoundT:
    return examine(domain.clamp(points))
