"""Pairs (alpha, beta) that keep their promise to the last bit: rounded inward until that is certain.

A pair is found in doubles, and what is found may miss the edge of what is private by some last
digits.  Here its promise is enclosed: in fractions where a rule is linear, else in balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flint import arb

PRECISION = 256
"""Bits of the balls beyond those that a delta is below 1, which is a difference of larger numbers."""

STEPS = 2
"""The region of a pair is looked at in its corners, and halfway between them."""

FIRST, LAST = 48, 0
"""A pair is made smaller by 2^-48 of itself, then by more, at most by half."""


def inward(
    alpha: float, beta: float, delta: float, holds: Callable[[float, float], bool]
) -> tuple[float, float]:
    """Return the pair, or one that is smaller by as little as it takes for the promise to be certain.

    Parameters
    ----------
    delta : float
        Above 0: what is promised.
    holds : callable
        Tells whether the promise of (alpha, beta) is certain.

    Raises
    ------
    ArithmeticError
        If none is found by then.
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
    """Return the pair, smaller by some last digits where ``slope alpha + dilation beta <= epsilon`` needs it.

    Parameters
    ----------
    slope, dilation : Fraction
        Upper bounds of what sliding and dilation cost for each unit.
    """
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

    Parameters
    ----------
    divergence : callable
        Returns a ball around the delta of (Z, Delta + e^lambda Z), given lambda, Delta and epsilon.
    """
    from flint import arb

    corners = [(lam, part) for lam in range(-STEPS, STEPS + 1) for part in range(STEPS + 1)]
    for lam, part in corners:
        dilation = arb(beta) * lam / STEPS
        shift = arb(alpha) * part / STEPS * (dilation.exp() if lam < 0 else 1)
        if not divergence(dilation, shift, arb(epsilon)) <= arb(delta):
            return False
    return True
