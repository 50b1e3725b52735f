"""How objects show themselves at a prompt and in a notebook: what is public, and never a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.numerals import grouped, short

MAX_ITEMS = 6
"""Numbers of a list that are shown."""

SIZES = ("n", "vertices", "edges")
"""Facts that are confidential where no release may be made."""


class ShownDatabase:
    """Shows how many records there are, and their bounds; what they are stays confidential.

    Where no release may be made of it, `release_problem` says why, and n is confidential, too.  `missing`
    says what was done with missing values when it was read: "refuse", "fill" or "drop".
    """

    release_problem: str = ""
    missing: str = "refuse"

    def __repr__(self) -> str:
        known: Any = self
        facts = {"n": known.n, **known.facts}
        hidden = SIZES if self.release_problem else ()
        text = ", ".join(
            f"{name}={value!r}" for name, value in facts.items() if value is not None and name not in hidden
        )
        return f"{type(self).__name__}({text}; records are confidential)"


class ShownInALine:
    """Shows `in_a_line`: what it is, and none of its numbers, which may be many or confidential."""

    @property
    def in_a_line(self) -> str:
        """What stands between the brackets."""
        return "confidential"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.in_a_line})"


def rows_in_html(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a small table with a title, for a notebook."""
    import html

    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(name)}</th>'
        f'<td style="text-align:left">{html.escape(text)}</td></tr>'
        for name, text in rows
    )
    return f"<table><caption><b>{html.escape(title)}</b></caption><tbody>{cells}</tbody></table>"


def in_short(value: Any) -> str:
    """Write a value in a line: numbers, a few of a list, how many parts of anything else."""
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
