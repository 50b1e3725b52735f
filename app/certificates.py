"""What the pairs in print for a noise family really give, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.plots.numbers import number

if TYPE_CHECKING:
    from engine.noise import Noise
    from engine.privacy import Privacy


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
