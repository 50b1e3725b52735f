"""Contents of plots of points: records, outputs of blocks, centers, and releases."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.shared.projections import Direction, SpaceScene
from engine.analysis.shared.records import Records
from engine.array_types import Floats
from engine.domain import Interval
from engine.findings import Finding

_KINDS = ("records", "outputs", "center", "truth", "baseline", "released")
_CLOSEUP_REACH, _OUTPUTS_SHARE, _MIN_CLOSEUP_SHARE = 1.5, 0.95, 1e-6  # of a close-up, as a share of the sides
_NOISE_REACH, _REGION_REACH = 2.5, 1.1  # of a close-up: distances of one release, or of its region


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Cloud(SpaceScene):
    """Elements of a plot in the space of centers; None is not drawn.

    Returned by `data_scene`, `outputs_scene` and `release_scene`.  Public are only `released`, `baseline`,
    their names, and `directions` unless derived from the data.  All else is private.
    """

    directions: tuple[Direction, ...]  # one or two; a is their number
    noun: str = "center"  # name of one point of an output: "center", "mean", "coefficient"
    zoom: tuple[Interval, ...] | None = None  # part to enlarge; None for none
    records: Records | None = None  # the data, if they live in the same space
    enlarged: int | None = None  # index of the point that a close-up is about
    outputs: Floats | None = None  # shape (m, k, a); output of the function for each block
    center: Floats | None = None  # shape (k, a); the aggregate without noise
    center_name: str = "center of attention"  # name of the aggregate
    radius: float | None = None  # t_0-radius around the center of attention, in the metric of outputs
    majority: int = 0  # t_0: number of outputs within `radius`
    released: Floats | None = None  # shape (k, a); the released value
    # shape (2, k, a); half-axes of the ellipses that hold the noise of each center with probabilities
    # `SHARES`.  They are centered at the release, or at the aggregate before a release.
    regions: Floats | None = None
    baseline: Floats | None = None  # shape (k, a); release of another mechanism
    baseline_name: str = "noisy Lloyd"
    truth: Floats | None = None  # shape (k, a); the function of all records
    error: float | None = None  # distance of `released`, or else `center`, from the truth; as that of outputs
    joined: bool = False  # whether the points of each mark are the ends of a line, such as a fitted one
    simulated: bool = False  # whether `released` and `baseline` are simulated, and so private

    @property
    def window(self) -> tuple[Interval, ...]:
        """Visible range along each direction; of two, also that of the whole beside an enlarged part."""
        part = self.zoom if self.flat else None
        return part or tuple(direction.side for direction in self.directions)

    def closeup(self, index: int) -> Cloud:
        """Return a cloud with an enlarged part around one of the aggregate's points, as wide as most outputs.

        Without outputs, it is about a true point, and as wide as a release with its noise.  Along one
        direction records are left out: at this scale they would hide the outputs.
        """
        released = self.outputs is None
        center, points = (self.truth, self.released) if released else (self.center, self.outputs)
        if center is None or points is None:
            return self
        here, sizes = center[index], np.array([direction.side.width for direction in self.directions])

        def away(sets: Floats) -> Floats:  # of the nearest point of each set, as a share of the sides
            nearest: Floats = (np.abs(sets - here) / sizes).max(axis=-1).min(axis=-1)
            return nearest

        reach = (_NOISE_REACH if released else _CLOSEUP_REACH) * np.quantile(away(points), _OUTPUTS_SHARE)
        if released and self.regions is not None:
            reach = _REGION_REACH * np.max(away(points) + (self.regions[-1] / sizes).max())
        if np.isnan(reach):  # some releases were refused
            return self
        share = max(float(reach), _MIN_CLOSEUP_SHARE)
        ends = zip((here - share * sizes).tolist(), (here + share * sizes).tolist(), strict=True)
        far = self.baseline is not None and away(self.baseline) > share
        zoom = tuple(Interval(low, high) for low, high in ends)
        return dataclasses.replace(
            self,
            zoom=zoom,
            records=None if self.flat else self.records,
            enlarged=index,
            baseline=None if far else self.baseline,
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of elements, in the order of their lanes."""
        return tuple(
            kind
            for kind in _KINDS
            if getattr(self, kind) is not None or (kind == "released" and self.regions is not None)
        )

    @property
    def middle(self) -> Floats | None:
        """Centers of the noise regions."""
        return self.center if self.released is None else self.released

    def findings(self) -> Iterator[Finding]:
        """Yield the elements, each point by its coordinates along the directions."""
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
            # the ends of a line may follow from the means of columns
            yield Finding(name, self.released, public=not self.simulated and not self.joined)
