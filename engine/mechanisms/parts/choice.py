"""Medians and quantiles of parts of a table, chosen by rank."""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.order_statistics import Sample, ties_of
from engine.data.parts import Parts, PartsDomain
from engine.domain import Interval
from engine.mechanisms.facts import Mistake
from engine.mechanisms.guarantee import EXPONENTIAL, FLIP, Guarantee, choice_guarantee
from engine.mechanisms.parts.base import PartsMechanism, batch_for, each_part
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.mechanisms.problem import Problem
from engine.mechanisms.rank_choice import margin_of_ranks, rank_choice
from engine.mechanisms.rank_gaps import Ranked, RankGaps
from engine.mechanisms.rank_interval import (
    BETA,
    OF_SAMPLING,
    covers_parameter,
    grid_of_ends,
    rank_error,
    sampling_ranks,
    share_parameter,
    spaced,
)
from engine.mechanisms.release import Private
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Median, Quantile
from engine.sampling.choice import coins
from engine.sampling.exactness import CHOSEN
from engine.sampling.output_grid import OutputGrid

if TYPE_CHECKING:
    from flint import arb

FINE = 1 << 20
"""Shares are rounded to multiples of 1/FINE, so that their products with a size are exact."""

BOUND_WEIGHT = 2.0**-7
"""Weight of the public bound as the end of an interval, in multiples of the step."""


