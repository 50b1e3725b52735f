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
from app.model.report_options import VIEWS
from app.model.state import SessionState
from engine import __version__
from engine.ledger import LedgerError
from engine.progress import Progress, part, silent

if TYPE_CHECKING:
    from engine.ledger import Account

RELEASED = f"{VIEWS['release']}. It holds public facts and releases, and nothing else about the data."
CURATED = (
    f"{VIEWS['curator']}. What is marked “not private” was computed from the raw data and must not leave "
    "the room: give this file to nobody but the curator of the data."
)


def gather(asked: ReportRequest, progress: Progress = silent) -> Report:
    """Return the report; whatever is private in it is there because it was asked for by name."""
    wishes = asked.wishes
    about = [
        ("Date", f"{asked.when:%Y-%m-%d %H:%M %Z}".strip()),
        ("Made with", f"Sensiscope {__version__}"),
        *([("Author", wishes.author)] if wishes.author else []),
        *([("Notes", wishes.notes)] if wishes.notes else []),
    ]
    return Report(
        title=wishes.title,
        about=tuple(about),
        view=CURATED if wishes.private else RELEASED,
        sections=tuple(_sections(asked, progress)),
        private=wishes.private,
    )


def records_of(state: SessionState, account: Account | None) -> tuple[ReleaseRecord, ...]:
    """Return the releases of this session on the data that are open, the first one first.

    What a lesson simulates is in no account.
    """
    name = "" if account is None else account.name
    return tuple(record for record in state.releases if record.dataset == name)


def _account(asked: ReportRequest) -> tuple[Account | None, str]:
    """Return the account of the data that are open, and what is wrong with the ledger."""
    dataset = asked.state.dataset
    if dataset is None or asked.state.lesson is not None:
        return None, ""
    try:
        return asked.ledger.account(dataset.digest, dataset.title), ""
    except LedgerError as error:
        return None, str(error)


def _sections(asked: ReportRequest, progress: Progress) -> Iterator[ReportSection]:
    account, problem = _account(asked)
    records = records_of(asked.state, account)
    yield data_section(asked.state)
    yield from release_sections(records, asked.wishes.figures, part(progress, 0.0, 0.3))
    yield budget_section(account, problem)
    yield guarantee_section(records)
    if asked.wishes.private:
        yield from curator_sections(asked, records, part(progress, 0.3, 0.9))
    else:
        public = [asked.drawn[place] for place in asked.wishes.pictures if not asked.drawn[place].private]
        if public:
            yield ReportSection("Pictures", ())
        yield from map(picture_section, public)
    yield from method_sections(records, part(progress, 0.9, 1.0))
    yield citing_section(records, asked.when.year)
