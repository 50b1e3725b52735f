"""Registry of file formats, in the order of recognition."""

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
    """Register a file format for the window, the command line and Python.

    Parameters
    ----------
    one : FileFormat
        It is tried before other text formats, or after other binary ones.
    after : str
        The format that precedes it in lists; by default it is last.

    Returns
    -------
    FileFormat
        The same format.

    Raises
    ------
    ValueError
        If another format has this name.

    See Also
    --------
    FileFormat, read_table

    Examples
    --------
    `FileFormat` has an example of a format; registering a known one changes nothing.

    >>> register_format(FORMATS["parquet"]).suffixes[0]
    '.parquet'
    """
    if FORMATS.setdefault(one.name, one) is not one:
        raise ValueError(f"there is another format with the name {one.name!r}")
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
    """Let large files of a format be read in place: see `FileFormat`."""
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
    """Return the binary formats, in the order of recognition."""
    return [one for one in FORMATS.values() if not one.is_text]


def text_formats() -> list[FileFormat]:
    """Return the text formats; the last one accepts everything."""
    return [one for one in FORMATS.values() if one.is_text][::-1]


def find_format(file: DataFile, formats: Iterable[FileFormat]) -> FileFormat | None:
    """Return the format of a file; None if it has none of these."""
    return next((one for one in formats if one.recognised(file)), None)


def suffixes(*, graphs: bool) -> tuple[str, ...]:
    """Return suffixes of file names: only of graph formats, or of other formats; packed ones too."""
    from engine.data.unpacking import PACKINGS

    results = [end for one in FORMATS.values() if graphs or not one.of_graphs for end in one.suffixes]
    packed = [end for packing in PACKINGS for end in packing.suffixes]
    return tuple(dict.fromkeys([*results, *packed]))


complete(__name__)
