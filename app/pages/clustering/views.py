"""Clouds of points along the directions that a person chose, worked out in a worker."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.kinds.points import PointsBuilder
from app.model.selection import Selection
from app.pages.base.projections import Axes, Projection, along, columns, of_data
from app.plots.clustering.cloud_view import CloudView, Direction, Records, regions
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.mechanisms.aggregators import CenterOfAttention, VectorAdditive, VectorPrepared
from engine.randomness import reproducible

DRAWS = 4_000
"""Draws from which the regions of noise are taken."""

Floats = NDArray[np.float64]


def lives_with_data(mechanism: PointsMechanism, box: Box) -> bool:
    """Tell whether outputs are points among the data, or sets of such."""
    return mechanism.unordered or mechanism.space(box).box == box


def coordinates(mechanism: PointsMechanism, source: PointsBuilder) -> tuple[Direction, ...]:
    """Return the directions that are coordinates of what is released (public)."""
    box = source.domain
    if lives_with_data(mechanism, box):
        return columns(source)
    sides = mechanism.space(box).box.sides
    names = mechanism.coordinates(source.columns, box)
    return tuple(Direction(name, "", side) for name, side in zip(names, sides, strict=True))


def along_columns(mechanism: PointsMechanism, source: PointsBuilder, axes: Axes) -> Projection:
    """Return the projection on coordinates of what is released, from public facts alone."""
    return along(coordinates(mechanism, source), axes)


def projection(mechanism: PointsMechanism, source: PointsBuilder, points: Points, axes: Axes) -> Projection:
    """Return the projection on coordinates or principal components of the data (private)."""
    if lives_with_data(mechanism, points.domain):
        return of_data(source, points, axes)
    return along_columns(mechanism, source, axes)


def sets(vectors: Any, dimension: int, unordered: bool) -> Floats:
    """Return vectors, shape (m, D), as sets of points of that dimension, shape (m, k, d)."""
    array = np.atleast_2d(np.asarray(vectors, dtype=np.float64))
    return array.reshape(len(array), -1, dimension) if unordered else array[:, None, :]


class Clouds:
    """Makes the clouds of one setup; everything but `public_cloud` is private."""

    def __init__(self, setup: Selection, points: Points, seen: Projection) -> None:
        self._setup = setup
        self._points = points
        self._seen = seen
        self._unordered = setup.mechanism.unordered
        self._dimension = points.domain.dimension

    def data(self, records: Records, truth: Floats | None) -> CloudView:
        """Show the records, and the function of all of them as far as it is known."""
        return self._view(records=records, truth=None if truth is None else self._one(truth))

    def outputs(self, ready: VectorPrepared, truth: Floats, zoom: int | None) -> CloudView:
        """Show the outputs of the blocks, and their center with its ball; or what is near one center."""
        facts, mechanism = ready.diagnostics, self._setup.mechanism
        assert isinstance(mechanism, BlockMechanism)
        attention = isinstance(mechanism.aggregator, CenterOfAttention)
        outputs = self._places(facts["outputs"])
        space, center = mechanism.space(self._points.domain), self._one(ready.center)
        view = self._view(
            outputs=outputs,
            center=center,
            center_name=mechanism.aggregator.label.lower(),
            radius=facts["radius"] if attention else None,
            majority=facts["majority"] if attention else 0,
            exact=outputs.shape[1] == 1 and space.dimension == outputs.shape[2] and space.name == "L2",
            truth=self._one(truth),
        )
        return view if zoom is None or zoom >= len(center) else view.closeup(zoom)

    def release(
        self, ready: Any, truth: Floats, released: Floats, baseline: Floats | None, *, simulated: bool
    ) -> CloudView:
        """Show what is released, with the regions of its noise, and a baseline beside it."""
        vectors = isinstance(ready, VectorPrepared)
        return self._view(
            center=self._one(ready.center) if vectors else None,
            center_name="without noise",
            released=self._one(released),
            regions=self._regions(ready) if vectors else None,
            baseline=None if baseline is None else self._one(baseline),
            truth=self._one(truth),
            simulated=simulated,
        )

    def _regions(self, ready: VectorPrepared) -> Floats:
        rng = reproducible(0)
        if isinstance(ready, VectorAdditive):
            noise = ready.scale * ready.family.sample(rng, (DRAWS, ready.center.size))
        else:
            noise = ready.draw(rng, DRAWS) - ready.center
        return regions(self._seen.moves(self._sets(noise)))

    def _view(self, **known: Any) -> CloudView:
        return CloudView(directions=self._seen.directions, noun=self._setup.mechanism.noun, **known)

    def _sets(self, vectors: Any) -> Floats:
        return sets(vectors, self._dimension, self._unordered)

    def _places(self, vectors: Any) -> Floats:
        return self._seen.points(self._sets(vectors))

    def _one(self, vector: Any) -> Floats:
        place: Floats = self._places(np.ravel(vector))[0]
        return place


def public_cloud(setup: Selection, value: Any, axes: Axes) -> CloudView:
    """Show what was released, and the public bounds; nothing else is looked at."""
    seen = along_columns(setup.mechanism, setup.source, axes)
    released = seen.points(np.atleast_2d(np.asarray(value, dtype=np.float64)))
    return CloudView(seen.directions, noun=setup.mechanism.noun, released=released)
