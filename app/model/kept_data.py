"""Opened data, and references for opening them again; these never hold the data themselves."""

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


def read_table(path: Path, reading: ReadingOptions, progress: Progress) -> Dataset:
    """Read a file as the table of the program (in a worker)."""
    return read_dataset(path, reading, progress, asks=True)


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

    return read_fields(
        page, Dataset.of_example(name), PAGE_KINDS[page].from_example(EXAMPLES[name]), progress
    )


def read_again(
    page: str, path: Path, reading: ReadingOptions, fields: Fields, progress: Progress
) -> OpenedData:
    """Read a file again with the earlier choices (in a worker)."""
    return read_fields(page, read_dataset(path, reading, progress), fields, progress)


GONE = "the file no longer exists, so this step is not possible; everything stays as it is"
CHANGED = "the file has changed since it was opened, so this step is not possible; everything stays as it is"

Found = dict[tuple[str, ...], Any]
"""Records that were read, by field name; choices inside a choice are nested."""


class WeakCell:
    """A weak reference to a value that can be read again.

    Parameters
    ----------
    value : object
    hold : bool
        Keep the value: it cannot be read again.
    """

    def __init__(self, value: Any, *, hold: bool = False) -> None:
        self.held = value if hold else None
        self.fill(value)

    @property
    def value(self) -> Any:
        """The value; None if it was freed."""
        return self._found()

    def fill(self, value: Any) -> None:
        """Set the value after reading it again."""
        self._found = weakref.ref(value)


