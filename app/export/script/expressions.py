"""Write values, components and domains as the expressions that make them again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import engine
from app.export.script.writing import quote
from engine.comparison import Sweep
from engine.components import Component
from engine.data.categories import CategoryDomain
from engine.data.parts import PartsDomain
from engine.domain import Box, Interval
from engine.parameters import Parameterised
from engine.privacy import Privacy


def to_code(value: Any) -> str:
    """Return an expression for a value: a number, words, a list, a domain or a component.

    >>> to_code([1.5, 500000.0, "a"]), to_code(Interval(0.0, 1e6)), to_code(None)
    ('[1.5, 500_000.0, "a"]', 'Interval(0.0, 1_000_000.0)', 'None')
    """
    match value:
        case None | bool():
            return repr(value)
        case str():
            return quote(value)
        case int() | float() | np.integer() | np.floating():
            return _number(value)
        case list() | np.ndarray():
            return f"[{_joined(value)}]"
        case tuple():
            return f"({_joined(value)}{',' * (len(value) == 1)})"
        case Mapping():
            return f"{{{', '.join(f'{to_code(key)}: {to_code(own)}' for key, own in value.items())}}}"
        case Interval():
            step = {} if value.resolution is None else {"resolution": value.resolution}
            return call("Interval", value.lower, value.upper, **step)
        case Box():
            return call("Box.of", value.lower, value.upper)
        case CategoryDomain():
            return call("CategoryDomain", value.columns, value.labels)
        case PartsDomain():
            every = {"every": True} if value.every else {}
            return call("PartsDomain", value.values, value.groups, **every)
        case Privacy():
            return call("Privacy", epsilon=value.epsilon, **({"delta": value.delta} if value.delta else {}))
        case Sweep():
            return call("Sweep", value.name, value.values)
        case Parameterised():
            return component(value)
    raise TypeError(f"{type(value).__name__} cannot be written")


def component(value: Parameterised, **names: str) -> str:
    """Return the call that makes a component: what it needs, and the parameters that are not as usual.

    `names` are variables that hold some of the parameters already.

    >>> from engine import StudentT
    >>> component(StudentT(nu=4.0)), component(StudentT())
    ('StudentT(nu=4.0)', 'StudentT()')
    """
    settings = {
        declared.name: to_code(getattr(value, declared.name))
        for declared in value.parameters()
        if declared.asks or getattr(value, declared.name) != declared.default
    } | names
    order = [declared.name for declared in value.parameters() if declared.name in settings]
    needed = [
        to_code(getattr(value, field.name))
        for field in dataclasses.fields(value)
        if field.default is field.default_factory is dataclasses.MISSING
    ]
    arguments = [*needed, *(f"{name}={settings[name]}" for name in order)]
    return f"{type(value).__name__}({', '.join(arguments)})"


def references(value: Any) -> tuple[str, ...]:
    """Return the import paths of components and their parts, as `pkgutil.resolve_name` reads them."""
    if isinstance(value, tuple):
        return tuple(reference for one in value for reference in references(one))
    if not isinstance(value, Component):
        return ()
    parts = (getattr(value, declared.name) for declared in value.parameters() if declared.is_component)
    inside = (reference for part in parts for reference in references(part))
    return tuple(
        one
        for one in (f"{type(value).__module__}:{type(value).__name__}", *inside)
        if not one.startswith(f"{engine.__name__}.")
    )


def call(function: str, *positional: Any, **named: Any) -> str:
    arguments = [*map(to_code, positional), *(f"{name}={to_code(value)}" for name, value in named.items())]
    return f"{function}({', '.join(arguments)})"


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(map(to_code, values))


def _number(value: Any) -> str:
    """Write a number exactly, with separated thousands."""
    number = int(value) if isinstance(value, int | np.integer) else float(value)
    if isinstance(number, float) and not np.isfinite(number):
        return f'float("{number}")'
    grouped = f"{number:_}" if abs(number) >= 10_000 else repr(number)
    return grouped if isinstance(number, int) or float(grouped) == number else repr(number)
