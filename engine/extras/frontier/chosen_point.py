"""One of several public points, ready to be chosen by scores: what `MetricMedian` draws."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.release import Private
from engine.primitives.selection import exponential_mechanism, selection_probabilities
from engine.progress import Progress, each, silent
from engine.randomness import is_release


@dataclasses.dataclass(frozen=True, repr=False)
class ChosenPoint(Prepared):
    """Candidates with their scores (private).

    Attributes
    ----------
    points : ndarray, shape (m, d)
    sums : ndarray, shape (m,)
        Whole numbers.
    sensitivity : float
        Half of how far one record can change what two scores differ by.
    epsilon : float
    """

    points: Floats
    sums: Floats
    sensitivity: float
    epsilon: float
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def probabilities(self) -> Floats:
        """With which probability each candidate is chosen (private), shape (m,)."""
        return selection_probabilities(self.sums, self.epsilon, sensitivity=self.sensitivity)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` candidates, shape (size, d)."""
        if not is_release(rng):
            return self.points[rng.choice(len(self.points), size, p=self.probabilities)]
        law = functools.partial(exponential_mechanism, self.sums, self.epsilon, rng)
        return self.points[[law(sensitivity=self.sensitivity) for _ in each(size, progress)]]
