"""How a pair (alpha, beta) is found: searches, and the conversion to concentrated privacy.

A pair is found in doubles, and it may miss the edge of what is private by some last
digits.  Here its promise is enclosed: in fractions where a rule is linear, else in balls.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from engine.array_types import Floats
from engine.privacy import Privacy

if TYPE_CHECKING:
    from flint import arb


def largest(holds: Callable[[float], bool], start: float) -> float:
    """Return the largest x > 0 with ``holds(x)``, where `holds` is true up to some x.

    The answer errs downwards, by less than 1e-12 of itself: `holds` was true of it.
    """
    low, high = start, start
    while not holds(low):
        low, high = low / 2, low
        if low < 1e-300:
            raise ArithmeticError("no positive number holds")
    while holds(high):
        low, high = high, high * 2
        if high > 1e300:
            raise ArithmeticError("every positive number holds")
    while high - low > 1e-12 * low:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


@functools.lru_cache(maxsize=2048)
def joint_pair(
    privacy: Privacy,
    split: float,
    joint_delta: Callable[[float, float, float], float],
    enclosed_delta: Callable[[arb, arb, arb], arb],
) -> tuple[float, float]:
    """Return the (alpha, beta) on the edge of what is private, at `split` of the way, rounded inward.

    Let beta* be the largest dilation that is private with vanishing sliding.  Then
    beta = (1 - split) beta*, and alpha is as large as allowed with it.
    As `split` falls, beta rises and alpha falls, to (0, beta*).

    ``joint_delta(alpha, beta, epsilon)`` is the largest hockey-stick divergence between Z and
    Delta + e^lambda Z over the region of the pair;
    ``enclosed_delta(lambda, Delta, epsilon)`` returns a ball around one.
    """
    epsilon, delta = privacy.epsilon, privacy.delta
    widest = largest(lambda beta: joint_delta(0.0, beta, epsilon) <= delta, 0.1 * epsilon)
    dilation = (1 - split) * widest
    sliding = largest(lambda alpha: joint_delta(alpha, dilation, epsilon) <= delta, 0.5 * epsilon)
    return inward(
        sliding, dilation, delta, lambda alpha, beta: joint(alpha, beta, epsilon, delta, enclosed_delta)
    )


def joint_factor(worst_delta: Callable[[float], float], delta: float) -> float:
    """Return nearly the largest c >= 1 with ``worst_delta(c) <= delta``.

    For a pair that is known to be private, c = 1, and is enlarged as a whole: the search
    is in logarithms, where few evaluations do, and stays 0.02 % on the safe side.
    """
    from scipy import optimize

    def excess(log_c: float) -> float:
        return math.log(max(worst_delta(math.exp(log_c)), 1e-300)) - math.log(delta)

    low, high = 0.0, 0.75
    while excess(high) <= 0:
        low, high = high, high + 0.75
    root = float(optimize.brentq(excess, low, high, xtol=1e-4)) if excess(low) < 0 else 0.0
    return math.exp(max(0.0, root - 2e-4))


@functools.lru_cache(maxsize=1024)
def implying_rho(privacy: Privacy) -> float:
    """Return the largest rho whose rho-zCDP implies (epsilon, delta)-privacy.

    Source: Canonne, Kamath, Steinke 2020, Corollary 13: rho-zCDP gives
    ``delta = inf over a > 1 of exp((a-1)(a rho - epsilon)) / (a-1) * (1 - 1/a)^a``.
    """
    allowed = math.log(privacy.delta) if privacy.delta > 0 else -math.inf

    def holds(rho: float) -> bool:
        return log_delta(rho, privacy.epsilon) <= allowed

    return largest(holds, min(privacy.epsilon, privacy.epsilon**2) / 50)


def log_delta(rho: float, epsilon: float) -> float:
    """Return the logarithm of the delta that rho-zCDP implies at epsilon.

    Source: Canonne, Kamath, Steinke 2020, Corollary 13.

    The logarithm is convex in the order a, hence the search by bisection of its slope.
    """
    if rho - epsilon > 30:
        return 0.0  # no delta is above 1, and this one is not below it by more than 1e-13

    def slope(a: float) -> float:
        return (2 * a - 1) * rho - epsilon + math.log1p(-1 / a)

    low, high = 1.0, 2.0
    while slope(high) < 0:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    a = high
    return (a - 1) * (a * rho - epsilon) - math.log(a - 1) + a * math.log1p(-1 / a)


def region(alpha: float, beta: float, steps: int = 2) -> tuple[Floats, Floats]:
    """Return points (lambda, Delta) of the region of a pair: corners, edges and interior.

    The region is |lambda| <= beta and 0 <= Delta <= alpha min(1, e^lambda): what one
    record can do to f(x) and S(x), in units of S(x)/alpha.  It is closed under
    exchanging the two databases ((lambda, Delta) becomes (-lambda, -Delta e^-lambda)),
    and Z is symmetric, so one direction of a divergence over it says everything.
    """
    lam, part = np.meshgrid(
        beta * (np.arange(-steps, steps + 1) / steps), np.arange(steps + 1) / steps, indexing="ij"
    )
    return lam.ravel(), (part * alpha * np.minimum(1, np.exp(lam))).ravel()


PRECISION = 256
"""Bits of the balls beyond those that a delta is below 1, which is a difference of larger numbers."""

STEPS = 2
"""Intervals between the corners of a pair's region: divergences are computed at corners and midpoints."""

