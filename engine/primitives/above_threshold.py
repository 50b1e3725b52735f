"""AboveThreshold, the sparse vector technique: the first of many queries that is large.

Source: Dwork, Naor, Reingold, Rothblum, Vadhan 2009; Nissim, Stemmer, Vadhan 2016, Theorem 4.8.

Notes
-----
Let database x have its first query above at place k, with noise r on the threshold and v on query
k, the noise of the queries before being fixed.  With r + 1 and v + 2 a neighbour has the same
answer: no query before k has risen by more than 1, and neither has query k fallen by more than 1
while the threshold has risen by 1.  Where none is above, r + 1 does.  A shift of Lap(2/epsilon) by
1 and of Lap(4/epsilon) by 2 costs epsilon/2 each.

All of that is about real numbers, and a release compares real numbers: neither noise is rounded.
The queries may be any doubles, no two neighbours' more than 1 apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from engine.sampling.noise import NoisyThreshold
from engine.sampling.output_grid import outward


def above_threshold(
    queries: Iterable[float], threshold: float, epsilon: float, rng: np.random.Generator
) -> int | None:
    """Return the index of the first query that is noisily above a noisy threshold: epsilon-private.

    The threshold gets Lap(2/epsilon) once, every query its own Lap(4/epsilon).  One call gives one
    answer and costs epsilon.

    Queries have sensitivity 1 and are computed lazily; their number is public.  Returns None if none is
    above.
    """
    noisy = NoisyThreshold(threshold, outward(2 / epsilon), rng)
    for index, value in enumerate(queries):
        if noisy.reached_by(value, outward(4 / epsilon)):
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
    return outward(4 / epsilon) * math.log(2 * k / beta)
