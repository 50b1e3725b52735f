"""Data that are opened, and what is kept of them to open them again: never the data themselves."""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, DataChoice, DatasetBuilder, Fields, only, values_of
from app.model.pages.registry import PAGE_KINDS
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.errors import DataError, NamesInDoubt
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data.database import Database


@dataclasses.dataclass(frozen=True)
class OpenedData:
    """What was read, for which page, and the fields of the state that belong to it.

    `fields` are None until it is decided what to look at.
    """

    page: str
    dataset: Dataset
    fields: Fields | None = None


_open: WeakValueDictionary[Any, Dataset] = WeakValueDictionary()
"""What is open, by the file as it is now and how it is read: pages that look at one file share it."""


def read_dataset(path: Path, reading: ReadingOptions, progress: Progress, *, asks: bool = False) -> Dataset:
    """Read a file (in a worker), unless it is open already.

    `NamesInDoubt` is raised, or is the `doubt` of the dataset where a dialog `asks` the user next.
    """
    try:
        results = path.stat()
    except OSError:  # is said where it is read
        return _read(path, reading, progress)
    key = (path.absolute(), results.st_ino, results.st_size, results.st_mtime_ns, reading)
    known = _open.get(key)
    if known is None:
        known = _open[key] = _in_doubt(path, reading, progress) if asks else _read(path, reading, progress)
    if known.doubt is not None and not asks:
        raise known.doubt.spelled()
    return known


def _in_doubt(path: Path, reading: ReadingOptions, progress: Progress) -> Dataset:
    """Read a file; what could be its names is taken for a record, and the dataset says so."""
    try:
        return _read(path, reading, progress)
    except NamesInDoubt as error:
        doubt = error.spelled()
    try:
        dataset = _read(path, dataclasses.replace(reading, header="0"), progress)
    except DataError:  # with titles above, for instance
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
    table.columns  # noqa: B018  counted here: of 100,000 columns that takes seconds
    return Dataset.of_file(table, path, reading, part(progress, 0.6, 1.0))


def read_file(page: str, path: Path, reading: ReadingOptions, progress: Progress) -> OpenedData:
    """Read a file for a page (in a worker)."""
    return OpenedData(page, read_dataset(path, reading, progress, asks=True))


def read_first(path: Path, reading: ReadingOptions, progress: Progress) -> OpenedData:
    """Read a file for the page that its columns look like (in a worker)."""
    return for_first_page(read_dataset(path, reading, progress, asks=True), progress)


def for_first_page(dataset: Dataset, progress: Progress) -> OpenedData:
    """Return data for the page that their columns look like (in a worker)."""
    from engine.data.edges import guess_columns

    edges = guess_columns(dataset.table) is not None
    return OpenedData("spanning-tree" if edges else "median", dataset)


def read_fields(page: str, dataset: Dataset, fields: Fields, progress: Progress) -> OpenedData:
    """Read what `fields` name, and import what the choice of noise for them needs (in a worker)."""
    from engine.noise import special

    special.load()
    return OpenedData(page, dataset, PAGE_KINDS[page].read(dataset, fields, progress))


def read_example(page: str, name: str, progress: Progress) -> OpenedData:
    """Read a bundled example with the public facts on its card (in a worker)."""
    from engine.data import EXAMPLES

    return read_fields(
        page, Dataset.of_example(name), PAGE_KINDS[page].from_example(EXAMPLES[name]), progress
    )


def read_again(
    page: str, path: Path, reading: ReadingOptions, fields: Fields, progress: Progress
) -> OpenedData:
    """Read a file with what was decided about it the last time (in a worker)."""
    return read_fields(page, read_dataset(path, reading, progress), fields, progress)


GONE = "there is no such file any more, so this step is not possible; everything stays as it is"
CHANGED = "the file has changed since it was opened, so this step is not possible; everything stays as it is"

Found = dict[tuple[str, ...], Any]
"""What was read of data, by the names that lead to it in a choice."""


class WeakCell:
    """Has a value as long as something else has it.

    Parameters
    ----------
    value : object
    hold : bool
        Keep it: there is nowhere to read it from.
    """

    def __init__(self, value: Any, *, hold: bool = False) -> None:
        self.held = value if hold else None
        self.fill(value)

    @property
    def value(self) -> Any:
        """The value; None once it is gone."""
        return self._found()

    def fill(self, value: Any) -> None:
        """Take the same value, which was read again."""
        self._found = weakref.ref(value)


