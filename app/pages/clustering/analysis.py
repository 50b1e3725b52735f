"""What the page about clusters asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `ClusteringAnalysis.public`
publishes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.selection import Selection
from app.pages.base.cache import Cache
from app.pages.base.projections import Axes, Projection, among_data
from app.pages.base.results import PictureResult
from app.pages.clustering import views as clustering_views
from app.pages.clustering.computations import PointsComputations
from app.pages.clustering.sweep import compared, sweep
from app.pages.clustering.views import Clouds
from app.pages.sensitivity.error_estimates import ErrorEstimate, ErrorQuantiles
from app.plots.clustering.cloud_view import Records
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, Lloyd, PointsMechanism
from engine.mechanisms.aggregators import CenterOfAttention, VectorPrepared
from engine.progress import Progress, part
from engine.randomness import reproducible

JUDGED = 400
"""Simulated releases from which the typical error is taken."""

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class ClusteringRequest:
    """What a job is to answer: a setup, the open stage, and the choices on it.

    `released` is the newest release of what is asked, if it is to be shown in the place of
    a simulated one; `published` asks for the bound in print, too; `zoom` is the center that is
    looked at closely.
    """

    setup: Selection
    stage: str
    axes: Axes
    seed: int
    published: bool = False
    released: Any = None
    zoom: int | None = None


class ClusteringAnalysis:
    """Answers questions in one worker at a time; nothing is worked out twice."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases
        self._kept = Cache()
        self._computations = PointsComputations(self._kept)

    def answer(self, request: ClusteringRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        points = self._databases.get(request.setup.source)
        assert isinstance(points, Points)
        seen = self._kept.get(
            ("projection", points, request.setup.mechanism.unordered, _space(request), request.axes),
            lambda: clustering_views.projection(
                request.setup.mechanism, request.setup.source, points, request.axes
            ),
        )
        task.publish(
            PictureResult("clamped", self._kept.get(("outside", points), lambda: points.outside), request)
        )
        stage = {
            "data": self._data,
            "blocks": self._blocks,
            "outputs": self._outputs,
            "aggregate": self._radii,
            "noise": self._errors,
            "release": self._release,
        }[request.stage]
        if request.stage == "data":  # the records can be seen before anything is worked out
            stage(request, points, seen, task)
        ready = self._computations.ready(
            request.setup.mechanism, points, request.setup.privacy, part(task, 0.0, 0.4)
        )
        task.publish(PictureResult("pipeline", ready.diagnostics, request))
        if request.stage != "data":
            stage(request, points, seen, task)
        task.publish(PictureResult("judgement", self._judge(request, points, task), request))

    def public(self, request: ClusteringRequest, task: JobTask) -> None:
        """Publish the newest release; no data are looked at."""
        if request.released is not None:
            cloud = clustering_views.public_cloud(request.setup, request.released, request.axes)
            task.publish(PictureResult("release", cloud, request, public=True))

    # The stages.

    def _data(self, request: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        setup = request.setup
        together = clustering_views.lives_with_data(setup.mechanism, points.domain)
        where = seen if together else among_data(setup.source, request.axes)
        clouds = Clouds(setup, points, where)
        key = ("records", points, request.axes, together)
        records = self._kept.get(key, lambda: Records.of(where.points(points.values), where.window))
        task.publish(PictureResult("data", clouds.data(records, None), request))
        if together:
            truth = self._computations.truth(setup.mechanism, points, setup.privacy, part(task, 0.0, 0.3))
            task.publish(PictureResult("data", clouds.data(records, truth), request))

    def _blocks(self, request: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        for found in sweep(self._computations, request.setup, points, request.published, task):
            task.publish(PictureResult("blocks", found, request))

    def _outputs(self, request: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        mechanism = request.setup.mechanism
        assert isinstance(mechanism, BlockMechanism)
        ready = self._computations.ready(mechanism, points, request.setup.privacy, task)
        assert isinstance(ready, VectorPrepared)
        truth = self._computations.truth(mechanism, points, request.setup.privacy, part(task, 0.4, 0.9))
        clouds = Clouds(request.setup, points, seen)
        # what does not depend on the budget stays the same picture
        key = (
            "cloud",
            self._computations.outputs(mechanism, points, task),
            mechanism.aggregator.name,
            seen,
            request.zoom,
        )
        view = self._kept.get(key, lambda: clouds.outputs(ready, truth, request.zoom))
        task.publish(PictureResult("outputs", view, request))

    def _radii(self, request: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        from app.plots.clustering.radius_curves import RadiusView

        setup, mechanism = request.setup, request.setup.mechanism
        assert isinstance(mechanism, BlockMechanism)
        if isinstance(mechanism.aggregator, CenterOfAttention):
            ready = self._computations.ready(mechanism, points, setup.privacy, task)
            radii = self._computations.radii(mechanism, points, part(task, 0.4, 0.9))
            task.publish(PictureResult("aggregate", RadiusView.of(radii, ready.noise["beta"]), request))

    def _errors(self, request: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        for found in compared(self._computations, request.setup, points, request.seed, task):
            task.publish(PictureResult("noise", found, request))

    def _release(self, request: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        setup, mechanism = request.setup, request.setup.mechanism
        ready = self._computations.ready(mechanism, points, setup.privacy, task)
        clouds = Clouds(setup, points, seen)
        truth = self._computations.truth(mechanism, points, setup.privacy, part(task, 0.4, 0.7))
        if request.released is not None:
            view = clouds.release(ready, truth, np.asarray(request.released), None, simulated=False)
            task.publish(PictureResult("release", view, request))
            return
        released = self._one(mechanism, points, request, part(task, 0.7, 0.8))
        baseline = None
        if mechanism.unordered and not isinstance(mechanism, Lloyd):
            beside = Lloyd(k=truth.size // points.domain.dimension)
            comparable = beside.question == mechanism.question
            if comparable and not beside.problems(setup.privacy, points.domain, points.n):
                baseline = self._one(beside, points, request, part(task, 0.8, 1.0))
        task.publish(
            PictureResult(
                "release", clouds.release(ready, truth, released, baseline, simulated=True), request
            )
        )

    def _one(
        self, mechanism: PointsMechanism, points: Points, request: ClusteringRequest, progress: Progress
    ) -> Floats:
        """Return one simulated release."""
        privacy = request.setup.privacy
        found: Floats = self._kept.get(
            ("one", points, mechanism, privacy, request.seed),
            lambda: self._computations.ready(mechanism, points, privacy, progress).draw(
                reproducible(request.seed), 1
            )[0],
        )
        return found

    def _judge(self, request: ClusteringRequest, points: Points, progress: Progress) -> ErrorEstimate:
        setup, mechanism = request.setup, request.setup.mechanism
        truth = self._computations.truth(mechanism, points, setup.privacy, progress)
        ready = self._computations.ready(mechanism, points, setup.privacy, progress)

        def work() -> Floats:
            values = self._computations.drawn(
                mechanism, points, setup.privacy, JUDGED, request.seed, progress
            )
            errors: Floats = mechanism.errors(values, truth, points.domain)
            return errors

        errors = self._kept.get(("errors", points, mechanism, setup.privacy, request.seed), work)
        typical, most = np.quantile(errors, [0.5, 0.95])
        diameter = mechanism.space(points.domain).diameter
        return ErrorEstimate(
            errors=ErrorQuantiles(float(typical), float(most), private=True),
            smooth=ready.diagnostics.get("smooth"),
            global_=diameter,
            width=diameter,
            neighbours=mechanism.neighbours,
        )


def _space(request: ClusteringRequest) -> Hashable:
    space: Hashable = request.setup.mechanism.space(request.setup.source.domain)
    return space
