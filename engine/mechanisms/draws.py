"""What `prepare` of a mechanism can return: a function that draws, and what is known beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.array_types import Floats
from engine.errors import SensiscopeError
from engine.mechanisms.prepared import Prepared, ScalarPrepared
from engine.mechanisms.release import Private
from engine.progress import Progress, silent
from engine.sampling.output_grid import OutputGrid


@dataclasses.dataclass(frozen=True, repr=False)
class Draws(Prepared):
    """Ready to draw by a function; `prepare` of a mechanism of your own can return it.

    Parameters
    ----------
    function : callable
        Takes a generator and a size; returns so many values along the first axis, NaN for a refusal.
        A release calls it with size 1 and the operating system's entropy.
    diagnostics : Private
        Holds at least ``true_value``.
    noise : mapping
        What a release says about its noise.  Public.
    error : float or None
        Half-width that holds the error with probability 95 %, where it is public.

    Examples
    --------
    >>> import numpy as np
    >>> from engine import Draws, Private, add_noise, reproducible
    >>> def seven(rng, size):
    ...     return add_noise(np.full(size, 7.0), 1.0, rng=rng)
    >>> draws = Draws(seven, Private({"true_value": 7.0}))
    >>> draws.draw(reproducible(1), 3).shape
    (3,)
    """

    function: Callable[[np.random.Generator, int], Floats]
    diagnostics: Private
    noise: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    error: float | None = None

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return np.asarray(self.function(rng, size), dtype=np.float64)


@dataclasses.dataclass(frozen=True, repr=False)
class NumberDraws(Draws, ScalarPrepared):
    """`Draws` of one number, for a `ScalarMechanism`: density and quantiles are estimated from draws.

    Parameters
    ----------
    function, diagnostics, noise, error
        As of `Draws`.
    grid : OutputGrid
        Where released numbers lie: `grid(data)` of the mechanism, or its `unclamped`.

    Raises
    ------
    SensiscopeError
        By `draw`, if the function returns a number beside the grid.

    Examples
    --------
    >>> import numpy as np
    >>> from engine import Interval, LaplaceRelease, Mean, NumberDraws, Private, Sample, add_noise
    >>> grid = LaplaceRelease(query=Mean()).grid(Sample([7.0] * 10, Interval(0, 10)))
    >>> def seven(rng, size):
    ...     return grid.snap(add_noise(np.full(size, 7.0), 1.0, rng=rng))
    >>> draws = NumberDraws(seven, Private({"true_value": 7.0}), grid=grid)
    >>> round(float(draws.quantile(0.5)))
    7
    """

    grid: OutputGrid = dataclasses.field(kw_only=True)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        values = super().draw(rng, size, progress)
        # its digits beyond the grid would tell of the data, and the release be called exact
        if not np.array_equal(self.grid.snap(values), values, equal_nan=True):
            raise SensiscopeError("drawn numbers do not lie on `grid`; return `grid.snap(values)`")
        return values
