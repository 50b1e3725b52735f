"""Descriptions of edits: "change epsilon: 1 → 0.5"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.model.wording.numbers import format_exact
from engine.parameters import Parameter
from engine.specification import Specification

LONGEST = 60
"""Largest length of the values in a description."""


def edit_words(
    text: str, before: Mapping[str, Any], after: Mapping[str, Any], *, curator: bool = True
) -> str:
    """Return the name of an edit with its values, if these are short.

    Only the `curator` sees values of records.

    >>> edit_words("change epsilon", {"epsilon": 1.0}, {"epsilon": 0.5})
    'change epsilon: 1 → 0.5'
    >>> edit_words("move a data point", {"modified_values": {}}, {"modified_values": {3: 20.0}})
    'move a data point: record 4 to 20'
    """
    names = [name for name in after if curator or name != "modified_values"]
    shown = "; ".join(label for name in names for label in _told(name, before.get(name), after[name]))
    return f"{text}: {shown}" if shown and len(shown) <= LONGEST else text


def _told(name: str, before: Any, after: Any) -> Iterator[str]:
    if name == "remembered" or before == after:
        return
    if isinstance(before, Specification) and isinstance(after, Specification):
        yield from _other_parts(before, after)
    elif name == "modified_values":
        yield from _moved(before or {}, after)
    elif _is_short(before) and _is_short(after):
        yield f"{_word(before)} → {_word(after)}"


def _other_parts(before: Specification, after: Specification) -> Iterator[str]:
    """Yield changed components, or else changed parameters."""
    if before.component is not after.component:
        yield f"{before.component.label} → {after.component.label}"
        return
    for declared in after.component.parameters():
        if declared.is_component:
            yield from _other_parts(before.part(declared.name), after.part(declared.name))
            continue
        old, new = (one.values.get(declared.name, declared.default) for one in (before, after))
        if old != new and _is_short(old) and _is_short(new):
            yield f"{_word(old, declared)} → {_word(new, declared)}"


def _moved(before: Mapping[int, float], after: Mapping[int, float]) -> Iterator[str]:
    moved = [record for record, value in after.items() if before.get(record) != value]
    if len(moved) == 1:
        yield f"record {moved[0] + 1} to {format_exact(after[moved[0]])}"


def _is_short(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _word(value: Any, declared: Parameter | None = None) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        known = declared is not None and value in declared.choices
        return declared.words_of(value) if declared is not None and known else value
    return format_exact(value)
