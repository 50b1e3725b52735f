"""Opens data that stay in their source: large files, databases, and tables of a Dask cluster."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, TypeVar

from engine.data.large_files import open_in_file
from engine.data.names import check_known, tidy_name
from engine.data.reading import open_file
from engine.data.reading_options import ReadingOptions
from engine.extras.stored.column import StoredColumn
from engine.extras.stored.table import StoredTable
from engine.progress import Progress, silent
from engine.runners import READERS, in_order

FoundT = TypeVar("FoundT")


def is_dask(data: Any) -> bool:
    """Return whether `data` is a Dask dataframe, without importing Dask."""
    return type(data).__module__.startswith(("dask.dataframe", "dask_expr")) and hasattr(data, "npartitions")


@dataclasses.dataclass(frozen=True)
class DaskTable(StoredTable):
    """A Dask dataframe, one piece for each partition.

    Partitions are computed by the cluster if a client is connected, otherwise by threads.  NaN is missing,
    as in pandas.
    """

    frame: Any

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        first = tidy_name(str(self.frame.columns[0]))
        works = dict.fromkeys(range(self.frame.npartitions), _records)
        return tuple(self.over([first], works, silent, ""))

    def load(self, index: int, names: Sequence[str]) -> Any:
        return _arrow(self._chosen(names).partitions[index].compute(scheduler=_scheduler()))

    def head(self, count: int) -> Any:
        return _arrow(self.frame.head(count, npartitions=1, compute=False).compute(scheduler=_scheduler()))

    @cached_property
    def schema(self) -> Any:
        return _arrow(self.frame._meta_nonempty).schema

    def _chosen(self, names: Sequence[str]) -> Any:
        """Return the frame with only these columns."""
        own = {tidy_name(str(one)): one for one in self.frame.columns}
        return self.frame[[own[name] for name in names]]

    def over(
        self,
        names: Sequence[str],
        works: Mapping[int, Callable[[Any], FoundT]],
        progress: Progress,
        message: str,
    ) -> Iterator[FoundT]:
        from dask.delayed import delayed

        check_known(names, self.schema.names, self.source)
        parts, width = self._chosen(names).to_delayed(), max(READERS, _workers())
        with ThreadPoolExecutor(width) as pool:
            worked = delayed(_compute_part, pure=False)
            tasks = (
                pool.submit(worked(parts[index], work).compute, scheduler=_scheduler())
                for index, work in works.items()
            )
            yield from in_order(tasks, width, len(works), progress, message)


def _compute_part(part: Any, work: Callable[[Any], FoundT]) -> FoundT:
    return work(_arrow(part))


def _arrow(frame: Any) -> Any:
    import pyarrow as pa

    result = pa.Table.from_pandas(frame, preserve_index=False)
    return result.rename_columns([tidy_name(str(name)) for name in result.column_names])


def _records(table: Any) -> int:
    return int(table.num_rows)


def _client() -> Any:
    """Return the client of a cluster; None if there is none."""
    try:
        import distributed

        return distributed.default_client()  # type: ignore[no-untyped-call]
    except (ImportError, ValueError):
        return None


def _scheduler() -> str | None:
    """Return the scheduler that computes partitions: None for the cluster's, or the calling thread."""
    return None if _client() else "synchronous"


def _workers() -> int:
    """Return how many partitions a cluster computes at once; 0 without one."""
    client = _client()
    return 2 * int(sum(client.nthreads().values())) if client else 0


def stored_table(
    path: Any, *, progress: Progress = silent, connect: bool | str = False, **options: str
) -> StoredTable:
    """Return the table of a file or a Dask dataframe without reading all of it.

    Parameters
    ----------
    path : path-like or dask.dataframe.DataFrame
    progress : Progress
        Receives the search for the records in a text.
    connect : bool, default False
        Whether to connect to an address in the file, as for `read_table`.
    **options : str
        Settings that replace detection, as for `read_table`: `table`, `sql`, `delimiter` …

    Returns
    -------
    StoredTable
        For `StoredPoints`; for a single column see `stored_column`.

    Raises
    ------
    DataError
        If the file is damaged, or its format can only be read as a whole.

    See Also
    --------
    stored_column, read_table

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "places.csv")
    ...     _ = file.write_text("x,y" + chr(10) + "0.25,0.75" + chr(10))
    ...     table = stored_table(file)
    ...     table.n, table.schema.names
    (1, ['x', 'y'])
    """
    if is_dask(path):
        return DaskTable("dataframe", path)
    opened = open_in_file(*open_file(path, ReadingOptions.of(options, connect=connect)), progress=progress)
    assert isinstance(opened, StoredTable)
    return opened


def stored_column(
    path: Any, name: str, *, progress: Progress = silent, connect: bool | str = False, **options: str
) -> StoredColumn:
    """Return a column of a file or a Dask dataframe without reading all of it.

    Parameters
    ----------
    path : path-like or dask.dataframe.DataFrame
        Parquet, Feather, delimited text, or a database (DuckDB, SQLite, PostgreSQL).
    name : str
        The name of the column.
    progress : Progress
        Receives the search for the records in a text.
    connect : bool, default False
        Whether to connect to an address in the file, as for `read_table`.
    **options : str
        Settings that replace detection, as for `read_table`: `table`, `sql`, `delimiter` …

    Returns
    -------
    StoredColumn

    Raises
    ------
    DataError
        If the file is damaged, its format can only be read as a whole, or the column does not exist or does
        not hold numbers.

    See Also
    --------
    StoredSample, StoredPoints, stored_table

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from engine import Interval, Median, StoredSample
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "people.csv")
    ...     with file.open("w") as lines:
    ...         print("pay", *range(1, 1000), sep=chr(10), file=lines)
    ...     data = StoredSample(stored_column(file, "pay"), Interval(0, 2000))
    ...     Median().value(data)
    500.0
    """
    return StoredColumn.of(stored_table(path, progress=progress, connect=connect, **options), name)
