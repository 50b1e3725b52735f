"""The discounted gain of a Winsorized mean, without its value at every distance.

In the terms of `engine.queries.winsorized_mean`, a gain at distance ``k = d + z + s`` is

    free(s) + max { far(d + u) - near(u) : u <= z, z - u <= b - a - 1 } + other(z),

on two sides: for w >= 0 with d = p - v, u = v, z = w and s free; for w < 0 with
d = s + w, u = -w, z = -v and p free.  All four never decrease but `near`, which bounds a
block of d and z by its last d, its last z, and its least discount; the best s for a value
h of the rest, max_s exp(-beta s) (free(s) + h), is convex in h, so that chords bound it.
Blocks that are worse than what is known are left out, the others divided again.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from engine.array_types import Floats, Ints
from engine.progress import Progress, silent
from engine.queries.monotone import widest

_BLOCKS = 128
"""Blocks of d, and of z, that are bounded together."""

_CHORDS = 64
"""Values of h for which the best s is worked out."""


def trailing_maximum(values: Floats, width: int) -> Floats:
    """Return the maximum of each value and the ``width - 1`` before it."""
    if width >= values.size:
        return np.maximum.accumulate(values)
    from scipy.ndimage import maximum_filter1d

    trailing: Floats = maximum_filter1d(values, width, origin=(width - 1) // 2, mode="constant", cval=-np.inf)
    return trailing


def margin(reach: int) -> int:
    """Return by how much farther than `reach` values must be known."""
    return 2 * (reach // _BLOCKS + 1)


def largest_gain(
    directions: Sequence[tuple[Floats, Floats]],
    outer: int,
    inner: int,
    most_q: int,
    beta: float,
    reach: int,
    known: tuple[float, int],
    slack: float,
    progress: Progress = silent,
) -> tuple[float, int]:
    """Return the largest ``exp(-beta k) G^(k)`` of several directions, and its k.

    Parameters
    ----------
    directions : sequence of pairs of ndarray, shape (2 K + 2,)
        Values at the ranks a + t and b + t for ``-K <= t <= K + 1``.
    outer, inner, most_q : int
        As in `engine.queries.winsorized_mean`.
    beta : float
    reach : int
        K less the `margin`: up to it all k are looked at.
    known : float and int
        A discounted gain that is attained, and its k; returned if none is larger.
    slack : float
        By which share gains may be wrong.
    progress : Progress
    """
    sides = [
        side
        for left, right in directions
        for side in _sides(left, right, outer, inner, most_q + 1, beta, reach)
    ]
    best = known[0]
    before, size = math.inf, sum(side.size for side in sides)
    while 4 * _BLOCKS < size <= before / 2:
        for side in sides:
            best = side.narrow(best, slack, progress)
        before, size = size, sum(side.size for side in sides)
    return max([known, *(side.best(progress) for side in sides)], key=lambda results: results[0])


def _sides(
    left: Floats, right: Floats, outer: int, inner: int, width: int, beta: float, reach: int
) -> tuple[GainSide, GainSide]:
    middle = left.size // 2 - 1
    # near the window the values then are small; what is taken off cancels but for this
    shift = (outer - inner) * float(right[middle] - left[middle])
    left, right = left - left[middle], right - right[middle]
    lowered, raised = -outer * left[: middle + 1][::-1], outer * right[middle + 1 :]
    return (
        GainSide(
            far=lowered,
            near=-inner * left[1:][::-1],
            other=-inner * right[: middle + 1][::-1],
            free=raised + shift,
            first_z=0,
            width=width,
            beta=beta,
            reach=reach,
        ),
        GainSide(
            far=raised,
            near=inner * right[:-1],
            other=inner * left[middle + 1 :],
            free=lowered + shift,
            first_z=1,
            width=width,
            beta=beta,
            reach=reach,
        ),
    )


@dataclasses.dataclass
class GainSide:
    """One side of a search for the largest discounted gain in one direction.

    Attributes
    ----------
    far, free, other : ndarray, shape (K + 1,)
        By their index; `free` holds what all gains have in common.
    near : ndarray, shape (2 K + 1,)
        From u = -K to K.
    first_z : int
        0 if u may be as low as -d, and 1 if both u and z are at least 1.
    width : int
        How many u are admitted for a z.
    beta : float
    reach : int
        Larger k are not looked at: K less the `margin`.
    """

    far: Floats
    near: Floats
    other: Floats
    free: Floats
    first_z: int
    width: int
    beta: float
    reach: int

    def __post_init__(self) -> None:
        self._d: Ints = np.arange(self.reach + 1)
        self._z: Ints = np.arange(self.first_z, self.reach + 1)
        self._discount: Floats = np.exp(-self.beta * np.arange(self.far.size))

    @property
    def size(self) -> int:
        """How many d and z are left."""
        return self._d.size + self._z.size

    def narrow(self, best: float, slack: float, progress: Progress) -> float:
        """Leave out d and z that cannot beat `best`; return what is known then.

        Parameters
        ----------
        best : float
            A discounted gain that is attained.
        slack : float
            By which share of it gains may be wrong.
        progress : Progress
        """
        if not (self._d.size and self._z.size):
            return best
        first_d, last_d = _blocks(self._d)
        first_z, last_z = _blocks(self._z)
        nearest = first_d[:, None] + first_z
        spread = int(np.max(last_z - first_z))
        attained, most = (np.full((first_d.size, first_z.size), -np.inf) for _ in range(2))
        for position, d in enumerate(last_d.tolist()):
            progress(position / last_d.size, "smooth sensitivity")
            within = last_z < self.far.size - d
            z = last_z[within]
            index, row = z - self._first_u(d), self._row(d)
            attained[position, within] = trailing_maximum(row, self.width)[index] + self.other[z]
            most[position, within] = attained[position, within]
            if self.width < row.size:
                most[position, within] = trailing_maximum(row, self.width + spread)[index] + self.other[z]
        possible = (nearest <= self.reach) & (most > -np.inf)
        most[~possible] = 0.0
        discount = np.where(possible, self._discount[np.minimum(nearest, self.reach)], 0.0)
        promising = (discount > 0) & (discount * (self.free[-1] + most) >= best * (1 - slack))
        if promising.any():
            height = np.linspace(most[promising].min(), most[promising].max(), _CHORDS)
            chord = np.array([np.max(self._discount * (self.free + h)) for h in height.tolist()])
            bound = discount * np.interp(most, height, chord)
            row_of, column_of = np.unravel_index(np.argmax(np.where(promising, bound, -np.inf)), bound.shape)
            farthest = last_d[row_of] + last_z[column_of]
            known = np.max(self._discount * (self.free + attained[row_of, column_of]))
            best = max(best, float(np.exp(-self.beta * farthest) * known))
            promising &= (bound >= best * (1 - slack)) & (bound > 0)
        self._d = _between(self._d, first_d[promising.any(axis=1)], last_d[promising.any(axis=1)])
        self._z = _between(self._z, first_z[promising.any(axis=0)], last_z[promising.any(axis=0)])
        return best

    def best(self, progress: Progress) -> tuple[float, int]:
        """Return the largest gain among all d and z that are left, discounted, and its k."""
        rest = np.full(self.far.size, -np.inf)
        for index, d in enumerate(self._d.tolist()):
            if index % 16 == 0:
                progress(index / self._d.size, "smooth sensitivity")
            z = self._z[self._z < self.far.size - d]
            result = trailing_maximum(self._row(d), self.width)[z - self._first_u(d)] + self.other[z]
            np.maximum(rest[d + z], result, out=result)
            rest[d + z] = result
        down = np.flatnonzero(rest > -np.inf)
        if not down.size:
            return 0.0, 0
        # what is worse and farther never decides
        rows = -np.maximum.accumulate(rest[down])
        pair = widest(rows, down, self.free, np.arange(self.free.size), self.beta, progress)
        return (0.0, 0) if pair is None else (pair[0], pair[1] + pair[2])

    def _first_u(self, d: int) -> int:
        return self.first_z or -d

    def _row(self, d: int) -> Floats:
        """Return ``far(d + u) - near(u)`` for all u."""
        first, middle = self._first_u(d), self.far.size - 1
        return self.far[first + d :] - self.near[middle + first : 2 * middle + 1 - d]


def _blocks(values: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last value of each block."""
    start = np.arange(0, values.size, -(-values.size // _BLOCKS))
    return values[start], values[np.append(start[1:], values.size) - 1]


def _between(values: Ints, first: Ints, last: Ints) -> Ints:
    """Return the values from the first to the last block that is left, so that blocks stay narrow."""
    return values[(values >= first[0]) & (values <= last[-1])] if first.size else values[:0]
