"""How far one must go from each output to meet t of them: where the bound comes from."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from app.plots.base import Floats
from engine.aggregation.center_of_attention import Radii

MOST_CURVES = 200
"""Largest number of outputs whose curves are drawn."""

_MOST_T = 400
_SEED = 0  # public and fixed: which outputs are shown says nothing


@dataclasses.dataclass(frozen=True, eq=False)
class RadiusView:
    """The radii r(c, t) of some outputs, and the levels U_k (private).

    Attributes
    ----------
    t : ndarray of int, shape (p,)
        Some of 1, ..., m, increasing; t_0 among them.
    curves : ndarray, shape (c, p)
        r(c, t) of at most `MOST_CURVES` outputs.
    center : ndarray, shape (p,)
        r(c, t) of the center of attention.
    m, majority, s : int
        Number of outputs, t_0, and how many outputs one person can change.
    levels : ndarray, shape (q,)
        U_0, U_1, ... up to the first that is Λ.
    beta, smooth : float
        S = max exp(-beta k) U_k.
    argmax_k : int
        The k that decides S.
    diameter : float
        Λ.
    """

    t: NDArray[np.int64]
    curves: Floats
    center: Floats
    m: int
    majority: int
    s: int
    levels: Floats
    beta: float
    smooth: float
    argmax_k: int
    diameter: float

    @classmethod
    def of(cls, radii: Radii, beta: float) -> RadiusView:
        """Look at the radii of all outputs, and at every level; O(m^2)."""
        m, t0, s = radii.m, radii.majority, radii.s
        t = np.unique(np.append(np.linspace(1, m, min(m, _MOST_T)).round().astype(np.int64), min(t0, m)))
        some = np.arange(m)
        if m > MOST_CURVES:
            some = np.sort(np.random.default_rng(_SEED).choice(m, MOST_CURVES, replace=False))
        bound = radii.smooth_bound(beta)
        near, levels = radii.smallest(1, t0), []
        while not levels or levels[-1] < radii.diameter:
            k = len(levels) + 1
            far = radii.smallest(1 + k * s, t0 + k * s)
            levels.append(min(radii.diameter, near + far))
            near = far
        return cls(
            t=t,
            curves=radii.sorted_distances[np.ix_(some, t - 1)],
            center=radii.sorted_distances[radii.center, t - 1],
            m=m,
            majority=t0,
            s=s,
            levels=np.array(levels),
            beta=beta,
            smooth=bound.value,
            argmax_k=bound.argmax_k,
            diameter=radii.diameter,
        )

    @property
    def discounted(self) -> Floats:
        """exp(-beta k) U_k, shape (q,)."""
        return self.levels * np.exp(-self.beta * np.arange(self.levels.size))

    @property
    def radius(self) -> float:
        """r(c, t_0) of the center of attention, Λ where t_0 is above m."""
        return float(self.center[self.t == self.majority][0]) if self.majority <= self.m else self.diameter
