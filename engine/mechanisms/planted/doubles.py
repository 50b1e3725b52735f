"""Noise in double precision: right for real numbers, but its lowest bits reveal the data."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.mechanisms.aggregators import OneClusterAggregator, VectorPrepared
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories import ContingencyTable
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.histograms import NoisyHistogram
from engine.mechanisms.noisy_average import NoisyAverage
from engine.mechanisms.one_cluster import OneCluster
from engine.mechanisms.one_cluster.balls import BallsPrepared
from engine.mechanisms.one_cluster.overlapping_cells import InCells
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.planted.scales import with_noise
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.mechanisms.problem import Problem
from engine.mechanisms.propose_test_release import PtrPrepared
from engine.mechanisms.release import Release
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.mechanisms.scalar import ScalarMechanism
from engine.primitives.counts import AddedNoise
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.randomness import is_release, public_generator

BY_CELLS = "overlapping-cells"
"""The finder whose last released step is a noisy mean."""


class NaiveDoubles(Planted):
    """Noise from numpy's samplers with the operating system's bits, without rounding to a grid.

    The proofs hold for real numbers.  The set of doubles that such a sum can be depends on the true value.  A
    double that a neighbour cannot give tells the two apart, with any amount of noise.

    Source: Mironov 2012.
    """

    name: ClassVar[str] = "naive-doubles"
    label: ClassVar[str] = "Noise in double precision"
    summary: ClassVar[str] = (
        "noise is added in double precision without rounding to a public grid; the possible doubles "
        "depend on the data, so the lowest bits reveal them"
    )
    source: ClassVar[str] = "Mironov 2012"
    worst: ClassVar[str] = "growing-gaps"
    runs: ClassVar[int] = 2000
    shows_in_low_bits: ClassVar[bool] = True
    inexact: ClassVar[str] = "noise is drawn and added in double precision"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Applies to numbers with noise, or drawn from intervals, that are released without rounding.

        A choice among other things, or a coarsely rounded number, has no low bits.
        """
        if isinstance(mechanism, BlockMechanism):
            return not isinstance(mechanism.aggregator, OneClusterAggregator)
        if isinstance(mechanism, OneCluster):
            return mechanism.method in ("auto", BY_CELLS)
        if isinstance(mechanism, ContingencyTable):
            return mechanism.margins == "full"
        return isinstance(mechanism, (ScalarMechanism, NoisyAverage, NoisyHistogram))

    @classmethod
    def worst_for(cls, mechanism: Mechanism[Any]) -> str:
        return "one-moved" if isinstance(mechanism, ExponentialRelease) else super().worst_for(mechanism)

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        if isinstance(self.right, OneCluster) and self.right.search.finder(domain).name != BY_CELLS:
            return (Problem("columns", "this mistake shows with at most six columns; choose fewer"),)
        return super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> DoublesPrepared:
        ready = in_doubles(self.right.prepare(data, privacy, progress))
        return DoublesPrepared(ready, noise=ready.noise, error=ready.error, diagnostics=ready.diagnostics)

    def release(
        self,
        prepared: Prepared,
        data: Any,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Draw once in double precision with any generator; the release states no grid."""
        assert isinstance(prepared, DoublesPrepared)
        made = super().release(prepared.ready, data, privacy, public_generator(rng), progress)
        return dataclasses.replace(made, simulated=not is_release(rng), step=None, exact=False)


@dataclasses.dataclass(frozen=True, repr=False)
class DoublesPrepared(PreparedFields):
    """Draws with numpy's samplers, even for releases."""

    ready: Prepared  # the right mechanism, without a grid

    @property
    def batch_size(self) -> int:
        return self.ready.batch_size

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.ready.draw(public_generator(rng), size, progress)

    def draw_numbers(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.ready.draw_numbers(public_generator(rng), size, progress)


def in_doubles(ready: Prepared) -> Prepared:
    """Return a copy without a grid, for a generator other than that of releases."""
    if isinstance(ready, PtrPrepared):
        answer = in_doubles(ready.answer)
        assert isinstance(answer, AdditivePrepared)
        return dataclasses.replace(ready, answer=answer)
    if isinstance(ready, (AdditivePrepared, PiecewisePrepared)):
        return dataclasses.replace(ready, grid=dataclasses.replace(ready.grid, declared=False))
    if isinstance(ready, BallsPrepared):
        return dataclasses.replace(ready, located=_find_unrounded(ready.located))
    if isinstance(ready, VectorPrepared):
        return ready
    return with_noise(ready, lambda added: InDoubles(added.family, added.scale))


class InDoubles(AddedNoise):
    """Noise of one scale, without rounding."""

    def added(self, values: ArrayLike, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        array = np.asarray(values, dtype=np.float64)
        draw = rng.laplace if self.family == "laplace" else rng.normal
        noisy: Floats = array + draw(0.0, self.scale, array.shape)
        return noisy


class _Unrounded(InCells):
    """Points counted in cells; the mean is not rounded to the grid."""

    def _mean(self, low: Floats, high: Floats, rng: np.random.Generator) -> Floats:
        return self._noisy_mean(low, high, rng)


def _find_unrounded(located: Any) -> _Unrounded:
    assert isinstance(located, InCells)
    return _Unrounded(located.finder, located.task, located.points, located.dyadic)
