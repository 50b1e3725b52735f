"""What an audit of the mechanism has found, in whichever tab: the open one, or what was audited before."""

from __future__ import annotations

from collections.abc import Iterator

from app.export.script.cell import NOT_WRITTEN, ScriptCell
from app.export.script.declared import drawn_cell, numbers_cell
from app.export.script.expressions import written
from app.export.script.subject import Subject
from app.model.audit_choice import AuditChoice
from app.model.pages.audit import AUDIT
from app.pages.audit.analysis import AuditRequest, public_pairs
from engine.audit import MOVED


def cells(subject: Subject) -> Iterator[ScriptCell]:
    """Yield an audit, if that is what is open or what was found; in the release view a public one."""
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
    elif view_state.choice.pair == MOVED and view_state.choice.record in subject.state.data.changed_values():
        lines, data = _before(subject, view_state.choice), "before"
    yield numbers_cell(spec, spec.analysis, subject, lines, data=data)
    if is_open:
        yield drawn_cell(spec, subject, private=not public)


def _is_public(subject: Subject) -> bool | None:
    """Tell whether the audited pair follows from public facts; None where nothing can be audited."""
    choice = subject.view_state.audit.choice
    if not subject.fits or choice.problem() is not None:
        return None
    return choice.pair in ("", *(pair.name for pair in public_pairs(AuditRequest(subject.setup, choice))))


def _before(subject: Subject, choice: AuditChoice) -> str:
    """Return the line that puts a record back where it was before it was moved by hand."""
    record = choice.record
    assert record is not None
    changed = sorted(subject.state.data.changed_values().items())
    others = {index: value for index, value in changed if index != record}
    return subject.state.kind.script_without(record, written(others))
