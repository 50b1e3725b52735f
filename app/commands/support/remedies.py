"""Adds to an error the options that mend it; the engine itself knows only parameters."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence

from engine.data.reading_options import OPTIONS
from engine.errors import DataError, ParameterError, SensiscopeError, UnknownName

_ADVICE = re.compile(r"\b(?:state|choose|read|leave|declare|store) ")
"""Begins the part of a message that asks the user to state something about a file."""

_NO_NUMBER = r"\bthe value is not a number\b"

_SUBJECTS = {
    **{name: rf"\b(?:{name}|{re.escape(option.label.lower())})\b" for name, option in OPTIONS.items()},
    "missing-values": rf"\bstate it as missing\b|{_NO_NUMBER}",
    "type": r"\bits type\b|\bas (?:a category|numbers|days|hours)\b|\bstored as text\b",
    "missing": r"\bmissing values\b",
    "column": r"\bchoose [^;]*\bcolumn\b",
    "vertices": r"\bvertices\b",
    "categories": r"\bdeclared categories\b",
    "unseen": r"\bcount undeclared values\b",
}
"""The words of such a message that each option about data answers."""

_STATED = re.compile(rf'\b({"|".join((*OPTIONS, "duplicates", "loops"))})="([^"]*)"')
"""A value of an option as Python states it: header="1"."""

_RENAMED = {"types": "type"}
"""Parameters whose option has another name."""

_UNKNOWN_COLUMN = re.compile(r"there is no column '(.*)'; try ")

_FIRST_ROWS = 3
"""A cell that is no number, in one of these rows, can belong to the header."""

_WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def with_options(error: SensiscopeError, known: Collection[str], argv: Sequence[str] = ()) -> str:
    """Return the message of an error with the options that mend it; only those that the command has.

    `argv`: the arguments of the command; they tell which option has the name of an unknown column.
    """
    text = str(error)
    if isinstance(error, ParameterError):
        name = _RENAMED.get(error.field, error.field).replace("_", "-")
        return f"--{name}: {error.problem}" if f"--{name}" in known else text
    if isinstance(error, UnknownName):
        return f"--{error.kind}: {text}" if f"--{error.kind}" in known else text
    if not isinstance(error, DataError):
        return text
    text = _STATED.sub(lambda stated: f"--{stated[1]} {shlex.quote(stated[2])}", text)
    named = [option for option in _mending(error, argv) if option in known and option not in text]
    return f"{text} ({', '.join(named)})" if named else text


def _mending(error: DataError, argv: Sequence[str]) -> Iterator[str]:
    """Yield the options that mend an error in a file."""
    unknown = _UNKNOWN_COLUMN.match(error.problem)
    if unknown is not None:
        yield from _options_with(unknown[1], argv)
    if not _ADVICE.search(error.problem):
        return
    for name, pattern in _SUBJECTS.items():
        if re.search(pattern, error.problem):
            yield f"--{name}"
    if re.search(_NO_NUMBER, error.problem):
        if error.row is not None and error.row <= _FIRST_ROWS:
            yield "--header"
        if (error.source or "").lower().endswith(_WORKBOOKS):
            yield "--range"


def _options_with(name: str, argv: Sequence[str]) -> Iterator[str]:
    """Yield the first option of a command whose value is a name, or lists it."""
    option = ""
    for argument in argv:
        value = argument
        if argument.startswith("--"):
            option, _, value = argument.partition("=")
        if option and name in (value, *re.split("[,=:]", value)):
            yield option
            return
