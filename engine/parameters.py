"""Parameters declared once: the declaration validates, and draws forms and options.

A query, a noise family or a mechanism is a frozen dataclass that inherits `Parameterised` and declares each
field with `parameter(...)`: label, unit, bounds, help and source in the literature.
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

TYPES: dict[str, type] = {"bool": bool, "text": str}
"""The types of what is neither a number nor one of a few words."""

WORDS = {"bool": "true or false", "text": "a text", "numbers": "a list of numbers"}

KINDS: dict[type, str] = {str: "text"}
"""The kind of a parameter whose default is of a type, where it is not called like that."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What is known about one field of a component; `parameter` declares it.

    Attributes
    ----------
    name : str
        The field, as in code (``trim``); the command line writes ``--trim``.
    kind : str
        What it holds: "float", "int", "bool", "text", "choice", "numbers" (a tuple of them), or the
        family of an `engine.components.Component`.
    default : object
        The value it takes unless another is given.
    label, help, unit, source : str
        What users read; `source` names paper and statement.
    lower, upper : float or None
        Bounds.
    lower_open, upper_open : bool
        Whether a bound itself is left out.
    choices, choice_labels : tuple of str
        The values of a "choice", and what users read where the values are no words.
    optional : bool
        Whether None stands for "not chosen".
    advanced : bool
        Whether the default is right in nearly every case; forms fold it away.
    asks : bool
        Whether it says what is asked of the data; forms begin with it, and scripts always say it.
    in_file : bool
        Whether it is a list of public numbers, which may be read from a file
        (`engine.mechanisms.number_lists.numbers_in_file`).
    spoken : str
        What is read aloud where the label is too short to stand alone; "" where it is not.
    needs : tuple of str
        Another parameter and the choice of it without which this one does nothing; () where there is none.
    decided_by : tuple of str
        Another parameter and the component of it that decides this one, so that it does nothing; () where
        there is none.
    former : tuple of (str, str)
        Names of choices in earlier versions, each with its name now: they are accepted, and shown nowhere.
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
    spoken: str = ""
    needs: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = ()
    former: tuple[tuple[str, str], ...] = ()

    @property
    def is_component(self) -> bool:
        """Whether it holds a component, such as a noise family, which has parameters of its own."""
        return isinstance(self.default, Parameterised)

    @property
    def may_be_empty(self) -> bool:
        """Whether a form may leave it empty: `engine.components.automatic_value` tells what that means."""
        return self.optional or (self.kind == "text" and self.default == "")

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

    def words_of(self, choice: str) -> str:
        """Return what users read for one of the choices."""
        if self.choice_labels:
            return self.choice_labels[self.choices.index(choice)]
        return choice.replace("-", " ")

    def documented(self, annotation: str) -> str:
        """Return the entry of a numpydoc section, for a field with this annotation."""
        choices = ", ".join(f'"{choice}"' for choice in self.choices)
        sentences = [self.help] + [f"Must be {self.bounds()}."] * (not self.choices and not self.is_component)
        lines = textwrap.wrap(" ".join(sentences), 100, initial_indent="    ", subsequent_indent="    ")
        type_ = f"{{{choices}}}" if choices else annotation
        return "\n".join([f"{self.name} : {type_}, default {self.default!r}", *lines])

    def current(self, value: Any) -> Any:
        """Return a value under its name now, where it has one of `former` versions."""
        return next((name for old, name in self.former if value == old), value)

    def check(self, value: Any) -> None:
        """Raise `ParameterError` unless `value` is one that this parameter can take."""
        if self.is_component or (self.optional and value is None):
            return
        if self.choices:
            right = value in self.choices
        elif self.kind in TYPES:
            right = isinstance(value, TYPES[self.kind])
        elif self.kind == "numbers":
            right = isinstance(value, tuple) and all(map(self._is_possible, value))
        else:
            right = self._is_possible(value)
        if not right:
            raise ParameterError(self.name, f"{value!r} is not possible; it must be {self.bounds()}")

    def _is_possible(self, value: Any) -> bool:
        """Tell whether something is a number of this kind between the bounds."""
        if not isinstance(value, numbers.Real) or isinstance(value, bool):
            return False
        number: Any = value  # not as a float: whole numbers may be too large for one
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
    """Declare a dataclass field together with what front ends must know about it.

    Parameters
    ----------
    default : object
        The value unless another is given.
    label, help : str
        What users read.
    kind : str, optional
        As of `Parameter`; follows from the default (``int``, ``float``, the family of a component) or
        from ``choices``.
    **facts
        The further attributes of `Parameter`: bounds, choices, unit, source.

    Returns
    -------
    dataclasses.Field
        For a frozen dataclass that inherits from a component's base class, such as `Query`.

    Examples
    --------
    A dataclass with one parameter, which checks what it is given:

    >>> import dataclasses
    >>> @dataclasses.dataclass(frozen=True)
    ... class Power(Parameterised):
    ...     p: float = parameter(default=2.0, lower=1.0, label="Power", help="Which power.")
    >>> Power(p=3.0).p, Power.parameters()[0].kind
    (3.0, 'float')
    """
    if not kind:
        usual = getattr(default, "family", KINDS.get(type(default), type(default).__name__))
        kind = "choice" if facts.get("choices") else usual
    metadata = {"parameter": {"kind": kind, "label": label, "help": help, **facts}}
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class Parameterised:
    """A frozen dataclass whose declared parameters are validated when it is made.

    Each declaration adds its entry to the section "Parameters" of the docstring.
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
            if declared.former:
                object.__setattr__(self, declared.name, declared.current(getattr(self, declared.name)))
            declared.check(getattr(self, declared.name))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declarations, in the order of the fields."""
        own: Any = cls
        return _declared(own)

    def settings(self) -> dict[str, Any]:
        """Return the parameters that are plain numbers or words, by name."""
        return {declared.name: getattr(self, declared.name) for declared in plain_parameters(self)}


