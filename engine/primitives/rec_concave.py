"""RecConcave: a choice among T + 1 ordered candidates whose quality rises, then falls.

The exponential mechanism pays ln T for T candidates.  RecConcave pays ln log T, then ln log log T and
so on, but with large constants: for any T that fits in memory it needs the larger promise.

Source: Beimel, Nissim, Stemmer 2013; Nissim, Stemmer, Vadhan 2016, Theorem 4.3.

Notes
-----
One level, with quality Q over {0..T}, promise p and K = 2^k for the k it finds, costs two stable
choices, (e, c) each, and one exponential mechanism, (e, 0); the last level is one exponential
mechanism.  So D levels with ``e = epsilon/(1 + 3 D)`` and ``c = delta/(2 D)`` compose to
(epsilon, delta).

It finds a candidate of quality (1 - alpha) p if max Q >= p, Q is quasi-concave and p is at least the
`needed_promise`.  Let b = beta/(1 + 2 D) be the probability that one step fails.

1. L(j), the best minimum of Q over 2^j neighbours, does not increase with j and
   q(j) = min(L(j) - (1 - alpha) p, p - L(j + 1)) has sensitivity 1 and is quasi-concave.  At the
   last j with L(j) >= (1 - alpha/2) p it is at least alpha p/2, the promise of the level below,
   which with alpha' = 1/4 finds q(k) >= s = 3 alpha p/8.
2. So W = {Q >= (1 - alpha) p + s}, an interval, has at least K points, and U = {Q > p - s}, an
   interval, has fewer than 2 K; both hold the best point x.
3. The cuts of both partitions are 4 K apart, so in one of the partitions x is 2 K or more from
   every cut.  There U lies in the block of x, all other blocks have qualities of at most p - s,
   and the distance of the stable choice is at least s/2 - 1.  It fails with probability at most
   b if ``s/2 - 1 >= (ln(1/(2 c)) + ln(1/(2 b)))/e``.  A single block is public and needs no choice.
4. The block holds at least K points of W: all of it, or all from x to a cut.  Among at most 16 K
   candidates of both partitions, the exponential mechanism chooses one below (1 - alpha) p
   with probability at most 16 exp(-e s/2), at most b if ``s >= 2 ln(16/b)/e``.
5. The last level, with m candidates, fails with probability at most b if
   ``alpha p >= 2 ln(m/b)/e``.

The last level may fail once and each other level twice: beta together.

Qualities and promises are rounded down to a public grid (`engine.sampling.choice`).  Their sums and
differences are exact there, so that sensitivities are those of the proof.  The promise covers the rounding.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.numerals import grouped, short
from engine.primitives.selection import exponential_mechanism, exponential_slack
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.choice import FINE, on_grid
from engine.sampling.noise import is_above
from engine.sampling.output_grid import outward

MAX_SCORED = 32
"""With at most this many candidates, the exponential mechanism chooses without another level."""

INNER_ALPHA = 0.25
"""The share of its promise that a level below may lose."""


def rec_concave(
    quality: ArrayLike,
    promise: float,
    privacy: Privacy,
    rng: np.random.Generator,
    *,
    alpha: float = 0.5,
    beta: float = 0.1,
    depth: int | None = None,
    progress: Progress = silent,
) -> int:
    """Choose a candidate of quality at least (1 - alpha) promise, with probability 1 - beta.

    It is (epsilon, delta)-private for any qualities.  The answer is good if the promise is true.

    `quality`, (T + 1,), is quasi-concave in the index, and one person changes each by at most 1.  `promise`
    is public and at most the largest quality.  Both are capped at 2^32.  delta is above 0 unless there are
    few candidates; alpha and beta are in (0, 1).  `depth` is the number of levels before the last one;
    by default as many as leave at most 32 candidates.  Returns the index of a candidate, or of the last one
    if no block is stable.
    """
    values = on_grid(quality)
    depth = levels(values.size) if depth is None else depth
    needed = needed_promise(values.size, privacy, alpha, beta, depth)
    if not promise >= needed:
        raise ParameterError(
            "promise",
            f"{short(promise)} is too small for {grouped(values.size)} candidates; it must be at "
            f"least {short(needed, 6)}",
        )
    return _choose(values, promise, alpha, _step(privacy, depth), depth, rng, progress=progress)


def levels(size: int) -> int:
    """Return how many levels leave at most 32 of `size` candidates."""
    depth = 0
    while size > MAX_SCORED:
        size, depth = _widths(size), depth + 1
    return depth


def needed_promise(
    size: int, privacy: Privacy, alpha: float = 0.5, beta: float = 0.1, depth: int | None = None
) -> float:
    """Return the least promise with which `rec_concave` keeps its word; see the module's notes."""
    depth = levels(size) if depth is None else depth
    if size < 1:
        raise ParameterError("quality", "there is nothing to choose from; give at least one candidate")
    for field, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 1:
            raise ParameterError(field, f"{short(value)} is not possible; it must be above 0 and below 1")
    if depth > 0 and privacy.delta == 0:
        raise ParameterError(
            "delta", f"0 is not possible for {grouped(size)} candidates; it must be above 0 (say 1e-6)"
        )
    return _needed(size, _step(privacy, depth), alpha, beta / (1 + 2 * depth), depth)


