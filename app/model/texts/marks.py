"""The few marks that help pages are written in, read into plain data.

Blocks are paragraphs, items of lists ("- " or "1. "), tables of lines that begin with "|", lines of
code between two lines of ```` ``` ````, and formulas between "$$" on lines of their own.  In a line:
``**bold**``, ``*italic*``, `` `code` ``, ``$formula$`` and ``[words](target)``; a backslash takes the
meaning from the mark behind it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence


@dataclasses.dataclass(frozen=True)
class TextRun:
    """A part of a line with one style."""

    text: str  # the text, or a formula without dollars
    kind: str = "text"  # "text", "code" or "formula"
    # bold, italic: style of the text
    bold: bool = False
    italic: bool = False
    target: str = ""  # target of a link; "" for none


Runs = tuple[TextRun, ...]


@dataclasses.dataclass(frozen=True)
class MarkupBlock:
    """A paragraph, an item of a list, a formula, a table, or code."""

    kind: str  # "paragraph", "bullet", "number", "formula", "table" or "code"
    runs: Runs = ()  # the text; for a formula or code, one run
    rows: tuple[tuple[Runs, ...], ...] = ()  # the cells of a table, its header first
    line: int = 0  # number of its first line

    @property
    def all_runs(self) -> Runs:
        """All runs, including those in cells."""
        return self.runs + tuple(run for row in self.rows for cell in row for run in cell)


_MARK = re.compile(
    r"\\(?P<plain>[\\`*$\[\]|_])"
    r"|`(?P<code>[^`]+)`"
    r"|\$(?P<formula>[^$]+)\$"
    r"|\*\*(?P<bold>(?:\\.|.)+?)\*\*"
    r"|\*(?P<italic>[^*\s](?:[^*]*[^*\s])?)\*"
    r"|\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]*)\)"
)
_CELL = re.compile(r"(?:\\.|`[^`]*`|\$[^$]*\$|[^|])*")
_RULE = re.compile(r":?-+:?$")
_ITEM = re.compile(r"(?:(?P<bullet>[-*])|(?P<number>\d+)[.)])\s+")


LONGEST = 4000
"""Largest number of characters in a paragraph or cell."""


class MarkError(ValueError):
    """An error in the markup, with its line number."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


def read_runs(text: str, line: int = 1) -> Runs:
    r"""Read the marks in a line.

    >>> [run.text for run in read_runs(r"noise of *scale* $S/\alpha$ costs \$5")]
    ['noise of ', 'scale', ' ', 'S/\\alpha', ' costs ', '$', '5']

    `MarkError` for a mark without its partner.
    """
    if len(text) > LONGEST:  # the time to look for partners grows with its square
        raise MarkError(f"more than {LONGEST} characters without a blank line", line)
    return tuple(_runs(text, line, TextRun("")))


def _runs(text: str, line: int, style: TextRun) -> Iterator[TextRun]:
    index = 0
    for mark in _MARK.finditer(text):
        yield from _plain(text[index : mark.start()], line, style)
        index = mark.end()
        if mark["plain"]:
            yield dataclasses.replace(style, text=mark["plain"])
        elif mark["code"] or mark["formula"]:
            kind = "code" if mark["code"] else "formula"
            yield dataclasses.replace(style, text=(mark["code"] or mark["formula"]).strip(), kind=kind)
        elif mark["words"]:
            yield from _runs(mark["words"], line, dataclasses.replace(style, target=mark["target"]))
        else:
            inner = mark["bold"] or mark["italic"]
            bold, italic = style.bold or bool(mark["bold"]), style.italic or bool(mark["italic"])
            yield from _runs(inner, line, dataclasses.replace(style, bold=bold, italic=italic))
    yield from _plain(text[index:], line, style)


def _plain(text: str, line: int, style: TextRun) -> Iterator[TextRun]:
    for mark in ("$", "`", "**"):
        if mark in text:
            raise MarkError(f"a {mark} without its partner; where none is meant, write \\{mark}", line)
    if text:
        yield dataclasses.replace(style, text=text)


