"""Balls as figures: what was released, and for the curator the data and the smallest balls beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from app.plots.one_cluster.map import BallMap
from app.releases.figures import FigurePanel
from app.releases.geometry import balls_of, coordinates_of, title_of
from app.releases.points_figure import DRAWN
from engine.analysis.ball_clouds import BallCloud, Disc
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.mechanisms.one_cluster import Ball

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.data.points import Points
    from engine.mechanisms import BallMechanism
    from engine.mechanisms.one_cluster.balls import BallsPrepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy


def balls_panel(
    mechanism: BallMechanism,
    privacy: Privacy,
    release: Release,
    prepared: BallsPrepared,
    data: LoadedRecords[Points],
    *,
    show_private: bool,
) -> FigurePanel:
    """Show released balls in the public bounds, or among the data."""
    public = _public(mechanism, release, data)
    if show_private:
        view = _private(mechanism, privacy, release, public, prepared, data)
        return FigurePanel(title_of(mechanism), BallMap, view)
    kind = "simulated, not a release" if release.simulated else "released"
    return FigurePanel(f"{title_of(mechanism)}: {kind}", BallMap, public, private=False)


def _public(mechanism: BallMechanism, release: Release, data: LoadedRecords[Points]) -> BallCloud:
    directions = tuple(Direction(at.name, at.unit, at.side) for at in coordinates_of(mechanism, data)[:DRAWN])
    found = [ball for ball in balls_of(release) if ball is not None]
    return BallCloud(
        directions,
        tuple(direction.side for direction in directions),
        balls=tuple(map(_disc, found)),
        mean=_mean(found),
        n=data.database.n,
        simulated=release.simulated,
        target=mechanism.t,
    )


def _private(
    mechanism: BallMechanism,
    privacy: Privacy,
    release: Release,
    public: BallCloud,
    prepared: BallsPrepared,
    data: LoadedRecords[Points],
) -> BallCloud:
    values, box, n = data.database.values, data.database.domain, data.database.n
    # the balls are those of the points on the public grid
    on_grid = mechanism.search(box, n, privacy).grid.placed(prepared.points)
    truth = mechanism.released(prepared.diagnostics["true_value"], box)
    true = [ball for ball in (truth if isinstance(truth, list) else [truth]) if ball is not None]
    found = [ball for ball in balls_of(release) if ball is not None]
    return dataclasses.replace(
        public,
        records=Records.of(values[:, :DRAWN], public.window),
        balls=tuple(_disc(ball, on_grid) for ball in found),
        truth=tuple(_disc(ball, on_grid) for ball in true),
        true_mean=_mean(true),
    )


def _disc(ball: Mapping[str, Any], points: np.ndarray | None = None) -> Disc:
    """Return a ball as it is drawn, and how many of the points it holds where they are given."""
    held = None
    if points is not None:
        held = int(Ball(tuple(ball["center"]), ball["radius"]).contains(points).sum())
    return Disc(np.array(ball["center"][:DRAWN]), ball["radius"], held)


def _mean(balls: list[Mapping[str, Any]]) -> np.ndarray | None:
    return next((np.array(ball["mean"][:DRAWN]) for ball in balls if "mean" in ball), None)
