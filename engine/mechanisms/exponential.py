"""The exponential mechanism for order statistics."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self

import numpy as np

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms.even_spread import choice_error
from engine.mechanisms.guarantee import AUTOMATIC, EXPONENTIAL, FLIP, Guarantee, choice_guarantee
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.rank_choice import few_candidates, margin_of_ranks, rank_choice
from engine.mechanisms.rank_interval import (
    RankInterval,
    covers_parameter,
    rank_error,
    share_parameter,
    spaced,
    split_budget,
    with_interval,
)
from engine.mechanisms.release import Private, Release
from engine.mechanisms.scalar import ScalarMechanism
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import OrderStatistic
from engine.sampling.exactness import CHOSEN
from engine.sampling.output_grid import OutputGrid


@dataclasses.dataclass(frozen=True)
class ExponentialRelease(ScalarMechanism):
    """Choose a value by how near its rank is to the target rank.

    A value v with i records below it scores ``-|i - t|``, t = rank - 1/2, and is drawn
    with density proportional to ``exp(epsilon * score / 2)``.  Replacing a record changes i
    by at most one, so the score has sensitivity 1 and the release is epsilon-DP.  Multiples of a public step
    are drawn: of the declared resolution, or of the grid.  Several records may share one
    (`margin_of_ranks`).
    Therefore the error in ranks has a public bound (`rank_error`).  A share of epsilon can pay for an
    interval (`RankInterval`).

    **Permute-and-flip** adds exponential noise to the same scores and takes the largest.  It is epsilon-DP,
    and its expected distance in ranks is never larger; in zCDP it costs epsilon^2/2 instead of epsilon^2/8.
    "automatic" takes it for delta = 0 and a resolution with at most `MAX_CANDIDATES` multiples.

    Source: McSherry and Talwar 2007; Smith 2011 for quantiles; McKenna and Sheldon 2020 for permute-and-flip.

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

    choice: str = parameter(
        default=AUTOMATIC,
        choices=(AUTOMATIC, EXPONENTIAL, FLIP),
        label="Choice",
        help="permute-and-flip is nearer if few values are possible, but costs more zCDP. automatic: "
        "permute-and-flip without delta and with a resolution, else exponential.",
        source="McKenna, Sheldon 2020",
        advanced=True,
    )
    error_share: float = share_parameter()
    covers: str = covers_parameter()

    @property
    def guarantee(self) -> Guarantee:
        return choice_guarantee(self.choice)

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> Self:
        """Return a copy with the exponential mechanism if the public bounds leave no other choice."""
        if self.choice == AUTOMATIC and domain is not None and not _flips(domain):
            return dataclasses.replace(self, choice=EXPONENTIAL)
        return self

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not isinstance(self.query, OrderStatistic):
            return (
                Problem(
                    "method",
                    f"a {self.query.label.lower()} has no rank, which the exponential mechanism needs; "
                    "choose the median, a quantile, the minimum or the maximum",
                ),
            )
        return ()

    def expected_error(self, domain: Interval, n: int, privacy: Privacy) -> float | None:
        assert isinstance(self.query, OrderStatistic)
        value, _ = split_budget(privacy, self.error_share)
        return choice_error(domain, n, self.query.records_below(n) / n, value.epsilon)

    def public_grid(self, domain: Interval, n: int, resolution: float | None) -> OutputGrid:
        return spaced(super().public_grid(domain, n, resolution), domain)

    def public_facts(self, domain: Interval, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return the share of records below the value, as an interval that holds in 95 % of releases."""
        assert isinstance(self.query, OrderStatistic)
        value, _ = split_budget(privacy, self.error_share)
        grid = self.public_grid(domain, n, domain.resolution)
        rank = self.query.records_below(n)
        margin = margin_of_ranks(grid, value.epsilon, rank / n)
        away = rank_error(domain, grid.step, value.epsilon, margin=margin)
        return {"rank_interval": [max(0.0, (rank - away) / n), min(1.0, (rank + away) / n)]}

    def prepare(self, data: Sample, privacy: Privacy, progress: Progress = silent) -> PiecewisePrepared:
        assert isinstance(self.query, OrderStatistic)
        sought = self.query.records_below(data.n)
        grid = self.grid(data)
        value, _ = split_budget(privacy, self.error_share)
        choice = self.choice
        if choice == AUTOMATIC:
            choice = FLIP if privacy.delta == 0 and _flips(data.domain) else EXPONENTIAL
        return rank_choice(
            data,
            sought,
            value.epsilon,
            grid,
            choice,
            margin=margin_of_ranks(grid, value.epsilon, sought / data.n),
            diagnostics=Private({"true_value": self.query.value(data)}),
            progress=progress,
        )

    def release(
        self,
        prepared: Prepared,
        data: Sample,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        made = super().release(prepared, data, privacy, rng, progress)
        _, epsilon = split_budget(privacy, self.error_share)
        if epsilon == 0:
            return made
        assert isinstance(self.query, OrderStatistic)
        interval = RankInterval(self.query, data.domain, data.n, epsilon, self.covers)
        return with_interval(made, interval, data, rng, progress)


def _flips(domain: Interval) -> bool:
    """Tell whether the automatic choice may be permute-and-flip (public)."""
    grid = OutputGrid.of(domain.width, domain.lower, domain.upper, domain.resolution)
    return grid.declared and few_candidates(grid)
