"""Scenes for plots: balls, boxes or numbers among the records."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.clouds import Cloud
from engine.analysis.memory import is_remembered, remembered
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value, truth_key
from engine.analysis.shared.projections import (
    Direction,
    Projection,
    Space,
    SpaceScene,
    along_columns,
    project,
)
from engine.analysis.shared.records import Records, records_along
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Interval
from engine.findings import Finding
from engine.mechanisms import BallMechanism, InteriorPoint
from engine.mechanisms.one_cluster import Ball, BoxPartition, SearchResult
from engine.mechanisms.one_cluster.balls import BallRun, BallsPrepared
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible
from engine.shown import ShownInALine

MAX_DRAWN_BOXES = 60
"""Largest number of boxes to draw."""


@dataclasses.dataclass(frozen=True, eq=False)
class Disc:
    """A ball projected on a = 1 or 2 perpendicular directions, from `ball_scene`."""

    center: Floats  # shape (a,)
    radius: float
    held: int | None = None  # number of records in the ball, in all dimensions (private)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Boxes(ShownInALine):
    """Boxes that hold records (private), from `boxes_scene`."""

    lower: Floats  # shape (m, a)
    upper: Floats
    counts: Ints  # shape (m,); number of records in each box
    chosen: int | None  # index of the winning box; it may be empty
    side: float  # width along each column, in the unit of the data
    held: int  # number of boxes with records; only the fullest are stored here
    partition: int = 0  # index of this partition, from 0, and the number of partitions drawn
    partitions: int = 1

    @property
    def shown(self) -> Ints:
        """Indices of the boxes to draw: the fullest, in ascending order of counts."""
        return np.argsort(self.counts, kind="stable")[-MAX_DRAWN_BOXES:]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallCloud(SpaceScene):
    """Balls in the space of the data; None and empty tuples are not drawn.

    Returned by `ball_scene`, `boxes_scene` and `records_scene`.  Public are only `n`, `target`, `directions`
    (unless derived from the data), and `balls` and `mean` unless simulated.  All else is private.
    """

    directions: tuple[Direction, ...]  # one or two; a is their number
    window: tuple[Interval, ...]  # visible range along each direction
    records: Records | None = None  # the data
    whole: Records | None = None  # beside a close-up, the data in all of `directions`
    balls: tuple[Disc, ...] = ()  # released balls, or one simulated release; several for k balls
    truth: tuple[Disc, ...] = ()  # smallest balls around records that hold the same number
    # shape (a,); released mean of the records in the ball; and the mean in the true ball
    mean: Floats | None = None
    true_mean: Floats | None = None
    boxes: Boxes | None = None
    n: int = 0  # number of records
    simulated: bool = False  # whether `balls` and `mean` are simulated, and so private
    target: int = 0  # t: the number of records that a ball should hold
    projected: bool = False  # whether boxes were drawn in a projection, and cannot be shown here

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of elements, in the order of their lanes; means share the lanes of their balls."""
        there = {
            "records": self.records is not None,
            "boxes": self.boxes is not None,
            "truth": bool(self.truth) or self.true_mean is not None,
            "balls": bool(self.balls) or self.mean is not None,
        }
        return tuple(kind for kind, known in there.items() if known)

    def findings(self) -> Iterator[Finding]:
        """Yield balls, means and boxes, along the directions."""
        kind = "simulated ball" if self.simulated else "released ball"
        for name, discs in ((kind, self.balls), ("true ball", self.truth)):
            for disc in discs:
                public = disc.held is None and not self.simulated
                yield Finding(f"{name}: center", disc.center, public)
                yield Finding(f"{name}: radius", disc.radius, public)
                if disc.held is not None:
                    yield Finding(f"{name}: records in it", disc.held)
        means = {"mean inside": self.mean, "true mean inside": self.true_mean}
        yield from (Finding(name, mean) for name, mean in means.items() if mean is not None)
        if self.boxes is not None:
            yield Finding("boxes that hold records", self.boxes.held)
            yield Finding("records in each of the fullest", self.boxes.counts)
            yield Finding("side of a box", self.boxes.side)


MAX_RUNS = 6
"""Number of cached runs with all their boxes, which may be many."""

CLOSEUP_RADII, MIN_CLOSEUP_SHARE = 2.0, 1e-4
"""Extent of a close-up: in radii of the ball, and its minimum as a share of the full view."""

CLOSEUP_BELOW_SHARE = 0.04
"""If the ball's diameter is a smaller share of the smallest side, the view is a close-up by default."""


