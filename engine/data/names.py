"""Column names: number the missing ones, tell doubled ones apart, suggest similar ones for unknown ones."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from engine.errors import DataError

SHOWN = 3
"""Most names in a note."""


def tidy_name(name: str) -> str:
    """Return a column name without surrounding blanks and line breaks."""
    return " ".join(name.split())


def is_number(name: str) -> bool:
    """Tell whether a text is a number: such names are probably a record below a missing header."""
    try:
        float(name)
    except ValueError:
        return False
    return True


def name_columns(names: Sequence[str]) -> list[str]:
    """Return a distinct name for each column.

    A column without a name is called by its number: "column 2".  A name that occurs again gets a number: "b",
    "b 2".  Neither takes a name that another column has.
    """
    if all(names) and len(set(names)) == len(names):
        return list(names)
    taken, seen = {name for name in names if name}, set[str]()
    result = []
    for index, name in enumerate(names, start=1):
        chosen = base = name or f"column {index}"
        if name in seen or (not name and base in taken):
            number = 2
            while f"{base} {number}" in taken:
                number += 1
            chosen = f"{base} {number}"
        seen.add(name)
        taken.add(chosen)
        result.append(chosen)
    return result


def rename_columns(data: Any, columns: Sequence[str] | None = None) -> Any:
    """Return an Arrow table with distinct names; only some columns if they are given."""
    names = name_columns(data.column_names)
    renamed = data if names == data.column_names else data.rename_columns(names)
    return renamed.select(list(columns)) if columns else renamed


def notes_on_names(given: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return notes about the names that `name_columns` gave to columns."""
    pairs = list(zip(given, names, strict=True))
    unnamed = [name for before, name in pairs if not before]
    again = [name for before, name in pairs if before and name != before]
    notes = []
    if unnamed:
        notes.append(f"columns without a name are called {_some(unnamed)}")
    if again:
        notes.append(f"columns with a name that another column has are called {_some(again)}")
    return tuple(notes)


def _some(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names[:SHOWN]) + (", …" if len(names) > SHOWN else "")


SINGLE_NAME = (
    "a name occurs in one record only, so it could reveal the record; remove it from the file, or write it "
    "in another record, too"
)


def problem_of_names(occurrences: Iterable[str], records: int, declared: Iterable[str] = ()) -> str:
    """Return why no release may be made of records that bring their own names; "" if one may.

    The file itself declares the `declared` names.
    """
    counts = Counter(occurrences)
    single = {name for name, count in counts.items() if count == 1 < records}
    return SINGLE_NAME if single.difference(declared) else ""


def check_names(names: Sequence[str], source: str, row: int | None = None) -> None:
    """Raise `DataError` unless there are names and each is distinct and not empty."""
    if not names:
        raise DataError("there are no columns; at least one is needed", source=source)
    places: dict[str, int] = {}
    for index, name in enumerate(names, start=1):
        if not name:
            raise DataError(
                f"the name of column {index} is empty; give every column a name",
                source=source,
                row=row,
            )
        if places.setdefault(name, index) != index:
            raise DataError(
                f"columns {places[name]} and {index} have the same name; give each column its own name",
                source=source,
                row=row,
                column=name,
            )


def check_known(wanted: Sequence[str], names: Sequence[str], source: str) -> None:
    """Raise `DataError` with the nearest names unless every wanted column exists."""
    for name in wanted:
        if name not in names:
            nearest = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or list(names[:5])
            raise DataError(f"there is no column '{name}'; try {', '.join(nearest)}", source=source)