FIRST, LAST = 48, 0
"""A pair is made smaller by 2^-48 of itself, then by more, at most by half."""


def inward(
    alpha: float, beta: float, delta: float, holds: Callable[[float, float], bool]
) -> tuple[float, float]:
    """Return the pair, made smaller by as little as proves the promise by interval arithmetic.

    `delta`, above 0, is the promise.  Raises `ArithmeticError` where half of the pair is not enough.
    """
    from engine.sampling.balls import precision

    with precision(PRECISION - 2 * math.frexp(delta)[1]):
        for digits in range(FIRST, LAST, -1):
            if holds(alpha, beta):
                return alpha, beta
            alpha, beta = alpha * (1 - 2.0**-digits), beta * (1 - 2.0**-digits)
    raise ArithmeticError("no pair nearby keeps its promise for certain")


def linear(
    alpha: float, beta: float, slope: Fraction, dilation: Fraction, epsilon: float
) -> tuple[float, float]:
    """Return the pair, smaller by some last digits if ``slope alpha + dilation beta <= epsilon`` needs it."""
    while _exceed(slope, alpha, dilation, beta, epsilon):
        alpha, beta = math.nextafter(alpha, 0), math.nextafter(beta, 0)
    return alpha, beta


def _exceed(slope: Fraction, alpha: float, dilation: Fraction, beta: float, epsilon: float) -> bool:
    """Tell whether ``slope alpha + dilation beta > epsilon``, exactly; fractions would look for divisors."""
    (a, under_a), (b, under_b), (e, under_e) = (x.as_integer_ratio() for x in (alpha, beta, epsilon))
    under_first, under_second = slope.denominator * under_a, dilation.denominator * under_b
    spent = slope.numerator * a * under_second + dilation.numerator * b * under_first
    return spent * under_e > e * under_first * under_second


def at_most(number: float) -> Fraction:
    """Return an upper bound of a constant that is known as a double, right to 50 bits."""
    return Fraction(number) * (1 + Fraction(1, 2**50))


def joint(
    alpha: float, beta: float, epsilon: float, delta: float, divergence: Callable[[arb, arb, arb], arb]
) -> bool:
    """Tell whether a divergence is certainly at most delta at the corners of the region and between them.

    The largest is at a corner in all cases that are known; inside of the region it is not proved.
    """
    from flint import arb

    corners = [(lam, part) for lam in range(-STEPS, STEPS + 1) for part in range(STEPS + 1)]
    for lam, part in corners:
        dilation = arb(beta) * lam / STEPS
        shift = arb(alpha) * part / STEPS * (dilation.exp() if lam < 0 else 1)
        if not divergence(dilation, shift, arb(epsilon)) <= arb(delta):
            return False
    return True
