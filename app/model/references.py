"""References in declarations to functions, classes and analyses that are loaded late.

``lambda: lazy.Name`` imports on first use; type checkers and editors can follow it.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any

Function = Callable[..., Any]
Loader = Callable[[], Function]
"""Imports and returns a function or a class."""
ClassLoader = Callable[[], type[Any]]
TextLoader = Callable[[], Callable[[Any], str]]
TextOfTwoLoader = Callable[[], Callable[[Any, Any], str]]


@dataclasses.dataclass(frozen=True, eq=False)
class Analysis:
    """A function that computes a result; its inputs have the names of its parameters.

    Inputs are the mechanism, the data, the privacy parameters, and the options of the picture. `progress`
    and `publish` are functions for progress and partial results. `released` is the newest release, and
    `records` says whether records may be shown.
    """

    load: Loader  # returns the function

    @functools.cached_property
    def function(self) -> Function:
        return self.load()

    @functools.cached_property
    def takes(self) -> frozenset[str]:
        return frozenset(inspect.signature(self.function).parameters)

    def call(self, values: Mapping[str, Any]) -> Any:
        """Return the result for the named inputs."""
        return self.function(**{name: value for name, value in values.items() if name in self.takes})


def resolve_fields(spec: Any) -> None:
    """Resolve what plug-ins give in a declaration: classes and analyses, or "package.module:name"."""
    for field in dataclasses.fields(spec):
        value, kind = getattr(spec, field.name), str(field.type).removesuffix(" | None")
        if kind == "Analysis" or kind.endswith("Loader"):
            object.__setattr__(spec, field.name, _resolve(value, kind) if value else None)


def _resolve(value: Any, kind: str) -> Any:
    load: Loader = functools.partial(resolve_name, value) if isinstance(value, str) else lambda: value
    if kind == "Analysis":
        return value if isinstance(value, Analysis) else Analysis(load)
    return load if isinstance(value, str | type) else value


def accept_former(spec: type[Any], former: Mapping[str, str]) -> None:
    """Let a declaration accept fields by their former names, for plug-ins."""
    make = spec.__init__

    @functools.wraps(make)
    def make_renamed(self: Any, *positional: Any, **named: Any) -> None:
        make(self, *positional, **{former.get(name, name): value for name, value in named.items()})

    spec.__init__ = make_renamed