class DataShelf:
    """The cells of a session: one for each value, so that what is read again is there for all who had it."""

    def __init__(self) -> None:
        self._cells: weakref.WeakSet[WeakCell] = weakref.WeakSet()

    def cell(self, value: Any, *, hold: bool = False) -> WeakCell:
        """Return the cell of a value."""
        cell = next((cell for cell in self._cells if cell.value is value), None)
        if cell is None:
            cell = WeakCell(value, hold=hold)
            self._cells.add(cell)
        elif hold:
            cell.held = value
        return cell


@dataclasses.dataclass(frozen=True, eq=False)
class KeptDataset:
    """A dataset by where it came from.

    Attributes
    ----------
    cell : WeakCell
        The dataset itself.
    path, example, digest, former, reading
        As `Dataset` has them.
    """

    cell: WeakCell
    path: Path | None
    example: str | None
    digest: str = dataclasses.field(repr=False)
    former: str = dataclasses.field(repr=False)
    reading: ReadingOptions = DETECTED

    @classmethod
    def of(cls, dataset: Dataset, shelf: DataShelf) -> Self:
        """Return what is kept of a dataset; of one that came from nowhere, all of it."""
        cell = shelf.cell(dataset, hold=not dataset.can_be_read_again)
        return cls(cell, dataset.path, dataset.example, dataset.digest, dataset.former, dataset.reading)

    def read(self, progress: Progress) -> Dataset:
        """Open it again (in a worker); `DataError` where that is not possible."""
        if self.example is not None:
            return Dataset.of_example(self.example)
        from engine.data import digest_of

        assert self.path is not None
        if not self.path.is_file():
            raise DataError(GONE, source=str(self.path))
        # the bytes first: rows in another order are the same data, but not for what was changed by hand
        same = digest_of(self.path, progress=part(progress, 0.0, 0.1)) == self.former
        dataset = read_dataset(self.path, self.reading, part(progress, 0.1, 1.0)) if same else None
        if dataset is None or (dataset.digest, dataset.former) != (self.digest, self.former):
            raise DataError(CHANGED, source=str(self.path))
        return dataset


@dataclasses.dataclass(frozen=True, eq=False)
class KeptChoice:
    """A choice about data without what was read of them.

    Attributes
    ----------
    choice : DataChoice
        With nothing read.
    cells : dict of WeakCell
        What was read, by the names that lead to it.
    """

    choice: DataChoice
    cells: dict[tuple[str, ...], WeakCell]

    @classmethod
    def of(cls, choice: DataChoice, shelf: DataShelf) -> Self:
        """Return what is kept of a choice."""
        results = found_in(choice)
        cells = {names: shelf.cell(value) for names, value in results.items()}
        return cls(with_found(choice, dict.fromkeys(results)), cells)

    @property
    def whole(self) -> DataChoice | None:
        """The choice with all that was read; None if some of it is gone."""
        results = {names: cell.value for names, cell in self.cells.items()}
        return None if any(value is None for value in results.values()) else with_found(self.choice, results)

    def is_found_in(self, choice: DataChoice) -> bool:
        """Tell whether a choice has all that was read, and no more."""
        results = found_in(choice)
        return results.keys() == self.cells.keys() and all(
            results[names] is cell.value for names, cell in self.cells.items()
        )


def found_in(choice: DataChoice) -> Found:
    """Return what was read for a choice and the choices in it."""
    results: Found = {(name,): getattr(choice, name) for name in choice.names(FOUND)}
    for name, value in values_of(choice).items():
        if isinstance(value, DataChoice):
            results |= {(name, *names): inner for names, inner in found_in(value).items()}
    return {names: value for names, value in results.items() if value is not None}


def with_found(choice: DataChoice, results: Found) -> DataChoice:
    """Return a choice with other values of what was read."""
    values: Fields = {names[0]: value for names, value in results.items() if len(names) == 1}
    inner: dict[str, Found] = {}
    for (name, *names), value in results.items():
        if names:
            inner.setdefault(name, {})[tuple(names)] = value
    values |= {name: with_found(getattr(choice, name), parts) for name, parts in inner.items()}
    return dataclasses.replace(choice, **values)


