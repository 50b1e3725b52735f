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
    return max(range(len(runs)), key=lambda place: _found(runs[place].result))


def _found(found: LowBits) -> tuple[bool, float, float, float]:
    return found.violated, found.at_least, found.off_grid, -found.p_value


def low_bits_content(pair: Pair, found: LowBits) -> dict[str, Any]:
    """Return what was found on one pair for the JSON."""
    steps = [None if math.isnan(step) else step for step in found.step]
    return {
        "neighbour": pair.name,
        "runs": found.runs,
        "step": steps[0] if len(steps) == 1 else steps,
        "same_grid": found.same_grid,
        "off_grid": found.off_grid,
        "impossible": list(found.impossible),
        "impossible_at_least": found.at_least,
        "p_value": found.p_value,
        "verdict": found.verdict,
        "words": found.describe(),
    }


def low_bits_text(pairs: Sequence[Pair], runs: Sequence[LowBitsRun]) -> str:
    """Return what was found on all pairs."""
    place = worst_of(runs)
    pair, found = pairs[place], runs[place].result
    rows = [
        (
            "low bits of",
            f"{grouped(found.runs)} real releases of either database: {pair.label} ({pair.name})",
        ),
        ("grid", ", ".join(_step(step) for step in found.step)),
        ("off the grid", _share(found.off_grid)),
        ("impossible for the other", " and ".join(map(_share, found.impossible))),
        ("low bits differ", f"p = {short(found.p_value, 2)}"),
    ]
    parts = [facts(rows)]
    if len(runs) > 1:
        table = [(one.name, run.result.verdict) for one, run in zip(pairs, runs, strict=False)]
        parts.append(f"low bits on {len(runs)} of {len(pairs)} pairs; above stands the worst\n{facts(table)}")
    parts.append(
        f"Low bits: {found.verdict.upper() if found.violated else found.verdict}. {found.describe()}"
    )
    return "\n\n".join(parts)


def _step(step: float) -> str:
    return "none" if math.isnan(step) else f"multiples of {number(step, 6)}"


def _share(part: float) -> str:
    return f"{number(100 * part, 3)} %"
