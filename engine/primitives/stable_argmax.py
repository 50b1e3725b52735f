"""The fullest cell of a partition that is too large to list: only non-empty cells get noise.

Replacing one record takes 1 from one cell and adds 1 to another.  A cell that both databases
hold is protected by its noise; one that appears or vanishes has count 1 and passes the
threshold with probability delta only.

Source: the stability histogram of Vadhan's survey, Nissim, Stemmer, Vadhan 2016, Theorem 2.5.
Their threshold has ln(2/delta) where ln(1/(2 delta)) is exact.

Notes
-----
Noisy counts are rounded to a public step, which is post-processing.  A rounded count passes from half a
step above the threshold on, and so only if the real one passes.  Among equal rounded counts the first cell
in the given order wins; the order must not depend on the data.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from engine.errors import ParameterError
from engine.numerals import short
from engine.primitives.accounting import Concentrated
from engine.primitives.gaussian import normal_margin
from engine.privacy import Privacy
from engine.sampling.noise import GAUSSIAN, LAPLACE, add_noise, noise_step
from engine.sampling.output_grid import outward


def stable_argmax(counts: ArrayLike, privacy: Privacy, rng: np.random.Generator) -> int:
    """Choose the cell with the largest noisy count, if that passes the threshold.

    Counts get Lap(2/epsilon).  Let A be the cell that vanishes.  With probability 1 - delta it stays below
    the threshold.  Then the noise of the other cell that changes costs epsilon/2.  Conditioning on this
    event costs ln(1/(1 - delta)), which must be at most the other epsilon/2.  (The scale is rounded up by
    enough to cover the rounding of this condition.)

    `counts`, (m,), are the records in each non-empty cell, in an order independent of the data; a cell of
    count 0 is never chosen.  Returns the index of the cell, or -1 if no cell is stable.
    """
    return _largest(counts, _scale(privacy), LAPLACE, stability_threshold(privacy), rng)


def stability_threshold(privacy: Privacy) -> float:
    """Return 1 + (2/epsilon) ln(1/(2 delta)), which a count of 1 passes with probability delta."""
    most = min(-math.expm1(-privacy.epsilon / 2), 0.5)
    if not 0 < privacy.delta <= most:
        raise ParameterError(
            "delta",
            f"{short(privacy.delta)} is not possible to choose a stable cell; "
            f"it must be above 0 (say 1e-6) and at most {short(most, 3)}",
        )
    return outward(1 + _scale(privacy) * math.log(1 / (2 * privacy.delta)))


def stability_slack(n: int, privacy: Privacy, beta: float) -> float:
    """Return how far the noise of n cells goes: (2/epsilon) ln(n/(2 beta)), and half a step of rounding.

    With probability 1 - beta the fullest cell's noise is above minus this, and that of all
    others below this.
    """
    scale = _scale(privacy)
    return scale * max(0.0, math.log(n / (2 * beta))) + noise_step(scale) / 2


def stability_needed(n: int, privacy: Privacy, beta: float) -> float:
    """Return the count in one cell from which there is an answer with probability 1 - beta.

    The answer then holds at least the largest count less twice the `stability_slack`, with
    the same probability.

    There are at most n non-empty cells; beta is in (0, 1).
    """
    half_step = noise_step(_scale(privacy)) / 2
    return stability_threshold(privacy) + half_step + stability_slack(n, privacy, beta)


def stable_argmax_gaussian(counts: ArrayLike, sigma: float, delta: float, rng: np.random.Generator) -> int:
    """Choose the cell as `stable_argmax` does, by Gaussian noise; `gaussian_cost` is its price.

    `counts` are as of `stable_argmax`, and so is the result; sigma is that of the noise of each count, and
    delta the probability with which a cell of count 1 passes, in (0, 1).
    """
    return _largest(counts, sigma, GAUSSIAN, gaussian_threshold(sigma, delta), rng)


def gaussian_threshold(sigma: float, delta: float) -> float:
    """Return 1 + sigma Phi^-1(1 - delta), which a count of 1 passes with probability delta."""
    if not 0 < delta < 1:
        raise ParameterError(
            "delta", f"{short(delta)} is not possible; it must be above 0 (say 1e-6) and below 1"
        )
    return 1 + normal_margin(sigma, delta)


def gaussian_cost(sigma: float, delta: float) -> Concentrated:
    """Return the cost of `stable_argmax_gaussian`: delta-approximate 1/sigma^2-zCDP.

    Two counts change by 1, an L2 sensitivity of sqrt(2); a cell that vanishes is the event of
    probability delta, and what is left changes by 1 at most.
    """
    return Concentrated(1 / sigma**2, delta)


def _scale(privacy: Privacy) -> float:
    return outward(2 / privacy.epsilon)


def _largest(counts: ArrayLike, scale: float, family: str, threshold: float, rng: np.random.Generator) -> int:
    held = np.asarray(counts, dtype=np.float64)
    step = noise_step(scale)
    noisy = add_noise(held, scale, family, step, rng)
    passes = np.where((held > 0) & (noisy >= threshold + step / 2), noisy, -np.inf)
    if passes.size == 0 or np.isneginf(passes.max()):
        return -1
    return int(np.argmax(passes))
