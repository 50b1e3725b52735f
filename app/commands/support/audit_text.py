"""What an audit has found, as JSON and in words."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.low_bits_text import low_bits_content, low_bits_text, worst_of
from app.commands.support.mechanism_options import public_parameters
from app.model.wording.console import budget, counted, facts, number, settings
from app.model.wording.number_format import grouped, short
from engine.components import asked_of
from engine.privacy import Privacy

if TYPE_CHECKING:
    from engine.audit import AuditRun, LowBitsRun, Pair
    from engine.mechanisms.base import Mechanism

BARE = "before clamping and other post-processing that can be left out"
PUBLIC = "public: both databases follow from bounds and sizes alone"


@dataclasses.dataclass(frozen=True, eq=False)
class AuditedPairs:
    """Audits of one mechanism on one or several pairs.

    Attributes
    ----------
    right : Mechanism
        As it should be.
    planted : str
        Name of the mistake that was made in it; "" for none.
    privacy : Privacy
        What is promised.
    pairs, runs : tuple
        As many of either, unless the audit was cancelled.
    confidence : float
        Probability with which all bounds hold at once.
    seed : int
    low_bits : tuple of LowBitsRun
        The attack on the low bits of as many pairs, where it was asked for.
    """

    right: Mechanism[Any]
    planted: str
    privacy: Privacy
    pairs: tuple[Pair, ...]
    runs: tuple[AuditRun, ...]
    confidence: float
    seed: int
    low_bits: tuple[LowBitsRun, ...] = ()

    @property
    def worst(self) -> int:
        """The place of the pair with the largest bound."""
        return max(range(len(self.runs)), key=lambda index: self.runs[index].audit.epsilon_lower_bound)

    @property
    def complete(self) -> bool:
        """Whether all pairs were audited."""
        return len(self.runs) == len(self.pairs)

    @property
    def public(self) -> bool:
        """Whether nothing was computed from the data."""
        return all(pair.public for pair in self.pairs)

    @property
    def bare(self) -> Mechanism[Any]:
        """What is audited of the mechanism: itself without post-processing."""
        return self.right.unprocessed()

    @property
    def mistake(self) -> Any:
        """The class of the planted mistake, None for none."""
        from engine.mechanisms import PLANTED

        return PLANTED[self.planted] if self.planted else None


def content(result: AuditedPairs) -> dict[str, Any]:
    """Return everything for the JSON: the worst pair, and all if there are several."""
    facts = {
        "mechanism": asked_of(result.right).name,
        "parameters": public_parameters(result.right),
        "planted": result.planted or None,
        **_audit(result, result.worst),
        "seed": result.seed,
        "simulated": True,
    }
    attacks = [
        {"low_bits": low_bits_content(pair, run.result)}
        for pair, run in zip(result.pairs, result.low_bits, strict=False)
    ] or [{} for _ in result.runs]
    if result.low_bits:
        facts |= attacks[worst_of(result.low_bits)]
    if len(result.pairs) > 1:
        facts["pairs"] = [{**_audit(result, index), **attacks[index]} for index in range(len(result.runs))]
        facts["complete"] = result.complete
    return facts


def text(result: AuditedPairs, said: str) -> str:
    """Return what was audited, on which neighbours, and what that says about epsilon.

    `said` is said of it where it follows from data.
    """
    pair, run = result.pairs[result.worst], result.runs[result.worst]
    chosen = settings(
        (name, value) for name, value in public_parameters(result.right).items() if name != "method"
    )
    name, relation = asked_of(result.right).name, result.right.relation
    promise = budget(result.privacy.epsilon, result.privacy.delta, relation)
    rows = [
        ("audited", f"{name}: {result.right.label}" + (f" ({chosen})" if chosen else "")),
        *([] if result.bare == result.right else [("outcomes", BARE)]),
        *([("planted", f"{result.mistake.label}: {result.mistake.summary}")] if result.planted else []),
        ("promised", ("" if result.right.facts.is_private else "nothing; what is examined is ") + promise),
        ("neighbours", f"{pair.label} ({pair.name}): {pair.why}"),
        ("runs", f"{grouped(run.audit.runs)} of either database, half of them to choose the event"),
        ("event", run.audit.event),
        (
            "happens",
            f"in {grouped(run.inside[0])} and {grouped(run.inside[1])} of {grouped(run.judged)} runs",
        ),
    ]
    parts = [f"SIMULATION with seed {result.seed}; nothing is a release\n{facts(rows)}"]
    if len(result.pairs) > 1:
        table = [
            (pair.name, f"{number(one.audit.epsilon_lower_bound, 4)}, {one.audit.verdict}", one.audit.event)
            for pair, one in zip(result.pairs, result.runs, strict=False)
        ]
        audited = f"{len(result.runs)} of {counted(len(result.pairs), 'pair')}"
        heading = f"epsilon at least, on {audited}; above stands the worst"
        parts.append(f"{heading}\n{facts(table)}")
    parts.append(sentence(result))
    if result.low_bits:
        parts.append(low_bits_text(result.pairs, result.low_bits))
    return "\n\n".join(parts) + f"\n{PUBLIC if result.public else said}"


def sentence(result: AuditedPairs) -> str:
    """Say what the worst pair tells."""
    audit = result.runs[result.worst].audit
    sure = f"With {short(100 * result.confidence)} % confidence"
    bound, promised = number(audit.epsilon_lower_bound, 4), short(audit.privacy.epsilon)
    if audit.violated:
        return f"{sure} epsilon is at least {bound}, and {promised} was promised: VIOLATED"
    return f"{sure} epsilon is at least {bound}; {promised} was promised: consistent, which proves nothing"


def _audit(result: AuditedPairs, index: int) -> dict[str, Any]:
    audit, pair = result.runs[index].audit, result.pairs[index]
    return {
        "neighbour": pair.name,
        "public": pair.public,
        "epsilon": audit.privacy.epsilon,
        "delta": audit.privacy.delta,
        "epsilon_lower_bound": audit.epsilon_lower_bound,
        "confidence": result.confidence,
        "runs": audit.runs,
        "event": audit.event,
        "verdict": audit.verdict,
    }
