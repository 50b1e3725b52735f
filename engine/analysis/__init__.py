"""Analyses: one function and one frozen result for each thing that window, command line and scripts show.

The names are those of ``__init__.pyi``; a module is imported when one of its names is first asked for.
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
