"""Lines of Python that scripts about several kinds of data have."""

from __future__ import annotations

from typing import Any

from app.model.kinds.base import DataChoice
from app.model.kinds.kind import Write

LOOKED = "# They were taken from the data: strictly, no guarantee holds."


def missing_argument(choice: DataChoice, write: Write) -> str:
    """Return the argument that says what is done about missing values, where it is not as usual."""
    return "" if choice.missing == "refuse" else f", missing={write(choice.missing)}"


def looked_lines(choice: DataChoice) -> list[str]:
    """Return the line that says that public facts are none."""
    return [LOOKED] if choice.bounds_source == "looked" else []


def bounds_lines(choice: DataChoice, source: Any, write: Write) -> list[str]:
    """Return the lines that make `bounds`."""
    return [f"bounds = {write(source.domain)}", *looked_lines(choice)]
