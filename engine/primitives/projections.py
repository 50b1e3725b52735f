"""Random linear maps that do not depend on the data: fewer dimensions, and a random basis."""

from __future__ import annotations

import math

import numpy as np

from engine.array_types import Floats
from engine.randomness import public_generator


def johnson_lindenstrauss(d: int, k: int, rng: np.random.Generator) -> Floats:
    """Return a matrix of shape (k, d) with independent N(0, 1/k) entries.

    All distances between n points keep within a factor of 1 +- eta of their squares, but for
    probability 2 n^2 exp(-(eta^2 - eta^3) k/4).

    Source: Johnson, Lindenstrauss 1984; Nissim, Stemmer, Vadhan 2016, Lemma 4.10.
    """
    return public_generator(rng).standard_normal((k, d)) / math.sqrt(k)


def jl_dimension(n: int, beta: float) -> int:
    """Return the k in print for n points and eta = 1/2: 46 log2(2 n/beta), rounded up.

    The logarithm is base 2: then 2 n^2 exp(-k/32) is at most beta^2/2.

    Source: Nissim, Stemmer, Vadhan 2016, GoodCenter, step 1.
    """
    return math.ceil(46 * math.log2(2 * n / beta))


def random_rotation(d: int, rng: np.random.Generator) -> Floats:
    """Return an orthonormal basis, uniform among all, as the rows of a matrix of shape (d, d).

    Source: Mezzadri 2007: the QR decomposition of a Gaussian matrix, with signs that make it
    unique.
    """
    basis, triangle = np.linalg.qr(public_generator(rng).standard_normal((d, d)))
    rotation: Floats = basis * np.where(np.diagonal(triangle) < 0, -1.0, 1.0)
    return rotation


def projection_bound(d: int, n: int, beta: float) -> float:
    """Return 2 sqrt(ln(d n/beta)/d), the part of a distance that one axis of a random basis sees.

    With probability 1 - beta no two of n points are farther apart on any of the d axes than
    this times their distance.

    Source: Nissim, Stemmer, Vadhan 2016, Lemma 4.9.
    """
    return 2 * math.sqrt(math.log(d * n / beta) / d)
