"""The number of records to replace until a property holds: the distance to a property.

Statement.  Let the property be that the value at rank r is at least v, for a v with values between the
bounds on both sides of it.  With B = #{x_i < v}, at most r - 1 records may lie below v, so

    f(x) = max(0, e),   e = B - (r - 1).

One record changes B by at most 1, and by 1 wherever a record lies on the other side; so

    LS(x) = 1 where e >= 0, else 0,     A^(k)(x) = 1 where k >= -e, else 0,
    S*(x) = exp(-beta max(0, -e)),      GS = 1.

If the property holds by a margin of -e records, smooth sensitivity falls exponentially with the margin.
For "at most v" the same holds for the mirrored data.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.numerals import short
from engine.parameters import parameter
from engine.progress import Progress, silent
from engine.queries.base import Query, SmoothSensitivity, check_beta
from engine.queries.order_statistics import Quantile
from engine.sampling.exactness import FRACTIONS

NOT_BELOW, NOT_ABOVE = "at least", "at most"


@dataclasses.dataclass(frozen=True)
class Distance(Query[OrderStatistics]):
    """The number of records to replace until a quantile is at least, or at most, a public number.

    The distance to any property has global sensitivity 1.  For most it is hard to compute; for
    quantiles it is a count.

    Source: the lectures ("distance to a property"); the sensitivities are derived here.

    Examples
    --------
    The median of 1 to 9 is 5; two records below 7 must rise until it is at least 7.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 10), Interval(0, 100))
    >>> Distance(threshold=7.0).value(data), Distance(threshold=3.0).value(data)
    (2.0, 0.0)
    >>> Distance(threshold=3.0).smooth_sensitivity(data, beta=1.0).value == math.exp(-2)
    True
    """

    name: ClassVar[str] = "distance"
    label: ClassVar[str] = "Distance to a property"
    summary: ClassVar[str] = "the number of records to replace until a quantile passes a public number"
    source: ClassVar[str] = "lectures on differential privacy; sensitivities derived here"
    exact_because: ClassVar[str] = FRACTIONS
    counts: ClassVar[bool] = True

    q: float = parameter(
        default=0.5,
        lower=0.0,
        upper=1.0,
        label="Share q",
        help="The quantile: 0.5 is the lower median.",
    )
    side: str = parameter(
        default=NOT_BELOW,
        choices=(NOT_BELOW, NOT_ABOVE),
        label="Must be",
        help="The quantile must be at least, or at most, the threshold.",
    )
    threshold: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        label="Threshold",
        help="The number that the quantile must reach. Empty: the middle of the bounds.",
    )

    def goal(self, domain: Interval) -> float:
        """Return the threshold (public)."""
        return domain.lower + domain.width / 2 if self.threshold is None else self.threshold

    def _automatic(self, name: str, domain: Interval) -> float:
        return dataclasses.replace(self, threshold=None).goal(domain)

    def allowed(self, n: int) -> int:
        """Return the number of records that may lie on the wrong side (public)."""
        rank = Quantile(q=self.q).window(n)[0]
        return rank - 1 if self.side == NOT_BELOW else n - rank

    def excess(self, data: OrderStatistics) -> int:
        """Return e: the number of records on the wrong side beyond those allowed (private)."""
        wrong = data.found_in_parts(partial(_wrong, self.side, self.goal(data.domain)))
        return sum(wrong) - self.allowed(data.n)

    def exact_value(self, data: OrderStatistics) -> Fraction:
        return Fraction(max(0, self.excess(data)))

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        return Fraction(1)

    def value_range(self, domain: Interval, n: int) -> Interval:
        return Interval(0.0, float(n))

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        goal = self.goal(domain)
        low, high = short(domain.lower), short(domain.upper)
        inside = (
            domain.lower < goal <= domain.upper
            if self.side == NOT_BELOW
            else domain.lower <= goal < domain.upper
        )
        if not inside:
            right = f"above {low} and at most {high}"
            if self.side == NOT_ABOVE:
                right = f"at least {low} and below {high}"
            return "threshold", f"{short(goal)} is not possible within these bounds; it must be {right}"
        return None

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> Floats:
        """Return 0 up to the margin by which the property holds, and 1 from there on."""
        return (np.arange(k_max + 1) >= -self.excess(data)).astype(np.float64)

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return exp(-beta margin)."""
        check_beta(beta)
        margin = max(0, -self.excess(data))
        return SmoothSensitivity(math.exp(-beta * margin), margin, beta)


def _wrong(side: str, goal: float, values: Floats) -> int:
    return int(np.count_nonzero(values < goal if side == NOT_BELOW else values > goal))
