"""Matrices and vectors by name: second moments, and the point that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.numbers import format_count
from app.releases.labels import title_words
from app.releases.run import RunRecord, truth_of
from app.releases.shape import Shape, Table, console_table
from engine.analysis.category_answers import ReleasedMatrix
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel


class MatrixShape(Shape):
    """A matrix of second moments, and the point that they are about."""

    name = "matrix"
    heading = "Matrices"
    short = "Relations"
    explanations: ClassVar[Mapping[str, str]] = {
        "true_value": "true matrix and point",
        "scale": "scale of noise (sums, sides -1 to 1)",
    }

    def summary(self, record: ReleaseRecord) -> str:
        return ", ".join(f"{name} of {_size(part)}" for name, part in record.release.value.items())

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        names, rows = record.coordinates, list[list[Any]]()
        for name, part in record.release.value.items():
            if isinstance(part[0], list):
                own = range(1, len(part) + 1) if name == "axes" else names
                rows += [[f"{name} {one}", *line] for one, line in zip(own, part, strict=True)]
            else:
                rows.append([name, *part])
        return ["", *names], rows[:limit]

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.matrix import MatrixMap

        release, truth = record.release, truth_of(record)
        if truth is not None:
            assert isinstance(record, RunRecord)
            truth = record.run.mechanism.output.released(truth, record.run.data.database.domain)
        about = release.parameters.get("about", "mean")
        view = ReleasedMatrix.of(record.coordinates, release.value, truth, about, simulated=release.simulated)
        return FigurePanel(title_words(record), MatrixMap, view, private=truth is not None)

    def headline(self, record: RunRecord) -> str:
        d, about = len(record.coordinates), record.run.mechanism.about
        return f"{ReleasedMatrix.named(about)}, {d} by {d}, about the {about} below"

    def listing(self, record: RunRecord) -> str:
        value = record.release.value
        rows = [[name, *line] for name, line in zip(record.coordinates, value["matrix"], strict=True)]
        rows.append([record.run.mechanism.about, *value["center"]])
        rows += [[f"axis {index}", *axis] for index, axis in enumerate(value.get("axes", ()), 1)]
        return console_table(["", *(at.title for at in record.run.coordinates)], rows)


def _size(part: list[Any]) -> str:
    """Write the size of a vector or matrix."""
    if isinstance(part[0], list):
        return f"{len(part)} × {len(part[0])}"
    return f"{format_count(len(part))} number{'s' * (len(part) != 1)}"
