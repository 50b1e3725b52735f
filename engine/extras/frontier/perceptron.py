"""The perceptron: a linear classifier from noisy sums of misclassified records."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from engine.aggregation.spaces import Euclidean
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms.aggregators.base import output_grids
from engine.mechanisms.facts import Mistake, Resources
from engine.mechanisms.guarantee import Guarantee, noise_guarantee
from engine.mechanisms.histograms.noisy import noise_parameter
from engine.mechanisms.planted.scales import rescale
from engine.mechanisms.points import PointsMechanism, Vectors
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives.accounting import compose, of_pure
from engine.primitives.counts import AddedNoise, check_delta
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import COUNTED
from engine.sampling.output_grid import OutputGrid, outward

_MIN_RUNS, _MAX_DISTANCES = 5, 10_000_000
"""For a picture: the least number of simulated releases, and the largest number of processed coordinates."""


def _weights(box: Box) -> Euclidean:
    """Return the space of weights: all are divided by the largest if it is above 1."""
    return Euclidean(Box((Interval(-1.0, 1.0),) * box.dimension))


def _named(columns: Sequence[str]) -> tuple[str, ...]:
    return (*(f"weight of {name}" for name in columns[:-1]), "offset")


@dataclasses.dataclass(frozen=True)
class Perceptron(PointsMechanism, hides="Noise in each round", on_step=True):
    """T rounds; each adds to the weights w the mean of y z over the records that w misclassifies.

    The last column is the class: y = 1 above the middle of its bounds, else -1.  The other columns are scaled
    to [-1, 1] and followed by a 1; this is z.  w misclassifies a record if y <w, z> <= 0; it begins as 0,
    and misclassifies all.  The release is the mean of w after each round, divided by its largest weight if
    that is above 1.  The mean is better than the last w, which never settles if classes overlap (Freund,
    Schapire 1999).

    A round uses only the sum of y z from the data, with noise on each coordinate.  A replaced record changes
    each of p + 1 coordinates of the sum by at most 2.  In the L1 norm that is 2 (p + 1), and each round
    may cost epsilon/T.  In the L2 norm it is 2 sqrt(p + 1), and T rounds of Gaussian noise with T times the
    variance are as private as one (Dong, Roth, Su 2022, Corollary 3.3).  Records are rounded to a very fine
    grid on which sums are exact.

    Source: Blum, Dwork, McSherry, Nissim 2005, section 4 (SuLQ perceptron).  They continue until few records
    are misclassified; here the number of rounds is public, and no query asks for the size of a class.

    Examples
    --------
    The class is 1 if the first column is above the middle; only the ratio of the weights matters.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> x = np.random.default_rng(1).uniform(0, 1, 2000)
    >>> data = Points(np.column_stack([x, x > 0.5]), Box.of([0, 0], [1, 1]))
    >>> weight, offset = Perceptron().run(data, Privacy(1.0), reproducible(1)).value
    >>> weight > 0, bool(abs(offset / weight) < 0.1)
    (True, True)
    """

    name: ClassVar[str] = "perceptron"
    label: ClassVar[str] = "Perceptron"
    summary: ClassVar[str] = "weights that predict from the other columns whether the last one is high"
    source: ClassVar[str] = "Blum, Dwork, McSherry, Nissim 2005, section 4"
    exact_because: ClassVar[str] = COUNTED
    worst_cases: ClassVar[str] = "engine.extras.frontier.pairs:pairs_of_classes"
    counts: ClassVar[bool] = True  # weights of scaled columns have no unit

    noise: str = noise_parameter()
    rounds: int = parameter(
        default=10,
        lower=1,
        upper=100,
        label="Rounds T",
        help="How often misclassified records are summed; each round costs a share of the budget.",
    )

    vectors: ClassVar[Vectors] = Vectors("weights", among_data=False, space=_weights, named=_named)

    @property
    def guarantee(self) -> Guarantee:
        if self.noise == "gaussian":
            return noise_guarantee(self.noise)
        rounds = self.rounds
        return Guarantee(
            uses_delta=False, zcdp=lambda privacy: compose([of_pure(privacy.epsilon / rounds)] * rounds)
        )

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=6e-9 * self.rounds * (2000 + n * domain.dimension))

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        if self.noise != "laplace":
            return {}

        def several(domain: Box) -> tuple[Problem, ...]:
            text = "the mistake shows only with one round; choose 1"
            return (Problem("rounds", text),) if self.rounds > 1 else ()

        return {"halved-scale": Mistake(problems=several, plant=lambda ready: rescale(ready, 0.5))}

    @property
    def question(self) -> Hashable:
        return self.name, self.rounds

    @property
    def estimand(self) -> Hashable:
        return self.question

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        return [grid.step for grid in output_grids(_weights(domain).box)]

    def added(self, domain: Box, privacy: Privacy) -> AddedNoise:
        """Return the noise of a round on each coordinate of the sum (public)."""
        coordinates, rounds = domain.dimension, self.rounds  # p predictors, and the offset
        euclidean = outward(2 * math.sqrt(coordinates) * math.sqrt(rounds))
        return AddedNoise.of(self.noise, privacy, 2.0 * coordinates * rounds, euclidean, unit=0.0)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        if domain.dimension < 2:
            text = "a perceptron needs at least two columns, with the class as the last; choose more"
            return (Problem("columns", text),)
        return problems_of(check_bounds, privacy, 1, self.rounds) or problems_of(
            check_delta, self.noise, privacy
        )

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> PerceptronPrepared:
        signed = sign_records(data)
        added = self.added(data.domain, privacy)
        space = _weights(data.domain)
        return PerceptronPrepared(
            signed=signed,
            rounds=self.rounds,
            added=added,
            grids=output_grids(space.box),
            noise=added.facts,
            diagnostics=Private(
                {},
                later={
                    "true_value": lambda progress: train(signed, self.rounds, None, None, progress=progress)
                },
            ),
        )


def sign_records(data: Points) -> Floats:
    """Return y z of each record (private), shape (n, p + 1): multiples of 1/steps with exact sums."""
    half, middle = data.domain.width / 2, data.domain.center
    steps = 2.0 ** (53 - (data.n - 1).bit_length())
    scaled = np.clip(np.rint((data.values - middle) / half * steps) / steps, -1, 1)
    classes = np.where(data.values[:, -1] > middle[-1], 1.0, -1.0)
    scaled[:, -1] = 1.0
    return np.asfortranarray(scaled * classes[:, None])


def train(
    signed: Floats,
    rounds: int,
    added: AddedNoise | None,
    rng: np.random.Generator | None,
    *,
    progress: Progress = silent,
) -> Floats:
    """Return the mean of the weights after each round, scaled to [-1, 1] if needed, shape (p + 1,).

    Without `added` there is no noise.
    """
    n, coordinates = signed.shape
    weights, gathered = np.zeros(coordinates), np.zeros(coordinates)
    for _ in each(rounds, progress):
        # axis by axis, so that a record's margin depends only on that record and the weights
        margins = weights[0] * signed[:, 0]
        for axis in range(1, coordinates):
            margins += weights[axis] * signed[:, axis]
        total = signed[margins <= 0].sum(axis=0)
        if added is not None and rng is not None:
            total = added.added(total, rng)
        weights = weights + np.clip(total / n, -1, 1)
        gathered += weights
    return gathered / max(rounds, float(np.abs(gathered).max()))


@dataclasses.dataclass(frozen=True, repr=False)
class PerceptronPrepared(PreparedFields):
    """Signed records (private), and the noise of each round."""

    signed: Floats  # shape (n, p + 1)
    rounds: int
    added: AddedNoise
    grids: Sequence[OutputGrid]  # grids of the released weights

    @property
    def batch_size(self) -> int:
        return max(1, 4 * 10**6 // (self.rounds * (2000 + self.signed.size)))

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(_MIN_RUNS, _MAX_DISTANCES // self.signed.size))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        result = np.array([train(self.signed, self.rounds, self.added, rng) for _ in each(size, progress)])
        return np.stack([grid.snap(result[:, axis]) for axis, grid in enumerate(self.grids)], axis=1)
