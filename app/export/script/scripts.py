"""Assemble a script: data, mechanism, and the numbers of the open page or workspace."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.export.script import declared
from app.export.script.declared import drawn_cell, numbers_cell
from app.export.script.expressions import call, to_code
from app.export.script.subject import NOT_WRITTEN, ScriptCell, Subject, said
from app.model.kinds.kind import looked_lines
from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT
from app.model.pages.registry import PAGES, places
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.view_states import AuditChoice, ViewState
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
    results = [*declared.page_cells(page, subject)]
    if view_state.tab != AUDIT.name:
        results += declared.picture_cells(page, subject)
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
            f"possible = {declared.call_of(draw, {'seed': SEED}, declared.VARIABLES)}",
            said("possible answers", "[release.value for release in possible]"),
        ]
        cell = ScriptCell.of("Possible answers", lines, "They are simulated; none of them is a release.")
        yield dataclasses.replace(cell, imports=(declared.reference(draw),))


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
