"""Assemble a script: data, mechanism, and the numbers of the open page or workspace."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from app.export.script.expressions import call, references, to_code
from app.export.script.subject import NOT_WRITTEN, ScriptCell, Subject, said
from app.model.kinds.kind import looked_lines
from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT
from app.model.pages.registry import PAGES, places
from app.model.picture_spec import PictureSpec
from app.model.references import Analysis
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.view_states import AuditChoice, ViewState
from app.model.wording.neighbours import WORDS
from app.pages.audit.analysis import AuditRequest, public_pairs
from app.releases.registry import SHAPES
from engine import __version__
from engine.analysis.possible_answers import SEED
from engine.audit import MOVED
from engine.catalog import FAMILIES
from engine.components import files_of

MAX_NUMBERS = 200
"""Most numbers of a release in a script; save longer ones from the history."""

CURATOR = (
    'Numbers marked "confidential" are computed from the raw data: share neither them '
    "nor a file that holds them."
)
COMBINE = "engine.data.rows:combine_rows"
RELEASE = "It holds only public facts and released values: you can share it."


def script_of(state: SessionState, view_state: ViewState) -> list[ScriptCell]:
    """Return the sections of a script that finds the numbers of the open page or workspace again.

    In the release view nothing in it is computed from raw data.  `ParameterError` if something is missing,
    or makes no sense.
    """
    cells = _sections(state, view_state)
    return cells if state.view == "curator" else _without_folders(cells, state)


def _sections(state: SessionState, view_state: ViewState) -> list[ScriptCell]:
    position = places()[state.visible_view]
    page = position if position.pictures else PAGES[state.page]
    subject = Subject.of(page, state, view_state)
    results = [*page_cells(page, subject)]
    if view_state.tab != AUDIT.name:
        results += picture_cells(page, subject)
    if page.data is not None:
        results += [*_possible_answers(subject), *_audit(subject)]
    asked: ScriptCell = page.script_section()(subject)
    # pictures are for the end of a notebook
    pictures = [cell for cell in results if cell.picture]
    rest = [cell for cell in results if not cell.picture]
    return [_title(page, subject), _data(subject), asked, *rest, *_released(subject), *pictures]


def _without_folders(cells: list[ScriptCell], state: SessionState) -> list[ScriptCell]:
    """Return sections in which functions from files have no folders, which may hold users' names."""
    chosen = *filter(None, map(state.from_file, FAMILIES)), *(state.comparison.mechanisms or ())
    for path in {file.path for one in chosen for file in files_of(one)}:
        short = to_code(Path(path).name)
        cells = [dataclasses.replace(cell, code=cell.code.replace(to_code(path), short)) for cell in cells]
    return cells


def _title(page: PageSpec, subject: Subject) -> ScriptCell:
    text = f"Written by Sensiscope {__version__}. {CURATOR if subject.curator else RELEASE}"
    return ScriptCell(f"{page.subject}: numbers on the engine alone.", text=text)


def _data(subject: Subject) -> ScriptCell:
    """Return the lines that make `data`, `bounds` and `n`: the latter two are public."""
    state, source = subject.state, subject.setup.source
    kind, choice = state.kind, state.read_data
    if not subject.curator:
        public = [
            f"bounds = {to_code(source.domain)}",
            *looked_lines(choice),
            f"n = {to_code(source.n)}",
            said(kind.counted, "n", private=False),
        ]
        return ScriptCell.of("Public facts about the data", public)
    persons = None if state.dataset is None else state.dataset.persons
    lines = [
        _table(state),
        *([] if persons is None else [f"table = combine_rows(table, {', '.join(map(to_code, persons))})"]),
        *kind.script(choice, source, to_code),
        "n = data.n",
        said(kind.counted, "n", private=state.size_problem is not None),
        said("records that the bounds move", "data.outside") * kind.clamps,
    ]
    text = "Bounds are public: they must be known without looking at the data."
    needed = kind.script_imports if persons is None else (*kind.script_imports, COMBINE)
    return dataclasses.replace(ScriptCell.of("The data", lines, text), imports=needed)


def _table(state: SessionState) -> str:
    dataset = state.dataset
    assert dataset is not None
    if dataset.example is not None:
        return f"table = {call('load_example', dataset.example)}"
    read = "stored_table" if dataset.stays_in_file else "read_table"
    connect = {"connect": True} if dataset.reading.connect else {}
    return f"table = {call(read, str(dataset.path or dataset.title), **dataset.reading.keywords, **connect)}"


