"""What the page about clusters asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `ClusteringAnalysis.public`
publishes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.selection import Selection
from app.pages.base.results import PictureResult
from engine.analysis.block_sweeps import sweep_blocks
from engine.analysis.cluster_clouds import place_data, place_outputs, place_release, place_released
from engine.analysis.error_comparisons import compare_errors
from engine.analysis.expected_error import ErrorEstimate, ExpectedError
from engine.analysis.preparing import prepare
from engine.analysis.radius_profiles import profile_radii
from engine.analysis.shared.projections import Axes
from engine.analysis.typical_errors import typical_error
from engine.data.points import Points
from engine.mechanisms import BlockMechanism
from engine.mechanisms.aggregators import CenterOfAttention
from engine.progress import part


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
    """Answers questions in one worker at a time."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases

    def answer(self, request: ClusteringRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        setup = request.setup
        points = self._databases.get(setup.source)
        assert isinstance(points, Points)
        task.publish(PictureResult("clamped", points.outside, request))
        if request.stage == "data":  # the records can be seen before anything is worked out
            self._picture(request, points, task)
        ready = prepare(setup.mechanism, points, setup.privacy, part(task, 0.0, 0.4))
        task.publish(PictureResult("pipeline", ready.diagnostics, request))
        if request.stage != "data":
            self._picture(request, points, task)
        task.publish(PictureResult("judgement", self._judge(request, points, task), request))

    def public(self, request: ClusteringRequest, task: JobTask) -> None:
        """Publish the newest release; no data are looked at."""
        if request.released is not None:
            setup = request.setup
            cloud = place_released(setup.mechanism, setup.source, request.released, axes=request.axes)
            task.publish(PictureResult("release", cloud, request, public=True))

    def _picture(self, request: ClusteringRequest, points: Points, task: JobTask) -> None:
        """Publish what the open stage shows."""
        mechanism, privacy, axes = request.setup.mechanism, request.setup.privacy, request.axes

        def publish(result: object) -> None:
            task.publish(PictureResult(request.stage, result, request))

        stages: dict[str, Callable[..., object]] = {
            "data": partial(place_data, axes=axes, publish=publish),
            "blocks": partial(sweep_blocks, published=request.published, publish=publish),
            "outputs": partial(place_outputs, axes=axes, zoom=request.zoom),
            "aggregate": profile_radii,
            "noise": partial(compare_errors, seed=request.seed, publish=publish),
            "release": partial(place_release, axes=axes, seed=request.seed, released=request.released),
        }
        if request.stage != "aggregate" or has_radii(mechanism):
            publish(stages[request.stage](mechanism, points, privacy, progress=task))

    def _judge(self, request: ClusteringRequest, points: Points, task: JobTask) -> ErrorEstimate:
        setup, mechanism = request.setup, request.setup.mechanism
        errors = typical_error(mechanism, points, setup.privacy, seed=request.seed, progress=task)
        diameter = mechanism.space(points.domain).diameter
        return ErrorEstimate(
            errors=ExpectedError(errors.typical, errors.most, private=True),
            smooth=prepare(mechanism, points, setup.privacy, task).diagnostics.get("smooth"),
            global_=diameter,
            width=diameter,
            neighbours=mechanism.neighbours,
        )


def has_radii(mechanism: object) -> bool:
    """Tell whether there are balls around outputs that decide on the aggregate."""
    return isinstance(mechanism, BlockMechanism) and isinstance(mechanism.aggregator, CenterOfAttention)
