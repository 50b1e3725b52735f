"""Lines of Python that scripts about several kinds of data have."""

from __future__ import annotations

from typing import Any

from app.model.kinds.base import DataChoice
from app.model.kinds.kind import DataKind, Write

LOOKED = "# They were taken from the data: strictly, no guarantee holds."


def missing_argument(kind: DataKind[Any], choice: Any, write: Write) -> str:
    """Return the arguments that say what is done about missing values, where it is not as usual."""
    if choice.missing == "refuse":
        return ""
    said = f", missing={write(choice.missing)}"
    if choice.missing != "fill":
        return said
    values = [choice.fills[name] for name in kind.filled_columns(choice)]
    if kind.coordinates(choice):
        return f"{said}, fill={write(values)}"
    return said + "".join(f", fill={write(value)}" for value in values)


def looked_lines(choice: DataChoice) -> list[str]:
    """Return the line that says that public facts are none."""
    return [LOOKED] if choice.bounds_source == "looked" else []


def bounds_lines(choice: DataChoice, source: Any, write: Write) -> list[str]:
    """Return the lines that make `bounds`."""
    return [f"bounds = {write(source.domain)}", *looked_lines(choice)]
