"""Read files as tables, columns of numbers or categories, and lists of edges; load examples.

``__init__.pyi`` lists the names; a module is imported at first access to one of its names.
"""

from typing import Any

from engine.lazy_names import listed_names, load_name

HOMES = listed_names(__file__)
"""The module of each name."""

__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    return load_name(globals(), HOMES, name)


def __dir__() -> list[str]:
    return __all__
