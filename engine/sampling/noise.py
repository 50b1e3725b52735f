"""Laplace and Gaussian noise on many numbers at once, rounded to a public grid or compared to thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats
from engine.errors import ParameterError
from engine.randomness import SeedLike, as_generator, is_release, random_words
from engine.signatures import explained

if TYPE_CHECKING:
    from flint import arb


LAPLACE, GAUSSIAN = "laplace", "gaussian"

FINENESS, COARSENESS = 20, 40
"""The step of the grid is 2^-20 of the scale, or up to 2^-40 of it for large scales, and often 1."""

ACCURACY = 2.0**-44
"""Bound on the relative error of numpy's logarithm and scipy's normal quantile, which err by about 2^-50."""

MIN_UNITS = 1 << 20
"""A uniform number below this many units of 2^-53 has too few digits for a bound on the quantile."""


def noise_step(scale: float) -> float:
    """Return the public step to which noise of a public scale is rounded.

    The step is a power of two near 2^-20 of the scale, too fine to matter.  From a scale of 2^19 on it is
    1, and from 2^40 on more.

    Parameters
    ----------
    scale : float
        Scale of the noise, above 0.

    Returns
    -------
    float

    See Also
    --------
    add_noise, Interval

    Examples
    --------
    >>> noise_step(2.0), noise_step(1e7)
    (3.814697265625e-06, 1.0)
    """
    digits = math.frexp(scale)[1]
    return math.ldexp(1.0, min(digits - FINENESS, max(0, digits - COARSENESS)))


@explained
def add_noise(
    values: ArrayLike,
    scale: float,
    family: str = LAPLACE,
    step: float | None = None,
    rng: SeedLike | None = None,
) -> Floats:
    """Add independent noise to values and round the sums to multiples of a public step.

    A release is the exact rounding of the real sum, so no bit reveals how doubles are rounded.  You must
    prove how much noise hides a person.  The values enter as the doubles that they are.

    Parameters
    ----------
    values : array_like, any shape
        Private doubles.
    scale : float
        Mean absolute value of Laplace noise, or standard deviation of Gaussian noise.  Public.
    family : {"laplace", "gaussian"}
    step : float, optional
        Power of two; default `noise_step(scale)`.  If the values are multiples of it, only the noise is
        rounded.  Public.
    rng : Generator, optional
        Default: the operating system's entropy.  A seeded generator makes a simulation.

    Returns
    -------
    ndarray
        Multiples of the step; beyond 2^53 steps the nearest doubles.

    Raises
    ------
    ParameterError
        If the scale is not a finite number above 0, or the family is unknown.

    See Also
    --------
    noise_step, is_above, Laplace

    Examples
    --------
    One record changes a count by at most 1, so scale 1/epsilon makes the count epsilon-DP.

    >>> from engine import add_noise
    >>> noisy = add_noise([120.0, 45.0], scale=1 / 0.5, step=1.0)
    >>> noisy.shape, bool((noisy % 1 == 0).all())
    ((2,), True)
    """
    if not (scale > 0 and math.isfinite(scale)):
        raise ParameterError("scale", f"{scale!r} is not possible; it must be a finite number above 0")
    if family not in (LAPLACE, GAUSSIAN):
        raise ParameterError("family", f"{family!r} is not possible; choose {LAPLACE} or {GAUSSIAN}")
    array = np.asarray(values, dtype=np.float64)
    step = noise_step(scale) if step is None else step
    rng = as_generator(rng)
    if is_release(rng):
        return _Drawn(array.size, family).round(np.ravel(array), scale, step).reshape(array.shape)
    draw = rng.laplace if family == LAPLACE else rng.normal
    noisy: Floats = np.rint((array + draw(0.0, scale, array.shape)) / step) * step
    return noisy


def is_above(values: ArrayLike, scale: float, threshold: float, rng: SeedLike | None = None) -> Bools:
    """Add Laplace noise to each value and return whether the sum is above a threshold.

    Parameters
    ----------
    values : array_like, any shape
        Private doubles, used without rounding.
    scale : float
        Scale of the noise.  Public.
    threshold : float
        Public.
    rng : Generator, optional
        Default: the operating system's entropy, which makes the decisions exact.

    Returns
    -------
    ndarray of bool

    See Also
    --------
    NoisyThreshold, add_noise

    Examples
    --------
    >>> from engine import is_above
    >>> is_above([0.0, 100.0], scale=1.0, threshold=50.0).tolist()
    [False, True]
    """
    array = np.asarray(values, dtype=np.float64)
    rng = as_generator(rng)
    if is_release(rng):
        return _Drawn(array.size, LAPLACE).above(np.ravel(array), scale, threshold).reshape(array.shape)
    return np.asarray(array + rng.laplace(0.0, scale, array.shape) > threshold)


class NoisyThreshold:
    """A threshold with Laplace noise, to compare with noisy values (sparse vector technique).

    A release compares the real numbers, without rounding.

    Parameters
    ----------
    threshold : float
    scale : float
        Scale of the threshold's noise.  Public.
    rng : Generator, optional
        Default: the operating system's entropy, which makes all decisions exact.

    See Also
    --------
    is_above, add_noise

    Examples
    --------
    AboveThreshold with epsilon = 1: one person changes each value by at most 1, and the first value that
    reaches the threshold ends it.

    >>> from engine import NoisyThreshold
    >>> threshold = NoisyThreshold(500.0, scale=2.0)
    >>> [threshold.reached_by(value, scale=4.0) for value in (3.0, 8.0, 1000.0)]
    [False, False, True]
    """

    def __init__(self, threshold: float, scale: float, rng: SeedLike | None = None) -> None:
        self._rng = as_generator(rng)
        if is_release(self._rng):
            self._noisy = _Single(threshold, scale)
        else:
            self._simulated = threshold + float(self._rng.laplace(scale=scale))

    def reached_by(self, value: float, scale: float) -> bool:
        """Return whether the value with fresh Laplace noise is at least the noisy threshold."""
        if is_release(self._rng):
            return _Single(value, scale).above(self._noisy)
        return value + float(self._rng.laplace(scale=scale)) >= self._simulated


class _Drawn:
    """Noise of scale 1 for a release: as doubles with a bound on the error, and as balls.

    A word of 64 random bits gives a sign and the first digits of a uniform number U; the noise is the
    quantile at U/2.
    """

    def __init__(self, size: int, family: str) -> None:
        self.raw = random_words(size)
        self.family = family
        units = self.raw >> np.uint64(11)
        uniform = (units + 0.5) * 2.0**-53
        if family == LAPLACE:
            magnitude = -np.log(uniform)
        else:
            from scipy.special import ndtri

            magnitude = -ndtri(uniform / 2)
        # one unit of U moves either quantile by less than 2^-52/U; for a Gaussian because the tail is at
        # most 1.26 times the density (Mills)
        self.error = ACCURACY * (1 + magnitude) + 2.0**-52 / uniform
        self.error[units < MIN_UNITS] = np.inf
        self.noise = np.where(self.raw & np.uint64(1), -magnitude, magnitude)

    def round(self, values: Floats, scale: float, step: float) -> Floats:
        """Return values plus noise, rounded to the nearest multiples of a step."""
        low, high = (np.floor(end / step + 0.5) for end in self.ends(values, scale))
        index = low
        for position in np.flatnonzero(low != high):
            index[position] = self._round(int(position), float(values[position]), scale, step)
        return index * step

    def above(self, values: Floats, scale: float, threshold: float) -> Bools:
        """Return which values plus noise are above a threshold."""
        low, high = self.ends(values, scale)
        above: Bools = low > threshold
        for position in np.flatnonzero(~above & ~(high < threshold)):
            above[position] = self._above(int(position), float(values[position]), scale, threshold)
        return above

    def ends(self, values: Floats, scale: float) -> tuple[Floats, Floats]:
        """Return lower and upper bounds on the values plus noise."""
        middle = values + scale * self.noise
        error = scale * self.error + 4 * np.spacing(np.abs(values) + np.abs(middle))
        return middle - error, middle + error

    def ball(self, index: int, value: float, scale: float) -> Callable[[], arb]:
        """Return a function that encloses one value plus noise at the current precision."""
        from engine.sampling import laws
        from engine.sampling.balls import Bits, ball

        bits = Bits(int(self.raw[index]))
        quantile = laws.laplace if self.family == LAPLACE else laws.normal
        return lambda: ball(value) + ball(scale) * laws.invert(bits, quantile)

    def _round(self, index: int, value: float, scale: float, step: float) -> int:
        from engine.sampling.balls import nearest_multiple

        return nearest_multiple(self.ball(index, value, scale), step)

    def _above(self, index: int, value: float, scale: float, threshold: float) -> bool:
        from engine.sampling.balls import ball

        return _larger(self.ball(index, value, scale), lambda: ball(threshold))


class _Single:
    """A number with Laplace noise for a release: a real number, computed to as many digits as needed."""

    def __init__(self, value: float, scale: float) -> None:
        drawn = _Drawn(1, LAPLACE)
        (self.low,), (self.high,) = drawn.ends(np.array([value]), scale)
        self.ball = drawn.ball(0, value, scale)

    def above(self, other: _Single) -> bool:
        """Return whether this number is the larger one; both are equal with probability 0."""
        if self.low > other.high or self.high < other.low:
            return bool(self.low > other.high)
        return _larger(self.ball, other.ball)


def _larger(first: Callable[[], arb], second: Callable[[], arb]) -> bool:
    """Return whether the first of two numbers, enclosed in balls, is the larger one."""
    from engine.sampling.balls import decide

    def certain() -> bool | None:
        one, other = first(), second()
        return True if one > other else False if one < other else None

    return decide(certain)
