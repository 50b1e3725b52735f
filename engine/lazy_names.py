"""Import a module of a package at first access to one of its names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any


def listed_names(package_file: str) -> dict[str, str]:
    """Return the modules of the names that the stub beside a package's ``__init__.py`` lists, by name."""
    lines = map(str.split, Path(package_file).with_suffix(".pyi").read_text("utf-8").splitlines())
    return {line[3]: line[1] for line in lines if line[:1] == ["from"] and "as" in line}


def offer_names(
    package: MutableMapping[str, Any],
) -> tuple[dict[str, str], list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``HOMES``, ``__all__``, ``__getattr__`` and ``__dir__`` of a package with a stub."""
    homes = listed_names(package["__file__"])
    names = sorted(homes)
    return homes, names, partial(load_name, package, homes), names.copy


def unknown_name(package: str, name: str, known: Iterable[str]) -> str:
    """Say that a package has no such name, and which similar ones it has."""
    import difflib

    matches = difflib.get_close_matches(name, known, n=3)
    advice = f"; try {', '.join(matches)}" if matches else ""
    return f"module {package!r} has no attribute {name!r}{advice}"


def load_name(package: MutableMapping[str, Any], homes: Mapping[str, str], name: str) -> Any:
    """Import a name and add it to its package's namespace; its home is ``module`` or ``module:name``.

    Raises
    ------
    AttributeError
        If the name has no home.
    """
    if name not in homes:
        raise AttributeError(unknown_name(package["__name__"], name, homes))
    module, _, own_name = homes[name].partition(":")
    value = package[name] = getattr(import_module(module), own_name or name)
    return value
