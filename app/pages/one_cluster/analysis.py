"""What the page about balls asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `BallAnalysis.public` publishes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.selection import Selection
from app.pages.base.cache import Cache
from app.pages.base.projections import Axes, Projection, among_data, of_data
from app.pages.base.results import PictureResult
from app.pages.one_cluster.computations import BallComputations, BallRun, true_key
from app.pages.one_cluster.quality import BallErrorEstimate, compared, judged
from app.pages.one_cluster.views import BallViews, ShownBalls, boxes, first_step, last_step, number_view
from app.pages.sensitivity.error_estimates import ErrorEstimate, ErrorQuantiles
from app.plots.clustering.cloud_view import Records
from engine.data.points import Points
from engine.domain import Interval
from engine.mechanisms import BallMechanism, InteriorPoint
from engine.mechanisms.one_cluster import Found
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.release import Release
from engine.progress import Progress, part
from engine.randomness import reproducible

AROUND, CLOSEST = 2.0, 1e-4
"""How far a close-up reaches: in radii of the ball, and at least in shares of what there is."""

TINY = 0.04
"""Share of the smallest side below which one ball is looked at closely, unless a person chose otherwise."""

MOST_RUNS = 6
"""Runs that are kept with all the boxes that they drew, which may be many."""

JUDGED = 200
"""Simulated interior points from which the typical error is taken."""

Floats = NDArray[np.float64]


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


def closeup(request: BallRequest, seen: Projection, shown: ShownBalls) -> Projection:
    """Return the projection with only what lies around the balls in view, if that is asked for."""
    balls = shown.found
    sizes = np.array([side.width for side in seen.window])
    tiny = request.tab == "ball" and len(balls) == 1 and 2 * balls[0].radius < TINY * sizes.min()
    if not (tiny if request.near is None else request.near) or not balls:
        return seen
    centers = np.array([seen.points(ball.center) for ball in balls])
    reach = np.maximum(AROUND * max(ball.radius for ball in balls), CLOSEST * sizes)
    ends = zip(centers.min(axis=0) - reach, centers.max(axis=0) + reach, strict=True)
    return dataclasses.replace(seen, zoom=tuple(Interval(float(low), float(high)) for low, high in ends))


class BallAnalysis:
    """Answers questions in one worker at a time; what was counted is not counted again."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases
        self._kept = Cache()
        self._runs_kept = Cache(most=MOST_RUNS)
        self._computations = BallComputations(self._kept, self._runs_kept)

    def answer(self, request: BallRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        setup = request.setup
        points, seen = self._data(request, task)
        if isinstance(setup.mechanism, InteriorPoint):
            self._number(request, points, seen, task)
            return
        picture = {"ball": self._ball, "radius": self._radius, "boxes": self._boxes, "runs": self._runs}
        picture[request.tab](request, points, seen, task)
        for estimate in self._judge(request, points, part(task, 0.6, 1.0)):
            task.publish(PictureResult("judgement", estimate, request))

    def bare(self, request: BallRequest, task: JobTask) -> None:
        """Publish the records alone, for a setup that is refused."""
        points, seen = self._data(request, task)
        view = BallViews(request.setup, seen).view(ShownBalls(), records=self._records(points, seen))
        task.publish(PictureResult("ball", view, request))

    def public(self, request: BallRequest, task: JobTask) -> None:
        """Publish the newest release, or a demonstration; no data are looked at."""
        from app.plots.one_cluster.axis_by_axis import AxisByAxisView
        from app.plots.one_cluster.boxes_of_all_dimensions import BoxesView

        demonstrations: dict[str, Callable[[], Any]] = {"axes": AxisByAxisView.of, "sides": BoxesView.of}
        if request.tab in demonstrations:
            view = self._kept.get(request.tab, demonstrations[request.tab])
        else:
            assert request.released is not None
            seen, value = among_data(request.setup.source, request.axes), request.released.value
            view = (
                number_view(seen, value, None, None)
                if request.tab == "number"
                else BallViews(request.setup, closeup(request, seen, ShownBalls.of(value))).view(
                    ShownBalls.of(value)
                )
            )
        task.publish(PictureResult(request.tab, view, request, public=True))

    # The pictures.

    def _ball(self, request: BallRequest, points: Points, seen: Projection, task: JobTask) -> None:
        setup = request.setup
        mechanism = setup.mechanism
        assert isinstance(mechanism, BallMechanism)
        simulated = request.released is None
        if simulated:
            run = self._computations.run(request.setup, request.seed, points, part(task, 0.0, 0.3))
            shown = run.shown
            self._looked_at(request, run, task)
        else:
            assert request.released is not None
            shown = ShownBalls.of(request.released.value)
        seen = closeup(request, seen, shown)
        records = self._records(points, seen)
        views = BallViews(setup, seen, self._computations.places(mechanism, points))
        known: dict[str, Any] = {"records": records, "simulated": simulated}
        if not self._kept.holds(true_key(mechanism, points)):
            task.publish(PictureResult("ball", views.view(shown, **known), request))
        truth = self._true(request, points, part(task, 0.3, 0.6))
        task.publish(PictureResult("ball", views.view(shown, truth=truth, **known), request))

    def _radius(self, request: BallRequest, points: Points, seen: Projection, task: JobTask) -> None:
        run = self._computations.run(request.setup, request.seed, points, part(task, 0.0, 0.3))
        found = self._looked_at(request, run, task)
        last = request.step == "last" and found.reach is not None
        true = self._true(request, points, part(task, 0.3, 0.6))
        ball = true.balls[min(request.ball, len(true.balls) - 1)]
        radius = None if ball is None else ball.radius
        if last:
            assert found.reach is not None
            task.publish(PictureResult("radius", last_step(request.setup, found.reach, radius), request))
        else:
            task.publish(PictureResult("radius", first_step(request.setup, found, radius), request))

    def _boxes(self, request: BallRequest, points: Points, seen: Projection, task: JobTask) -> None:
        run = self._computations.run(request.setup, request.seed, points, part(task, 0.0, 0.3))
        found = self._looked_at(request, run, task)
        if not found.tries:
            return
        last = len(found.tries) - 1
        place = last if request.tried is None else min(request.tried, last)
        name = f"try {place + 1} of {last + 1}: " if last else ""
        tried = found.tries[place]
        # the same boxes stay the same picture, whatever the budget
        chosen = None if tried.chosen is None else tuple(tried.chosen.tolist())
        key = ("boxes", tried.cells, tuple(tried.shift.tolist()), chosen, request.axes, name)
        drawn = self._runs_kept.get(key, lambda: boxes(request.setup, tried, request.axes, name))
        if drawn is None:
            task.publish(PictureResult("projected", None, request))
            return
        along, view = drawn
        along = closeup(request, along, ShownBalls((found.ball,)))
        records = self._records(points, along)
        views = BallViews(request.setup, along)
        shown = ShownBalls((found.ball,) if place == last else ())
        task.publish(
            PictureResult("boxes", views.view(shown, records=records, boxes=view, simulated=True), request)
        )

    def _runs(self, request: BallRequest, points: Points, seen: Projection, task: JobTask) -> None:
        for estimate in self._judge(request, points, part(task, 0.0, 0.6)):
            task.publish(PictureResult("runs", estimate.quality, request))

    def _number(self, request: BallRequest, points: Points, seen: Projection, task: JobTask) -> None:
        mechanism, records = request.setup.mechanism, self._records(points, seen)
        ready = self._computations.ready(request.setup, points, task)
        true = float(ready.diagnostics["true_value"][0])
        if request.released is None:
            key = ("number", points, mechanism, request.setup.privacy, request.seed)
            value = self._kept.get(key, lambda: float(ready.draw(reproducible(request.seed), 1)[0, 0]))
        else:
            value = request.released.value
        view = number_view(seen, value, records, true)
        view = dataclasses.replace(view, simulated=request.released is None)
        task.publish(PictureResult("number", view, request))
        errors = self._kept.get(
            ("errors", points, mechanism, request.setup.privacy), lambda: self._errors(ready, true, task)
        )
        task.publish(PictureResult("judgement", self._number_judgement(request, errors), request))

    def _errors(self, ready: Prepared, true: float, progress: Progress) -> Floats:
        """Return how far simulated numbers are from the median."""
        rng, drawn = reproducible(0), []
        for start in range(0, JUDGED, ready.batch_size):
            progress(start / JUDGED, "simulated releases")
            drawn.append(ready.draw(rng, min(ready.batch_size, JUDGED - start)))
        errors: Floats = np.abs(np.concatenate(drawn)[:, 0] - true)
        return errors

    def _number_judgement(self, request: BallRequest, errors: Floats) -> ErrorEstimate:
        typical, most = np.quantile(errors, [0.5, 0.95])
        width = float(request.setup.source.domain.width[0])
        return ErrorEstimate(
            errors=ErrorQuantiles(float(typical), float(most), private=True),
            smooth=None,
            global_=width,
            width=width,
            neighbours=request.setup.mechanism.neighbours,
        )

    # What several pictures need.

    def _data(self, request: BallRequest, task: JobTask) -> tuple[Points, Projection]:
        """Return the points and how they are looked at; publish how many of them the bounds move."""
        source, axes = request.setup.source, request.axes
        points = self._databases.get(source)
        assert isinstance(points, Points)
        seen = self._kept.get(("projection", points, axes), lambda: of_data(source, points, axes))
        task.publish(
            PictureResult("clamped", self._kept.get(("outside", points), lambda: points.outside), request)
        )
        return points, seen

    def _records(self, points: Points, seen: Projection) -> Records:
        """Return the records along the directions."""
        key = ("records", points, seen.directions, seen.window)
        found: Records = self._kept.get(key, lambda: Records.of(seen.points(points.values), seen.window))
        return found

    def _looked_at(self, request: BallRequest, run: BallRun, task: JobTask) -> Found:
        """Return how the ball was found that is looked at, and publish what can be chosen of it."""
        found = run.found[min(request.ball, len(run.found) - 1)]
        task.publish(
            PictureResult("tries", Tries(len(found.tries), 1 + (found.reach is not None), found.why), request)
        )
        return found

    def _true(self, request: BallRequest, points: Points, progress: Progress) -> ShownBalls:
        row = self._computations.truth(request.setup, points, progress)
        return ShownBalls.of(request.setup.mechanism.released(row, points.domain))

    def _judge(self, request: BallRequest, points: Points, progress: Progress) -> Any:
        """Yield what simulated runs are worth, of more and more of them; at once if it is known."""
        setup = request.setup
        assert isinstance(setup.mechanism, BallMechanism)
        key = ("judgement", points, setup.mechanism, setup.privacy, request.seed, request.ball)
        known: list[BallErrorEstimate] = self._kept.get(key, list)
        if not known:
            truth = self._computations.truth(setup, points, part(progress, 0.0, 0.3))
            ready = self._computations.ready(setup, points, progress)
            places = self._computations.places(setup.mechanism, points)
            ball, share = min(request.ball, getattr(setup.mechanism, "k", 1) - 1), part(progress, 0.3, 0.8)
            for estimate in judged(setup, ready, places, truth, request.seed, ball, share):
                yield estimate
            rest = part(progress, 0.8, 1.0)
            known.append(compared(estimate, self._computations, setup, points, ball, truth, rest))
        yield known[-1]
