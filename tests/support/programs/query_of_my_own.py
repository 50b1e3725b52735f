"""Write a query, the lowest value, and release it with smooth and with Laplace noise."""

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import sensiscope
from sensiscope import Query, Sample, register


@register
@dataclasses.dataclass(frozen=True)
class LowestValue(Query[Sample]):
    """The lowest value."""

    name, label = "lowest-value", "Lowest value"
    summary, source = "the lowest value", "folklore"
    exact_because = "the value is a record, and the global sensitivity is a fraction"

    def exact_value(self, data: Any) -> Fraction:
        return Fraction(float(data.ranks(1, 1)[0]))

    def exact_global_sensitivity(self, domain: Any, n: int) -> Fraction:
        return Fraction(domain.upper) - Fraction(domain.lower)

    def sensitivity_at_distance(self, data: Any, k_max: int, progress: Any = None) -> Any:
        x = data.ranks(1, k_max + 2)
        rises = x[1:] - x[0]
        falls = x[: k_max + 1] - data.domain.lower
        return np.maximum(rises, np.maximum.accumulate(falls))


ages = np.random.default_rng(12).integers(0, 100, 1000)
data = Sample(ages, (0, 100))
print(sensiscope.SmoothRelease("lowest-value").run(data, 1).value)
print(sensiscope.LaplaceRelease(LowestValue).run(data, 1).value)