def _released(subject: Subject) -> list[ScriptCell]:
    """Return the releases of the open data, if there are any."""
    # simulations in a lesson are not releases
    records = [record for record in subject.state.releases if not record.release.simulated]
    if not records:
        return []
    lines = [
        "# Made with noise from the operating system, which cannot be drawn again.",
        f"releases = {to_code([_facts(record) for record in records])}",
        "for release in releases:",
        "    print(release)",
    ]
    if any(_size(record.release.value) > MAX_NUMBERS for record in records):
        lines.insert(1, "# Values of many numbers are left out: save them from the history.")
    if any(record.elsewhere for record in records):
        lines.insert(1, "# Releases from elsewhere came with a session file: they are in no ledger here.")
    return [ScriptCell.of("Releases", lines, "Releases are public; their budget is spent.")]


def _facts(record: ReleaseRecord) -> dict[str, Any]:
    release = record.release
    small = _size(release.value) <= MAX_NUMBERS
    return {
        "query": release.query,
        "mechanism": release.mechanism,
        "of": record.subject,
        "when": record.when.isoformat(timespec="seconds"),
        "epsilon": release.privacy.epsilon,
        "delta": release.privacy.delta,
        "value": release.value if small else "too long for a script",
        **({} if release.step is None else {"step": release.step}),
        **({"inexact": record.flaw} if record.flaw else {}),
        **({"elsewhere": True} if record.elsewhere else {}),
    }


def _size(value: Any) -> int:
    """Return the number of numbers and words in a value."""
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 1


def _possible_answers(subject: Subject) -> Iterator[ScriptCell]:
    """Yield the simulation behind the possible answers in the picture of the data, if they are shown."""
    if subject.view_state.noise and subject.curator and subject.fits:
        draw = SHAPES[subject.setup.mechanism.facts.shape].possible_answers
        lines = [
            f"possible = {call_of(draw, {'seed': SEED}, VARIABLES)}",
            said("possible answers", "[release.value for release in possible]"),
        ]
        cell = ScriptCell.of("Possible answers", lines, "They are simulated; none of them is a release.")
        yield dataclasses.replace(cell, imports=(reference(draw),))


def _audit(subject: Subject) -> Iterator[ScriptCell]:
    """Yield an audit, if one is open or was run; in the release view a public one."""
    view_state, is_open = subject.view_state.audit, subject.view_state.tab == AUDIT.name
    if not (is_open or view_state.done):
        return
    public = _is_public(subject)
    if public is None or not (public or subject.curator):
        yield from [NOT_WRITTEN] * is_open
        return
    spec, lines, data = AUDIT.picture(f"audit {view_state.shows}"), "", "data"
    if not subject.curator:
        lines, data = "facts = PublicFacts(bounds, n)", "facts"
    elif view_state.choice.pair == MOVED and _is_changed(subject, view_state.choice.record):
        lines, data = _before(subject, view_state.choice), "before"
    yield numbers_cell(spec, spec.analysis, subject, lines, data=data)
    if is_open:
        yield drawn_cell(spec, subject, private=not public)


def _is_public(subject: Subject) -> bool | None:
    """Return whether the audited pair follows from public facts; None if nothing can be audited."""
    choice = subject.view_state.audit.choice
    if not subject.fits or choice.problem() is not None:
        return None
    return choice.pair in ("", *(pair.name for pair in public_pairs(AuditRequest(subject.setup, choice))))


def _is_changed(subject: Subject, record: int | None) -> bool:
    """Tell whether a record is changed by hand."""
    source = subject.setup.source
    return record is not None and not source.same(source.before(record))


def _before(subject: Subject, choice: AuditChoice) -> str:
    """Return the line that restores a record moved by hand."""
    record = choice.record
    assert record is not None
    changed = sorted(subject.state.data.changed_values().items())
    others = {index: value for index, value in changed if index != record}
    return subject.state.kind.script_without(record, to_code(others))


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
    title, options = _picture_title(spec, subject), _options(spec, subject)
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
    title, unit = _picture_title(spec, subject).shows, subject.setup.unit
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


def _picture_title(spec: PictureSpec, subject: Subject) -> Any:
    return spec.titled(WORDS[subject.state.neighbours], subject.setup)


def _options(spec: PictureSpec, subject: Subject) -> dict[str, Any]:
    """Return the options of a picture, and its other arguments."""
    beside = spec.arguments_of(subject.state, subject.view_state)
    return spec.settings(subject.view_state.options) | beside
