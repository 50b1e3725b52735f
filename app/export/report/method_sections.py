"""How releases were made, in short and with sources, and how to cite them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from app.model.release_record import ReleaseRecord
from app.model.report_document import FactList, Paragraph, ReportSection, RichText
from app.model.texts.marks import MarkupBlock, Runs, TextRun
from app.model.texts.pages import ERRATA, HelpPage, HelpSection, page
from app.model.texts.plain import said
from app.model.wording.components import words_of
from engine import __version__
from engine.catalog import CatalogEntry, entries, questions
from engine.errors import DataError, UnknownName
from engine.progress import Progress, silent

CITE = "Sensiscope {version}: a workbench for data-dependent noise in differential privacy. {year}."


def method_sections(
    records: tuple[ReleaseRecord, ...], progress: Progress = silent
) -> Iterator[ReportSection]:
    """Yield a heading, and a short section on every method behind the releases."""
    used = _used(records)
    if used:
        yield ReportSection("How it was made", ())
    for index, entry in enumerate(used):
        progress(index / len(used), "help")
        yield ReportSection(f"{entry.kind.capitalize()}: {entry.label}", (_described(entry),), level=3)


def citing_section(records: tuple[ReleaseRecord, ...], year: int) -> ReportSection:
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
    """Return a short form of a help page, or the catalog's text if there is no page."""
    try:
        return RichText(extract(page(words_of(entry.kind).plural, entry.name)))
    except (DataError, UnknownName):
        summary = f"{entry.summary[:1].upper()}{entry.summary[1:]}".rstrip(".")
        return Paragraph(f"{summary}. ({entry.source})" if entry.source else f"{summary}.")


def _used(records: tuple[ReleaseRecord, ...]) -> list[CatalogEntry]:
    """Return the catalog entries behind the releases, each once, the question first."""
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


MAX_PROMISED = 900
"""Most letters of a guarantee; longer ones end with the last whole sentence."""

MAX_ERRATA = 260
"""Most letters about errors in print, unless the first sentence is longer."""

BRIEF = 3
"""A sentence of so few words needs the one before it, such as "Then"."""

MORE = " More about this is in the help of Sensiscope."

_OTHER = "\ufffc"  # stands for a formula or code, of one letter
_NEXT = re.compile(rf"(?<=[.!?])(?<!al\.)(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)\s+(?=[A-Z(“{_OTHER}*\d])")


def extract(page: HelpPage) -> tuple[MarkupBlock, ...]:
    """Return a short form of a page, in whole sentences and without links.

    It has the summary, the displayed formulas with their sentences, the guarantee, the first known errors in
    print, and the sources.
    """
    parts = [
        *page.summary,
        *_formulas(page.section("Formula")),
        *_promise(page.section("Guarantee")),
        *_mistakes(page.section(ERRATA)),
        *_sources(page.section("Source")),
    ]
    return tuple(dataclasses.replace(block, runs=tuple(map(_unlinked, block.runs))) for block in parts)


def sentences(runs: Runs) -> list[Runs]:
    """Split a line into sentences.

    >>> from app.model.texts.marks import read_runs
    >>> [said(one) for one in sentences(read_runs("The mean of $n$. It is at most 2.5. $U$ is public."))]
    ['The mean of n.', 'It is at most 2.5.', 'U is public.']
    """
    letters = "".join(run.text if run.kind == "text" else _OTHER for run in runs)
    breaks = [(match.start(), match.end()) for match in _NEXT.finditer(letters)]
    starts = [0, *(end for _, end in breaks)]
    ends = [*(start for start, _ in breaks), len(letters)]
    return [tuple(_between(runs, start, end)) for start, end in zip(starts, ends, strict=True)]


def _between(runs: Runs, start: int, end: int) -> Iterator[TextRun]:
    """Yield the runs between two positions; a formula has length 1."""
    index = 0
    for run in runs:
        size = len(run.text) if run.kind == "text" else 1
        low, high = max(start, index), min(end, index + size)
        if low < high:
            yield dataclasses.replace(run, text=run.text[low - index : high - index]) if size > 1 else run
        index += size


def _formulas(section: HelpSection | None) -> Iterator[MarkupBlock]:
    """Yield all displayed formulas, with the sentences that hold them."""
    blocks = section.blocks if section else ()
    if not any(block.kind == "formula" for block in blocks):
        holding = (
            one
            for block in blocks
            for one in sentences(block.runs)
            if any(run.kind == "formula" for run in one)
        )
        yield from (_paragraph(one) for one in list(holding)[:1])
    for index, block in enumerate(blocks):
        if block.kind == "formula":
            yield block
            continue
        kept: list[Runs] = []
        before: Runs | None = None
        leads_on = index + 1 < len(blocks) and blocks[index + 1].kind == "formula"
        for one in sentences(block.runs):
            goes_on = index > 0 and blocks[index - 1].kind == "formula" and said(one)[:1].islower()
            leads = leads_on and not _ended(one)
            if leads and before is not None and before not in kept and len(said(one).split()) < BRIEF:
                kept.append(before)
            if leads or (goes_on and _ended(one)):
                kept.append(one)
            before = one
        if kept:
            yield _paragraph(_joined(kept))


def _ended(runs: Runs) -> bool:
    """Return whether a sentence is complete; others introduce a formula, a table or a list."""
    return said(runs).endswith((".", "!", "?"))


def _promise(section: HelpSection | None) -> Iterator[MarkupBlock]:
    """Yield the sentences of a guarantee, up to the limit of letters; no tables."""
    room, first = MAX_PROMISED, True
    for block in section.blocks if section else ():
        kept = []
        for one in sentences(block.runs):
            room -= len(said(one))
            if room < 0:
                break
            if _ended(one):
                kept.append(one)
        if kept:
            head = (TextRun("Guarantee. ", bold=True),) if first else ()
            kind = "paragraph" if first else block.kind
            yield MarkupBlock(kind, head + _joined(kept))
            first = False
        if room < 0 or block.kind == "table":  # what follows is about the table
            return


def _mistakes(section: HelpSection | None) -> Iterator[MarkupBlock]:
    """Yield one paragraph with the first sentences; nothing if no error is known."""
    if section is None or section.says_none:
        return
    every = [one for block in section.blocks for one in sentences(block.runs) if _ended(one)]
    kept, room = every[:1], MAX_ERRATA - len(said(every[0]))
    for one in sentences(section.blocks[0].runs)[1:]:
        room -= len(said(one))
        if room < 0 or not _ended(one):
            break
        kept.append(one)
    more = (TextRun(MORE),) if len(kept) < len(every) else ()
    yield _paragraph((TextRun("Errors in print. ", bold=True), *_joined(kept), *more))


def _sources(section: HelpSection | None) -> Iterator[MarkupBlock]:
    """Yield one paragraph with all sources."""
    if section is not None:
        every = _joined([block.runs for block in section.blocks])
        yield _paragraph((TextRun("Source. ", bold=True), *every))


def _joined(parts: Sequence[Runs]) -> Runs:
    """Return sentences one after the other."""
    results: list[TextRun] = []
    for part in parts:
        results += [TextRun(" ")] * bool(results) + list(part)
    return tuple(results)


def _paragraph(runs: Runs) -> MarkupBlock:
    return MarkupBlock("paragraph", runs)


def _unlinked(run: TextRun) -> TextRun:
    return dataclasses.replace(run, target="")
