"""Options of pictures of points: the drawn directions."""

from __future__ import annotations

from typing import Any, ClassVar

from app.model.picture_spec import Offered, OptionGroup, options
from engine.mechanisms.points import lives_with_data
from engine.parameters import parameter

MAX_PLACES = 10_000_000
PRINCIPAL_HELP = (
    "Principal components are the directions in which the data spread most. They follow from the data, and "
    "so are confidential."
)


def position(default: int | None = None, **facts: Any) -> Any:
    """Declare the position of something in a list that a picture offers; None while none is chosen."""
    return parameter(
        default=default, kind="int", optional=default is None, lower=0, upper=MAX_PLACES, **facts
    )


@options
class Directions(OptionGroup):
    """The two directions of a picture: coordinates by number, then principal components."""

    listed: ClassVar[tuple[str, ...]] = ("across", "up")

    across: int = position(
        0,
        label="x a&xis",
        spoken="Direction of the x axis",
        help=f"The direction from left to right. {PRINCIPAL_HELP}",
    )
    up: int = position(
        1,
        label="y axis",
        spoken="Direction of the y axis",
        help=f"The direction upwards. {PRINCIPAL_HELP}",
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        """Return the released coordinates; for results among the data, also principal components."""
        from engine.analysis.cluster_scenes import coordinates
        from engine.analysis.shared.projections import PRINCIPAL

        mechanism, source = selection.mechanism, selection.source
        names = tuple(direction.name for direction in coordinates(mechanism, source))
        principal = len(names) > 2 and lives_with_data(mechanism, source.domain) and not public
        more = [f"PC {index + 1} (from the data)" for index in range(PRINCIPAL * principal)]
        return {name: dict(enumerate([*names, *more])) for name in cls.listed}

    @classmethod
    def is_needed(cls, selection: Any, *, public: bool) -> bool:
        from engine.analysis.cluster_scenes import coordinates

        return len(coordinates(selection.mechanism, selection.source)) > 2
