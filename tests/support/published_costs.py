"""Costs as papers state them, where the engine proves smaller ones."""

import math

from engine.privacy import Privacy


def published_cost(drawn: int, n: int, privacy: Privacy) -> Privacy:
    """Return the cost of a release by Lemma 6.4 if the aggregator spends `privacy`.

    Source: Nissim, Stemmer, Vadhan 2016, Lemma 6.4: (6 e m'/n, e^(6 e m'/n) (4 m'/n) c) for m' draws.
    """
    epsilon = 6 * privacy.epsilon * drawn / n
    return Privacy(epsilon, math.exp(epsilon) * 4 * drawn / n * privacy.delta)
