"""How releases were made, in short and with sources, and how to cite all of it."""

from __future__ import annotations

from collections.abc import Iterator

from app.export.report.extracts import extract
from app.model.components import words_of
from app.model.release_record import ReleaseRecord
from app.model.report_document import FactList, Paragraph, ReportSection, RichText
from app.model.texts.pages import page
from engine import __version__
from engine.catalog import CatalogEntry, entries, questions
from engine.errors import DataError, UnknownName
from engine.progress import Progress, silent

CITE = "Sensiscope {version}: a workbench for data-dependent noise in differential privacy. {year}."


def method_sections(
    records: tuple[ReleaseRecord, ...], progress: Progress = silent
) -> Iterator[ReportSection]:
    """Yield a heading, and what the help says of everything that the releases were made with."""
    used = _used(records)
    if used:
        yield ReportSection("How it was made", ())
    for index, entry in enumerate(used):
        progress(index / len(used), "help")
        yield ReportSection(f"{entry.kind.capitalize()}: {entry.label}", (_described(entry),), level=3)


def citing_section(records: tuple[ReleaseRecord, ...], year: int) -> ReportSection:
    """Say what to cite."""
    sources = dict.fromkeys(
        source.strip()
        for entry in _used(records)
        for source in entry.source.split(";")
        if any(letter.isdigit() for letter in source)
    )
    program = CITE.format(version=__version__, year=year)
    rows = (("Program", program), *((("Methods", "; ".join(sources)),) if sources else ()))
    return ReportSection("How to cite", (FactList(rows),))


def _described(entry: CatalogEntry) -> Paragraph | RichText:
    """Return a help page in short, or what the catalog says where there is none."""
    try:
        return RichText(extract(page(words_of(entry.kind).plural, entry.name)))
    except (DataError, UnknownName):
        summary = f"{entry.summary[:1].upper()}{entry.summary[1:]}".rstrip(".")
        return Paragraph(f"{summary}. ({entry.source})" if entry.source else f"{summary}.")


def _used(records: tuple[ReleaseRecord, ...]) -> list[CatalogEntry]:
    """Return what of the catalog the releases were made with, each once: what was asked comes first."""
    known = {(entry.kind, entry.name): entry for entry in entries()}
    wanted = dict.fromkeys(key for record in records for key in _keys(record))
    return [known[key] for key in wanted if key in known]


def _keys(record: ReleaseRecord) -> Iterator[tuple[str, str]]:
    release = record.release
    known = {**release.parameters, **release.noise}
    if release.query in questions():
        yield "query", release.query
    yield "method", release.mechanism
    yield "mechanism", release.query
    for name in ("function", "sampling", "aggregator"):
        yield name, str(known.get(name))
    if "alpha" in release.noise:  # only such noise is scaled to the data, which its page is about
        yield "noise", str(known.get("family"))
