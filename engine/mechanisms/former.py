"""Former names of attributes and methods of mechanisms, which plug-ins still read and override."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.former_names import FORMER_HOOKS, FORMER_PARTS, REPLACED_HOOKS

_READ: dict[str, Callable[[Any], Any]] = {
    "asked": lambda mechanism: getattr(mechanism, "query", mechanism),
    "effort": lambda mechanism: lambda domain, n: mechanism.resources(domain, n).seconds,
    "exact": lambda mechanism: not mechanism.inexact,
    "memory": lambda mechanism: lambda domain, n: mechanism.resources(domain, n).memory,
    "resolve_noise": lambda mechanism: mechanism.resolve,
    "true_value": lambda mechanism: lambda prepared, data, *progress: prepared.true_value(*progress),
}
"""Former names that scripts may read but classes cannot override."""


def find_former(mechanism: Any, name: str) -> Any:
    """Return the attribute that a former name stands for; raise `AttributeError` for any other name."""
    if name in FORMER_HOOKS:
        return getattr(mechanism, FORMER_HOOKS[name])
    if name in FORMER_PARTS:
        value, part = FORMER_PARTS[name]
        return getattr(getattr(mechanism, value), part)
    if name in _READ:
        return _READ[name](mechanism)
    return object.__getattribute__(mechanism, name)


def adopt_former(cls: type[Any]) -> None:
    """Move what a class defines under former names to the present names.

    Raises
    ------
    TypeError
        For a method that is no longer called: its decision, such as the noise, would be lost.
    """
    own = {name for name, stated in vars(cls).items() if not isinstance(stated, dataclasses.Field)}
    for former in REPLACED_HOOKS.keys() & own:
        raise TypeError(f"{cls.__name__}.{former} is no longer called; define `{REPLACED_HOOKS[former]}`")
    for former in FORMER_HOOKS.keys() & own:
        setattr(cls, FORMER_HOOKS[former], vars(cls)[former])
    stated = FORMER_PARTS.keys() & own
    for value in {FORMER_PARTS[former][0] for former in stated}:
        parts = {former: part for former, (kind, part) in FORMER_PARTS.items() if kind == value}
        setattr(cls, value, _with(cls, value, {former: parts[former] for former in parts.keys() & stated}))


def _with(cls: type[Any], value: str, parts: dict[str, str]) -> Any:
    """Return the value with the parts that a class defines; a property if a part needs an instance."""
    inherited: Any = inspect.getattr_static(cls, value)
    get: Any = inherited.fget if isinstance(inherited, property) else lambda owner: inherited

    def replaced(owner: Any) -> Any:
        result = copy.copy(get(owner))
        vars(result).update({part: getattr(owner, former) for former, part in parts.items()})
        return result

    of_objects = (inherited, *(vars(cls)[former] for former in parts))
    is_property = any(isinstance(one, (property, FunctionType)) for one in of_objects)
    return property(replaced) if is_property else replaced(cls)
