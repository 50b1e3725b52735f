"""Releasing what is no histogram but tells of all points: second moments, or a few points for all."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from app.model.wording.console import columns
from app.model.wording.console import number as words
from app.releases.geometry import title_of
from app.releases.points import DIGITS, PointsRelease
from engine.mechanisms import Prepared, Release

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.data.points import Points
    from engine.mechanisms import Covariance, SyntheticPoints
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release


@dataclasses.dataclass(frozen=True)
class MatrixRelease(PointsRelease[Prepared, Release]):
    """A matrix of second moments, and the point that they are about."""

    mechanism: Covariance
    explanations: ClassVar[Mapping[str, str]] = {
        "true_value": "true matrix and point",
        "scale": "scale of noise (sums, sides -1 to 1)",
    }

    @property
    def about(self) -> str:
        """What the matrix is."""
        return "covariance" if self.mechanism.about == "mean" else "second moments"

    def value(self, release: Release, data: LoadedRecords[Points]) -> str:
        """Say how large the matrix is."""
        d = len(data.columns)
        return f"{self.about}, {d} by {d}, about the {self.mechanism.about} below"

    def table(self, release: Release, data: LoadedRecords[Points]) -> str:
        """Return the matrix, and the point that it is about."""
        rows = [*zip(data.columns, release.value["matrix"], strict=True)]
        rows.append((self.mechanism.about, release.value["center"]))
        numbers = [[name, *(words(entry, DIGITS) for entry in row)] for name, row in rows]
        return columns(["", *self.header(data)], numbers)

    def panel(
        self, release: Release, prepared: Prepared, data: LoadedRecords[Points], *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of the matrix, for the curator with the true one beside it."""
        from app.plots.histogram.chart_view import MatrixView
        from app.plots.histogram.matrix import MatrixMap
        from app.releases.figures import FigurePanel

        d, true = len(data.columns), prepared.diagnostics["true_value"]
        view = MatrixView(
            data.columns,
            np.array(release.value["matrix"]),
            truth=true[: d * d].reshape(d, d) if show_private else None,
            simulated=release.simulated,
            words=self.about,
        )
        if show_private:
            return FigurePanel(title_of(self.mechanism), MatrixMap, view)
        kind = "simulated, not a release" if release.simulated else "released"
        return FigurePanel(f"{title_of(self.mechanism)}: {kind}", MatrixMap, view, private=False)


@dataclasses.dataclass(frozen=True)
class SmallDatabaseRelease(PointsRelease[Prepared, Release]):
    """A few points on a public grid."""

    mechanism: SyntheticPoints

    def rows(self, data: LoadedRecords[Points]) -> list[tuple[str, str]]:
        """Return bounds, mechanism, and how far the promise goes."""
        return [*super().rows(data), ("privacy holds", self._holds(data))]

    def remarks(self, release: Release, data: LoadedRecords[Points]) -> Iterator[str]:
        """Yield that the promise is not known to hold, where that is so."""
        yield from super().remarks(release, data)
        if self.mechanism.sampler != "exact":
            yield f"privacy holds {self._holds(data)}"

    def _holds(self, data: LoadedRecords[Points]) -> str:
        public = self.mechanism.public(data.database.domain, data.database.n, self.privacy)
        return str(public["privacy_holds"])

    def panel(
        self, release: Release, prepared: Prepared, data: LoadedRecords[Points], *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of the points, for the curator among the data."""
        from app.releases.points_figure import released_panel

        return released_panel(self.mechanism, release, data, show_private=show_private)
