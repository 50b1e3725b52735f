"""Components: what has a name in the catalog, in families with one registry each."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from pkgutil import resolve_name
from types import MappingProxyType
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

    def modules(self) -> dict[str, bytes]:
        """Return the file, and what it imports from beside it; `OSError` if it cannot be read."""

    def digest_of(self, modules: Mapping[str, bytes]) -> str:
        """Return the digest of such modules."""

    def left_open(self) -> str:
        """Return one line that says what it can do here in spite of all protections; "" if nothing."""


KindT = TypeVar("KindT")
EntryT = TypeVar("EntryT")


class Registry(MutableMapping[str, EntryT]):
    """The components of a family, or what else is chosen by its name, in the order of lists.

    An entry is a class, or says where one is (``"module:Class"``): that is imported when it is asked for.
    Names and order are known without importing anything.  Bundled extras are there when it is read.
    """

    def __init__(self, family: str) -> None:
        self.family = family
        self._entries: dict[str, EntryT | str] = {}
        self._after: dict[str, str] = {}

    def __getitem__(self, name: str) -> EntryT:
        load_extras()
        entry = self._entries[name]
        if isinstance(entry, str):
            entry = self._entries[name] = self.imported(name, entry)
        return entry

    def imported(self, name: str, target: str) -> EntryT:
        """Return the component that an entry is about; raise `TypeError` if it is another one."""
        component = _checked(resolve_name(target))
        if (component.family, component.name) != (self.family, name):
            raise TypeError(
                f"{component.__name__} is the {component.family} '{component.name}', not '{name}'"
            )
        return cast("EntryT", component)

    def __setitem__(self, name: str, entry: EntryT | str) -> None:
        self._entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._entries[name]
        self._after.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        load_extras()
        after = {name: anchor for name, anchor in self._after.items() if anchor in self._entries}
        order = [name for name in self._entries if name not in after]
        while placeable := [name for name, anchor in after.items() if anchor in order]:
            for name in placeable:
                order.insert(order.index(after.pop(name)) + 1, name)
        return iter([*order, *after])

    def __len__(self) -> int:
        load_extras()
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        load_extras()
        return name in self._entries

    def __repr__(self) -> str:
        return f"<{self.family}: {', '.join(self)}>"

    def add(self, name: str, entry: EntryT | str, after: str = "") -> None:
        """Add an entry, after another one where that is named; refuse a name that another one has."""
        known = self._entries.get(name, entry)
        if known is not entry and (_home(known) != _home(entry) or str not in (type(known), type(entry))):
            raise ValueError(f"a {self.family} called '{name}' is registered already: {self[name]}")
        self._entries[name] = known if isinstance(entry, str) else entry
        if after:
            self._after[name] = after

    def clear(self) -> None:
        self._entries.clear()  # that of the base class would import them
        self._after.clear()

    def copy(self) -> dict[str, EntryT | str]:
        """Return all entries in their order, without importing any; `update` takes them back."""
        return {name: self._entries[name] for name in self}

    def class_called(self, name: str, others: Mapping[str, str] = MappingProxyType({})) -> Any:
        """Return the component whose class has a name, for `__getattr__` of the package that lists them.

        `others` are what else it offers, with the module of each.
        """
        if name in others:
            return getattr(import_module(others[name]), name)
        for known, entry in self._entries.items():
            if _home(entry).endswith(f":{name}"):
                return self[known]
        raise AttributeError(f"no {self.family} is called {name!r}", name=name)


class MatchingComponents(Mapping[str, type[KindT]]):
    """The components of a registry that meet a condition, also those that are registered later.

    Only what is asked for is imported: the first one, or one by its name.
    """

    def __init__(self, registry: Mapping[str, type[Any]], condition: Callable[[type[Any]], bool]) -> None:
        self._registry, self._condition = registry, condition

    def __getitem__(self, name: str) -> type[KindT]:
        if name not in self:
            raise KeyError(name)
        return self._registry[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, component in self._registry.items() if self._condition(component))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: Any) -> bool:
        return name in self._registry and self._condition(self._registry[name])


def _home(entry: Any) -> str:
    """Return where a class is."""
    return entry if isinstance(entry, str) else f"{entry.__module__}:{entry.__qualname__}"


_registries: dict[str, Registry[Any]] = {}
"""The registry of each family, from the moment when either the family or an entry is declared."""


_begun: set[str] = set()
"""The families whose first class is there."""


def registry_of(family: str, entries: Mapping[str, str] | None = None) -> Registry[Any]:
    """Return the registry of a family, to which entries ("module:Class") are added."""
    if family not in _registries:
        _registries[family] = watched(Registry(family))
    for name, entry in (entries or {}).items():
        _registries[family].add(name, entry)
    return _registries[family]


@dataclasses.dataclass(frozen=True)
class Component(Parameterised):
    """Something with a name in the catalog: a query, a noise family, a mechanism …

    A class that begins a family says so in its head, ``class Noise(Component, family="noise")``, and has
    the registry of it; `register` adds to that.

    Attributes
    ----------
    family : str
        What it is one of; the kind of parameters that hold one.
    registry : Registry
        All of the family that are registered, by name.
    name : str
        Lower case with hyphens: a contract, which session files, ledgers and commands hold.
    label, summary, source : str
        What users read; `source` names paper and statement.
    exact_because : str
        The reason why releases with it hold their promise to the last bit; "", and so inexact, until
        it is stated.  Each class states it for itself: a subclass may have changed what was shown.
        Tests attack all that state it (`engine.audit.low_bits`).
    """

    family: ClassVar[str]
    registry: ClassVar[Registry[Any]]
    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
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
            if family in _begun:  # a module that is imported anew begins its family anew
                _registries.pop(family, None)
            _begun.add(family)
            cls.family, cls.registry = family, registry_of(family)
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

    def _automatic(self, name: str, domain: Any) -> Any:
        return ""


def automatic_value(component: Component, name: str, domain: Any) -> Any:
    """Return a number or words for what takes the place of a parameter left empty (public).

    "" where nothing more is known before the data are looked at.  A component says it in `_automatic`.
    """
    return component._automatic(name, domain)


def asked_of(mechanism: Any) -> Any:
    """Return what is asked of the data: a query, or the mechanism itself where its answer is its own."""
    right = vars(mechanism).get("right", mechanism)  # of one with a planted mistake
    return vars(right).get("query", right)


def stated_pattern(mechanism: Any) -> str:
    """Return the setting that makes each run a simulation, such as a stated pattern; "" where none does."""
    return mechanism.simulated_by if hasattr(type(mechanism), "simulated_by") else ""


def release_parameters(mechanism: Any) -> dict[str, Any]:
    """Return the public parameters that a release of a mechanism states."""
    parameters: dict[str, Any] = mechanism._release_parameters()
    return parameters


def part_of(component: Component | type[Component], family: str) -> str:
    """Return the parameter that holds a component of a family; "" where there is none."""
    return next((known.name for known in component.parameters() if known.kind == family), "")


def required_fields(component: type[Component]) -> frozenset[str]:
    """Return the fields of a class without which none can be made."""
    missing = (dataclasses.MISSING, dataclasses.MISSING)
    fields = dataclasses.fields(component)
    return frozenset(one.name for one in fields if (one.default, one.default_factory) == missing)


def stands_alone(component: type[Component]) -> bool:
    """Tell whether its name says all that is needed to make one."""
    return not required_fields(component)


def runs_file(component: Component | type[Component]) -> bool:
    """Tell whether it runs code from a file of the user's, its `path`, which must be trusted first."""
    return bool(getattr(component, "runs_file", False))


