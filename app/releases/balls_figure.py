"""Balls as figures: what was released, and for the curator the data and the true balls beside it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from app.plots.figure_panel import FigurePanel
from app.plots.one_cluster.map import BallMap
from app.releases.found import Found, found_of, held_by, records_on_grid
from app.releases.geometry import DRAWN, Coordinate, directions_of
from engine.analysis.ball_scenes import BallCloud, Disc
from engine.analysis.shared.records import Records

if TYPE_CHECKING:
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release


def public_balls(coordinates: list[Coordinate], release: Release, n: int = 0) -> BallCloud:
    """Show released balls in the public bounds.

    Parameters
    ----------
    n : int
        The public number of records; 0 where it is not known.
    """
    directions, results = directions_of(coordinates), found_of(release.value)
    return BallCloud(
        directions,
        tuple(direction.side for direction in directions),
        balls=tuple(map(_disc, results)),
        mean=_mean(results),
        n=n,
        simulated=release.simulated,
        target=int(release.parameters.get("t", 0)),
    )


def public_panel(title: str, view: BallCloud) -> FigurePanel:
    """Return the picture of what was released alone."""
    return FigurePanel(title, BallMap, view, private=False)


def private_panel(title: str, run: Run, release: Release, prepared: Prepared, view: BallCloud) -> FigurePanel:
    """Return the picture among the data, with how many records each ball holds."""
    records = records_on_grid(run, prepared)  # the balls are those of the points on the public grid
    truth = run.mechanism.output.released(prepared.diagnostics["true_value"], run.data.database.domain)
    shown = dataclasses.replace(
        view,
        records=Records.of(run.data.database.values[:, :DRAWN], view.window),
        balls=tuple(_disc(ball, records) for ball in found_of(release.value)),
        truth=tuple(_disc(ball, records) for ball in found_of(truth)),
        true_mean=_mean(found_of(truth)),
    )
    return FigurePanel(title, BallMap, shown)


def _disc(ball: Found, points: np.ndarray | None = None) -> Disc:
    """Return a ball as it is drawn, and how many of the points it holds where they are given."""
    held = None if points is None else held_by(ball, points)
    return Disc(np.array(ball["center"][:DRAWN]), ball["radius"], held)


def _mean(balls: list[Found]) -> np.ndarray | None:
    return next((np.array(ball["mean"][:DRAWN]) for ball in balls if "mean" in ball), None)
