"""Scenes for plots: records, outputs of blocks and releases along two directions."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.ball_scenes import CLOSEUP_BELOW_SHARE
from engine.analysis.category_answers import show_answer
from engine.analysis.clouds import Cloud
from engine.analysis.memory import remembered
from engine.analysis.points_errors import RUNS, baselines
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.analysis.shared.projections import (
    Axes,
    Direction,
    Projection,
    Space,
    along_columns,
    along_coordinates,
    columns_of,
    distinct_axes,
    principal_components,
    project,
)
from engine.analysis.shared.records import records_along
from engine.analysis.shared.shown_histograms import released_space, some_records_along
from engine.array_types import Floats
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.mechanisms.aggregators import CenterOfAttention, VectorAdditive, VectorPrepared
from engine.mechanisms.points import lives_with_data, points_of
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible


def coordinates(mechanism: PointsMechanism, space: Space) -> tuple[Direction, ...]:
    """Return the coordinates of released values as directions (public)."""
    if lives_with_data(mechanism, space.domain):
        return columns_of(space)
    sides = mechanism.vectors.space(space.domain).box.sides
    names = mechanism.vectors.coordinates(space.columns, space.domain)
    return tuple(Direction(name, "", side) for name, side in zip(names, sides, strict=True))


def project_outputs(mechanism: PointsMechanism, data: Points, *, axes: Axes = (0, 1)) -> Projection:
    """Return the projection of outputs: that of the data, if both share one space (private)."""
    if lives_with_data(mechanism, data.domain):
        return project(data, axes=axes)
    return along_coordinates(coordinates(mechanism, data), axes)


SHARES = (0.5, 0.95)
"""Probabilities of the inner and the outer region around a center."""


def regions(noise: ArrayLike) -> Floats:
    """Return half-axes, shape (2, k, a), of ellipses that hold `SHARES` of noise, shape (size, k, a).

    Each center has its own; the half-axes are proportional to the typical noise.
    """
    drawn = np.abs(np.asarray(noise, dtype=np.float64))
    typical = np.maximum(np.median(drawn, axis=0), np.finfo(np.float64).tiny)
    lengths = np.linalg.norm(drawn / typical, axis=2)
    held: Floats = np.quantile(lengths, SHARES, axis=0)[:, :, None] * typical
    return held


DRAWS = 4_000
"""Number of draws for the noise regions."""


def data_scene(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    released: Any = None,
    publish: Publish[Cloud] = unpublished,
    progress: Progress = silent,
) -> Cloud:
    """Return the records, and a mechanism's estimand and release if they lie among them (private)."""
    privacy = as_privacy(privacy)
    together, d = lives_with_data(mechanism, data.domain), data.domain.dimension
    if not together and d > 1:  # the directions are those of outputs; of the data, show the last column
        across, up = min(across, d - 2), d - 1
    seen = project(data, axes=(across, up)) if together else along_columns(data, (across, up))
    cloud = Cloud(seen.directions, mechanism.vectors.noun, records=records_along(data, seen))
    publish(cloud)
    fits = not together and hasattr(mechanism.vectors, "predict")
    if not together and not fits:
        return cloud
    drawn = partial(_line, mechanism, data, across) if fits else _Places(mechanism, data, seen).one
    truth = drawn(true_value(mechanism, data, privacy, progress=progress))
    shown = None if released is None else drawn(points_of(mechanism, released))
    noun = "line" if fits else cloud.noun
    return dataclasses.replace(cloud, noun=noun, joined=fits, truth=truth, released=shown)


def _line(mechanism: PointsMechanism, data: Points, across: int, value: ArrayLike) -> Floats:
    """Return the ends of the line of coefficients, shape (2, 2); the other columns are at their means."""
    middle, _ = principal_components(data)
    ends, side = np.tile(middle[:-1], (2, 1)), data.domain.sides[across]
    ends[:, across] = side.lower, side.upper
    function: Any = mechanism.vectors
    return np.column_stack([ends[:, across], function.predict(np.ravel(value), ends, middle)])


def outputs_scene(
    mechanism: BlockMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    zoom: int | None = None,
    progress: Progress = silent,
) -> Cloud:
    """Return the outputs of blocks, and their center with its ball (private); `zoom`: see `release_scene`."""
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
    assert isinstance(ready, VectorPrepared)
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.5, 1.0))
    seen = project_outputs(mechanism, data, axes=(across, up))
    shared = mechanism.shared_work(data.domain).key
    key = ("outputs", shared, mechanism.aggregator.name, ready.center.tobytes())

    def work() -> Cloud:
        places, facts = _Places(mechanism, data, seen), ready.diagnostics
        attention = isinstance(mechanism.aggregator, CenterOfAttention)
        whole = Cloud(
            seen.directions,
            mechanism.vectors.noun,
            outputs=places.all(facts["outputs"]),
            center=places.one(ready.center),
            center_name=mechanism.aggregator.label.lower(),
            radius=facts["radius"] if attention else None,
            majority=facts["majority"] if attention else 0,
            truth=places.one(truth),
            error=float(mechanism.output.errors(np.reshape(ready.center, (1, -1)), truth, data.domain)[0]),
        )
        return _zoom_in(whole, zoom)

    return remembered(data, (*key, seen, zoom), work)


