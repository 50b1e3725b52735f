"""Components of the catalog, in families with one registry each."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, cast

from engine.errors import ParameterError, UnknownName
from engine.numerals import given
from engine.parameters import Parameterised
from engine.plugins import load_extras, watched


class FunctionFromFile(Protocol):
    """A component that runs a function from a file."""

    @property
    def path(self) -> str:
        """Path of the file."""

    @property
    def function_name(self) -> str:
        """Name of the function in it."""

    @property
    def version(self) -> str:
        """Digest of all code that it runs."""

    def modules(self) -> dict[str, bytes]:
        """Return the file and the modules beside it that it imports; `OSError` if one cannot be read."""

    def digest_of(self, modules: Mapping[str, bytes]) -> str:
        """Return the digest of these modules."""

    def left_open(self) -> str:
        """Return one line on what the code can do despite all protections; "" if nothing."""


KindT = TypeVar("KindT")
EntryT = TypeVar("EntryT")


class Registry(MutableMapping[str, EntryT]):
    """The components of a family, or other entries with names, in display order.

    An entry is a class or its location (``"module:Class"``), which is imported at first access.  Names and
    order need no import.  Bundled extras are registered before the first read.
    """

    def __init__(self, family: str) -> None:
        self.family = family
        self._entries: dict[str, EntryT | str] = {}
        self._after: dict[str, str] = {}
        self._reads: dict[str, str] = {}

    def __getitem__(self, name: str) -> EntryT:
        load_extras()
        entry = self._entries[name]
        if isinstance(entry, str):
            entry = self._entries[name] = self.imported(name, entry)
        return entry

    def imported(self, name: str, target: str) -> EntryT:
        """Return the component of an entry; raise `TypeError` if its name or family differs."""
        component = _checked(resolve_name(target))
        if (component.family, component.name) != (self.family, name):
            raise TypeError(
                f"{component.__name__} is the {component.family} '{component.name}', not '{name}'"
            )
        stated = self.stated_reads(name)
        if stated and component.reads != stated:
            raise TypeError(f"{component.__name__} does not read {stated}, as its registration states")
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

    def stated_reads(self, name: str) -> str:
        """Return the data that a component reads, as its registration states; "" if it does not."""
        return self._reads.get(name, "")

    def add(self, name: str, entry: EntryT | str, after: str = "", reads: str = "") -> None:
        """Add an entry, after another one if `after` names it; refuse a name in use."""
        known = self._entries.get(name, entry)
        if known is not entry and (_home(known) != _home(entry) or str not in (type(known), type(entry))):
            raise ValueError(f"a {self.family} with the name '{name}' is registered already: {self[name]}")
        self._entries[name] = known if isinstance(entry, str) else entry
        self._reads[name] = reads
        if after:
            self._after[name] = after

    def clear(self) -> None:
        self._entries.clear()  # the inherited method would import them
        self._after.clear()

    def copy(self) -> dict[str, EntryT | str]:
        """Return all entries in order, without importing any; `update` restores them."""
        return {name: self._entries[name] for name in self}

    def class_called(self, name: str, others: Mapping[str, str] = MappingProxyType({})) -> Any:
        """Return the component whose class has this name, for `__getattr__` of a package.

        `others` maps further names of the package to their modules.
        """
        if name in others:
            return getattr(import_module(others[name]), name)
        for known, entry in self._entries.items():
            if _home(entry).endswith(f":{name}"):
                return self[known]
        raise AttributeError(f"no {self.family} has the name {name!r}", name=name)


class NamedObjects(Registry[EntryT]):
    """Objects that have names but are no components, such as kinds of data; each is made at first access.

    An entry is an object or the location of its class (``"module:Class"``).
    """

    def __init__(self, family: str, entries: Mapping[str, str]) -> None:
        super().__init__(family)
        for name, target in entries.items():
            self.add(name, target)

    def imported(self, name: str, target: str) -> EntryT:
        entry = resolve_name(target)()
        assert entry.name == name
        return cast("EntryT", entry)

    def register(self, entry: Any) -> None:
        """Register an object by its name; `ValueError` if the name is taken."""
        if entry.name in self:
            raise ValueError(f"there is another {self.family} called {entry.name!r}")
        self[entry.name] = entry


class MatchingComponents(Mapping[str, type[KindT]]):
    """The components of a registry whose names meet a condition, including those registered later.

    Imports only the components that are accessed, and those that the condition needs.
    """

    def __init__(self, registry: Mapping[str, type[Any]], condition: Callable[[str], bool]) -> None:
        self._registry, self._condition = registry, condition

    def __getitem__(self, name: str) -> type[KindT]:
        if name not in self:
            raise KeyError(name)
        return self._registry[name]

    def __iter__(self) -> Iterator[str]:
        return filter(self._condition, self._registry)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: Any) -> bool:
        return name in self._registry and self._condition(name)


def _home(entry: Any) -> str:
    """Return the module and name of a class."""
    return entry if isinstance(entry, str) else f"{entry.__module__}:{entry.__qualname__}"


_registries: dict[str, Registry[Any]] = {}
"""The registry of each family; it exists once the family or an entry is declared."""


_begun: set[str] = set()
"""The families whose base class is declared."""


def registry_of(family: str, entries: Mapping[str, str] | None = None, reads: str = "") -> Registry[Any]:
    """Return the registry of a family, after adding entries ("module:Class"), which all read the same."""
    if family not in _registries:
        _registries[family] = watched(Registry(family))
    for name, entry in (entries or {}).items():
        _registries[family].add(name, entry, reads=reads)
    return _registries[family]


class Component(Parameterised):
    """A named entry of the catalog: a query, a noise family, a mechanism …

    A base class declares its family, ``class Noise(Component, family="noise")``, and gets a registry, which
    `register` fills.

    Attributes
    ----------
    family : str
        Its family, which is also the kind of parameters that hold such a component.
    registry : Registry
        All registered components of the family, by name.
    name : str
        Lower case with hyphens.  It must not change: session files, ledgers and commands contain it.
    label, summary, source : str
        Texts for users; `source` names paper and statement.
    exact_because : str
        Why releases with it keep their guarantee to the last bit; "" if that has not been shown, which makes
        it inexact.  Not inherited, since a subclass may have changed the code that was checked.  Tests attack
        all components that state it (`engine.audit.low_bits`).
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
            if family in _begun:  # a module that is imported again declares its family again
                _registries.pop(family, None)
            _begun.add(family)
            cls.family, cls.registry = family, registry_of(family)
        if "exact_because" not in vars(cls):
            cls.exact_because = ""

    @property
    def inexact(self) -> str:
        """Why a release with it may not be private to the last bit; "" if exactness has been shown.

        A component is exact only if its parts are.
        """
        if not self.exact_because:
            return f"{getattr(self, 'label', type(self).__name__)} has not been shown to be exact"
        parts = (getattr(self, one.name) for one in self.parameters() if one.is_component)
        return next((part.inexact for part in parts if part is not None and part.inexact), "")

    def _automatic(self, name: str, domain: Any) -> Any:
        return ""


