"""What the page about balls asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `BallAnalysis.public` publishes.
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
from app.pages.one_cluster.quality import BallErrorEstimate
from engine.analysis.ball_quality import RUNS, BallWorth, judge_balls
from engine.analysis.expected_error import ErrorEstimate, ExpectedError
from engine.analysis.first_attempts import attempt_all_dimensions, attempt_axis_by_axis
from engine.analysis.placed_balls import place_ball, place_boxes, place_records, place_released_ball
from engine.analysis.placed_numbers import place_number, place_released_number
from engine.analysis.radius_choices import choose_radius
from engine.analysis.shared.ball_runs import found_in_run
from engine.analysis.shared.projections import Axes
from engine.analysis.typical_errors import typical_error
from engine.data.points import Points
from engine.mechanisms import BallMechanism, InteriorPoint
from engine.mechanisms.release import Release
from engine.progress import Progress, part

JUDGED = 200
"""Simulated interior points from which the typical error is taken."""

ATTEMPTS: dict[str, Callable[[], Any]] = {"axes": attempt_axis_by_axis, "sides": attempt_all_dimensions}
"""Demonstrations on public points of their own."""


@dataclasses.dataclass(frozen=True)
class BallRequest:
    """What a job is to answer: a setup, the open picture, and the choices on it.

    Attributes
    ----------
    released : Release or None
        The newest release of what is asked, if it is to be shown in the place of a simulated one.
    ball : int
        Which of several balls is looked at.
    tried : int or None
        Which of the partitions that were drawn; None for the last one.
    step : {"first", "last"}
        Which choice of a radius.
    near : bool or None
        Whether only what lies around the ball is in view; None: only if it is tiny, and nothing
        but the ball is looked at.
    """

    setup: Selection
    tab: str
    axes: Axes
    seed: int
    released: Release | None = None
    ball: int = 0
    tried: int | None = None
    step: str = "first"
    near: bool | None = False


@dataclasses.dataclass(frozen=True)
class Tries:
    """How many partitions a run has drawn, and how many choices of a radius it has made (private)."""

    boxes: int
    radii: int
    why: str = ""


class BallAnalysis:
    """Answers questions in one worker at a time."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases

    def answer(self, request: BallRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        points = self._data(request, task)
        if isinstance(request.setup.mechanism, InteriorPoint):
            self._number(request, points, task)
        elif request.tab == "runs":
            self._judge(request, points, task, task)
        else:
            self._picture(request, points, part(task, 0.0, 0.6), task)
            self._judge(request, points, part(task, 0.6, 1.0), task)

    def bare(self, request: BallRequest, task: JobTask) -> None:
        """Publish the records alone, for a setup that is refused."""
        cloud = place_records(self._data(request, task), axes=request.axes)
        task.publish(PictureResult("ball", cloud, request))

    def public(self, request: BallRequest, task: JobTask) -> None:
        """Publish the newest release, or a demonstration; no data are looked at."""
        mechanism, source, result = request.setup.mechanism, request.setup.source, None
        if request.tab in ATTEMPTS:
            result = ATTEMPTS[request.tab]()
        elif request.released is not None and isinstance(mechanism, BallMechanism):
            value, near = request.released.value, request.near
            result = place_released_ball(mechanism, source, value, axes=request.axes, near=near)
        elif request.released is not None:
            result = place_released_number(source, request.released.value)
        task.publish(PictureResult(request.tab, result, request, public=True))

    def _data(self, request: BallRequest, task: JobTask) -> Points:
        """Return the points; publish how many of them the bounds move."""
        points = self._databases.get(request.setup.source)
        assert isinstance(points, Points)
        task.publish(PictureResult("clamped", points.outside, request))
        return points

    def _picture(self, request: BallRequest, points: Points, progress: Progress, task: JobTask) -> None:
        """Publish what the open picture shows, and what can be chosen of the run that it looks at."""
        mechanism, privacy, seed = request.setup.mechanism, request.setup.privacy, request.seed
        assert isinstance(mechanism, BallMechanism)

        def publish(result: object) -> None:
            picture = "projected" if result is None else request.tab
            task.publish(PictureResult(picture, result, request))

        released, axes, ball = request.released, request.axes, request.ball
        if released is None:
            found = found_in_run(mechanism, points, privacy, seed=seed, ball=ball, progress=progress)
            tries = Tries(len(found.tries), 1 + (found.reach is not None), found.why)
            task.publish(PictureResult("tries", tries, request))
        value = None if released is None else released.value
        pictures: dict[str, Callable[..., object]] = {
            "ball": partial(place_ball, axes=axes, released=value, near=request.near, publish=publish),
            "radius": partial(choose_radius, ball=ball, step=request.step),
            "boxes": partial(place_boxes, axes=axes, ball=ball, tried=request.tried, near=bool(request.near)),
        }
        publish(pictures[request.tab](mechanism, points, privacy, seed=seed, progress=progress))

    def _judge(self, request: BallRequest, points: Points, progress: Progress, task: JobTask) -> None:
        """Publish what simulated runs are worth, of more and more of them."""
        mechanism, privacy = request.setup.mechanism, request.setup.privacy
        assert isinstance(mechanism, BallMechanism)

        def publish(quality: BallWorth) -> None:
            if request.tab == "runs":
                task.publish(PictureResult("runs", quality.sample, request))
            task.publish(PictureResult("judgement", BallErrorEstimate(quality), request))

        publish(
            judge_balls(
                mechanism,
                points,
                privacy,
                runs=RUNS,
                seed=request.seed,
                ball=request.ball,
                publish=publish,
                progress=progress,
            )
        )

    def _number(self, request: BallRequest, points: Points, task: JobTask) -> None:
        mechanism, privacy = request.setup.mechanism, request.setup.privacy
        assert isinstance(mechanism, InteriorPoint)
        released = None if request.released is None else request.released.value
        share = part(task, 0.0, 0.5)
        cloud = place_number(mechanism, points, privacy, seed=request.seed, released=released, progress=share)
        task.publish(PictureResult("number", cloud, request))
        share = part(task, 0.5, 1.0)
        errors = typical_error(mechanism, points, privacy, runs=JUDGED, seed=0, progress=share)
        width = float(points.domain.width[0])
        estimate = ErrorEstimate(
            errors=ExpectedError(errors.typical, errors.most, private=True),
            smooth=None,
            global_=width,
            width=width,
            neighbours=mechanism.neighbours,
        )
        task.publish(PictureResult("judgement", estimate, request))
