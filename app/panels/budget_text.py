"""The budget in words: what is spent, of how much, and which composition says so."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from app.model.budget import NOT_COUNTED, Budget, LossSum
from app.model.wording.neighbours import counts_words
from app.model.wording.not_dp import NO_MORE
from app.model.wording.numbers import number
from app.model.wording.releases import INEXACT, inexact_words, sentence
from engine.privacy import Privacy

if TYPE_CHECKING:
    from engine.ledger import Composition, Cost, LedgerEntry, Limit

NOTHING_SPENT = "nothing spent on this dataset yet"
BEGUN_ANEW = "begun anew: what was spent before is not counted"
COUNTED_ANEW = "earlier releases are counted anew"
EXPOSED = "others can write to the ledger"
DAMAGED = "the ledger of this computer is damaged"
UNDO = "Spent budget cannot be undone."


@dataclasses.dataclass(frozen=True)
class Method:
    """One of the ways to add up what releases cost, in words."""

    name: str
    label: str
    effect: str


FOR_A_ROW = "for one row of the file"
"""Whose loss of privacy all sums count."""

PURE = "The limit has no δ, so the plain sum of all ε counts, which needs none."
"""Why no other composition is shown."""

WHY = {
    "basic": "Each of the first three holds, so the least counts: here the plain sum of all ε.",
    "advanced": "Each of the first three holds, so the least counts: here advanced composition (Whitehouse, "
    "Ramdas, Rogers, Wu 2023).",
    "zcdp": "Each of the first three holds, so the least counts: here zCDP (Bun, Steinke 2016), the ρ of "
    "which add up like ε and are converted once.",
}
"""Why the composition that is used may be used."""

BY = {"basic": "", "advanced": " by advanced composition", "zcdp": " by zCDP"}
"""The composition that counts, where it is not the plain sum that users expect."""

METHODS = (
    Method("basic", "Basic", "the ε add up, and so do the δ; nothing else is needed"),
    Method(
        "advanced",
        "Advanced",
        "losses partly cancel: grows like the root of the number of releases, for a further δ′",
    ),
    Method("zcdp", "zCDP", "adds up the ρ of each release and converts them once, for a further δ′"),
)
"""The compositions, as the ledger names them."""

BY_LOSSES = Method("pld", "Privacy losses", f"adds up the laws of the log-ratios. {NOT_COUNTED}")
"""Shown beside them; it does not count."""


def losses_words(losses: LossSum) -> str:
    """Say why privacy losses do not count, or why they are not told."""
    return f"Privacy losses: {losses.missing}." if losses.missing else NOT_COUNTED


def privacy_words(privacy: Privacy) -> str:
    """Write epsilon, and delta where there is one."""
    delta = f", δ = {number(privacy.delta, 2)}" if privacy.delta else ""
    return f"ε = {number(privacy.epsilon)}{delta}"


def spent_words(budget: Budget) -> str:
    """Say what is spent, of how much."""
    spent, limit = budget.spent, budget.limit
    if spent is not None and not promises(spent):
        return NO_MORE
    if limit is None:
        return NOTHING_SPENT if spent is None else f"spent {total_words(spent)}{BY[spent.method]} · no limit"
    if spent is None:
        return f"nothing spent of ε = {number(limit.epsilon)}"
    over = " · over the limit" if not spent.within(limit) else ""
    return f"{of_limit(spent, limit)}{BY[spent.method]}{over}"


def line_words(budget: Budget) -> str:
    """Say in one line what must be known of the budget, whatever is wrong with it."""
    if budget.problem:
        return f"Nothing can be released: {DAMAGED if budget.damaged else budget.problem}"
    begun = f" · {BEGUN_ANEW}" if budget.begun_after else ""
    exposed = f" · {EXPOSED}" if budget.exposed else ""
    anew = f" · {COUNTED_ANEW}" if budget.recounted else ""
    return f"{spent_words(budget)}{begun}{exposed}{anew}"


def total_words(spent: Composition | None) -> str:
    """Write what several releases cost together."""
    if spent is None:
        return "nothing"
    return privacy_words(spent.tightest) if promises(spent) else NO_MORE


def of_limit(spent: Composition, limit: Limit) -> str:
    """Write what is spent beside the limit: the epsilons, and the deltas where any counts."""
    counts = spent.tightest
    text = f"ε = {number(counts.epsilon)} of {number(limit.epsilon)}"
    if counts.delta:
        text += f", δ = {number(counts.delta, 2)} of {number(limit.whole.delta, 2)}"
    return text


def limit_words(limit: Limit) -> str:
    """Write a limit: all that is promised."""
    return privacy_words(limit.whole)


def share(spent: Composition | None, limit: Limit) -> float:
    """Return the share of the limit that is spent: of epsilon or of delta, whichever is larger."""
    if spent is None:
        return 0.0
    if not promises(spent):
        return math.inf
    delta = spent.basic.delta
    failing = 0.0 if not delta else delta / limit.delta if limit.delta else math.inf
    return max(spent.tightest.epsilon / limit.epsilon, failing)


def promises(spent: Composition) -> bool:
    """Tell whether anything is promised after these releases."""
    return math.isfinite(spent.basic.epsilon)


def tip_words(budget: Budget) -> str:
    """Say all that is spent, by each composition."""
    if budget.problem:
        return budget.problem
    if budget.spent is None:
        return "No release of this dataset is in the ledger."
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
    """Say what is to be known of the ledger: that one was set aside, is counted anew, or is exposed."""
    before = f"What was spent before is not counted: it is in the damaged ledger {budget.begun_after}"
    known = (before if budget.begun_after else "", budget.exposed, sentence(budget.recounted))
    return "\n".join(filter(None, known))


def cost_words(cost: Cost) -> str:
    """Write what one release costs, and whether that does not hold to the last bit."""
    if not math.isfinite(cost.privacy.epsilon):
        return "promises no privacy"
    inexact = inexact_words(not cost.inexact, cost.inexact)
    return "; ".join(
        part for part in (privacy_words(cost.privacy), counts_words(cost, "ε", "δ"), inexact) if part
    )


def warning_words(budget: Budget | None) -> str:
    """Say beside Run what a release would do to the limit; "" if it is kept."""
    if budget is None or not budget.over or budget.next is None or budget.limit is None:
        return ""
    if not promises(budget.next):
        return "Run would pass the limit: nothing is promised any more."
    return f"Run would pass the limit: {of_limit(budget.next, budget.limit)}."


def state_words(entry: LedgerEntry) -> str:
    """Say what became of a release."""
    text = {
        "open": "begun, never finished; counts as spent",
        "spent": "released",
        "void": "stopped before it was seen; costs nothing",
    }[entry.state]
    counted = counts_words(entry.cost, "ε", "δ") if entry.counts else ""
    parts = [
        text,
        counted,
        "" if entry.exact else INEXACT,
        "over the limit" if entry.over and entry.counts else "",
    ]
    return ", ".join(part for part in parts if part)
