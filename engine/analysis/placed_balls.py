"""Balls among the records, and the boxes from which they came: functions that return a `BallCloud`."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.analysis.ball_clouds import BallCloud, Boxes, Disc
from engine.analysis.memory import is_remembered, remembered
from engine.analysis.shared.ball_runs import (
    MOST_RUNS,
    PlacedBalls,
    closeup,
    found_in_run,
    places_of,
    simulate_run,
    true_balls,
)
from engine.analysis.shared.point_steps import truth_key
from engine.analysis.shared.projections import Projection, Space, along_columns, project
from engine.analysis.shared.records import records_along
from engine.array_types import Floats
from engine.data.points import Points
from engine.mechanisms import BallMechanism
from engine.mechanisms.one_cluster import Ball, BoxPartition
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished

MOST_BOXES = 2_000
"""Boxes that are told: the fullest."""


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
    """Return balls among the records, and the smallest ones that hold as many (private).

    Without `records`, released balls alone: of `data`, only public facts are read.
    """
    if not records:
        shown = PlacedBalls.of(released)
        return _cloud(data, closeup(along_columns(data, (across, up)), shown, near), shown, t=mechanism.t)
    privacy = as_privacy(privacy)
    if released is None:
        run = simulate_run(mechanism, data, privacy, seed=seed, progress=part(progress, 0.0, 0.5))
        shown = PlacedBalls.of_run(run)
    else:
        shown = PlacedBalls.of(released)
    seen = closeup(project(data, axes=(across, up)), shown, near)
    places = places_of(mechanism, data)
    cloud = dataclasses.replace(
        _cloud(data, seen, shown, places, mechanism.t),
        records=records_along(data, seen),
        simulated=released is None,
    )
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
    """Return the boxes that a simulated run has drawn, and the one that won (private)."""
    privacy = as_privacy(privacy)
    found = found_in_run(mechanism, data, privacy, seed=seed, ball=ball, progress=progress)
    last, boxes, seen = len(found.tries) - 1, None, along_columns(data, (across, up))
    place = last if tried is None else min(tried, last)
    if found.tries:
        partition = found.tries[place]
        if partition.cells.corners.shape[1] != partition.grid.dimension:
            return dataclasses.replace(_cloud(data, seen, PlacedBalls()), simulated=True, projected=True)
        boxes = _boxes_of(data, partition, seen, place, last + 1)
    shown = PlacedBalls((found.ball,))
    seen = closeup(seen, shown, bool(near))
    cloud = _cloud(data, seen, shown if place == last else PlacedBalls(), t=mechanism.t)
    return dataclasses.replace(cloud, records=records_along(data, seen), boxes=boxes, simulated=True)


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
    return tuple(Disc(seen.points(ball.center), ball.radius, _held(ball, places)) for ball in shown.found)


def _held(ball: Ball, places: Floats | None) -> int | None:
    return None if places is None else int(np.count_nonzero(ball.contains(places)))


def _mean(shown: PlacedBalls, seen: Projection) -> Floats | None:
    return None if shown.mean is None else seen.points(shown.mean)


def _boxes_of(data: Points, partition: BoxPartition, seen: Projection, place: int, partitions: int) -> Boxes:
    """Return the fullest boxes along coordinates; the same ones stay the same object, whatever the budget."""
    winner = None if partition.chosen is None else tuple(partition.chosen.tolist())
    shift = tuple(partition.shift.tolist())
    key = ("boxes", partition.cells, shift, winner, seen, place, partitions)
    return remembered(data, key, lambda: _boxes(partition, seen, place, partitions), MOST_RUNS)


def _boxes(partition: BoxPartition, seen: Projection, place: int, partitions: int) -> Boxes:
    corners, counts = partition.cells.corners, partition.cells.counts
    fullest = np.argsort(-counts, kind="stable")[:MOST_BOXES]
    corners, counts, chosen = corners[fullest], counts[fullest], None
    if partition.chosen is not None:
        same = np.flatnonzero((corners == partition.chosen).all(axis=1))
        if not len(same):  # few points are in it, or none
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
        partition=place,
        partitions=partitions,
    )
