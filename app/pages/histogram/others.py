"""What mechanisms release that are no histograms of points, as pictures show it; made in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.jobs.channels import JobTask
from app.pages.base.projections import Axes, Projection, among_data
from app.pages.base.results import PictureResult
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.source import HistogramSource
from app.pages.histogram.views import coordinates
from app.plots.clustering.cloud_view import CloudView, Records
from app.releases.categories import CategoriesShape
from app.releases.counts import NO_TABLE, TableShape
from app.releases.matrix import matrix_view
from app.releases.registry import SHAPES
from engine.data.points import Points
from engine.mechanisms.prepared import Prepared
from engine.progress import Progress
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.plots.histogram.category_bars import CategoryBarsView
    from app.plots.histogram.contingency import ContingencyView

Floats = NDArray[np.float64]


class OtherPictures:
    """Publishes matrices, synthetic points, tables and bars; without data, what was released."""

    def __init__(self, source: HistogramSource) -> None:
        self._from = source

    def matrix(self, request: HistogramRequest, points: Points | None, task: JobTask) -> None:
        """Publish a matrix."""
        mechanism, domain = request.setup.mechanism, request.setup.source.domain
        value, truth = self._value(request, points, task), None
        if points is not None:
            truth = mechanism.released(self._other(request, points, task).diagnostics["true_value"], domain)
        about = str(mechanism.settings().get("about", "mean"))
        simulated = request.released is None
        view = matrix_view(request.setup.source.columns, value, truth, about, simulated)
        task.publish(PictureResult("matrix", view, request, points is None))

    def synthetic(self, request: HistogramRequest, points: Points | None, task: JobTask) -> None:
        """Publish synthetic points."""
        value = self._value(request, points, task)
        source = request.setup.source
        seen = among_data(source, Axes(*coordinates(request.axes, source.domain.dimension)))
        records = self._from.records(request, points, seen)
        view = points_view(seen, value, records, request.released is None)
        task.publish(PictureResult("points", view, request, points is None))

    def categories(self, request: HistogramRequest, task: JobTask) -> None:
        """Publish counts or shares of categories, and the true ones."""
        setup = request.setup
        mechanism, records = setup.mechanism, self._from.databases.get(setup.source)
        ready = self._other(request, records, task)
        true = ready.diagnostics["true_value"]
        truth = _shape(request).truth(mechanism, true, setup.source.domain)
        value = self._value(request, records, task)
        self.show_categories(request, value, truth if request.records else None, task)

    def show_categories(self, request: HistogramRequest, value: Any, truth: Any, task: JobTask) -> None:
        """Publish a table or bars of what was released, or could be."""
        setup, simulated = request.setup, request.released is None
        domain = setup.source.domain
        view: ContingencyView | CategoryBarsView | None
        if request.tab == "table":
            second, first = coordinates(request.axes, len(domain.columns))  # rows go up
            shape = _shape(request)
            assert isinstance(shape, TableShape)
            view = shape.crossed(domain, (first, second), value, truth, simulated)
        else:
            view = _shape(request).bars(domain, value, truth, simulated)
        public = not simulated and truth is None
        if view is None:
            task.publish(PictureResult("problem", NO_TABLE, request, public))
        else:
            task.publish(PictureResult(request.tab, view, request, public))

    def _value(self, request: HistogramRequest, points: Any, progress: Progress) -> Any:
        """Return what is released, or could be, and the prepared mechanism where the data are known."""
        if request.released is not None:
            return request.released.value
        assert points is not None
        setup, mechanism = request.setup, request.setup.mechanism
        ready = self._other(request, points, progress)
        key = ("value", points, mechanism, setup.privacy, request.seed)
        return self._from.kept.get(
            key, lambda: mechanism.draw_value(ready, points.domain, reproducible(request.seed))
        )

    def _other(self, request: HistogramRequest, points: Any, progress: Progress) -> Prepared:
        """Look at the data, for what is no histogram."""
        setup = request.setup
        key = ("other", points, setup.mechanism, setup.privacy)
        found: Prepared = self._from.kept.get(
            key, lambda: setup.mechanism.prepare(points, setup.privacy, progress)
        )
        return found


def _shape(request: HistogramRequest) -> CategoriesShape:
    shape = SHAPES[request.setup.mechanism.shape]
    assert isinstance(shape, CategoriesShape)
    return shape


def points_view(seen: Projection, value: Any, records: Records | None, simulated: bool) -> CloudView:
    """Show points that were released, or could be, among the records, if these are given."""
    return CloudView(
        seen.directions,
        noun="synthetic point",
        records=records,
        released=np.atleast_2d(seen.points(value)),
        simulated=simulated,
    )
