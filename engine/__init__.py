"""Data-dependent noise in differential privacy: sensitivity, noise, mechanisms; without any display.

``from engine import Sample, Interval, Median, SmoothRelease, Privacy`` is all that a script needs: every
public name is here, and nowhere deeper.  The names are those of ``__init__.pyi``, which type checkers and
editors read as well; a module is imported when one of its names is first asked for.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "1.0.0"

_HOMES = {
    alias.name: statement.module
    for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    if isinstance(statement, ast.ImportFrom) and statement.module
    for alias in statement.names
}

_FORMER = {"locate": "locate_facilities"}
"""Earlier names, which scripts may still import."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    present = _FORMER.get(name, name)
    if present not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[present]), present)
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
