"""The names of columns: distinct, not empty, and close ones offered for unknown ones."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from engine.errors import DataError


def tidy_name(name: str) -> str:
    """Return a column name without surrounding blanks and line breaks."""
    return " ".join(name.split())


def is_number(name: str) -> bool:
    """Tell whether a name is a number, as a cell below a forgotten name would be."""
    try:
        float(name)
    except ValueError:
        return False
    return True


def check_names(names: Sequence[str], source: str, row: int | None = None, *, shown: bool = True) -> None:
    """Raise `DataError` unless there are names and each is distinct and not empty.

    Where it is not certain that they are names they are not `shown`.
    """
    other = "" if shown else ", or state that there are none (header 0)"
    if not names:
        raise DataError("there are no columns; at least one is needed", source=source)
    places: dict[str, int] = {}
    for index, name in enumerate(names, start=1):
        if not name:
            raise DataError(
                f"the name of column {index} is empty; give every column a name{other}",
                source=source,
                row=row,
            )
        if places.setdefault(name, index) != index:
            raise DataError(
                f"the name stands twice, over columns {places[name]} and {index}; "
                f"give each column a name of its own{other}",
                source=source,
                row=row,
                column=name if shown else None,
            )


def check_known(wanted: Sequence[str], names: Sequence[str], source: str) -> None:
    """Raise `DataError` with the nearest names unless every wanted column exists."""
    for name in wanted:
        if name not in names:
            nearest = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or list(names[:5])
            raise DataError(f"there is no column '{name}'; try {', '.join(nearest)}", source=source)
