"""Public facts about data, which must be known before looking at them."""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.numerals import given, short
from engine.signatures import Explained

LARGEST, NARROWEST = 1e200, 1e-200
"""Limits for bounds and widths; beyond them, products and quotients of doubles overflow."""


@dataclasses.dataclass(frozen=True)
class Interval(metaclass=Explained):
    """The range to which every value is clamped, and its resolution.

    Parameters
    ----------
    lower, upper : float
        Public bounds, in the unit of the data.  Choose them without looking at the data: bounds taken from
        the data void the guarantee.
    resolution : float, optional
        Public step: released values are rounded to its multiples (post-processing), if it is coarser than the
        grid of the mechanism.

    Raises
    ------
    ParameterError
        If a bound is not finite or beyond 1e200, ``lower >= upper``, the interval is
        narrower than 1e-200, or the resolution is not in ``(0, upper - lower]``.

    See Also
    --------
    Box, Sample

    Examples
    --------
    A salary, clamped to public bounds:

    >>> salaries = Interval(0, 500_000)
    >>> salaries.clamp([-5.0, 62_000.0, 1e9]).tolist(), salaries.width
    ([0.0, 62000.0, 500000.0], 500000)
    """

    lower: float
    upper: float
    resolution: float | None = None

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            check_number(name, getattr(self, name))
            if not abs(getattr(self, name)) <= LARGEST:
                raise ParameterError(
                    name,
                    f"{short(getattr(self, name))} is not a bound; give a finite number between "
                    f"-{short(LARGEST)} and {short(LARGEST)}",
                )
        if not self.lower < self.upper:
            raise ParameterError(
                "upper",
                f"{short(self.upper)} is not above lower = {short(self.lower)}; the lower bound "
                "must be the smaller one",
            )
        if self.width < NARROWEST:
            raise ParameterError(
                "upper", f"the bounds are {short(self.width)} apart; at least {short(NARROWEST)} is needed"
            )
        check_resolution(self.resolution, self.width)

    @property
    def width(self) -> float:
        """Width of the interval: the global sensitivity Λ of any order statistic."""
        return self.upper - self.lower

    @property
    def exact_width(self) -> Fraction:
        """The width without rounding."""
        return Fraction(self.upper) - Fraction(self.lower)

    @property
    def facts(self) -> dict[str, float | None]:
        """The bounds and the resolution by name, as a release states them."""
        return {"lower": self.lower, "upper": self.upper, "resolution": self.resolution}

    def clamp(self, values: ArrayLike) -> Floats:
        """Clamp `values` (any shape) to the interval."""
        return np.clip(np.asarray(values, dtype=np.float64), self.lower, self.upper)

    def outside(self, values: ArrayLike) -> int:
        """Count the values outside the interval.  The count is private."""
        array = np.asarray(values, dtype=np.float64)
        return int(np.count_nonzero(array < self.lower) + np.count_nonzero(array > self.upper))


