"""What the noise of a release was found to give, and what the pairs in print give, in words."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.model.wording.numbers import number

if TYPE_CHECKING:
    from engine.noise import Noise
    from engine.noise.base import Admissible
    from engine.noise.certificate import Certificate
    from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class Certificates:
    """The pair of a noise, what it gives, and a line for each pair in print (all public)."""

    noise: Noise
    asked: Privacy
    constants: str
    pair: Admissible
    found: Certificate
    published: tuple[str, ...] | None = None
    """None until they are known."""

    def line(self) -> str:
        """Say in one line what the pair really gives."""
        if self.asked.delta:
            gives = f"ε = {number(self.asked.epsilon)}, δ = {number(self.found.joint_delta)}"
        else:
            gives = f"ε = {number(self.found.joint_epsilon)}"
        verdict = f"certified: {gives}" if self.found.private else f"NOT private as asked: gives {gives}"
        if self.constants == "published":
            verdict += "; Definition 2.4 " + ("holds" if self.found.admissible else "is violated")
        return verdict

    def paragraphs(self) -> list[str]:
        """Say all that was found."""
        asked, found, pair = self.asked, self.found, self.pair
        said = [
            f"The noise is S*/α times a draw from {self.noise.label} noise, and S* is smooth at rate β: from "
            "one database to its neighbour it changes by at most a factor e^β. How large α and β may be was "
            "not taken on trust, but checked numerically for all pairs of neighbours.",
            f"Used here: α = {number(pair.alpha)}, β = {number(pair.beta)} ({pair.source}). "
            f"It is {'private as asked' if found.private else 'NOT private as asked'}: "
            f"ε = {number(found.joint_epsilon)} at δ = {number(asked.delta)}; "
            f"δ = {number(found.joint_delta)} at ε = {number(asked.epsilon)}.",
            "Definition 2.4 of Nissim, Raskhodnikova and Smith, which gives the shift (sliding) and the "
            "stretch (dilation) of the noise half of ε and δ each, "
            f"{'holds' if found.admissible else 'does not hold'} "
            f"(sliding δ = {number(found.sliding_delta)}, dilation δ = {number(found.dilation_delta)}). "
            "A pair that shares the budget better can be private without it.",
        ]
        if self.published is None:
            return [*said, "The pairs in print are still being checked."]
        if not self.published:
            return [*said, f"In print: nobody has published a pair for {self.noise.label}."]
        return [*said, "In print:\n" + "\n".join(f"• {words}." for words in self.published)]


def published_words(noise: Noise, asked: Privacy, dimension: int = 1) -> list[str]:
    """Return a line for each published pair: is the mechanism private, does the definition hold?"""
    from engine.noise.certificate import certify_published

    lines = []
    for pair, found in certify_published(noise, asked, dimension):
        gives = f"δ = {number(found.joint_delta)}" if asked.delta else f"ε = {number(found.joint_epsilon)}"
        lines.append(
            f"{pair.source}: α = {number(pair.alpha)}, β = {number(pair.beta)} is "
            f"{'private' if found.private else 'NOT private'} ({gives}); "
            f"Definition 2.4 {'holds' if found.admissible else 'is violated'}"
        )
    return lines
