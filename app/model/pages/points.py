"""Options that pictures of points share: which directions are drawn."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from app.model.picture_spec import Offered, OptionGroup
from engine.analysis.shared.outputs import coordinates
from engine.analysis.shared.projections import PRINCIPAL
from engine.parameters import parameter

MOST_PLACES = 10_000_000
PRINCIPAL_HELP = (
    "Principal components are the directions in which the data spread most. They follow from the data, and "
    "so are not private."
)


@dataclasses.dataclass(frozen=True)
class Directions(OptionGroup):
    """The two directions of a picture: coordinates by number, then principal components."""

    listed: ClassVar[tuple[str, ...]] = ("across", "up")

    across: int = parameter(
        default=0, lower=0, upper=MOST_PLACES, label="A&cross", help=f"The direction across. {PRINCIPAL_HELP}"
    )
    up: int = parameter(
        default=1, lower=0, upper=MOST_PLACES, label="up", help=f"The direction up. {PRINCIPAL_HELP}"
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        """Return the coordinates of what is released; where it lies among the data, their components, too."""
        mechanism, source = selection.mechanism, selection.source
        names = tuple(direction.name for direction in coordinates(mechanism, source))
        return directions(names, principal=mechanism.lives_with_data(source.domain) and not public)


def directions(names: tuple[str, ...], *, principal: bool) -> Offered:
    """Return the directions across and up, if there are more than two."""
    if len(names) <= 2:
        return {"across": {0: names[0]}, "up": {len(names) - 1: names[-1]}}
    more = [f"PC {place + 1} (from the data)" for place in range(PRINCIPAL)] if principal else []
    offered = dict(enumerate([*names, *more]))
    return {"across": offered, "up": offered}
