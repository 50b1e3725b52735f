"""The budget in a report: the cost of all releases together, and its meaning."""

from __future__ import annotations

import math
from collections.abc import Iterator

from app.model.budget import NOT_COUNTED, LossSum
from app.model.release_record import ReleaseRecord
from app.model.report_document import Block, FactList, Paragraph, ReportSection, ReportTable
from app.model.wording.neighbours import WORDS, ends_words
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import number, share
from app.model.wording.releases import sentence
from engine.ledger import Account, Composition, LedgerError, Limit
from engine.mechanisms.release import Release
from engine.privacy import NEIGHBOURS, NO_PROMISE, ROW_STEPS, Privacy, compose
from engine.progress import Progress, silent

RULES = {
    "basic": "Basic: all ε and all δ added up",
    "advanced": "Advanced composition",
    "zcdp": "Concentrated privacy (zCDP)",
}
BY_LOSSES = "Privacy losses (PLD)"
NOTHING = "No budget used yet. Simulations cost nothing."
ALL = (
    "This counts every release of these data in this ledger, also from other sessions: "
    "{count}. It is their total cost to one row of the file. Releases stated for other "
    "neighbors count as if one row were replaced. {rules}"
)
FEWER = "The report lists {count} of them: the newest ones whose values the ledger stored."
THREE = (
    "The first three rules hold even if later choices depended on earlier answers; the smallest total counts."
)
ONE = "The limit has no δ, so only the plain sum counts."
MEANS = (
    "Suppose an attacker sees all of this, and wants to know whether one {record} has one "
    "value or another. They may already know everything else. Their odds change by at most "
    "a factor e^ε = {factor}. If they start 50 % sure, they end at most {belief} sure."
)
FAILS = (
    "δ = {delta} is the slack in this bound: for neighboring data, any set of outcomes "
    "has at most e^ε times the probability, plus δ. It should be far below 1/n."
)
HOLDS = (
    "It holds {between}, whatever is done with the released numbers later, and whatever "
    "becomes known about other records. People still learn from the releases: facts about "
    "many records are their purpose."
)
ROUNDED = (
    "The guarantee of some of these releases is not verified to the last bit. Rounding may "
    "reveal more, or a library from elsewhere makes the guarantee."
)
CONVERTED = (
    "Some of these releases are stated for an edge of a graph, for a vertex, or for a "
    "record left empty. Replacing one row of the file makes two such changes, so these "
    "releases count twice."
)
LOST = "Together these releases give no guarantee for a row of the file: δ would reach 1."
VAGUE = (
    "At so large an ε the guarantee is almost empty: the noise may be visible, but it "
    "hides hardly any record."
)
LARGE = 10.0


def budget_section(
    account: Account | None, problem: str, listed: int | None = None, progress: Progress = silent
) -> ReportSection:
    """Return the section on the budget of the open data, by each rule of composition.

    There is no `account` if nothing can be spent, or if there is a `problem` with the ledger.  `listed`:
    number of releases in the report, if it lists all that it can.
    """
    title = "The budget"
    if account is None:
        text = (
            Paragraph(f"The ledger cannot be read: {problem}.", warns=True) if problem else Paragraph(NOTHING)
        )
        return ReportSection(title, (text,))
    try:
        spent, limit, recounted = account.spent(), account.limit, account.recounted
    except LedgerError as error:
        return budget_section(None, str(error))
    if spent is None:
        return ReportSection(title, (Paragraph(NOTHING), *_limit(limit)))
    anew = [Paragraph(sentence(recounted), warns=True)] if recounted else []
    if listed is not None and listed < spent.releases:
        anew.append(Paragraph(FEWER.format(count=listed)))
    return ReportSection(title, (*_composition(spent, progress), *anew, *_limit(limit)))


def _composition(result: Composition, progress: Progress) -> Iterator[Block]:
    count = f"{result.releases} release{'s' * (result.releases != 1)}"
    if result.basic == NO_PROMISE:
        yield Paragraph(f"{count}, not all of them DP. {NOT_DP}", warns=True)
        return
    yield Paragraph(ALL.format(count=count, rules=THREE if result.slack else ONE))
    rows = [(RULES[name], *_cost(cost), name == result.method) for name, cost in result.by_method.items()]
    losses = LossSum.of(result, progress)
    if losses.privacy is not None:
        rows.append((BY_LOSSES, *_cost(losses.privacy), False))
    yield ReportTable("Budget used", ("Rule", "ε", "δ", "Counts"), tuple(rows))
    if result.slack:
        yield Paragraph(f"{BY_LOSSES}: {losses.missing}." if losses.missing else NOT_COUNTED)


def _cost(cost: Privacy) -> tuple[str | float, str | float]:
    return ("no guarantee", "") if cost == NO_PROMISE else (cost.epsilon, cost.delta)


def _limit(limit: Limit | None) -> tuple[Block, ...]:
    if limit is None:
        return (FactList((("Limit", "not set"),)),)
    whole = limit.whole
    return (FactList((("Limit", f"ε = {number(whole.epsilon)}, δ = {number(whole.delta)}"),)),)


def guarantee_section(records: tuple[ReleaseRecord, ...]) -> ReportSection:
    blocks: list[Block] = []
    made = [record for record in records if not record.release.simulated]
    if not made:
        blocks.append(Paragraph("Nothing was released yet, so there is no guarantee to explain."))
    costs = [each.release.privacy.for_group(_steps(each.release)) for each in made if each.promises]
    if costs:
        total = compose(costs)
        if total == NO_PROMISE:
            blocks.append(Paragraph(LOST, warns=True))
        else:
            blocks.append(Paragraph(means(total.epsilon, total.delta, "row of the file")))
            blocks.append(Paragraph(HOLDS.format(between=WORDS[NEIGHBOURS].between)))
            if any(_steps(each.release) > 1 for each in made if each.promises):
                blocks.append(Paragraph(CONVERTED))
            if ends := ends_words([each.release.neighbours for each in made if each.promises]):
                blocks.append(Paragraph(sentence(ends)))
        if any(record.flaw for record in made):
            blocks.append(Paragraph(ROUNDED, warns=True))
        if total.epsilon > LARGE:
            blocks.append(Paragraph(VAGUE, warns=True))
    if any(not record.promises for record in made):
        blocks.insert(0, Paragraph(NOT_DP, warns=True))
    return ReportSection("Guarantee", tuple(blocks))


def _steps(release: Release) -> int:
    """Return the number of neighbour steps that make up the replacement of one row."""
    return ROW_STEPS[release.neighbours]


def means(epsilon: float, delta: float, record: str) -> str:
    """Explain an epsilon and a delta in words.

    >>> "at most 73\\u202f% sure" in means(1.0, 0.0, "record")
    True
    """
    factor = number(math.exp(min(epsilon, 700.0)))
    belief = _sure(epsilon)
    text = f"The releases above cost ε = {number(epsilon)} together. "
    text += MEANS.format(record=record, factor=factor, belief=belief)
    return f"{text} {FAILS.format(delta=number(delta))}" if delta else text


def _sure(epsilon: float) -> str:
    """Return the largest belief of an undecided attacker, with enough digits not to round to 100 %."""
    doubt = 1 / (1 + math.exp(min(epsilon, 700.0)))
    digits = math.ceil(-math.log10(doubt)) - 2
    if 0 < digits < 9:
        return f"{100 * (1 - doubt):.{digits}f}\N{NARROW NO-BREAK SPACE}%"
    return share(1 - doubt)
