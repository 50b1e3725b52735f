"""Representations of objects at a prompt and in notebooks: public facts only, never records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from engine.numerals import grouped, short
from engine.signatures import Explained

MAX_ITEMS = 6
"""Items of a list to show."""

SIZE_FACTS = ("n", "vertices", "edges")
"""Facts that are confidential if no release may be made."""


CONVERSIONS: dict[tuple[str, str], Callable[[Any], Any]] = {}
"""Converts data of one kind to another one, by both names; the module of the other kind adds it."""


class ShownDatabase(metaclass=Explained):
    """Shows the number of records and their bounds; the records stay confidential.

    `release_problem` says why no release may be made; n is then confidential, too.  `missing` is the
    treatment of missing values when reading: "refuse", "fill" or "drop".
    """

    kind: ClassVar[str] = ""  # as in `engine.queries.Query.reads`
    release_problem: str = ""
    missing: str = "refuse"

    @property
    def records(self) -> int:
        """Number of records (public)."""
        known: Any = self
        return int(known.n)

    @property
    def facts(self) -> Mapping[str, Any]:
        """The public facts of the domain, as a release reports them."""
        known: Any = self
        facts: Mapping[str, Any] = known.domain.facts
        return facts

    def as_kind(self, kind: str) -> Any:
        """Return the same records as data of another kind; None if that is not possible."""
        convert = CONVERSIONS.get((self.kind, kind))
        return None if convert is None else convert(self)

    def __repr__(self) -> str:
        known: Any = self
        facts = {"n": known.n, **known.facts}
        hidden = SIZE_FACTS if self.release_problem else ()
        text = ", ".join(
            f"{name}={value!r}" for name, value in facts.items() if value is not None and name not in hidden
        )
        return f"{type(self).__name__}({text}; records are confidential)"


class ShownInALine:
    """Shows a short description, without numbers, which may be many or confidential."""

    @property
    def in_a_line(self) -> str:
        """Text between the parentheses."""
        return "confidential"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.in_a_line})"


def rows_in_html(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a small HTML table with a title, for a notebook."""
    import html

    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(name)}</th>'
        f'<td style="text-align:left">{html.escape(text)}</td></tr>'
        for name, text in rows
    )
    return f"<table><caption><b>{html.escape(title)}</b></caption><tbody>{cells}</tbody></table>"


def in_short(value: Any) -> str:
    """Format a value in a line: numbers, the first items of a list, the number of other parts."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return "none" if value is None else str(value)
    if isinstance(value, int | float):
        return short(value)
    if isinstance(value, Mapping):
        return "; ".join(f"{name} = {in_short(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        if value and not isinstance(value[0], int | float | list | tuple):
            return f"{grouped(len(value))} parts"
        more = ", …" if len(value) > MAX_ITEMS else ""
        return f"({', '.join(map(in_short, value[:MAX_ITEMS]))}{more})"
    return str(value)
