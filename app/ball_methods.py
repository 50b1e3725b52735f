"""What theory promises of the chosen way of finding a ball, and of all others: public facts, in words."""

from __future__ import annotations

import dataclasses

from app.promises import promise_words
from app.setups import PointsSetup
from engine.mechanisms import BallMechanism, InteriorPoint
from engine.mechanisms.one_cluster import FINDERS


def sentence(setup: PointsSetup) -> str:
    """Say what is promised of the mechanism of a setup; "" where a field says what is wrong."""
    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    if not isinstance(mechanism, BallMechanism | InteriorPoint):
        return ""
    if mechanism.problems(setup.privacy, box, n):
        return ""
    label = mechanism.finder(box).label if isinstance(mechanism, BallMechanism) else mechanism.label
    words = f"{label}: {promise_words(mechanism, box, n, setup.privacy)}."
    if isinstance(mechanism, BallMechanism):
        promise = mechanism.guarantee(box, n, setup.privacy)
        if promise.promised <= 0 and promise.needed > mechanism.t:
            words += f" No promise is made below t = {promise.needed:,}."
    return words


def methods(setup: PointsSetup) -> dict[str, str]:
    """Say of each way of finding a ball what it promises for these n, t, epsilon and delta, or needs."""
    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    assert isinstance(mechanism, BallMechanism)
    said = {}
    for name in FINDERS:
        other = dataclasses.replace(mechanism, method=name)
        problems = other.problems(setup.privacy, box, n)
        said[name] = (
            f"Refused: {problems[0].message}."
            if problems
            else sentence(dataclasses.replace(setup, mechanism=other)).partition(": ")[2]
        )
    return said