def release_scene(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    zoom: int | None = None,
    seed: int = 1,
    released: Any = None,
    records: bool = True,
    publish: Publish[Cloud] = unpublished,
    progress: Progress = silent,
) -> Cloud:
    """Return a release among the records, with the regions of its noise, and the truth (private).

    `zoom` is the index of a true point to look at closely; None for the first one if the error is tiny, and
    everything from the number of points on.  Without `records`, returns only the release: it reads only
    public facts of `data`.
    """
    if not records:
        along = along_coordinates(coordinates(mechanism, data), (across, up))
        return Cloud(
            along.directions, mechanism.vectors.noun, released=along.points(points_of(mechanism, released))
        )
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.4))
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.4, 0.6))
    seen = project_outputs(mechanism, data, axes=(across, up))
    places = _Places(mechanism, data, seen)
    cloud = Cloud(
        seen.directions,
        mechanism.vectors.noun,
        records=records_along(data, seen) if lives_with_data(mechanism, data.domain) else None,
        center=places.one(ready.center) if isinstance(ready, VectorPrepared) else None,
        center_name="without noise",
        regions=places.regions(ready) if isinstance(ready, VectorPrepared) else None,
        truth=places.one(truth),
    )
    if released is not None:
        value = points_of(mechanism, released)
    else:

        def simulate(one: PointsMechanism, share: Progress) -> Floats:
            return np.ravel(simulated_values(one, data, privacy, runs=1, seed=seed, progress=share))

        value = simulate(mechanism, part(progress, 0.6, 0.7))
        for beside in baselines(mechanism, data, privacy)[:1] if mechanism.vectors.unordered else ():
            if not beside.problems(privacy, data.domain, data.n):
                other = places.one(simulate(beside, part(progress, 0.7, 0.8)))
                name = f"{beside.label[:1].lower()}{beside.label[1:]}"
                cloud = dataclasses.replace(cloud, baseline=other, baseline_name=name)
    shown = places.one(value)
    error = float(mechanism.output.errors(np.reshape(value, (1, -1)), truth, data.domain)[0])
    cloud = dataclasses.replace(cloud, released=shown, error=error, simulated=released is None)
    if cloud.regions is None:
        publish(_zoom_in(cloud, zoom))
        share = part(progress, 0.8, 1.0)
        runs = simulated_values(mechanism, data, privacy, runs=RUNS, seed=1, progress=share)
        answered = runs[~np.isnan(runs).any(axis=1)]
        known = places.regions_of(answered, places.one(truth), shown) if len(answered) else None
        cloud = dataclasses.replace(cloud, regions=known)
    return _zoom_in(cloud, zoom)


def _zoom_in(cloud: Cloud, zoom: int | None) -> Cloud:
    """Return a close-up of a point, or the whole; see `release_scene`."""
    assert cloud.truth is not None
    last = len(cloud.truth) - 1
    near = cloud.closeup(min(zoom or 0, last))
    sides = zip(near.zoom or near.window, near.directions, strict=True)
    tiny = all(view.width < CLOSEUP_BELOW_SHARE * direction.side.width for view, direction in sides)
    return near if (tiny if zoom is None else zoom <= last) else cloud


class _Places:
    """Projects outputs on the directions of a plot."""

    def __init__(self, mechanism: PointsMechanism, data: Points, seen: Projection) -> None:
        self.seen = seen
        self._unordered, self._dimension = mechanism.vectors.unordered, data.domain.dimension

    def sets(self, vectors: ArrayLike) -> Floats:
        """Return vectors, shape (m, D), as sets of points, shape (m, k, d)."""
        array = np.atleast_2d(np.asarray(vectors, dtype=np.float64))
        return array.reshape(len(array), -1, self._dimension) if self._unordered else array[:, None, :]

    def all(self, vectors: ArrayLike) -> Floats:
        """Return the projected points of vectors, shape (m, k, a)."""
        return self.seen.points(self.sets(vectors))

    def one(self, vector: ArrayLike) -> Floats:
        """Return the projected points of one vector, shape (k, a)."""
        position: Floats = self.all(np.ravel(vector))[0]
        return position

    def regions(self, ready: Prepared) -> Floats:
        """Return the half-axes of the noise regions, shape (2, k, a)."""
        assert isinstance(ready, VectorPrepared)
        rng = reproducible(0)
        if isinstance(ready, VectorAdditive):
            noise = ready.simulated_noise(rng, DRAWS)
        else:
            noise = ready.draw(rng, ready.most_runs(DRAWS)) - ready.center
        return regions(self.seen.moves(self.sets(noise)))

    def regions_of(self, runs: Floats, truth: Floats, released: Floats) -> Floats:
        """Return the half-axes of the regions of errors: of a run's point nearest to the truth of each."""
        near = truth[np.linalg.norm(released[:, None] - truth, axis=2).argmin(axis=1)]
        moves = self.all(runs)[:, None] - near[:, None]  # shape (runs, k, k, a)
        nearest = np.linalg.norm(moves, axis=3).argmin(axis=2)
        return regions(np.take_along_axis(moves, nearest[..., None, None], axis=2)[:, :, 0])


def synthetic_scene(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> Cloud:
    """Return released points among the records."""
    privacy = as_privacy(privacy)
    value, _ = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    space = data if released is None else released_space(data, released)
    seen = along_columns(space, distinct_axes((across, up), space.domain.dimension))
    return Cloud(
        seen.directions,
        noun=mechanism.vectors.noun,
        records=some_records_along(data, seen) if records else None,
        released=np.atleast_2d(seen.points(value)),
        simulated=released is None,
    )
