"""AboveThreshold, the sparse vector technique: the first of many queries that is large.

Source: Dwork, Naor, Reingold, Rothblum, Vadhan 2009; Nissim, Stemmer, Vadhan 2016, Theorem 4.8.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np


def above_threshold(
    queries: Iterable[float], threshold: float, epsilon: float, rng: np.random.Generator
) -> int | None:
    """Return the index of the first query that is noisily above a noisy threshold: epsilon-private.

    The threshold gets Lap(2/epsilon) once, every query Lap(4/epsilon) of its own.  There is one
    answer; another one takes another call, which costs epsilon again.

    Parameters
    ----------
    queries : iterable of float
        Values of sensitivity 1, worked out one by one as they are asked for; how many there
        are is public.
    threshold : float
        Public.
    epsilon : float
        Privacy of the answer, however many queries it takes.
    rng : Generator

    Returns
    -------
    int or None
        None where the queries end before one is above.
    """
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    for index, value in enumerate(queries):
        if value + rng.laplace(scale=4 / epsilon) >= noisy_threshold:
            return index
    return None


def above_threshold_slack(k: int, epsilon: float, beta: float) -> float:
    """Return the slack in print: (8/epsilon) ln(2 k/beta).

    With probability 1 - beta every answer among k queries is right but for this much.

    Source: Nissim, Stemmer, Vadhan 2016, Theorem 4.8.
    """
    return 8 / epsilon * math.log(2 * k / beta)


def above_threshold_tight_slack(k: int, epsilon: float, beta: float) -> float:
    """Return half of `above_threshold_slack`, which does: (4/epsilon) ln(2 k/beta).

    With X = |Lap(2/epsilon)| and Y_i = |Lap(4/epsilon)| the exact tail of one sum is
    Pr[X + Y_i > s] = 2 e^(-epsilon s/4) - e^(-epsilon s/2), and the k of them add.
    """
    return 4 / epsilon * math.log(2 * k / beta)
