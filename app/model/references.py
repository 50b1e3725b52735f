"""References in declarations to functions, classes and analyses that are loaded late.

``lambda: lazy.Name`` imports on first use; type checkers and editors can follow it.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any, Generic, ParamSpec, TypedDict

P = ParamSpec("P")
Function = Callable[..., Any]
Loader = Callable[[], Function]
"""Imports and returns a function or a class."""
ClassLoader = Callable[[], type[Any]]
TextLoader = Callable[[], Callable[[Any], str]]
TextOfTwoLoader = Callable[[], Callable[[Any, Any], str]]


@dataclasses.dataclass(frozen=True)
class Known:
    """Placeholder in a declaration for an input of an analysis."""

    name: str


def known(name: str) -> Any:
    """Return the placeholder for an option or another input with this name."""
    return Known(name)


class UsualInputs(TypedDict):
    """Inputs of most analyses."""

    mechanism: Any
    data: Any
    privacy: Any
    progress: Any


class SceneInputs(TypedDict):
    """Further inputs of most pictures of a release."""

    seed: Any
    released: Any
    records: Any


class AxesInputs(TypedDict):
    """The two directions of a picture of points."""

    across: Any
    up: Any


MECHANISM, DATA, PRIVACY, PROGRESS = map(known, ("mechanism", "data", "privacy", "progress"))
USUAL: UsualInputs = {"mechanism": MECHANISM, "data": DATA, "privacy": PRIVACY, "progress": PROGRESS}
"""The mechanism, the data, the budget, and a function that reports progress."""
PUBLISH, RECORDS, RELEASED = map(known, ("publish", "records", "released"))
"""A function for partial results; whether records may be shown; the newest release, to mark it."""
SCENE: SceneInputs = {"seed": known("seed"), "released": RELEASED, "records": RECORDS}
"""The seed of a simulated release, or the released value instead; and whether to draw records."""
AXES: AxesInputs = {"across": known("across"), "up": known("up")}


@dataclasses.dataclass(frozen=True, eq=False)
class Analysis:
    """A function that computes a result, with its inputs.

    Attributes
    ----------
    load : callable
        Returns the function.
    named : mapping of str to Known, or None
        Input for each parameter; None if every parameter has the name of its input.
    """

    load: Loader
    named: Mapping[str, Known] | None = None

    @functools.cached_property
    def function(self) -> Function:
        """The function."""
        return self.load()

    @functools.cached_property
    def parameters(self) -> Mapping[str, str]:
        """Input names by parameter name."""
        if self.named is None:
            return {name: name for name in inspect.signature(self.function).parameters}
        return {name: value.name for name, value in self.named.items()}

    @property
    def takes(self) -> frozenset[str]:
        """Names of all its inputs."""
        return frozenset(self.parameters.values())

    def call(self, values: Mapping[str, Any]) -> Any:
        """Return the result for the named inputs."""
        return self.function(
            **{name: values[value] for name, value in self.parameters.items() if value in values}
        )


class Late(Generic[P]):
    """A function loaded at its first call; type checkers compare its parameters with the inputs."""

    def __init__(self, load: Callable[[], Callable[P, Any]]) -> None:
        self._load = load

    def takes(self, *positional: P.args, **named: P.kwargs) -> Analysis:
        """Return the analysis that calls it with `known` inputs, all by keyword."""
        known_values = {name: value for name, value in named.items() if isinstance(value, Known)}
        if positional or len(known_values) < len(named):
            raise TypeError("each value must be given by keyword, as `known`")
        return Analysis(self._load, known_values)


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