def files_of(component: Parameterised) -> list[FunctionFromFile]:
    """Return the functions from files that stand in a mechanism, or in what else holds components."""
    if isinstance(component, Component) and runs_file(component):
        return [cast("FunctionFromFile", component)]
    parts = (getattr(component, one.name) for one in component.parameters() if one.is_component)
    return [box for part in parts if part is not None for box in files_of(part)]


def component_of(value: Any, field: str, default: Component) -> Any:
    """Take a component as it is, by its class, or by its name in the catalog, with its defaults.

    `field` is the parameter that is to hold it, and `default` one of the same family.  Raises `UnknownName`
    for a name that the family does not have, `ParameterError` for what is no component of it, or needs more.
    """
    kind = type(default).registry.get(value) if isinstance(value, str) else value
    if kind is None and isinstance(value, str):
        raise UnknownName(default.family, value, type(default).registry)
    if isinstance(kind, type) and issubclass(kind, Component):
        if kind.family == default.family and not stands_alone(kind):
            missing = ", ".join(sorted(required_fields(kind)))
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
    (True, <spice: pepper>)
    """
    component.registry.add(_checked(component).name, component)
    return component


def register_later(family: str, name: str, target: str, *, after: str = "") -> None:
    """Add a component that is imported when it is asked for; else as `register`.

    Parameters
    ----------
    family : str
        "query", "noise", "mechanism", "function", "sampling", "aggregator" or "planted".
    name : str
        Its name, as the class has it.
    target : str
        Where the class is: ``"package.module:Class"``.
    after : str, optional
        The component after which lists have it; by default, and where there is none called so, the last.

    Raises
    ------
    ValueError
        If another one of the family is called so.

    Examples
    --------
    >>> register_later("spice", "salt", "kitchen.spices:Salt")
    >>> list(registry_of("spice"))
    ['pepper', 'salt']
    """
    registry_of(family).add(name, target, after)


def _checked(component: type[ComponentT]) -> type[ComponentT]:
    """Return a component that can be made; raise `TypeError` for one that leaves something out."""
    if inspect.isabstract(component):
        missing = ", ".join(sorted(getattr(component, "__abstractmethods__", ())))
        raise TypeError(f"{component.__name__} cannot be registered; it still needs {missing}")
    return component
