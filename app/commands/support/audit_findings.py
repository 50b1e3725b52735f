"""The findings of an audit, as JSON and as text."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.mechanism_options import names_json, public_parameters
from app.model.wording.console import budget, counted, facts, number, settings
from app.model.wording.numbers import grouped, short
from engine.components import asked_of
from engine.privacy import NEIGHBOURS, Privacy

if TYPE_CHECKING:
    from engine.audit import AuditRun, LowBits, LowBitsRun, Pair
    from engine.mechanisms.base import Mechanism

BARE = "before clamping and other post-processing that can be left out"
PUBLIC = "public: both databases follow from bounds and sizes alone"


@dataclasses.dataclass(frozen=True, eq=False)
class AuditedPairs:
    """Audits of one mechanism on one or several pairs.

    `planted` names the bug in the mechanism `right`, "" for none. Each pair has one run, and one attack on
    the low bits if the audit includes them; a cancelled audit has fewer. All bounds hold together with
    probability `confidence`. `relation` is that of the promise, and `rows` says which rows make a record,
    "" for all.
    """

    right: Mechanism[Any]
    planted: str
    privacy: Privacy
    pairs: tuple[Pair, ...]
    runs: tuple[AuditRun, ...]
    confidence: float
    seed: int
    low_bits: tuple[LowBitsRun, ...] = ()
    relation: str = NEIGHBOURS
    rows: str = ""

    @property
    def worst(self) -> int:
        """The index of the pair with the largest bound."""
        return max(range(len(self.runs)), key=lambda index: self.runs[index].audit.epsilon_lower_bound)

    @property
    def complete(self) -> bool:
        """Whether all pairs were audited."""
        return len(self.runs) == len(self.pairs)

    @property
    def violated(self) -> bool:
        """Whether any audit or attack refutes the guarantee."""
        attacks = [run.result.violated for run in self.low_bits]
        return any((*(run.audit.violated for run in self.runs), *attacks))

    @property
    def public(self) -> bool:
        """Whether no pair follows from the data."""
        return all(pair.public for pair in self.pairs)

    @property
    def bare(self) -> Mechanism[Any]:
        """The audited mechanism, without post-processing."""
        return self.right.unprocessed()

    @property
    def mistake(self) -> Any:
        """The class of the planted bug, None for none."""
        from engine.mechanisms import PLANTED

        return PLANTED[self.planted] if self.planted else None


def to_json(result: AuditedPairs) -> dict[str, Any]:
    """Return the JSON: the worst pair, and all pairs if there are several."""
    facts = {
        **names_json(result.right),
        "parameters": public_parameters(result.right),
        "planted": result.planted or None,
        **_audit_json(result, result.worst),
        **({"rows": result.rows} if result.rows else {}),
        **({"neighbours": result.relation} if result.relation != result.right.relation else {}),
        "seed": result.seed,
        "simulated": True,
    }
    attacks = [
        {"low_bits": _low_bits_json(pair, run.result)}
        for pair, run in zip(result.pairs, result.low_bits, strict=False)
    ] or [{} for _ in result.runs]
    if result.low_bits:
        facts |= attacks[worst_of(result.low_bits)]
    if len(result.pairs) > 1:
        facts["pairs"] = [
            {**_audit_json(result, index), **attacks[index]} for index in range(len(result.runs))
        ]
        facts["complete"] = result.complete
    return facts


def to_text(result: AuditedPairs, confidentiality: str) -> str:
    """Return the audit, its neighbours and the bound on epsilon as text.

    The line `confidentiality` ends it where the pairs follow from the data.
    """
    pair, run = result.pairs[result.worst], result.runs[result.worst]
    chosen = settings(
        (name, value) for name, value in public_parameters(result.right).items() if name != "method"
    )
    name = asked_of(result.right).name
    promise = budget(result.privacy.epsilon, result.privacy.delta, result.relation)
    rows = [
        ("audited", f"{name}: {result.right.label}" + (f" ({chosen})" if chosen else "")),
        *([("rows", result.rows)] if result.rows else []),
        *([] if result.bare == result.right else [("outcomes", BARE)]),
        *([("planted", f"{result.mistake.label}: {result.mistake.summary}")] if result.planted else []),
        ("promised", ("" if result.right.facts.is_private else "nothing; the audit examines ") + promise),
        ("neighbours", f"{pair.label} ({pair.name}): {pair.why}"),
        ("runs", f"{grouped(run.audit.runs)} from each database; the first half chooses the event"),
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
        heading = f"epsilon at least, on {audited} (the worst is above)"
        parts.append(f"{heading}\n{facts(table)}")
    audit, sure = run.audit, f"With {short(100 * result.confidence)} % confidence"
    bound, promised = number(audit.epsilon_lower_bound, 4), short(audit.privacy.epsilon)
    if audit.violated:
        verdict = f"{bound}, but the promise is {promised}: VIOLATED"
    else:
        verdict = f"{bound}; the promise is {promised}: consistent, which proves nothing"
    parts.append(f"{sure} epsilon is at least {verdict}")
    if result.low_bits:
        parts.append(_low_bits_text(result.pairs, result.low_bits))
    return "\n\n".join(parts) + f"\n{PUBLIC if result.public else confidentiality}"


def _audit_json(result: AuditedPairs, index: int) -> dict[str, Any]:
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


def worst_of(runs: Sequence[LowBitsRun]) -> int:
    """Return the index of the pair whose low bits reveal most."""

    def rank(index: int) -> tuple[bool, float, float, float]:
        attack = runs[index].result
        return attack.violated, attack.at_least, attack.off_grid, -attack.p_value

    return max(range(len(runs)), key=rank)


def _low_bits_json(pair: Pair, attack: LowBits) -> dict[str, Any]:
    """Return the attack on one pair as JSON."""
    steps = [None if math.isnan(step) else step for step in attack.step]
    return {
        "neighbour": pair.name,
        "runs": attack.runs,
        "step": steps[0] if len(steps) == 1 else steps,
        "same_grid": attack.same_grid,
        "off_grid": attack.off_grid,
        "impossible": list(attack.impossible),
        "impossible_at_least": attack.at_least,
        "p_value": attack.p_value,
        "verdict": attack.verdict,
        "words": attack.describe(),
    }


def _low_bits_text(pairs: Sequence[Pair], runs: Sequence[LowBitsRun]) -> str:
    """Return the attacks on all pairs as text."""
    index = worst_of(runs)
    pair, attack = pairs[index], runs[index].result
    rows = [
        (
            "low bits of",
            f"{grouped(attack.runs)} real releases from each database: {pair.label} ({pair.name})",
        ),
        (
            "grid",
            ", ".join(
                "none" if math.isnan(step) else f"multiples of {number(step, 6)}" for step in attack.step
            ),
        ),
        ("off the grid", _share(attack.off_grid)),
        ("impossible for the other", " and ".join(map(_share, attack.impossible))),
        ("low bits differ", f"p = {short(attack.p_value, 2)}"),
    ]
    parts = [facts(rows)]
    if len(runs) > 1:
        table = [(one.name, run.result.verdict) for one, run in zip(pairs, runs, strict=False)]
        parts.append(f"low bits on {len(runs)} of {len(pairs)} pairs (the worst is above)\n{facts(table)}")
    parts.append(
        f"Low bits: {attack.verdict.upper() if attack.violated else attack.verdict}. {attack.describe()}"
    )
    return "\n\n".join(parts)


def _share(part: float) -> str:
    return f"{number(100 * part, 3)} %"
