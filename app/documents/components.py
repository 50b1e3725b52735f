"""Mechanisms and their parts as a session file has them: a name, and what is set."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.data_reference import HERE, FilePlace
from app.documents.errors import DocumentError, inside, quoted
from app.documents.kinds import NUMBER, Number, OneOf, Text, Whole
from app.documents.structures import ListOf, Record, made
from engine.aggregation.black_box import BlackBox
from engine.catalog import FAMILIES
from engine.parameters import Parameter, Parameterised

LATER = ("clamp",)
"""Parameters that files of earlier versions do not have; what was made then is as by default."""

LONGEST = 1000
"""Numbers of the vector of a function from a file."""


def black_box(place: FilePlace) -> Record:
    """Return the kind of a function from a file: where it is, and never that it may be run."""
    ends = ListOf(NUMBER, LONGEST, fewest=1)
    return Record(
        BlackBox,
        {
            "path": place,
            "function_name": Text(200, 1),
            "lower": ends,
            "upper": ends,
            "seconds": Number(),
            "memory_mb": Whole(),
        },
    )


@dataclasses.dataclass(frozen=True)
class Component:
    """One of a family of the catalog with everything that is set in it.

    Attributes
    ----------
    families : tuple of str
        Keys of `FAMILIES`.
    place : FilePlace
        How files are named.
    """

    families: tuple[str, ...]
    place: FilePlace = HERE

    def plain(self, value: Parameterised) -> dict[str, Any]:
        """Return its name, and what is set."""
        if isinstance(value, BlackBox):
            return {"file": black_box(self.place).plain(value)}
        parts = {
            declared.name: self._part(declared).plain(getattr(value, declared.name))
            if declared.is_component
            else getattr(value, declared.name)
            for declared in value.parameters()
        }
        return {"name": value.name, "settings": parts}  # type: ignore[attr-defined]

    def read(self, plain: Any, where: str) -> Any:
        """Return it, with every parameter checked."""
        if isinstance(plain, dict) and "file" in plain and "function" in self.families:
            return Record(_only, {"file": black_box(self.place)}).read(plain, where)
        names = [name for family in self.families for name in FAMILIES[family]]
        found = Record(dict, {"name": OneOf(names), "settings": _AsItIs()}).read(plain, where)
        kind = next(
            FAMILIES[family][found["name"]] for family in self.families if found["name"] in FAMILIES[family]
        )
        fields = {declared.name: self._kind(declared) for declared in kind.parameters()}
        later = {declared.name: declared.default for declared in kind.parameters() if declared.name in LATER}
        return Record(kind, fields, later).read(found["settings"], inside(where, "settings"))

    def _part(self, declared: Parameter) -> Component:
        return Component((declared.kind,), self.place)

    def _kind(self, declared: Parameter) -> Any:
        return self._part(declared) if declared.is_component else ComponentSetting(declared)


@dataclasses.dataclass(frozen=True)
class ComponentSetting:
    """A plain number or word of a component."""

    declared: Parameter

    def plain(self, value: Any) -> Any:
        """Return it."""
        return value

    def read(self, plain: Any, where: str) -> Any:
        """Return a value that the parameter can take."""
        if not isinstance(plain, str | int | float):
            raise DocumentError(where, f"{quoted(plain)} is neither a number nor a word")
        try:
            made(where, self.declared.check, plain)
        except DocumentError:
            raise DocumentError(
                where, f"{quoted(plain)} is not possible; it must be {self.declared.bounds()}"
            ) from None
        return plain


class Chosen:
    """The parameters of a session: by "query/quantile", "noise/lcp" …, and then by name."""

    def plain(self, value: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return objects within an object."""
        return {key: dict(settings) for key, settings in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, dict[str, Any]]:
        """Return what is set, each checked by its own declaration."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        return {key: self._settings(key, settings, inside(where, key)) for key, settings in plain.items()}

    def _settings(self, key: str, plain: Any, where: str) -> dict[str, Any]:
        family, _, name = key.partition("/")
        if name not in FAMILIES.get(family, {}):
            raise DocumentError(where, "nothing in the catalog is called so")
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        declared = {one.name: ComponentSetting(one) for one in FAMILIES[family][name].plain_parameters()}
        for setting in plain:
            if setting not in declared:
                raise DocumentError(inside(where, setting), f"there is no such parameter of {name}")
        return {
            setting: declared[setting].read(value, inside(where, setting)) for setting, value in plain.items()
        }


class _AsItIs:
    """What another kind looks at."""

    def plain(self, value: Any) -> Any:
        """Return it."""
        return value

    def read(self, plain: Any, where: str) -> Any:
        """Return it."""
        return plain


def _only(file: BlackBox) -> BlackBox:
    return file
