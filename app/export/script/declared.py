"""What a page writes, as it is declared: an analysis for each number, and the picture itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from pkgutil import resolve_name
from typing import Any

from app.export.script.expressions import references, to_code
from app.export.script.subject import NOT_WRITTEN, ScriptCell, Subject
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec, arguments_of
from app.model.wording.neighbours import WORDS

VARIABLES = {
    "mechanism": "mechanism",
    "contenders": "contenders",
    "data": "data",
    "privacy": "privacy",
    "domain": "bounds",
    "n": "n",
}
"""What an analysis may ask for, and what it is called in a script."""


def page_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield what belongs to a page, whichever picture is open."""
    options = {**subject.view_state.options, "k": subject.view_state.k}
    for reference in resolve_name(page.told)(subject.setup) if page.told else ():
        analysis = resolve_name(reference)
        if subject.curator or "data" not in arguments_of(analysis):
            code = f"found = {call_of(analysis, options, VARIABLES)}\nprint(findings_text(found))"
            title = analysis.__name__.replace("_", " ").capitalize()
            yield ScriptCell(title, code, imports=(reference, "engine:findings_text"))


def picture_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield the numbers of the picture that is open, and the picture."""
    tab = subject.view_state.tab
    there = [spec for spec in page.pictures if not spec.why_absent(subject.setup)]
    spec = next((spec for spec in there if tab in ("", spec.name)), None)
    reference = "" if spec is None else spec.analysis if subject.curator else spec.public_analysis
    if spec is None or not reference or (spec.runs and not subject.fits):
        yield NOT_WRITTEN
        return
    if not subject.curator and "released" in arguments_of(resolve_name(reference)):
        return  # it shows the newest release, which is written in any case
    yield numbers_cell(spec, reference, subject)
    if spec.drawn_by:
        yield drawn_cell(spec, subject, private=subject.curator)


def numbers_cell(
    spec: PictureSpec, reference: str, subject: Subject, *before: str, **variables: str
) -> ScriptCell:
    """Return the cell that computes what a picture shows with the analysis of that reference.

    Lines `before` stand before the call; `variables` says what is called otherwise than in `VARIABLES`.
    """
    title, options = _title(spec, subject), _options(spec, subject)
    call = call_of(resolve_name(reference), options, VARIABLES | variables)
    outside = (one for value in options.values() for one in references(value))
    lines = [*before, f"shown = {call}", "print(findings_text(shown))"]
    imports = (reference, "engine:findings_text", *outside)
    return ScriptCell(title.shows, "\n".join(filter(None, lines)), title.why, imports=imports)


def drawn_cell(spec: PictureSpec, subject: Subject, *, private: bool) -> ScriptCell:
    """Return the cell that draws what was computed, as the window does."""
    shown = "shown"
    if spec.view:
        view = resolve_name(spec.view)
        shown = call_of(view, _options(spec, subject), {next(iter(arguments_of(view))): "shown"})
    title, unit = _title(spec, subject).shows, subject.setup.unit
    facts = f"unit={to_code(unit)}, title={to_code(title)}, private={private}"
    code = f"export_picture({resolve_name(spec.drawn_by).__name__}, {shown}, {facts})"
    used = ("app.plots.figures:export_picture", spec.drawn_by, *filter(None, (spec.view,)))
    return ScriptCell(f"A picture{' (confidential)' * private}", code, picture=True, imports=used)


def call_of(analysis: Callable[..., Any], options: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    """Write the call of an analysis, with the options that are not as usual."""
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
    """Return what is chosen about a picture, and what else it takes."""
    beside = spec.arguments_of(subject.state, subject.view_state)
    return spec.settings(subject.view_state.options) | beside
