"""Permute-and-flip: a choice among candidates that is never worse than the exponential mechanism.

Notes
-----
Statement.  Let q* be the largest score and rate = epsilon/(2 sensitivity).  Visit the candidates in a random
order, toss a coin with probability exp(rate (q - q*)) for each, and take the first with heads; the best
candidate always has heads.  The largest of q + Exp(1)/rate, with independent noise, has the same law:
candidate j is the largest with probability

    p_j = exp(rate (q_j - q*)) times the integral over s in [0, 1] of
          the product over i != j of (1 - s exp(rate (q_i - q*))).

It is epsilon-private if replacing one record changes no score by more than the sensitivity.

Proof.  The law: let t be the largest noisy score less q*.  The best candidate's own is q* or more, so
t >= 0.  With s = e^(-t), candidate i stays below with probability 1 - s r_i, r_i = exp(rate (q_i - q*)), and
candidate j is there with density r_j ds, which gives the integral.  Privacy: fix the noise of all others
than j.  Candidate j is chosen if its noise is above T = max over i != j of (rate q_i + E_i) - rate q_j, with
probability exp(-max(T, 0)).  Replacing a record changes T by at most 2 rate sensitivity = epsilon,
and so the probability by a factor of at most e^epsilon.  This holds for all values of the other noise, and
so for their mean.

Source: McKenna, Sheldon 2020, who prove that the expected score is at least that of the exponential
mechanism; Ding and others 2021, for the noise.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.sampling.choice import EXPONENTIAL, choose

if TYPE_CHECKING:
    from flint import arb


_NODES = 200
"""Places of Gauss and Legendre: exact for up to 399 candidates, and for more as near as doubles are."""

_NUMBERS = 1 << 20
"""Factors that are in memory at once."""


def permute_and_flip(
    scores: ArrayLike, epsilon: float, rng: np.random.Generator, *, sensitivity: float = 1.0
) -> int:
    """Choose a candidate: the largest of scores with exponential noise added.

    The scores enter as the doubles that they are, and a release has exactly the probabilities that
    follow from them.

    One person can change a score by `sensitivity`.  Returns the index of the choice in `scores`, (m,).
    """
    values, rate = _checked(scores), epsilon / (2 * sensitivity)

    def enclosed(index: int) -> arb:
        from engine.sampling.balls import ball

        return ball(epsilon) * ball(float(values[index])) / (2 * ball(sensitivity))

    return choose(rate * values, enclosed, rng, rate * float(np.abs(values).max()), EXPONENTIAL)


def flip_probabilities(
    scores: ArrayLike, epsilon: float, *, sensitivity: float = 1.0, counts: ArrayLike = 1.0
) -> Floats:
    """Return the probability of each candidate, shape (m,); O(m) for each of 200 places.

    Arguments are those of `permute_and_flip`.  With `counts`, (m,), each score stands for as many equal
    candidates, and the probability is that of all of them.
    """
    values = _checked(scores)
    relative = np.exp(epsilon / (2 * sensitivity) * (values - values.max()))
    many = np.broadcast_to(np.asarray(counts, dtype=np.float64), values.shape)
    nodes, weights = _places()
    sums, some = np.zeros(values.size), max(1, _NUMBERS // values.size)
    for start in range(0, _NODES, some):
        here = slice(start, start + some)
        left = np.log1p(-nodes[here, None] * relative)  # no node is 1
        sums += weights[here] @ np.exp((left @ many)[:, None] - left)
    probabilities: Floats = many * relative * sums
    return probabilities


@functools.cache
def _places() -> tuple[Floats, Floats]:
    """Return nodes and weights of an integral from 0 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def _checked(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if values.size == 0:
        raise ParameterError("scores", "there is nothing to choose from; give at least one candidate")
    return values
