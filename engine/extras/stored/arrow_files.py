"""Parquet and Feather files, read by groups of records."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.data import cells
from engine.data.formats.columnar import (
    Batch,
    batches_of_file,
    refuse_excess,
    width_of,
    without_references,
)
from engine.data.formats.damage import refusing_damage
from engine.data.formats.file_format import DataFile
from engine.data.names import name_columns
from engine.extras.stored.table import StoredTable, reader_of
from engine.progress import Progress


def _parquet(path: Path, texts: Sequence[str] = ()) -> Any:
    from pyarrow import parquet

    return parquet.ParquetFile(path, read_dictionary=list(texts) or None)


def _distinct(schema: Any) -> Any:
    """Return a schema with distinct names, as `name_columns` gives them."""
    import pyarrow as pa

    fields = zip(schema, name_columns(schema.names), strict=True)
    return pa.schema([field.with_name(name) for field, name in fields], schema.metadata)


def _feather(path: Path) -> Any:
    import pyarrow as pa

    return pa.ipc.open_file(pa.memory_map(os.fspath(path)))


@dataclasses.dataclass(frozen=True)
class ParquetTable(StoredTable):
    """A Parquet file; its statistics of row groups save reading those that lie outside a range."""

    path: Path

    @cached_property
    def _metadata(self) -> Any:
        from pyarrow import parquet

        with refusing_damage(self.source):
            return parquet.read_metadata(self.path)

    @cached_property
    def _own_names(self) -> list[str]:
        """The names in the file, which may be empty or alike."""
        metadata = self._metadata
        with refusing_damage(self.source):
            names: list[str] = metadata.schema.to_arrow_schema().names
            return names

    @cached_property
    def _renamed(self) -> dict[str, str]:
        """The names in the file of columns that are called otherwise here."""
        pairs = zip(self.schema.names, self._own_names, strict=True)
        return {name: own for name, own in pairs if name != own}

    @cached_property
    def schema(self) -> Any:
        metadata = self._metadata
        with refusing_damage(self.source):
            return _distinct(metadata.schema.to_arrow_schema())

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        metadata = self._metadata
        return tuple(metadata.row_group(group).num_rows for group in range(metadata.num_row_groups))

    def piece_statistics(self, name: str) -> Sequence[tuple[int | None, float, float]]:
        index = self.schema.get_field_index(name)
        groups = map(self._metadata.row_group, range(len(self.sizes)))
        with refusing_damage(self.source):
            return [_bounds_of(group.column(index).statistics) for group in groups]

    def load(self, number: int, names: Sequence[str]) -> Any:
        width = sum(width_of(self.schema.field(name).type) for name in names)
        refuse_excess(width * self.sizes[number], self.sizes[number], self.source, self.path.stat().st_size)
        wanted = dict.fromkeys(self._renamed.get(name, name) for name in names)
        with refusing_damage(self.source):
            reader = reader_of(self.path, _parquet)
            data = reader.read_row_group(number, columns=list(wanted), use_threads=False)
        return self._with_distinct_names(data).select(list(names)) if self._renamed else data

    def _with_distinct_names(self, data: Any) -> Any:
        """Rename columns read by the names in the file, which reads all columns of the same name."""
        names_of: dict[str, list[str]] = {}
        for name in reversed(self.schema.names):
            names_of.setdefault(self._renamed.get(name, name), []).append(name)
        return data.rename_columns([names_of[own].pop() for own in data.column_names])

    def head(self, count: int) -> Any:
        import pyarrow as pa

        # dictionary texts stay encoded until their total size is checked
        pairs = zip(self._own_names, self.schema, strict=True)
        texts = [own for own, field in pairs if cells.is_string(field.type)]
        with refusing_damage(self.source), _parquet(self.path, texts) as reader:
            batches = list(itertools.islice(reader.iter_batches(batch_size=max(count, 1)), 1))
            records = pa.Table.from_batches(batches, reader.schema_arrow).slice(0, count)
        records = records.rename_columns(self.schema.names)
        return without_references(records, self.source, self.path.stat().st_size)


def _bounds_of(statistics: Any) -> tuple[int | None, float, float]:
    if statistics is None:
        return None, -np.inf, np.inf
    missing = int(statistics.null_count) if statistics.has_null_count else None
    if missing is None or not statistics.has_min_max:
        return missing, -np.inf, np.inf
    ends = statistics.min, statistics.max
    if not all(isinstance(end, int | float | Decimal) for end in ends):  # as bytes, of half precision
        return missing, -np.inf, np.inf
    return missing, *outwards(*map(float, ends))


def outwards(lower: float, upper: float) -> tuple[float, float]:
    """Widen the statistics of a piece, since integers beyond 2^53 are rounded."""
    if not lower <= upper:
        return -np.inf, np.inf
    return float(np.nextafter(lower, -np.inf)), float(np.nextafter(upper, np.inf))


@dataclasses.dataclass(frozen=True)
class FeatherTable(StoredTable):
    """A Feather file, mapped to memory."""

    path: Path

    @cached_property
    def schema(self) -> Any:
        with refusing_damage(self.source):
            return _distinct(reader_of(self.path, _feather).schema)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(batch.rows for batch in self._batches)

    @cached_property
    def _batches(self) -> list[Batch]:
        with self.path.open("rb") as file:
            return [batch for batch in batches_of_file(file, self.source) if batch.records]

    def _batch(self, number: int) -> Any:
        """Return a batch; `DataError` if it takes more memory than such a file may."""
        known = self._batches[number]
        refuse_excess(known.size, known.rows, self.source, self.path.stat().st_size)
        with refusing_damage(self.source):
            return reader_of(self.path, _feather).get_batch(number).rename_columns(self.schema.names)

    def load(self, number: int, names: Sequence[str]) -> Any:
        import pyarrow as pa

        return pa.Table.from_batches([self._batch(number).select(list(names))])

    def head(self, count: int) -> Any:
        import pyarrow as pa

        batches = [self._batch(0).slice(0, count)] if self._batches else []
        return pa.Table.from_batches(batches, self.schema)


def stored_parquet(file: DataFile, progress: Progress) -> ParquetTable:
    """Return the table of a Parquet file."""
    return ParquetTable(file.name, file.path)


def stored_feather(file: DataFile, progress: Progress) -> FeatherTable:
    """Return the table of a Feather file."""
    return FeatherTable(file.name, file.path)
