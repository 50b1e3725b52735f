"""How the error of a histogram falls with n: from where on does noise not matter?"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from app.plots.base import set_x_label, set_y_label
from app.plots.sensitivity.against_size import AgainstSize
from engine.analysis.expected_error import ErrorAgainstSize

HUNDREDFOLD = 9
"""So many places from the end, n is a hundred times smaller."""


class DensityRate(AgainstSize):
    """The error of histograms without noise, what noise adds, and a thin line that falls like n^(-1/3)."""

    title = "Error of a histogram against the number of records"
    in_units: ClassVar[frozenset[str]] = frozenset()
    sampled = "thin: n to the power of −1/3"

    def show(self, result: ErrorAgainstSize) -> None:
        super().show(result)
        set_x_label(self.axes, "n, synthetic records of a smooth law, in the best number of bins")
        set_y_label(self.axes, self.palette, "root of the mean squared error of the density")
        sizes = result.sizes.astype(np.float64)
        self._records.set_data(sizes, result.sampling[-1] * (sizes / sizes[-1]) ** (-1 / 3))

    def alt_text_of(self, r: ErrorAgainstSize) -> str:
        rate = np.log(r.sampling[-1] / r.sampling[-HUNDREDFOLD]) / np.log(r.sizes[-1] / r.sizes[-HUNDREDFOLD])
        return f"{super().alt_text_of(r)} Without noise, the error falls like n to the power of {rate:.2f}."
