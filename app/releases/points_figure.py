"""Points as figures: what was released, and for the curator what lies behind it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from app.plots.clustering.point_cloud import PointCloud
from app.plots.figure_panel import FigurePanel
from app.releases.geometry import DRAWN, Coordinate, directions_of
from engine.analysis.clouds import Cloud
from engine.analysis.cluster_scenes import regions
from engine.analysis.shared.records import Records
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.mechanisms.aggregators import VectorAdditive, VectorPrepared
from engine.mechanisms.points import lives_with_data
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared

RUNS = 1000
"""Draws of the noise whose regions are drawn."""


def cloud(coordinates: list[Coordinate], value: Any, noun: str, simulated: bool) -> Cloud:
    """Show what was released among all possible results (public)."""
    released = None if value is None else _placed(value, len(coordinates))
    return Cloud(directions_of(coordinates), noun=noun, released=released, simulated=simulated)


def cloud_panel(title: str, view: Cloud, *, private: bool = False) -> FigurePanel:
    """Return the picture of a cloud."""
    return FigurePanel(title, PointCloud, view, private=private)


def among_records(run: Run, view: Cloud) -> Cloud:
    """Add the data, where they live in the same space (private)."""
    if not lives_with_data(run.mechanism, run.data.database.domain):
        return view
    records = Records.of(run.data.database.values[:, :DRAWN], view.window)
    return dataclasses.replace(view, records=records)


def beside_truth(run: Run, prepared: Prepared, view: Cloud) -> Cloud:
    """Add the true points, the outputs of blocks, and where the noise lies (private)."""
    mechanism, known = run.mechanism, prepared.diagnostics
    space, d = mechanism.space(run.data.database.domain), len(run.coordinates)
    drawn: dict[str, Any] = {"truth": _placed(known["true_value"], d)}
    if isinstance(mechanism, BlockMechanism):
        outputs = known["outputs"]
        drawn["outputs"] = outputs.reshape(len(outputs), -1, d)[..., :DRAWN]
        drawn["center"] = _placed(known["center"], d)
        drawn["center_name"] = mechanism.aggregator.label.lower()
    if "radius" in known:
        exact = space.name == "L2" and space.dimension <= DRAWN
        drawn |= {"radius": known["radius"], "majority": known["majority"], "exact": exact}
    return dataclasses.replace(view, regions=_regions(mechanism, prepared, d), **drawn)


def _placed(value: Any, d: int) -> np.ndarray:
    return np.asarray(value, dtype=np.float64).reshape(-1, d)[:, :DRAWN]


def _regions(mechanism: PointsMechanism, prepared: Prepared, d: int) -> np.ndarray | None:
    """Return where the noise lies, if it is the same around every point of a set."""
    if not isinstance(prepared, VectorPrepared):
        return None
    if mechanism.vectors.unordered:
        scales = np.reshape(prepared.scale, (-1, d)) if isinstance(prepared, VectorAdditive) else None
        if scales is None or not np.array_equal(scales, np.broadcast_to(scales[0], scales.shape)):
            return None
    noise = _noise(prepared)
    return regions(noise.reshape(RUNS, -1, d)[..., :DRAWN])


def _noise(prepared: VectorPrepared) -> np.ndarray:
    """Return simulated noise, shape (RUNS, D), before releases are moved into the box where it is known."""
    rng = reproducible(0)
    if isinstance(prepared, VectorAdditive):
        return prepared.simulated_noise(rng, RUNS)
    return prepared.draw(rng, RUNS) - prepared.center