def read_blocks(lines: Sequence[tuple[int, str]]) -> tuple[MarkupBlock, ...]:
    """Read numbered lines as blocks; `MarkError` at the line of the first mistake."""
    return tuple(_blocks(list(lines)))


def _blocks(lines: list[tuple[int, str]]) -> Iterator[MarkupBlock]:
    while lines:
        number, text = lines[0]
        text = text.strip()
        if not text:
            lines.pop(0)
        elif text.startswith("```"):
            yield _code(lines)
        elif text.startswith("$$"):
            yield _formula(lines)
        elif text.startswith("|"):
            yield _table(lines)
        elif text.startswith("#"):
            raise MarkError("a heading that is neither '# …' nor '## …'", number)
        else:
            yield _words(lines)


def _words(lines: list[tuple[int, str]]) -> MarkupBlock:
    """Read a paragraph or one item."""
    number, text = lines.pop(0)
    item = _ITEM.match(text.strip())
    kind = "paragraph" if item is None else "bullet" if item["bullet"] else "number"
    parts = [text.strip()[item.end() if item else 0 :]]
    while lines and _goes_on(lines[0][1].strip()):
        parts.append(lines.pop(0)[1].strip())
    return MarkupBlock(kind, read_runs(" ".join(parts), number), line=number)


def _goes_on(text: str) -> bool:
    return bool(text) and not text.startswith(("```", "$$", "|", "#")) and not _ITEM.match(text)


def _code(lines: list[tuple[int, str]]) -> MarkupBlock:
    number, _ = lines.pop(0)
    results: list[str] = []
    while lines:
        text = lines.pop(0)[1]
        if text.strip() == "```":
            return MarkupBlock("code", (TextRun("\n".join(results), "code"),), line=number)
        results.append(text.rstrip())
    raise MarkError("code that does not end; close it with ```", number)


def _formula(lines: list[tuple[int, str]]) -> MarkupBlock:
    number, text = lines.pop(0)
    match = text.strip()[2:]
    while not match.endswith("$$"):
        if not lines or not lines[0][1].strip():
            raise MarkError("a formula that does not end; close it with $$", number)
        match = f"{match} {lines.pop(0)[1].strip()}".strip()
    match = match.removesuffix("$$").strip()
    if not match or "$" in match:
        raise MarkError("between $$ and $$ stands one formula, without other dollars", number)
    return MarkupBlock("formula", (TextRun(_displayed(match), "formula"),), line=number)


def _displayed(tex: str) -> str:
    r"""Set fractions in full size, except those in an exponent, index or other fraction.

    >>> _displayed(r"e^{\frac{1}{2}} + \frac{a}{\frac{b}{c}}")
    'e^{\\frac{1}{2}} + \\dfrac{a}{\\frac{b}{c}}'
    """
    depth, parts = 0, []
    for part in re.split(r"(\\frac|\\?[{}])", tex):
        depth += {"{": 1, "}": -1}.get(part, 0)
        parts.append(r"\dfrac" if part == r"\frac" and depth == 0 else part)
    return "".join(parts)


def _table(lines: list[tuple[int, str]]) -> MarkupBlock:
    begun = lines[0][0]
    rows: list[tuple[Runs, ...]] = []
    while lines and lines[0][1].strip().startswith("|"):
        number, text = lines.pop(0)
        cells = _cells(text.strip())
        if number == begun + 1:
            if not all(_RULE.match(cell) for cell in cells):
                raise MarkError("below the header of a table stands a line of | --- |", number)
            continue
        rows.append(tuple(read_runs(cell, number) for cell in cells))
        if len(cells) != len(rows[0]):
            raise MarkError(f"{len(cells)} cells below a header of {len(rows[0])}", number)
    if len(rows) < 2:
        raise MarkError("a table without rows", begun)
    return MarkupBlock("table", rows=tuple(rows), line=begun)


def _cells(text: str) -> list[str]:
    """Split a line at bars outside formulas and code."""
    cells: list[str] = []
    index = 1
    while index < len(text):
        match = _CELL.match(text, index)
        assert match is not None
        cells.append(match[0].strip())
        index = match.end() + 1
    return cells
