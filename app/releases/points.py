"""Points: one, a set of them, or a vector that is no point of the data."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.guarantees import promise_words
from app.model.wording.not_dp import WHY_NOT_DP
from app.model.wording.numbers import listed, number
from app.releases.geometry import DRAWN, directions_of, is_among_data, recorded_coordinates
from app.releases.labels import mechanism_label, noise_words, query_words, title_words
from app.releases.number import bare_words, line_drawing, number_words
from app.releases.run import Rows, RunRecord
from app.releases.shape import ReleasedAnswer, Shape, Table, console_table, error_words
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.points import lives_with_data
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.model.report_document import ReportFigure
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Coordinate, Run
    from engine.analysis.clouds import Cloud
    from engine.data.database import AnyDatabase
    from engine.mechanisms import PointsMechanism
    from engine.mechanisms.aggregators import VectorPrepared
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

DIGITS = 5
"""Of a coordinate in a table."""

MAX_POINTS, MAX_NUMBERS, MAX_COORDINATES = 1, 3, 3
"""Most points, numbers of a vector, and coordinates of a point on a line."""

RUNS = 1000
"""Draws of the noise for the regions in a picture."""

FAILED = "the run found no clear result, and its budget is spent; try a larger epsilon"


class PointsShape(Shape):
    """A number, a vector, or a set of points without an order."""

    name = "points"
    draws_nothing = True
    noun = drawn = "center"
    max_listed: ClassVar[int | None] = None

    def summary(self, record: ReleaseRecord) -> str:
        value = record.release.value
        if not isinstance(value, list):
            return number_words(record)
        several = isinstance(value[0], list)
        limit = MAX_POINTS if several else MAX_NUMBERS
        more = ", …" if len(value) > limit else ""
        noun = f"{self.noun}s" if several else "numbers"
        return f"{len(value)} {noun}: {', '.join(map(point_words, value[:limit]))}{more}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        """Return a row for each point; for another vector, a row for each number."""
        value = record.release.value
        if isinstance(value, list) and isinstance(value[0], list):
            return list(record.coordinates), [list(point) for point in value[:limit]]
        if isinstance(value, list) and len(value) == len(record.coordinates) and is_among_data(record):
            return list(record.coordinates), [value]
        numbers = value[:limit] if isinstance(value, list) else [value]
        return [query_words(record.release)], [[one] for one in numbers]

    def exact(self, record: ReleaseRecord) -> str:
        value = record.release.value
        return "" if isinstance(value, list) else repr(value)

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        if not isinstance(record.release.value, list):
            return ReleasedAnswer(bare_words(record), record.unit, (error_words(record, "number"),))
        each = "coordinate" if record.coordinates else "number"
        return super().answer(record).with_note(error_words(record, each))

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
        """Return the released value among all possible results; for the curator with the truth."""
        coordinates, value = recorded_coordinates(record), record.release.value
        if not coordinates:
            return None
        several = isinstance(value, list) and isinstance(value[0], list)
        view = cloud(coordinates, value, self.drawn if several else "value", record.release.simulated)
        prepared = record.prepared if isinstance(record, RunRecord) else None
        if prepared is None:
            return cloud_panel(title_words(record), view)
        assert isinstance(record, RunRecord)
        view = self.with_truth(record.run, prepared, _among_records(record.run, view))
        return cloud_panel(title_words(record), view, private=True)

    def with_truth(self, run: Run, prepared: Prepared, view: Cloud) -> Cloud:
        """Add the true points, the outputs of blocks, and the regions of the noise (private)."""
        from engine.mechanisms import BlockMechanism

        mechanism, known, d = run.mechanism, prepared.diagnostics, len(run.coordinates)
        drawn: dict[str, Any] = {"truth": _points(known["true_value"], d)}
        if isinstance(mechanism, BlockMechanism):
            outputs = known["outputs"]
            drawn["outputs"] = outputs.reshape(len(outputs), -1, d)[..., :DRAWN]
            drawn["center"] = _points(known["center"], d)
            drawn["center_name"] = mechanism.aggregator.label.lower()
        if "radius" in known:
            drawn |= {"radius": known["radius"], "majority": known["majority"]}
        return dataclasses.replace(view, regions=_regions(mechanism, prepared, d), **drawn)

    def headline(self, record: RunRecord) -> str:
        """Return the number of points or numbers; a single number in full."""
        run, value = record.run, record.release.value
        if value is None:
            return "no value"
        if not isinstance(value, list):
            among = lives_with_data(run.mechanism, run.data.database.domain)
            return console_number(value, 8, run.unit) + ("" if among else f" ({run.coordinates[0].name})")
        if isinstance(value[0], list):
            return f"{counted(len(value), 'point')}, in no order"
        return counted(len(value), "number")

    def listing(self, record: RunRecord) -> str:
        value = record.release.value
        if not isinstance(value, list):
            return ""
        rows = value if isinstance(value[0], list) else [value]
        header = [at.title for at in record.run.coordinates]
        return console_table(header, rows, self.max_listed, "point", DIGITS)

    def remarks(self, record: RunRecord) -> Iterator[str]:
        """Yield remarks on a missing value, or too few data, from public facts alone."""
        run, release = record.run, record.release
        if release.value is None:
            yield FAILED
        if run.plan is not None and not run.plan.enough and not run.plan.stands_in:
            yield f"{run.plan.text()}; this rests on the assumed block error, see sensiscope plan"
        width = float(run.mechanism.vectors.space(run.data.database.domain).box.width.max())
        if release.error is not None and release.error > width:
            yield (
                f"the noise ({self.error(record)}) is wider than the bounds ({console_number(width, 4)}): "
                "the answer is useless; try another aggregator or a larger epsilon"
            )


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
    short = "Distribution"
    noun, drawn = "point", "synthetic point"
    method = Shape.method

    def rows(self, run: Run) -> Rows:
        return [("guarantee", _holds(run))]

    def remarks(self, record: RunRecord) -> Iterator[str]:
        yield from super().remarks(record)
        if record.run.mechanism.sampler != "exact":
            yield f"the guarantee holds {_holds(record.run)}"

    def with_truth(self, run: Run, prepared: Prepared, view: Cloud) -> Cloud:
        return view  # there are no true points of this kind


class PerturbedPointsShape(PointsShape):
    """All points, each moved at random."""

    name = "perturbed-points"
    heading = "Moved points"
    short = "Moved points"
    noun, drawn = "point", "moved point"
    max_listed = 10
    method = Shape.method

    def remarks(self, record: RunRecord) -> Iterator[str]:
        yield f"{record.run.name} is {WHY_NOT_DP}"

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        return None  # without noise it would be the data

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        return {"clamped": run.data.clamped, "dropped": run.data.dropped}

    def with_truth(self, run: Run, prepared: Prepared, view: Cloud) -> Cloud:
        return view


def _holds(run: Run) -> str:
    database = run.data.database
    return str(run.mechanism.public_facts(database.domain, database.n, run.privacy)["privacy_holds"])


def point_words(value: Any) -> str:
    """Write a number, or a point; with many coordinates, their number."""
    if not isinstance(value, list):
        return number(value)
    if len(value) > MAX_COORDINATES:
        return f"{len(value)} coordinates"
    return f"({listed(map(number, value))})"


def cloud(coordinates: list[Coordinate], value: Any, noun: str, simulated: bool) -> Cloud:
    """Return the released values among all possible results (public)."""
    from engine.analysis.clouds import Cloud

    released = None if value is None else _points(value, len(coordinates))
    return Cloud(directions_of(coordinates), noun=noun, released=released, simulated=simulated)


def cloud_panel(title: str, view: Cloud, *, private: bool = False) -> FigurePanel:
    from app.plots.clustering.point_cloud import PointCloud
    from app.plots.figure_panel import FigurePanel

    return FigurePanel(title, PointCloud, view, private=private)


def _points(value: Any, d: int) -> np.ndarray:
    """Return points along the two drawn directions."""
    return np.asarray(value, dtype=np.float64).reshape(-1, d)[:, :DRAWN]


def _among_records(run: Run, view: Cloud) -> Cloud:
    """Add the data, if they lie in the same space (private)."""
    from engine.analysis.shared.records import Records

    if not lives_with_data(run.mechanism, run.data.database.domain):
        return view
    records = Records.of(run.data.database.values[:, :DRAWN], view.window)
    return dataclasses.replace(view, records=records)


def _regions(mechanism: PointsMechanism, prepared: Prepared, d: int) -> np.ndarray | None:
    """Return the regions of the noise, if they are the same around every point of a set."""
    from engine.analysis.cluster_scenes import regions
    from engine.mechanisms.aggregators import VectorAdditive, VectorPrepared

    if not isinstance(prepared, VectorPrepared):
        return None
    if mechanism.vectors.unordered:
        scales = np.reshape(prepared.scale, (-1, d)) if isinstance(prepared, VectorAdditive) else None
        if scales is None or not np.array_equal(scales, np.broadcast_to(scales[0], scales.shape)):
            return None
    return regions(_noise(prepared).reshape(RUNS, -1, d)[..., :DRAWN])


def _noise(prepared: VectorPrepared) -> np.ndarray:
    """Return simulated noise, shape (RUNS, D), before releases are clamped to their box."""
    from engine.mechanisms.aggregators import VectorAdditive
    from engine.randomness import reproducible

    rng = reproducible(0)
    if isinstance(prepared, VectorAdditive):
        return prepared.simulated_noise(rng, RUNS)
    return prepared.draw(rng, RUNS) - prepared.center