HeldT = TypeVar("HeldT", bound=Component)


class ComponentField(Generic[HeldT]):
    """Annotation of a field that holds a component, for type checkers.

    The field may be given as a component, its class or its name, and always returns a component.
    """

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type[Any]) -> HeldT: ...

        # `HeldT | type[HeldT] | str` would be right, but mypy gives frozen subclasses this type to read, too
        def __set__(self, instance: Any, value: Any) -> None: ...


def automatic_value(component: Component, name: str, domain: Any) -> Any:
    """Return the value that replaces an empty parameter, or a description of it (public).

    "" if nothing is known before looking at the data.  Components define it in `_automatic`.
    """
    return component._automatic(name, domain)


def asked_of(mechanism: Any) -> Any:
    """Return the query of a mechanism, or the mechanism itself if it computes its own answer."""
    right = vars(mechanism).get("right", mechanism)  # unwrap a planted mistake
    method = vars(right).get("method")  # a text, or the method for each part
    return asked_of(method) if isinstance(method, Component) else vars(right).get("query", right)


def stated_pattern(mechanism: Any) -> str:
    """Return the setting that makes each run a simulation, for example a stated pattern; "" without one."""
    return mechanism.simulated_by if hasattr(type(mechanism), "simulated_by") else ""


def release_parameters(mechanism: Any) -> dict[str, Any]:
    """Return the public parameters in a mechanism's releases."""
    parameters: dict[str, Any] = mechanism._release_parameters()
    return parameters


