"""Options that pictures of points share: which directions are drawn, and which simulated release."""

from __future__ import annotations

import dataclasses

from app.model.picture_spec import OptionGroup
from engine.parameters import parameter

MOST_PLACES = 10_000_000


@dataclasses.dataclass(frozen=True)
class Directions(OptionGroup):
    """The two directions of a picture: coordinates by number, then principal components."""

    across: int = parameter(
        default=0, lower=0, upper=MOST_PLACES, label="A&cross", help="The direction across."
    )
    up: int = parameter(default=1, lower=0, upper=MOST_PLACES, label="up", help="The direction up.")
