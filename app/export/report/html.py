"""A report as one page of HTML: self-contained, without scripts."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from app.model.report_document import (
    CONFIDENTIAL,
    Block,
    FactList,
    Paragraph,
    Report,
    ReportFigure,
    ReportTable,
    RichText,
)
from app.model.wording.numbers import is_number, number
from app.plots.formula_outlines import formula_html
from app.plots.markup_html import blocks_html
from engine.progress import Progress, silent
from engine.resources import resource

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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

FOLD = '<details class="more">\n<summary>Details: how each answer was made, and the budget</summary>\n'
PRIVATE, WARNING = ' class="private"', ' class="warning"'

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Categories of characters without a shape: controls, direction marks, unpaired surrogates."""

_KEPT = "\n\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"

_REPEATED = re.compile(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", re.DOTALL)
_NAMED = re.compile(r'( id="|xlink:href="#|url\(#)')
_OPENING = re.compile(r".*?<svg\b[^>]*>", re.DOTALL)


def clean(text: str) -> str:
    """Return `text` with a blank for every character that cannot be seen."""
    return "".join(one if one in _KEPT or unicodedata.category(one) not in _HIDDEN else " " for one in text)


def markup(text: str) -> str:
    """Return `text`, which may hold anything, as it stands in a page of HTML, in an attribute too."""
    return escape(clean(text), quote=True)


class HtmlWriter:
    """Writes a report for browsers."""

    folds = True  # whether folded sections open on demand
    badge = f'<span class="badge">{CONFIDENTIAL}</span>'

    def __init__(self, report: Report, progress: Progress = silent) -> None:
        self._report = report
        self._progress = progress
        blocks = (block for section in report.sections for block in section.blocks)
        self._figures = max(1, sum(isinstance(block, ReportFigure) for block in blocks))
        self._drawn = 0

    def parts(self) -> Iterator[str]:
        """Yield the page in small parts, so that no search blocks other threads for long."""
        style = resource("styles", "report.css").read_text(encoding="utf-8")
        yield HEAD.format(title=markup(self._report.title), style=style)
        yield from self.body()
        yield "</body>\n</html>\n"

    def body(self) -> Iterator[str]:
        """Yield what stands on the page."""
        report = self._report
        title, about = f"<h1>{markup(report.title)}</h1>\n", self._facts(FactList(report.about))
        view = self._view(report)
        order = (view, title, about) if report.private else (title, about, view)
        yield f"<header>\n{''.join(order)}</header>\n<main>\n"
        folded = False
        for section in report.sections:
            if self.folds and section.folded != folded:
                folded = section.folded
                yield FOLD if folded else "</details>\n"
            yield f"<section{PRIVATE * section.private}>\n"
            yield f"<h{section.level}>{self._titled(section.title, section.private)}</h{section.level}>\n"
            for block in section.blocks:
                yield from self._block(block)
            yield "</section>\n"
        yield "</details>\n</main>\n" if folded else "</main>\n"

    def _view(self, report: Report) -> str:
        kind = 'class="warning private" role=note' if report.private else 'class="view"'
        return f"<p {kind}>{markup(report.view)}</p>\n"

    def _titled(self, text: str, private: bool) -> str:
        return f"{markup(text)}{f' {self.badge}' * private}"

    def _block(self, block: Block) -> Iterator[str]:
        if isinstance(block, Paragraph):
            yield from self._paragraph(block)
        elif isinstance(block, RichText):
            yield f'<div class="prose">\n{blocks_html(block.blocks, self._formula)}\n</div>\n'
        elif isinstance(block, FactList):
            yield self._facts(block)
        elif isinstance(block, ReportTable):
            yield from self._table(block)
        else:
            step = partial(self._progress, self._drawn / self._figures, "drawing")
            step()
            self._drawn += 1
            yield from self._figure(block, f"figure-{self._drawn}", step)

    def _paragraph(self, block: Paragraph) -> Iterator[str]:
        mark = f"{self.badge} " * block.private
        for text in block.text.split("\n\n"):
            yield f"<p{WARNING * block.warns}>{mark}{markup(text).replace(chr(10), '<br>')}</p>\n"

    def _facts(self, facts: FactList) -> str:
        rows = "".join(
            f"<div><dt>{markup(name)}</dt><dd>{self._titled(text, facts.private)}</dd></div>\n"
            for name, text in facts.rows
        )
        return f"<dl>\n{rows}</dl>\n" if rows else ""

    def _table(self, table: ReportTable) -> Iterator[str]:
        title = self._titled(table.title, table.private)
        if table.folded:
            yield f"<details>\n<summary>{title}</summary>\n"
        yield '<div class="table"><table>\n'
        yield f"<caption{' class=hidden' * table.folded}>{title}</caption>\n"
        yield from self._rows(table)
        yield "</table></div>\n"
        if table.remark:
            yield f'<p class="small">{markup(table.remark)}</p>\n'
        if table.folded:
            yield "</details>\n"

    def _rows(self, table: ReportTable) -> Iterator[str]:
        yield "<thead><tr>"
        for index, name in enumerate(table.header):
            right = all(is_number(row[index]) for row in table.rows)
            yield f'<th scope="col"{" class=number" * right}>{markup(name)}</th>'
        yield "</tr></thead>\n<tbody>\n"
        for row in table.rows:
            cells = (
                f"<td{' class=number' * is_number(value)}>{markup(_cell_text(value, table.digits))}</td>"
                for value in row
            )
            yield f"<tr>{''.join(cells)}</tr>\n"
        yield "</tbody>\n"

    def _figure(self, block: ReportFigure, name: str, step: Callable[[], None]) -> Iterator[str]:
        yield '<figure class="plate">\n'
        figure = block.draw()
        step()
        yield inline_svg(figure, name, block.title, block.said, step)
        yield f"<figcaption>{self._titled(block.said, block.private)}</figcaption>\n</figure>\n"

    def _formula(self, tex: str, displayed: bool) -> str:
        return formula_html(tex, displayed)


def _cell_text(value: Any, digits: int) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, digits) if is_number(value) else str(value) or "–"


def inline_svg(
    figure: Figure, name: str, title: str, said: str, step: Callable[[], None] = lambda: None
) -> str:
    """Return a figure as an element of a page.

    Its parts are named after `name`, so that those of several figures differ; `title` and `said` are for
    those who cannot see it; `step` is called before each line is drawn.
    """
    drawing = _REPEATED.sub("", _drawn(figure, step))
    box = re.search(r'viewBox="([^"]*)"', drawing)
    assert box is not None
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{box[1]}" role="img" aria-labelledby="{name}-title {name}-said">'
        f'<title id="{name}-title">{markup(title)}</title><desc id="{name}-said">{markup(said)}</desc>'
    )
    named = _NAMED.sub(rf"\1{name}-", _OPENING.sub("", drawing, count=1))
    return opening + named


def _drawn(figure: Figure, step: Callable[[], None]) -> str:
    """Return the file that matplotlib would write, without its comments."""
    from matplotlib.backends.backend_svg import RendererSVG

    class Stepping(RendererSVG):
        def draw_path(self, *what: Any, **how: Any) -> None:
            step()
            super().draw_path(*what, **how)

    content, dpi = io.StringIO(), figure.dpi
    figure.dpi = 72
    width, height = figure.bbox.width, figure.bbox.height
    renderer: Any = Stepping(width, height, content, metadata={"Date": None, "Creator": None})
    renderer.writer.comment = lambda _: None
    figure.draw(renderer)
    renderer.finalize()
    figure.dpi = dpi
    return content.getvalue()
