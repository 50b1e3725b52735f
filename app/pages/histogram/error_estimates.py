"""How far the counts of simulated histograms typically fall from the true ones (private)."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.model.selection import Selection
from app.model.wording.numbers import number
from engine.data.points import Points
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared
from engine.progress import Progress
from engine.randomness import reproducible

MOST_JUDGED = 100_000
"""Records up to which histograms are judged: of more, counting the boxes takes longer than the picture."""

RUNS = 5
"""Simulated histograms from which the typical error is taken, each over the same public boxes."""

_SEED = 1


@dataclasses.dataclass(frozen=True)
class HistogramErrorEstimate:
    """What is to be said about a histogram of these data.

    Attributes
    ----------
    error : float
        Mean absolute error of the counts of public boxes, in records: typical of simulated histograms.
    """

    error: float

    @property
    def private(self) -> bool:
        """True: runs on the data tell about them."""
        return True

    def expected(self, _: str) -> str:
        """Say how far counts are typically off."""
        records = f"{number(self.error, 2)} record{'s' * (self.error != 1)}"
        return f"Counts of boxes are typically\noff by {records}"


def judged(
    setup: Selection, ready: HistogramPrepared, points: Points, progress: Progress
) -> HistogramErrorEstimate | None:
    """Simulate some histograms and compare their counts with the true ones; None for too many records."""
    mechanism = setup.mechanism
    assert isinstance(mechanism, HistogramMechanism)
    if points.n > MOST_JUDGED:
        return None
    progress(0.0, "judging counts")
    drawn = ready.draw(reproducible(_SEED), RUNS, progress)
    errors = mechanism.errors(drawn, ready.diagnostics["true_value"], points.domain)
    return HistogramErrorEstimate(float(np.median(errors)))
