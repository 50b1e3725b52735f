"""The metric median among public points, for any distance."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from engine.aggregation.spaces import Euclidean, Manhattan
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.facts import Mistake
from engine.mechanisms.guarantee import CHOICE, Guarantee
from engine.mechanisms.number_lists import point_list
from engine.mechanisms.points import PointsMechanism, Vectors
from engine.mechanisms.prepared import PreparedFields, SharedWork
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import as_replaced, relation_parameter
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives.selection import exponential_mechanism, exponential_slack, selection_probabilities
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.randomness import is_release
from engine.sampling.exactness import CHOSEN

MAX_CANDIDATES, DEFAULT_CANDIDATES = 4096, 1024
"""The largest number of candidates, and about how many there are by default."""

BETA = 0.05
"""Probability that the choice misses by more than the stated slack."""

DIGITS = 50
"""Sums of scores are integers below 2^51, which doubles represent."""

MIN_UNITS = 1 << 10
"""Smallest distance of the farthest candidates in units; below, rounding would decide."""

NORMS: dict[str, Literal["euclidean", "cityblock", "chebyshev"]] = {
    "L2": "euclidean",
    "L1": "cityblock",
    "L-infinity": "chebyshev",
}
"""Distances, and scipy's names for them."""


MAX_AUDITED = 4
"""Candidates with which an audit can find a mistake; more would hide the difference between two rivals."""


@dataclasses.dataclass(frozen=True)
class Scale:
    """The unit in which distances are added (public)."""

    unit: float  # a power of two
    sensitivity: float  # in units: half of the largest change of a difference of two scores by one record


