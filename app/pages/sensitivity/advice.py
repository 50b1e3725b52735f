"""Advice about a mechanism on the current data; private unless stated otherwise."""

from __future__ import annotations

import math
from typing import Any

from app.model.selection import Selection
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number, quantity, share, within
from app.model.wording.releases import SwitchOffer, give_or_take
from engine.analysis.expected_error import ErrorEstimate, WithAlternative
from engine.analysis.noise import NoiseCurves
from engine.mechanisms import MECHANISMS
from engine.noise import noises_of_numbers

MAX_TIMES = 1000.0
"""Larger factors are not shown."""
CLEARLY = 1.25
"""An alternative is mentioned if its error is smaller by this factor."""


def advise_on_number(estimate: ErrorEstimate, unit: str) -> str:
    """Say where the mechanism fails, and how much its bound exceeds S*."""
    results = []
    errors, alternative = estimate.errors, estimate.alternative_errors
    if estimate.reach >= estimate.width:
        narrower = WORDS[estimate.neighbours].narrower
        results.append(
            f"The noise is larger than the whole range ({quantity(estimate.width, unit)}): "
            "the answer would be useless. "
            f"Raise ε{f', or {narrower}' if narrower else ''}."
        )
    if alternative is not None and _is_beaten(estimate):
        results.append(
            f"The method “{MECHANISMS[estimate.alternative].label}” is better here: typical error "
            f"{give_or_take(alternative.typical, unit)} instead of {give_or_take(errors.typical, unit)}."
        )
    if estimate.answers < 0.5:
        results.append(
            f"The test would refuse to answer in {share(1 - estimate.answers)} of all runs, at the same cost."
        )
    if estimate.excess is not None:
        results.append(f"The smooth bound is {number(estimate.excess)} × S*.")
    return " ".join(results)


def name_absent_noises(setup: Any, result: NoiseCurves) -> str:
    """Say which families are not drawn and why, and whether the method uses none (public)."""
    unused = "" if hasattr(setup.mechanism, "noise") else "The chosen method uses none of these. "
    drawn = {noise.name for noise in (*(curve.noise for curve in result.curves), *result.left_out)}
    names = [family.label for family in noises_of_numbers() if family.name not in drawn]
    if not names:
        return unused.strip()
    why = "Not possible here" if setup.privacy.delta else "Possible with δ > 0"
    return f"{unused}{why}: {'; '.join(names)}."


def offer_method(setup: Selection, estimate: ErrorEstimate | None) -> SwitchOffer | None:
    """Offer a clearly better alternative on these data, or a smaller epsilon at which there is one."""
    if estimate is None:
        return None
    if _is_beaten(estimate):
        times = _times(estimate)
        label = within(MECHANISMS[estimate.alternative].label)
        return SwitchOffer(
            f"Try {label}{f': {times} here' if times else ''}", {"method": estimate.alternative}
        )
    rivals = estimate.stricter
    if rivals is None or not _is_beaten(rivals):
        return None
    winner = within(MECHANISMS[rivals.alternative].label)
    text = f"At ε = {number(rivals.epsilon)}, {winner} is {_times(rivals) or 'better'}: show"
    return SwitchOffer(text, {"epsilon": rivals.epsilon})


def _times(rivals: ErrorEstimate | WithAlternative) -> str:
    """Return the factor by which the alternative is better as text; "" if very large."""
    assert rivals.alternative_errors is not None
    better = rivals.errors.typical / max(rivals.alternative_errors.typical, math.ulp(0.0))
    return f"{number(better, 2)} × better" if better < MAX_TIMES else ""


def _is_beaten(estimate: ErrorEstimate | WithAlternative) -> bool:
    alternative = estimate.alternative_errors
    return alternative is not None and alternative.typical * CLEARLY < estimate.errors.typical


advice = advise_on_number
"""The former name, which plug-ins use."""
