"""Advice about a mechanism on the current points (private)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.model.selection import Selection
from app.model.wording.numbers import format_approx, format_count, number, quantity, within
from app.model.wording.releases import SwitchOffer
from engine.analysis.expected_error import ErrorEstimate
from engine.components import part_of
from engine.mechanisms import BlockMechanism
from engine.mechanisms.planning import USEFUL_SHARE
from engine.specification import key_of

if TYPE_CHECKING:
    from engine.analysis.points_errors import PointsAlternative

MAX_PAIRS = 10**8
"""The most pairs of outputs that a preview compares, which takes a few seconds."""
PAIRS_IN_A_SECOND = 10**7
CLEARLY, MAX_TIMES = 1.5, 1000.0
"""An alternative is offered from the first factor; above the second, the factor is not shown."""


def preview_cost(setup: Selection) -> str:
    """Say that comparing all pairs of outputs takes too long for a preview; "" if not."""
    mechanism = setup.mechanism
    if not part_of(mechanism, "sampling") or not mechanism.aggregator.by_radii:
        return ""
    blocks = mechanism.sampling.blocks
    pairs = blocks * (blocks - 1) // 2
    if pairs <= MAX_PAIRS:
        return ""
    minutes = max(1, round(pairs / PAIRS_IN_A_SECOND / 60))
    return (
        f"{format_count(blocks)} blocks have {format_approx(pairs)} pairs of outputs, about {minutes} min of "
        f"work for each change; previews end at {format_approx(MAX_PAIRS)} pairs. Use fewer blocks"
    )


def offer(result: PointsAlternative | None) -> SwitchOffer | None:
    """Offer the mechanism, or the aggregator, that is clearly better on these data."""
    if result is None or result.better < CLEARLY:
        return None
    other = result.mechanism
    if isinstance(other, BlockMechanism):
        fields: dict[str, Any] = {"aggregator": other.aggregator.name}
    else:
        fields = {"query": other.name, "parameters": {key_of(type(other)): other.settings()}}
    times = f": about {number(result.better, 2)} × better here" if result.better < MAX_TIMES else ""
    return SwitchOffer(f"Try {within(result.label)}{times}", fields)


def advice(setup: Selection, results: Mapping[str, Any], estimate: ErrorEstimate) -> str:
    """Say where the mechanism fails, and how many blocks fell back."""
    said = []
    errors, unit = estimate.errors, setup.unit
    if errors.typical >= USEFUL_SHARE * estimate.width:
        said.append(
            f"Half of all releases are farther than {quantity(errors.typical, unit)} from the truth, and the "
            f"largest distance is {quantity(estimate.width, unit)}: the answer would be useless."
        )
        if setup.plan is not None and not setup.plan.enough:
            said.append(f"More data are needed: n ≈ {format_approx(setup.plan.needed)}, or a larger ε.")
    if results.get("fell_back"):
        said.append(
            f"{format_count(results['fell_back'])} of {format_count(len(results['outputs']))} blocks "
            "use the public default, because the function returned nothing for them."
        )
    return " ".join(said)
