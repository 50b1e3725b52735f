"""References of declarations to what is loaded late: functions, classes, and analyses with what they take.

A declaration names what it means by ``lambda: lazy.Name``, which type checkers and editors follow, and which
imports nothing before it is used.
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
"""Returns a function or a class, which it may import."""
ClassLoader = Callable[[], type[Any]]
TextLoader = Callable[[], Callable[[Any], str]]
TextOfTwoLoader = Callable[[], Callable[[Any, Any], str]]


@dataclasses.dataclass(frozen=True)
class Known:
    """In a declaration, stands for a value that is known by name when an analysis is called."""

    name: str


def known(name: str) -> Any:
    """Return what stands for an option, or for another value that is known by name."""
    return Known(name)


class UsualInputs(TypedDict):
    """What most analyses take."""

    mechanism: Any
    data: Any
    privacy: Any
    progress: Any


class SceneInputs(TypedDict):
    """What most pictures of a release take besides."""

    seed: Any
    released: Any
    records: Any


class AxesInputs(TypedDict):
    """The two directions of a picture of points."""

    across: Any
    up: Any


MECHANISM, DATA, PRIVACY, PROGRESS = map(known, ("mechanism", "data", "privacy", "progress"))
USUAL: UsualInputs = {"mechanism": MECHANISM, "data": DATA, "privacy": PRIVACY, "progress": PROGRESS}
"""The mechanism, the data, the budget, and a function that takes the progress of the work."""
PUBLISH, RECORDS, RELEASED = map(known, ("publish", "records", "released"))
"""Takes a result that is not complete; whether records may be seen; the newest release to be marked."""
SCENE: SceneInputs = {"seed": known("seed"), "released": RELEASED, "records": RECORDS}
"""Which simulated release is drawn, or the released value in its place; and whether records are drawn."""
AXES: AxesInputs = {"across": known("across"), "up": known("up")}


@dataclasses.dataclass(frozen=True, eq=False)
class Analysis:
    """A function that computes what is shown, and what it takes.

    Attributes
    ----------
    load : callable
        Returns the function.
    named : mapping of str to Known, or None
        What each of its parameters gets; None for what is known by the parameter's own name.
    """

    load: Loader
    named: Mapping[str, Known] | None = None

    @functools.cached_property
    def function(self) -> Function:
        """The function."""
        return self.load()

    @functools.cached_property
    def parameters(self) -> Mapping[str, str]:
        """What its parameters get: the names of known values by the names of parameters."""
        if self.named is None:
            return {name: name for name in inspect.signature(self.function).parameters}
        return {name: value.name for name, value in self.named.items()}

    @property
    def takes(self) -> frozenset[str]:
        """What it takes of all that is known, by name."""
        return frozenset(self.parameters.values())

    def call(self, values: Mapping[str, Any]) -> Any:
        """Return the result for what is known by name."""
        return self.function(
            **{name: values[value] for name, value in self.parameters.items() if value in values}
        )


class Late(Generic[P]):
    """A function that is loaded when it is first called; type checkers compare what it takes with it."""

    def __init__(self, load: Callable[[], Callable[P, Any]]) -> None:
        self._load = load

    def takes(self, *positional: P.args, **named: P.kwargs) -> Analysis:
        """Return the analysis that calls it with values that are `known` by then, all by keyword."""
        known_values = {name: value for name, value in named.items() if isinstance(value, Known)}
        if positional or len(known_values) < len(named):
            raise TypeError("each value must be given by keyword, as `known`")
        return Analysis(self._load, known_values)


def resolve_fields(spec: Any) -> None:
    """Take what plug-ins may give in a declaration: classes and analyses, or "package.module:name"."""
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
    """Have a declaration take fields by their former names, too, as plug-ins give them."""
    make = spec.__init__

    @functools.wraps(make)
    def make_renamed(self: Any, *positional: Any, **named: Any) -> None:
        make(self, *positional, **{former.get(name, name): value for name, value in named.items()})

    spec.__init__ = make_renamed
