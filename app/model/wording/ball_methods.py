"""What theory promises of the chosen way of finding a ball, and of all others: public facts, in words."""

from __future__ import annotations

import dataclasses
import math

from app.model.selection import Selection
from app.model.wording.guarantees import promise_words
from app.model.wording.numbers import format_count, number
from engine.domain import Box
from engine.mechanisms import BallMechanism, InteriorPoint, KBalls
from engine.mechanisms.one_cluster import FINDERS
from engine.privacy import Privacy


def sentence(setup: Selection) -> str:
    """Say what is promised of the mechanism of a setup; "" where a field says what is wrong."""
    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    if not isinstance(mechanism, BallMechanism | InteriorPoint):
        return ""
    if mechanism.problems(setup.privacy, box, n):
        return ""
    label = mechanism.search.finder(box).label if isinstance(mechanism, BallMechanism) else mechanism.label
    of_first = ", " if isinstance(mechanism, KBalls) else ": "
    return f"{label}{of_first}{promise_words(mechanism, box, n, setup.privacy)}."


def methods(setup: Selection) -> dict[str, str]:
    """Say in sentences what `promises` says of a setup."""
    mechanism, source = setup.mechanism, setup.source
    assert isinstance(mechanism, BallMechanism)
    said = promises(mechanism, source.domain, source.n, setup.privacy)
    return {name: f"{_begun(text)}." for name, text in said.items()}


def promises(mechanism: BallMechanism, box: Box, n: int, asked: Privacy) -> dict[str, str]:
    """Say of each way of finding a ball what it promises for these n, t, epsilon and delta, or needs."""
    said = {}
    for name in FINDERS:
        other = dataclasses.replace(mechanism, method=name)
        wrong = next(iter(other.problems(asked, box, n)), None)
        said[name] = (
            promise_words(other, box, n, asked)
            if wrong is None
            else f"refused ({wrong.field}): {wrong.message}"
        )
    return said


def short(setup: Selection) -> str:
    """Say what is promised in a few words; "" where a field says what is wrong."""
    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    if not isinstance(mechanism, BallMechanism):
        return sentence(setup)
    if mechanism.problems(setup.privacy, box, n):
        return ""
    promise = mechanism.search.promise(box, n, setup.privacy)
    if promise.promised <= 0:
        return f"Nothing is promised below t = {format_count(promise.needed)}."
    points = format_count(math.ceil(promise.promised))
    return f"Promised: {points} points, radius up to {number(promise.factor)} × the smallest."


def _begun(text: str) -> str:
    """Let words begin a sentence."""
    return f"{text[:1].upper()}{text[1:]}"