@dataclasses.dataclass(frozen=True)
class ChoiceInParts(PartsMechanism):
    """Choose a value for each part by its rank, all parts together for one epsilon.

    In part g with n_g records, a multiple v of a public step scores u_g(v) = -\\|#{x < v} - q n_g\\|.  It is
    drawn with a probability proportional to exp(c u_g(v)).  Where several records share a multiple, the best
    of their inner ranks counts (`margin_of_ranks`).

    Statement.  All choices together are epsilon-DP with c = epsilon / max(2, 4 h), h = max(q, 1 - q); for a
    single part c = epsilon / 2.

    Proof.  A record that stays in its part changes u_g by at most 1, so one law by a factor of at most
    exp(2 c).  A record that enters or leaves changes #{x < v} - q n_g by 1 - q or by -q, so u_g by at most
    h, and the law of this part by a factor of at most exp(2 c h).  A record that moves does both: exp(4 c h).
    No other part changes.  In a single part no record moves, and h <= 1.  For zCDP: the log-ratios of one
    law span a range of at most 2 c, or 2 c h in each of two, which cost c^2/2 or c^2 h^2, at most
    epsilon^2/8.

    **Interval.**  A share of epsilon pays for two more choices, whose targets are R ranks below and above:
    #{x < v} = q n_g - R and q n_g + R.  A further outcome is the public bound; it has the weight w of w
    multiples, whatever the data.  With R = ln(M/(0.025 w))/c for M multiples, the interval holds the quantile
    with probability 95 %, whatever the size of the part: a small part has a wide interval.

    Proof.  Moving the target by a constant changes no sensitivity.  A multiple above the quantile has at
    least q n_g records below it, so its distance from the lower target is at least R.  All of them together
    weigh at most M exp(-c R) = 0.025 w, and the bound alone weighs w.  The upper end is alike.  An interval
    that does not hold the chosen value is widened to it, which can only make it hold more.

    For the population, R is larger: each choice errs with 0.5 %, and R grows by z sqrt(N q (1 - q)) for the N
    records of the table.  The number of records of the part below the quantile of its population is nearly
    normal, and farther from q n_g with probability at most 4 %, since n_g <= N.  N is public, but n_g is not:
    among many groups this interval is wider than it would have to be.

    **Permute-and-flip** among few multiples needs the same c, since it depends on the same scores; it has no
    smaller cost in zCDP than epsilon implies.

    Source: McSherry and Talwar 2007; Smith 2011 for quantiles; McKenna and Sheldon 2020 for permute-and-flip.
    The sensitivities with confidential sizes, and the interval, are derived here.

    Examples
    --------
    >>> from engine import Interval, Parts, PartsDomain, Privacy, reproducible
    >>> data = Parts(range(2000), [0] * 1000 + [1] * 1000, PartsDomain(Interval(0, 5000), ("a", "b")))
    >>> simulated = ChoiceInParts().run(data, Privacy(1.0), reproducible(1))
    >>> [round(group["value"], -2) for group in simulated.value["groups"]]
    [500.0, 1500.0]
    """

    name: ClassVar[str] = "choice-in-parts"
    label: ClassVar[str] = "Choice by rank"
    summary: ClassVar[str] = "draws a value for each part whose rank is near the target rank"
    source: ClassVar[str] = "McSherry, Talwar 2007; Smith 2011"
    exact_because: ClassVar[str] = CHOSEN
    choice: str = parameter(
        default=EXPONENTIAL,
        choices=(EXPONENTIAL, FLIP),
        label="Choice",
        help="permute-and-flip is nearer among few values, and costs more in zCDP. Among many values both "
        "are the exponential mechanism.",
        source="McKenna, Sheldon 2020",
        advanced=True,
    )
    error_share: float = share_parameter()
    covers: str = covers_parameter()

    @property
    def guarantee(self) -> Guarantee:
        return choice_guarantee(self.choice)

    def _unfit(self, domain: PartsDomain) -> tuple[Problem, ...]:
        if isinstance(self.query, Median | Quantile):
            return ()
        problem = f"a {self.query.label.lower()} has no rank; choose the median or a quantile"
        return (Problem("query", problem),)

    @property
    def q(self) -> Fraction:
        """The share of the records below the value sought."""
        share = self.query.q if isinstance(self.query, Quantile) else 0.5
        return Fraction(round(share * FINE), FINE)

    def rate(self, domain: PartsDomain, privacy: Privacy) -> float:
        """Return c, by which a distance of one rank lowers the logarithm of the density (public)."""
        h = max(self.q, 1 - self.q)
        divisor = max(Fraction(2), 4 * h) if self.moves(domain) else Fraction(2)
        exact = Fraction(privacy.epsilon) / divisor
        nearest = float(exact)
        return nearest if Fraction(nearest) <= exact else math.nextafter(nearest, 0)

    def candidates(self, domain: PartsDomain) -> float:
        """Return the number of values that can be released (public)."""
        return domain.values.width / self.grid(domain).step + 1

    def rank_error(self, domain: PartsDomain, privacy: Privacy, beta: float = 0.05) -> float:
        """Return the distance in ranks that the choice exceeds with probability at most `beta` (public).

        Values are multiples of a step, and records move to the nearest one.  One of M candidates has the
        target rank, or misses it by the margin.  Those farther by r weigh at most exp(-c r) as much each.
        """
        grid, epsilon = self.grid(domain), 2 * self.rate(domain, privacy)
        return rank_error(domain.values, grid.step, epsilon, beta, self._margin(grid, epsilon))

    def _margin(self, grid: OutputGrid, epsilon: float) -> float:
        return margin_of_ranks(grid, epsilon, float(self.q))

    def expected_error(
        self, domain: PartsDomain, n: int, privacy: Privacy, share: float | None = None
    ) -> float | None:
        """Return the 95 % error for `share` of the n records spread evenly between the bounds.

        A choice is then r ranks off with a density proportional to exp(-c r).  None without a share.
        """
        if not share:
            return None
        ranks = math.log(20) / self.rate(domain, self._budgets(privacy)[0])
        width = domain.values.width
        return min(width, width * ranks / max(1.0, share * n) + self.grid(domain).step / 2)

    def public_facts(self, domain: PartsDomain, n: int, privacy: Privacy) -> dict[str, Any]:
        return {"rank_error": self.rank_error(domain, self._budgets(privacy)[0])}

    def grid(self, domain: PartsDomain) -> OutputGrid:
        """Return the grid of released values (public)."""
        values = domain.values
        return spaced(OutputGrid.of(values.width, values.lower, values.upper, values.resolution), values)

    def step(self, domain: PartsDomain, n: int, privacy: Privacy) -> float:
        return self.grid(domain).step

    def _largest_error(self, domain: PartsDomain, n: int) -> float:
        return domain.values.width

    @property
    def _mistakes(self) -> dict[str, Mistake]:
        """Return scores without the half; it shows in one part alone only for the median."""
        return {"exponential-doubled": Mistake("changes-value")} if 2 * self.q == 1 else {}

    def prepare(self, data: Parts, privacy: Privacy, progress: Progress = silent) -> ChoicesPrepared:
        domain, grid = data.domain, self.grid(data.domain)
        for_value, for_end = self._budgets(privacy)
        epsilon = 2 * self.rate(domain, for_value)
        margin = self._margin(grid, epsilon)
        choices: list[Prepared] = []
        truth = []
        for values, here in each_part(data, progress, "gaps between values"):
            ranked = Sample(values, domain.values) if values.size else EmptyPart(domain.values)
            target = float(self.q * values.size)
            choices.append(
                rank_choice(
                    ranked,
                    target,
                    epsilon,
                    grid,
                    self.choice,
                    margin=margin,
                    diagnostics=Private({}),
                    progress=here,
                )
            )
            if for_end is not None:
                choices += self._ends(ranked, values.size, data, for_end)
            truth.append(self.query.value(ranked) if isinstance(ranked, Sample) else math.nan)
        return ChoicesPrepared(
            choices=tuple(choices),
            has_ends=for_end is not None,
            diagnostics=Private({"true_value": np.array(truth)}),
        )

    def _budgets(self, privacy: Privacy) -> tuple[Privacy, Privacy | None]:
        """Return the budgets of a value and of each end of its interval; None without an interval."""
        whole = Privacy(privacy.epsilon)
        if not self.error_share:
            return whole, None
        value, end, _ = whole.split((1 - self.error_share, self.error_share / 2, self.error_share / 2))
        return value, end

    def ends_grid(self, domain: PartsDomain, n: int) -> OutputGrid:
        """Return the grid of both ends: the resolution, or about one point for each record (public)."""
        return grid_of_ends(domain.values, self.grid(domain), n / domain.size)

    def distance_of_ends(self, domain: PartsDomain, n: int, end: Privacy) -> float:
        """Return R, the distance of the targets of both ends in ranks (public)."""
        candidates = domain.values.width / self.ends_grid(domain, n).step + 1
        of_population = self.covers == "population"
        beta = BETA - OF_SAMPLING if of_population else BETA
        of_choice = math.log(candidates / (beta / 2 * BOUND_WEIGHT)) / self.rate(domain, end)
        return math.ceil(of_choice + (sampling_ranks(n, float(self.q)) if of_population else 0.0))

    def _ends(self, ranked: Ranked, size: int, data: Parts, end: Privacy) -> list[PiecewisePrepared]:
        """Return the choices of both ends of the interval of a part."""
        domain, values, grid = data.domain, data.domain.values, self.ends_grid(data.domain, data.n)
        away, epsilon = self.distance_of_ends(domain, data.n, end), 2 * self.rate(domain, end)
        margin = 0.0 if grid.step == values.resolution else grid.step / 2
        return [
            EndChoice(
                near=RankGaps.near(ranked, float(self.q * size + side * away), epsilon, grid.step),
                grid=grid,
                diagnostics=Private({}),
                bound=bound,
                margin=side * margin,
            )
            for side, bound in ((-1, values.lower), (1, values.upper))
        ]


