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
"""Shares are rounded to multiples of 1/FINE, so that their products with n are exact."""


@dataclasses.dataclass(frozen=True)
class Quantiles(PointsMechanism, topic="histograms", shape="quantiles", most_columns=1, on_step=True):
    """Release many quantiles of a column, in order: epsilon-DP.

    The exponential mechanism draws the middle quantile by its rank, with a part of epsilon.  It splits the
    data in two parts, in which the lower and the upper quantiles are drawn in the same way.  On each level a
    record is in one part only, so m quantiles cost about log2(m) + 1 times as much as one, not m times.  The
    budget of each choice follows from the shares alone; see `QuantileNode`.

    Source: Kaplan, Schnapp, Stemmer 2022, Algorithm 1.  There a record is added or removed, and each level
    costs the same part of epsilon; the cost for replaced records is derived here.

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
        help="Number of parts with equally many records: 4 for quartiles, 10 for deciles.",
        asks=True,
    )
    multiples: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        lower=0.0,
        label="Multiples of",
        help="Public step, such as 1 for ages, if values are its multiples and many records share one. "
        "Empty: for values that are rarely equal.",
        advanced=True,
    )

    @property
    def wanted(self) -> tuple[Fraction, ...]:
        """Share of the records below each quantile, increasing."""
        return tuple(Fraction(part, int(self.parts)) for part in range(1, int(self.parts)))

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(uses_delta=False, zcdp=self._zcdp_cost)

    def _zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the sum of the zCDP costs of the choices on all levels."""
        tree = self.tree()
        one = of_exponential(privacy.epsilon).rho / float(tree.price()) ** 2
        return Concentrated(one * float(tree.price(2)) * (1 + 1e-12))

    @property
    def question(self) -> Hashable:
        return self.name, self.parts

    def tree(self) -> QuantileNode:
        """Return the tree that orders the choices (public)."""
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
            message = f"quantiles need one column, not {domain.dimension}; choose one of them"
            return (Problem("columns", message),)
        step, width = self.multiples or 0.0, domain.sides[0].width
        if step <= width:
            return ()
        message = (
            f"{short(step)} is larger than the width of the bounds, {short(width)}; choose a smaller step"
        )
        return (Problem("multiples", message),)

    def _automatic(self, name: str, domain: Box) -> float | str:
        one = domain.dimension == 1
        return dataclasses.replace(self, multiples=None).grid(domain).step if one else ""

    def grid(self, domain: Box) -> OutputGrid:
        """Return the grid of released values (public)."""
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
            # the errors depend on the gaps between the data
            error=None,
            diagnostics=Private({"true_value": records[np.array(ranks) - 1]}),
        )

    def _released(self, value: Floats, domain: Box) -> dict[str, list[float]]:
        return {"shares": [float(share) for share in self.wanted], "values": value.tolist()}

    @classmethod
    def numbers(
        cls, value: Mapping[str, Sequence[float]], columns: Sequence[str] = (), domain: Box | None = None
    ) -> CategoryNumbers:
        """Return the released quantile of each share."""
        labels = tuple(f"{100 * share:g} %" for share in value["shares"])
        return CategoryNumbers("records below", labels, np.array(value["values"]), noun="value")

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        """Return the largest error among the quantiles, shape (size,)."""
        errors: Floats = np.abs(values - np.asarray(true_value)).max(axis=1)
        return errors


@dataclasses.dataclass(frozen=True, repr=False)
class QuantilesPrepared(PreparedFields):
    """Sorted records (private), and the order of the choices."""

    records: Floats  # (n,)
    tree: QuantileNode
    level: float  # epsilon of one choice
    ends: tuple[float, float]  # public bounds
    grid: OutputGrid

    @property
    def _many(self) -> int:
        """Number of quantiles."""
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
        """Return a `Prepared` that draws the quantile of a part; None if the part has width 0."""
        if part.domain.width <= 0:
            return None
        step = self.grid.step if self.grid.declared else None
        near = RankGaps.near(part, node.share * part.n, self.level, step)
        return PiecewisePrepared(near, self.grid, noise=self.noise, diagnostics=self.diagnostics)

    def _draw_part(
        self, node: QuantileNode, part: Part, choice: PiecewisePrepared | None, rng: np.random.Generator
    ) -> Iterator[tuple[int, float]]:
        """Draw the quantile of a part, then those of its two halves; yield index and value of each."""
        value = part.domain.lower if choice is None else float(choice.draw(rng, 1)[0])
        yield node.number, value
        # the grid need not contain the bounds of the part, so the cut is clamped to them
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
    """A quantile with its index, and the subtrees of the quantiles below and above it.

    The middle quantile is drawn first.  It splits the records in two parts, and each side is treated in the
    same way.  On each level a record is in at most one part.

    Statement.  Take a part of m records between a and b, and a target share q.  A value v with i records
    below it scores -|i - q m|.  Adding or removing a record changes the score by at most s = max(q, 1 - q);
    replacing one within the part, by at most 1.  So a choice with probability proportional to exp(e score/2)
    costs s e or e.

    Down to some level, a replaced record is in the same part before and after; each of these choices costs 1.
    Below, it is in two different parts, each of which gains or loses one record.  These cost the sum of s
    along both paths.  The largest total is the price of the tree.  With e = epsilon/price, all choices
    together are epsilon-DP by composition over levels, since the parts of a level share no records.
    """

    number: int
    share: float
    below: QuantileNode | None
    above: QuantileNode | None

    @classmethod
    def of(cls, shares: Sequence[Fraction]) -> QuantileNode:
        """Return the tree for increasing shares between 0 and 1."""
        node = _tree_of(shares, 0, Fraction(0), Fraction(1))
        assert node is not None
        return node

    @property
    def moved(self) -> Fraction:
        """Cost of adding or removing one record here, as a multiple of e."""
        return max(Fraction(self.share), 1 - Fraction(self.share))

    def price(self, power: int = 1) -> Fraction:
        """Return the total cost of a replaced record, in e; for power 2, the sum of squared costs."""
        parts = [part for part in (self.below, self.above) if part is not None]
        apart = sum((part.way_down(power) for part in parts), Fraction(0))
        return 1 + max([apart, *(part.price(power) for part in parts)])

    def way_down(self, power: int = 1) -> Fraction:
        """Return the cost of adding or removing a record along the most expensive path."""
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
    """Two bounds on a quantile, `lower` at most `upper`."""

    lower: float
    upper: float

    @property
    def width(self) -> float:
        """Distance between the bounds."""
        return self.upper - self.lower


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Part(ShownInALine):
    """Sorted records between two values, accessed by rank like a `Sample` (private)."""

    records: Floats
    domain: Between
    most_ranks = None  # all at once

    @property
    def n(self) -> int:
        """Number of records; it may be 0."""
        return int(self.records.size)

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the distinct values at these ranks, with the bounds for ranks beyond, and their counts."""
        inside = self.records[max(first, 1) - 1 : max(min(last, self.n), 0)]
        before, after = max(0, 1 - first), max(0, last - self.n)
        ends = np.full(before, self.domain.lower), np.full(after, self.domain.upper)
        return ties_of(np.concatenate([ends[0], inside, ends[1]]))
