"""Declare parameters once: for validation, forms and command line options.

Queries, noise families and mechanisms are frozen dataclasses derived from `Parameterised`.  They declare each
field with `parameter(...)`: label, unit, bounds, help and source.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import numbers
import re
import textwrap
from collections.abc import Mapping
from typing import Any

from engine.errors import ParameterError
from engine.numerals import given
from engine.signatures import Explained

PLAIN_TYPES: dict[str, type] = {"bool": bool, "text": str}
"""Types of parameters that are neither numbers nor choices."""

VALUE_TEXTS = {"bool": "true or false", "text": "a text", "numbers": "a list of numbers"}

KIND_NAMES: dict[type, str] = {str: "text"}
"""Kind of a parameter by the type of its default, if it differs from the type's name."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """The declaration of one field of a component; `parameter` creates it.

    Attributes
    ----------
    name : str
        The field, as in code (``trim``); on the command line ``--trim``.
    kind : str
        Kind of value: "float", "int", "bool", "text", "choice", "numbers" (a tuple of them), or the family of
        an `engine.components.Component`.
    default : object
        The value it takes unless another is given.
    label, help, unit, source : str
        Texts for users; `source` names paper and statement.
    lower, upper : float or None
        Bounds.
    lower_open, upper_open : bool
        Whether the bound itself is excluded.
    choices, choice_labels : tuple of str
        The values of a "choice", and labels for values that are no words.
    optional : bool
        Whether None means "not chosen".
    advanced : bool
        Whether the default is right in nearly every case; forms hide the field at first.
    asks : bool
        Whether it defines the question; forms show it first, and scripts always include it.
    in_file : bool
        Whether it is a list of public numbers that may be read from a file
        (`engine.mechanisms.number_lists.numbers_in_file`).
    holds : str
        Contents of a "text" that has numbers in it: "numbers" (separated by commas), "points" (separated by
        semicolons, with commas between coordinates) or "conditions"; "" for any other text.
    spoken : str
        Label for screen readers, if the visible one is too short; otherwise "".
    needs : tuple of str
        Another parameter, and its choice that this one needs to have an effect; () without one.
    decided_by : tuple of str
        Another parameter, and its component that determines this one, so that it has no effect; () without
        one.
    former : tuple of (str, str)
        Former names of choices, each with its present name; still accepted, but not shown.
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
    choice_labels: tuple[str, ...] = ()
    optional: bool = False
    advanced: bool = False
    asks: bool = False
    in_file: bool = False
    holds: str = ""
    spoken: str = ""
    needs: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = ()
    former: tuple[tuple[str, str], ...] = ()

    @property
    def is_component(self) -> bool:
        """Whether it holds a component, such as a noise family, with parameters of its own."""
        return isinstance(self.default, Parameterised)

    @property
    def may_be_empty(self) -> bool:
        """Whether a form may leave it empty: `engine.components.automatic_value` then provides the value."""
        return self.optional or (self.kind == "text" and self.default == "")

    def bounds(self) -> str:
        """Describe the possible values."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind in VALUE_TEXTS:
            return VALUE_TEXTS[self.kind]
        noun, digits = ("a whole number", ",.0f") if self.kind == "int" else ("a number", "g")
        low = self.lower is not None and f"{'above' if self.lower_open else 'at least'} {self.lower:{digits}}"
        high = self.upper is not None and f"{'below' if self.upper_open else 'at most'} {self.upper:{digits}}"
        return f"{noun} {' and '.join(part for part in (low, high) if part)}".rstrip()

    def words_of(self, choice: str) -> str:
        """Return the label of a choice."""
        if self.choice_labels:
            return self.choice_labels[self.choices.index(choice)]
        return choice.replace("-", " ")

    def documented(self, annotation: str) -> str:
        """Return the numpydoc entry of a field with this annotation."""
        choices = ", ".join(f'"{choice}"' for choice in self.choices)
        sentences = [self.help] + [f"Must be {self.bounds()}."] * (not self.choices and not self.is_component)
        lines = textwrap.wrap(" ".join(sentences), 100, initial_indent="    ", subsequent_indent="    ")
        type_ = f"{{{choices}}}" if choices else annotation
        return "\n".join([f"{self.name} : {type_}, default {self.default!r}", *lines])

    def current(self, value: Any) -> Any:
        """Translate a former value to its present name."""
        return next((name for old, name in self.former if value == old), value)

    def converted(self, value: Any) -> Any:
        """Translate a former value, a whole number written as 3.0, and a list of numbers."""
        if self.kind == "int" and isinstance(value, float) and value.is_integer():
            return int(value)
        if self.kind == "numbers" and (isinstance(value, list) or hasattr(value, "tolist")):
            return tuple(value.tolist() if hasattr(value, "tolist") else value)
        return self.current(value) if self.former else value

    def check(self, value: Any) -> None:
        """Raise `ParameterError` unless the parameter can have this value."""
        if self.is_component or (self.optional and value is None):
            return
        if self.choices:
            right = value in self.choices
        elif self.kind in PLAIN_TYPES:
            right = isinstance(value, PLAIN_TYPES[self.kind])
        elif self.kind == "numbers":
            right = isinstance(value, tuple) and all(map(self._is_possible, value))
        else:
            right = self._is_possible(value)
        if not right:
            raise ParameterError(self.name, f"{given(value)} is not possible; it must be {self.bounds()}")

    def _is_possible(self, value: Any) -> bool:
        """Tell whether a value is a number of this kind between the bounds."""
        if not isinstance(value, numbers.Real) or isinstance(value, bool):
            return False
        number: Any = value  # compared as an integer, which may be too large for a float
        finite = -math.inf < number < math.inf
        whole = finite and (self.kind != "int" or number % 1 == 0)
        return bool(whole and self._above(number) and self._below(number))

    def _above(self, value: float) -> bool:
        if self.lower is None:
            return True
        return value > self.lower if self.lower_open else value >= self.lower

    def _below(self, value: float) -> bool:
        if self.upper is None:
            return True
        return value < self.upper if self.upper_open else value <= self.upper


def parameter(*, default: Any, label: str, help: str, kind: str = "", **facts: Any) -> Any:
    """Declare a dataclass field, with facts for forms and the command line.

    Parameters
    ----------
    default : object
        The default value.
    label, help : str
        Texts for users.
    kind : str, optional
        See `Parameter`; by default derived from the default (``int``, ``float``, the family of a component)
        or from ``choices``.
    **facts
        Other attributes of `Parameter`: bounds, choices, unit, source.

    Returns
    -------
    dataclasses.Field
        For a frozen dataclass that inherits from a component's base class, such as `Query`.

    See Also
    --------
    register, Mechanism

    Examples
    --------
    A dataclass with one validated parameter:

    >>> import dataclasses
    >>> @dataclasses.dataclass(frozen=True)
    ... class Power(Parameterised):
    ...     p: float = parameter(default=2.0, lower=1.0, label="Power", help="Which power.")
    >>> Power(p=3.0).p, Power.parameters()[0].kind
    (3.0, 'float')
    """
    if not kind:
        usual = getattr(default, "family", KIND_NAMES.get(type(default), type(default).__name__))
        kind = "choice" if facts.get("choices") else usual
    metadata = {"parameter": {"kind": kind, "label": label, "help": help, **facts}}
    return dataclasses.field(default=default, metadata=metadata)


class Frozen:
    """Refuses new attributes also where a subclass without fields of its own is no dataclass itself."""

    def __setattr__(self, name: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


@dataclasses.dataclass(frozen=True)
class Parameterised(Frozen, metaclass=Explained):
    """A frozen dataclass that validates its declared parameters on creation.

    Each declaration adds its entry to the "Parameters" section of the docstring.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__doc__" in cls.__dict__:
            entries: dict[str, str] = {}
            for base in reversed(cls.__mro__):
                entries |= _own_entries(base)
            cls.__doc__ = _with_parameters(inspect.cleandoc(cls.__doc__ or ""), list(entries.values()))

    def __post_init__(self) -> None:
        for declared in self.parameters():
            given = getattr(self, declared.name)
            value = declared.converted(given)
            if value is not given:
                object.__setattr__(self, declared.name, value)
            declared.check(value)

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declarations in field order."""
        own: Any = cls
        return _declared(own)

    def settings(self) -> dict[str, Any]:
        """Return the values of all parameters except components, by name."""
        return {declared.name: getattr(self, declared.name) for declared in plain_parameters(self)}


def plain_parameters(component: Parameterised | type[Parameterised]) -> tuple[Parameter, ...]:
    """Return the declarations of all parameters except components."""
    return tuple(declared for declared in component.parameters() if not declared.is_component)


def idle_parameters(
    component: Parameterised | type[Parameterised], values: Mapping[str, Any]
) -> frozenset[str]:
    """Return the names of parameters without effect, given these values and defaults for the rest."""
    chosen = {one.name: one.default for one in component.parameters()} | dict(values)
    names = {name: getattr(value, "name", value) for name, value in chosen.items()}
    return frozenset(
        one.name
        for one in component.parameters()
        if (one.needs and names[one.needs[0]] != one.needs[1])
        or (one.decided_by and names[one.decided_by[0]] == one.decided_by[1])
    )


def effective_settings(component: Parameterised) -> dict[str, Any]:
    """Return the settings without those that have no effect."""
    values = {declared.name: getattr(component, declared.name) for declared in component.parameters()}
    idle = idle_parameters(component, values)
    return {name: value for name, value in component.settings().items() if name not in idle}


@functools.cache
def _declared(cls: type[Any]) -> tuple[Parameter, ...]:
    """Return the declarations of a class; cached, since each new object needs them."""
    return tuple(
        Parameter(
            name=field.name,
            default=field.default,
            **field.metadata["parameter"],
        )
        for field in dataclasses.fields(cls)
        if "parameter" in field.metadata
    )


@functools.cache
def _own_entries(cls: type) -> dict[str, str]:
    """Return the numpydoc entry of each parameter that a class itself declares."""
    entries: dict[str, str] = {}
    for name, annotation in inspect.get_annotations(cls).items():
        # a finished dataclass keeps its fields elsewhere
        field = cls.__dict__.get("__dataclass_fields__", cls.__dict__).get(name)
        if isinstance(field, dataclasses.Field) and "parameter" in field.metadata:
            declared = Parameter(name=name, default=field.default, **field.metadata["parameter"])
            text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
            entries[name] = declared.documented(re.sub(r"^ComponentField\[(.*)\]$", r"\1", text))
    return entries


def _with_parameters(text: str, entries: list[str]) -> str:
    """Add entries to the "Parameters" section of a docstring, its first section."""
    if not entries:
        return text
    summary, *sections = re.split(r"^(?=\w+\n-{3,}$)", text, flags=re.MULTILINE)
    if not sections or not sections[0].startswith("Parameters\n"):
        sections.insert(0, "Parameters\n----------")
    sections[0] = "\n".join([sections[0].rstrip(), *entries]) + "\n\n"
    return "".join([summary.rstrip() + "\n\n", *sections]).rstrip() + "\n"
