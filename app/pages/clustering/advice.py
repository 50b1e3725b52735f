"""Plain sentences about a mechanism on points, on the data at hand (private)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.model.selection import Selection
from app.model.wording.formatting import format_approx, format_count
from app.model.wording.numbers import quantity
from engine.analysis.expected_error import ErrorEstimate
from engine.mechanisms.planner import ENOUGH


def advice(setup: Selection, found: Mapping[str, Any], estimate: ErrorEstimate) -> str:
    """Say plainly where the mechanism is bad at the task, and what fell back."""
    said = []
    errors, unit = estimate.errors, setup.unit
    if errors.typical >= ENOUGH * estimate.width:
        said.append(
            f"Half of all releases are farther than {quantity(errors.typical, unit)} from the truth, where "
            f"{quantity(estimate.width, unit)} is the largest distance: this says next to nothing."
        )
        if setup.plan is not None and not setup.plan.enough:
            said.append(f"More data are needed: n ≈ {format_approx(setup.plan.needed)}, or a larger ε.")
    if found.get("fell_back"):
        said.append(
            f"{format_count(found['fell_back'])} of {format_count(len(found['outputs']))} blocks fell back "
            "to the public default, since the function gave nothing for them."
        )
    return " ".join(said)