class WeakCells:
    """The cells of a session: one for each value, so that all its users share a value that is read again."""

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
    """A reference to a dataset by its origin.

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
    def of(cls, dataset: Dataset, weak_cells: WeakCells) -> Self:
        """Return the reference to a dataset; without an origin, it keeps the dataset itself."""
        cell = weak_cells.cell(dataset, hold=not dataset.can_be_read_again)
        return cls(cell, dataset.path, dataset.example, dataset.digest, dataset.former, dataset.reading)

    def read(self, progress: Progress) -> Dataset:
        """Open it again (in a worker); `DataError` if that is not possible."""
        if self.example is not None:
            return Dataset.of_example(self.example)
        from engine.data import digest_of

        assert self.path is not None
        if not self.path.is_file():
            raise DataError(GONE, source=str(self.path))
        # compare bytes first: reordered rows are the same data, but changes by hand use row numbers
        same = digest_of(self.path, progress=part(progress, 0.0, 0.1)) == self.former
        dataset = read_dataset(self.path, self.reading, part(progress, 0.1, 1.0)) if same else None
        if dataset is None or (dataset.digest, dataset.former) != (self.digest, self.former):
            raise DataError(CHANGED, source=str(self.path))
        return dataset


@dataclasses.dataclass(frozen=True, eq=False)
class KeptChoice:
    """A choice about data without the records that were read.

    Attributes
    ----------
    choice : DataChoice
        The choice without records.
    cells : dict of WeakCell
        Cells of the records, by field name.
    """

    choice: DataChoice
    cells: dict[tuple[str, ...], WeakCell]

    @classmethod
    def of(cls, choice: DataChoice, weak_cells: WeakCells) -> Self:
        """Return the reference for a choice."""
        results = found_in(choice)
        cells = {names: weak_cells.cell(value) for names, value in results.items()}
        return cls(with_found(choice, dict.fromkeys(results)), cells)

    @property
    def whole(self) -> DataChoice | None:
        """The choice with all its records; None if some of them were freed."""
        results = {names: cell.value for names, cell in self.cells.items()}
        return None if any(value is None for value in results.values()) else with_found(self.choice, results)

    def is_found_in(self, choice: DataChoice) -> bool:
        """Return whether a choice has exactly the records of these cells."""
        results = found_in(choice)
        return results.keys() == self.cells.keys() and all(
            results[names] is cell.value for names, cell in self.cells.items()
        )


def found_in(choice: DataChoice) -> Found:
    """Return the records of a choice and of the choices inside it."""
    results: Found = {(name,): getattr(choice, name) for name in choice.names(FOUND)}
    for name, value in values_of(choice).items():
        if isinstance(value, DataChoice):
            results |= {(name, *names): inner for names, inner in found_in(value).items()}
    return {names: value for names, value in results.items() if value is not None}


def with_found(choice: DataChoice, results: Found) -> DataChoice:
    """Return a choice with other records."""
    values: Fields = {names[0]: value for names, value in results.items() if len(names) == 1}
    inner: dict[str, Found] = {}
    for (name, *names), value in results.items():
        if names:
            inner.setdefault(name, {})[tuple(names)] = value
    values |= {name: with_found(getattr(choice, name), parts) for name, parts in inner.items()}
    return dataclasses.replace(choice, **values)


class KeptFields:
    """Values of fields of a session; data are kept as references.

    Parameters
    ----------
    page : str
        The page of the fields.
    fields : dict
    dataset : Dataset or None
        The open dataset of these fields.
    weak_cells : WeakCells

    Attributes
    ----------
    plain : dict
        Fields that hold no data.
    """

    def __init__(self, page: str, fields: Fields, dataset: Dataset | None, weak_cells: WeakCells) -> None:
        self._page = page
        self.plain: Fields = {}
        self._choices: dict[str, KeptChoice] = {}
        self._dataset = None if dataset is None else KeptDataset.of(dataset, weak_cells)
        self._datasets: dict[str, KeptDataset] = {}
        for name, value in fields.items():
            if isinstance(value, DataChoice):
                self._choices[name] = KeptChoice.of(value, weak_cells)
            elif isinstance(value, Dataset):
                self._datasets[name] = KeptDataset.of(value, weak_cells)
            else:
                self.plain[name] = value

    def values(self) -> Fields | None:
        """Return the values; None if some data must be read again."""
        values: Fields = {name: choice.whole for name, choice in self._choices.items()}
        values |= {name: dataset.cell.value for name, dataset in self._datasets.items()}
        return None if None in values.values() else {**self.plain, **values}

    def read(self, progress: Progress) -> list[tuple[WeakCell, Any]]:
        """Read all freed data again (in a worker); return each with its cell.

        Raises
        ------
        DataError
            If a file is missing or has changed.
        """
        opened: dict[WeakCell, Dataset] = {}
        for kept in (*self._datasets.values(), self._dataset if self._choices else None):
            if kept is not None and kept.cell.value is None and kept.cell not in opened:
                opened[kept.cell] = kept.read(part(progress, 0.0, 0.8))
        results: list[tuple[WeakCell, Any]] = list(opened.items())
        if not self._choices:
            return results
        assert self._dataset is not None
        dataset, begun = self._dataset.cell.value or opened[self._dataset.cell], 0.8 if opened else 0.0
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
    """The newest database of each kind, kept while its source is in use; shared by all workers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, _Made] = {}
        self._left: list[weakref.ref[Database]] = []

    def left(self) -> list[weakref.ref[Database]]:
        """Return the dropped databases that are still in memory, and stop tracking them."""
        left, self._left = _living(self._left), []
        return left

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`; made only if it is not the newest of its kind."""
        with self._lock:
            made = self._same(source)
            if made.database is None:
                made.database = source.build()
            return made.database

    def newest(self, source: DatasetBuilder) -> DatasetBuilder:
        """Return the newest source if it is the same, to reuse its cached public facts."""
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
        """Drop databases that none of these sources makes; one in the making is not kept either."""
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
    """Clear cached results about a database: they refer to it and would keep it alive."""
    if made.database is not None:
        from engine.analysis.memory import forget

        forget(made.database)


def _living(references: list[weakref.ref[Database]]) -> list[weakref.ref[Database]]:
    return [reference for reference in references if reference() is not None]
