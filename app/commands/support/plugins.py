"""Loads the plug-ins when the program starts, and reports those that fail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.commands.support.console import remark
from app.model.additions import left_out
from engine.components import Component
from engine.parameters import plain_parameters
from engine.plugins import Plugin, load_plugins

REGISTRIES = ("app.model.pages.registry", "app.releases.registry", "engine.data.formats.registry")
"""Modules that import every registry."""


def start_plugins() -> tuple[Plugin, ...]:
    """Load all plug-ins, and report on standard error those that fail."""
    plugins = load_plugins(REGISTRIES, refuse_ambiguous_options)
    for line in left_out():
        remark("warning", line)
    return plugins


def refuse_ambiguous_options(added: list[Any]) -> None:
    """Raise `ValueError` if an option of a kind of data is also a parameter of a component.

    Components may share parameters, and kinds of data may share options. A new kind of data with options is
    compared with all components, which are imported for that.
    """
    from app.model.kinds.kind import DataKind
    from app.model.kinds.registry import KINDS
    from engine.catalog import FAMILIES

    components = [one for one in added if isinstance(one, type) and issubclass(one, Component)]
    kinds = [one for one in added if isinstance(one, DataKind) and one.options]
    _refuse_shared(components, KINDS.values())
    if kinds:
        _refuse_shared([one for registry in FAMILIES.values() for one in registry.values()], kinds)


def _refuse_shared(components: Iterable[Any], kinds: Iterable[Any]) -> None:
    """Raise `ValueError` for the first parameter of a component that has the name of an option."""
    from app.model.kinds.options import WHERE

    owners: dict[str, str] = {}
    for kind in kinds:
        for option in kind.options:
            owners.setdefault(option.name, kind.name)
    owners.pop(WHERE.name, None)  # a condition is a parameter of some components, too
    for component in components:
        for parameter in plain_parameters(component):
            option = parameter.name.replace("_", "-")
            if option in owners:
                raise ValueError(
                    f"--{option} would mean two things: a parameter of the {component.family} "
                    f"'{component.name}', and an option of the data '{owners[option]}'; choose another name"
                )
