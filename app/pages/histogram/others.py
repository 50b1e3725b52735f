"""What mechanisms release that are no histograms of points, as pictures show it; made in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.pages.base.results import PictureResult
from app.pages.histogram.request import HistogramRequest
from app.releases.categories import CategoriesShape
from app.releases.counts import NO_TABLE, TableShape
from app.releases.matrix import matrix_view
from app.releases.registry import SHAPES
from engine.analysis.clouds import Cloud
from engine.analysis.preparing import SimulatedAnswer, simulated_answer
from engine.analysis.shared.projections import Projection, along_columns, distinct_axes
from engine.analysis.shared.records import Records
from engine.analysis.shared.shown_histograms import some_records_along
from engine.data.points import Points
from engine.progress import Progress

if TYPE_CHECKING:
    from app.plots.histogram.category_bars import CategoryBarsView
    from app.plots.histogram.contingency import ContingencyView


def publish_matrix(request: HistogramRequest, points: Points | None, task: JobTask) -> None:
    """Publish a matrix."""
    answer, value = _answer(request, points, task)
    truth = None if answer is None else answer.true_answer
    about = str(request.setup.mechanism.settings().get("about", "mean"))
    view = matrix_view(request.setup.source.columns, value, truth, about, request.released is None)
    task.publish(PictureResult("matrix", view, request, points is None))


def publish_points(request: HistogramRequest, points: Points | None, task: JobTask) -> None:
    """Publish synthetic points."""
    _, value = _answer(request, points, task)
    source = request.source
    seen = along_columns(source, distinct_axes(request.axes, source.domain.dimension))
    records = some_records_along(points, seen) if points is not None and request.records else None
    view = points_view(seen, value, records, request.released is None)
    task.publish(PictureResult("points", view, request, points is None))


def publish_categories(request: HistogramRequest, databases: DatabaseCache | None, task: JobTask) -> None:
    """Publish counts or shares of categories, and the true ones; without databases, what was released."""
    data = None if databases is None else databases.get(request.setup.source)
    answer, value = _answer(request, data, task)
    truth, simulated = None, request.released is None
    mechanism, domain = request.setup.mechanism, request.setup.source.domain
    shape = SHAPES[mechanism.shape]
    assert isinstance(shape, CategoriesShape)
    if answer is not None and request.records:
        truth = shape.truth(mechanism, answer.true_value, domain)
    view: ContingencyView | CategoryBarsView | None
    if request.tab == "table":
        second, first = distinct_axes(request.axes, len(domain.columns))  # rows go up
        assert isinstance(shape, TableShape)
        view = shape.crossed(domain, (first, second), value, truth, simulated)
    else:
        view = shape.bars(domain, value, truth, simulated)
    public = not simulated and truth is None
    if view is None:
        task.publish(PictureResult("problem", NO_TABLE, request, public))
    else:
        task.publish(PictureResult(request.tab, view, request, public))


def points_view(seen: Projection, value: Any, records: Records | None, simulated: bool) -> Cloud:
    """Show points that were released, or could be, among the records, if these are given."""
    return Cloud(
        seen.directions,
        noun="synthetic point",
        records=records,
        released=np.atleast_2d(seen.points(value)),
        simulated=simulated,
    )


def _answer(request: HistogramRequest, data: Any, progress: Progress) -> tuple[SimulatedAnswer | None, Any]:
    """Return a simulated answer where the data are known, and what is shown: that, or what was released."""
    setup, answer = request.setup, None
    if data is not None:
        answer = simulated_answer(setup.mechanism, data, setup.privacy, seed=request.seed, progress=progress)
    if request.released is not None:
        return answer, request.released.value
    assert answer is not None
    return answer, answer.value
