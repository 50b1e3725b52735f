"""Median, quantile, minimum, maximum, mean, sum and trimmed mean: windows of ranks."""

from __future__ import annotations

import abc
import dataclasses
import math
from typing import ClassVar

from engine.domain import LARGEST, Interval
from engine.numerals import grouped, short
from engine.parameters import parameter
from engine.queries.window_mean import WindowMean
from engine.sampling.exactness import FRACTIONS

_NRS = "Nissim, Raskhodnikova, Smith 2007, Section 3.1"


@dataclasses.dataclass(frozen=True)
class OrderStatistic(WindowMean, abc.ABC):
    """A query that asks for the value at a rank, so that ranks can score candidates."""

    decline: ClassVar[float] = 1.0

    def records_below(self, n: int) -> float:
        """Return how many records lie below the value sought (a half for its own record)."""
        low, high = self.window(n)
        return (low + high - 1) / 2


@dataclasses.dataclass(frozen=True)
class Median(OrderStatistic):
    """The middle value; for even n the lower of the two middle ones, or their average.

    Examples
    --------
    The values 1 to 10 in [0, 1000]: one record moves the median by at most 1.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> Median().value(data), Median().global_sensitivity(data.domain, data.n)
    (5.0, 1000.0)
    >>> smooth = Median().smooth_sensitivity(data, beta=2.0)
    >>> smooth.value, smooth.argmax_k
    (1.0, 0)
    """

    name: ClassVar[str] = "median"
    label: ClassVar[str] = "Median"
    summary: ClassVar[str] = "the value in the middle"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    even: str = parameter(
        default="lower",
        choices=("lower", "average"),
        label="Even n",
        help="Which middle value counts when n is even: the lower one, or the average of both.",
    )

    def window(self, n: int) -> tuple[int, int]:
        return (n + 1) // 2, n // 2 + 1 if self.even == "average" else (n + 1) // 2


@dataclasses.dataclass(frozen=True)
class Quantile(OrderStatistic):
    """The smallest value that at least a share q of the records does not exceed.

    Examples
    --------
    Nine of the values 1 to 10 are at most 9, five at most 5.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Quantile(q=0.9).value(data), Quantile(q=0.5).value(data)
    (9.0, 5.0)
    """

    name: ClassVar[str] = "quantile"
    label: ClassVar[str] = "Quantile"
    summary: ClassVar[str] = "the value below which a share q of the records lies"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    q: float = parameter(
        default=0.9,
        lower=0.0,
        upper=1.0,
        label="Share q",
        help="0.5 is the lower median, 0 the minimum, 1 the maximum.",
    )

    def window(self, n: int) -> tuple[int, int]:
        """Return the rank ceil(q n), at least 1."""
        # 0.1 * 30 is 3.0000000000000004 in floating point, and its rank is 3
        rank = max(1, math.ceil(round(self.q * n, 9)))
        return rank, rank


@dataclasses.dataclass(frozen=True)
class Minimum(OrderStatistic):
    """The smallest value.

    Examples
    --------
    One record can take the minimum from 1 down to the bound, or up to the next value: 1 or 1.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Minimum().value(data), Minimum().local_sensitivity(data)
    (1.0, 1.0)
    """

    name: ClassVar[str] = "minimum"
    label: ClassVar[str] = "Minimum"
    summary: ClassVar[str] = "the smallest value"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    def window(self, n: int) -> tuple[int, int]:
        """Return rank 1."""
        return 1, 1


@dataclasses.dataclass(frozen=True)
class Maximum(OrderStatistic):
    """The largest value.

    Examples
    --------
    One record can take the maximum from 10 up to the bound.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Maximum().value(data), Maximum().local_sensitivity(data)
    (10.0, 90.0)
    """

    name: ClassVar[str] = "maximum"
    label: ClassVar[str] = "Maximum"
    summary: ClassVar[str] = "the largest value"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    def window(self, n: int) -> tuple[int, int]:
        return n, n


@dataclasses.dataclass(frozen=True)
class Mean(WindowMean):
    """The mean of the clamped values; its local sensitivity is nearly global.

    Examples
    --------
    One record moves the mean of ten values by at most a tenth of the range.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Mean().value(data), Mean().global_sensitivity(data.domain, data.n)
    (5.5, 10.0)
    """

    name: ClassVar[str] = "mean"
    label: ClassVar[str] = "Mean"
    summary: ClassVar[str] = "the mean of the values moved into the bounds"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = FRACTIONS
    decline: ClassVar[float] = 0.0

    def window(self, n: int) -> tuple[int, int]:
        return 1, n


@dataclasses.dataclass(frozen=True)
class Sum(WindowMean):
    """The sum of the clamped values: n times the mean, and as sensitive.

    Examples
    --------
    One record moves a sum by at most the range.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Sum().value(data), Sum().global_sensitivity(data.domain, data.n)
    (55.0, 100.0)
    """

    name: ClassVar[str] = "sum"
    label: ClassVar[str] = "Sum"
    summary: ClassVar[str] = "the sum of the values moved into the bounds"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = FRACTIONS
    decline: ClassVar[float] = 0.0

    def window(self, n: int) -> tuple[int, int]:
        return 1, n

    def divisor(self, n: int) -> int:
        """Return 1."""
        return 1

    def value_range(self, domain: Interval, n: int) -> Interval:
        return Interval(n * domain.lower, n * domain.upper)

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        largest = max(abs(domain.lower), abs(domain.upper))
        if largest > LARGEST / n:
            return "upper", f"{short(largest)} is too large for a sum of {grouped(n)}; use a larger unit"
        return None


@dataclasses.dataclass(frozen=True)
class TrimmedMean(WindowMean):
    """The mean of what is left when a share is cut off at each end.

    Examples
    --------
    Without one value at each end, (2 + ... + 9)/8 is left.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> TrimmedMean(trim=0.1).value(data)
    5.5
    """

    name: ClassVar[str] = "trimmed-mean"
    label: ClassVar[str] = "Trimmed mean"
    summary: ClassVar[str] = "the mean without the smallest and the largest values"
    source: ClassVar[str] = "Bun, Steinke 2019, Section 4"
    exact_because: ClassVar[str] = FRACTIONS

    trim: float = parameter(
        default=0.1,
        lower=0.0,
        upper=0.5,
        upper_open=True,
        label="Trim",
        help="Share of the records that is cut off at each end.",
    )

    def window(self, n: int) -> tuple[int, int]:
        """Return the ranks m + 1 to n - m for m = floor(trim n)."""
        m = trimmed(self.trim, n)
        return m + 1, n - m


def trimmed(trim: float, n: int) -> int:
    """Return m = floor(trim n), the number of records cut off at each end."""
    return min(math.floor(round(trim * n, 9)), (n - 1) // 2)
