"""The number, or the share, of records that satisfy a condition."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.conditions import Condition, distinct_values, read_condition, typeset
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.errors import ParameterError
from engine.numerals import short
from engine.parameters import parameter
from engine.progress import Progress, silent
from engine.queries.base import Query, SmoothSensitivity, check_beta
from engine.sampling.exactness import FRACTIONS


@dataclasses.dataclass(frozen=True)
class Count(Query[OrderStatistics]):
    """The number, or the share, of the records that satisfy a condition: the mean of a predicate.

    Statement.  Let one value between the bounds satisfy the condition and another not.  Then replacing a
    record can change its answer in every database: LS = GS = 1 for the number and 1/n for the share.  All
    A^(k) and all S* are the same.

    If records are added or removed, the sensitivity of the number is 1, too; that of the share is not 1/n,
    since n changes.

    Source: Dwork, McSherry, Nissim, Smith 2006; the predicates of the lectures.

    Examples
    --------
    Four of the values 1 to 10 are above 6.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Count(where="> 6").value(data), Count(where="> 6", give="share").value(data)
    (4.0, 0.4)
    >>> Count(where="> 6").global_sensitivity(data.domain, data.n)
    1.0
    """

    name: ClassVar[str] = "count"
    label: ClassVar[str] = "Count"
    summary: ClassVar[str] = "the number or the share of records that satisfy a condition"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = FRACTIONS
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_columns:pairs_of_counts"
    decline: ClassVar[float] = 0.0
    counts: ClassVar[bool] = True

    where: str = parameter(
        default="",
        label="Where",
        holds="conditions",
        help="The values to count, such as > 100, 10..20, or <= 5 or > 50. "
        "Empty: at least the middle of the bounds.",
    )
    give: str = parameter(
        default="number",
        choices=("number", "share"),
        label="Give",
        help="The number of records, or their share of all n.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.where.strip():
            read_where(self.where)

    def condition(self, domain: Interval) -> Condition:
        """Return the condition on a value within the bounds."""
        if self.where.strip():
            return read_where(self.where)
        return Condition((((">=", domain.lower + domain.width / 2, None),),))

    def _automatic(self, name: str, domain: Interval) -> str:
        return typeset(f">= {short(domain.lower + domain.width / 2)}")

    def example_values(self, domain: Interval) -> tuple[float, float]:
        """Return a value that fails the condition, and one that satisfies it (public)."""
        condition = self.condition(domain)
        values = distinct_values([condition], domain)
        holds = condition.holds(values)
        return float(values[np.argmin(holds)]), float(values[np.argmax(holds)])

    def exact_value(self, data: OrderStatistics) -> Fraction:
        condition = self.condition(data.domain)
        count = sum(data.found_in_parts(partial(_held, condition)))
        return count * self.exact_global_sensitivity(data.domain, data.n)

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        """Return 1, or 1/n for the share."""
        return Fraction(1, n) if self.give == "share" else Fraction(1)

    def value_range(self, domain: Interval, n: int) -> Interval:
        """Return 0 to n, or to 1 for the share."""
        return Interval(0.0, 1.0 if self.give == "share" else float(n))

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        """Refuse a condition that all values between the bounds satisfy, or none: the answer is public."""
        condition = self.condition(domain)
        holds = condition.holds(distinct_values([condition], domain))
        if holds.all() or not holds.any():
            which = "every" if holds.all() else "no"
            bounds = f"{short(domain.lower)} and {short(domain.upper)}"
            return "where", f"{which} value between {bounds} satisfies it; name a number between the bounds"
        return None

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> Floats:
        return np.full(k_max + 1, self.global_sensitivity(data.domain, data.n))

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        check_beta(beta)
        return SmoothSensitivity(self.global_sensitivity(data.domain, data.n), 0, beta)


def _held(condition: Condition, values: Floats) -> int:
    return int(np.count_nonzero(condition.holds(values)))


def read_where(text: str) -> Condition:
    """Read a condition on numbers; `ParameterError` for the field "where" if there is none."""
    try:
        match = read_condition(text, number=True)
    except ParameterError as error:
        raise ParameterError("where", error.problem) from None
    if match is None:
        raise ParameterError("where", "is empty; write for instance > 100 or 10..20")
    return match
