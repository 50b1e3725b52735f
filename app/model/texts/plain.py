"""Help pages as plain lines, for terminals and searches."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from app.model.texts.pages import HelpPage
from app.model.texts.readable import readable
from app.model.wording.markup import MarkupBlock, Runs, TextRun
from app.model.wording.numbers import in_prose


def page_text(page: HelpPage, width: int = 96) -> str:
    """Return a page in lines of at most `width` signs, but for formulas, tables and code."""
    parts = [page.title, *_texts(page.summary, width)]
    for section in page.sections:
        parts += [section.title.upper(), *_texts(section.blocks, width)]
    return "\n\n".join(parts)


def said(runs: Runs) -> str:
    """Return the words of a line, its formulas in letters."""
    return "".join(_said(run) for run in runs)


def _said(run: TextRun) -> str:
    if run.kind == "formula":
        return readable(run.text)
    return run.text if run.kind == "code" else in_prose(run.text)


def block_text(block: MarkupBlock) -> str:
    """Return all the words of a block on one line."""
    cells = "  ".join(said(cell) for row in block.rows for cell in row)
    return f"{said(block.runs)} {cells}".strip()


def _texts(blocks: tuple[MarkupBlock, ...], width: int) -> Iterator[str]:
    """Yield blocks as they stand in a terminal; the items of a list stay together."""
    items: list[str] = []
    for block in blocks:
        if block.kind in ("bullet", "number"):
            items.append(_wrapped(said(block.runs), width, "- "))
            continue
        if items:
            yield "\n".join(items)
            items = []
        if block.kind == "table":
            yield _table([[said(cell) for cell in row] for row in block.rows])
        elif block.kind in ("formula", "code"):
            yield textwrap.indent(said(block.runs), "    ")
        else:
            yield _wrapped(said(block.runs), width)
    if items:
        yield "\n".join(items)


def _wrapped(text: str, width: int, first: str = "") -> str:
    rest = " " * len(first)
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
