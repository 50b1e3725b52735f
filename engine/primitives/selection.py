"""The exponential mechanism: a choice among candidates by their scores.

Source: McSherry and Talwar 2007.  A candidate is chosen with probability proportional to
``exp(epsilon score/(2 sensitivity))``, which is epsilon-private where replacing one record
changes no score by more than the sensitivity.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import ParameterError

_Floats = NDArray[np.float64]


def exponential_mechanism(
    scores: ArrayLike,
    epsilon: float,
    rng: np.random.Generator,
    *,
    sensitivity: float = 1.0,
    others: float = 0,
    other_score: float = 0.0,
) -> int:
    """Choose a candidate: the largest of log-weights with Gumbel noise added.

    Parameters
    ----------
    scores : array_like, shape (m,)
    epsilon : float
        Privacy of the choice.
    rng : Generator
    sensitivity : float
        By how much one person can change a score.
    others : float
        How many further candidates there are (up to 1e300); public or a function of m.
    other_score : float
        What each of the others scores.

    Returns
    -------
    int
        The place of the choice in `scores`, or m for one of the others, all of which are
        equally probable.

    Raises
    ------
    ParameterError
        If there is no candidate, or `others` is no finite number of at least 0.
    """
    weights = _log_weights(scores, epsilon, sensitivity, others, other_score)
    return int(np.argmax(weights + rng.gumbel(size=weights.size)))


def selection_probabilities(
    scores: ArrayLike,
    epsilon: float,
    *,
    sensitivity: float = 1.0,
    others: float = 0,
    other_score: float = 0.0,
) -> _Floats:
    """Return with which probability each candidate is chosen, shape (m,), or (m + 1,) with others.

    Arguments are those of `exponential_mechanism`.
    """
    weights = _log_weights(scores, epsilon, sensitivity, others, other_score)
    relative = np.exp(weights - weights.max())
    probabilities: _Floats = relative / relative.sum()
    return probabilities


def exponential_slack(log_candidates: float, epsilon: float, beta: float, sensitivity: float = 1.0) -> float:
    """Return by how much the choice may fall short of the best score, but for probability beta.

    (2 sensitivity/epsilon) ln(candidates/beta), with the natural logarithm of the number of
    candidates as the argument, since it can be (2^20)^30.
    """
    return 2 * sensitivity / epsilon * (log_candidates - math.log(beta))


def crossing_scores(counts: ArrayLike, target: float, *, below: float = -math.inf) -> _Floats:
    """Return the scores of `choose_crossing`, shape (J + 1,): 0 at a crossing, negative elsewhere."""
    here = np.asarray(counts, dtype=np.float64)
    following = np.append(here[1:], below)
    return -np.maximum(np.maximum(target - here, following - target), 0.0)


def choose_crossing(
    counts: ArrayLike,
    target: float,
    epsilon: float,
    rng: np.random.Generator,
    *,
    sensitivity: float = 1.0,
    below: float = -math.inf,
) -> int:
    """Choose where counts c_0 >= c_1 >= ... >= c_J fall below a target: epsilon-private.

    Index j scores ``-max(target - c_j, c_{j+1} - target, 0)``, which moves by no more than the
    counts do.  Where c_0 >= target, the last j with c_j >= target scores 0; so with
    probability 1 - beta and G the `exponential_slack` of J + 1 candidates, the chosen j has
    c_j >= target - G and c_{j+1} <= target + G.

    Parameters
    ----------
    counts : array_like, shape (J + 1,)
        Non-increasing, each of the given sensitivity.
    target : float
        Public.
    epsilon : float
        Privacy of the choice.
    rng : Generator
    sensitivity : float
        By how much one person can change a count.
    below : float
        c_{J+1}: public, the count beyond the last index.

    Returns
    -------
    int
        An index from 0 to J.
    """
    scores = crossing_scores(counts, target, below=below)
    return exponential_mechanism(scores, epsilon, rng, sensitivity=sensitivity)


def _log_weights(
    scores: ArrayLike, epsilon: float, sensitivity: float, others: float, other_score: float
) -> _Floats:
    explicit = np.asarray(scores, dtype=np.float64)
    if not (math.isfinite(others) and others >= 0):
        raise ParameterError(
            "others", f"{others:g} is not possible; it must be a finite number of at least 0"
        )
    if explicit.size == 0 and others == 0:
        raise ParameterError("scores", "there is nothing to choose from; give at least one candidate")
    rate = epsilon / (2 * sensitivity)
    if others == 0:
        return rate * explicit
    # the largest of N Gumbel variables is one Gumbel variable plus ln N
    return np.append(rate * explicit, rate * other_score + math.log(others))
