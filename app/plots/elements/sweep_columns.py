"""The places of a sweep on a horizontal axis, with room for several contenders at each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axis import Axis
from numpy.typing import ArrayLike

from engine.array_types import Floats

MAX_DOTS = 100
"""Largest number of runs that are drawn of one contender at one place."""

_LOG_PAYS = 8.0  # ratio of the ends from which on an axis is logarithmic
_AIR, _SHARED = 0.55, 0.8  # of a step: beside the outermost places, and for the columns of one place
_FILLED = 0.7  # of a column, for its dots
_GOLDEN = (np.sqrt(5) - 1) / 2


class SweepColumns:
    """Gives every contender at every place of a sweep a column of its own, or one to all of them.

    Attributes
    ----------
    values : ndarray, shape (places,)
        The values of the sweep.
    logarithmic : bool
        Whether equal ratios are equally far apart.
    """

    def __init__(self, axis: Axis) -> None:
        self._axis = axis
        self.values: Floats = np.ones(1)
        self.logarithmic = False
        self._step = self._share = 1.0
        self._count, self._apart = 1, False

    def scale(self, values: Sequence[float], count: int, *, apart: bool) -> None:
        """Choose scale and limits for values in increasing order, and for `count` contenders."""
        self.values = np.array(values or (1.0,), dtype=np.float64)
        self.logarithmic = bool(self.values[0] > 0 and self.values[-1] > _LOG_PAYS * self.values[0])
        self._count, self._apart = max(count, 1), apart
        places = self._straight(self.values)
        self._step = float(np.diff(places).min()) if places.size > 1 else 0.2 * (abs(places[0]) or 1.0)
        self._share = _SHARED * self._step / self._count
        air = self._step * (_AIR if apart else 0.12)
        limits = tuple(self._curved(places[[0, -1]] + [-air, air]).tolist())
        axes = self._axis.axes
        wanted = "log" if self.logarithmic else "linear"
        if axes.get_xscale() != wanted:
            axes.set_xlim(limits)  # positive before the scale is logarithmic
            axes.set_xscale(wanted)
            axes.minorticks_off()
        if axes.get_xlim() != limits:
            axes.set_xlim(limits)

    def nearest(self, x: float) -> int:
        """Return the place of the value that is drawn nearest to `x`."""
        x = max(x, np.finfo(np.float64).tiny) if self.logarithmic else x
        return int(np.abs(self._straight(self.values) - self._straight(x)).argmin())

    def middle(self, contender: int, index: int) -> float:
        """Return where the column of a contender at a place stands."""
        if not self._apart:
            return float(self.values[index])
        aside = (contender - (self._count - 1) / 2) * self._share
        return float(self._curved(self._straight(self.values[index]) + aside))

    def spread(self, contender: int, index: int, runs: ArrayLike) -> Floats:
        """Return where single runs stand: side by side in their column, always the same way."""
        middle = self._straight(self.middle(contender, index))
        beside = np.asarray(runs) * _GOLDEN % 1 - 0.5
        return self._curved(middle + (_FILLED * self._share * beside if self._apart else 0.0 * beside))

    def edges(self, contender: int, index: int) -> Floats:
        """Return both edges of a column, shape (2,)."""
        middle = self._straight(self.middle(contender, index))
        return self._curved(middle + _FILLED * self._share * np.array([-0.5, 0.5]))

    def _straight(self, values: ArrayLike) -> Floats:
        """Return coordinates in which equal steps look equal."""
        return np.asarray(np.log(values) if self.logarithmic else values, dtype=np.float64)

    def _curved(self, places: ArrayLike) -> Floats:
        return np.asarray(np.exp(places) if self.logarithmic else places, dtype=np.float64)