@dataclasses.dataclass(frozen=True, repr=False)
class EndChoice(PiecewisePrepared):
    """An end of an interval: a value near a target rank, or the public bound with a weight of its own."""

    bound: float = 0.0
    margin: float = 0.0  # added to a chosen value, so that its whole step is in the interval

    @functools.cached_property
    def _share_of_bound(self) -> float:
        return BOUND_WEIGHT / (BOUND_WEIGHT + math.fsum(np.exp(self.near.log_weights)))

    def _exact_share_of_bound(self) -> arb:
        from engine.sampling.balls import ball

        mass = self.near.mass()
        if not self.near.is_complete:
            mass += sum((some.mass() for some in self.near.others()), ball(0))
        weight = ball(BOUND_WEIGHT)
        return weight / (weight + mass)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        chosen = self.grid.clamp(super().draw(rng, size, progress) + self.margin)
        is_bound = coins(self._share_of_bound, self._exact_share_of_bound, size, rng)
        return np.where(is_bound, self.bound, chosen)


@dataclasses.dataclass(frozen=True)
class EmptyPart:
    """No records between two public bounds, accessed by rank."""

    domain: Interval
    n: int = 0
    most_ranks: int | None = None

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the bounds that stand for ranks below 1 and above 0, and their counts."""
        below, above = max(0, min(0, last) - first + 1), max(0, last - max(first, 1) + 1)
        return ties_of(np.repeat([self.domain.lower, self.domain.upper], [below, above]))


@dataclasses.dataclass(frozen=True, repr=False)
class ChoicesPrepared(PreparedFields):
    """One choice for each part, or three with the ends of its interval (private)."""

    choices: tuple[Prepared, ...]
    has_ends: bool = False

    @property
    def batch_size(self) -> int:
        return batch_for(len(self.choices))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = np.empty((size, len(self.choices)))
        for number, choice in enumerate(self.choices):
            progress(number / len(self.choices), "choosing")
            drawn[:, number] = choice.draw(rng, size)
        if self.has_ends:
            parts = drawn.reshape(size, -1, 3)  # the value and both ends, the lower one first
            parts[..., 1], parts[..., 2] = parts.min(axis=2), parts.max(axis=2)
        return drawn
