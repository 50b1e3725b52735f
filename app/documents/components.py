"""Mechanisms and their parts as a session file has them: a name, and what is set."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.schema import (
    ABSOLUTE,
    NUMBER,
    AsItIs,
    DocumentError,
    FilePath,
    ListOf,
    Number,
    OneOf,
    Record,
    Text,
    ValueKind,
    Whole,
    build_checked,
    inside,
    object_in,
    quote,
    refuse_unknown,
)
from engine.catalog import FAMILIES, from_files, kinds
from engine.components import Component, required_fields, runs_file, stands_alone
from engine.errors import ParameterError
from engine.parameters import Parameter
from engine.specification import Choices, Specification, describe, key_of

MAX_NUMBERS = 1000
"""Most numbers in the vector of a function from a file."""


def file_record(component: type[Component], path: FilePath) -> Record:
    """Return the kind of a component from a file: its path and settings, never permission to run it."""
    of_types: dict[str, ValueKind] = {
        "str": Text(200, 1),
        "float": Number(),
        "int": Whole(),
        "tuple[float, ...]": ListOf(NUMBER, MAX_NUMBERS, shortest=1),
    }
    chosen = {one.name: one for one in component.parameters() if one.choices}
    fields = {one.name: of_types[str(one.type)] for one in dataclasses.fields(component)}
    fields |= {name: ComponentSetting(one) for name, one in chosen.items()} | {"path": path}
    # files of earlier versions lack choices from a few words
    return Record(component, fields, {name: one.default for name, one in chosen.items()})


@dataclasses.dataclass(frozen=True)
class ComponentSetting:
    """A number, several numbers or a word that a component's parameter accepts."""

    declared: Parameter

    def plain(self, value: Any) -> Any:
        return list(value) if self.declared.kind == "numbers" else value

    def read(self, plain: Any, where: str) -> Any:
        if self.declared.kind == "numbers":
            plain = ListOf(NUMBER).read(plain, where)
        elif not isinstance(plain, str | int | float):
            raise DocumentError(where, f"{quote(plain)} is neither a number nor a word")
        plain = self.declared.current(plain)
        try:
            build_checked(where, self.declared.check, plain)
        except DocumentError:
            raise DocumentError(
                where, f"{quote(plain)} is not possible; it must be {self.declared.bounds()}"
            ) from None
        return plain


@dataclasses.dataclass(frozen=True)
class SpecificationKind:
    """A component with its chosen settings only.

    `family` is a key of `FAMILIES`; `path` says how files are named.
    """

    family: str
    path: FilePath = ABSOLUTE

    def plain(self, value: Specification) -> dict[str, Any]:
        if runs_file(value.component):
            return {"file": file_record(value.component, self.path).plain(value.build())}
        settings = {
            name: SpecificationKind(one.family, self.path).plain(one)
            if isinstance(one, Specification)
            else one
            for name, one in value.values.items()
        }
        return {"name": value.name, "settings": settings}

    def read(self, plain: Any, where: str) -> Specification:
        files = from_files(self.family)
        if isinstance(plain, dict) and "file" in plain and files:
            [component] = files.values()
            read = Record(dict, {"file": file_record(component, self.path)}).read(plain, where)
            return describe(read["file"])
        known = Record(dict, {"name": OneOf(FAMILIES[self.family]), "settings": AsItIs()}).read(plain, where)
        kind = FAMILIES[self.family][known["name"]]
        if not stands_alone(kind):
            raise DocumentError(where, f"{quote(kind.name)} needs more settings here; it must be a 'file'")
        settings = ChosenSettings(kind, self.path).read(known["settings"], inside(where, "settings"))
        return Specification(self.family, known["name"], settings)


class ComponentKind(SpecificationKind):
    """One of a family with all its settings; a setting that the file lacks has its default."""

    def plain(self, value: Any) -> dict[str, Any]:
        return super().plain(describe(value))

    def read(self, plain: Any, where: str) -> Any:
        return build_checked(where, super().read(plain, where).build)


@dataclasses.dataclass(frozen=True)
class ChosenSettings:
    """Chosen settings of one component, each checked by its own declaration."""

    component: type[Component]
    path: FilePath = ABSOLUTE

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return dict(value)

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        declared = {one.name: one for one in self.component.parameters()}
        missing = f"there is no such parameter of {self.component.name}"
        refuse_unknown(object_in(plain, where), declared, where, missing)
        return {
            name: self._kind(declared[name]).read(one, inside(where, name)) for name, one in plain.items()
        }

    def _kind(self, declared: Parameter) -> ValueKind:
        if declared.is_component:
            return SpecificationKind(declared.kind, self.path)
        return ComponentSetting(declared)


@dataclasses.dataclass(frozen=True)
class ChosenValues:
    """Chosen settings of many components: by "query/quantile", "noise/lcp" …, then by name."""

    path: FilePath = ABSOLUTE

    def plain(self, value: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        return {key: self._kind(key).plain(settings) for key, settings in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, dict[str, Any]]:
        known = {f"{kind}/{name}" for kind, components in kinds().items() for name in components}
        refuse_unknown(object_in(plain, where), known, where, "no component has this name")
        return {key: self._kind(key).read(settings, inside(where, key)) for key, settings in plain.items()}

    def _kind(self, key: str) -> ValueKind:
        kind, _, name = key.partition("/")
        component = kinds()[kind][name]
        if not runs_file(component):
            return ChosenSettings(component)
        record = file_record(component, self.path)
        return dataclasses.replace(record, make=lambda **values: vars(component(**values)))


class ChosenNames:
    """One name of each kind of components."""

    def plain(self, value: Mapping[str, str]) -> dict[str, str]:
        return dict(value)

    def read(self, plain: Any, where: str) -> dict[str, str]:
        refuse_unknown(object_in(plain, where), kinds(), where, "no component has this name")
        return {kind: OneOf(kinds()[kind]).read(name, inside(where, kind)) for kind, name in plain.items()}


def choices_of(path: FilePath) -> Record:
    """Return the kind of all choices made so far."""
    return Record(
        _complete,
        {"names": ChosenNames(), "parameters": ChosenValues(path)},
        attributes={"parameters": "values"},
    )


def _complete(names: Mapping[str, str], values: Mapping[str, Mapping[str, Any]]) -> Choices:
    """Return the choices, if every named component can be made from them."""
    for kind, name in names.items():
        component = kinds()[kind][name]
        if not required_fields(component) <= values.get(key_of(component), {}).keys():
            raise ParameterError(f"names.{kind}", f"'{name}' needs more settings; choose another one")
    return Choices(names, values)
