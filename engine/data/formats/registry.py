"""All formats of files, in the order in which a file is asked whether it is one of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from engine.data.formats import columnar, delimited, graphml
from engine.data.formats.file_format import DataFile, FileFormat, StaysInFile, always
from engine.plugins import complete, watched
from engine.progress import Progress

FORMATS: dict[str, FileFormat] = watched({})
"""By name, the usual ones first."""


def register_format(one: FileFormat, *, after: str = "") -> FileFormat:
    """Let files of a format be opened, in the window as on the command line and in Python.

    Parameters
    ----------
    one : FileFormat
        It is asked whether a file is of it before other text formats, and after other binary ones.
    after : str
        The name of the format after which lists have it; last by default.

    Returns
    -------
    FileFormat
        The same.

    Raises
    ------
    ValueError
        If another format is called so.

    Examples
    --------
    `FileFormat` has an example of a format; registering one that is there changes nothing.

    >>> register_format(FORMATS["parquet"]).suffixes[0]
    '.parquet'
    """
    if FORMATS.setdefault(one.name, one) is not one:
        raise ValueError(f"there is another format called {one.name!r}")
    if after in FORMATS:
        names = [name for name in FORMATS if name != one.name]
        names.insert(names.index(after) + 1, one.name)
        ordered = {name: FORMATS[name] for name in names}
        FORMATS.clear()
        FORMATS.update(ordered)
    return one


def leave_in_file(
    name: str,
    stored: Callable[[DataFile, Progress], StaysInFile],
    may_stay: Callable[[DataFile], bool] = always,
) -> None:
    """Let large files of a format be read piece by piece: see `FileFormat`."""
    FORMATS[name] = dataclasses.replace(FORMATS[name], stored=stored, may_stay=may_stay)


for _format in (
    delimited.FORMAT,
    graphml.FORMAT,
    columnar.PARQUET,
    columnar.FEATHER,
    columnar.ARROW_STREAM,
    columnar.ORC,
):
    register_format(_format)


def binary_formats() -> list[FileFormat]:
    """Return the formats that are no text, in the order in which a file is asked."""
    return [one for one in FORMATS.values() if not one.is_text]


def text_formats() -> list[FileFormat]:
    """Return the formats of text, the last of which takes everything."""
    return [one for one in FORMATS.values() if one.is_text][::-1]


def find_format(file: DataFile, formats: Iterable[FileFormat]) -> FileFormat | None:
    """Return the format of a file, None if it has none of these."""
    return next((one for one in formats if one.recognised(file)), None)


def suffixes(*, graphs: bool) -> tuple[str, ...]:
    """Return how the names of files end, with those that hold graphs alone or without; packed ones too."""
    from engine.data.unpacking import PACKINGS

    results = [end for one in FORMATS.values() if graphs or not one.of_graphs for end in one.suffixes]
    packed = [end for packing in PACKINGS for end in packing.suffixes]
    return tuple(dict.fromkeys([*results, *packed]))


complete(__name__)
