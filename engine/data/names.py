"""Check column names: distinct and not empty; suggest similar names for unknown ones."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from engine.errors import DataError


def tidy_name(name: str) -> str:
    """Return a column name without surrounding blanks and line breaks."""
    return " ".join(name.split())


def is_number(name: str) -> bool:
    """Tell whether a name is a number, and so probably a record below a missing header."""
    try:
        float(name)
    except ValueError:
        return False
    return True


def check_names(names: Sequence[str], source: str, row: int | None = None, *, shown: bool = True) -> None:
    """Raise `DataError` unless there are names and each is distinct and not empty.

    Names that could be a record appear only in the confidential part (`shown` is false).
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
                f"columns {places[name]} and {index} have the same name; give each column its own "
                f"name{other}",
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
