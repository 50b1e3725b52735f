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
from app.model.selection import PointsSelection
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

    setup: PointsSelection
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

    def answer(self, question: ClusteringRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        points = self._databases.get(question.setup.source)
        assert isinstance(points, Points)
        seen = self._kept.get(
            ("projection", points, question.setup.mechanism.unordered, _space(question), question.axes),
            lambda: clustering_views.projection(
                question.setup.mechanism, question.setup.source, points, question.axes
            ),
        )
        task.publish(
            PictureResult("clamped", self._kept.get(("outside", points), lambda: points.outside), question)
        )
        stage = {
            "data": self._data,
            "blocks": self._blocks,
            "outputs": self._outputs,
            "aggregate": self._radii,
            "noise": self._errors,
            "release": self._release,
        }[question.stage]
        if question.stage == "data":  # the records can be seen before anything is worked out
            stage(question, points, seen, task)
        ready = self._computations.ready(
            question.setup.mechanism, points, question.setup.privacy, part(task, 0.0, 0.4)
        )
        task.publish(PictureResult("pipeline", ready.diagnostics, question))
        if question.stage != "data":
            stage(question, points, seen, task)
        task.publish(PictureResult("judgement", self._judge(question, points, task), question))

    def public(self, question: ClusteringRequest, task: JobTask) -> None:
        """Publish the newest release; no data are looked at."""
        if question.released is not None:
            cloud = clustering_views.public_cloud(question.setup, question.released, question.axes)
            task.publish(PictureResult("release", cloud, question, public=True))

    # The stages.

    def _data(self, question: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        setup = question.setup
        together = clustering_views.lives_with_data(setup.mechanism, points.domain)
        where = seen if together else among_data(setup.source, question.axes)
        clouds = Clouds(setup, points, where)
        key = ("records", points, question.axes, together)
        records = self._kept.get(key, lambda: Records.of(where.points(points.values), where.window))
        task.publish(PictureResult("data", clouds.data(records, None), question))
        if together:
            truth = self._computations.truth(setup.mechanism, points, setup.privacy, part(task, 0.0, 0.3))
            task.publish(PictureResult("data", clouds.data(records, truth), question))

    def _blocks(self, question: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        for found in sweep(self._computations, question.setup, points, question.published, task):
            task.publish(PictureResult("blocks", found, question))

    def _outputs(self, question: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        mechanism = question.setup.mechanism
        assert isinstance(mechanism, BlockMechanism)
        ready = self._computations.ready(mechanism, points, question.setup.privacy, task)
        assert isinstance(ready, VectorPrepared)
        truth = self._computations.truth(mechanism, points, question.setup.privacy, part(task, 0.4, 0.9))
        clouds = Clouds(question.setup, points, seen)
        # what does not depend on the budget stays the same picture
        key = (
            "cloud",
            self._computations.outputs(mechanism, points, task),
            mechanism.aggregator.name,
            seen,
            question.zoom,
        )
        view = self._kept.get(key, lambda: clouds.outputs(ready, truth, question.zoom))
        task.publish(PictureResult("outputs", view, question))

    def _radii(self, question: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        from app.plots.clustering.radius_curves import RadiusView

        setup, mechanism = question.setup, question.setup.mechanism
        assert isinstance(mechanism, BlockMechanism)
        if isinstance(mechanism.aggregator, CenterOfAttention):
            ready = self._computations.ready(mechanism, points, setup.privacy, task)
            radii = self._computations.radii(mechanism, points, part(task, 0.4, 0.9))
            task.publish(PictureResult("aggregate", RadiusView.of(radii, ready.noise["beta"]), question))

    def _errors(self, question: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        for found in compared(self._computations, question.setup, points, question.seed, task):
            task.publish(PictureResult("noise", found, question))

    def _release(self, question: ClusteringRequest, points: Points, seen: Projection, task: JobTask) -> None:
        setup, mechanism = question.setup, question.setup.mechanism
        ready = self._computations.ready(mechanism, points, setup.privacy, task)
        clouds = Clouds(setup, points, seen)
        truth = self._computations.truth(mechanism, points, setup.privacy, part(task, 0.4, 0.7))
        if question.released is not None:
            view = clouds.release(ready, truth, np.asarray(question.released), None, simulated=False)
            task.publish(PictureResult("release", view, question))
            return
        released = self._one(mechanism, points, question, part(task, 0.7, 0.8))
        baseline = None
        if mechanism.unordered and not isinstance(mechanism, Lloyd):
            beside = Lloyd(k=truth.size // points.domain.dimension)
            comparable = beside.question == mechanism.question
            if comparable and not beside.problems(setup.privacy, points.domain, points.n):
                baseline = self._one(beside, points, question, part(task, 0.8, 1.0))
        task.publish(
            PictureResult(
                "release", clouds.release(ready, truth, released, baseline, simulated=True), question
            )
        )

    def _one(
        self, mechanism: PointsMechanism, points: Points, question: ClusteringRequest, progress: Progress
    ) -> Floats:
        """Return one simulated release."""
        privacy = question.setup.privacy
        found: Floats = self._kept.get(
            ("one", points, mechanism, privacy, question.seed),
            lambda: self._computations.ready(mechanism, points, privacy, progress).draw(
                reproducible(question.seed), 1
            )[0],
        )
        return found

    def _judge(self, question: ClusteringRequest, points: Points, progress: Progress) -> ErrorEstimate:
        setup, mechanism = question.setup, question.setup.mechanism
        truth = self._computations.truth(mechanism, points, setup.privacy, progress)
        ready = self._computations.ready(mechanism, points, setup.privacy, progress)

        def work() -> Floats:
            values = self._computations.drawn(
                mechanism, points, setup.privacy, JUDGED, question.seed, progress
            )
            return mechanism.errors(values, truth, points.domain)

        errors = self._kept.get(("errors", points, mechanism, setup.privacy, question.seed), work)
        typical, most = np.quantile(errors, [0.5, 0.95])
        diameter = mechanism.space(points.domain).diameter
        return ErrorEstimate(
            errors=ErrorQuantiles(float(typical), float(most), private=True),
            smooth=ready.diagnostics.get("smooth"),
            global_=diameter,
            width=diameter,
            neighbours=mechanism.neighbours,
        )


def _space(question: ClusteringRequest) -> Hashable:
    return question.setup.mechanism.space(question.setup.source.domain)
