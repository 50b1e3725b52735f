"""What is shown of a release: theory, simulations, and what was really released."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike

from app.plots.elements.floats import Floats

if TYPE_CHECKING:
    from engine.sampling.output_grid import OutputGrid


class Distribution(Protocol):
    """What is known of a released value in theory; `ScalarPrepared` mechanisms have it."""

    @property
    def grid(self) -> OutputGrid:
        """Where released values lie, and the ends to which they are clamped."""

    def density(self, values: ArrayLike) -> Floats:
        """Return the density, given that a value is released, before it is clamped."""

    def quantile(self, p: ArrayLike) -> Floats:
        """Return quantiles, given that a value is released."""


@dataclasses.dataclass(frozen=True)
class ReleaseView:
    """Theory and simulation of one release (private).

    Attributes
    ----------
    prepared : Distribution
        The mechanism, prepared on the data.
    simulated : ndarray, shape (m,)
        The first m simulated releases; NaN where the mechanism refused.
    runs : int
        How many there will be once all have been played; the histogram grows towards
        the curve while m goes to `runs`.
    true_value : float
        f(x).
    released : float or None
        A value that has really been released.
    """

    prepared: Distribution
    simulated: Floats
    runs: int
    true_value: float
    released: float | None = None

    @property
    def resolution(self) -> float | None:
        """The declared step of released values, of which bins then hold whole ones."""
        return self.prepared.grid.step if self.prepared.grid.declared else None

    @property
    def piles(self) -> tuple[float, float]:
        """The shares of the simulated values at either end to which they are clamped."""
        low, high = self.prepared.grid.ends
        many = max(self.answered.size, 1)
        return np.count_nonzero(self.answered <= low) / many, np.count_nonzero(self.answered >= high) / many

    @property
    def answered(self) -> Floats:
        """The simulated values that were not refused."""
        return self.simulated[~np.isnan(self.simulated)]
