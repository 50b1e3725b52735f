"""An aggregate of blocks that are drawn anew, secretly, for each release."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.aggregators import VectorPrepared
from engine.progress import Progress, each

_LOOKS, _FEWEST = 2 * 10**6, 20
"""Records that simulated releases of a picture may read in all, and how many releases at least."""


@dataclasses.dataclass(frozen=True, repr=False)
class ResampledPrepared(VectorPrepared):
    """Ready to draw blocks, and a release from them; one draw of the blocks stands for all in pictures.

    Attributes
    ----------
    once : callable
        Draws blocks with a generator, and prepares the aggregator for them.
    looks : int
        Records that are read for a release.
    """

    once: Callable[[np.random.Generator, Progress], VectorPrepared]
    looks: int

    @property
    def batch_size(self) -> int:
        """One: each draw runs the function on all blocks."""
        return 1

    def most_runs(self, wanted: int) -> int:
        """Return fewer of many records: each run reads its own."""
        return min(wanted, max(_FEWEST, _LOOKS // max(1, self.looks)))

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        return np.concatenate([self.once(rng, here).draw(rng, 1) for here in each(size, progress)])
