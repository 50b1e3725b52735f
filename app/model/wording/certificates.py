"""What the noise of a release was found to give, and what the pairs in print give, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.model.wording.numbers import number

if TYPE_CHECKING:
    from engine.analysis.noise import NoiseCertificates
    from engine.noise.base import Admissible
    from engine.noise.certificate import Certificate
    from engine.privacy import Privacy


def certificate_line(certificates: NoiseCertificates) -> str:
    """Say in one line what the pair really gives."""
    asked, result = certificates.asked, certificates.certificate
    if result.private:
        verdict = f"Verified: ε ≤ {number(asked.epsilon)}"
        verdict += f", δ ≤ {number(asked.delta)}" if asked.delta else ""
        verdict += f" for the value, {number(certificates.bar)} for its error bar" if certificates.bar else ""
    elif asked.delta:
        verdict = f"Not as asked: δ = {number(result.joint_delta)} at ε = {number(asked.epsilon)}"
    else:
        verdict = f"Not as asked: ε = {number(result.joint_epsilon)}"
    if certificates.constants == "published":
        verdict += "; Definition 2.4 " + ("holds" if result.admissible else "is violated")
    return verdict


def certificate_paragraphs(certificates: NoiseCertificates) -> list[str]:
    """Say all that was found."""
    asked, result, pair, noise = (
        certificates.asked,
        certificates.certificate,
        certificates.pair,
        certificates.noise,
    )
    said = [
        f"The noise is S*/α times a draw from {noise.label} noise, and S* is smooth at rate β: from "
        "one database to its neighbour it changes by at most a factor e^β. How large α and β may be was "
        "not taken on trust, but checked numerically for all pairs of neighbours.",
        f"Used here: α = {number(pair.alpha)}, β = {number(pair.beta)} ({pair.source}). "
        f"It is {'DP as asked' if result.private else 'Not DP as asked'}: "
        f"ε = {number(result.joint_epsilon)} at δ = {number(asked.delta)}; "
        f"δ = {number(result.joint_delta)} at ε = {number(asked.epsilon)}.",
        "Definition 2.4 of Nissim, Raskhodnikova and Smith, which gives the shift (sliding) and the "
        "stretch (dilation) of the noise half of ε and δ each, "
        f"{'holds' if result.admissible else 'does not hold'} "
        f"(sliding δ = {number(result.sliding_delta)}, dilation δ = {number(result.dilation_delta)}). "
        "A pair that shares the budget better can be DP without it.",
    ]
    if certificates.published is None:
        return [*said, "The pairs in print are still being checked."]
    if not certificates.published:
        return [*said, f"In print: no pair is published for {noise.label}."]
    return [
        *said,
        "In print:\n" + "\n".join(f"• {text}." for text in published_lines(asked, certificates.published)),
    ]


def published_lines(asked: Privacy, pairs: Iterable[tuple[Admissible, Certificate]]) -> list[str]:
    """Return a line for each published pair: is the mechanism private, does the definition hold?"""
    lines = []
    for pair, result in pairs:
        gives = f"δ = {number(result.joint_delta)}" if asked.delta else f"ε = {number(result.joint_epsilon)}"
        lines.append(
            f"{pair.source}: α = {number(pair.alpha)}, β = {number(pair.beta)} is "
            f"{'DP' if result.private else 'Not DP'} ({gives}); "
            f"Definition 2.4 {'holds' if result.admissible else 'is violated'}"
        )
    return lines
