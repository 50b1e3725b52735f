"""Many quantiles of one column at once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.order_statistics import ties_of
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.rank_gaps import RankGaps
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives.accounting import Concentrated, of_exponential
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import CHOSEN
from engine.sampling.output_grid import OutputGrid
from engine.shown import ShownInALine

FINE = 1 << 20
"""Shares are multiples of a part of so many, so that products with numbers of records are exact."""


@dataclasses.dataclass(frozen=True)
class Quantiles(PointsMechanism, topic="histograms", shape="quantiles", most_columns=1, on_step=True):
    """Release many quantiles of a column, in order: epsilon-private.

    The middle one is drawn by its rank, by the exponential mechanism with a part of epsilon; it cuts the
    data in two, and the others are looked for in the same way below and above.  A record is in one part
    on each level, so that m quantiles cost about as much as log2(m) + 1 do, not m.  What the levels get
    follows from the shares alone: see `QuantileNode`.

    Source: Kaplan, Schnapp, Stemmer 2022, Algorithm 1.  There each level costs the same part of epsilon
    where a record is added or removed; the price for replaced records is derived here.

    Examples
    --------
    Quartiles of 10,001 evenly spread values:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.linspace(0, 1, 10_001)[:, np.newaxis], Box.of([0], [1]))
    >>> simulated = Quantiles(parts=4).run(data, Privacy(1.0), reproducible(1))
    >>> [round(value, 2) for value in simulated.value["values"]]
    [0.25, 0.5, 0.75]
    """

    name: ClassVar[str] = "quantiles"
    label: ClassVar[str] = "Quantiles"
    summary: ClassVar[str] = "many quantiles of a column at once, differentially private"
    source: ClassVar[str] = "Kaplan, Schnapp, Stemmer 2022"
    exact_because: ClassVar[str] = CHOSEN
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_points:pairs_of_quantiles"

    parts: int = parameter(
        default=4,
        lower=2,
        upper=1000,
        label="Equal parts",
        help="Into how many parts with equally many records the quantiles cut the data: 4 for quartiles, "
        "10 for deciles.",
        asks=True,
    )
    multiples: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        lower=0.0,
        label="Multiples of",
        help="Public step of which values are multiples, such as 1 for ages: then values that many records "
        "share are drawn like all others. Left empty: for values that are hardly ever equal.",
        advanced=True,
    )

    @property
    def wanted(self) -> tuple[Fraction, ...]:
        """The shares of the records below each quantile, rising."""
        return tuple(Fraction(part, int(self.parts)) for part in range(1, int(self.parts)))

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(uses_delta=False, zcdp=self._zcdp_cost)

    def _zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the sum of what the choices of all levels cost: a range of log-ratios each."""
        tree = self.tree()
        one = of_exponential(privacy.epsilon).rho / float(tree.price()) ** 2
        return Concentrated(one * float(tree.price(2)) * (1 + 1e-12))

    @property
    def question(self) -> Hashable:
        return self.name, self.parts

    def tree(self) -> QuantileNode:
        """Return in which order quantiles are looked for (public)."""
        return QuantileNode.of(self.wanted)

    def level(self, privacy: Privacy) -> float:
        """Return the epsilon of one choice (public)."""
        exact = Fraction(privacy.epsilon) / self.tree().price()
        nearest = float(exact)
        return nearest if Fraction(nearest) <= exact else math.nextafter(nearest, 0)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        wrong = problems_of(check_bounds, privacy, 1)
        if wrong:
            return wrong
        if domain.dimension > 1:
            message = f"quantiles are of one column, not of {domain.dimension}; choose one of them"
            return (Problem("columns", message),)
        step, width = self.multiples or 0.0, domain.sides[0].width
        if step <= width:
            return ()
        message = f"{short(step)} is wider than the bounds, which are {short(width)} apart"
        return (Problem("multiples", message),)

    def _automatic(self, name: str, domain: Box) -> float | str:
        one = domain.dimension == 1
        return dataclasses.replace(self, multiples=None).grid(domain).step if one else ""

    def grid(self, domain: Box) -> OutputGrid:
        """Return where released values lie (public)."""
        side = domain.sides[0]
        return OutputGrid.of(side.width, side.lower, side.upper, self.multiples or None)

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return self.grid(domain).step

    def _largest_error(self, domain: Box, n: int) -> float:
        return domain.sides[0].width

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> QuantilesPrepared:
        progress(0.0, "sorting")
        records = np.sort(data.values[:, 0])
        grid = self.grid(data.domain)
        if grid.declared:
            records = grid.clamp(np.rint(records / grid.step) * grid.step)
        ranks = [max(1, math.ceil(share * data.n)) for share in self.wanted]
        return QuantilesPrepared(
            records=records,
            tree=self.tree(),
            level=self.level(privacy),
            ends=(data.domain.sides[0].lower, data.domain.sides[0].upper),
            grid=grid,
            # how far the answers lie depends on the gaps between the data
            error=None,
            diagnostics=Private({"true_value": records[np.array(ranks) - 1]}),
        )

    def _released(self, value: Floats, domain: Box) -> dict[str, list[float]]:
        return {"shares": [float(share) for share in self.wanted], "values": value.tolist()}

    @classmethod
    def numbers(
        cls, value: Mapping[str, Sequence[float]], columns: Sequence[str] = (), domain: Box | None = None
    ) -> CategoryNumbers:
        """Return what was released as a number for each share."""
        labels = tuple(f"{100 * share:g} %" for share in value["shares"])
        return CategoryNumbers("records below", labels, np.array(value["values"]), noun="value")

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        """Return how far the worst of the quantiles is off, shape (size,)."""
        errors: Floats = np.abs(values - np.asarray(true_value)).max(axis=1)
        return errors


