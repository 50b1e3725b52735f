"""A report as one page of HTML: nothing outside of the file is needed, and nothing in it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from app.export.report.svg import inline_svg
from app.export.report.text import cell_words, is_number, markup
from app.model.report_document import (
    CONFIDENTIAL,
    Block,
    FactList,
    Paragraph,
    Report,
    ReportFigure,
    ReportSection,
    ReportTable,
    RichText,
)
from app.plots.formula_outlines import formula_html
from app.plots.markup_html import blocks_html
from engine.progress import Progress, silent
from engine.resources import resource

BADGE = f'<span class="badge">{CONFIDENTIAL}</span>'

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"""


def to_html(report: Report, progress: Progress = silent) -> str:
    """Return the page.

    Examples
    --------
    >>> page = to_html(Report("Incomes <2024>", (("Date", "today"),), "All of it may be shown.", ()))
    >>> "<h1>Incomes &lt;2024&gt;</h1>" in page
    True
    """
    return "".join(parts_of(report, progress))


def parts_of(report: Report, progress: Progress = silent) -> Iterator[str]:
    """Yield the page in parts that are small, so that no thread waits long while one is looked at."""
    style = resource("styles", "report.css").read_text(encoding="utf-8")
    yield HEAD.format(title=markup(report.title), style=style)
    kind = "warning private" if report.private else "view"
    view = f'<p class="{kind}"{" role=note" * report.private}>{markup(report.view)}</p>\n'
    about = FactList(report.about)
    yield f"<header>\n{view if report.private else ''}<h1>{markup(report.title)}</h1>\n"
    yield f"{_facts(about)}{'' if report.private else view}</header>\n<main>\n"
    figures = max(
        1, sum(isinstance(block, ReportFigure) for part in report.sections for block in part.blocks)
    )
    drawn, step = 0, partial(progress, 0.0, "drawing")
    for section in report.sections:
        yield _heading(section)
        for block in section.blocks:
            if isinstance(block, ReportFigure):
                step = partial(progress, drawn / figures, "drawing")
                step()
                drawn += 1
            yield from _block(block, f"figure-{drawn}", step)
        yield "</section>\n"
    yield "</main>\n</body>\n</html>\n"


def _heading(section: ReportSection) -> str:
    level = section.level
    mark = f" {BADGE}" if section.private else ""
    kind = ' class="private"' if section.private else ""
    return f"<section{kind}>\n<h{level}>{markup(section.title)}{mark}</h{level}>\n"


def _block(block: Block, name: str, step: Callable[[], None]) -> Iterator[str]:
    if isinstance(block, Paragraph):
        kind = ' class="warning"' if block.warns else ""
        mark = f"{BADGE} " if block.private else ""
        for text in block.text.split("\n\n"):
            yield f"<p{kind}>{mark}{markup(text).replace(chr(10), '<br>')}</p>\n"
    elif isinstance(block, RichText):
        yield f'<div class="prose">\n{blocks_html(block.blocks, formula_html)}\n</div>\n'
    elif isinstance(block, FactList):
        yield _facts(block)
    elif isinstance(block, ReportTable):
        yield from _table(block)
    else:
        yield '<figure class="plate">\n'
        figure = block.draw()
        step()
        yield from inline_svg(figure, name, block.title, block.said, step)
        mark = f" {BADGE}" if block.private else ""
        yield f"<figcaption>{markup(block.said)}{mark}</figcaption>\n</figure>\n"


def _facts(facts: FactList) -> str:
    mark = f" {BADGE}" if facts.private else ""
    rows = "".join(
        f"<div><dt>{markup(name)}</dt><dd>{markup(text)}{mark}</dd></div>\n" for name, text in facts.rows
    )
    return f"<dl>\n{rows}</dl>\n" if rows else ""


def _table(table: ReportTable) -> Iterator[str]:
    mark = f" {BADGE}" if table.private else ""
    title = f"{markup(table.title)}{mark}"
    if table.folded:
        yield f"<details>\n<summary>{title}</summary>\n"
    yield '<div class="table"><table>\n'
    yield f"<caption{' class=hidden' * table.folded}>{title}</caption>\n<thead><tr>"
    numeric = [all(is_number(row[index]) for row in table.rows) for index in range(len(table.header))]
    for name, right in zip(table.header, numeric, strict=True):
        yield f'<th scope="col"{" class=number" * right}>{markup(name)}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for row in table.rows:
        cells = (
            f"<td{' class=number' * is_number(value)}>{markup(cell_words(value, table.digits))}</td>"
            for value in row
        )
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody>\n</table></div>\n"
    if table.remark:
        yield f'<p class="small">{markup(table.remark)}</p>\n'
    if table.folded:
        yield "</details>\n"