def part_of(component: Component | type[Component], family: str) -> str:
    """Return the parameter that holds a component of a family; "" without one."""
    return next((known.name for known in component.parameters() if known.kind == family), "")


def required_fields(component: type[Component]) -> frozenset[str]:
    """Return the fields of a class that have no default."""
    missing = (dataclasses.MISSING, dataclasses.MISSING)
    fields = dataclasses.fields(component)
    return frozenset(one.name for one in fields if (one.default, one.default_factory) == missing)


def stands_alone(component: type[Component]) -> bool:
    """Tell whether all parameters have defaults, so that the name is enough."""
    return not required_fields(component)


def runs_file(component: Component | type[Component]) -> bool:
    """Tell whether a component runs code from a user's file, its `path`, which needs trust first."""
    return bool(getattr(component, "runs_file", False))


def files_of(component: Parameterised) -> list[FunctionFromFile]:
    """Return all functions from files in a component and its parts."""
    if isinstance(component, Component) and runs_file(component):
        return [cast("FunctionFromFile", component)]
    parts = (getattr(component, one.name) for one in component.parameters() if one.is_component)
    return [box for part in parts if part is not None for box in files_of(part)]


def component_of(value: Any, field: str, default: Component) -> Any:
    """Return a component given as an object, as a class, or by its name, with default parameters.

    `field` is the parameter that will hold it, and `default` a component of the same family.  Raises
    `UnknownName` for an unknown name, and `ParameterError` for another type or a class with required
    parameters.
    """
    kind = type(default).registry.get(value) if isinstance(value, str) else value
    if isinstance(value, type) and not issubclass(value, Component):
        raise ParameterError(field, f"{value.__name__} is not possible; give a {default.family}")
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
            field,
            f"{given(value)} is not possible; give a {default.family}, such as {example}(), or its name",
        )
    return kind


ComponentT = TypeVar("ComponentT", bound=Component)


def register(component: type[ComponentT]) -> type[ComponentT]:
    """Add a component to its family; window, command line, files and help then include it.

    Parameters
    ----------
    component : type of Component
        A frozen dataclass, such as a `Query` or a `Mechanism`; its base class determines the family.

    Returns
    -------
    type of Component
        The same class, so that `register` works as a decorator.

    Raises
    ------
    TypeError
        If it lacks attributes or methods that its family needs.
    ValueError
        If its family has another component with this name.

    See Also
    --------
    register_later, parameter, load_plugins

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


def register_later(family: str, name: str, target: str, *, after: str = "", reads: str = "") -> None:
    """Add a component that is imported at first access; otherwise like `register`.

    Parameters
    ----------
    family : str
        "query", "noise", "mechanism", "function", "sampling", "aggregator" or "planted".
    name : str
        Name of the component; its class must have the same one.
    target : str
        Location of the class: ``"package.module:Class"``.
    after : str, optional
        The component that precedes it in lists; last by default, or if there is no such component.
    reads : str, optional
        The data that it reads, such as "points"; lists for other data then need not import it.

    Raises
    ------
    ValueError
        If its family has another component with this name.

    See Also
    --------
    register, load_plugins

    Examples
    --------
    >>> register_later("spice", "salt", "kitchen.spices:Salt")
    >>> list(registry_of("spice"))
    ['pepper', 'salt']
    """
    registry_of(family).add(name, target, after, reads)


def _checked(component: type[ComponentT]) -> type[ComponentT]:
    """Return a complete component class; raise `TypeError` if it lacks something."""
    if inspect.isabstract(component):
        missing = ", ".join(sorted(getattr(component, "__abstractmethods__", ())))
        raise TypeError(f"{component.__name__} cannot be registered; it still needs {missing}")
    return component
