"""Components: what has a name in the catalog, in families with one registry each."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import pkgutil
from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any, ClassVar, Protocol, TypeVar, cast

from engine.errors import ParameterError, UnknownName
from engine.parameters import Parameterised
from engine.plugins import load_extras, watched


class FunctionFromFile(Protocol):
    """What runs a function from a file."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def function_name(self) -> str:
        """The function in it."""

    @property
    def version(self) -> str:
        """A digest of all that it runs."""


class Registry(dict[str, Any]):
    """All components of a family by name; bundled extras are among them whenever it is read.

    A value is a class or, until it is asked for, where that is ("module:Class").
    """

    def __init__(self, family: str) -> None:
        super().__init__()
        self._family = family

    def _complete(self) -> None:
        load_extras()
        waiting = _later.pop(self._family, [])
        while waiting:
            name, target, after = waiting.pop(0)
            if after and not dict.__contains__(self, after):
                _later.setdefault(self._family, []).append((name, target, after))
                continue
            insert(self, name, target, after)

    def __getitem__(self, name: str) -> Any:
        self._complete()
        value = dict.__getitem__(self, name)
        if isinstance(value, str):
            value = pkgutil.resolve_name(value)
            dict.__setitem__(self, name, value)
        return value

    def __contains__(self, name: object) -> bool:
        self._complete()
        return dict.__contains__(self, name)

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._complete()
        return dict.__len__(self)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return KeysView(self)

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        return ItemsView(self)

    def copy(self) -> dict[str, Any]:
        self._complete()
        return dict(dict.items(self))

    def own(self, name: str, component: Any) -> Any:
        """Return what has a name, which is this component if nothing has it yet."""
        known = dict.setdefault(self, name, component)
        return self[name] if isinstance(known, str) else known


_later: dict[str, list[tuple[str, str, str]]] = {}
"""Of each family: names, where their classes are, and after which name they stand in lists."""


def insert(registry: dict[str, Any], name: str, value: Any, after: str = "") -> None:
    """Put something into a registry, where lists have it: after another name, or last."""
    content = list(dict.items(registry))
    index = 1 + [known for known, _ in content].index(after) if after else len(content)
    content.insert(index, (name, value))
    dict.clear(registry)
    dict.update(registry, content)


