"""Plain sentences about a mechanism on the data at hand; private, but for what says it is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.pages.median_work import Errors, Judgement
from app.plots.numbers import number, quantity, share
from engine.noise import NOISES
from engine.privacy import Privacy

if TYPE_CHECKING:
    from app.plots.noise_densities import NoiseCurve

CLEARLY = 1.25
"""A rival is worth a sentence when its error is smaller by this factor."""


def expected_error(errors: Errors, unit: str) -> str:
    """Say how far a release typically falls from the true value."""
    return f"Typical error ± {quantity(errors.typical, unit)}\n(95 % within ± {quantity(errors.most, unit)})"


def warnings(judgement: Judgement, unit: str) -> list[str]:
    """Say plainly where the mechanism is bad at the task."""
    found = []
    errors, rival = judgement.errors, judgement.rival_errors
    if errors.most >= judgement.width:
        found.append(
            f"The noise is wider than the whole domain ({quantity(judgement.width, unit)}): this release "
            "says next to nothing. Raise ε, or narrow the bounds if that can be known without the data."
        )
    if rival is not None and rival.typical * CLEARLY < errors.typical:
        found.append(
            f"The method “{judgement.rival}” would do better here: typical error "
            f"± {quantity(rival.typical, unit)} instead of ± {quantity(errors.typical, unit)}."
        )
    if judgement.answers < 0.5:
        found.append(
            f"The test would refuse to answer in {share(1 - judgement.answers)} of all runs; "
            "a refusal costs as much."
        )
    return found


def absent(curves: Sequence[NoiseCurve], asked: Privacy) -> str:
    """Say which families are not drawn because of what was asked for (public)."""
    drawn = {curve.noise.name for curve in curves}
    names = [family.label for name, family in NOISES.items() if name not in drawn]
    if not names:
        return ""
    why = "cannot give this" if asked.delta else f"need{'s' * (len(names) == 1)} δ > 0"
    return f"{len(names)} more {'family' if len(names) == 1 else 'families'} {why}: {', '.join(names)}."


def summary(judgement: Judgement, unit: str) -> str:
    """Say whether smooth sensitivity pays."""
    smooth, largest = judgement.smooth, judgement.global_
    if smooth is None or largest is None:
        return ""
    if smooth == 0:
        return "Smooth sensitivity is 0: no change of few records moves the result."
    if smooth >= largest:
        return "Smooth sensitivity is as large as the global one: it does not pay on these data."
    return (
        f"Smooth sensitivity {quantity(smooth, unit)} is {number(largest / smooth)} times smaller than the "
        f"global {quantity(largest, unit)}."
    )