def plain_parameters(component: Parameterised | type[Parameterised]) -> tuple[Parameter, ...]:
    """Return the declarations of plain numbers and words, without components."""
    return tuple(declared for declared in component.parameters() if not declared.is_component)


def idle_parameters(
    component: Parameterised | type[Parameterised], values: Mapping[str, Any]
) -> frozenset[str]:
    """Return the names of parameters that do nothing beside these values; others have their defaults."""
    chosen = {one.name: one.default for one in component.parameters()} | dict(values)
    names = {name: getattr(value, "name", value) for name, value in chosen.items()}
    return frozenset(
        one.name
        for one in component.parameters()
        if (one.needs and names[one.needs[0]] != one.needs[1])
        or (one.decided_by and names[one.decided_by[0]] == one.decided_by[1])
    )


def effective_settings(component: Parameterised) -> dict[str, Any]:
    """Return the settings without those that do nothing beside the others."""
    values = {declared.name: getattr(component, declared.name) for declared in component.parameters()}
    idle = idle_parameters(component, values)
    return {name: value for name, value in component.settings().items() if name not in idle}


@functools.cache
def _declared(cls: type[Any]) -> tuple[Parameter, ...]:
    """Return the declarations of a class; asked for whenever one of its objects is made."""
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
    """Return what to write about each parameter that a class itself declares."""
    entries: dict[str, str] = {}
    for name, annotation in inspect.get_annotations(cls).items():
        # a class that is a dataclass already keeps its fields elsewhere
        field = cls.__dict__.get("__dataclass_fields__", cls.__dict__).get(name)
        if isinstance(field, dataclasses.Field) and "parameter" in field.metadata:
            declared = Parameter(name=name, default=field.default, **field.metadata["parameter"])
            text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
            entries[name] = declared.documented(text)
    return entries


def _with_parameters(text: str, entries: list[str]) -> str:
    """Add entries to the section "Parameters" of a docstring, which is the first of all sections."""
    if not entries:
        return text
    summary, *sections = re.split(r"^(?=\w+\n-{3,}$)", text, flags=re.MULTILINE)
    if not sections or not sections[0].startswith("Parameters\n"):
        sections.insert(0, "Parameters\n----------")
    sections[0] = "\n".join([sections[0].rstrip(), *entries]) + "\n\n"
    return "".join([summary.rstrip() + "\n\n", *sections]).rstrip() + "\n"