@dataclasses.dataclass(frozen=True)
class MetricMedian(
    PointsMechanism,
    hides="A choice by distance",
    why="A far record counts for no more than the distance of the candidates.",
):
    """Choose candidate c with probability proportional to exp(-epsilon sum_i d(x_i, c)/(2 D)).

    D is the distance of the two candidates farthest apart.  The choice is epsilon-private.

    Proof.  By the triangle inequality d(x, c) - d(x, c') is between -D and D for every record x and all
    candidates c, c'.  So a replaced record changes the difference of two sums by at most 2 D, and the ratio
    of their weights by at most e^epsilon.  A probability is 1 over a sum of such ratios.  The proof uses only
    the triangle inequality, not the bounds of the data: a far record counts for no more than D.

    Distances are rounded to a public grid on which sums are exact; D includes the rounding.

    Source: the median of a metric space of Nissim, Raskhodnikova, Smith 2007, section 4, with the choice of
    McSherry, Talwar 2007.  That D is enough, instead of the diameter of the data, is derived here.

    Examples
    --------
    The one of 64 points that is in the middle of most records:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> MetricMedian(parts=8).run(data, Privacy(1.0), reproducible(1)).value
    [0.3125, 0.3125]
    """

    name: ClassVar[str] = "metric-median"
    label: ClassVar[str] = "Metric median"
    summary: ClassVar[str] = "the public point with the smallest total distance to all records, or nearly"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, section 4; McSherry, Talwar 2007"
    exact_because: ClassVar[str] = CHOSEN
    worst_cases: ClassVar[str] = "engine.extras.frontier.pairs:pairs_of_medians"

    norm: str = parameter(
        default="L2",
        choices=tuple(NORMS),
        label="Distance",
        help="L2: Euclidean distance; L1: sum over coordinates; L-infinity: largest coordinate.",
        asks=True,
    )
    parts: int | None = parameter(
        default=None,
        kind="int",
        optional=True,
        lower=1,
        upper=MAX_CANDIDATES,
        label="Parts",
        help="Parts of each axis; the candidates are the centers of the resulting cells. Empty: enough parts "
        "for about 1,000 cells.",
    )
    among: str = parameter(
        default="",
        label="Candidates",
        holds="points",
        help="Public points instead of a grid, separated by semicolons, with commas between coordinates: "
        "0,0; 1,0.5.",
        advanced=True,
    )
    relation: str = relation_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        point_list(self.among, "among")

    guarantee: ClassVar[Guarantee] = CHOICE

    @property
    def vectors(self) -> Vectors:
        # errors are Euclidean, except for the sum over coordinates
        return Vectors("median", space=Manhattan if self.norm == "L1" else Euclidean)

    @property
    def question(self) -> Hashable:
        return self.name, self.norm

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        def too_many(domain: Box) -> tuple[Problem, ...]:
            if len(self.points(domain)) <= MAX_AUDITED:
                return ()
            message = f"the mistake shows only with at most {MAX_AUDITED} candidates; choose fewer parts"
            return (Problem("parts", message),)

        return {"exponential-doubled": Mistake("rivals", too_many)}

    def shared_work(self, domain: Box) -> SharedWork:
        key = self.name, self.norm, self.parts, self.among
        return SharedWork(key, lambda data, _, progress: self._sums(data, progress), self._choose)

    def _automatic(self, name: str, domain: Box) -> Any:
        return self._parts(domain) if name == "parts" and not self.among.strip() else ""

    def points(self, domain: Box) -> Floats:
        """Return the candidates (public), shape (m, d)."""
        if self.among.strip():
            return np.array(point_list(self.among, "among"))
        parts = self._parts(domain)
        middles = (np.arange(parts) + 0.5) / parts
        axes = [side.lower + middles * side.width for side in domain.sides]
        return np.array(list(itertools.product(*axes)))

    def farthest(self, domain: Box) -> tuple[Floats, Floats]:
        """Return the two candidates farthest apart (public)."""
        points = self.points(domain)
        away = self._distances(points, points, domain)
        first, second = np.unravel_index(int(away.argmax()), away.shape)
        return points[first], points[second]

    def scale(self, domain: Box, n: int) -> Scale:
        """Return units in which the sums of distances of n records are integers (public).

        A distance has an error of at most (d + 4) 2^-53 times the diameter of the bounds, which is an eighth
        of a unit for two distances.  So each score is within 5/8 of a unit of the true one, and
        2 more units than D cover this.
        """
        apart, reach = (
            float(self._distances(one[None], other[None], domain)[0, 0]) * (1 + 2.0**-40)
            for one, other in (self.farthest(domain), (domain.lower, domain.upper))
        )
        rounding = reach * (domain.dimension + 4) * 2.0**-49
        finest = max(apart * 2.0 ** (math.ceil(math.log2(n)) - DIGITS), rounding)
        unit = 2.0 ** math.ceil(math.log2(finest))
        return Scale(unit, math.ceil(apart / unit) + 2.0)

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return the number of candidates, and how much nearer on average a better one may be."""
        scale, size = self.scale(domain, n), len(self.points(domain))
        epsilon = as_replaced(privacy, self.relation).epsilon
        slack = exponential_slack(math.log(size), epsilon, BETA, scale.sensitivity) * scale.unit
        return {"choice_of": size, "slack": slack / n * _magnitude(domain)}

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        if problems := problems_of(check_bounds, privacy, 1):
            return problems
        d, given = domain.dimension, point_list(self.among, "among")
        if given and any(len(point) != d for point in given):
            message = f"each point needs {d} coordinate{'s' * (d > 1)}, one per column, separated by commas"
            return (Problem("among", message),)
        size = len(given) or self._parts(domain) ** d
        field = "among" if given else "parts"
        if not 2 <= size <= MAX_CANDIDATES:
            message = f"{grouped(size)} candidates are not possible; choose 2 to {grouped(MAX_CANDIDATES)}"
            return (Problem(field, message + ("" if given else f", by fewer parts of {d} axes")),)
        points = self.points(domain)
        if (points < domain.lower).any() or (points > domain.upper).any():
            return (Problem("among", "a candidate is outside of the bounds; choose points within them"),)
        if self.scale(domain, n).sensitivity < MIN_UNITS:
            message = "the candidates are too near each other for such wide bounds; choose farther ones"
            return (Problem(field, message),)
        return ()

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> ChosenPoint:
        return self._choose(self._sums(data, part(progress, 0.0, 0.9)), data, privacy)

    def _sums(self, data: Points, progress: Progress) -> Floats:
        """Return minus the sum of distances to each candidate, in units, up to a constant (private)."""
        points, unit = self.points(data.domain), self.scale(data.domain, data.n).unit
        sums, rows = np.zeros(len(points)), max(1, 2**21 // len(points))

        def added(values: Floats) -> Floats:
            sums = np.zeros(len(points))
            for start in range(0, len(values), rows):
                away = self._distances(values[start : start + rows], points, data.domain)
                sums += np.rint((away[:, :1] - away) / unit).sum(axis=0)
            return sums

        for some in data.found_in_parts(added, progress, "adding up distances", len(points)):
            sums += some
        return sums

    def _choose(
        self, counted: Floats, data: Points, privacy: Privacy, progress: Progress = silent
    ) -> ChosenPoint:
        points = self.points(data.domain)
        return ChosenPoint(
            points=points,
            sums=counted,
            sensitivity=self.scale(data.domain, data.n).sensitivity,
            epsilon=as_replaced(privacy, self.relation).epsilon,
            diagnostics=Private({"true_value": points[int(np.argmax(counted))]}),
        )

    def _parts(self, domain: Box) -> int:
        """Return the number of parts of each axis."""
        if self.parts is not None:
            return int(self.parts)
        return max(2, int(DEFAULT_CANDIDATES ** (1 / domain.dimension) + 1e-9))

    def _distances(self, first: Floats, second: Floats, domain: Box) -> Floats:
        """Return all distances, divided by a public power of two so that squares stay in range."""
        from scipy.spatial.distance import cdist

        size = _magnitude(domain)
        return np.asarray(cdist(first / size, second / size, NORMS[self.norm]))


def _magnitude(domain: Box) -> float:
    """Return a public power of two above the widest side."""
    return 2.0 ** math.frexp(float(domain.width.max()))[1]


@dataclasses.dataclass(frozen=True, repr=False)
class ChosenPoint(PreparedFields):
    """Candidates with their scores (private)."""

    points: Floats  # shape (m, d)
    sums: Floats  # shape (m,); integers
    sensitivity: float  # half of the largest change of a difference of two scores by one record
    epsilon: float

    @property
    def probabilities(self) -> Floats:
        """The probability of each candidate (private), shape (m,)."""
        return selection_probabilities(self.sums, self.epsilon, sensitivity=self.sensitivity)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        if not is_release(rng):
            return self.points[rng.choice(len(self.points), size, p=self.probabilities)]
        law = functools.partial(exponential_mechanism, self.sums, self.epsilon, rng)
        return self.points[[law(sensitivity=self.sensitivity) for _ in each(size, progress)]]