def published_promise(size: int, privacy: Privacy, alpha: float, beta: float) -> float:
    """Return the promise in print, 8^l (36 l/(alpha epsilon)) ln(12 l/(beta delta)), l = log* size.

    Source: Nissim, Stemmer, Vadhan 2016, Theorem 4.3; infinite where delta is 0.
    """
    if privacy.delta == 0:
        return math.inf
    repeats = max(1, iterated_logarithm(size))
    return (
        8.0**repeats
        * (36 * repeats / (alpha * privacy.epsilon))
        * math.log(12 * repeats / (beta * privacy.delta))
    )


def iterated_logarithm(x: float) -> int:
    """Return log* x: how often the logarithm of base 2 is taken until at most 1 is left."""
    times = 0
    while x > 1:
        x, times = math.log2(x), times + 1
    return times


def _widths(size: int) -> int:
    """Return how many interval lengths 2^j there are up to the next power of two."""
    return (size - 1).bit_length() + 1


def _step(privacy: Privacy, depth: int) -> Privacy:
    """Return the share of one step: two stable choices a level, and an exponential mechanism more."""
    steps, stable = 1 + 3 * depth, 2 * depth
    return Privacy(
        privacy.epsilon / outward(float(steps)), privacy.delta / outward(float(stable)) if depth else 0.0
    )


def _needed(size: int, step: Privacy, alpha: float, failing: float, depth: int) -> float:
    if depth == 0:
        return exponential_slack(math.log(size), step.epsilon, failing) / alpha
    stable = 2 * (1 + (math.log(1 / (2 * step.delta)) + math.log(1 / (2 * failing))) / step.epsilon)
    # what is moved to the grid may be less by a step: the best, the promises, what is left of them
    margin = max(stable, exponential_slack(math.log(16), step.epsilon, failing)) + 4 * FINE
    below = _needed(_widths(size), step, INNER_ALPHA, failing, depth - 1) + 4 * FINE
    return max(margin / ((1 - INNER_ALPHA) * alpha / 2), below / (alpha / 2))


def _choose(
    quality: Floats,
    promise: float,
    alpha: float,
    step: Privacy,
    depth: int,
    rng: np.random.Generator,
    *,
    progress: Progress,
) -> int:
    if depth == 0:
        return exponential_mechanism(quality, step.epsilon, rng)
    best = _best_minima(quality, progress=progress)
    good_enough, best_possible = float(on_grid((1 - alpha) * promise)), float(on_grid(promise))
    fits = np.minimum(best[:-1] - good_enough, best_possible - best[1:])
    k = _choose(fits, alpha * promise / 2, INNER_ALPHA, step, depth - 1, rng, progress=silent)
    width = 8 << k
    blocks = [_stable_block(quality, width, offset, step, rng) for offset in (width, width // 2)]
    candidate = np.zeros(quality.size, dtype=bool)
    for block in blocks:
        if block is not None:
            candidate[block] = True
    places = np.flatnonzero(candidate)
    if places.size == 0:
        return quality.size - 1
    return int(places[exponential_mechanism(quality[places], step.epsilon, rng)])


def _best_minima(quality: Floats, *, progress: Progress) -> Floats:
    """Return L(j), the largest minimum over 2^j neighbours, for j = 0..J + 1 with 2^J >= T + 1.

    Beyond the last candidate the quality is min(0, Q(T)), and L(J + 1) is min(0, L(J)).
    """
    last = (quality.size - 1).bit_length()
    minima = np.concatenate([quality, np.full((1 << last) - quality.size, min(0.0, quality[-1]))])
    best = [float(minima.max())]
    for j in range(last):
        progress(j / last, "comparing intervals")
        minima = np.minimum(minima[: -(1 << j)], minima[1 << j :])
        best.append(float(minima.max()))
    return np.array([*best, min(0.0, best[-1])])


def _stable_block(
    quality: Floats, width: int, offset: int, step: Privacy, rng: np.random.Generator
) -> slice | None:
    """Choose the block with the best candidate, if it stays the best where a few records change.

    Blocks are cut at `offset` and every `width` from there.  Half of what the best is ahead, less
    1, has sensitivity 1 and is 0 where a neighbour could have another best block; then it passes
    with probability delta.
    """
    cuts = np.array([0, *range(offset, quality.size, width)])
    if cuts.size == 1:
        return slice(0, quality.size)
    peaks = np.maximum.reduceat(quality, cuts)
    best = int(np.argmax(peaks))
    ahead = peaks[best] - np.delete(peaks, best).max()
    distance = max(0.0, ahead / 2 - 1)
    scale = outward(1 / step.epsilon)
    if not is_above(distance, scale, outward(scale * math.log(1 / (2 * step.delta))), rng):
        return None
    return slice(int(cuts[best]), int([*cuts, quality.size][best + 1]))