@dataclasses.dataclass(frozen=True, repr=False)
class QuantilesPrepared(PreparedFields):
    """Sorted records (private), and the order in which quantiles are looked for."""

    records: Floats  # (n,)
    tree: QuantileNode
    level: float  # the epsilon of one choice
    ends: tuple[float, float]  # the public bounds
    grid: OutputGrid

    @property
    def _many(self) -> int:
        """How many quantiles there are."""
        return len(self.diagnostics["true_value"])

    @property
    def batch_size(self) -> int:
        return max(1, 1000 // self._many)

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(100, 20_000 // self._many))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = np.empty((size, self._many))
        whole = Part(self.records, Between(*self.ends))
        first = self._choice(self.tree, whole)
        for row, _ in zip(drawn, each(size, progress), strict=True):
            for number, value in self._draw_part(self.tree, whole, first, rng):
                row[number] = value
        return drawn

    def _choice(self, node: QuantileNode, part: Part) -> PiecewisePrepared | None:
        """Return what draws the quantile of a part; None where there is nothing to choose."""
        if part.domain.width <= 0:
            return None
        step = self.grid.step if self.grid.declared else None
        near = RankGaps.near(part, node.share * part.n, self.level, step)
        return PiecewisePrepared(near, self.grid, noise=self.noise, diagnostics=self.diagnostics)

    def _draw_part(
        self, node: QuantileNode, part: Part, choice: PiecewisePrepared | None, rng: np.random.Generator
    ) -> Iterator[tuple[int, float]]:
        """Yield the quantiles of a part; those in parts that it makes follow from what was drawn."""
        value = part.domain.lower if choice is None else float(choice.draw(rng, 1)[0])
        yield node.number, value
        # rounding to the public grid, and bounds that are not on it, lead no farther than that
        cut = min(max(value, part.domain.lower), part.domain.upper)
        middle = int(np.searchsorted(part.records, cut, side="left"))
        sides = (
            (node.below, Part(part.records[:middle], Between(part.domain.lower, cut))),
            (node.above, Part(part.records[middle:], Between(cut, part.domain.upper))),
        )
        for child, half in sides:
            if child is not None:
                yield from self._draw_part(child, half, self._choice(child, half), rng)


@dataclasses.dataclass(frozen=True)
class QuantileNode:
    """A quantile, by its number among all, and those that are looked for in the two parts that it makes.

    The middle one is found first.  It cuts the records in two parts, in which those below and those above are
    looked for in the same way; on each level a record is in one part at most.

    Statement.  In a part of m records between a and b, with an order that says that a share q lies below, a
    value v with i records below it scores -|i - q m|.  A record that is added or taken away changes the score
    by at most s = max(q, 1 - q); one that is replaced within the part by at most 1.  So a choice with
    probability proportional to exp(e score/2) costs s e, or e.

    A replaced record is in the same part before and after down to some level, and below that in two different
    ones, of each of which it is one more or less: the first cost 1 each, the others the sum of the costs s of
    both ways down.  The largest such sum is the price of the whole tree: with e = epsilon/price all choices
    together are epsilon-private, by composition over levels, since the parts of a level have no record in
    common.
    """

    number: int
    share: float
    below: QuantileNode | None
    above: QuantileNode | None

    @classmethod
    def of(cls, shares: Sequence[Fraction]) -> QuantileNode:
        """Return the tree for rising shares between 0 and 1."""
        node = _tree_of(shares, 0, Fraction(0), Fraction(1))
        assert node is not None
        return node

    @property
    def moved(self) -> Fraction:
        """What one record more or less costs here, of e."""
        return max(Fraction(self.share), 1 - Fraction(self.share))

    def price(self, power: int = 1) -> Fraction:
        """Return what a replaced record costs in all, of e; of the squares of costs for power 2."""
        parts = [part for part in (self.below, self.above) if part is not None]
        apart = sum((part.way_down(power) for part in parts), Fraction(0))
        return 1 + max([apart, *(part.price(power) for part in parts)])

    def way_down(self, power: int = 1) -> Fraction:
        """Return what one record more or less costs on the most expensive way down."""
        return self._ways_down[power]

    @cached_property
    def _ways_down(self) -> dict[int, Fraction]:
        parts = [part for part in (self.below, self.above) if part is not None]
        return {
            power: self.moved**power + max((part.way_down(power) for part in parts), default=Fraction(0))
            for power in (1, 2)
        }


def _tree_of(shares: Sequence[Fraction], first: int, low: Fraction, high: Fraction) -> QuantileNode | None:
    if not shares:
        return None
    middle = len(shares) // 2
    here = shares[middle]
    whole = math.floor((here - low) / (high - low) * FINE + Fraction(1, 2))
    return QuantileNode(
        number=first + middle,
        share=whole / FINE,
        below=_tree_of(shares[:middle], first, low, here),
        above=_tree_of(shares[middle + 1 :], first + middle + 1, here, high),
    )


@dataclasses.dataclass(frozen=True)
class Between:
    """Two numbers, the first not above the second, between which a quantile is looked for."""

    lower: float
    upper: float

    @property
    def width(self) -> float:
        """How far they are apart."""
        return self.upper - self.lower


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Part(ShownInALine):
    """Sorted records between two values, seen through their ranks as `Sample` is (private)."""

    records: Floats
    domain: Between
    most_ranks = None  # all of them

    @property
    def n(self) -> int:
        """How many records there are; none is possible."""
        return int(self.records.size)

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the different values at these ranks, the ends beyond them, and how often each is there."""
        inside = self.records[max(first, 1) - 1 : max(min(last, self.n), 0)]
        before, after = max(0, 1 - first), max(0, last - self.n)
        ends = np.full(before, self.domain.lower), np.full(after, self.domain.upper)
        return ties_of(np.concatenate([ends[0], inside, ends[1]]))
