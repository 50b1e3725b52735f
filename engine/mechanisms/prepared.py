"""A mechanism with its data looked at."""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Callable, Hashable, Mapping
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.mechanisms.release import Private
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.randomness import reproducible
from engine.sampling.output_grid import OutputGrid
from engine.shown import ShownInALine

LAW = 2000
"""Draws from which density and quantiles are estimated where no formula is known."""


class Prepared(ShownInALine, abc.ABC):
    """A mechanism with its data looked at: ready to draw.  Everything in it is private.

    `SmoothRelease`, like every mechanism, returns one from `prepare`.

    Attributes
    ----------
    diagnostics : Private
        Always holds ``true_value``.
    noise : mapping
        Public description of the noise, as in `Release`.
    error : float or None
        As in `Release`.
    only_simulates : bool
        Whether more than the noise has to be secret in a release, and is not here: good for pictures,
        audits and simulations.
    """

    diagnostics: Private
    noise: Mapping[str, Any]
    error: float | None
    only_simulates: bool = False

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        raise TypeError(
            f"a {type(self).__name__} is confidential: it is neither stored nor copied; "
            "store the release, or the mechanism"
        )

    @property
    def batch_size(self) -> int:
        """How many values to draw in one call, so that none takes long."""
        return 10_000

    def most_runs(self, wanted: int) -> int:
        """Return how many of so many simulated releases a picture can wait for."""
        return wanted

    def true_value(self, progress: Progress = silent) -> Any:
        """Return what errors are measured from (private); what takes long reports to `progress`."""
        return self.diagnostics.fetch("true_value", progress)

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` values along the first axis; NaN stands for "the mechanism refused to answer".

        What takes long for one value reports to `progress` on its way.
        """

    def draw_numbers(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` releases, and return the numbers in each; what `draw` gives, where it gives those."""
        return self.draw(rng, size, progress)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PreparedFields(Prepared):
    """What is stated of the noise, as fields that are given by name."""

    noise: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    error: float | None = None
    diagnostics: Private


@dataclasses.dataclass(frozen=True)
class SharedWork:
    """The part of `prepare` that all budgets share.

    `count` works it out, and `finish` makes of that a `Prepared` for a budget; `key` says what it depends on
    besides the data.
    """

    key: Hashable
    count: Callable[[Any, Privacy, Progress], Any]
    finish: Callable[[Any, Any, Privacy, Progress], Prepared]


class ScalarPrepared(Prepared):
    """Ready to draw one number."""

    grid: OutputGrid  # where released values lie

    def density(self, values: ArrayLike) -> Floats:
        """Return the density of the released value (of what is not refused).

        A histogram of `LAW` simulated draws, unless a mechanism knows better.
        """
        law = self._law
        if not law.size:
            return np.zeros(np.shape(values))
        edges = np.histogram_bin_edges(law, "fd" if np.ptp(np.quantile(law, [0.25, 0.75])) else 10)
        heights = np.histogram(law, edges, density=True)[0]
        index = np.searchsorted(edges, values, side="right")
        result: Floats = np.concatenate([[0.0], heights, [0.0]])[index]
        return result

    def quantile(self, p: ArrayLike) -> Floats:
        """Return quantiles of the released value, given that one is released.

        Those of `LAW` simulated draws, unless a mechanism knows better.
        """
        if not self._law.size:
            return np.full(np.shape(p), np.nan)
        result: Floats = np.quantile(self._law, np.asarray(p, dtype=np.float64))
        return result

    @functools.cached_property
    def _law(self) -> Floats:
        drawn = self.draw(reproducible(0), self.most_runs(LAW))
        return np.sort(drawn[~np.isnan(drawn)])

    def unclamped(self) -> ScalarPrepared:
        """Return the same, ready to draw numbers that are not clamped; itself where nothing is clamped."""
        return self

    def error_quantiles(self, p: ArrayLike) -> Floats:
        """Return quantiles of how far releases fall from the true value (private).

        From 9,999 evenly spread quantiles of what is released, so that nothing is left to chance.
        """
        spread = (np.arange(9999) + 0.5) / 9999
        distances = np.abs(self.quantile(spread) - self.diagnostics["true_value"])
        # each stands for the middle of its share
        quantiles: Floats = np.quantile(distances, np.asarray(p, dtype=np.float64), method="hazen")
        return quantiles
