"""How far the counts of simulated histograms typically fall from the true ones (private)."""

from __future__ import annotations

import dataclasses

from app.model.wording.numbers import number


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
