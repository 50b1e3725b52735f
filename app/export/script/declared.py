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
from app.model.picture_spec import arguments_of
from app.model.references import resolve
from app.model.wording.neighbours import WORDS

VARIABLES = {"mechanism": "mechanism", "data": "data", "privacy": "privacy", "domain": "bounds", "n": "n"}
"""What an analysis may ask for, and what it is called in a script."""


def page_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield what belongs to a page, whichever picture is open."""
    options = {**subject.view_state.options, "k": subject.view_state.k}
    for reference in resolve(page.told)(subject.setup) if page.told else ():
        analysis = resolve(reference)
        if subject.curator or "data" not in arguments_of(analysis):
            yield _analysed(_titled(analysis), "", reference, "found", options)


def picture_cells(page: PageSpec, subject: Subject) -> Iterator[ScriptCell]:
    """Yield the numbers of the picture that is open, and the picture."""
    tab, there = (
        subject.view_state.tab,
        [spec for spec in page.pictures if not spec.why_absent(subject.setup)],
    )
    spec = next((spec for spec in there if tab in ("", spec.name)), None)
    reference = "" if spec is None else spec.analysis if subject.curator else spec.public_analysis
    if spec is None or not reference or (spec.runs and not subject.fits):
        yield NOT_WRITTEN
        return
    if not subject.curator and "released" in arguments_of(resolve(reference)):
        return  # it shows the newest release, which is written in any case
    title = spec.title.about(WORDS[subject.state.neighbours])
    options = spec.settings(subject.view_state.options) | spec.arguments_of(subject.state)
    yield _analysed(title.shows, title.why, reference, "shown", options)
    yield drawn(spec.drawn_by, title.shows, subject)


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


def drawn(
    drawn_by: str,
    title: str,
    subject: Subject,
    *,
    shown: str = "shown",
    first: str = "",
    unit: str | None = None,
    private: bool | None = None,
    imports: tuple[str, ...] = (),
) -> ScriptCell:
    """Return the cell that draws a result as the window does.

    Parameters
    ----------
    drawn_by : str
        Reference to the picture.
    title : str
    subject : Subject
    shown : str
        What the picture shows, in Python.
    first : str
        A line before that.
    unit, private : str, bool
        By default that of the data, and all that is for the curator.
    imports : tuple of str
        References to other names in the code.
    """
    unit = subject.state.unit if unit is None else unit
    private = subject.curator if private is None else private
    facts = f"unit={written(unit)}, title={written(title)}, private={private}"
    code = f"export_picture({resolve(drawn_by).__name__}, {shown}, {facts})"
    used = ("app.plots.figures:export_picture", drawn_by, *imports)
    lines = "\n".join(filter(None, (first, code)))
    return ScriptCell(f"A picture{' (private)' * private}", lines, picture=True, imports=used)
