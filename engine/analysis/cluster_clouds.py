"""Records, outputs of blocks and releases along two directions: functions that return a `Cloud`."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.clouds import Cloud
from engine.analysis.memory import remembered
from engine.analysis.preparing import prepare
from engine.analysis.shared.alternatives import baselines
from engine.analysis.shared.outputs import coordinates, project_outputs
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.analysis.shared.projections import (
    Projection,
    Space,
    along_columns,
    along_coordinates,
    project,
)
from engine.analysis.shared.records import records_along
from engine.analysis.shared.regions import regions
from engine.array_types import Floats
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.mechanisms.aggregators import CenterOfAttention, VectorAdditive, VectorPrepared
from engine.mechanisms.prepared import Prepared
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible

DRAWS = 4_000
"""Draws from which the regions of noise are taken."""


def place_data(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    publish: Publish[Cloud] = unpublished,
    progress: Progress = silent,
) -> Cloud:
    """Return the records, and what a mechanism estimates where that lies among them (private).

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : PrivacyLike
    across, up : int
        Columns by number; from d on, principal components.
    publish : callable
        Is given the records alone, before anything is worked out.
    progress : Progress

    Returns
    -------
    Cloud

    Examples
    --------
    The mean of the records lies among them.

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> cloud = place_data(NoisyAverage(), data, Privacy(1.0))
    >>> [direction.side.width for direction in cloud.directions], cloud.truth.round(2).tolist()
    ([1, 1], [[0.25, 0.25]])
    """
    privacy = as_privacy(privacy)
    together = mechanism.lives_with_data(data.domain)
    seen = project(data, axes=(across, up)) if together else along_columns(data, (across, up))
    cloud = Cloud(seen.directions, mechanism.noun, records=records_along(data, seen))
    publish(cloud)
    if not together:
        return cloud
    truth = true_value(mechanism, data, privacy, progress)
    return dataclasses.replace(cloud, truth=_Places(mechanism, data, seen).one(truth))


def place_outputs(
    mechanism: BlockMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    zoom: int | None = None,
    progress: Progress = silent,
) -> Cloud:
    """Return the outputs of blocks, and their center with its ball (private).

    Parameters
    ----------
    mechanism : BlockMechanism
    data : Points
    privacy : PrivacyLike
    across, up : int
        Columns, or coordinates of outputs, by number; from d on, principal components.
    zoom : int or None
        The center that is looked at closely.
    progress : Progress

    Returns
    -------
    Cloud
        The same object whatever the budget, as long as it shows the same.

    Examples
    --------
    The outputs of 100 blocks, and the ball that holds the majority of them:

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Points, Privacy, SampleAggregate
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> cloud = place_outputs(SampleAggregate(block_function=MeanFunction()), data, Privacy(1.0))
    >>> cloud.outputs.shape, cloud.majority, cloud.radius < 0.01
    ((100, 1, 2), 51, True)
    """
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, part(progress, 0.0, 0.5))
    assert isinstance(ready, VectorPrepared)
    truth = true_value(mechanism, data, privacy, part(progress, 0.5, 1.0))
    seen = project_outputs(mechanism, data, axes=(across, up))
    shared = mechanism.shared_work(data.domain).key
    key = ("outputs", shared, mechanism.aggregator.name, ready.center.tobytes())

    def work() -> Cloud:
        places, facts = _Places(mechanism, data, seen), ready.diagnostics
        attention = isinstance(mechanism.aggregator, CenterOfAttention)
        outputs, space = places.all(facts["outputs"]), mechanism.space(data.domain)
        whole = Cloud(
            seen.directions,
            mechanism.noun,
            outputs=outputs,
            center=places.one(ready.center),
            center_name=mechanism.aggregator.label.lower(),
            radius=facts["radius"] if attention else None,
            majority=facts["majority"] if attention else 0,
            exact=outputs.shape[1] == 1 and space.dimension == outputs.shape[2] and space.name == "L2",
            truth=places.one(truth),
        )
        return whole if zoom is None or zoom >= len(places.one(truth)) else whole.closeup(zoom)

    return remembered(data, (*key, seen, zoom), work)


def place_release(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Any = None,
    progress: Progress = silent,
) -> Cloud:
    """Return a release among the records, with the regions of its noise, and the truth (private).

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : PrivacyLike
    across, up : int
        Columns, or coordinates of outputs, by number; from d on, principal components.
    seed : int
        Of a simulated release, and of that of a baseline beside it.
    released : list or float, optional
        The value of a release, to be shown in the place of a simulated one.
    progress : Progress

    Returns
    -------
    Cloud

    Examples
    --------
    A simulated release, near to the mean:

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> cloud = place_release(NoisyAverage(), data, Privacy(1.0), seed=1)
    >>> cloud.simulated, bool(abs(cloud.released - cloud.truth).max() < 0.05)
    (True, True)
    """
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, part(progress, 0.0, 0.4))
    truth = true_value(mechanism, data, privacy, part(progress, 0.4, 0.7))
    seen = project_outputs(mechanism, data, axes=(across, up))
    places = _Places(mechanism, data, seen)
    cloud = Cloud(
        seen.directions,
        mechanism.noun,
        records=records_along(data, seen) if mechanism.lives_with_data(data.domain) else None,
        center=places.one(ready.center) if isinstance(ready, VectorPrepared) else None,
        center_name="without noise",
        regions=places.regions(ready) if isinstance(ready, VectorPrepared) else None,
        truth=places.one(truth),
    )
    if released is not None:
        return dataclasses.replace(cloud, released=places.one(mechanism.points_of(released)))
    drawn: dict[str, Any] = {"released": (mechanism, part(progress, 0.7, 0.8))}
    for beside in baselines(mechanism, data, privacy)[:1] if mechanism.unordered else ():
        if not beside.problems(privacy, data.domain, data.n):
            drawn["baseline"] = beside, part(progress, 0.8, 1.0)
            name = f"{beside.label[:1].lower()}{beside.label[1:]}"
            cloud = dataclasses.replace(cloud, baseline_name=name)
    values: dict[str, Any] = {
        name: places.one(simulated_values(one, data, privacy, runs=1, seed=seed, progress=share)[0])
        for name, (one, share) in drawn.items()
    }
    return dataclasses.replace(cloud, **values, simulated=True)


def place_released(
    mechanism: PointsMechanism, source: Space, released: Any, *, across: int = 0, up: int = 1
) -> Cloud:
    """Return what was released, and nothing else: no data are looked at (public).

    Parameters
    ----------
    mechanism : PointsMechanism
    source : Points, or what will make them
        Its public facts.
    released : list or float
        The value of a release.
    across, up : int
        Coordinates by number.

    Returns
    -------
    Cloud

    Examples
    --------
    Only the release itself; the data are asked for nothing but their bounds and names.

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> cloud = place_released(NoisyAverage(), data, [0.25, 0.5])
    >>> cloud.released.tolist(), cloud.truth
    ([[0.25, 0.5]], None)
    """
    seen = along_coordinates(coordinates(mechanism, source), (across, up))
    return Cloud(seen.directions, mechanism.noun, released=seen.points(mechanism.points_of(released)))


class _Places:
    """Where the points of outputs are along the directions of a projection."""

    def __init__(self, mechanism: PointsMechanism, data: Points, seen: Projection) -> None:
        self.seen = seen
        self._unordered, self._dimension = mechanism.unordered, data.domain.dimension

    def sets(self, vectors: ArrayLike) -> Floats:
        """Return vectors, shape (m, D), as sets of points, shape (m, k, d)."""
        array = np.atleast_2d(np.asarray(vectors, dtype=np.float64))
        return array.reshape(len(array), -1, self._dimension) if self._unordered else array[:, None, :]

    def all(self, vectors: ArrayLike) -> Floats:
        """Return the places of the points of vectors, shape (m, k, a)."""
        return self.seen.points(self.sets(vectors))

    def one(self, vector: ArrayLike) -> Floats:
        """Return those of one vector, shape (k, a)."""
        place: Floats = self.all(np.ravel(vector))[0]
        return place

    def regions(self, ready: Prepared) -> Floats:
        """Return the half-axes of the regions of the noise, shape (2, k, a)."""
        assert isinstance(ready, VectorPrepared)
        rng = reproducible(0)
        if isinstance(ready, VectorAdditive):
            noise = ready.simulated_noise(rng, DRAWS)
        else:
            noise = ready.draw(rng, ready.most_runs(DRAWS)) - ready.center
        return regions(self.seen.moves(self.sets(noise)))
