"""Points that stay in their file, put into another order by one pass over them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.data.arrays import array_of
from engine.data.points import Hand, Order
from engine.data.stored.spilled import meanwhile

Floats = NDArray[np.float64]

HELD = 1 << 28
"""Bytes of points that are held at once, unless more are asked for together."""

MOST_FILES = 256
"""Files that are open together, about."""


@contextlib.contextmanager
def dealt(
    parts: Iterable[Floats], dimension: int, order: Order, count: int, most: int, source: str
) -> Iterator[Hand]:
    """Return what hands over points at the places of an order, further up each time.

    As long as they fit into `HELD` bytes they are held; of more, each run of places has a file in a
    temporary folder, which is read when it is asked for, and deleted at the end.

    Parameters
    ----------
    parts : iterable of ndarray
        All points in the order of their records.
    dimension : int
    order : Order
    count : int
        How many places there are.
    most : int
        So many are asked for at once, at most.
    source : str
        What messages call the file.
    """
    size = max(HELD // (8 * dimension), most, -(-count // MOST_FILES))
    if count <= size:
        held = np.empty((count, dimension))
        for places, points in _placed(parts, order):
            held[places] = points
        yield lambda start, stop: held[start:stop]
        return
    with meanwhile(source) as folder:
        runs = PlacedFiles(folder, size, count, dimension)
        try:
            for places, points in _placed(parts, order):
                runs.write(places, points)
            runs.close()
            yield runs.hand
        finally:
            runs.close()


def _placed(parts: Iterable[Floats], order: Order) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """Yield places, and the points that stand there."""
    first = 0
    for points in parts:
        records, places = order.places(first, first + len(points))
        yield places, points[records - first]
        first += len(points)


class PlacedFiles:
    """Points in files: one for each run of so many places, which notes which of them each stands at."""

    def __init__(self, folder: Path, size: int, count: int, dimension: int) -> None:
        import pyarrow as pa

        self._size, self._count, self._dimension = size, count, dimension
        axes = [pa.field(str(axis), pa.float64()) for axis in range(dimension)]
        self._schema = pa.schema([pa.field("place", pa.int64()), *axes])
        self._paths = [folder / f"{run}.arrow" for run in range(-(-count // size))]
        self._open = contextlib.ExitStack()
        self._writers = [self._writer(path) for path in self._paths]
        self._run = -1
        self._held: Floats = np.empty((0, dimension))

    def _writer(self, path: Path) -> Any:
        import pyarrow as pa

        file = self._open.enter_context(pa.OSFile(os.fsencode(path), "wb"))
        return self._open.enter_context(pa.ipc.new_stream(file, self._schema))

    def write(self, places: NDArray[np.int64], points: Floats) -> None:
        """Write points to the files of the runs in which their places are."""
        import pyarrow as pa

        order = np.argsort(places)
        places, points = places[order], points[order]
        ends = np.searchsorted(places, np.arange(len(self._writers) + 1) * self._size)
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
            run = start // self._size
            if run != self._run:
                self._run, self._held = run, np.empty((0, self._dimension))
                self._held = self._read(run)
            end = min(stop, (run + 1) * self._size)
            parts.append(self._held[start - run * self._size : end - run * self._size])
            start = end
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def _read(self, run: int) -> Floats:
        import pyarrow as pa

        first = run * self._size
        held = np.empty((min(self._size, self._count - first), self._dimension))
        with pa.OSFile(os.fsencode(self._paths[run])) as file, pa.ipc.open_stream(file) as batches:
            for batch in batches:
                places = array_of(batch.column(0)) - first
                for axis in range(self._dimension):
                    held[places, axis] = array_of(batch.column(axis + 1))
        self._paths[run].unlink()
        return held
