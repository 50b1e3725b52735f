"""What a declaration names without importing it: "package.module:name", found when it is needed."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any


def resolve(reference: str) -> Any:
    """Return what a reference names.

    >>> resolve("engine.privacy:Privacy").__name__
    'Privacy'
    """
    return resolve_name(reference)


def module_of(reference: str) -> str:
    """Return the module of a reference.

    >>> module_of("engine.privacy:Privacy")
    'engine.privacy'
    """
    return reference.partition(":")[0]
