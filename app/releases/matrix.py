"""Matrices and vectors by name: second moments, and the point that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns
from app.model.wording.console import number as console_number
from app.model.wording.formatting import format_count
from app.releases.geometry import title_of
from app.releases.labels import title_words
from app.releases.points import DIGITS, PointsShape
from app.releases.shape import Shape, Table
from engine.analysis.category_answers import ReleasedMatrix
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release


class MatrixShape(PointsShape):
    """A matrix of second moments, and the point that they are about."""

    name = "matrix"
    heading = "Matrices"
    short = "Covariance"
    explanations: ClassVar[Mapping[str, str]] = {
        "true_value": "true matrix and point",
        "scale": "scale of noise (sums, sides -1 to 1)",
    }
    exact, lines, method, drawing = Shape.exact, Shape.lines, Shape.method, Shape.drawing
    answer = Shape.answer

    def words(self, record: ReleaseRecord) -> str:
        return ", ".join(f"{name} of {_size(part)}" for name, part in record.release.value.items())

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        names, rows = record.coordinates, list[list[Any]]()
        for name, part in record.release.value.items():
            if isinstance(part[0], list):
                own = range(1, len(part) + 1) if name == "axes" else names
                rows += [[f"{name} {one}", *line] for one, line in zip(own, part, strict=True)]
            else:
                rows.append([name, *part])
        return ["", *names], rows[:most]

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        release = record.release
        about = release.parameters.get("about", "mean")
        view = ReleasedMatrix.of(record.coordinates, release.value, None, about, simulated=release.simulated)
        return matrix_panel(title_words(record), view)

    def headline(self, run: Run, release: Release) -> str:
        d, about = len(run.data.columns), run.mechanism.about
        return f"{ReleasedMatrix.named(about)}, {d} by {d}, about the {about} below"

    def listing(self, run: Run, release: Release) -> str:
        rows = [*zip(run.data.columns, release.value["matrix"], strict=True)]
        rows.append((run.mechanism.about, release.value["center"]))
        rows += [(f"axis {index}", axis) for index, axis in enumerate(release.value.get("axes", ()), 1)]
        numbers = [[name, *(console_number(entry, DIGITS) for entry in row)] for name, row in rows]
        return columns(["", *(at.title for at in run.coordinates)], numbers)

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        mechanism, true = run.mechanism, None
        if show_private:
            true = mechanism.output.released(prepared.diagnostics["true_value"], run.data.database.domain)
        view = ReleasedMatrix.of(
            run.data.columns, release.value, true, mechanism.about, simulated=release.simulated
        )
        title = title_of(mechanism) if show_private else run.title(release)
        return matrix_panel(title, view, private=show_private)


def matrix_panel(title: str, view: ReleasedMatrix, *, private: bool = False) -> FigurePanel:
    """Return the picture of a matrix."""
    from app.plots.figure_panel import FigurePanel
    from app.plots.histogram.matrix import MatrixMap

    return FigurePanel(title, MatrixMap, view, private=private)


def _size(part: list[Any]) -> str:
    """Write the size of a vector or matrix."""
    if isinstance(part[0], list):
        return f"{len(part)} × {len(part[0])}"
    return f"{format_count(len(part))} number{'s' * (len(part) != 1)}"
