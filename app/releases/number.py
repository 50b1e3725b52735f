"""Releasing the answer to a query: one number."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from app.model.wording.console import bounds, settings
from app.model.wording.console import number as words
from app.model.wording.neighbours import WORDS
from app.releases.base import Sanitization
from engine.data.database import AnyDatabase
from engine.mechanisms import Prepared, Release

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.loaded import LoadedRecords
    from engine.mechanisms import ScalarMechanism
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy
    from engine.queries import Query

REFUSED = "the mechanism refused to answer: the data are too close to some with a larger local sensitivity"


@dataclasses.dataclass(frozen=True)
class QueryRelease(Sanitization[AnyDatabase, Prepared, Release]):
    """A query, and the method by which it is released."""

    mechanism: ScalarMechanism

    @property
    def query(self) -> Query[Any]:
        """What is asked."""
        return self.mechanism.query

    @property
    def name(self) -> str:
        """Name of the query."""
        return self.query.name

    @property
    def reads(self) -> str:
        """What the query reads."""
        return self.query.reads

    def parameters(self, release: Release, data: LoadedRecords[AnyDatabase]) -> dict[str, Any]:
        """Return all public parameters, the method first."""
        return {"method": release.mechanism, **release.parameters}

    def diagnostics(self, prepared: Prepared, data: LoadedRecords[AnyDatabase]) -> dict[str, Any]:
        """Return what is private about query and data."""
        return {**prepared.diagnostics, "clamped": data.clamped, "dropped": data.dropped}

    def value(self, release: Release, data: LoadedRecords[AnyDatabase]) -> str:
        """Return the released number."""
        return "no value: refused" if release.value is None else words(release.value, 8, data.unit)

    def rows(self, data: LoadedRecords[AnyDatabase]) -> list[tuple[str, str]]:
        """Return bounds, query and method."""
        within = bounds(data.database.facts, data.unit)
        query = settings(self.query.settings().items())
        # beside the grid stands whether it is clamped
        own = self.mechanism.settings().items()
        chosen = settings((name, value) for name, value in own if name != "clamp")
        record = WORDS[self.query.neighbours].record
        return [
            *([("public bounds", f"{within} for each {record}")] if within else []),
            *([("query", query)] if query else []),
            ("method", self.mechanism.label + (f" ({chosen})" if chosen else "")),
        ]

    def error(self, release: Release, data: LoadedRecords[AnyDatabase]) -> str:
        """Return the half-width that holds 95 % of the errors."""
        return f"95 % within ± {words(release.error or 0.0, 4, data.unit)}"

    def remarks(self, release: Release, data: LoadedRecords[AnyDatabase]) -> Iterator[str]:
        """Yield that there is no value, or that it says little."""
        width = data.range_of(self.query).width
        if release.value is None:
            yield REFUSED
        elif release.error is not None and release.error > width:
            yield (
                f"the noise ({self.error(release, data)}) is wider than the range of "
                f"possible results ({words(width, 4, data.unit)}): the value says little; "
                "try --method smooth or a larger epsilon"
            )

    def figure(
        self,
        release: Release,
        prepared: Prepared,
        data: LoadedRecords[AnyDatabase],
        privacy: Privacy,
        *,
        show_private: bool,
    ) -> Figure:
        """Draw the distribution of releases, or the released value alone."""
        from app.releases.figures import release_figure

        return release_figure(self.mechanism, release, data, privacy, show_private=show_private)
