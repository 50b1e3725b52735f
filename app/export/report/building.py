"""Everything that a report holds, put together from a session (in a worker)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.export.report.budget_sections import budget_section, guarantee_section
from app.export.report.curator_sections import curator_sections, picture_section
from app.export.report.data_section import data_section
from app.export.report.method_sections import citing_section, method_sections
from app.export.report.release_sections import release_sections
from app.export.report.request import ReportRequest
from app.model.release_record import ReleaseRecord
from app.model.report_document import Report, ReportSection
from app.model.report_options import REPORT_VIEWS
from app.model.state import SessionState
from engine import __version__
from engine.ledger import LedgerError
from engine.progress import Progress, part, silent

if TYPE_CHECKING:
    from engine.ledger import Account

RELEASED = f"{REPORT_VIEWS['release']}. It holds public facts and releases, and nothing else about the data."
CURATED = (
    f"{REPORT_VIEWS['curator']}. What is marked “Confidential” was computed from the raw data: do not "
    "share it, and give this file only to the curator of the data."
)


def build_report(request: ReportRequest, progress: Progress = silent) -> Report:
    """Return the report; whatever is private in it is there because it was asked for by name."""
    options = request.options
    about = [
        ("Date", f"{request.when:%Y-%m-%d %H:%M %Z}".strip()),
        ("Made with", f"Sensiscope {__version__}"),
        *([("Author", options.author)] if options.author else []),
        *([("Notes", options.notes)] if options.notes else []),
    ]
    return Report(
        title=options.title,
        about=tuple(about),
        view=CURATED if options.private else RELEASED,
        sections=tuple(_sections(request, progress)),
        private=options.private,
    )


def records_of(state: SessionState, account: Account | None) -> tuple[ReleaseRecord, ...]:
    """Return the releases of this session on the data that are open, the first one first.

    What a lesson simulates is in no account.
    """
    names = dict.fromkeys(record.dataset for record in state.releases)
    here = {name for name in names if (not name if account is None else account.goes_by(name))}
    return tuple(record for record in state.releases if record.dataset in here)


def _account(request: ReportRequest) -> tuple[Account | None, str]:
    """Return the account of the data that are open, and what is wrong with the ledger."""
    dataset = request.state.dataset
    if dataset is None or request.state.lesson is not None:
        return None, ""
    try:
        return dataset.account_in(request.ledger), ""
    except LedgerError as error:
        return None, str(error)


def _sections(request: ReportRequest, progress: Progress) -> Iterator[ReportSection]:
    account, problem = _account(request)
    records = records_of(request.state, account)
    yield data_section(request.state)
    yield from release_sections(records, request.options.figures, part(progress, 0.0, 0.3))
    yield budget_section(account, problem)
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
