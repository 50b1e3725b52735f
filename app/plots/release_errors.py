"""How far releases are from the truth, mechanism beside mechanism (simulated)."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.plots.base import Floats


@dataclasses.dataclass(frozen=True, eq=False)
class ErrorSample:
    """Simulated errors of one mechanism (private).

    Attributes
    ----------
    label : str
        As people call the mechanism.
    errors : ndarray, shape (runs,)
        Distances from the truth; NaN where it refused to answer.
    chosen : bool
        Whether this is the mechanism of the page.
    problem : str
        Why there are no errors, if there are none.
    """

    label: str
    errors: Floats
    chosen: bool = False
    problem: str = ""

    @property
    def answered(self) -> Floats:
        """The errors of the runs that answered, increasing."""
        return np.sort(self.errors[~np.isnan(self.errors)])

    @property
    def typical(self) -> float:
        """The median error; NaN if no run answered."""
        return float(np.median(self.answered)) if self.answered.size else float("nan")


@dataclasses.dataclass(frozen=True, eq=False)
class ErrorsView:
    """Errors of several mechanisms for the same task and the same budget (private).

    Attributes
    ----------
    samples : tuple of ErrorSample
    diameter : float
        Λ: the largest error that is possible (public).
    """

    samples: tuple[ErrorSample, ...]
    diameter: float
