"""Numbers and tables for the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.neighbours import WORDS
from app.model.wording.not_dp import WHY_NOT_DP
from app.model.wording.numbers import grouped, listed, short, written
from app.model.wording.releases import Step, joined, multiples_in, with_clamp

if TYPE_CHECKING:
    from engine.data import Example

CONFIDENTIAL = "confidential: computed from raw data and not a release; do not share it"
OF_PUBLIC_DATA = "not a release; computed from public data, so nothing of it is confidential"


def number(value: float, digits: int = 5, unit: str = "") -> str:
    """Return `value` with `digits` significant digits and thousands separators."""
    return f"{_digits(float(value), digits)} {unit}".rstrip()


def _digits(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return "infinite" if value > 0 else "-infinite" if value < 0 else "not a number"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if not -5 <= size < 15:
        return short(value, digits)
    text = f"{value:,.{max(0, digits - 1 - size)}f}"
    return written(text.rstrip("0").rstrip(".") if "." in text else text)


def counted(count: int, noun: str) -> str:
    """Return ``1 column`` or ``2 columns``."""
    return f"{grouped(count)} {noun}{'s' * (count != 1)}"


def grid(step: Step, unit: str, parameters: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Return the grid of released numbers, and whether they were clamped; "" if there is no grid.

    >>> grid(2.0**-22, "$", {"clamp": "none"})
    'multiples of 2^-22 = 2.4e-07 $, not clamped'
    """
    text = joined(step, lambda one: _multiples(one, unit), names)
    return with_clamp(text, parameters) if text else ""


def _multiples(step: float, unit: str) -> str:
    return multiples_in(
        step,
        unit,
        lambda: number(step, 12, unit),
        lambda power: f"2^{power} = {number(step, 2, unit)}",
    )


def settings(parameters: Iterable[tuple[str, object]]) -> str:
    """Return parameters as ``g = 4, split = 0.5``; None and "" are left out."""
    return ", ".join(f"{name} = {plain(value)}" for name, value in parameters if value not in (None, ""))


def plain(value: Any, digits: int = 5) -> str:
    """Return numbers with `digits` digits, vectors as ``(1, 2)``, and sets and named facts item by item."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(part, digits)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        if len(value) == 1:
            return plain(value[0], digits)
        parts = [plain(part, digits) for part in value]
        if any(isinstance(part, Mapping) for part in value):
            return "; ".join(parts)
        nested = any(isinstance(part, (list, tuple)) for part in value)
        return " ".join(parts) if nested else f"({listed(parts)})"
    return number(value, digits) if isinstance(value, (int, float)) else str(value)


def budget(epsilon: float, delta: float, neighbours: str, inexact: str = "") -> str:
    """Return the cost of a release with its neighbours; in words, if no epsilon is large enough.

    `inexact` is the note if the guarantee does not hold to the last bit.
    """
    if math.isinf(epsilon):
        return f"NOT{WHY_NOT_DP.removeprefix('not')}"
    text = f"epsilon = {short(epsilon)}, delta = {short(delta)} {WORDS[neighbours].between}"
    return f"{text}; {inexact}" if inexact else text


def size(public: Mapping[str, Any], n: int) -> str:
    """Return the public size: the number of records, or of vertices and edges."""
    edges = public.get("edges")
    known = [f"{grouped(public['vertices'])} vertices"] if "vertices" in public else [f"n = {grouped(n)}"]
    return ", ".join([*known, *([counted(edges, "edge")] if edges is not None else [])])


def card_size(card: Example) -> str:
    """Return the number of records of an example, or of vertices and edges."""
    return size({"vertices": card.vertices, "edges": card.n} if card.kind == "graph" else {}, card.n)


def bounds(public: Mapping[str, Any], unit: str) -> str:
    """Return the public bounds; "" if there are none."""
    if "lower" not in public:
        return ""
    return f"{number(public['lower'])} to {number(public['upper'], unit=unit)}"


def facts(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> str:
    """Return rows of (label, value, remark…) as aligned columns."""
    widths = [max((len(row[i]) for row in rows if len(row) > i + 1), default=0) for i in range(3)]
    return "\n".join(
        (indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))).rstrip()
        for row in rows
    )


def columns(header: Sequence[str], rows: Iterable[Sequence[str]], indent: str = "  ", left: int = 0) -> str:
    """Return a table of right-aligned columns; the first `left` columns are left-aligned."""
    table = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    return "\n".join(
        (
            indent
            + "  ".join(
                cell.ljust(width) if index < left else cell.rjust(width)
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        ).rstrip()
        for row in table
    )
