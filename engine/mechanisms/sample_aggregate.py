"""Sample and aggregate: run any function on blocks of the data and combine the outputs privately."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from typing import Any, ClassVar, Self

import numpy as np

from engine.aggregation.blocks import Blocks, Listed, Partition, Sampling, order_of
from engine.aggregation.function import BlockFunction
from engine.aggregation.functions import GaussianMixture, KMeans, MeanFunction
from engine.aggregation.functions.mixture import fit_parameter
from engine.aggregation.running import Outputs, outputs
from engine.array_types import Floats
from engine.components import ComponentField
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.aggregators import Aggregator, CenterOfAttention, VectorPrepared
from engine.mechanisms.facts import Resources
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.points import PointsMechanism, sort_sets
from engine.mechanisms.prepared import SharedWork
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.numerals import short
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.randomness import reproducible, secure
from engine.sampling.exactness import BLOCKS
from engine.sampling.public_grid import PublicGrid

PATTERN = 1
"""Default pattern of pictures, audits and simulations."""


def pattern_parameter() -> Any:
    """Declare a public number that determines the blocks; with it, no draw is a release."""
    return parameter(
        default=None,
        kind="int",
        optional=True,
        lower=0,
        label="Pattern",
        help="Empty: a release assigns records to blocks by new secret coins. A number makes the blocks "
        "public and every run a simulation, since in sorted data one record could change all blocks.",
        advanced=True,
    )


class SecretBlocks:
    """Keeps the blocks of a release secret unless a `pattern_parameter` determines them."""

    pattern: int | None

    @property
    def simulated_by(self) -> str:
        """The stated pattern as text; empty if there is none."""
        return "" if self.pattern is None else f"pattern {self.pattern}"

    @property
    def seed(self) -> int:
        """Public seed of the function, and of the blocks of simulations."""
        return PATTERN if self.pattern is None else self.pattern

    def _automatic(self, name: str, domain: Any) -> str:
        """Return "secret" for an empty pattern."""
        return "secret" if name == "pattern" else ""


@dataclasses.dataclass(frozen=True)
class BlockMechanism(SecretBlocks, PointsMechanism, abc.ABC):
    """Base class of mechanisms that run a function on blocks of the data.

    In a release, new secret coins assign the records to blocks, in the same way for all records.  Privacy
    then holds for any replaced record, in whatever order the file lists them.  With a public pattern it would
    hold only for a row replaced in place: in a sorted file, a changed value can shift all rows in between.
    Pictures, audits and simulations use a public pattern; a stated pattern makes every run a simulation.
    The seeds of the function are public: they belong to blocks, not to records.
    """

    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_points:pairs_of_blocks"

    sampling: ComponentField[Sampling] = parameter(
        default=Partition(), label="Blocks", help="How to draw the blocks.", advanced=True
    )
    aggregator: ComponentField[Aggregator] = parameter(
        default=CenterOfAttention(), label="Aggregator", help="How to combine the outputs of the blocks."
    )
    pattern: int | None = pattern_parameter()

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        steps = self.aggregator.steps(self.function.space(domain))
        return steps[: domain.dimension] if self.function.unordered else steps

    def _number_grid(self, data: Points, privacy: Privacy) -> PublicGrid:
        return PublicGrid.multiples(self.aggregator.steps(self.function.space(data.domain)))

    @property
    @abc.abstractmethod
    def function(self) -> BlockFunction:
        """The function that runs on each block."""

    @property
    def vectors(self) -> BlockFunction:
        return self.function

    @property
    def guarantee(self) -> Guarantee:
        # if blocks overlap too much with some probability, delta covers it, and zCDP cannot
        return Guarantee(zcdp=self.aggregator.zcdp_cost if self.sampling.certain else None)

    def resolve(self, privacy: Privacy | None = None, domain: Box | None = None) -> Self:
        return dataclasses.replace(self, aggregator=self.aggregator.resolve_noise())

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(self.aggregator.memory(self.sampling.blocks))

    @property
    def question(self) -> Hashable:
        return self.function.question

    @property
    def estimand(self) -> Hashable:
        return self.function, self.function.version, self.seed

    def shared_work(self, domain: Box) -> SharedWork:
        # the outputs of the blocks depend on function, blocks and pattern only
        key = "outputs", self.function, self.function.version, self.sampling, self.seed
        return SharedWork(key, lambda data, _, progress: self._block_outputs(data, progress), self._aggregate)

    def _release_parameters(self) -> dict[str, Any]:
        known, parts = self.settings(), {"function": self.function, "sampling": self.sampling}
        for kind, chosen in (parts | {"aggregator": self.aggregator}).items():
            known |= {kind: chosen.name, **chosen.settings()}
        return known

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        smallest = self.function.smallest_block(domain)
        problem = self.function.problem(domain) or self.sampling.problem(n, smallest)
        if problem is not None:
            return (Problem(*problem),)
        s, delta = self.sampling.overlap(n)
        if 0 < delta >= privacy.delta:
            message = (
                f"the blocks alone need more than {short(delta, 2)}; choose a larger delta, a larger s, "
            )
            return (Problem("delta", f"{message}or blocks that are checked"),)
        left = self.sampling.left(n, privacy)
        return self.aggregator.problems(self.function.space(domain), self.sampling.blocks, s, left)

    def prepare(
        self, data: Points, privacy: Privacy, progress: Progress = silent, executor: Executor | None = None
    ) -> VectorPrepared:
        """Run the function on the blocks of the pattern (with `executor`, if given) and aggregate."""
        counted = self._block_outputs(data, part(progress, 0.0, 0.8), executor)
        return self._aggregate(counted, data, privacy, part(progress, 0.8, 1.0))

    def _prepare_release(
        self,
        data: Points,
        privacy: Privacy,
        progress: Progress = silent,
        executor: Executor | None = None,
    ) -> VectorPrepared:
        if self.sampling.redrawn or self.simulated_by:
            return self.prepare(data, privacy, progress, executor)
        drawn = self.sampling.draw(data.n, secure())
        counted = self._block_outputs(data, part(progress, 0.0, 0.8), executor, drawn)
        ready = self._aggregate(counted, data, privacy, part(progress, 0.8, 1.0))
        return dataclasses.replace(ready, only_simulates=False)

    def blocks(self, n: int) -> Blocks:
        """Return the blocks of the pattern for n records (public)."""
        return self.sampling.draw(n, reproducible(self.seed))

    def _block_outputs(
        self,
        data: Points,
        progress: Progress = silent,
        executor: Executor | None = None,
        drawn: Blocks | None = None,
    ) -> Outputs:
        """Run the function on all blocks: those in `drawn`, or those of the pattern."""
        blocks = self.blocks(data.n) if drawn is None else drawn
        # sort the centers within each output: aggregators of single coordinates need an order
        results = outputs(self.function, data, blocks, seed=self.seed, executor=executor, progress=progress)
        return dataclasses.replace(results, values=_ordered(self.function, results.values, data.domain))

    def _aggregate(
        self, counted: Outputs, data: Points, privacy: Privacy, progress: Progress = silent
    ) -> VectorPrepared:
        s, _ = self.sampling.overlap(data.n)
        left, space = self.sampling.left(data.n, privacy), self.function.space(data.domain)
        ready = self.aggregator.prepare(counted.values, space, s, left, progress)
        known = Private(
            {**ready.diagnostics, "outputs": counted.values, "fell_back": counted.fell_back},
            later={
                "true_value": lambda progress: whole(self.function, data, seed=self.seed, progress=progress)
            },
        )
        if not self.sampling.redrawn:
            return dataclasses.replace(ready, diagnostics=known, only_simulates=True)

        def once(rng: np.random.Generator, share: Progress) -> VectorPrepared:
            results = self._block_outputs(data, share, drawn=self.sampling.draw(data.n, rng))
            return self.aggregator.prepare(results.values, space, s, left)

        looks = data.n // self.sampling.records_per_draw
        return ResampledPrepared(ready.center, ready.box, ready.noise, ready.error, known, once, looks)


def whole(
    function: BlockFunction,
    data: Points,
    *,
    seed: int,
    progress: Progress = silent,
    rng: np.random.Generator | None = None,
) -> Floats:
    """Return the function of all points, as if they were one block (private), shape (D,).

    The points are in the order of their records, or in a random order if `rng` is given.
    """
    order = Listed(np.arange(data.n)) if rng is None else order_of(data.n, rng)
    values = outputs(
        function, data, Blocks(((1, data.n),), order, s=1), seed=seed, executor=None, progress=progress
    ).values
    return np.ravel(_ordered(function, values, data.domain)[0])


def _ordered(function: BlockFunction, values: Floats, box: Box) -> Floats:
    return sort_sets(values, box.dimension).reshape(values.shape) if function.unordered else values


@dataclasses.dataclass(frozen=True)
class SampleAggregate(BlockMechanism):
    """Release any block function.

    Examples
    --------
    The simulated median of 10,000 records around 0.3, from 100 blocks:

    >>> import numpy as np
    >>> from engine import Box, MedianFunction, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (10_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(block_function=MedianFunction())
    >>> round(mechanism.run(data, Privacy(1.0), reproducible(1)).value, 1)
    0.3
    """

    name: ClassVar[str] = "sample-aggregate"
    label: ClassVar[str] = "Sample and aggregate"
    summary: ClassVar[str] = "any function, run on blocks of the data and combined privately"
    exact_because: ClassVar[str] = BLOCKS

    block_function: ComponentField[BlockFunction] = parameter(
        default=MeanFunction(), label="Function", help="Function that runs on each block.", asks=True
    )

    @property
    def function(self) -> BlockFunction:
        return self.block_function


_MAX_LOOKS, _MIN_RUNS = 2 * 10**6, 20
"""Limits for the simulated releases of a picture: records read in total, and smallest number of runs."""


@dataclasses.dataclass(frozen=True, repr=False)
class ResampledPrepared(VectorPrepared):
    """Draws new blocks for each release; one draw of blocks represents all in pictures."""

    batch_size: ClassVar[int] = 1  # each draw runs the function on all blocks

    # Draws blocks with a generator and prepares the aggregator for them
    once: Callable[[np.random.Generator, Progress], VectorPrepared]
    looks: int  # records read for one release

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(_MIN_RUNS, _MAX_LOOKS // max(1, self.looks)))

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        return np.concatenate([self.once(rng, here).draw(rng, 1) for here in each(size, progress)])


@dataclasses.dataclass(frozen=True)
class Clusters(BlockMechanism):
    """Release the centers of k clusters.

    Examples
    --------
    The simulated centers of two clusters around (0.25, 0.25) and (0.75, 0.75):

    >>> import numpy as np
    >>> from engine import Box, Partition, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> mechanism = Clusters(sampling=Partition(blocks=500), k=2)
    >>> np.round(mechanism.run(data, Privacy(4.0), reproducible(1)).value, 2)
    array([[0.25, 0.25],
           [0.76, 0.76]])
    """

    name: ClassVar[str] = "clusters"
    label: ClassVar[str] = "Clusters"
    summary: ClassVar[str] = "the centers of k clusters, by k-means on blocks"
    exact_because: ClassVar[str] = BLOCKS

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="Number of centers.")

    @property
    def function(self) -> BlockFunction:
        return KMeans(k=self.k)


@dataclasses.dataclass(frozen=True)
class Mixture(BlockMechanism):
    """Release the means of k spherical Gaussians of equal size.

    Examples
    --------
    The simulated means of two clusters around (0.25, 0.25) and (0.75, 0.75):

    >>> import numpy as np
    >>> from engine import Box, Partition, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> mechanism = Mixture(sampling=Partition(blocks=500), k=2)
    >>> np.round(mechanism.run(data, Privacy(4.0), reproducible(1)).value, 2)
    array([[0.25, 0.25],
           [0.76, 0.76]])
    """

    name: ClassVar[str] = "mixture"
    label: ClassVar[str] = "Gaussian mixture"
    summary: ClassVar[str] = "the means of k Gaussians, fitted on blocks"
    exact_because: ClassVar[str] = BLOCKS

    k: int = parameter(default=3, lower=1, upper=32, label="Gaussians k", help="Number of means.")
    fit: str = fit_parameter()

    @property
    def function(self) -> BlockFunction:
        return GaussianMixture(k=self.k, fit=self.fit)