@dataclasses.dataclass(frozen=True, repr=False)
class PlacedBalls(ShownInALine):
    """Balls of a release or simulation, the records' positions, and perhaps the mean inside."""

    balls: tuple[Ball | None, ...] = ()
    mean: tuple[float, ...] | None = None

    @classmethod
    def of(cls, value: Any) -> PlacedBalls:
        """Read the value of a release."""
        results = value if isinstance(value, list) else [value]
        balls = tuple(ball and Ball(tuple(ball["center"]), ball["radius"]) for ball in results)
        mean = value.get("mean") if isinstance(value, dict) else None
        return cls(balls, tuple(mean) if mean else None)

    @classmethod
    def of_run(cls, run: BallRun) -> PlacedBalls:
        """Return the result of a run."""
        balls = tuple(one.ball for one in run.searches)
        return cls(balls, None if run.mean is None else tuple(run.mean.tolist()))

    @property
    def present(self) -> tuple[Ball, ...]:
        """The balls that were found."""
        return tuple(ball for ball in self.balls if ball is not None)


def simulate_run(
    mechanism: BallMechanism, data: Points, privacy: Privacy, *, seed: int = 1, progress: Progress = silent
) -> BallRun:
    """Simulate one run, and record how it found each ball (private)."""

    def work() -> BallRun:
        ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.8))
        assert isinstance(ready, BallsPrepared)
        return ready.run(reproducible(seed), part(progress, 0.8, 1.0))

    return remembered(data, ("ball run", mechanism, privacy, seed), work, MAX_RUNS)


def found_in_run(
    mechanism: BallMechanism,
    data: Points,
    privacy: Privacy,
    *,
    seed: int = 1,
    ball: int = 0,
    progress: Progress = silent,
) -> SearchResult:
    """Simulate one run, and return the search for one of its balls (private); `ball` counts from 0."""
    run = simulate_run(mechanism, data, privacy, seed=seed, progress=progress)
    return run.searches[min(ball, len(run.searches) - 1)]


def true_balls(
    mechanism: BallMechanism, data: Points, privacy: Privacy, *, progress: Progress = silent
) -> PlacedBalls:
    """Return the smallest balls around records that hold t, and perhaps the mean inside (private)."""
    row = true_value(mechanism, data, privacy, progress=part(progress, 0.0, 1.0))
    return PlacedBalls.of(mechanism.output.released(row, data.domain))


def places_of(mechanism: BallMechanism, data: Points) -> Floats:
    """Return the records rounded to the mechanism's grid (private), shape (n, d)."""

    def work() -> Floats:
        return mechanism.search.domain(data.domain).round_points(data.values)

    return remembered(data, ("places", mechanism.grid), work)


def zoom_to_balls(seen: Projection, shown: PlacedBalls, near: bool | None) -> Projection:
    """Return a projection zoomed to the balls, if requested or if a single ball is tiny."""
    balls = shown.present
    sizes = np.array([side.width for side in seen.window])
    tiny = len(balls) == 1 and 2 * balls[0].radius < CLOSEUP_BELOW_SHARE * sizes.min()
    if not (tiny if near is None else near) or not balls:
        return seen
    centers = np.array([seen.points(ball.center) for ball in balls])
    reach = np.maximum(CLOSEUP_RADII * max(ball.radius for ball in balls), MIN_CLOSEUP_SHARE * sizes)
    ends = zip(centers.min(axis=0) - reach, centers.max(axis=0) + reach, strict=True)
    return dataclasses.replace(seen, zoom=tuple(Interval(float(low), float(high)) for low, high in ends))


MAX_BOXES = 2_000
"""Largest number of boxes to return: the fullest."""


def records_scene(data: Points, *, across: int = 0, up: int = 1) -> BallCloud:
    """Return the records alone (private)."""
    seen = project(data, axes=(across, up))
    return dataclasses.replace(_cloud(data, seen, PlacedBalls()), records=records_along(data, seen))


def ball_scene(
    mechanism: BallMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Any = None,
    near: bool | None = None,
    records: bool = True,
    publish: Publish[BallCloud] = unpublished,
    progress: Progress = silent,
) -> BallCloud:
    """Return balls among the records, and the smallest balls that hold as many (private).

    Without `records`, returns only released balls: it reads only public facts of `data`.
    """
    if not records:
        shown = PlacedBalls.of(released)
        return _cloud(
            data, zoom_to_balls(along_columns(data, (across, up)), shown, near), shown, t=mechanism.t
        )
    privacy = as_privacy(privacy)
    if released is None:
        run = simulate_run(mechanism, data, privacy, seed=seed, progress=part(progress, 0.0, 0.5))
        shown = PlacedBalls.of_run(run)
    else:
        shown = PlacedBalls.of(released)
    seen = zoom_to_balls(project(data, axes=(across, up)), shown, near)
    places = places_of(mechanism, data)
    cloud = _with_records(_cloud(data, seen, shown, places, mechanism.t), data, seen)
    cloud = dataclasses.replace(cloud, simulated=released is None)
    if not is_remembered(data, truth_key(mechanism)):
        publish(cloud)
    true = true_balls(mechanism, data, privacy, progress=part(progress, 0.5, 1.0))
    discs, mean = _discs(true, seen, places), _mean(true, seen)
    return dataclasses.replace(cloud, truth=discs, true_mean=mean)


