"""The private steps that mechanisms consist of, and their accounting.

``__init__.pyi`` lists the names; a module is imported at first access to one of its names.
"""

from typing import Any

from engine.lazy_names import listed_names, load_name

HOMES = listed_names(__file__)
"""The module of each name."""

__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    return load_name(globals(), HOMES, name)
