"""Everything that a report holds, put together from a session (in a worker)."""

from __future__ import annotations

from collections.abc import Iterator

from app.documents.releases import stored_releases
from app.export.report.budget_sections import budget_section, guarantee_section
from app.export.report.curator_sections import curator_sections, picture_section
from app.export.report.method_sections import citing_section, method_sections
from app.export.report.release_sections import LOOKED, release_sections
from app.export.report.request import PUBLIC, ReportRequest
from app.export.report.sheet_sections import sheet_report
from app.model.dataset import Dataset
from app.model.kinds.kind import DROP, FILL, confidential_words, fill_effects, fill_words
from app.model.pages.workspaces import QUESTIONS_VIEW, RELEASED
from app.model.release_record import ReleaseRecord, with_stored
from app.model.report_document import REPORT_VIEWS, Block, FactList, Paragraph, Report, ReportSection
from app.model.selection import relation_of
from app.model.state import SessionState
from app.model.wording.neighbours import WORDS
from app.model.wording.records import RULES
from engine.errors import ParameterError
from engine.ledger import Account, LedgerError
from engine.progress import Progress, part, silent

CURATED = (
    f"{REPORT_VIEWS['curator']}. Parts marked “Confidential” come from the raw data: do "
    "not share them. Give this file only to the curator of the data."
)


def build_report(request: ReportRequest, progress: Progress = silent) -> Report:
    """Return the report; it holds private parts only if the request names them.

    On *Questions* it is the print of the sheet, and holds no private parts.
    """
    if request.state.workspace == QUESTIONS_VIEW.name:
        return sheet_report(request, progress)
    options = request.options
    return Report(
        title=options.title,
        about=request.about(),
        view=CURATED if options.private else PUBLIC,
        sections=tuple(_sections(request, progress)),
        private=options.private,
    )


def records_of(state: SessionState, account: Account | None) -> tuple[ReleaseRecord, ...]:
    """Return the releases of the open data, of this session and in the ledger, the first one first.

    Simulations in lessons belong to no account.
    """
    names = dict.fromkeys(record.dataset for record in state.releases)
    here = {name for name in names if (not name if account is None else account.goes_by(name))}
    own = [record for record in state.releases if record.dataset in here]
    try:
        return tuple(own if account is None else with_stored(own, stored_releases(account)))
    except LedgerError:  # the section on the budget says so
        return tuple(own)


def _sections(request: ReportRequest, progress: Progress) -> Iterator[ReportSection]:
    state = request.state
    account, problem = request.account_of(state.visible_dataset if state.lesson is None else None)
    records = records_of(request.state, account)
    yield data_section(request.state)
    yield from release_sections(records, request.options.figures, part(progress, 0.0, 0.3))
    yield budget_section(account, problem, len(records))
    yield guarantee_section(records)
    if request.options.private:
        yield from curator_sections(request, records, part(progress, 0.3, 0.9))
    else:
        public = [
            request.drawn[index] for index in request.options.pictures if not request.drawn[index].private
        ]
        if public:
            yield ReportSection("Pictures", ())
        yield from map(picture_section, public)
    yield from method_sections(records, part(progress, 0.9, 1.0))
    yield citing_section(records, request.when.year)


MOVED = "Some data were changed by hand: the releases since then are about changed data."


def _persons(dataset: Dataset) -> tuple[tuple[str, str], ...]:
    """Return what a record is, if it is not one row."""
    if dataset.persons is None:
        return ()
    person, rule = dataset.persons
    return (("A record is", f"all rows with the same {person}: {RULES[rule]}"),)


def data_section(state: SessionState) -> ReportSection:
    """Return the section on public facts."""
    dataset = state.visible_dataset
    if dataset is None:
        return ReportSection("The data", (Paragraph("No data are open."),))
    name = ("Dataset", dataset.title + (" (an example of Sensiscope)" if dataset.example else ""))
    if state.workspace == RELEASED.name or dataset is not state.dataset:
        # each release names its own question
        return ReportSection("The data", (FactList((name, *_persons(dataset))),))
    text = WORDS[relation_of(state)]
    rows = [
        name,
        ("Question", f"{state.asked.label} of {state.subject}"),
        ("Read from", state.location),
        *_persons(dataset),
        *state.kind.report(state.read_data, dataset),
        *_size(state),
        ("Neighbors", f"two {text.database}s with {text.difference}"),
    ]
    return ReportSection("The data", (FactList(tuple(rows)), *_flaws(state)))


def _flaws(state: SessionState) -> Iterator[Block]:
    if state.looked:
        yield Paragraph(LOOKED.format(what=state.kind.public), warns=True)
    if state.edited:
        yield Paragraph(MOVED, warns=True)
    if state.read_data.missing == FILL:
        counted = f"Missing values were counted as {fill_words(state.kind, state.read_data)}."
        yield Paragraph(f"{counted} {fill_effects(state.kind, state.read_data)}".rstrip())
    if state.size_problem is not None:
        yield Paragraph(confidential_words(state.size_problem), warns=True)
    elif state.read_data.missing == DROP:
        dropped = WORDS[state.neighbours].dropped
        yield Paragraph(f"{dropped[:1].upper()}{dropped[1:]}.")


def _size(state: SessionState) -> Iterator[tuple[str, str]]:
    try:
        if state.size_problem is None:
            yield "Size", state.kind.size_words(state.builder())
    except ParameterError:
        return
