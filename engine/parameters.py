"""Parameters declared once: the declaration validates, and draws forms and options.

A query, a noise family or a mechanism is a frozen dataclass that inherits
`Parameterised` and declares each field with `parameter(...)`.  Everything a front
end needs to know about the field (label, unit, bounds, help, source in the
literature) is in the declaration.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
from typing import Any, ClassVar, TypeVar

from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What is known about one field of a `Parameterised` dataclass.

    Attributes
    ----------
    name : str
        The field, as in code (``trim``); the command line writes ``--trim``.
    kind : str
        What it holds: "float", "int", "choice", or the family of a `Component`.
    default : object
        The value it takes when nobody says otherwise.
    label, help, unit, source : str
        Words for people; `source` names paper and statement.
    lower, upper : float or None
        Bounds, included unless `lower_open` or `upper_open`.
    choices : tuple of str
        The values of a "choice".
    advanced : bool
        Whether it is right as it is for nearly everybody; forms fold it away.
    asks : bool
        Whether it says what is asked of the data; forms begin with it, and scripts always say it.
    """

    name: str
    kind: str
    default: Any
    label: str
    help: str
    unit: str = ""
    source: str = ""
    lower: float | None = None
    upper: float | None = None
    lower_open: bool = False
    upper_open: bool = False
    choices: tuple[str, ...] = ()
    advanced: bool = False
    asks: bool = False

    @property
    def is_component(self) -> bool:
        """Whether it holds a component, such as a noise family, which has parameters of its own."""
        return isinstance(self.default, Component)

    def bounds(self) -> str:
        """Say in words which values are right."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        noun, digits = ("a whole number", ",.0f") if self.kind == "int" else ("a number", "g")
        low = self.lower is not None and f"{'above' if self.lower_open else 'at least'} {self.lower:{digits}}"
        high = self.upper is not None and f"{'below' if self.upper_open else 'at most'} {self.upper:{digits}}"
        return f"{noun} {' and '.join(part for part in (low, high) if part)}".rstrip()

    def check(self, value: Any) -> None:
        """Raise `ParameterError` unless `value` is one that this parameter can take."""
        if self.is_component:
            return
        if self.choices:
            right = value in self.choices
        else:
            right = (
                isinstance(value, numbers.Real)
                and not isinstance(value, bool)
                and math.isfinite(value)
                and (self.kind != "int" or float(value).is_integer())
                and self._above(float(value))
                and self._below(float(value))
            )
        if not right:
            raise ParameterError(self.name, f"{value!r} is not possible; it must be {self.bounds()}")

    def _above(self, value: float) -> bool:
        if self.lower is None:
            return True
        return value > self.lower if self.lower_open else value >= self.lower

    def _below(self, value: float) -> bool:
        if self.upper is None:
            return True
        return value < self.upper if self.upper_open else value <= self.upper


def parameter(*, default: Any, label: str, help: str, kind: str = "", **facts: Any) -> Any:
    """Declare a dataclass field together with what front ends must know about it.

    `kind` follows from the default (``int``, ``float``, the family of a component) or from ``choices``
    when it is not given; `facts` are the further attributes of `Parameter`.
    """
    if not kind:
        usual = default.family if isinstance(default, Component) else type(default).__name__
        kind = "choice" if facts.get("choices") else usual
    metadata = {"parameter": {"kind": kind, "label": label, "help": help, **facts}}
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class Parameterised:
    """A frozen dataclass whose declared parameters are validated when it is made."""

    def __post_init__(self) -> None:
        for declared in self.parameters():
            declared.check(getattr(self, declared.name))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declarations, in the order of the fields."""
        return tuple(
            Parameter(
                name=field.name,
                default=field.default,
                **field.metadata["parameter"],
            )
            for field in dataclasses.fields(cls)
            if "parameter" in field.metadata
        )

    @classmethod
    def plain_parameters(cls) -> tuple[Parameter, ...]:
        """Return the declarations of plain numbers and words, without components."""
        return tuple(declared for declared in cls.parameters() if not declared.is_component)

    def settings(self) -> dict[str, Any]:
        """Return the parameters that are plain numbers or words, by name."""
        return {declared.name: getattr(self, declared.name) for declared in self.plain_parameters()}


@dataclasses.dataclass(frozen=True)
class Component(Parameterised):
    """Something with a name in the catalog: a query, a noise family, a mechanism …

    A class that begins a family says so in its head, ``class Noise(Component, family="noise")``, and has
    the registry of it; `register` adds to that.

    Attributes
    ----------
    family : str
        What it is one of; the kind of parameters that hold one.
    registry : dict of str to type
        All of the family that are registered, by name.
    name : str
        Lower case with hyphens: a contract, which session files, ledgers and commands hold.
    label, summary, source : str
        Words for people; `source` names paper and statement.
    """

    family: ClassVar[str]
    registry: ClassVar[dict[str, type[Any]]]
    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""

    def __init_subclass__(cls, family: str = "", **facts: Any) -> None:
        super().__init_subclass__(**facts)
        if family:
            cls.family, cls.registry = family, {}

    @classmethod
    def part(cls, family: str) -> str:
        """Return the parameter that holds a component of a family; "" where there is none."""
        return next((known.name for known in cls.parameters() if known.kind == family), "")

    @classmethod
    def stands_alone(cls) -> bool:
        """Tell whether its name says all that is needed to make one."""
        missing = (dataclasses.MISSING, dataclasses.MISSING)
        return all((field.default, field.default_factory) != missing for field in dataclasses.fields(cls))


ComponentT = TypeVar("ComponentT", bound=Component)


def register(component: type[ComponentT]) -> type[ComponentT]:
    """Add a component to its family: from then on window, command line, files and help know it.

    Raises
    ------
    ValueError
        If another one of the family is called so.

    Examples
    --------
    >>> from typing import ClassVar
    >>> class Spice(Component, family="spice"):
    ...     name: ClassVar[str] = "pepper"
    >>> register(Spice) is Spice, Spice.registry
    (True, {'pepper': <class 'engine.parameters.Spice'>})
    """
    known = component.registry.setdefault(component.name, component)
    if known is not component:
        raise ValueError(f"a {component.family} called '{component.name}' is registered already: {known}")
    return component


def registered(*components: type[ComponentT]) -> dict[str, type[ComponentT]]:
    """Register components of one family, and return its registry."""
    for component in components:
        register(component)
    return components[0].registry
