"""The names of `sensiscope` for type checkers and editors: those of `engine`, and `view`."""

from os import PathLike
from typing import Any

from engine import *
from engine import Release

__version__: str

def view(
    data: Any = None,
    *,
    name: str = "data",
    theme: str | None = None,
    ledger: str | PathLike[str] | None = None,
) -> tuple[Release, ...]: ...
