"""Weighted choices, coins, and scores on a public grid.

Rounding could add to the sensitivity of a score; doubles hold sums of grid points exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Bools, Floats
from engine.errors import ParameterError
from engine.randomness import SeedLike, as_generator, is_release, random_words
from engine.sampling.noise import ACCURACY, MIN_UNITS

if TYPE_CHECKING:
    from flint import arb


FINE = 2.0**-20
"""Step of the grid."""

LARGEST = 2.0**32
"""Scores are clamped to +-`LARGEST`; no database has more records."""

GUMBEL, EXPONENTIAL = "gumbel", "exponential"
"""Noise for choices: -ln(-ln U) and -ln U, with U uniform in (0, 1)."""


def choose(
    log_weights: Floats,
    enclosed: Callable[[int], arb],
    rng: np.random.Generator,
    magnitude: float,
    noise: str = GUMBEL,
    *,
    bounds: Bools | None = None,
) -> int:
    """Return the index of the largest log-weight after noise is added to each.

    With Gumbel noise, an index has a probability proportional to its weight.  The log-weights may err by
    2^-44 of `magnitude`, an upper bound on the sum of the absolute values of their parts.  A weight of 0
    has the logarithm minus infinity; at least one must be finite.  `enclosed` returns a ball around the
    exact logarithm at an index.  Where `bounds` is True, the log-weight is only an upper bound.
    """
    if not is_release(rng):
        drawn = rng.gumbel if noise == GUMBEL else rng.exponential
        return int(np.argmax(log_weights + drawn(size=log_weights.size)))
    raw = random_words(log_weights.size)
    units = raw >> np.uint64(11)
    with np.errstate(divide="ignore"):  # U may round to 1
        added = -np.log((units + 0.5) * 2.0**-53)
        perturbed = log_weights + (-np.log(added) if noise == GUMBEL else added)
    # The noise errs by at most `slack` where U has enough digits on both sides; elsewhere `unknown`
    # sends the decision to balls.
    slack = ACCURACY * (64 + magnitude) + 2.0**-19
    unknown = (units < MIN_UNITS) | (units >= 2**53 - MIN_UNITS)
    exceeds = unknown if bounds is None else unknown | bounds
    best = np.max(perturbed, where=~exceeds, initial=-np.inf)
    rivals = np.flatnonzero((unknown | (perturbed >= best - 2 * slack)) & (log_weights > -np.inf))
    if rivals.size == 1:
        return int(rivals[0])
    return _largest(rivals, [int(raw[position]) for position in rivals], enclosed, noise)


def _largest(rivals: NDArray[np.intp], raw: list[int], enclosed: Callable[[int], arb], noise: str) -> int:
    """Return the index of the largest exact log-weight with noise, whose first random bits are `raw`."""
    from engine.sampling.balls import Uniform, decide

    drawn = [Uniform(word >> 11, 53) for word in raw]

    def noisy(index: int, uniform: Uniform) -> arb:
        added = -uniform.ball().log()
        return enclosed(index) + (-added.log() if noise == GUMBEL else added)

    def winner() -> int | None:
        balls = [noisy(int(index), one) for index, one in zip(rivals, drawn, strict=True)]
        best = 0
        for index, ball in enumerate(balls):
            if ball > balls[best]:
                best = index
        others = (ball for index, ball in enumerate(balls) if index != best)
        return int(rivals[best]) if all(balls[best] > ball for ball in others) else None

    return decide(winner)


def coins(probability: float, enclosed: Callable[[], arb], size: int, rng: np.random.Generator) -> Bools:
    """Return independent coins, each True with the same probability, shape (size,).

    `probability` may err by 2^-44 of itself; `enclosed` returns a ball around the exact probability.
    """
    if not is_release(rng):
        return rng.random(size) < probability
    raw = random_words(size)
    low = (raw >> np.uint64(11)) * 2.0**-53
    slack = ACCURACY * probability + 2.0**-52
    heads: Bools = low < probability - slack
    for position in np.flatnonzero(~heads & (low <= probability + slack)):
        heads[position] = _below(int(raw[position]), enclosed)
    return heads


def flip_coins(probability: float | Fraction, size: int, rng: SeedLike | None = None) -> Bools:
    """Return independent coins, True with exactly this probability, shape (size,).

    Parameters
    ----------
    probability : float or Fraction
        In [0, 1], used without rounding.  Public.
    size : int
    rng : Generator, optional
        Default: the operating system's entropy.  A seeded generator makes a simulation.

    Returns
    -------
    ndarray of bool

    Raises
    ------
    ParameterError
        If the probability is not in [0, 1].

    See Also
    --------
    RandomizedResponse, exponential_mechanism

    Examples
    --------
    Randomized response with epsilon = ln 3 tells the truth with probability 3/4.

    >>> from fractions import Fraction
    >>> from engine import flip_coins
    >>> flip_coins(Fraction(3, 4), size=2).dtype, flip_coins(1, size=2).tolist()
    (dtype('bool'), [True, True])
    """
    if not 0 <= probability <= 1:
        raise ParameterError("probability", f"{probability!r} is not possible; it must be from 0 to 1")

    def enclosed() -> arb:
        from engine.sampling.balls import ball

        return ball(probability)

    return coins(float(probability), enclosed, size, as_generator(rng))


def _below(word: int, enclosed: Callable[[], arb]) -> bool:
    from engine.sampling.balls import Uniform, decide

    drawn = Uniform(word, 64)

    def certain() -> bool | None:
        uniform, probability = drawn.ball(), enclosed()
        return True if uniform < probability else False if uniform > probability else None

    return decide(certain)


def on_grid(values: ArrayLike) -> Floats:
    """Round numbers down to multiples of `FINE`, clamped to +-`LARGEST`.

    This keeps the sensitivity if it is a multiple s of the step, since then
    ``floor(x + s) = floor(x) + s``.
    """
    within = np.minimum(np.maximum(np.asarray(values, dtype=np.float64), -LARGEST), LARGEST)
    moved: Floats = np.floor(within / FINE) * FINE
    return moved


def up_to_grid(slack: float) -> float:
    """Return the smallest multiple of `FINE` that is at least `slack`."""
    return math.ceil(slack / FINE) * FINE
