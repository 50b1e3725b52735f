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
from typing import Any

from engine.errors import ParameterError

COMPONENTS = ("query", "noise", "function", "sampling", "aggregator")

TYPES: dict[str, type] = {"bool": bool, "text": str}
"""The types of what is neither a number nor one of a few words."""

WORDS = {"bool": "true or false", "text": "a text"}

KINDS: dict[type, str] = {str: "text"}
"""The kind of a parameter whose default is of a type, where it is not called like that."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What is known about one field of a `Parameterised` dataclass.

    Attributes
    ----------
    name : str
        The field, as in code (``trim``); the command line writes ``--trim``.
    kind : {"float", "int", "bool", "text", "choice", "query", "noise", "function", "sampling", "aggregator"}
        What it holds; the last five are components from the catalog.
    default : object
        The value it takes when nobody says otherwise.
    label, help, unit, source : str
        Words for people; `source` names paper and statement.
    lower, upper : float or None
        Bounds, included unless `lower_open` or `upper_open`.
    choices : tuple of str
        The values of a "choice".
    optional : bool
        Whether None stands for "not chosen".
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
    optional: bool = False

    @property
    def is_component(self) -> bool:
        """Whether it holds a component, such as a noise family, which has parameters of its own."""
        return self.kind in COMPONENTS

    def bounds(self) -> str:
        """Say in words which values are right."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind in WORDS:
            return WORDS[self.kind]
        noun, digits = ("a whole number", ",.0f") if self.kind == "int" else ("a number", "g")
        low = self.lower is not None and f"{'above' if self.lower_open else 'at least'} {self.lower:{digits}}"
        high = self.upper is not None and f"{'below' if self.upper_open else 'at most'} {self.upper:{digits}}"
        return f"{noun} {' and '.join(part for part in (low, high) if part)}".rstrip()

    def check(self, value: Any) -> None:
        """Raise `ParameterError` unless `value` is one that this parameter can take."""
        if self.is_component or (self.optional and value is None):
            return
        if self.choices:
            right = value in self.choices
        elif self.kind in TYPES:
            right = isinstance(value, TYPES[self.kind])
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

    `kind` follows from the default (``int``, ``float``) or from ``choices`` when it
    is not given; `facts` are the further attributes of `Parameter`.
    """
    if not kind:
        kind = "choice" if facts.get("choices") else KINDS.get(type(default), type(default).__name__)
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
