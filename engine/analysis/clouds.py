"""What pictures of clouds show: records, outputs of blocks, centers, and what was released."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.array_types import Floats
from engine.domain import Interval
from engine.findings import Finding
from engine.shown import ShownInALine

_KINDS = ("records", "outputs", "center", "truth", "baseline", "released")
_AROUND, _OUTPUTS_SHARE, _CLOSEST = 1.5, 0.95, 1e-6  # of a close-up, in shares of the sides


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Cloud(ShownInALine):
    """What is known in the space where centers live; None is not drawn.

    `data_scene`, `outputs_scene` and `release_scene` return one.  Only `directions`
    (unless they say otherwise), `released`, `baseline` and their names are public; all else is private.
    """

    directions: tuple[Direction, ...]  # One or two; a of them below
    noun: str = "center"  # What one point of an output is: "center", "mean", "coefficient"
    zoom: tuple[Interval, ...] | None = None  # The part that is in view; None for all of `directions`
    records: Records | None = None  # The data, where they live in the same space
    outputs: Floats | None = None  # shape (m, k, a); What the function gave for each block
    center: Floats | None = None  # shape (k, a); The aggregate without noise
    center_name: str = "center of attention"  # What the aggregate is called
    radius: float | None = None  # Around the center of attention: t_0-radius, in the metric of outputs
    majority: int = 0  # t_0: so many outputs lie within `radius`
    # Whether the circle is the ball itself: one center, of which every coordinate is drawn. Otherwise each
    # center of these outputs lies in its circle, and the circles are an upper bound.
    exact: bool = False
    released: Floats | None = None  # shape (k, a); What was released
    # shape (2, k, a); Half-axes of the ellipses that hold the noise of each center with probabilities
    # `SHARES`. They are drawn around what was released; before a release, around the center.
    regions: Floats | None = None
    baseline: Floats | None = None  # shape (k, a); What another mechanism released
    baseline_name: str = "noisy Lloyd"
    truth: Floats | None = None  # shape (k, a); The function of all records
    simulated: bool = False  # Whether `released` and `baseline` are simulated, and so private

    @property
    def window(self) -> tuple[Interval, ...]:
        """What is in view along each direction."""
        return self.zoom or tuple(direction.side for direction in self.directions)

    def closeup(self, index: int) -> Cloud:
        """Return the view of what lies around one of the aggregate's points, as far as the outputs do.

        The data are left out: from so near, they hide what they are the background of.
        """
        if self.center is None or self.outputs is None:
            return self
        here = self.center[index]
        sizes = np.array([direction.side.width for direction in self.directions])
        away = np.abs(self.outputs - here) / sizes
        nearest = away.max(axis=2).min(axis=1)
        reach = max(_AROUND * float(np.quantile(nearest, _OUTPUTS_SHARE)), _CLOSEST) * sizes
        around = zip((here - reach).tolist(), (here + reach).tolist(), strict=True)
        return dataclasses.replace(self, zoom=tuple(Interval(*ends) for ends in around), records=None)

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What there is, in the order of its lanes."""
        return tuple(
            kind
            for kind in _KINDS
            if getattr(self, kind) is not None or (kind == "released" and self.regions is not None)
        )

    @property
    def middle(self) -> Floats | None:
        """Around what the regions are drawn."""
        return self.center if self.released is None else self.released

    def findings(self) -> Iterator[Finding]:
        """Yield what there is, each point by its coordinates along the directions."""
        if self.records is not None:
            yield Finding("records", self.records.n, public=True)
        if self.outputs is not None:
            yield Finding("outputs of blocks", self.outputs)
        if self.radius is not None:
            yield Finding(f"{self.majority} outputs are within", self.radius)
        marks = {
            self.center_name: self.center,
            f"true {self.noun}": self.truth,
            self.baseline_name: self.baseline,
        }
        yield from (Finding(name, points) for name, points in marks.items() if points is not None)
        if self.released is not None:
            name = "one simulated release" if self.simulated else "released"
            yield Finding(name, self.released, public=not self.simulated)
