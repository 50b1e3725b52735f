"""How many points each radius is good for, and the radius that was chosen where they fall below t."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from engine.analysis.shared.ball_runs import found_in_run, true_balls
from engine.array_types import Floats
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms import BallMechanism
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine

STEPS = ("first", "last")
"""The choices of a radius: how large the ball is, and how far around the center it reaches."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ChosenRadius(ShownInALine):
    """Counts against radii, and the choice of one radius (private), from `choose_radius`.

    Attributes
    ----------
    radii : ndarray, shape (J,)
        Public, decreasing; the last one may be 0.
    counts : ndarray, shape (J,)
        How many points each radius is good for.
    target : float
        Where the counts are sought to fall below it (public).
    t : int
        How many points the ball is to hold (public).
    chosen : int
        The place of the choice.
    counted : {"capped", "cells", "center"}
        What the counts are: L(r, S), points in the fullest cell, points around the center.
    truth : float or None
        Radius of the smallest ball around a record that holds t records.
    """

    radii: Floats
    counts: Floats
    target: float
    t: int
    chosen: int
    counted: str
    truth: float | None = None

    @property
    def slack(self) -> float:
        """t less the target: by how many points the choice may miss (public)."""
        return self.t - self.target

    def findings(self) -> Iterator[Finding]:
        """Yield radii, counts, and the choice."""
        yield Finding("radii", self.radii, public=True)
        yield Finding("points that each is good for", self.counts)
        yield Finding("target", self.target, public=True)
        yield Finding("chosen radius", float(self.radii[self.chosen]))
        if self.truth is not None:
            yield Finding("true radius", self.truth)


def choose_radius(
    mechanism: BallMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    ball: int = 0,
    step: str = "first",
    progress: Progress = silent,
) -> ChosenRadius:
    """Simulate a run, and return how it has chosen a radius (private)."""
    privacy = as_privacy(privacy)
    found = found_in_run(mechanism, data, privacy, seed=seed, ball=ball, progress=part(progress, 0.0, 0.5))
    true = true_balls(mechanism, data, privacy, progress=part(progress, 0.5, 1.0)).balls
    smallest = true[min(ball, len(true) - 1)]
    in_cells = mechanism.search.finder(data.domain).in_cells
    choice, counted = found.scale, "cells" if in_cells else "capped"
    if step == "last" and found.reach is not None:
        choice, counted = found.reach, "center"
    return ChosenRadius(
        radii=choice.radii,
        counts=choice.counts,
        target=choice.target,
        t=mechanism.t,
        chosen=choice.chosen,
        counted=counted,
        truth=None if smallest is None else smallest.radius,
    )
