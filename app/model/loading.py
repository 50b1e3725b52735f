"""Reading data for a page: a file, what is chosen of it, or a bundled example (in a worker)."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, NamesInDoubt
from engine.progress import Progress, part


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
