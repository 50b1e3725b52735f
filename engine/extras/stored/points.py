"""Points whose coordinates stay where they are."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.data import cells
from engine.data.arrays import array_of
from engine.data.names import check_known, check_names
from engine.data.points import Hand, Order, Points
from engine.domain import Box
from engine.errors import DataError
from engine.extras.stored.column import refuse_infinite
from engine.extras.stored.shuffled import reordered, shuffled
from engine.extras.stored.table import StoredTable
from engine.free_memory import lack_of_memory
from engine.numerals import grouped
from engine.progress import Progress, silent
from engine.sampling.shuffle import Shuffled

FoundT = TypeVar("FoundT")

TIMES = 2
"""Points that have to be held, and what is worked out of them, take so many times their size."""


class StoredPoints(Points):
    """Points in columns that stay where they are (`stored_column` says where), clamped to a public box.

    Histograms count them part by part, and blocks of them are dealt by one pass; whatever needs all of
    them at once has them read into memory, where there is room.

    Parameters
    ----------
    table : StoredTable
    columns : sequence of str
        The coordinates.
    domain : Box
        Public bounds of each.
    missing : {"refuse", "drop"}
        A record that lacks a coordinate.
    units : sequence of str, optional
    progress : Progress
        Hears of every pass.

    Raises
    ------
    DataError
        If a column holds no numbers, a number is not finite, a coordinate is missing and that is refused,
        or there is no record.

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
        domain: Box,
        missing: str = "refuse",
        units: Sequence[str] = (),
        progress: Progress = silent,
    ) -> None:
        schema = table.schema
        check_names(schema.names, table.source)
        check_known(columns, schema.names, table.source)
        for name in columns:
            if cells.kind(schema.field(name).type) != "number":
                raise DataError(
                    "it does not hold numbers; choose columns of numbers", source=table.source, column=name
                )
        if len(columns) != domain.dimension:
            raise DataError(
                f"{len(columns)} columns do not fit bounds of {domain.dimension}", source=table.source
            )
        self._table = table
        self.release_problem, self.missing = table.release_problem, missing
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
                "a coordinate is missing in some records; fill it in, or choose to drop such records",
                confidential=f"in {grouped(self.dropped)} of {grouped(table.n)}",
                source=table.source,
            )
        if not self.n:
            raise DataError("there are no records; at least one is needed", source=table.source)

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what was read here."""
        return {**self.__dict__, "_progress": silent, "_raw": None, "values": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Arrive."""
        self.__dict__.update({name: value for name, value in state.items() if value is not None})

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return sum(self._sizes)

    @property
    def outside(self) -> int:
        """Number of records that clamping moves (private)."""
        return self._outside

    @cached_property
    def _raw(self) -> Floats:  # type: ignore[override]
        """All points, as they are; `DataError` where there is no room."""
        self._refuse_more(self.n)
        points = np.empty((self.n, self._domain.dimension))
        start = 0
        for some in self._as_counted(self._over(_themselves)):
            points[start : start + len(some)] = some
            start += len(some)
        return points

    @contextlib.contextmanager
    def in_order(self, order: Order, count: int, most: int, progress: Progress = silent) -> Iterator[Hand]:
        """Return what hands over the clamped points at the places of an order: by one pass over the file."""
        if "values" in self.__dict__:
            with super().in_order(order, count, most, progress) as hand:
                yield hand
            return
        self._refuse_more(most)
        parts = self._over(partial(_clamped, self._domain, _themselves), progress)
        source, dimension = self._table.source, self._domain.dimension
        counted = self._as_counted(parts)
        # a secret order need not be held: points are shuffled on their way
        if isinstance(order, Shuffled):
            dealing = shuffled(counted, dimension, count, most, source)
        else:
            dealing = reordered(counted, dimension, order, count, most, source)
        with dealing as hand:
            yield hand

    def _as_counted(self, parts: Iterator[Floats]) -> Iterator[Floats]:
        """Yield parts; `DataError` for one that has another size than before."""
        for size, points in zip(self._sizes, parts, strict=True):
            if len(points) != size:
                raise DataError("it was changed while it was read; open it again", source=self._table.source)
            yield points

    def _refuse_more(self, count: int) -> None:
        """Raise `DataError` where there is no room for so many points."""
        lack = lack_of_memory(TIMES * 8.0 * count * self._domain.dimension)
        if lack:
            raise DataError(f"{lack}; count its points, or use a part of them", source=self._table.source)

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
            index: partial(_examined, table.source, self.columns, table.first_row - 1 + first, examine)
            for index, first in enumerate(table.firsts)
        }
        return table.over(self.columns, works, progress, f"reading {table.source}")


def _examined(
    source: str, columns: tuple[str, ...], first: int, examine: Callable[[Floats], FoundT], table: Any
) -> FoundT:
    import pyarrow as pa

    points = np.empty((table.num_rows, len(columns)))
    present = np.ones(table.num_rows, dtype=bool)
    for axis, name in enumerate(columns):
        result = table.column(name).cast(pa.float64(), safe=False)
        refuse_infinite(result, source, name, first)
        points[:, axis] = array_of(result)
        if result.null_count:
            present &= array_of(result.is_valid())
    return examine(points if present.all() else points[present])


def _counted(domain: Box, points: Floats) -> tuple[int, int]:
    """Return how many points there are, and how many lie outside."""
    return len(points), int(np.count_nonzero((domain.clamp(points) != points).any(axis=1)))


def _themselves(points: Floats) -> Floats:
    return points


def _clamped(domain: Box, examine: Callable[[Floats], FoundT], points: Floats) -> FoundT:
    return examine(domain.clamp(points))
