"""What each way of finding a ball promises, before anyone looks at data: public facts alone."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

from app.model.wording.ball_methods import promises
from app.model.wording.console import budget, counted, facts
from app.model.wording.number_format import grouped
from app.releases.public_rows import described
from engine.components import release_parameters
from engine.mechanisms.one_cluster import FINDERS

if TYPE_CHECKING:
    from engine.domain import Box
    from engine.mechanisms import BallMechanism
    from engine.privacy import Privacy


def text(mechanism: BallMechanism, box: Box, n: int, privacy: Privacy) -> str:
    """Return the plan as lines."""
    chosen = mechanism.search.finder(box).name
    rows = [
        ("plan for", f"{described(mechanism)}, n = {grouped(n)}, {counted(box.dimension, 'column')}"),
        ("privacy", budget(privacy.epsilon, privacy.delta, mechanism.relation)),
    ]
    for name, promise in promises(mechanism, box, n, privacy).items():
        own = f"{name}{' (auto)' if name == chosen else ''}"
        rows.append((own, promise))
    return facts(rows)


def content(mechanism: BallMechanism, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
    """Return the plan for JSON; of a way that is refused, what is wrong."""
    parameters = {name: value for name, value in release_parameters(mechanism).items() if name != "method"}
    return {
        "mechanism": mechanism.name,
        "n": n,
        "privacy": {
            "epsilon": privacy.epsilon,
            "delta": privacy.delta,
            "neighbours": mechanism.relation,
        },
        "parameters": {**parameters, **box.facts},
        "auto": mechanism.search.finder(box).name,
        "methods": {name: _promised(mechanism, name, box, n, privacy) for name in FINDERS},
    }


def _promised(mechanism: BallMechanism, name: str, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
    other = dataclasses.replace(mechanism, method=name)
    problems = other.problems(privacy, box, n)
    if problems:
        return {"problem": f"{problems[0].field}: {problems[0].message}"}
    promise = other.search.promise(box, n, privacy)
    return {
        "promised_points": math.ceil(promise.promised),
        "factor": promise.factor,
        "needed": promise.needed,
    }
