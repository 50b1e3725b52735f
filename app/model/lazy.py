"""Classes and functions of higher packages that declarations name; each is imported on first use.

``lazy.pyi`` lists them for type checkers and editors.
"""

from typing import Any

from engine.lazy_names import listed_names, load_name

HOMES = listed_names(__file__)
"""The module of each name."""


def __getattr__(name: str) -> Any:
    return load_name(globals(), HOMES, name)
