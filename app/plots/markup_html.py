"""Texts with marks as HTML: help pages for the window, and what reports take of them."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence

from app.model.texts.marks import MarkupBlock, Runs, TextRun
from app.model.texts.pages import TOPICS, HelpPage, HelpSection
from app.model.wording.numbers import in_prose

Formula = Callable[[str, bool], str]
"""Returns the HTML of a formula, set in a line (False) or on a line of its own (True)."""

_LISTS = {"bullet": "ul", "number": "ol"}


def page_html(page: HelpPage, formula: Formula) -> str:
    summary = "" if page.kind == TOPICS else 'class="summary"'
    parts = [f"<h1>{html.escape(page.title)}</h1>", blocks_html(page.summary, formula, summary)]
    parts += [section_html(section, formula) for section in page.sections]
    return "\n".join(parts)


def section_html(section: HelpSection, formula: Formula) -> str:
    """Return a section; mistakes in print are set apart from what holds."""
    heading = f"<h2>{html.escape(section.title)}</h2>"
    body = blocks_html(section.blocks, formula)
    if not section.is_errata:
        return heading + body
    named = "none" if section.says_none else "errata"
    return f'<table class="{named}" width="100%" cellpadding="10"><tr><td>{heading}{body}</td></tr></table>'


def blocks_html(blocks: Iterable[MarkupBlock], formula: Formula, attributes: str = "") -> str:
    """Return blocks; items that follow each other are one list."""
    parts: list[str] = []
    opened = ""
    for block in blocks:
        wanted = _LISTS.get(block.kind, "")
        if wanted != opened:
            parts += [f"</{opened}>"] if opened else []
            parts += [f"<{wanted}>"] if wanted else []
            opened = wanted
        parts.append(_block(block, formula, attributes))
    parts += [f"</{opened}>"] if opened else []
    return "\n".join(parts)


def _block(block: MarkupBlock, formula: Formula, attributes: str) -> str:
    if block.kind in _LISTS:
        return f"<li>{runs_html(block.runs, formula)}</li>"
    if block.kind == "formula":
        return f'<p class="formula">{formula(block.runs[0].text, True)}</p>'
    if block.kind == "code":
        return f"<pre>{html.escape(''.join(run.text for run in block.runs))}</pre>"
    if block.kind == "table":
        return _table(block.rows, formula)
    return f"<p {attributes}>{runs_html(block.runs, formula)}</p>"


def _table(rows: Sequence[Sequence[Runs]], formula: Formula) -> str:
    lines = []
    for row, tag in zip(rows, ["th", *["td"] * (len(rows) - 1)], strict=True):
        cells = "".join(f'<{tag} align="left">{runs_html(cell, formula)}</{tag}>' for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return f'<table class="numbers" cellpadding="4" cellspacing="0">{"".join(lines)}</table>'


def runs_html(runs: Runs, formula: Formula) -> str:
    return "".join(_run(run, formula) for run in runs)


def _run(run: TextRun, formula: Formula) -> str:
    if run.kind == "formula":
        text = formula(run.text, False)
    else:
        text = html.escape(run.text if run.kind == "code" else in_prose(run.text), quote=False)
        text = f"<code>{text}</code>" if run.kind == "code" else text
    text = f"<b>{text}</b>" if run.bold else text
    text = f"<i>{text}</i>" if run.italic else text
    return f'<a href="{html.escape(run.target)}">{text}</a>' if run.target else text
