"""The exponential mechanism: a choice among candidates by their scores.

Source: McSherry and Talwar 2007.  A candidate is chosen with probability proportional to
``exp(epsilon score/(2 sensitivity))``, which is epsilon-private where replacing one record
changes no score by more than the sensitivity.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.randomness import SeedLike, as_generator
from engine.sampling.choice import choose, on_grid, up_to_grid

if TYPE_CHECKING:
    from flint import arb


def exponential_mechanism(
    scores: ArrayLike,
    epsilon: float,
    rng: SeedLike | None = None,
    *,
    sensitivity: float = 1.0,
    weights: ArrayLike | None = None,
    others: int = 0,
    other_score: float = 0.0,
) -> int:
    """Choose a candidate: the largest of log-weights with Gumbel noise added.

    The scores are taken as exact doubles, and a release has exactly the probabilities that follow.

    Parameters
    ----------
    scores : array_like, shape (m,)
    epsilon : float
        Privacy of the choice.
    rng : Generator, optional
        The operating system's entropy if not given; a seeded one makes a simulation.
    sensitivity : float
        The most that one person can change a score by.
    weights : array_like, shape (m,), optional
        Positive prior weights, for instance the number of candidates with the same score; 1 if not
        given.
    others : int
        The number of further candidates; public or a function of m.
    other_score : float
        The score of each of them.

    Returns
    -------
    int
        The index of the choice in `scores`, or m for one of the others, which are equally
        probable.

    Raises
    ------
    ParameterError
        If there is no candidate, or `others` is negative.

    See Also
    --------
    ExponentialRelease, ScoredChoice

    Examples
    --------
    The second of three candidates scores e^40 times as much as the others.

    >>> from engine import exponential_mechanism
    >>> exponential_mechanism([10, 90, 10], epsilon=1.0)
    1
    """
    values, logarithms = _candidates(scores, weights, others, other_score)
    rate = epsilon / (2 * sensitivity)

    def enclosed(index: int) -> arb:
        from engine.sampling.balls import ball

        score = ball(epsilon) * ball(float(values[index])) / (2 * ball(sensitivity))
        if others > 0 and index == values.size - 1:
            return score + ball(others).log()
        return score if weights is None else score + ball(np.asarray(weights).item(index)).log()

    largest = rate * float(np.abs(values).max()) + float(np.abs(logarithms).max())
    return choose(rate * values + logarithms, enclosed, as_generator(rng), largest)


def selection_probabilities(
    scores: ArrayLike,
    epsilon: float,
    *,
    sensitivity: float = 1.0,
    weights: ArrayLike | None = None,
    others: int = 0,
    other_score: float = 0.0,
) -> Floats:
    """Return with which probability each candidate is chosen, shape (m,), or (m + 1,) with others.

    Arguments are those of `exponential_mechanism`.
    """
    values, logarithms = _candidates(scores, weights, others, other_score)
    exponents = epsilon / (2 * sensitivity) * values + logarithms
    relative = np.exp(exponents - exponents.max())
    probabilities: Floats = relative / relative.sum()
    return probabilities


def exponential_slack(log_candidates: float, epsilon: float, beta: float, sensitivity: float = 1.0) -> float:
    """Return the most that the choice falls short of the best score, except with probability beta.

    (2 sensitivity/epsilon) ln(candidates/beta), rounded up to the grid of scores.  The argument is the
    natural logarithm of the number of candidates, since the number can be (2^20)^30.
    """
    return up_to_grid(2 * sensitivity / epsilon * (log_candidates - math.log(beta)))


def crossing_scores(counts: ArrayLike, target: float, *, below: float = -math.inf) -> Floats:
    """Return the scores of `choose_crossing`, shape (J + 1,): 0 at a crossing, negative elsewhere.

    Counts and target are moved to the grid of scores, where differences are exact.
    """
    moved = on_grid(np.append(np.asarray(counts, dtype=np.float64), [below, target]))
    here, following, wanted = moved[:-2], moved[1:-1], moved[-1]
    scores: Floats = -np.maximum(np.maximum(wanted - here, following - wanted), 0.0)
    return scores


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

    `counts`, (J + 1,), do not increase, each of the given sensitivity: a multiple of 2^-20, as counts and
    target are taken to be.  `below` is c_{J+1}, public: the count beyond the last index.  Returns an index
    from 0 to J.
    """
    scores = crossing_scores(counts, target, below=below)
    return exponential_mechanism(scores, epsilon, rng, sensitivity=sensitivity)


def _candidates(
    scores: ArrayLike, weights: ArrayLike | None, others: int, other_score: float
) -> tuple[Floats, Floats]:
    """Return scores, the others last, and the logarithms of how many candidates each stands for."""
    values = np.asarray(scores, dtype=np.float64)
    if not isinstance(others, int) or others < 0:
        raise ParameterError("others", f"{others} is not possible; it must be a whole number of at least 0")
    if values.size == 0 and others == 0:
        raise ParameterError("scores", "there is nothing to choose from; give at least one candidate")
    logarithms = np.zeros(values.size) if weights is None else np.log(np.asarray(weights))
    if others == 0:
        return values, logarithms
    return np.append(values, other_score), np.append(logarithms, math.log(others))
