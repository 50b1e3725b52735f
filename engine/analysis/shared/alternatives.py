"""Other mechanisms for the task of a mechanism on points."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.analysis.shared.projections import Space
from engine.mechanisms import BlockMechanism, Mechanism, PointsMechanism
from engine.mechanisms.aggregators import AGGREGATORS
from engine.privacy import Privacy


def alternatives_of(mechanism: PointsMechanism, space: Space, privacy: Privacy) -> dict[str, PointsMechanism]:
    """Return a mechanism and others for its task, by their labels (public).

    Of one with blocks they are itself with other aggregators, and `baselines`; of one without, all
    others that answer the same question.
    """
    if not isinstance(mechanism, BlockMechanism):
        others = _for_the_same_task(mechanism, space, privacy)
        return {one.label: one for one in others if isinstance(one, PointsMechanism)}
    aggregator = mechanism.aggregator
    found: dict[str, PointsMechanism] = {aggregator.label: mechanism}
    for other in AGGREGATORS.values():
        if other is not type(aggregator) and not other.on_a_line:
            same = {name: getattr(aggregator, name) for name in ("noise",) if _share(other, aggregator, name)}
            found[other.label] = dataclasses.replace(mechanism, aggregator=other(**same))
    return found | {one.label: one for one in baselines(mechanism, space, privacy)}


def baselines(mechanism: PointsMechanism, space: Space, privacy: Privacy) -> tuple[PointsMechanism, ...]:
    """Return the mechanisms that answer the same question without blocks (public)."""
    same = _for_the_same_task(mechanism, space, privacy)[1:]
    plain = (one for one in same if not isinstance(one, BlockMechanism))
    return tuple(one for one in plain if isinstance(one, PointsMechanism))


def _for_the_same_task(
    mechanism: PointsMechanism, space: Space, privacy: Privacy
) -> tuple[Mechanism[Any], ...]:
    """Return the mechanism and all others that answer the same question."""
    # what compares mechanisms is imported when it is needed: a page that only names an analysis opens sooner
    from engine.comparison.contenders import alternatives

    return alternatives(mechanism, privacy, space.domain, space.n)


def _share(other: type, aggregator: object, name: str) -> bool:
    declared = {parameter.name for parameter in other.parameters()}  # type: ignore[attr-defined]
    return name in declared and hasattr(aggregator, name)
