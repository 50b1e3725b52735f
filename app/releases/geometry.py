"""What the numbers of released points are: coordinates with their public ranges, and balls."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.mechanisms import BlockMechanism, SampleAggregate

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.data.points import Points
    from engine.domain import Interval
    from engine.mechanisms import PointsMechanism
    from engine.mechanisms.release import Release


@dataclasses.dataclass(frozen=True)
class Coordinate:
    """One number of a point: what it is, and its public range."""

    name: str
    unit: str
    side: Interval


def coordinates_of(mechanism: PointsMechanism, data: LoadedRecords[Points]) -> list[Coordinate]:
    """Return what the numbers of a released point, or of the vector, are."""
    box = data.database.domain
    if not isinstance(mechanism, BlockMechanism) or is_among_data(mechanism):
        return list(map(Coordinate, data.columns, data.units, box.sides))
    sides = mechanism.space(box).box.sides
    names = [f"number {place + 1}" for place in range(len(sides))]
    if mechanism.function.name == "regression":
        names = [*(f"slope of {name}" for name in data.columns[:-1]), "intercept"][: len(sides)]
    return [Coordinate(name, "", side) for name, side in zip(names, sides, strict=True)]


def is_among_data(mechanism: PointsMechanism) -> bool:
    """Tell whether what is released lives where the data do."""
    if mechanism.unordered or not isinstance(mechanism, BlockMechanism):
        return True
    return mechanism.function.name in ("mean", "median")


def title_of(mechanism: PointsMechanism) -> str:
    """Return mechanism or function, and aggregator, for a figure."""
    if not isinstance(mechanism, BlockMechanism):
        return mechanism.label
    first = mechanism.block_function if isinstance(mechanism, SampleAggregate) else mechanism
    return f"{first.label}, {mechanism.aggregator.label.lower()}"


def balls_of(release: Release) -> list[Mapping[str, Any] | None]:
    """Return the balls of a release, one after the other; None where none was found."""
    return release.value if isinstance(release.value, list) else [release.value]
