"""Radii of balls: profiles along t, and a mechanism's choice of radius."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.aggregation.center_of_attention import Radii
from engine.analysis.ball_scenes import found_in_run, true_balls
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import radii_of_outputs
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms import BallMechanism, BlockMechanism
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine

MAX_CURVES = 200
"""Largest number of outputs with curves."""

_MAX_POINTS = 300  # of a curve
_SEED = 0  # public and fixed: the choice of outputs reveals nothing


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class RadiusProfile(ShownInALine):
    """The radii r(c, t) of outputs, and the levels U_k (private), from `profile_radii`."""

    center: Floats  # shape (m,); r(c, 1), ..., r(c, m) of the center of attention
    t: Ints  # shape (p,); some of 1, ..., m, increasing
    curves: Floats  # shape (c, p); r(c, t) of at most `MAX_CURVES` outputs
    majority: int  # t_0, and the number of outputs that one person can change
    s: int
    levels: Floats  # shape (q,); U_0, U_1, ... up to the first that is Λ.
    beta: float  # S = max exp(-beta k) U_k
    smooth: float
    argmax_k: int  # the k that determines S
    diameter: float  # Λ
    measure: str = ""  # what distances are of, from the space of the outputs

    @classmethod
    def of(cls, radii: Radii, beta: float, measure: str = "") -> RadiusProfile:
        """Compute the profile from the radii of all outputs; O(m^2)."""
        m, t0, s = radii.m, radii.majority, radii.s
        t = np.unique(np.linspace(1, m, min(m, _MAX_POINTS)).round().astype(np.int64))
        some = np.arange(m)
        if m > MAX_CURVES:
            some = np.sort(np.random.default_rng(_SEED).choice(m, MAX_CURVES, replace=False))
        bound = radii.smooth_bound(beta)
        near, levels = radii.smallest(1, t0), list[float]()
        while not levels or levels[-1] < radii.diameter:
            k = len(levels) + 1
            far = radii.smallest(1 + k * s, t0 + k * s)
            levels.append(min(radii.diameter, near + far))
            near = far
        return cls(
            center=radii.sorted_distances[radii.center],
            t=t,
            curves=radii.sorted_distances[np.ix_(some, t - 1)],
            majority=t0,
            s=s,
            levels=np.array(levels),
            beta=beta,
            smooth=bound.value,
            argmax_k=bound.argmax_k,
            diameter=radii.diameter,
            measure=measure,
        )

    @property
    def m(self) -> int:
        """Number of outputs."""
        return self.center.size

    @property
    def at_levels(self) -> Ints:
        """t_0 + k s for each level, shape (q,)."""
        return self.majority + self.s * np.arange(self.levels.size)

    @property
    def discounted(self) -> Floats:
        """exp(-beta k) U_k, shape (q,)."""
        discounts: Floats = np.exp(-self.beta * np.arange(self.levels.size))
        return self.levels * discounts

    def radius(self, t: int) -> float:
        """Return r(c, t) of the center of attention."""
        return float(self.center[t - 1]) if t <= self.m else self.diameter

    def findings(self) -> Iterator[Finding]:
        """Yield the bound, and its derivation."""
        yield Finding("smooth sensitivity bound S", self.smooth)
        yield Finding("the k that determines it", self.argmax_k)
        yield Finding(f"{self.majority} outputs are within", self.radius(self.majority))


def profile_radii(
    mechanism: BlockMechanism, data: Points, privacy: PrivacyLike, *, progress: Progress = silent
) -> RadiusProfile:
    """Return the radii around the outputs of blocks, which bound the center of attention (private)."""
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.4))
    radii = radii_of_outputs(mechanism, data, privacy, progress=part(progress, 0.4, 0.9))
    return RadiusProfile.of(radii, ready.noise["beta"], mechanism.vectors.space(data.domain).measure)


STEPS = ("first", "last")
"""The two choices of a radius: the size of the ball, and its extent around the center."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ChosenRadius(ShownInALine):
    """Counts against radii, and the choice of one radius (private), from `choose_radius`."""

    radii: Floats  # shape (J,); public, decreasing; the last one may be 0
    counts: Floats  # shape (J,); number of points for each radius
    target: float  # the search looks for the radius at which counts fall below this target (public)
    t: int  # number of points that the ball should hold (public)
    chosen: int  # index of the choice
    counted: str  # capped: L(r, S); cells, balls: in the fullest cell or ball; center: around the center
    truth: float | None = None  # radius of the smallest ball around a record that holds t records

    def findings(self) -> Iterator[Finding]:
        """Yield radii, counts, and the choice."""
        yield Finding("radii", self.radii, public=True)
        yield Finding("number of points for each radius", self.counts)
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
    """Simulate a run, and return its choice of a radius (private)."""
    privacy = as_privacy(privacy)
    result = found_in_run(mechanism, data, privacy, seed=seed, ball=ball, progress=part(progress, 0.0, 0.5))
    true = true_balls(mechanism, data, privacy, progress=part(progress, 0.5, 1.0)).balls
    smallest = true[min(ball, len(true) - 1)]
    choice, counted = result.scale, mechanism.search.finder(data.domain).counts_in or "capped"
    if step == "last" and result.reach is not None:
        choice, counted = result.reach, "center"
    return ChosenRadius(
        radii=choice.radii,
        counts=choice.counts,
        target=choice.target,
        t=mechanism.t,
        chosen=choice.chosen,
        counted=counted,
        truth=None if smallest is None else smallest.radius,
    )
