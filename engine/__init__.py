"""Data-dependent noise in differential privacy: sensitivity, noise, mechanisms; without any display.

``from engine import Sample, Interval, Median, SmoothRelease, Privacy`` is all that a script needs.  The names
are those of ``__init__.pyi``, which type checkers and editors read as well; a module is imported when one of
its names is first asked for.  The extras at the end of that list are found, but not listed by ``dir``.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "1.0.0"


def _homes(stub: str) -> dict[str, str]:
    """Return the module of each name that some lines of the stub import."""
    imports = [line for line in ast.parse(stub).body if isinstance(line, ast.ImportFrom) and line.module]
    return {alias.name: str(line.module) for line in imports for alias in line.names}


# the stub annotates _EXTRAS between the two lists
_HOMES, _EXTRAS = map(_homes, Path(__file__).with_suffix(".pyi").read_text("utf-8").split("_EXTRAS: "))

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    module, former = _HOMES.get(name) or _EXTRAS.get(name), name
    if module is None:
        from engine.former_names import FORMER_NAMES

        if name not in FORMER_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, former = FORMER_NAMES[name].partition(":")
    value = globals()[name] = getattr(import_module(module), former)
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