def check_number(name: str, value: Any) -> None:
    """Raise `ParameterError` unless a value is a number."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ParameterError(name, f"{given(value)} is not a number; give one")


def check_resolution(resolution: float | None, most: float) -> None:
    """Raise `ParameterError` for a public step that is not above 0, or larger than `most`."""
    if resolution is not None:
        check_number("resolution", resolution)
    if resolution is not None and not 0 < resolution <= most:
        raise ParameterError(
            "resolution", f"{short(resolution)} is not possible; it must be above 0 and at most {short(most)}"
        )


@dataclasses.dataclass(frozen=True)
class Box(metaclass=Explained):
    """A product of intervals: the public range of points in d dimensions.

    Parameters
    ----------
    sides : tuple of Interval
        The public bounds of each column; `Box.of` takes sequences of lower and upper bounds.

    Raises
    ------
    ParameterError
        If there are no sides.

    See Also
    --------
    Interval, Points

    Examples
    --------
    The rectangle with corners (0, 0) and (3, 4) has a diagonal of 5:

    >>> box = Box.of([0, 0], [3, 4])
    >>> box.dimension, box.diameter
    (2, 5.0)
    """

    sides: tuple[Interval, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.sides, tuple | list) or not all(
            isinstance(one, Interval) for one in self.sides
        ):
            raise ParameterError("sides", "these are no intervals; give Box.of(lower bounds, upper bounds)")
        object.__setattr__(self, "sides", tuple(self.sides))
        if not self.sides:
            raise ParameterError("lower", "a box needs at least one dimension; declare bounds for a column")

    @classmethod
    def of(cls, lower: Sequence[float], upper: Sequence[float]) -> Box:
        """Make a box of one pair of bounds per column.

        Raises
        ------
        ParameterError
            If the two sequences differ in length or a pair is not a valid `Interval`.
        """
        lower, upper = np.atleast_1d(lower).tolist(), np.atleast_1d(upper).tolist()
        if len(lower) != len(upper):
            raise ParameterError(
                "upper", f"{len(upper)} upper bounds for {len(lower)} lower bounds; give one pair per column"
            )
        return cls(tuple(Interval(low, high) for low, high in zip(lower, upper, strict=True)))

    @property
    def dimension(self) -> int:
        """Number of columns d."""
        return len(self.sides)

    @property
    def diameter(self) -> float:
        """Largest Euclidean distance between two points of the box."""
        return math.hypot(*(side.width for side in self.sides))

    @property
    def facts(self) -> dict[str, list[float]]:
        """The bounds of all columns by name, as a release states them."""
        return {"lower": self.lower.tolist(), "upper": self.upper.tolist()}

    @property
    def lower(self) -> Floats:
        """Lower bounds, shape (d,)."""
        return np.array([side.lower for side in self.sides], dtype=np.float64)

    @property
    def upper(self) -> Floats:
        """Upper bounds, shape (d,)."""
        return np.array([side.upper for side in self.sides], dtype=np.float64)

    @property
    def width(self) -> Floats:
        """Lengths of the sides, shape (d,)."""
        return self.upper - self.lower

    @property
    def center(self) -> Floats:
        """The center, shape (d,): a public point to fall back on."""
        return self.lower + self.width / 2

    def times(self, k: int) -> Box:
        """Return the box for k points of this one, with concatenated coordinates."""
        return Box(self.sides * k)

    def clamp(self, points: ArrayLike) -> Floats:
        """Clamp `points`, shape (n, d), to the box."""
        array = np.asarray(points, dtype=np.float64)
        if array.ndim != 2 or array.shape[1] != self.dimension:
            raise ParameterError(
                "points", f"shape {array.shape} does not fit; it must be (n, {self.dimension})"
            )
        return np.clip(array, self.lower, self.upper)


BoundsLike: TypeAlias = Interval | tuple[float, float] | Sequence[float]
"""Types that functions accept as public bounds of numbers."""


def as_interval(bounds: Any) -> Interval:
    """Convert public bounds, an interval or a pair of numbers, to an interval; raise `ParameterError`."""
    if isinstance(bounds, Interval):
        return bounds
    if isinstance(bounds, Box) and bounds.dimension == 1:
        return bounds.sides[0]
    try:
        if isinstance(bounds, Mapping):
            bounds = bounds["lower"], bounds["upper"]
        if isinstance(bounds, str | set):
            raise TypeError
        lower, upper = bounds
        return Interval(float(lower), float(upper))
    except (KeyError, TypeError, ValueError):
        raise ParameterError(
            "bounds", f"{given(bounds)} are not public bounds; give Interval(lower, upper), or (lower, upper)"
        ) from None


BoxLike: TypeAlias = Box | Interval | tuple[ArrayLike, ArrayLike] | Sequence[ArrayLike]
"""Types that functions accept as public bounds of points."""


def as_box(bounds: Any, dimension: int) -> Box:
    """Convert public bounds to a box: a box, or lower and upper bounds, as numbers or one per column."""
    if isinstance(bounds, Box):
        return bounds
    if isinstance(bounds, Interval):
        return Box((bounds,) * dimension)
    try:
        sides = [np.broadcast_to(np.asarray(side, dtype=np.float64), dimension) for side in bounds]
        lower, upper = (side.tolist() for side in sides)
    except (TypeError, ValueError):
        raise ParameterError(
            "bounds",
            f"{given(bounds)} are not public bounds of {dimension} columns; give Box.of(lower, upper), "
            "or (lower, upper) with a number for each",
        ) from None
    if any(map(operator.ge, lower, upper)) and np.ndim(bounds) == 2:
        problem = "a lower bound is not below its upper one; give all lower bounds, then all upper bounds"
        raise ParameterError("bounds", f"{problem}: ((18, 0), (90, 5000)) for two columns")
    return Box.of(lower, upper)
