"""The kind of what is chosen about data, drawn from how the fields of the choice are declared."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from app.documents.kinds import NAME, NUMBER, OneOf, Text, ValueKind, Whole
from app.documents.structures import ListOf, OptionalOf, PairOf, Record, TableOf
from app.model.kinds.base import BY_HAND, DataChoice

ATTRIBUTES = {"origin": "bounds_source", "edits": "modified_values", "absent": "removed_edges"}
"""What fields are called in the program, where files call them otherwise."""
LATER: Mapping[str, Any] = {"resolution": None, "complete": None, "fills": {}, "vertex_names": ()}
"""What files of earlier versions do not have, and what it was then."""
NAMES = {attribute: name for name, attribute in ATTRIBUTES.items()}
MAX_RECORDS = 1 << 40
MAYBE_NOTHING = Text(1000)
"""The name of a column where "" says that none is chosen."""


def fields_of_choice(choice: type[DataChoice]) -> dict[str, ValueKind]:
    """Return the kind of each field that a file keeps: what is declared, and what was changed by hand."""
    kept = (*choice.names(), *choice.names(BY_HAND))
    declared = {name: _annotation(choice, name) for name in kept}
    return {
        NAMES.get(name, name): MAYBE_NOTHING if annotation is str else _kind_of(annotation)
        for name, annotation in declared.items()
    }


def _annotation(cls: type[Any], name: str) -> Any:
    """Return what a field is declared to be, which may name types that only its own module knows."""
    owner = next(one for one in cls.__mro__ if name in vars(one).get("__annotations__", {}))
    declared = owner.__annotations__[name]
    return eval(declared, vars(sys.modules[owner.__module__])) if isinstance(declared, str) else declared


def _kind_of(annotation: Any) -> ValueKind:
    """Return the kind of values of a type."""
    simple: dict[Any, ValueKind] = {str: NAME, float: NUMBER, int: Whole(upper=MAX_RECORDS)}
    if annotation in simple:
        return simple[annotation]
    inside, origin = get_args(annotation), get_origin(annotation)
    if origin is Literal:
        return OneOf(inside)
    if origin is types.UnionType:
        (kind,) = (_kind_of(one) for one in inside if one is not types.NoneType)
        return OptionalOf(kind)
    if origin is tuple and inside[-1] is not Ellipsis:
        return PairOf(*map(_kind_of, inside))
    if origin in (tuple, frozenset):
        return ListOf(_kind_of(inside[0]), make=origin)
    if origin is Mapping:
        return TableOf(_kind_of(inside[1]), _kind_of(inside[0]), places=inside[0] is int)
    if isinstance(annotation, type) and issubclass(annotation, DataChoice):
        return Record(annotation, fields_of_choice(annotation), LATER, ATTRIBUTES)
    names = [field.name for field in dataclasses.fields(annotation)]
    return Record(annotation, {name: _kind_of(_annotation(annotation, name)) for name in names})
