"""Mechanisms and their parts as a session file has them: a name, and what is set."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.data_reference import HERE, FilePlace
from app.documents.errors import DocumentError, inside, quoted
from app.documents.kinds import NUMBER, Number, OneOf, Text, ValueKind, Whole
from app.documents.structures import ListOf, Record, made
from engine.catalog import FAMILIES, from_files, kinds
from engine.components import Component, required_fields, runs_file, stands_alone
from engine.errors import ParameterError
from engine.parameters import Parameter
from engine.specification import Choices, Specification, describe, key_of

LONGEST = 1000
"""Numbers of the vector of a function from a file."""


def file_record(component: type[Component], file_place: FilePlace) -> Record:
    """Return the kind of what runs a file: where it is, what is said of it, and never that it may be run."""
    kinds: dict[str, ValueKind] = {
        "str": Text(200, 1),
        "float": Number(),
        "int": Whole(),
        "tuple[float, ...]": ListOf(NUMBER, LONGEST, fewest=1),
    }
    chosen = {one.name: one for one in component.parameters() if one.choices}
    fields = {one.name: kinds[str(one.type)] for one in dataclasses.fields(component)}
    fields |= {name: ComponentSetting(one) for name, one in chosen.items()} | {"path": file_place}
    # files of earlier versions do not have what is chosen of a few words
    return Record(component, fields, {name: one.default for name, one in chosen.items()})


@dataclasses.dataclass(frozen=True)
class ComponentSetting:
    """A plain number or word of a component, or several numbers."""

    declared: Parameter

    def plain(self, value: Any) -> Any:
        """Return it."""
        return list(value) if self._is_list else value

    def read(self, plain: Any, where: str) -> Any:
        """Return a value that the parameter can take."""
        if self._is_list:
            plain = ListOf(NUMBER).read(plain, where)
        elif not isinstance(plain, str | int | float):
            raise DocumentError(where, f"{quoted(plain)} is neither a number nor a word")
        plain = self.declared.current(plain)
        try:
            made(where, self.declared.check, plain)
        except DocumentError:
            raise DocumentError(
                where, f"{quoted(plain)} is not possible; it must be {self.declared.bounds()}"
            ) from None
        return plain

    @property
    def _is_list(self) -> bool:
        return self.declared.kind == "numbers"


@dataclasses.dataclass(frozen=True)
class SpecificationKind:
    """A component with what was chosen of it, and nothing of what was not.

    Attributes
    ----------
    family : str
        A key of `FAMILIES`.
    place : FilePlace
        How files are named.
    """

    family: str
    place: FilePlace = HERE

    def plain(self, value: Specification) -> dict[str, Any]:
        """Return its name, and what is chosen."""
        if runs_file(value.component):
            return {"file": file_record(value.component, self.place).plain(value.build())}
        settings = {
            name: SpecificationKind(one.family, self.place).plain(one)
            if isinstance(one, Specification)
            else one
            for name, one in value.values.items()
        }
        return {"name": value.name, "settings": settings}

    def read(self, plain: Any, where: str) -> Specification:
        """Return it, with every parameter checked."""
        files = from_files(self.family)
        if isinstance(plain, dict) and "file" in plain and files:
            [component] = files.values()
            return describe(Record(_only, {"file": file_record(component, self.place)}).read(plain, where))
        known = Record(dict, {"name": OneOf(FAMILIES[self.family]), "settings": _AsItIs()}).read(plain, where)
        kind = FAMILIES[self.family][known["name"]]
        if not stands_alone(kind):
            raise DocumentError(
                where, f"{quoted(kind.name)} is not all that must be said; it must be a 'file'"
            )
        settings = ChosenSettings(kind, self.place).read(known["settings"], inside(where, "settings"))
        return Specification(self.family, known["name"], settings)


@dataclasses.dataclass(frozen=True)
class ComponentKind(SpecificationKind):
    """One of a family of the catalog with everything that is set in it."""

    def plain(self, value: Any) -> dict[str, Any]:
        return super().plain(describe(value))

    def read(self, plain: Any, where: str) -> Any:
        """Return it, with every parameter checked; what is not there is as declared."""
        return made(where, super().read(plain, where).build)


@dataclasses.dataclass(frozen=True)
class ChosenSettings:
    """What was chosen of the parameters of one component."""

    component: type[Component]
    place: FilePlace = HERE

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object."""
        return dict(value)

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        """Return what is chosen, each checked by its own declaration."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        declared = {one.name: one for one in self.component.parameters()}
        for name in plain:
            if name not in declared:
                raise DocumentError(
                    inside(where, name), f"there is no such parameter of {self.component.name}"
                )
        return {
            name: self._kind(declared[name]).read(one, inside(where, name)) for name, one in plain.items()
        }

    def _kind(self, declared: Parameter) -> SpecificationKind | ComponentSetting:
        if declared.is_component:
            return SpecificationKind(declared.kind, self.place)
        return ComponentSetting(declared)


@dataclasses.dataclass(frozen=True)
class ChosenValues:
    """What was chosen of many components: by "query/quantile", "noise/lcp" …, and then by name."""

    place: FilePlace = HERE

    def plain(self, value: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return objects within an object."""
        return {key: self._kind(key).plain(settings) for key, settings in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, dict[str, Any]]:
        """Return what is set, each checked by its own declaration."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        for key in plain:
            kind, _, name = key.partition("/")
            if name not in kinds().get(kind, {}):
                raise DocumentError(inside(where, key), "nothing in the catalog is called so")
        return {key: self._kind(key).read(settings, inside(where, key)) for key, settings in plain.items()}

    def _kind(self, key: str) -> Record | ChosenSettings:
        kind, _, name = key.partition("/")
        component = kinds()[kind][name]
        if not runs_file(component):
            return ChosenSettings(component)
        record = file_record(component, self.place)
        return dataclasses.replace(record, make=lambda **values: vars(component(**values)))


class ChosenNames:
    """One name of each kind of components."""

    def plain(self, value: Mapping[str, str]) -> dict[str, str]:
        """Return an object."""
        return dict(value)

    def read(self, plain: Any, where: str) -> dict[str, str]:
        """Return the names, each of its kind."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        for kind in plain:
            if kind not in kinds():
                raise DocumentError(inside(where, kind), "nothing in the catalog is called so")
        return {kind: OneOf(kinds()[kind]).read(name, inside(where, kind)) for kind, name in plain.items()}


def choices_of(file_place: FilePlace) -> Record:
    """Return the kind of what was ever chosen."""
    return Record(
        _complete,
        {"names": ChosenNames(), "parameters": ChosenValues(file_place)},
        attributes={"parameters": "values"},
    )


class _AsItIs:
    """What another kind looks at."""

    def plain(self, value: Any) -> Any:
        """Return it."""
        return value

    def read(self, plain: Any, where: str) -> Any:
        """Return it."""
        return plain


def _only(file: Component) -> Component:
    return file


def _complete(names: Mapping[str, str], values: Mapping[str, Mapping[str, Any]]) -> Choices:
    """Return what was chosen, where all that is named can be made."""
    for kind, name in names.items():
        component = kinds()[kind][name]
        if not required_fields(component) <= values.get(key_of(component), {}).keys():
            raise ParameterError(
                f"names.{kind}", f"'{name}' is not all that must be said; choose another one"
            )
    return Choices(names, values)
