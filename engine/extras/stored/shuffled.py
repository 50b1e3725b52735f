"""Points that stay in their file, put into another order, or a secret one, by one pass over them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.arrays import array_of
from engine.data.points import Hand, Order
from engine.extras.stored.temp_table import temp_folder
from engine.sampling.shuffle import random_order

HELD = 1 << 28
"""Bytes of points that are held at once, unless more are asked for together."""

MAX_FILES = 256
"""Files that are open together, about."""


@contextlib.contextmanager
def reordered(
    parts: Iterable[Floats], dimension: int, order: Order, count: int, most: int, source: str
) -> Iterator[Hand]:
    """Return what hands over points at the places of an order, further up each time.

    As long as they fit into `HELD` bytes they are held; of more, each run of places has a file in a
    temporary folder, which is read when it is asked for, and deleted at the end.  There are `count` places,
    and at most `most` of them are asked for at once.
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
def shuffled(parts: Iterable[Floats], dimension: int, count: int, most: int, source: str) -> Iterator[Hand]:
    """Return an iterable of all points in a secret order; all orders are equally probable.

    As long as they fit into `HELD` bytes they are held, and listed in that order.  Of more, each point goes
    to one of several files, all with the same probability and independently of all others; and a file is
    put into a secret order when it is read.  As if all points got the same random number of infinitely many
    digits, of which the first decide on the file, and were sorted by it: so nothing is held for each point
    that is not being read.
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
    """Return how many points are held at once, about."""
    return max(HELD // (8 * dimension), most, -(-count // MAX_FILES))


def _placed(parts: Iterable[Floats], order: Order) -> Iterator[tuple[Ints, Floats]]:
    """Yield places, and the points that stand there."""
    first = 0
    for points in parts:
        records, places = order.places(first, first + len(points))
        yield places, points[records - first]
        first += len(points)


class PlacedFiles:
    """Points in files: one for each run of places, which notes which of them each stands at."""

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
        """Write points, and their places, to the files of their runs."""
        import pyarrow as pa

        order = np.argsort(runs, kind="stable")
        places, points = places[order], points[order]
        ends = np.searchsorted(runs[order], np.arange(len(self._writers) + 1))
        for writer, start, stop in zip(self._writers, ends[:-1], ends[1:], strict=True):
            if start < stop:
                columns = [places[start:stop], *np.ascontiguousarray(points[start:stop].T)]
                writer.write_batch(pa.record_batch(list(map(pa.array, columns)), schema=self._schema))

    def close(self) -> None:
        """End the files that are being written."""
        self._open.close()

    def hand(self, start: int, stop: int) -> Floats:
        """Return the points at places from `start` to `stop` - 1."""
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
        placed = self._placed_in(run)
        with pa.OSFile(os.fsencode(self._paths[run])) as file, pa.ipc.open_stream(file) as batches:
            for batch in batches:
                places = placed(array_of(batch.column(0)))
                for axis in range(self._dimension):
                    held[places, axis] = array_of(batch.column(axis + 1))
        self._paths[run].unlink()
        return held

    def _placed_in(self, run: int) -> Callable[[Ints], Ints]:
        """Return what maps the places that were written to those within the run."""
        return lambda written: written - self._starts[run]


class ShuffledFiles(PlacedFiles):
    """Points in files, each in any of them with the same probability, shuffled when they are read."""

    def __init__(self, folder: Path, runs: int, dimension: int) -> None:
        super().__init__(folder, np.zeros(runs + 1, dtype=np.int64), dimension)
        self._sizes = np.zeros(runs, dtype=np.int64)

    def write_anywhere(self, points: Floats) -> None:
        """Write each point to a file that secret coins choose."""
        runs = np.frombuffer(os.urandom(len(points)), np.uint8) & np.uint8(len(self._sizes) - 1)
        counts = np.bincount(runs, minlength=len(self._sizes))
        places = np.empty(len(points), dtype=np.int64)
        places[np.argsort(runs, kind="stable")] = np.concatenate(
            [np.arange(before, before + count) for before, count in zip(self._sizes, counts, strict=True)]
        )
        self._sizes += counts
        self.write(runs, points, places)

    def close(self) -> None:
        """End the files that are being written: only now it is known where each run begins."""
        super().close()
        self._starts[1:] = np.cumsum(self._sizes)

    def _placed_in(self, run: int) -> Callable[[Ints], Ints]:
        order = random_order(int(self._sizes[run]))
        return lambda written: order[written]
