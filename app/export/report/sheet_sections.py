"""The report of the sheet: all answers on one page, and the details behind it."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator

from app.export.report.budget_sections import budget_section, guarantee_section
from app.export.report.method_sections import citing_section, method_sections
from app.export.report.release_sections import release_sections
from app.export.report.request import PUBLIC, ReportRequest
from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.report_document import (
    Block,
    FactList,
    Paragraph,
    Report,
    ReportSection,
    ReportTable,
)
from app.model.state import SessionState
from app.model.wording.neighbours import WORDS, widest_relation
from app.model.wording.numbers import number
from app.pages.questions.planning import records
from app.releases.answers import answers
from app.releases.labels import mechanism_label
from engine.errors import SensiscopeError
from engine.privacy import Privacy, compose
from engine.progress import Progress, part, silent

INTERVALS = (
    "Each interval holds, with probability 95 %, the answer without noise, with values pulled into their "
    "bounds. It does not include the chance of who is in the table."
)
PROMISE = (
    "Together the answers cost ε = {epsilon}{delta}, {between}. Suppose that an attacker guesses which of "
    "two equally likely values one {record} has. With all answers, they are right at most {sure} % of the "
    "time."
)
LOOKED = (
    "Some bounds or categories were taken from the data: no guarantee holds for the answers that use them."
)
LEFT_OUT = re.compile(r"Rows without (.*) are left out\.")
RANKS = (
    "“Within r ranks”: with probability 95 %, at most r records lie between the answer and the one without "
    "noise."
)
BLANK = " "
"""An empty cell; a report writes a dash where a text is missing."""
NOTHING = "No question of the sheet is released yet."


def sheet_report(request: ReportRequest, progress: Progress = silent) -> Report:
    """Return the report of the sheet; all of it can be shared."""
    state = request.state
    rows = tuple(row for row in state.questions if row.released is not None)
    made = tuple(row.released for row in rows if row.released is not None)
    sections = (answers_section(rows), reading_section(state, made), *_details(request, made, progress))
    return Report(request.options.title, request.about(), PUBLIC, sections)


def answers_section(rows: tuple[AskedQuestion, ...]) -> ReportSection:
    """Return the table of all answers, with their intervals."""
    if not rows:
        return ReportSection("Answers", (Paragraph(NOTHING),))
    header = ("Question", "Answer", "95 % interval", "ε")
    lines = tuple(line for row in rows for line in _lines(row))
    return ReportSection("Answers", (ReportTable("Released answers", header, lines),))


def _lines(row: AskedQuestion) -> Iterator[tuple[str, str, str, str]]:
    record = row.released
    assert record is not None
    results, text = answers(record), row.question.title
    cost = number(record.release.privacy.epsilon)
    first, *_ = results
    if len(results) > 1 or first.group:
        yield text, BLANK, BLANK, cost
    for result in results:
        name = f"\N{EN DASH} {result.group}" if result.group else text
        interval = result.interval_words(record.unit)
        yield name, result.value_words(record.unit), interval, BLANK if result.group else cost


def reading_section(state: SessionState, made: tuple[ReleaseRecord, ...]) -> ReportSection:
    """Return the records, rules and promise of all answers, each in a sentence."""
    facts = [("Data", "" if state.table is None else state.table.title), *_size(state)]
    rules = treatment_words(made)
    if rules:
        facts.append(("Missing values", rules))
    if made:
        facts.append(("Promise", promise_words(made)))
        methods = dict.fromkeys(mechanism_label(record.release) for record in made)
        facts.append(("Method", f"{', '.join(methods)}: random noise protects each record."))
        by_rank = any(one.low is None and one.ranks is not None for record in made for one in answers(record))
        facts.append(("Intervals", f"{INTERVALS} {RANKS}" if by_rank else INTERVALS))
    blocks: list[Block] = [FactList(tuple(facts))]
    if any(record.looked for record in made):
        blocks.insert(0, Paragraph(LOOKED, warns=True))
    return ReportSection("How to read them", tuple(blocks))


def _size(state: SessionState) -> Iterator[tuple[str, str]]:
    if state.table is None:
        return
    declared = state.declarations
    try:
        n = records(state.table, declared).n
    except SensiscopeError:
        return
    if not declared.person:
        yield "Records", f"n = {number(n, 12)}: one row each"
    elif declared.most_rows is None:
        yield (
            "Records",
            f"n = {number(n, 12)}: all rows with the same {declared.person} ({declared.person_rule})",
        )
    else:
        yield "Records", f"n = {number(n, 12)} rows, at most {declared.most_rows} for each {declared.person}"


def treatment_words(made: tuple[ReleaseRecord, ...]) -> str:
    """Say which rows were left out of all answers, or how they count; each rule once."""
    rules = dict.fromkeys(rule for record in made for rule in record.treatment.split("\n") if rule)
    dropped = [match[1] for rule in rules if (match := LEFT_OUT.fullmatch(rule))]
    others = [rule for rule in rules if not LEFT_OUT.fullmatch(rule)]
    if len(dropped) > 1:
        names = f"{', '.join(dropped[:-1])} or {dropped[-1]}"
        others.insert(0, f"Rows without {names} are left out of the answers that use it.")
    elif dropped:
        others.insert(0, f"Rows without {dropped[0]} are left out.")
    return " ".join(others)


def promise_words(made: tuple[ReleaseRecord, ...]) -> str:
    """Say what all answers together cost, and what that means."""
    costs = [record.release.privacy for record in made]
    total = compose(costs)
    neighbour = WORDS[widest_relation(record.release.neighbours for record in made)]
    delta = f", δ = {number(total.delta)}" if total.delta else ""
    return PROMISE.format(
        epsilon=number(total.epsilon),
        delta=delta,
        between=neighbour.between,
        record=neighbour.record,
        sure=_sure(total),
    )


def _sure(total: Privacy) -> str:
    factor = math.exp(min(total.epsilon, 700.0))
    return number(100 * min(1.0, (factor + total.delta) / (1 + factor)), 3)


def _details(
    request: ReportRequest, made: tuple[ReleaseRecord, ...], progress: Progress
) -> Iterator[ReportSection]:
    if not made:
        return
    account, problem = request.account_of(request.state.table)
    sections = (
        *release_sections(made, request.options.figures, part(progress, 0.0, 0.9)),
        budget_section(account, problem),
        guarantee_section(made),
        *method_sections(made, part(progress, 0.9, 1.0)),
        citing_section(made, request.when.year),
    )
    yield from (dataclasses.replace(section, folded=True) for section in sections)
