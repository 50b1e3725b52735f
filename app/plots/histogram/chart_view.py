"""What charts about histograms show: attack rates, errors, diameters, a matrix, levels."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from app.plots.elements.floats import Floats


@dataclasses.dataclass(frozen=True, eq=False)
class AttackRates:
    """How often one attack isolates a point, over a sweep (private; NaN where it is not possible).

    Attributes
    ----------
    label : str
        As people call the attack ("uniform guess").
    rates : ndarray, shape (p,)
        Shares of successful attacks, 0 to 1.
    lower, upper : ndarray, shape (p,)
        Ends of their confidence intervals.
    baseline : bool
        Whether the others are measured against it: a guess without the histogram.
    """

    label: str
    rates: Floats
    lower: Floats
    upper: Floats
    baseline: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class IsolationRatesView:
    """Success rates of several attacks (private).

    Attributes
    ----------
    swept : {"c", "t", "d"}
        What varies.
    values : ndarray, shape (p,)
        Of c, t or d, increasing.
    attacks : tuple of AttackRates
    confidence : float
        Of the intervals, such as 0.95.
    chosen : float or None
        The value that is chosen now.
    caption : str
        What is said below a saved picture: of exact counts, that they are not differentially private.
    """

    swept: str
    values: Floats
    attacks: tuple[AttackRates, ...]
    confidence: float = 0.95
    chosen: float | None = None
    caption: str = ""


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramErrorSample:
    """Errors of one kind of histogram over repeated runs (private).

    Attributes
    ----------
    label : str
        As people call it ("shifted", "PrivTree").
    counts, tree : ndarray, shape (runs,)
        Typical error of the counts of fixed ranges, in points; and of the cost of the tree, as a
        share of the true cost (0.5: half too large).  NaN or empty where there is none.
    is_private : bool
        Whether it keeps a promise of differential privacy.
    chosen : bool
        Whether it is what the page shows.
    problem : str
        Why there are no errors, if there are none.
    """

    label: str
    counts: Floats
    tree: Floats
    is_private: bool
    chosen: bool = False
    problem: str = ""


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramErrorsView:
    """Errors of several kinds of histograms of the same data (private).

    Attributes
    ----------
    samples : tuple of HistogramErrorSample
    n : int
        How many points there are.
    """

    samples: tuple[HistogramErrorSample, ...]
    n: int


@dataclasses.dataclass(frozen=True, eq=False)
class DiameterView:
    """Diameters of the cells of points against their 2t-radii, and the bound (private but for the bound).

    Attributes
    ----------
    radii : ndarray, shape (n,)
        2t-radius of each point.
    diameters : ndarray, shape (n,)
        Δ_x: diameter of the cell of each point, on average over shifts.
    curve, bound : ndarray, shape (p,)
        The bound on E[Δ_x] (public) at increasing radii.
    t : int
    shifts : int
        Over how many shifts the mean is taken.
    unit : str
        Of radii and diameters.
    caption : str
        As of `IsolationRatesView`.
    """

    radii: Floats
    diameters: Floats
    curve: Floats
    bound: Floats
    t: int
    shifts: int
    unit: str = ""
    caption: str = ""

    @property
    def above(self) -> NDArray[np.bool_]:
        """Which points are over the bound, shape (n,)."""
        known = self.radii > 0
        x = np.log(np.where(known, self.radii, 1.0))
        allowed = np.exp(np.interp(x, np.log(self.curve), np.log(self.bound)))
        return known & (self.diameters > allowed)


@dataclasses.dataclass(frozen=True, eq=False)
class MatrixView:
    """A covariance or another symmetric matrix.

    Attributes
    ----------
    names : tuple of d str
        Of rows and columns.
    released : ndarray, shape (d, d)
        What was released, or one simulated release.
    truth : ndarray, shape (d, d), or None
        The true matrix (private).
    simulated : bool
        Whether `released` is simulated, and so private.
    words : str
        What it is: "covariance", "X^T X".
    """

    names: tuple[str, ...]
    released: Floats
    truth: Floats | None = None
    simulated: bool = False
    words: str = "covariance"


@dataclasses.dataclass(frozen=True, eq=False)
class LevelsView:
    """Cells by level: what is left to see of a histogram of many dimensions (released as it is).

    Attributes
    ----------
    level : ndarray of int, shape (l,)
        Increasing.
    cells, cut : ndarray of int, shape (l,)
        How many cells there are at each level, and how many of those are cut further.
    points : ndarray, shape (l,)
        Sum of the counts of the cells that are not cut.
    diameter : ndarray, shape (l,)
        Of the largest cell of the level.
    unit : str
        Of the diameter.
    caption : str
        As of `IsolationRatesView`.
    """

    level: NDArray[np.int64]
    cells: NDArray[np.int64]
    cut: NDArray[np.int64]
    points: Floats
    diameter: Floats
    unit: str = ""
    caption: str = ""
