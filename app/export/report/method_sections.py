"""How releases were made, in short and with sources, and how to cite all of it."""

from __future__ import annotations

from collections.abc import Iterator

from app.dataset import ReleaseRecord
from app.export.report.document import Facts, Section
from engine import __version__
from engine.catalog import ASKED, Entry, entries

CITE = "Sensiscope {version}: a workbench for data-dependent noise in differential privacy. {year}."


def method_section(records: tuple[ReleaseRecord, ...]) -> Section | None:
    """Say how the releases were made; None without any."""
    used = _used(records)
    if not used:
        return None
    rows = tuple((entry.label, _described(entry)) for entry in used)
    return Section("How it was made", (Facts(rows),))


def citing_section(records: tuple[ReleaseRecord, ...], year: int) -> Section:
    """Say what to cite."""
    sources = dict.fromkeys(
        source.strip()
        for entry in _used(records)
        for source in entry.source.split(";")
        if any(letter.isdigit() for letter in source)
    )
    program = CITE.format(version=__version__, year=year)
    rows = (("Program", program), *((("Methods", "; ".join(sources)),) if sources else ()))
    return Section("How to cite", (Facts(rows),))


def _described(entry: Entry) -> str:
    summary = f"{entry.summary[:1].upper()}{entry.summary[1:]}".rstrip(".")
    return f"{summary}. ({entry.source})" if entry.source else f"{summary}."


def _used(records: tuple[ReleaseRecord, ...]) -> list[Entry]:
    """Return what of the catalog the releases were made with, each once."""
    wanted = {key for record in records for key in _keys(record)}
    return [entry for entry in entries() if (entry.kind, entry.name) in wanted]


def _keys(record: ReleaseRecord) -> Iterator[tuple[str, str]]:
    release = record.release
    known = {**release.parameters, **release.noise}
    if release.query in ASKED:
        yield "query", release.query
    yield "method", release.mechanism
    yield "mechanism", release.query
    for name in ("function", "sampling", "aggregator"):
        yield name, str(known.get(name))
    yield "noise", str(known.get("family"))
