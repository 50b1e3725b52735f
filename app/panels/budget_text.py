"""The budget in words: spending, limit and composition."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from app.model.budget import Budget
from app.model.wording.neighbours import counts_words
from app.model.wording.not_dp import NO_MORE
from app.model.wording.numbers import number
from app.model.wording.releases import INEXACT, inexact_words, sentence
from engine.privacy import Privacy

if TYPE_CHECKING:
    from engine.ledger import Composition, Cost, LedgerEntry, Limit

NOTHING_SPENT = "no budget used yet"
BEGUN_ANEW = "started again: earlier spending is not counted"
COUNTED_ANEW = "earlier releases were counted again"
EXPOSED = "other users can write to the ledger"
DAMAGED = "the ledger of this computer is damaged"
UNDO = "A used budget cannot be restored."


@dataclasses.dataclass(frozen=True)
class Method:
    """A composition rule, in words."""

    name: str
    label: str
    effect: str


FOR_A_ROW = "for one row of the file"
"""The unit of privacy in all sums."""

PURE = "The limit has δ = 0, so the plain sum of all ε counts."
"""The reason why no other composition applies."""

SMALLEST = "The smallest of these bounds counts"
WHY = {
    "basic": f"{SMALLEST}: the plain sum of all ε.",
    "advanced": f"{SMALLEST}: advanced composition (Whitehouse, Ramdas, Rogers, Wu 2023).",
    "zcdp": f"{SMALLEST}: zCDP (Bun, Steinke 2016), which adds up ρ and converts the sum once.",
}
"""The reason why this composition counts."""

BY = {"basic": "", "advanced": " by advanced composition", "zcdp": " by zCDP"}
"""Names the composition that counts, unless it is the plain sum."""

METHODS = (
    Method("basic", "Basic", "ε and δ simply add up"),
    Method(
        "advanced",
        "Advanced",
        "losses partly cancel: ε grows like the square root of the number of releases, for the extra δ",
    ),
    Method("zcdp", "zCDP", "adds up the ρ of all releases and converts the sum once, for the extra δ"),
)
"""The compositions, by their names in the ledger."""


def privacy_words(privacy: Privacy) -> str:
    """Return epsilon, and delta unless it is 0, as text."""
    delta = f", δ = {number(privacy.delta, 2)}" if privacy.delta else ""
    return f"ε = {number(privacy.epsilon)}{delta}"


def spent_words(budget: Budget) -> str:
    """Return spending and limit as text."""
    spent, limit = budget.spent, budget.limit
    if spent is not None and not promises(spent):
        return NO_MORE
    if limit is None:
        return NOTHING_SPENT if spent is None else f"spent {total_words(spent)}{BY[spent.method]} · no limit"
    if spent is None:
        return f"nothing used of ε = {number(limit.epsilon)}"
    over = " · over the limit" if not spent.within(limit) else ""
    return f"{of_limit(spent, limit)}{BY[spent.method]}{over}"


def line_words(budget: Budget) -> str:
    """Summarize the budget, or its problem, in one line."""
    if budget.problem:
        return f"Nothing can be released: {DAMAGED if budget.damaged else budget.problem}"
    begun = f" · {BEGUN_ANEW}" if budget.begun_after else ""
    exposed = f" · {EXPOSED}" if budget.exposed else ""
    anew = f" · {COUNTED_ANEW}" if budget.recounted else ""
    return f"{spent_words(budget)}{begun}{exposed}{anew}"


def total_words(spent: Composition | None) -> str:
    """Return the total cost of several releases as text."""
    if spent is None:
        return "nothing"
    return privacy_words(spent.tightest) if promises(spent) else NO_MORE


def of_limit(spent: Composition, limit: Limit) -> str:
    """Return spending beside the limit as text: epsilons, and deltas if any counts."""
    counts = spent.tightest
    text = f"ε = {number(counts.epsilon)} of {number(limit.epsilon)}"
    if counts.delta:
        text += f", δ = {number(counts.delta, 2)} of {number(limit.whole.delta, 2)}"
    return text


def limit_words(limit: Limit) -> str:
    return privacy_words(limit.whole)


def share(spent: Composition | None, limit: Limit) -> float:
    """Return the spent share of the limit, of epsilon or delta, whichever is larger."""
    if spent is None:
        return 0.0
    if not promises(spent):
        return math.inf
    delta = spent.basic.delta
    failing = 0.0 if not delta else delta / limit.delta if limit.delta else math.inf
    return max(spent.tightest.epsilon / limit.epsilon, failing)


def promises(spent: Composition) -> bool:
    """Tell whether these releases together have a finite guarantee."""
    return math.isfinite(spent.basic.epsilon)


def tip_words(budget: Budget) -> str:
    """Return the spending by each composition as text."""
    if budget.problem:
        return budget.problem
    if budget.spent is None:
        return "The ledger has no release of this dataset."
    if not promises(budget.spent):
        return NO_MORE
    results = budget.spent.by_method
    lines = [
        f"{one.label}: {privacy_words(results[one.name])}" + " – counts" * (one.name == budget.spent.method)
        for one in METHODS
        if one.name in results
    ]
    counted = budget.spent.releases
    head = f"{counted} release{'s' * (counted != 1)} of this dataset, {FOR_A_ROW}:"
    return "\n".join([head, *lines, UNDO, ledger_words(budget)]).rstrip()


def ledger_words(budget: Budget) -> str:
    """Say whether a ledger was set aside, counted again, or is exposed to other users."""
    before = f"Earlier spending is not counted; it is in the damaged ledger {budget.begun_after}"
    known = (before if budget.begun_after else "", budget.exposed, sentence(budget.recounted))
    return "\n".join(filter(None, known))


def cost_words(cost: Cost) -> str:
    """Return the cost of a release as text, with a note if floating point weakens it."""
    if not math.isfinite(cost.privacy.epsilon):
        return "no privacy guarantee"
    inexact = inexact_words(not cost.inexact, cost.inexact)
    return "; ".join(
        part for part in (privacy_words(cost.privacy), counts_words(cost, "ε", "δ"), inexact) if part
    )


def warning_words(budget: Budget | None) -> str:
    """Warn beside Run that a release would pass the limit; "" if it would not."""
    if budget is None or not budget.over or budget.next is None or budget.limit is None:
        return ""
    if not promises(budget.next):
        return "Run would pass the limit: no guarantee would be left."
    return f"Run would pass the limit: {of_limit(budget.next, budget.limit)}."


def state_words(entry: LedgerEntry) -> str:
    """Say how a release ended."""
    text = {
        "open": "started, never finished; counts as spent",
        "spent": "released",
        "void": "stopped before its value was shown; costs nothing",
    }[entry.state]
    counted = counts_words(entry.cost, "ε", "δ") if entry.counts else ""
    parts = [
        text,
        counted,
        "" if entry.exact else INEXACT,
        "over the limit" if entry.over and entry.counts else "",
    ]
    return ", ".join(part for part in parts if part)
