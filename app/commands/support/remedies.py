"""Adds to an error the options that mend it; the engine itself knows only parameters."""

from __future__ import annotations

import re
from collections.abc import Collection

from engine.data.reading_options import OPTIONS
from engine.errors import DataError, ParameterError, SensiscopeError, UnknownName

_ADVICE = re.compile(r"\b(?:state|choose|read|leave) ")
"""Begins the part of a message that asks the user to state something about a file."""

_SUBJECTS = {
    **{name: rf"\b(?:{name}|{re.escape(option.label.lower())})\b" for name, option in OPTIONS.items()},
    "type": r"\bits type\b|\bas (?:a category|numbers|days|hours)\b",
    "missing": r"\bmissing values\b",
    "column": r"\bchoose [^;]*\bcolumn\b",
    "vertices": r"\bvertices\b",
}
"""The words of such a message that each option about data answers."""

_STATED = re.compile(rf'\b({"|".join((*OPTIONS, "duplicates", "loops"))})="([^"]*)"')
"""A value of an option as Python states it: header="1"."""

_RENAMED = {"types": "type"}
"""Parameters whose option has another name."""


def with_options(error: SensiscopeError, known: Collection[str]) -> str:
    """Return the message of an error with the options that mend it; only those that the command has."""
    text = str(error)
    if isinstance(error, ParameterError):
        name = _RENAMED.get(error.field, error.field).replace("_", "-")
        return f"--{name}: {error.problem}" if f"--{name}" in known else text
    if isinstance(error, UnknownName):
        return f"--{error.kind}: {text}" if f"--{error.kind}" in known else text
    if not isinstance(error, DataError):
        return text
    text = _STATED.sub(r"--\1 \2", text)
    subjects = _SUBJECTS if _ADVICE.search(error.problem) else {}
    options = [f"--{name}" for name, pattern in subjects.items() if re.search(pattern, error.problem)]
    named = [option for option in options if option in known and option not in text]
    return f"{text} ({', '.join(named)})" if named else text
