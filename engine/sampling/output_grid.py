"""The public grid to which released numbers are rounded."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.randomness import is_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

    from engine.sampling.balls import Bits, Exact


FINENESS = 40
"""The grid has this many binary digits below the sensitivity: too fine to matter, and exact in doubles."""

DIGITS = 53
"""Binary digits of a double."""


class Law(Protocol):
    """Noise of scale 1, such as a family of `engine.noise`."""

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        """Draw for a simulation; shape `size`."""

    def enclosed(self, bits: Bits) -> arb:
        """Return a ball around one draw for a release, which depends on random bits alone."""


_Number = TypeVar("_Number", float, Floats)


def outward(number: _Number) -> _Number:
    """Enlarge positive public numbers by more than a few rounding errors."""
    return number * (1 + 2.0**-48)


def round_up(number: Fraction) -> float:
    """Return the smallest double that is at least a public number."""
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else math.nextafter(nearest, math.inf)


def finest_step(sensitivity: float, magnitude: float) -> float:
    """Return the public grid step for results of this sensitivity and at most this magnitude.

    It is 2^(floor(log2 sensitivity) - 40), or more if doubles up to `magnitude` are farther apart.
    """
    exponent = math.frexp(sensitivity)[1] - 1 - FINENESS
    return math.ldexp(1.0, max(exponent, math.frexp(magnitude)[1] - DIGITS, -1021))


@dataclasses.dataclass(frozen=True)
class OutputGrid:
    """Whole multiples of a public step, clamped to public bounds if the mechanism clamps its results."""

    step: float  # the declared resolution, or that of `finest_step` if this is coarser
    declared: bool = False  # whether `step` is the declared resolution; a simulation rounds to no other
    lower: float = -math.inf  # bounds; infinite if results are not clamped
    upper: float = math.inf

    @classmethod
    def of(
        cls,
        sensitivity: float,
        lower: float,
        upper: float,
        resolution: float | None = None,
        clamped: bool = True,
    ) -> OutputGrid:
        """Return the grid for results between two bounds; everything here is public."""
        step = finest_step(sensitivity, max(abs(lower), abs(upper)))
        declared = resolution is not None and resolution > step
        bounds = (lower, upper) if clamped else (-math.inf, math.inf)
        return cls(resolution if declared and resolution is not None else step, declared, *bounds)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest grid point between the bounds; infinite if results are not clamped."""
        step = Fraction(self.step)
        low, high = self.lower, self.upper
        if math.isfinite(low):
            low = float(math.ceil(Fraction(low) / step) * step)
        if math.isfinite(high):
            high = float(math.floor(Fraction(high) / step) * step)
        return low, high

    @property
    def unclamped(self) -> OutputGrid:
        """The same grid without bounds."""
        return dataclasses.replace(self, lower=-math.inf, upper=math.inf)

    def point(self, index: int) -> float:
        """Return the grid point with an index, clamped to the bounds."""
        point, (low, high) = index * Fraction(self.step), self.ends
        if not low < point < high:
            return low if point <= low else high
        try:
            return float(point)
        except OverflowError:  # too large for a double: return the largest
            return math.copysign(np.finfo(np.float64).max, 1 if index > 0 else -1)

    def nearest(self, value: Callable[[], arb]) -> float:
        """Return the grid point nearest to a value that balls enclose."""
        from engine.sampling.balls import nearest_multiple

        return self.point(nearest_multiple(value, self.step))

    def snap(self, values: Floats) -> Floats:
        """Return the grid points nearest to doubles that are computed from released numbers alone.

        The step must be a power of two, so that dividing by it and multiplying with it rounds nothing.
        """
        low, high = (self.point(index) / self.step for index in (-(2**60), 2**60))
        points: Floats = np.clip(np.rint(values / self.step), low, high) * self.step
        return points

    def round_values(self, values: Floats) -> Floats:
        """Round and clamp simulated values as a release would; round only to a declared resolution."""
        if self.declared:
            with np.errstate(over="ignore"):
                steps = np.round(values / self.step)
            values = np.where(np.isfinite(steps), steps * self.step + 0.0, values)  # no -0
        return self.clamp(values)

    def clamp(self, values: Floats) -> Floats:
        """Clamp values to the grid points at the bounds."""
        inside: Floats = np.clip(values, *self.ends)
        return inside

    snapped, rounded, clamped = snap, round_values, clamp  # former names, used by plug-ins

    def noisy(self, value: Exact, scale: float, law: Law, rng: np.random.Generator, size: int) -> Floats:
        """Return a number with noise, drawn `size` times; number and scale are not rounded before."""
        if not is_release(rng):
            return self.round_values(float(value) + scale * law.sample(rng, size))
        return np.array([self._released(value, scale, law) for _ in range(size)], dtype=np.float64)

    def _released(self, value: Exact, scale: float, law: Law) -> float:
        from engine.sampling.balls import Bits, ball

        bits = Bits()
        return self.nearest(lambda: ball(value) + ball(scale) * law.enclosed(bits))
