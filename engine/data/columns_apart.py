"""The columns of a large file one after the other: what needs all of them need not hold all of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from engine.data.formats.columnar import names_and_rows
from engine.data.reading import read_table
from engine.errors import DataError
from engine.progress import Progress


class ColumnsApart:
    """The columns of a Parquet or Feather file, each read when it is asked for; none is kept.

    Attributes
    ----------
    n : int
    names : list of str
    vertices : tuple of str
        None: only GraphML declares them.
    """

    vertices: tuple[str, ...] = ()

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._before = self._stamp()
        self.names, self.n = names_and_rows(self._path)

    def column(self, name: str, progress: Progress) -> Any:
        """Read a column, as Arrow holds it; `DataError` if the file is no longer what it was."""
        result = read_table(self._path, progress, columns=[name]).data.column(name)
        self.check()
        return result

    def check(self) -> None:
        """Raise `DataError` if the file was written to since this was made."""
        if self._stamp() != self._before:
            raise DataError("it was changed while it was read; read it again", source=self._path.name)

    def _stamp(self) -> tuple[int, ...]:
        try:
            stat = self._path.stat()
        except OSError as error:
            raise DataError(
                f"it cannot be read: {error.strerror or error}; choose another file", source=str(self._path)
            ) from None
        return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns
