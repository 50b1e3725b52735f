"""What the releases cost together, and what that means."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.model.budget import NOT_COUNTED, LossSum
from app.model.release_record import ReleaseRecord
from app.model.report_document import Block, FactList, Paragraph, ReportSection, ReportTable
from app.model.wording.neighbours import WORDS, ends_words
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import number, share
from app.model.wording.releases import sentence
from engine.ledger import LedgerError
from engine.privacy import NEIGHBOURS, NO_PROMISE, ROW_STEPS, Privacy, compose
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from engine.ledger import Account, Composition, Limit
    from engine.mechanisms.release import Release

RULES = {
    "basic": "Basic: all ε and all δ added up",
    "advanced": "Advanced composition",
    "zcdp": "Concentrated privacy (zCDP)",
}
BY_LOSSES = "Privacy losses (PLD)"
NOTHING = "Nothing was spent on these data: simulations cost nothing."
ALL = (
    "Everything that was ever released of these data with this ledger counts, also in other sessions: "
    "{count}. It is what all of them together cost one row of the file: whatever neighbours a release is "
    "stated for, it counts as if that row were replaced by another. {rules}"
)
THREE = "The first three rules are valid whatever was chosen on the way; the tightest of them counts."
ONE = "The limit has no δ, so that the plain sum counts, which needs none."
MEANS = (
    "An attacker sees all of this and wants to know whether one {record} is one value or another; everything "
    "else may be known to them already. Whatever they believed before, the odds change by at most a factor "
    "e^ε = {factor}. An attacker who was undecided (50 %) is at most {belief} sure afterwards."
)
FAILS = (
    "δ = {delta} is the slack in this bound: for neighbouring data, any set of outcomes has at most e^ε "
    "times the probability, plus δ. It should be far below 1/n."
)
HOLDS = (
    "It holds {between}, whatever is done with the released numbers later, and whatever becomes known "
    "about other records. It does not say that nothing is learned: what is true of many records is what "
    "releases are for."
)
ROUNDED = (
    "Some of these releases are not verified to the last bit: for them it holds up to roundings, which may "
    "tell more, or as far as the library does that made them."
)
CONVERTED = (
    "Some of these releases are stated for an edge of a graph, for a vertex, or for a record left empty. One "
    "row of the file that is replaced makes two such changes, so that they count twice."
)
LOST = "Together these releases promise nothing to a row of the file: δ would reach 1."
VAGUE = "So large an ε promises next to nothing: the noise may be visible, but it hides hardly any record."
LARGE = 10.0


def budget_section(account: Account | None, problem: str, progress: Progress = silent) -> ReportSection:
    """Say what was spent on the data that are open, by each rule of composition.

    There is no `account` where nothing can be spent, or where there is a `problem` with the ledger.
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
    yield ReportTable("What was spent", ("Rule", "ε", "δ", "Counts"), tuple(rows))
    if result.slack:
        yield Paragraph(f"{BY_LOSSES}: {losses.missing}." if losses.missing else NOT_COUNTED)


def _cost(cost: Privacy) -> tuple[str | float, str | float]:
    return ("no promise", "") if cost == NO_PROMISE else (cost.epsilon, cost.delta)


def _limit(limit: Limit | None) -> tuple[Block, ...]:
    if limit is None:
        return (FactList((("Limit", "none was set"),)),)
    whole = limit.whole
    return (FactList((("Limit", f"ε = {number(whole.epsilon)}, δ = {number(whole.delta)}"),)),)


def guarantee_section(records: tuple[ReleaseRecord, ...]) -> ReportSection:
    """Say in plain words what the releases promise."""
    blocks: list[Block] = []
    made = [record for record in records if not record.release.simulated]
    if not made:
        blocks.append(Paragraph("Nothing was released, so there is nothing to promise."))
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
    return ReportSection("What is promised", tuple(blocks))


def _steps(release: Release) -> int:
    """Return how many steps between the neighbours of a release are one row of the file replaced."""
    return ROW_STEPS[release.neighbours]


def means(epsilon: float, delta: float, record: str) -> str:
    """Say in words what an epsilon and a delta mean.

    >>> "at most 73\\u202f% sure" in means(1.0, 0.0, "record")
    True
    """
    factor = number(math.exp(min(epsilon, 700.0)))
    belief = _sure(epsilon)
    text = f"The releases above cost ε = {number(epsilon)} together. "
    text += MEANS.format(record=record, factor=factor, belief=belief)
    return f"{text} {FAILS.format(delta=number(delta))}" if delta else text


def _sure(epsilon: float) -> str:
    """Say how sure an undecided attacker may become, in so many digits that it is not rounded up to all."""
    doubt = 1 / (1 + math.exp(min(epsilon, 700.0)))
    digits = math.ceil(-math.log10(doubt)) - 2
    if 0 < digits < 9:
        return f"{100 * (1 - doubt):.{digits}f}\N{NARROW NO-BREAK SPACE}%"
    return share(1 - doubt)
