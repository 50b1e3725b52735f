"""What a page that declares its pictures writes: an analysis for each number, and the picture itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.export.script.cell import ScriptCell
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN
from app.export.script.subject import Subject
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec, arguments_of
from app.model.references import resolve
from app.model.wording.neighbours import WORDS

VARIABLES = {"mechanism": "mechanism", "data": "data", "privacy": "privacy", "domain": "bounds", "n": "n"}
"""What an analysis may ask for, and what it is called in a script."""


def page_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield what belongs to a page, whichever picture is open."""
    options = {**subject.view_state.options, "k": subject.view_state.k}
    for reference in resolve(page.told)(subject.setup):
        analysis = resolve(reference)
        if subject.curator or "data" not in arguments_of(analysis):
            yield _analysed(_titled(analysis), "", reference, "found", options)


def picture_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield the numbers of the picture that is open, and the picture."""
    spec = page.picture(subject.view_state.tab or page.pictures[0].name)
    reference = spec.analysis if subject.curator else spec.public_analysis
    absent = spec.why_absent(subject.setup)
    if not reference or absent or (spec.runs and not subject.fits):
        yield NOT_WRITTEN
        return
    if not subject.curator and "released" in arguments_of(resolve(reference)):
        return  # it shows the newest release, which is written in any case
    title = spec.title.about(WORDS[subject.state.neighbours])
    options = spec.settings(subject.view_state.options)
    yield _analysed(title.shows, title.why, reference, "shown", options)
    yield _drawn(spec, title.shows, subject)


def _titled(analysis: Callable[..., Any]) -> str:
    """Return the first words of what an analysis says of itself."""
    return analysis.__name__.replace("_", " ").capitalize()


def _analysed(title: str, words: str, reference: str, name: str, options: Mapping[str, Any]) -> ScriptCell:
    analysis = resolve(reference)
    code = f"{name} = {call_of(analysis, options)}\nprint(findings_text({name}))"
    return ScriptCell(title, code, words, imports=(reference, "engine:findings_text"))


def call_of(analysis: Callable[..., Any], options: Mapping[str, Any]) -> str:
    """Write the call of an analysis, with the options that are not as usual."""
    arguments = []
    for parameter in inspect.signature(analysis).parameters.values():
        if parameter.name in VARIABLES:
            arguments.append(VARIABLES[parameter.name])
        elif parameter.name in options and options[parameter.name] != parameter.default:
            arguments.append(f"{parameter.name}={written(options[parameter.name])}")
    return f"{analysis.__name__}({', '.join(arguments)})"


def _drawn(spec: PictureSpec, title: str, subject: Subject) -> ScriptCell:
    picture = resolve(spec.drawn_by).__name__
    unit, private = written(subject.state.unit), subject.curator
    code = f"export_picture({picture}, shown, unit={unit}, title={written(title)}, private={private})"
    used = ("app.plots.figures:export_picture", spec.drawn_by)
    return ScriptCell(f"A picture{' (private)' * private}", code, picture=True, imports=used)