class KeptFields:
    """Values of fields of a session, of which the data are kept as above.

    Parameters
    ----------
    page : str
        To which they belong.
    fields : dict
    dataset : Dataset or None
        The data that are open with them.
    shelf : DataShelf

    Attributes
    ----------
    plain : dict
        Those that are no data.
    """

    def __init__(self, page: str, fields: Fields, dataset: Dataset | None, shelf: DataShelf) -> None:
        self._page = page
        self.plain: Fields = {}
        self._choices: dict[str, KeptChoice] = {}
        self._dataset = None if dataset is None else KeptDataset.of(dataset, shelf)
        self._with_dataset = isinstance(fields.get("dataset"), Dataset)
        for name, value in fields.items():
            if isinstance(value, DataChoice):
                self._choices[name] = KeptChoice.of(value, shelf)
            elif not isinstance(value, Dataset):
                self.plain[name] = value

    def values(self) -> Fields | None:
        """Return the values; None if data among them have to be read again."""
        values = {name: choice.whole for name, choice in self._choices.items()}
        if self._with_dataset and self._dataset is not None:
            values["dataset"] = self._dataset.cell.value
        return None if None in values.values() else {**self.plain, **values}

    def read(self, progress: Progress) -> list[tuple[WeakCell, Any]]:
        """Read the data again that are gone (in a worker), each for its cell.

        Raises
        ------
        DataError
            If a file is not there any more, or is another one.
        """
        assert self._dataset is not None
        dataset, begun = self._dataset.cell.value, 0.0
        results: list[tuple[WeakCell, Any]] = []
        if dataset is None:
            dataset, begun = self._dataset.read(part(progress, 0.0, 0.8)), 0.8
            results.append((self._dataset.cell, dataset))
        for name, choice in self._choices.items():
            results += self._read_choice(name, choice, dataset, part(progress, begun, 1.0))
        return results

    def _read_choice(
        self, name: str, kept: KeptChoice, dataset: Dataset, progress: Progress
    ) -> Iterator[tuple[WeakCell, Any]]:
        chosen = values_of(kept.choice) if name == "data" else {name: kept.choice}
        read = PAGE_KINDS[self._page].read(dataset, chosen, progress)
        whole = (
            dataclasses.replace(kept.choice, **only(type(kept.choice), read))
            if name == "data"
            else read[name]
        )
        values = found_in(whole)
        return ((cell, values[names]) for names, cell in kept.cells.items())


@dataclasses.dataclass
class _Made:
    source: DatasetBuilder
    database: Database | None = None


class DatabaseCache:
    """The newest database of each kind, kept as long as its source may be asked for; for all workers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, _Made] = {}
        self._left: list[weakref.ref[Database]] = []

    def left(self) -> list[weakref.ref[Database]]:
        """Return which databases were let go and are still in memory, and ask about them no more."""
        left, self._left = _living(self._left), []
        return left

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`, made only when it is not the newest one of its kind."""
        with self._lock:
            made = self._same(source)
            if made.database is None:
                made.database = source.build()
            return made.database

    def newest(self, source: DatasetBuilder) -> DatasetBuilder:
        """Return the newest source if it is the same, for what is remembered of public facts."""
        with self._lock:
            return self._same(source).source

    def _same(self, source: DatasetBuilder) -> _Made:
        made = self._newest.get(type(source))
        if made is None or not source.same(made.source):
            if made is not None:
                _forget(made)
            made = self._newest[type(source)] = _Made(source)
        return made

    def keep_only(self, sources: Iterable[DatasetBuilder]) -> None:
        """Forget databases that none of these sources makes; one that is being made now is not kept."""
        known = list(sources)
        for kind, made in list(self._newest.items()):
            if not any(type(source) is kind and source.same(made.source) for source in known):
                self._let_go(kind, made)

    def _let_go(self, kind: type, made: _Made) -> None:
        del self._newest[kind]
        if made.database is not None:
            self._left = [*_living(self._left), weakref.ref(made.database)]
        _forget(made)


def _forget(made: _Made) -> None:
    """Forget what was found out about a database: findings know it, and so it would never end by itself."""
    if made.database is not None:
        from engine.analysis.memory import forget

        forget(made.database)


def _living(references: list[weakref.ref[Database]]) -> list[weakref.ref[Database]]:
    return [reference for reference in references if reference() is not None]
