"""The exponential mechanism for order statistics."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms.even_spread import choice_error
from engine.mechanisms.guarantee import CHOICE, Guarantee
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.rank_gaps import RankGaps
from engine.mechanisms.release import Private
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import OrderStatistic
from engine.sampling.exactness import CHOSEN


@dataclasses.dataclass(frozen=True)
class ExponentialRelease(ScalarMechanism):
    """Choose a value by how near its rank is to the target rank.

    A value v with i records below it scores ``-|i - t|``, t = rank - 1/2, and is drawn
    with density proportional to ``exp(epsilon * score / 2)``.  Replacing a record changes i
    by at most one, so the score has sensitivity 1 and the release is epsilon-DP.  With a declared
    resolution, multiples of it are drawn; several records may share one (`rank_gaps`).

    Source: McSherry and Talwar 2007; Smith 2011 for quantiles.

    Examples
    --------
    With probability (1 - e^-0.5) e^(-j/2) the error is between j and j + 1; its median is 1.45.

    >>> import numpy as np
    >>> from engine import Interval, Median, Privacy, Sample, simulate
    >>> data = Sample(range(1, 1001), Interval(0, 10_000))
    >>> simulated = simulate(ExponentialRelease(query=Median()), data, Privacy(1.0), runs=10_000, seed=1)
    >>> round(np.median(simulated.distances).item(), 2)
    1.45
    """

    name: ClassVar[str] = "exponential"
    label: ClassVar[str] = "Exponential mechanism"
    summary: ClassVar[str] = "draws a value whose rank is near the target rank"
    source: ClassVar[str] = "McSherry, Talwar 2007; Smith 2011"
    exact_because: ClassVar[str] = CHOSEN
    guarantee: ClassVar[Guarantee] = CHOICE

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not isinstance(self.query, OrderStatistic):
            return (
                Problem(
                    "method",
                    "the exponential mechanism chooses a value by its rank, and a "
                    f"{self.query.label.lower()} has no rank; "
                    "use it for the median, a quantile, the minimum or the maximum",
                ),
            )
        return ()

    def expected_error(self, domain: Interval, n: int, privacy: Privacy) -> float | None:
        assert isinstance(self.query, OrderStatistic)
        return choice_error(domain, n, self.query.records_below(n) / n, privacy.epsilon)

    def prepare(self, data: Sample, privacy: Privacy, progress: Progress = silent) -> PiecewisePrepared:
        assert isinstance(self.query, OrderStatistic)
        sought = self.query.records_below(data.n)
        grid = self.grid(data)
        step = grid.step if grid.declared else None
        return PiecewisePrepared(
            near=RankGaps.near(data, sought, privacy.epsilon, step, progress=progress),
            grid=grid,
            # the error depends on the gaps between the data
            error=None,
            diagnostics=Private({"true_value": self.query.value(data)}),
        )
