"""What the command line releases: a mechanism, the data, and what follows from public facts about both."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import TYPE_CHECKING, Any

from app.model.release_record import ReleaseRecord
from app.model.wording.grids import answer_unit
from app.releases.geometry import Coordinate, coordinates_of, title_of
from app.releases.labels import kind_words
from engine.components import asked_of
from engine.data.points import Points

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.mechanisms.planning import Plan
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class Run:
    """A mechanism on data, with a budget.

    Attributes
    ----------
    plan : Plan or None
        What the planner has chosen, where the user has not.
    """

    mechanism: Any
    privacy: Privacy
    data: LoadedRecords[Any]
    plan: Plan | None = None

    @property
    def name(self) -> str:
        """What is released, by its name in the catalog."""
        return str(getattr(self.mechanism, "query", self.mechanism).name)

    @property
    def coordinates(self) -> list[Coordinate]:
        """What the numbers of a released point, or of a vector, are."""
        return coordinates_of(self.mechanism, self.data)

    @property
    def unit(self) -> str:
        """The unit of all coordinates of points, "" where they differ; else that of the answer."""
        if not isinstance(self.data.database, Points):
            return answer_unit(asked_of(self.mechanism), self.data.unit)
        units = {at.unit for at in self.coordinates}
        return units.pop() if len(units) == 1 else ""

    def title(self, release: Release) -> str:
        """Name the mechanism above a picture of what was released alone."""
        return f"{title_of(self.mechanism)}: {kind_words(release)}"

    def record(self, release: Release) -> ReleaseRecord:
        """Return a release as the history would keep it."""
        return ReleaseRecord(
            release=release,
            dataset="",
            title=self.data.name,
            subject=self.data.name,
            place="",
            unit=self.unit,
            when=datetime.now().astimezone(),
            looked=False,
            edited=False,
            coordinates=self.data.columns,
        )
