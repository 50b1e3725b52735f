"""`Prepared` objects that draw with a function, for `prepare` of a mechanism."""

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
    """A `Prepared` that draws with a function; `prepare` of your own mechanism can return it.

    Parameters
    ----------
    function : callable
        Takes a generator and a size; returns an array with `size` entries along the first axis, NaN for a
        refusal.  A release calls it with size 1 and the operating system's entropy.
    diagnostics : Private
        Holds at least ``true_value``.
    noise : mapping
        Description of the noise in a release.  Public.
    error : float or None
        The error stays below it with probability 95 %; None if it is not public.

    See Also
    --------
    NumberDraws, Prepared, Mechanism

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
    """`Draws` of one number, for a `ScalarMechanism`; draws estimate its density and quantiles.

    Parameters
    ----------
    function, diagnostics, noise, error
        As in `Draws`.
    grid : OutputGrid
        The grid of released numbers: `grid(data)` of the mechanism, or its `unclamped`.

    Raises
    ------
    SensiscopeError
        If `draw` gets a number from the function that is not on the grid.

    See Also
    --------
    Draws, ScalarMechanism

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
        # digits beyond the grid would reveal the data, in a release that claims to be exact
        if not np.array_equal(self.grid.snap(values), values, equal_nan=True):
            raise SensiscopeError("drawn numbers are not on `grid`; return `grid.snap(values)`")
        return values
