"""The declared part of a page's script: an analysis for each number, and the picture."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from pkgutil import resolve_name
from typing import Any

from app.export.script.expressions import references, to_code
from app.export.script.subject import NOT_WRITTEN, ScriptCell, Subject
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec
from app.model.references import Analysis
from app.model.wording.neighbours import WORDS

VARIABLES = {
    "mechanism": "mechanism",
    "contenders": "contenders",
    "data": "data",
    "privacy": "privacy",
    "domain": "bounds",
    "n": "n",
}
"""Arguments of analyses, and their names in a script."""


def page_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield the cells of a page, whichever picture is open."""
    options = {**subject.view_state.options, "k": subject.view_state.k}
    for named in page.script_analyses()(subject.setup) if page.script_analyses else ():
        function = resolve_name(named) if isinstance(named, str) else named
        if subject.curator or "data" not in inspect.signature(function).parameters:
            code = f"found = {call_of(function, options, VARIABLES)}\nprint(findings_text(found))"
            title = function.__name__.replace("_", " ").capitalize()
            yield ScriptCell(title, code, imports=(reference(function),))


def picture_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield the numbers of the open picture, and the picture."""
    tab = subject.view_state.tab
    there = [spec for spec in page.pictures if not spec.why_absent(subject.setup)]
    spec = next((spec for spec in there if tab in ("", spec.name)), None)
    hidden = spec is None or not (subject.curator or spec.is_public)
    if spec is None or hidden or (spec.runs and not subject.fits):
        yield NOT_WRITTEN
        return
    analysis = spec.analysis_for(public=not subject.curator)
    if not subject.curator and "released" in analysis.takes:
        return  # it shows the newest release, which every script contains
    yield numbers_cell(spec, analysis, subject)
    if spec.drawn_by:
        yield drawn_cell(spec, subject, private=subject.curator)


def numbers_cell(
    spec: PictureSpec, analysis: Analysis, subject: Subject, *before: str, **variables: str
) -> ScriptCell:
    """Return the cell that computes the numbers of a picture with an analysis.

    Lines `before` come before the call; `variables` replace names in `VARIABLES`.
    """
    title, options = _title(spec, subject), _options(spec, subject)
    call = call_of(analysis.function, options, VARIABLES | variables)
    outside = (one for value in options.values() for one in references(value))
    lines = [*before, f"shown = {call}", "print(findings_text(shown))"]
    imports = (reference(analysis.function), *outside)
    return ScriptCell(title.shows, "\n".join(filter(None, lines)), title.why, imports=imports)


def drawn_cell(spec: PictureSpec, subject: Subject, *, private: bool) -> ScriptCell:
    """Return the cell that draws the computed numbers, as the window does."""
    assert spec.drawn_by is not None
    picture, view = spec.drawn_by(), spec.view() if spec.view else None
    shown = "shown"
    if view:
        result, *_ = inspect.signature(view).parameters
        shown = call_of(view, _options(spec, subject), {result: "shown"})
    title, unit = _title(spec, subject).shows, subject.setup.unit
    facts = f"unit={to_code(unit)}, title={to_code(title)}, private={private}"
    code = f"export_picture({picture.__name__}, {shown}, {facts})"
    used = ("app.plots.figures:export_picture", reference(picture), *([reference(view)] if view else []))
    return ScriptCell(f"A picture{' (confidential)' * private}", code, picture=True, imports=used)


def reference(function: Callable[..., Any]) -> str:
    """Return the import path of a function or a class, as `pkgutil.resolve_name` reads it."""
    return f"{function.__module__}:{function.__qualname__}"


def call_of(analysis: Callable[..., Any], options: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    """Write the call of an analysis; leave out default options."""
    arguments = []
    for parameter in inspect.signature(analysis).parameters.values():
        if parameter.name in variables:
            arguments.append(variables[parameter.name])
        elif parameter.name in options and options[parameter.name] != parameter.default:
            arguments.append(f"{parameter.name}={to_code(options[parameter.name])}")
    return f"{analysis.__qualname__}({', '.join(arguments)})"


def _title(spec: PictureSpec, subject: Subject) -> Any:
    return spec.title.about(WORDS[subject.state.neighbours])


def _options(spec: PictureSpec, subject: Subject) -> dict[str, Any]:
    """Return the options of a picture, and its other arguments."""
    beside = spec.arguments_of(subject.state, subject.view_state)
    return spec.settings(subject.view_state.options) | beside
