"""The public grid on which numbers are released."""

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
"""Binary digits of a release below the sensitivity: too fine to be seen, and few enough for doubles."""

DIGITS = 53
"""Binary digits of a double."""


class Law(Protocol):
    """Noise of scale 1, as the families of `engine.noise` are."""

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        """Draw for a simulation."""

    def enclosed(self, bits: Bits) -> arb:
        """Return a ball around one draw for a release, a function of random bits alone."""


_Number = TypeVar("_Number", float, Floats)


def outward(number: _Number) -> _Number:
    """Return public numbers above 0 enlarged by more than a few roundings can have taken from them."""
    return number * (1 + 2.0**-48)


def round_up(number: Fraction) -> float:
    """Return the smallest double that is not below a public number."""
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else math.nextafter(nearest, math.inf)


def finest_step(sensitivity: float, magnitude: float) -> float:
    """Return the public step of a grid for results of a sensitivity, none larger than `magnitude`.

    2^(floor(log2 sensitivity) - 40), or more where the doubles up to `magnitude` are farther apart.
    """
    exponent = math.frexp(sensitivity)[1] - 1 - FINENESS
    return math.ldexp(1.0, max(exponent, math.frexp(magnitude)[1] - DIGITS, -1021))


@dataclasses.dataclass(frozen=True)
class OutputGrid:
    """Whole multiples of a public step, between public bounds where results are clamped to those."""

    step: float  # The resolution that was declared, or that of `finest_step` where it is the coarser one
    declared: bool = False  # Whether it is the declared one.  A simulation rounds to that alone.
    lower: float = -math.inf  # Bounds; infinite where results are not clamped
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
        """Return the grid for results between two bounds, all of it from public facts alone."""
        step = finest_step(sensitivity, max(abs(lower), abs(upper)))
        declared = resolution is not None and resolution > step
        bounds = (lower, upper) if clamped else (-math.inf, math.inf)
        return cls(resolution if declared and resolution is not None else step, declared, *bounds)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest point between the bounds; infinite where results are not clamped."""
        step = Fraction(self.step)
        low, high = self.lower, self.upper
        if math.isfinite(low):
            low = float(math.ceil(Fraction(low) / step) * step)
        if math.isfinite(high):
            high = float(math.floor(Fraction(high) / step) * step)
        return low, high

    @property
    def unclamped(self) -> OutputGrid:
        """The same points, and all beyond the bounds."""
        return dataclasses.replace(self, lower=-math.inf, upper=math.inf)

    def point(self, index: int) -> float:
        """Return the point of an index, moved to the nearest one between the bounds."""
        point, (low, high) = index * Fraction(self.step), self.ends
        if not low < point < high:
            return low if point <= low else high
        try:
            return float(point)
        except OverflowError:  # no double is as large: the largest is the nearest
            return math.copysign(np.finfo(np.float64).max, 1 if index > 0 else -1)

    def nearest(self, value: Callable[[], arb]) -> float:
        """Return the point nearest to a value that is known as balls."""
        from engine.sampling.balls import nearest_multiple

        return self.point(nearest_multiple(value, self.step))

    def snap(self, values: Floats) -> Floats:
        """Return the points nearest to doubles, which are made of released numbers alone.

        For a step that is a power of two: dividing by it and multiplying with it rounds nothing.
        """
        low, high = (self.point(index) / self.step for index in (-(2**60), 2**60))
        points: Floats = np.clip(np.rint(values / self.step), low, high) * self.step
        return points

    def round_values(self, values: Floats) -> Floats:
        """Return simulated values as they are released: rounded where a resolution is declared, clamped."""
        if self.declared:
            with np.errstate(over="ignore"):
                steps = np.round(values / self.step)
            values = np.where(np.isfinite(steps), steps * self.step + 0.0, values)  # no -0
        return self.clamp(values)

    def clamp(self, values: Floats) -> Floats:
        """Return values moved between the points at the bounds."""
        inside: Floats = np.clip(values, *self.ends)
        return inside

    snapped, rounded, clamped = snap, round_values, clamp  # mechanisms from outside may call them so

    def noisy(self, value: Exact, scale: float, law: Law, rng: np.random.Generator, size: int) -> Floats:
        """Return a number with noise, drawn `size` times; number and scale enter as they are."""
        if not is_release(rng):
            return self.round_values(float(value) + scale * law.sample(rng, size))
        return np.array([self._released(value, scale, law) for _ in range(size)], dtype=np.float64)

    def _released(self, value: Exact, scale: float, law: Law) -> float:
        from engine.sampling.balls import Bits, ball

        bits = Bits()
        return self.nearest(lambda: ball(value) + ball(scale) * law.enclosed(bits))
