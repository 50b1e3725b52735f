"""Points: one, a set of them, or a vector that is no point of the data."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from app.model.wording.console import columns, counted
from app.model.wording.console import number as console_number
from app.model.wording.guarantees import promise_words
from app.model.wording.number_format import listed
from app.model.wording.numbers import number
from app.releases.answer import ReleasedAnswer, error_words
from app.releases.geometry import is_among_data, recorded_coordinates, title_of
from app.releases.labels import mechanism_label, noise_words, query_words, title_words
from app.releases.number import bare_words, line_drawing, single_words
from app.releases.public_rows import Rows
from app.releases.shape import Shape, Table
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.histograms.exact_counts import WHY_NOT_DP
from engine.mechanisms.points import lives_with_data
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.model.report_document import ReportFigure
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.analysis.clouds import Cloud
    from engine.data.database import AnyDatabase
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

DIGITS = 5
"""Of a coordinate in a table."""

MAX_POINTS, MAX_NUMBERS, MAX_COORDINATES = 1, 3, 3
"""How many points, numbers of a vector, and coordinates of a point are written out on a line."""

LISTED = 10
"""How many of all moved points a table on the console has."""

FAILED = "the run found nothing that is clearly there, and its budget is spent; a larger epsilon helps"


class PointsShape(Shape):
    """A number, a vector, or a set of points without an order."""

    name = "points"
    noun = drawn = "center"

    def words(self, record: ReleaseRecord) -> str:
        value = record.release.value
        if not isinstance(value, list):
            return single_words(record)
        several = isinstance(value[0], list)
        most = MAX_POINTS if several else MAX_NUMBERS
        more = ", …" if len(value) > most else ""
        noun = f"{self.noun}s" if several else "numbers"
        return f"{len(value)} {noun}: {', '.join(map(point_words, value[:most]))}{more}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return a row for each point; of a vector that is none, a row for each number."""
        value = record.release.value
        if isinstance(value, list) and isinstance(value[0], list):
            return list(record.coordinates), [list(point) for point in value[:most]]
        if isinstance(value, list) and len(value) == len(record.coordinates) and is_among_data(record):
            return list(record.coordinates), [value]
        numbers = value[:most] if isinstance(value, list) else [value]
        return [query_words(record.release)], [[one] for one in numbers]

    def exact(self, record: ReleaseRecord) -> str:
        value = record.release.value
        return "" if isinstance(value, list) else repr(value)

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        value = record.release.value
        if not isinstance(value, list):
            return ReleasedAnswer(bare_words(record), record.unit, (error_words(record, "number"),))
        of_each = "coordinate" if record.coordinates else "number"
        said = super().answer(record)
        return dataclasses.replace(said, lines=(*said.lines, error_words(record, of_each)))

    def method(self, release: Release) -> str:
        aggregator = str(release.parameters.get("aggregator"))
        if aggregator not in AGGREGATORS:
            return mechanism_label(release)
        blocks = release.parameters["blocks"]
        return f"{AGGREGATORS[aggregator].label} of {blocks} blocks, {noise_words(release)}"

    def drawing(self, record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
        if isinstance(record.release.value, list):
            return super().drawing(record, progress)
        coordinates = recorded_coordinates(record)
        return line_drawing(record, coordinates[0].side) if len(coordinates) == 1 else None

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        from app.releases.points_figure import cloud, cloud_panel

        coordinates, value = recorded_coordinates(record), record.release.value
        if not coordinates:
            return None
        noun = self.drawn if isinstance(value[0], list) else "value"
        return cloud_panel(title_words(record), cloud(coordinates, value, noun, record.release.simulated))

    def headline(self, run: Run, release: Release) -> str:
        """Say how many points or numbers there are; a single number is said itself."""
        value = release.value
        if value is None:
            return "no value"
        if not isinstance(value, list):
            name = (
                ""
                if lives_with_data(run.mechanism, run.data.database.domain)
                else f" ({run.coordinates[0].name})"
            )
            return console_number(value, 8, run.unit) + name
        if isinstance(value[0], list):
            return f"{counted(len(value), 'point')}, in no order"
        return counted(len(value), "number")

    def listing(self, run: Run, release: Release) -> str:
        if not isinstance(release.value, list):
            return ""
        rows = release.value if isinstance(release.value[0], list) else [release.value]
        header = [at.title for at in run.coordinates]
        return columns(header, [[console_number(one, DIGITS) for one in row] for row in rows])

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        """Yield that there is no value, or that the data hardly suffice, as far as public facts tell."""
        if release.value is None:
            yield FAILED
        if run.plan is not None and not run.plan.enough and not run.plan.stands_in:
            yield f"{run.plan.text()}; this rests on the assumed block error, see sensiscope plan"
        width = float(run.mechanism.vectors.space(run.data.database.domain).box.width.max())
        if release.error is not None and release.error > width:
            yield (
                f"the noise ({self.error(run, release)}) is wider than the bounds "
                f"({console_number(width, 4)}): "
                "the value says little; try another aggregator or a larger epsilon"
            )

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        from app.releases.points_figure import among_records, cloud, cloud_panel

        noun = self.drawn if run.mechanism.vectors.unordered else "value"
        view = cloud(run.coordinates, release.value, noun, release.simulated)
        if not show_private:
            return cloud_panel(run.title(release), view)
        return cloud_panel(
            title_of(run.mechanism), self.truth(run, prepared, among_records(run, view)), private=True
        )

    def truth(self, run: Run, prepared: Prepared, view: Cloud) -> Cloud:
        """Add the true points, the outputs of blocks, and where the noise lies (private)."""
        from app.releases.points_figure import beside_truth

        return beside_truth(run, prepared, view)


class InteriorPointShape(PointsShape):
    """A number between the smallest and the largest record."""

    name = "interior-point"

    def rows(self, run: Run) -> Rows:
        box, n = run.data.database.domain, run.data.database.n
        return [("promise", promise_words(run.mechanism, box, n, run.privacy))]


class SyntheticPointsShape(PointsShape):
    """A few points for all, on a public grid."""

    name = "synthetic-points"
    heading = "Synthetic data"
    short = "Synthetic data"
    noun, drawn = "point", "synthetic point"
    method = Shape.method

    def rows(self, run: Run) -> Rows:
        return [("privacy holds", _holds(run))]

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        yield from super().remarks(run, release)
        if run.mechanism.sampler != "exact":
            yield f"privacy holds {_holds(run)}"

    def truth(self, run: Run, prepared: Prepared, view: Cloud) -> Cloud:
        """Return the same: there are no true points of this kind."""
        return view


class PerturbedPointsShape(PointsShape):
    """All points, each moved at random."""

    name = "perturbed-points"
    heading = "Moved points"
    short = "Moved points"
    noun, drawn = "point", "moved point"
    method = Shape.method

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        yield f"{run.name} is {WHY_NOT_DP}"

    def listing(self, run: Run, release: Release) -> str:
        rows = [[console_number(one, DIGITS) for one in row] for row in release.value[:LISTED]]
        text = columns([at.title for at in run.coordinates], rows)
        more = len(release.value) - len(rows)
        return text + (f"\n  … and {counted(more, 'point')} more, which --json writes down" if more else "")

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        """Nothing: without noise it would be the data."""
        return None

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        return {"clamped": run.data.clamped, "dropped": run.data.dropped}

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        from app.releases.points_figure import among_records, cloud, cloud_panel

        view = cloud(run.coordinates, release.value, self.drawn, release.simulated)
        if show_private:
            return cloud_panel(title_of(run.mechanism), among_records(run, view), private=True)
        return cloud_panel(run.title(release), view)


def _holds(run: Run) -> str:
    database = run.data.database
    return str(run.mechanism.public_facts(database.domain, database.n, run.privacy)["privacy_holds"])


def point_words(value: Any) -> str:
    """Write a point, or a number; of many coordinates how many there are."""
    if not isinstance(value, list):
        return number(value)
    if len(value) > MAX_COORDINATES:
        return f"{len(value)} coordinates"
    return f"({listed(map(number, value))})"
