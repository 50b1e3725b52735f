"""What was chosen, before it is made: trees of names and values, which may be unfinished or wrong.

`Specification.build` makes the component of one, or says what is wrong; `describe` goes back.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from typing import Any, Self

from engine.catalog import FAMILIES, kind_of, methods
from engine.components import Component, part_of, required_fields, stands_alone
from engine.errors import ParameterError, UnknownName
from engine.parameters import Parameter


@dataclasses.dataclass(frozen=True)
class Specification:
    """The name of a component of a family, and the values that were chosen for it.

    `values` holds numbers and words by parameter, and specifications of the parts.  What is absent is as the
    component declares it.
    """

    family: str
    name: str
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def component(self) -> type[Component]:
        """What is specified; raise `UnknownName` for what the catalog does not hold."""
        return component_of(self.family, self.name)

    @functools.cached_property
    def asked(self) -> Specification:
        """What is asked of the data: the query of a mechanism that has one, else the mechanism itself."""
        field = part_of(self.component, "query")
        return self.part(field) if field else self

    def parts(self) -> dict[str, Specification]:
        """Return all parts by parameter: those that were chosen, and of all others the declared ones."""
        return {
            declared.name: self.values.get(declared.name) or _as_declared(declared.default)
            for declared in self.component.parameters()
            if declared.is_component
        }

    def part(self, *path: str) -> Specification:
        """Return the part to which a path of parameters leads."""
        return self if not path else self.parts()[path[0]].part(*path[1:])

    def plain(self) -> dict[str, Any]:
        """Return what was chosen of its own numbers and words."""
        return {name: value for name, value in self.values.items() if not isinstance(value, Specification)}

    def walk(self) -> Iterator[Specification]:
        """Yield it and all its parts, from the top."""
        yield self
        for part in self.parts().values():
            yield from part.walk()

    def other_kinds(self, other: Specification) -> set[str]:
        """Return the kinds of components that differ from those of another tree, or stand in one alone.

        Of one that its name does not describe, such as a function from a file, its values count, too.
        """
        ours, theirs = (
            {
                kind_of(one.component): one.name if stands_alone(one.component) else one
                for one in reversed(tuple(tree.walk()))
            }
            for tree in (self, other)
        )
        return {kind for kind in {*ours, *theirs} if ours.get(kind) != theirs.get(kind)}

    def from_question(self) -> Iterator[Specification]:
        """Yield it and all its parts, what is asked first."""
        asked = self.asked
        yield asked
        yield from (one for one in self.walk() if one.component is not asked.component)

    def find(self, family: str) -> Specification | None:
        """Return the first of a family in it, or None."""
        return next((one for one in self.walk() if one.family == family), None)

    def path_to(self, family: str) -> tuple[str, ...] | None:
        """Return the path of parameters to the first of a family, or None."""
        if self.family == family:
            return ()
        for name, part in self.parts().items():
            path = part.path_to(family)
            if path is not None:
                return (name, *path)
        return None

    def with_part(self, part: Specification, *path: str) -> Specification:
        """Return it with another part where a path leads; another one for no path."""
        if not path:
            return part
        inner = self.part(path[0]).with_part(part, *path[1:])
        return dataclasses.replace(self, values={**self.values, path[0]: inner})

    def with_value(self, value: Any, *path: str) -> Specification:
        """Return it with another value of the parameter where a path leads."""
        *above, name = path
        owner = self.part(*above)
        owner.check_name(name)
        declared = next((one for one in owner.component.parameters() if one.name == name), None)
        value = value if declared is None else declared.current(value)
        return self.with_part(dataclasses.replace(owner, values={**owner.values, name: value}), *above)

    def without(self, *path: str) -> Specification:
        """Return it with the declared value of the parameter where a path leads."""
        *above, name = path
        owner = self.part(*above)
        kept = {key: value for key, value in owner.values.items() if key != name}
        return self.with_part(dataclasses.replace(owner, values=kept), *above)

    def check_name(self, name: str) -> None:
        """Raise `ParameterError` unless it has a parameter called so."""
        if name not in {field.name for field in dataclasses.fields(self.component)}:
            raise ParameterError(name, f"{self.name} has no such parameter")

    def build(self) -> Any:
        """Make the component, with all its parts.

        Raises `ParameterError` for a value that is not possible, belongs to nothing or is missing (`field`
        is the parameter, or the family where something is missing), and `UnknownName`.
        """
        component = self.component
        for name in self.values:
            self.check_name(name)
        if not required_fields(component) <= self.values.keys():
            raise ParameterError(self.family, f"{self.name} is not all that must be said of it")
        return component(**{name: _built(value) for name, value in self.values.items()})

    def to_plain(self) -> dict[str, Any]:
        """Return it as JSON has it; `from_plain` reads that."""
        plain = {name: _plain(value) for name, value in self.values.items()}
        return {"family": self.family, "name": self.name, "values": plain}

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        """Return what `to_plain` wrote; raise `ParameterError` for anything else."""
        match plain:
            case {"family": str(family), "name": str(name), "values": dict(values)}:
                return cls(family, name, {str(key): _unplain(value) for key, value in values.items()})
        raise ParameterError("mechanism", "is no family, name and values")


@dataclasses.dataclass(frozen=True)
class Choices:
    """Names and values side by side, from which trees are put together: changing one's mind and back loses
    nothing.

    `names` has one of each kind (the mechanism that releases the answer to a query is a "method"); of a kind
    that is absent, what is declared is taken.  `values` go by kind and name: "noise/student-t" …
    """

    names: Mapping[str, str] = dataclasses.field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)

    def specify(self, family: str, name: str) -> Specification:
        """Return a component as it was last chosen, made of the parts that were last chosen."""
        component = component_of(family, name)
        parts = {
            declared.name: self._part(declared)
            for declared in component.parameters()
            if declared.is_component
        }
        return Specification(family, name, {**self.values.get(key_of(component), {}), **parts})

    def ask(self, name: str) -> Specification:
        """Return the mechanism for what is asked: its own, or of a query the method that was last chosen."""
        if name not in FAMILIES["query"]:
            return self.specify("mechanism", name)
        method = self.names.get("method") or next(iter(methods()))
        return self.named(query=name).specify("mechanism", method)

    def named(self, **names: str) -> Choices:
        """Return them with other names."""
        return dataclasses.replace(self, names={**self.names, **names})

    def valued(self, values: Mapping[str, Mapping[str, Any]]) -> Choices:
        """Return them with other values for some components."""
        return dataclasses.replace(self, values={**self.values, **values})

    def learned(self, chosen: Specification) -> Choices:
        """Return them with all that is chosen in a tree."""
        names, values = dict(self.names), dict(self.values)
        for one in reversed(tuple(chosen.walk())):
            names[kind_of(one.component)] = one.name
            values.pop(key_of(one.component), None)
            if one.plain():
                values[key_of(one.component)] = one.plain()
        return Choices(names, values)

    def _part(self, declared: Parameter) -> Specification:
        name = self.names.get(declared.kind, declared.default.name)
        return self.specify(declared.kind, name)


def component_of(family: str, name: str) -> type[Component]:
    """Return a component by family and name; raise `UnknownName`."""
    if name not in FAMILIES[family]:
        raise UnknownName(family, name, FAMILIES[family])
    return FAMILIES[family][name]


def key_of(component: type[Component]) -> str:
    """Return what names a component among all: "method/smooth", "noise/student-t" …"""
    return f"{kind_of(component)}/{component.name}"


def describe(component: Component) -> Specification:
    """Return what makes a component again, with all its values."""
    fields = (field.name for field in dataclasses.fields(component))
    values = {name: getattr(component, name) for name in fields}
    described = {
        name: describe(value) if isinstance(value, Component) else value for name, value in values.items()
    }
    return Specification(component.family, component.name, described)


def _as_declared(component: Component) -> Specification:
    """Return what makes a component again, without what is as declared."""
    usual = {declared.name: declared.default for declared in component.parameters()}
    described = describe(component)
    values = {
        name: value for name, value in described.values.items() if getattr(component, name) != usual[name]
    }
    return dataclasses.replace(described, values=values)


def _built(value: Any) -> Any:
    return value.build() if isinstance(value, Specification) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Specification):
        return value.to_plain()
    return list(value) if isinstance(value, tuple) else value


def _unplain(value: Any) -> Any:
    if isinstance(value, dict):
        return Specification.from_plain(value)
    return tuple(value) if isinstance(value, list) else value
