"""What is public about the data, and what was asked of them."""

from __future__ import annotations

from collections.abc import Iterator

from app.model.kinds.missing import DROP, FILL, confidential_words, fill_words
from app.model.report_document import Block, FactList, Paragraph, ReportSection
from app.model.selection import relation_of
from app.model.state import SessionState
from app.model.wording.neighbours import WORDS
from engine.errors import ParameterError

LOOKED = (
    "The {what} were taken from the data. They should be known without looking: what is promised holds "
    "for {what} that are public, and not for these."
)
MOVED = "Some of the data were moved by hand: what was released then is about changed data."


def data_section(state: SessionState) -> ReportSection:
    """Say what is public."""
    if state.dataset is None:
        return ReportSection("The data", (Paragraph("No data are open."),))
    text = WORDS[relation_of(state)]
    rows = [
        ("Dataset", state.dataset.title + (" (an example of Sensiscope)" if state.dataset.example else "")),
        ("Asked", f"{state.asked.label} of {state.subject}"),
        ("Read from", state.location),
        *state.kind.report(state.read_data, state.dataset),
        *_size(state),
        ("Neighbours", f"two {text.database}s with {text.difference}"),
    ]
    return ReportSection("The data", (FactList(tuple(rows)), *_flaws(state)))


def _flaws(state: SessionState) -> Iterator[Block]:
    if state.looked:
        yield Paragraph(LOOKED.format(what=state.kind.public), warns=True)
    if state.edited:
        yield Paragraph(MOVED, warns=True)
    if state.read_data.missing == FILL:
        yield Paragraph(f"In the place of a missing value stands {fill_words(state.kind, state.read_data)}.")
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
