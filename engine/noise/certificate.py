"""Computes the privacy of a pair (alpha, beta) numerically.

Independent evidence: it uses density, cdf and quantile of a family, not the rules behind its pairs.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from engine.errors import ParameterError
from engine.noise.base import Admissible, Noise, NoiseLike, check_bounds, checked_noise
from engine.noise.calibration import region
from engine.noise.divergences import Divergences, divergences
from engine.numerals import short
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.signatures import explained

TOLERANCE = 1e-6
"""Relative slack with which deltas and epsilons are compared, the error of their computation."""


@dataclasses.dataclass(frozen=True)
class Certificate:
    """The privacy of noise (S/alpha) Z with a beta-smooth S, between replace-one neighbours, n public.

    Returned by `certify`.  Two questions, which can have different answers.  *Admissible*: does the pair
    satisfy Definition 2.4 of Nissim, Raskhodnikova and Smith (2007), which gives
    sliding and dilation half of epsilon and delta each?  *Private*: is the mechanism
    (epsilon, delta)-private, sliding and dilation taken together?  Only the second
    protects records; a jointly calibrated pair is private without being admissible,
    and some published pairs are neither.
    """

    alpha: float  # The pair
    beta: float
    privacy: Privacy  # The required privacy
    dimension: int  # Number of coordinates
    sliding_delta: float  # Smallest delta of either step alone at epsilon/2
    dilation_delta: float
    sliding_epsilon: float  # Supremum of the log-ratio of either step alone; infinite where unbounded
    dilation_epsilon: float
    joint_epsilon: float  # Smallest epsilon of both together, with the required delta
    joint_delta: float  # Smallest delta of both together, with the required epsilon
    admissible: bool  # Definition 2.4 holds
    private: bool  # The mechanism has the required privacy


@explained
def certify(
    noise: NoiseLike, alpha: float, beta: float, privacy: PrivacyLike, dimension: int = 1
) -> Certificate:
    """Compute the privacy that a pair really gives.

    The divergence between Z and Delta + e^lambda Z is computed on 9 x 5 points of the
    region |lambda| <= beta, 0 <= Delta <= alpha min(1, e^lambda) (5 x 3 if `dimension`
    is above 1), corners, edges and interior.  In one dimension a delta is right to 1e-6
    of itself or to 1e-14, an epsilon to 1e-8 of itself.  In more dimensions a delta is
    right to 1e-3 of itself or to 1e-13, and suprema are upper bounds.  For noise that
    is not spherical, the shift lies on one, two or all coordinates.

    Parameters
    ----------
    noise : Noise
        The family.
    alpha, beta : float
        The pair, both above 0.
    privacy : PrivacyLike
        The required privacy.
    dimension : int
        Number of coordinates of f.

    Returns
    -------
    Certificate

    Raises
    ------
    ParameterError
        If alpha, beta, epsilon or dimension is out of its bounds.

    See Also
    --------
    certify_noise, NOISES

    Examples
    --------
    The conference's pair for gamma = 4 violates the definition, yet not privacy:

    >>> from engine import GeneralizedCauchy
    >>> found = certify(GeneralizedCauchy(gamma=4.0), 1 / 16, 1 / 4, Privacy(1.0))
    >>> found.admissible, found.private
    (False, True)
    """
    privacy, noise = as_privacy(privacy), checked_noise(noise)
    for field, value, most in (("alpha", alpha, 1e6), ("beta", beta, 100.0)):
        if not 0 < value <= most:
            raise ParameterError(
                field, f"{short(value)} is not possible; it must be above 0 and at most {short(most)}"
            )
    check_bounds(privacy, dimension)
    lam, delta = region(alpha, beta, steps=4 if dimension == 1 else 2)
    pairs = divergences(noise, lam, delta, dimension)
    half, suprema = pairs.divergence(privacy.epsilon / 2), pairs.supremum
    sliding, dilation = lam == 0, delta == 0
    joint_delta = float(np.max(pairs.divergence(privacy.epsilon)))
    joint_epsilon = _epsilon(pairs, privacy.delta, float(np.max(suprema)), privacy.epsilon)
    sliding_delta, dilation_delta = float(np.max(half[sliding])), float(np.max(half[dilation]))
    sliding_epsilon, dilation_epsilon = float(np.max(suprema[sliding])), float(np.max(suprema[dilation]))
    if privacy.delta == 0:
        bound = privacy.epsilon * (1 + TOLERANCE)
        admissible, private = max(sliding_epsilon, dilation_epsilon) <= bound / 2, joint_epsilon <= bound
    else:
        bound = privacy.delta * (1 + TOLERANCE)
        admissible, private = max(sliding_delta, dilation_delta) <= bound / 2, joint_delta <= bound
    return Certificate(
        alpha=alpha,
        beta=beta,
        privacy=privacy,
        dimension=dimension,
        sliding_delta=sliding_delta,
        dilation_delta=dilation_delta,
        sliding_epsilon=sliding_epsilon,
        dilation_epsilon=dilation_epsilon,
        joint_epsilon=joint_epsilon,
        joint_delta=joint_delta,
        admissible=admissible,
        private=private,
    )


def _epsilon(pairs: Divergences, delta: float, supremum: float, guess: float) -> float:
    """Return the smallest epsilon >= 0 at which every divergence is at most `delta`."""
    if delta == 0:
        return supremum
    log_delta = math.log(delta)

    def excess(epsilon: float) -> float:
        return math.log(max(float(np.max(pairs.divergence(epsilon))), 1e-300)) - log_delta

    if excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, guess
    while excess(high) > 0:
        low, high = high, min(2 * high, supremum)
        if high in (low, supremum) or high > 700:
            return supremum
    from scipy import optimize

    return float(optimize.brentq(excess, low, high, xtol=1e-9 * guess, rtol=1e-9))


def certify_published(
    noise: Noise, privacy: PrivacyLike, dimension: int = 1
) -> tuple[tuple[Admissible, Certificate], ...]:
    """Compute what each pair in print for this family really gives, the latest edition last."""
    privacy = as_privacy(privacy)
    return tuple(
        (pair, certify(noise, pair.alpha, pair.beta, privacy, dimension))
        for pair in noise.published_pairs(privacy, dimension)
    )
