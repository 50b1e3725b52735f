"""Where released points lie: coordinates with their public ranges."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from engine.aggregation.functions import FUNCTIONS
from engine.analysis.shared.projections import Direction
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms.points import lives_with_data

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.model.release_record import ReleaseRecord
    from engine.data.points import Points
    from engine.mechanisms import PointsMechanism
    from engine.mechanisms.release import Release

DRAWN = 2
"""A picture has two directions: the first two coordinates."""


@dataclasses.dataclass(frozen=True)
class Coordinate:
    """One number of a point: what it is, and its public range."""

    name: str
    unit: str
    side: Interval

    @property
    def title(self) -> str:
        """The name with its unit."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


def coordinates_of(mechanism: PointsMechanism, data: LoadedRecords[Points]) -> list[Coordinate]:
    """Return what the numbers of a released point, or of the vector, are."""
    box = data.database.domain
    if lives_with_data(mechanism, box):
        return list(map(Coordinate, data.columns, data.units, box.sides))
    names = mechanism.vectors.coordinates(data.columns, box)
    return [
        Coordinate(name, "", side)
        for name, side in zip(names, mechanism.vectors.space(box).box.sides, strict=True)
    ]


def recorded_coordinates(record: ReleaseRecord) -> list[Coordinate]:
    """Return the same from the record of a release alone; none where it does not tell them."""
    box = recorded_box(record.release)
    if box is None or box.dimension != len(record.coordinates) or not is_among_data(record):
        return []
    return [
        Coordinate(name, record.unit, side) for name, side in zip(record.coordinates, box.sides, strict=True)
    ]


def is_among_data(record: ReleaseRecord) -> bool:
    """Tell whether what was released lives where the data do."""
    name = record.release.parameters.get("function")
    return name is None or (name in FUNCTIONS and FUNCTIONS[name].among_data)


def recorded_box(release: Release) -> Box | None:
    """Return the public bounds of points; None where there are none."""
    known = release.parameters
    try:
        return Box.of(known["lower"], known["upper"])
    except (KeyError, ParameterError):
        return None


def directions_of(coordinates: list[Coordinate]) -> tuple[Direction, ...]:
    """Return the first coordinates as the directions of a picture."""
    return tuple(Direction(at.name, at.unit, at.side) for at in coordinates[:DRAWN])


def title_of(mechanism: PointsMechanism) -> str:
    """Return mechanism or function, and aggregator, for a figure."""
    from engine.mechanisms import BlockMechanism, SampleAggregate

    if not isinstance(mechanism, BlockMechanism):
        return mechanism.label
    first = mechanism.block_function if isinstance(mechanism, SampleAggregate) else mechanism
    return f"{first.label}, {mechanism.aggregator.label.lower()}"