def boxes_scene(
    mechanism: BallMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    ball: int = 0,
    tried: int | None = None,
    near: bool | None = None,
    progress: Progress = silent,
) -> BallCloud:
    """Return the boxes of a simulated run, and the winning one (private)."""
    privacy = as_privacy(privacy)
    result = found_in_run(mechanism, data, privacy, seed=seed, ball=ball, progress=progress)
    last, boxes, seen = len(result.tries) - 1, None, along_columns(data, (across, up))
    index = last if tried is None else min(tried, last)
    if result.tries:
        partition = result.tries[index]
        if partition.cells.corners.shape[1] != partition.grid.dimension:
            return dataclasses.replace(_cloud(data, seen, PlacedBalls()), simulated=True, projected=True)
        boxes = _boxes_of(data, partition, seen, index, last + 1)
    shown = PlacedBalls((result.ball,))
    seen = zoom_to_balls(seen, shown, bool(near))
    cloud = _cloud(data, seen, shown if index == last else PlacedBalls(), t=mechanism.t)
    return dataclasses.replace(_with_records(cloud, data, seen), boxes=boxes, simulated=True)


def _with_records(cloud: BallCloud, data: Points, seen: Projection) -> BallCloud:
    """Add the records in the visible part, and to a close-up all of them."""
    whole = None if seen.zoom is None else records_along(data, dataclasses.replace(seen, zoom=None))
    return dataclasses.replace(cloud, records=records_along(data, seen), whole=whole)


def _cloud(
    space: Space, seen: Projection, shown: PlacedBalls, places: Floats | None = None, t: int = 0
) -> BallCloud:
    return BallCloud(
        directions=seen.directions,
        window=seen.window,
        balls=_discs(shown, seen, places),
        mean=_mean(shown, seen),
        n=space.n,
        target=t,
    )


def _discs(shown: PlacedBalls, seen: Projection, places: Floats | None) -> tuple[Disc, ...]:
    return tuple(Disc(seen.points(ball.center), ball.radius, _held(ball, places)) for ball in shown.present)


def _held(ball: Ball, places: Floats | None) -> int | None:
    return None if places is None else int(np.count_nonzero(ball.contains(places)))


def _mean(shown: PlacedBalls, seen: Projection) -> Floats | None:
    return None if shown.mean is None else seen.points(shown.mean)


def _boxes_of(data: Points, partition: BoxPartition, seen: Projection, index: int, partitions: int) -> Boxes:
    """Return the fullest boxes along coordinates; cached, whatever the budget."""
    winner = None if partition.chosen is None else tuple(partition.chosen.tolist())
    shift = tuple(partition.shift.tolist())
    key = ("boxes", partition.cells, shift, winner, seen, index, partitions)
    return remembered(data, key, lambda: _boxes(partition, seen, index, partitions), MAX_RUNS)


def _boxes(partition: BoxPartition, seen: Projection, index: int, partitions: int) -> Boxes:
    corners, counts = partition.cells.corners, partition.cells.counts
    fullest = np.argsort(-counts, kind="stable")[:MAX_BOXES]
    corners, counts, chosen = corners[fullest], counts[fullest], None
    if partition.chosen is not None:
        same = np.flatnonzero((corners == partition.chosen).all(axis=1))
        if not len(same):  # the winner is not among the fullest, or empty
            here = (partition.cells.corners == partition.chosen).all(axis=1)
            corners = np.concatenate([corners, partition.chosen[None]])
            counts = np.append(counts, partition.cells.counts[here].sum())
            same = np.array([len(counts) - 1])
        chosen = int(same[0])
    lower, upper = partition.bounds(corners)
    return Boxes(
        seen.points(lower),
        seen.points(upper),
        counts,
        chosen,
        side=partition.width * partition.grid.step,
        held=len(partition.cells.counts),
        partition=index,
        partitions=partitions,
    )


def number_scene(
    mechanism: InteriorPoint,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: float | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> Cloud:
    """Return a number among the records, and their median (private).

    Without `records`, returns only a released number: it reads only public facts of `data`.
    """
    if not records:
        return _released(data, released)
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
    share, value = part(progress, 0.5, 1.0), released
    if value is None:
        drawn = simulated_values(mechanism, data, privacy, runs=1, seed=seed, progress=share)
        value = float(drawn[0, 0])
    return dataclasses.replace(
        _released(data, value),
        records=records_along(data, project(data)),
        truth=np.array([[float(ready.diagnostics["true_value"][0])]]),
        simulated=released is None,
    )


def _released(source: Space, released: float | None) -> Cloud:
    # any number among the records is a correct release; the plot shows the median as the truth
    return Cloud(along_columns(source).directions, noun="median", released=np.array([[released]]))
