"""Specifications of components: trees of names and values, possibly incomplete or invalid.

`Specification.build` creates the component or reports an error; `describe` is its inverse.
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
    """The name of a component of a family, and the values chosen for it.

    `values` holds plain values by parameter, and specifications of the parts.  Missing values take the
    declared defaults.
    """

    family: str
    name: str
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def component(self) -> type[Component]:
        """The class of the component; raise `UnknownName` for an unknown name."""
        return component_of(self.family, self.name)

    @functools.cached_property
    def asked(self) -> Specification:
        """The query of a mechanism, or the mechanism itself if it computes its own answer."""
        field = part_of(self.component, "query")
        return self.part(field) if field else self

    def parts(self) -> dict[str, Specification]:
        """Return all parts by parameter: the chosen ones, and defaults for the others."""
        return {
            declared.name: self.values.get(declared.name) or _as_declared(declared.default)
            for declared in self.component.parameters()
            if declared.is_component
        }

    def part(self, *path: str) -> Specification:
        """Return the part at a path of parameters."""
        return self if not path else self.parts()[path[0]].part(*path[1:])

    def plain(self) -> dict[str, Any]:
        """Return the chosen values except parts."""
        return {name: value for name, value in self.values.items() if not isinstance(value, Specification)}

    def walk(self) -> Iterator[Specification]:
        """Yield the specification and all its parts, from the top."""
        yield self
        for part in self.parts().values():
            yield from part.walk()

    def other_kinds(self, other: Specification) -> set[str]:
        """Return the kinds of components that differ between two trees, or occur in only one.

        For components with required values, such as a function from a file, all values are compared, too.
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
        """Yield the query first, then the specification and its other parts."""
        asked = self.asked
        yield asked
        yield from (one for one in self.walk() if one.component is not asked.component)

    def find(self, family: str) -> Specification | None:
        """Return the first part of a family, or None."""
        return next((one for one in self.walk() if one.family == family), None)

    def path_to(self, family: str) -> tuple[str, ...] | None:
        """Return the path of parameters to the first part of a family, or None."""
        if self.family == family:
            return ()
        for name, part in self.parts().items():
            path = part.path_to(family)
            if path is not None:
                return (name, *path)
        return None

    def with_part(self, part: Specification, *path: str) -> Specification:
        """Return a copy with another part at a path; an empty path replaces the whole."""
        if not path:
            return part
        inner = self.part(path[0]).with_part(part, *path[1:])
        return dataclasses.replace(self, values={**self.values, path[0]: inner})

    def with_value(self, value: Any, *path: str) -> Specification:
        """Return a copy with another value of the parameter at a path."""
        *above, name = path
        owner = self.part(*above)
        owner.check_name(name)
        declared = next((one for one in owner.component.parameters() if one.name == name), None)
        value = value if declared is None else declared.current(value)
        return self.with_part(dataclasses.replace(owner, values={**owner.values, name: value}), *above)

    def without(self, *path: str) -> Specification:
        """Return a copy with the default of the parameter at a path."""
        *above, name = path
        owner = self.part(*above)
        kept = {key: value for key, value in owner.values.items() if key != name}
        return self.with_part(dataclasses.replace(owner, values=kept), *above)

    def check_name(self, name: str) -> None:
        """Raise `ParameterError` unless the component has this parameter."""
        if name not in {field.name for field in dataclasses.fields(self.component)}:
            raise ParameterError(name, f"{self.name} has no such parameter")

    def build(self) -> Any:
        """Create the component with all its parts.

        Raises `UnknownName`, or `ParameterError` for a value that is not possible, unknown or missing.  Its
        `field` is the parameter, or the family if something is missing.
        """
        component = self.component
        for name in self.values:
            self.check_name(name)
        if not required_fields(component) <= self.values.keys():
            raise ParameterError(self.family, f"{self.name} needs further parameters")
        return component(**{name: _built(value) for name, value in self.values.items()})

    def to_plain(self) -> dict[str, Any]:
        """Return a JSON-compatible form, which `from_plain` reads."""
        plain = {name: _plain(value) for name, value in self.values.items()}
        return {"family": self.family, "name": self.name, "values": plain}

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        """Return the specification that `to_plain` wrote; raise `ParameterError` for anything else."""
        match plain:
            case {"family": str(family), "name": str(name), "values": dict(values)}:
                return cls(family, name, {str(key): _unplain(value) for key, value in values.items()})
        raise ParameterError("mechanism", "it must have family, name and values")


@dataclasses.dataclass(frozen=True)
class Choices:
    """All choices made so far; returning to an earlier choice restores its values.

    `names` has one entry per kind (a mechanism that releases a query's answer is a "method"); absent kinds
    take the default.  `values` is keyed by kind and name: "noise/student-t" …
    """

    names: Mapping[str, str] = dataclasses.field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)

    def specify(self, family: str, name: str) -> Specification:
        """Return a component with its latest values and parts."""
        component = component_of(family, name)
        parts = {
            declared.name: self._part(declared)
            for declared in component.parameters()
            if declared.is_component
        }
        return Specification(family, name, {**self.values.get(key_of(component), {}), **parts})

    def ask(self, name: str) -> Specification:
        """Return the mechanism for a question: its own, or the latest method for a query."""
        if name not in FAMILIES["query"]:
            return self.specify("mechanism", name)
        method = self.names.get("method") or next(iter(methods()))
        return self.named(query=name).specify("mechanism", method)

    def named(self, **names: str) -> Choices:
        """Return a copy with other names."""
        return dataclasses.replace(self, names={**self.names, **names})

    def valued(self, values: Mapping[str, Mapping[str, Any]]) -> Choices:
        """Return a copy with other values for some components."""
        return dataclasses.replace(self, values={**self.values, **values})

    def learned(self, chosen: Specification) -> Choices:
        """Return a copy with all choices of a tree."""
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
    """Return the key of a component: "method/smooth", "noise/student-t" …"""
    return f"{kind_of(component)}/{component.name}"


def describe(component: Component) -> Specification:
    """Return the specification of a component, with all its values."""
    fields = (field.name for field in dataclasses.fields(component))
    values = {name: getattr(component, name) for name in fields}
    described = {
        name: describe(value) if isinstance(value, Component) else value for name, value in values.items()
    }
    return Specification(component.family, component.name, described)


def _as_declared(component: Component) -> Specification:
    """Return the specification of a component, without default values."""
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
