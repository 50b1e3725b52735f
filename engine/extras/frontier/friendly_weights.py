"""How much each output counts: by how many others are its friends, that is, are near it.

Statement.  Of m outputs s are replaced.  At a public radius r let c_i be how many outputs lie within r
of output i, itself included, and ``v_i = max(0, 2 c_i - m - s)``, or 0 where output i is a set whose own
centers are not farther apart than `SEPARATION` r.  With V the sum of the v_i and ``V_max`` the larger of
V and V':

(a) V changes by at most 3 s (m - s);
(b) any two outputs with v > 0, of either data or one of each, are within 2 r of each other;
(c) sets among them are matched center by center in one way alone, which is the same through a third;
(d) the mean of outputs with weights v changes by at most ``2 r * 3 s (m - s)/V_max``, where V and V' are
    above 0.

Proof.  (a) An output that stays has c_i changed by at most s, and v_i by at most 2 s; there are m - s of
them.  Each of the s others changes by at most m - s, the largest v.  (b) v > 0 means c > (m + s)/2.
Among the m - s outputs that both data share, either has more than (m + s)/2 - s = (m - s)/2 within r, so
that one is within r of both.  (c) Were the matching from u to w another one than that through v, at
least two centers of w would have another partner.  One matching moves a set by at most 2 r, the other by
at most 4 r, so that the lists of partners are at most 6 r apart; but each of two changed partners is
another center of w, farther than `SEPARATION` r, which makes more than sqrt(2) * `SEPARATION` r > 6 r.
Nearest is the partner, at most 2 r away, since every other center is farther than 2.25 r.
(d) Say V is the larger.  As laws p = v/V and p' = v'/V' on outputs that stay, or
are replaced, they overlap by at least ``sum min(v_i, v'_i)/V`` over those that stay, where min(p_i, p'_i)
>= min(v_i, v'_i)/V.  What is missing is ``(sum of v_i of those replaced + sum (v_i - v'_i)^+)/V``, at
most ``(s (m - s) + (m - s) 2 s)/V``.  Two means whose laws differ by that share, on points that
are pairwise within 2 r, are that share of 2 r apart.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats, Ints
from engine.progress import Progress, silent
from engine.sampling.choice import FINE
from engine.shown import ShownInALine

SEPARATION = 4.25
"""So many radii must be between the centers of one set: more than 3 sqrt(2)."""

HALVINGS = 20
"""How often the diameter is halved for the smallest radius, in two steps each."""

_CHUNK = 1 << 18
"""Distances looked at at once."""


def friendly_radii(diameter: float) -> Floats:
    """Return the public radii, from the diameter down by a factor sqrt(2) each, shape (J,)."""
    return diameter * np.exp2(-np.arange(2 * HALVINGS + 1) / 2)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class FriendlyWeights(ShownInALine):
    """The weights of all outputs at all radii (private).

    Attributes
    ----------
    radii : ndarray, shape (J,)
        Those of `friendly_radii`: public.
    weights : ndarray of int, shape (J, m)
        v_i at each radius, from 0 to m - s.
    s : int
        How many outputs one record changes.
    """

    radii: Floats
    weights: Ints
    s: int

    @classmethod
    def of(cls, outputs: Floats, space: OutputSpace, s: int, progress: Progress = silent) -> FriendlyWeights:
        """Count the friends of outputs, shape (m, D), in O(m^2)."""
        radii, m = friendly_radii(space.diameter), len(outputs)
        ascending, apart = radii[::-1], space.separations(outputs)
        counts = np.empty((len(radii), m), dtype=np.int64)
        rows = max(1, _CHUNK // m)
        for start in range(0, m, rows):
            progress(start / m, "friends of outputs")
            distances = space.distances(outputs[start : start + rows], outputs)
            places = np.searchsorted(ascending, distances)
            places += np.arange(len(places))[:, None] * (len(radii) + 1)
            found = np.bincount(places.ravel(), minlength=len(places) * (len(radii) + 1))
            within = found.reshape(len(places), -1)[:, :-1].cumsum(axis=1)
            counts[:, start : start + rows] = within.T[::-1]
        weights = cls.weigh(counts, m, s)
        weights[apart <= SEPARATION * radii[:, None]] = 0
        return cls(radii, weights, s)

    @staticmethod
    def weigh(counts: Ints, m: int, s: int) -> Ints:
        """Return v for numbers of friends: nothing without a majority, then growing evenly."""
        return np.maximum(0, 2 * counts - m - s)

    @property
    def totals(self) -> Floats:
        """W = V/(m - s) at each radius, down to a multiple of 2^-20: of sensitivity 3 s, at most m."""
        most = self.weights.shape[1] - self.s
        whole = self.weights.sum(axis=1) * round(1 / FINE) // most
        totals: Floats = whole * FINE
        return totals
