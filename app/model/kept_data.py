"""Opened data, and references for opening them again; these never hold the data themselves."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from app.model.dataset import Dataset
from app.model.kinds.base import DatasetBuilder, Fields
from app.model.pages.registry import PAGE_KINDS
from engine.data.database import Database
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, NamesInDoubt
from engine.progress import Progress, part
from engine.questions.declarations import Declarations


@dataclasses.dataclass(frozen=True)
class OpenedData:
    """Data that were read for a page, with the fields of its state.

    `fields` is None until the user has chosen columns. `page` is "" for the table of the program.
    """

    page: str
    dataset: Dataset
    fields: Fields | None = None


_open: WeakValueDictionary[Any, Dataset] = WeakValueDictionary()
"""Open datasets by file state and reading options: pages that use one file share it."""


def read_dataset(path: Path, reading: ReadingOptions, progress: Progress, *, asks: bool = False) -> Dataset:
    """Read a file (in a worker), unless it is open already.

    `NamesInDoubt` is raised; with `asks`, the dataset has it as its `doubt`, and a dialog asks the user.
    """
    try:
        results = path.stat()
    except OSError:  # reported when the file is read
        return _read(path, reading, progress)
    key = (path.absolute(), results.st_ino, results.st_size, results.st_mtime_ns, reading)
    known = _open.get(key)
    if known is None:
        known = _open[key] = _in_doubt(path, reading, progress) if asks else _read(path, reading, progress)
    if known.doubt is not None and not asks:
        raise known.doubt.spelled()
    return known


def _in_doubt(path: Path, reading: ReadingOptions, progress: Progress) -> Dataset:
    """Read a file whose first row may be a header as records; the dataset has the doubt."""
    try:
        return _read(path, reading, progress)
    except NamesInDoubt as error:
        doubt = error.spelled()
    try:
        dataset = _read(path, dataclasses.replace(reading, header="0"), progress)
    except DataError:  # for instance, titles above the table
        raise doubt from None
    return dataclasses.replace(dataset, reading=reading, doubt=doubt)


def _read(path: Path, reading: ReadingOptions, progress: Progress) -> Dataset:
    from engine.data import read_table
    from engine.data.large_files import large_table

    stored = large_table(path, reading, progress=part(progress, 0.0, 0.1))
    if stored is not None:
        return Dataset.of_stored(stored, path, reading, part(progress, 0.1, 1.0))
    here = part(progress, 0.0, 0.6)
    table = read_table(
        path, progress=here, types=dict(reading.types), connect=reading.connect, **reading.stated
    )
    table.columns  # noqa: B018  computed here in the worker: 100,000 columns take seconds
    return Dataset.of_file(table, path, reading, part(progress, 0.6, 1.0))


def read_file(page: str, path: Path, reading: ReadingOptions, progress: Progress) -> OpenedData:
    """Read a file for a page (in a worker)."""
    return OpenedData(page, read_dataset(path, reading, progress, asks=True))


def restore_table(
    path: Path, reading: ReadingOptions, declarations: Declarations, progress: Progress
) -> Dataset:
    """Read the table of the last session, and combine the rows of each person (in a worker)."""
    dataset = read_dataset(path, reading, progress)
    if declarations.person and declarations.most_rows is None:
        dataset.combine(declarations.person, declarations.person_rule)
    return dataset


def read_example_table(name: str, progress: Progress) -> Dataset:
    """Read a bundled example as the table of the program (in a worker)."""
    return Dataset.of_example(name)


def read_first(path: Path, reading: ReadingOptions, progress: Progress) -> OpenedData:
    """Read a file for the page that suits its columns (in a worker)."""
    return for_first_page(read_dataset(path, reading, progress, asks=True), progress)


def for_first_page(dataset: Dataset, progress: Progress) -> OpenedData:
    """Return data for the page of graphs if they are edges, else for the table (in a worker)."""
    from engine.data.edges import guess_columns

    edges = guess_columns(dataset.table) is not None
    return OpenedData("spanning-tree" if edges else "", dataset)


def read_fields(page: str, dataset: Dataset, fields: Fields, progress: Progress) -> OpenedData:
    """Read the columns named by `fields`, and import the modules for their noise (in a worker)."""
    from engine.noise import special

    special.load()
    return OpenedData(page, dataset, PAGE_KINDS[page].read(dataset, fields, progress))


def read_example(page: str, name: str, progress: Progress) -> OpenedData:
    """Read a bundled example with the public facts on its card (in a worker)."""
    from engine.data import EXAMPLES

    data, dataset = PAGE_KINDS[page], Dataset.of_example(name)
    return OpenedData(page, dataset, data.read(dataset, data.from_example(EXAMPLES[name]), progress))


def read_again(
    page: str, path: Path, reading: ReadingOptions, fields: Fields, progress: Progress
) -> OpenedData:
    """Read a file again with the earlier choices (in a worker)."""
    return read_fields(page, read_dataset(path, reading, progress), fields, progress)


MAX_KEPT_RECORDS = 1_000_000
"""Largest database that is kept beside a newer one of the same kind."""


class _Made:
    """A builder and its database, once it is made."""

    def __init__(self, source: DatasetBuilder) -> None:
        self.source = source
        self.database: Database | None = None
        self.lock = threading.Lock()

    def forget(self) -> None:
        """Clear cached results about the database: they refer to it and would keep it alive."""
        if self.database is not None:
            from engine.analysis.memory import forget

            forget(self.database)


class DatabaseCache:
    """The databases of sources in use, shared by all workers; of large ones, the newest of each kind."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: list[_Made] = []

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`; make it only if it is not kept."""
        made = self._same(source)
        with made.lock:
            if made.database is None:
                made.database = source.build()
            return made.database

    def newest(self, source: DatasetBuilder) -> DatasetBuilder:
        """Return the kept source if it is the same, to reuse its cached public facts."""
        return self._same(source).source

    def _same(self, source: DatasetBuilder) -> _Made:
        with self._lock:
            made = next((one for one in self._made if _are_same(one.source, source)), None)
            if made is None:
                self._made.append(made := _Made(source))
        large = (one for one in self._made if one is not made and one.source.n > MAX_KEPT_RECORDS)
        self._drop([one for one in large if type(one.source) is type(source)])
        return made

    def keep_only(self, sources: Iterable[DatasetBuilder]) -> None:
        """Drop databases that none of these sources makes; one in the making is not kept either."""
        known = list(sources)
        self._drop([one for one in self._made if not any(_are_same(one.source, used) for used in known)])

    def _drop(self, unused: list[_Made]) -> None:
        with self._lock:
            self._made = [one for one in self._made if one not in unused]
        for one in unused:
            one.forget()


def _are_same(one: DatasetBuilder, other: DatasetBuilder) -> bool:
    return type(one) is type(other) and one.same(other)
