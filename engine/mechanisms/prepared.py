"""A mechanism after it has read its data, ready to draw."""

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
"""Number of draws that estimate a density or quantiles without a formula."""


class Prepared(ShownInALine, abc.ABC):
    """A mechanism after it has read its data, ready to draw.  Everything in it is private.

    `prepare` of a mechanism, such as `SmoothRelease`, returns one.

    Attributes
    ----------
    diagnostics : Private
        Always holds ``true_value``.
    noise : mapping
        Public description of the noise, as in `Release`.
    error : float or None
        As in `Release`.
    only_simulates : bool
        True if a release must draw more in secret than the noise; such a `Prepared` serves pictures,
        audits and simulations only.

    See Also
    --------
    Draws, Mechanism
    """

    diagnostics: Private
    noise: Mapping[str, Any]
    error: float | None
    only_simulates: bool = False

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        raise TypeError(
            f"a {type(self).__name__} is confidential and cannot be stored or copied; "
            "store the release or the mechanism"
        )

    @property
    def batch_size(self) -> int:
        """Number of values to draw in one call, so that no call takes long."""
        return 10_000

    def most_runs(self, wanted: int) -> int:
        """Return how many simulated releases a picture can wait for, at most `wanted`."""
        return wanted

    def true_value(self, progress: Progress = silent) -> Any:
        """Return the true value, from which errors are measured (private); report to `progress` if slow."""
        return self.diagnostics.fetch("true_value", progress)

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` values along the first axis; NaN means that the mechanism refused to answer.

        Reports to `progress` while a single value takes long.
        """

    def draw_numbers(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` releases and return the numbers in each; by default the same as `draw`."""
        return self.draw(rng, size, progress)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PreparedFields(Prepared):
    """A `Prepared` whose noise, error and diagnostics are keyword fields."""

    noise: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    error: float | None = None
    diagnostics: Private


@dataclasses.dataclass(frozen=True)
class SharedWork:
    """The part of `prepare` that does not depend on the budget.

    `count` computes it, and `finish` makes a `Prepared` from it for a budget.  `key` holds everything that it
    depends on besides the data.
    """

    key: Hashable
    count: Callable[[Any, Privacy, Progress], Any]
    finish: Callable[[Any, Any, Privacy, Progress], Prepared]


class ScalarPrepared(Prepared):
    """Ready to draw one number."""

    grid: OutputGrid  # grid of released values

    def density(self, values: ArrayLike) -> Floats:
        """Return the density of the released value, given that the mechanism answers.

        By default, a histogram of `LAW` simulated draws; subclasses may have a formula.
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
        """Return quantiles of the released value, given that the mechanism answers.

        By default, those of `LAW` simulated draws; subclasses may have a formula.
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
        """Return a copy that does not clamp; itself if nothing is clamped."""
        return self

    def error_quantiles(self, p: ArrayLike) -> Floats:
        """Return quantiles of the distance between releases and the true value (private).

        Computed from 9,999 evenly spaced quantiles of the release, so that the result is not random.
        """
        spread = (np.arange(9999) + 0.5) / 9999
        distances = np.abs(self.quantile(spread) - self.diagnostics["true_value"])
        # each quantile is the middle of its share
        quantiles: Floats = np.quantile(distances, np.asarray(p, dtype=np.float64), method="hazen")
        return quantiles