def register_later(family: str, name: str, target: str, *, after: str = "") -> None:
    """Add a component to a family without importing it: it is imported when it is asked for.

    Parameters
    ----------
    family : str
        Such as "mechanism".
    name : str
        Its own.
    target : str
        Where its class is: "package.module:Class".
    after : str
        The name of the one after which lists have it; last by default.
    """
    _later.setdefault(family, []).append((name, target, after))


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
        What users read; `source` names paper and statement.
    runs_file : bool
        Whether it runs code from a file of the user's, its `path`, which must be trusted first.
    exact_because : str
        The reason why releases with it hold their promise to the last bit; "", and so inexact, until
        it is stated.  Each class states it for itself: a subclass may have changed what was shown.
        Tests attack all that state it (`engine.audit.low_bits`).
    """

    family: ClassVar[str]
    registry: ClassVar[Registry]
    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    runs_file: ClassVar[bool] = False
    exact_because: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for declared in self.parameters():
            if isinstance(declared.default, Component):
                chosen = component_of(getattr(self, declared.name), declared.name, declared.default)
                object.__setattr__(self, declared.name, chosen)
        super().__post_init__()

    def __init_subclass__(cls, family: str = "", **facts: Any) -> None:
        super().__init_subclass__(**facts)
        if family:
            cls.family, cls.registry = family, watched(Registry(family))
        if "exact_because" not in vars(cls):
            cls.exact_because = ""

    @property
    def inexact(self) -> str:
        """Why a release with it may not be private to the last bit, in words; empty where that is shown.

        A component with parts is as exact as all of them.
        """
        if not self.exact_because:
            return f"{getattr(self, 'label', type(self).__name__)} has not been shown to be exact"
        parts = (getattr(self, one.name) for one in self.parameters() if one.is_component)
        return next((part.inexact for part in parts if part is not None and part.inexact), "")

    @classmethod
    def part(cls, family: str) -> str:
        """Return the parameter that holds a component of a family; "" where there is none."""
        return next((known.name for known in cls.parameters() if known.kind == family), "")

    def automatic(self, name: str, domain: Any) -> Any:
        """Return a number or words for what takes the place of a parameter left empty (public).

        "" where nothing more is known before the data are looked at.
        """
        return ""

    @classmethod
    def stands_alone(cls) -> bool:
        """Tell whether its name says all that is needed to make one."""
        return not cls.required()

    @classmethod
    @functools.cache
    def required(cls) -> frozenset[str]:
        """Return the fields without which none can be made."""
        missing = (dataclasses.MISSING, dataclasses.MISSING)
        fields = dataclasses.fields(cls)
        return frozenset(one.name for one in fields if (one.default, one.default_factory) == missing)


def files_of(component: Parameterised) -> list[FunctionFromFile]:
    """Return the functions from files that stand in a mechanism, or in what else holds components."""
    if isinstance(component, Component) and component.runs_file:
        return [cast("FunctionFromFile", component)]
    parts = (getattr(component, one.name) for one in component.parameters() if one.is_component)
    return [box for part in parts if part is not None for box in files_of(part)]


def component_of(value: Any, field: str, default: Component) -> Any:
    """Take a component as it is, by its class, or by its name in the catalog, with its defaults.

    Parameters
    ----------
    value : object
    field : str
        The parameter that is to hold it, for the message.
    default : Component
        One of the same family.

    Raises
    ------
    UnknownName
        If the family has none of that name; the nearest ones are offered.
    ParameterError
        If it is something else, or needs more than a name.
    """
    kind = type(default).registry.get(value) if isinstance(value, str) else value
    if kind is None and isinstance(value, str):
        raise UnknownName(default.family, value, type(default).registry)
    if isinstance(kind, type) and issubclass(kind, Component):
        if kind.family == default.family and not kind.stands_alone():
            missing = ", ".join(sorted(kind.required()))
            raise ParameterError(field, f"{kind.__name__} needs more than a name; give it {missing}")
        kind = kind()
    if getattr(kind, "family", "") != default.family:
        example = type(default).__name__
        raise ParameterError(
            field, f"{value!r} is not possible; give a {default.family}, such as {example}(), or its name"
        )
    return kind


ComponentT = TypeVar("ComponentT", bound=Component)


def register(component: type[ComponentT]) -> type[ComponentT]:
    """Add a component to its family: from then on window, command line, files and help know it.

    Parameters
    ----------
    component : type of Component
        A frozen dataclass, such as a `Query` or a `Mechanism`; its base class says the family.

    Returns
    -------
    type of Component
        The same, so that this can stand above a class as its decorator.

    Raises
    ------
    TypeError
        If it leaves something out that its family needs.
    ValueError
        If another one of the family is called so.

    Examples
    --------
    >>> from typing import ClassVar
    >>> class Spice(Component, family="spice"):
    ...     name: ClassVar[str] = "pepper"
    >>> register(Spice) is Spice, Spice.registry
    (True, {'pepper': <class 'engine.components.Spice'>})
    """
    if inspect.isabstract(component):
        missing = ", ".join(sorted(getattr(component, "__abstractmethods__", ())))
        raise TypeError(f"{component.__name__} cannot be registered; it still needs {missing}")
    known = component.registry.own(component.name, component)
    if known is not component:
        raise ValueError(f"a {component.family} called '{component.name}' is registered already: {known}")
    return component


def registered(*components: type[ComponentT]) -> dict[str, type[ComponentT]]:
    """Register components of one family, and return its registry."""
    for component in components:
        register(component)
    return components[0].registry
