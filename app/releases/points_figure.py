"""Releases of points as figures: what was released, and for the curator what lies behind it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from app.plots.clustering.point_cloud import PointCloud
from app.releases.figures import FigurePanel
from app.releases.geometry import coordinates_of, is_among_data, title_of
from engine.analysis.clouds import Cloud
from engine.analysis.distribution import RUNS
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.analysis.shared.regions import regions
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.mechanisms.aggregators import VectorAdditive, VectorPrepared
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.data.points import Points
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

DRAWN = 2
"""A picture has two directions: the first two coordinates."""


def points_panel(
    mechanism: PointsMechanism,
    release: Release,
    prepared: Prepared,
    data: LoadedRecords[Points],
    *,
    show_private: bool,
) -> FigurePanel:
    """Show a release among all possible results, or among the data and the outputs of blocks."""
    public = _public(mechanism, release, data)
    if show_private:
        return FigurePanel(title_of(mechanism), PointCloud, _private(mechanism, public, prepared, data))
    return _alone(mechanism, public)


def released_panel(
    mechanism: PointsMechanism, release: Release, data: LoadedRecords[Points], *, show_private: bool
) -> FigurePanel:
    """Show a release among all possible results, or among the data: there is no true one of its kind."""
    public = _public(mechanism, release, data)
    if not show_private:
        return _alone(mechanism, public)
    records = Records.of(data.database.values[:, :DRAWN], public.window)
    return FigurePanel(title_of(mechanism), PointCloud, dataclasses.replace(public, records=records))


def _alone(mechanism: PointsMechanism, public: Cloud) -> FigurePanel:
    kind = "simulated, not a release" if public.simulated else "released"
    return FigurePanel(f"{title_of(mechanism)}: {kind}", PointCloud, public, private=False)


def _public(mechanism: PointsMechanism, release: Release, data: LoadedRecords[Points]) -> Cloud:
    coordinates = coordinates_of(mechanism, data)
    return Cloud(
        tuple(Direction(at.name, at.unit, at.side) for at in coordinates[:DRAWN]),
        noun="center" if mechanism.unordered else "value",
        released=None if release.value is None else _placed(release.value, len(coordinates)),
        simulated=release.simulated,
    )


def _private(
    mechanism: PointsMechanism, public: Cloud, prepared: Prepared, data: LoadedRecords[Points]
) -> Cloud:
    known = prepared.diagnostics
    space, d = mechanism.space(data.database.domain), len(coordinates_of(mechanism, data))
    drawn: dict[str, Any] = {"truth": _placed(known["true_value"], d)}
    if is_among_data(mechanism):
        values = data.database.values[:, :DRAWN]
        drawn["records"] = Records.of(values, public.window)
    if isinstance(mechanism, BlockMechanism):
        outputs = known["outputs"]
        drawn["outputs"] = outputs.reshape(len(outputs), -1, d)[..., :DRAWN]
        drawn["center"] = _placed(known["center"], d)
        drawn["center_name"] = mechanism.aggregator.label.lower()
    if "radius" in known:
        exact = space.name == "L2" and space.dimension <= DRAWN
        drawn |= {"radius": known["radius"], "majority": known["majority"], "exact": exact}
    return dataclasses.replace(public, regions=_regions(mechanism, prepared, d), **drawn)


def _placed(value: Any, d: int) -> np.ndarray:
    return np.asarray(value, dtype=np.float64).reshape(-1, d)[:, :DRAWN]


def _regions(mechanism: PointsMechanism, prepared: Prepared, d: int) -> np.ndarray | None:
    """Return where the noise lies, if it is the same around every point of a set."""
    if not isinstance(prepared, VectorPrepared):
        return None
    if mechanism.unordered:
        scales = np.reshape(prepared.scale, (-1, d)) if isinstance(prepared, VectorAdditive) else None
        if scales is None or not np.array_equal(scales, np.broadcast_to(scales[0], scales.shape)):
            return None
    noise = _noise(prepared)
    return regions(noise.reshape(RUNS, -1, d)[..., :DRAWN])


def _noise(prepared: VectorPrepared) -> np.ndarray:
    """Return simulated noise, shape (RUNS, D), before releases are moved into the box where it is known."""
    rng = reproducible(0)
    if isinstance(prepared, VectorAdditive):
        return prepared.scale * prepared.family.sample(rng, (RUNS, prepared.center.size))
    return prepared.draw(rng, RUNS) - prepared.center
