"""What the attack on the low bits has found, as JSON and in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from app.model.wording.console import facts, number
from app.model.wording.number_format import grouped, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.audit import LowBits, LowBitsRun, Pair


def worst_of(runs: Sequence[LowBitsRun]) -> int:
    """Return the place of the pair on which most is found."""
    return max(range(len(runs)), key=lambda index: _found(runs[index].result))


def _found(attack: LowBits) -> tuple[bool, float, float, float]:
    return attack.violated, attack.at_least, attack.off_grid, -attack.p_value


def low_bits_content(pair: Pair, attack: LowBits) -> dict[str, Any]:
    """Return what was found on one pair for the JSON."""
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


def low_bits_text(pairs: Sequence[Pair], runs: Sequence[LowBitsRun]) -> str:
    """Return what was found on all pairs."""
    index = worst_of(runs)
    pair, attack = pairs[index], runs[index].result
    rows = [
        (
            "low bits of",
            f"{grouped(attack.runs)} real releases of either database: {pair.label} ({pair.name})",
        ),
        ("grid", ", ".join(_step(step) for step in attack.step)),
        ("off the grid", _share(attack.off_grid)),
        ("impossible for the other", " and ".join(map(_share, attack.impossible))),
        ("low bits differ", f"p = {short(attack.p_value, 2)}"),
    ]
    parts = [facts(rows)]
    if len(runs) > 1:
        table = [(one.name, run.result.verdict) for one, run in zip(pairs, runs, strict=False)]
        parts.append(f"low bits on {len(runs)} of {len(pairs)} pairs; above stands the worst\n{facts(table)}")
    parts.append(
        f"Low bits: {attack.verdict.upper() if attack.violated else attack.verdict}. {attack.describe()}"
    )
    return "\n\n".join(parts)


def _step(step: float) -> str:
    return "none" if math.isnan(step) else f"multiples of {number(step, 6)}"


def _share(part: float) -> str:
    return f"{number(100 * part, 3)} %"
