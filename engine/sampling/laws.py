"""Quantiles of symmetric noise distributions, enclosed in balls.

Each function returns the r >= 0 that the noise exceeds with probability `p`, p in (0, 1/2).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from flint import arb, ctx

from engine.sampling.balls import Bits

GUARD, MARGIN = 24, 8
"""Extra bits when computing a quantile, and bits by which the result may fall short of the request."""

DOUBLE = 40
"""Accurate bits of the starting point, a double; each step of Newton's method doubles them."""


def invert(bits: Bits, quantile: Callable[[arb], arb]) -> arb:
    """Draw from a symmetric law: the quantile at half of a uniform number, with a random sign."""
    return bits.sign() * quantile(bits.uniform() / 2)


def laplace(p: arb) -> arb:
    """Return the Laplace quantile, -ln 2p."""
    return -(2 * p).log()


def normal(p: arb) -> arb:
    """Return the quantile of the standard normal law."""
    return arb(2).sqrt() * (2 * p).erfcinv()


def laplace_pareto(p: arb, g: float) -> arb:
    """Return the quantile of a Laplace core with a Pareto tail from g + 1 on."""
    knot = arb(g) + 1
    edge = (-knot).exp()
    tail = edge * knot / g
    mass = 2 * p * (1 - edge + tail)
    near, far = -(mass - tail + edge).log(), knot * (mass / tail) ** (-1 / arb(g))
    if mass > tail:
        return near
    return far if mass < tail else near.union(far)


def power_laplace(p: arb, g: float) -> arb:
    """Return the quantile of the power law: (1 - r/g)^(g - 1) up to r = 1, like (1 + r/g)^-(g + 1) beyond."""
    power = arb(g)
    low, high = 1 - 1 / power, 1 + 1 / power
    factor = low ** (power - 1) * high ** (power + 1)
    core, tail = 1 - low**power, factor * high**-power
    mass = 2 * p * (core + tail)
    if mass > tail:
        return power * (1 - (mass - tail + low**power) ** (1 / power))
    if mass < tail:
        return power * ((factor / mass) ** (1 / power) - 1)
    return arb.nan()


def power_laplace_radius(p: arb, g: float, dimension: int, guess: float) -> arb:
    """Return the length that a vector with this power law exceeds with probability `p`.

    Beyond length d, ``|z|/(g d)`` has the beta-prime law with parameters d and g d, truncated below;
    up to d, the beta law with parameters d and g d - d + 1, truncated above.
    """
    with ctx.extraprec(GUARD):
        d, power = arb(dimension), arb(g)
        total, low = power * d, 1 / power
        last = total - d + 1
        edge = (1 - low) ** (total - d) * (1 + low) ** (total + d)
        part_near = low.beta_lower(d, last, regularized=True)
        part_far = (1 / (1 + low)).beta_lower(total, d, regularized=True)
        near = part_near * (d.lgamma() + last.lgamma() - (d + last).lgamma()).exp()
        far = edge * part_far * (d.lgamma() + total.lgamma() - (d + total).lgamma()).exp()
        beyond = far / (near + far)
        ratio = guess / (g * dimension)
        if p < beyond:
            log_w = _log_beta_prime(p / beyond * part_far / 2, d, total, math.log(ratio))
            return total * log_w.exp()
        if p > beyond:
            # w/(1 - w) has the beta-prime law where w has the beta law
            above = 1 - (1 - p) / (1 - beyond) * part_near
            log_w = _log_beta_prime(above / 2, d, last, math.log(ratio) - math.log1p(-ratio))
            return total / (1 + (-log_w).exp())
        return arb.nan()


def power_tail(p: arb, power: float, k: float, s: arb, guess: float) -> arb:
    """Return the quantile of the density proportional to ``(1 + z^power / k)^-s``.

    ``W = z^power / k`` has the beta-prime law with parameters a = 1/power and b = s - a, so that
    ``p = I_{1/(1 + W)}(b, a)/2``.  Newton's method finds t = ln W.  Two balls then prove that the tail
    probability is above p to the left of t and below p to the right.
    """
    with ctx.extraprec(GUARD):
        a = 1 / arb(power)
        t = _log_beta_prime(p, a, s - a, power * math.log(guess) - math.log(k) if guess > 0 else -math.inf)
        return ((t + arb(k).log()) / power).exp()


def beta_prime(p: arb, a: arb, b: arb, guess: float) -> arb:
    """Return the t that ln W exceeds with probability `p`, where W has the beta-prime law."""
    with ctx.extraprec(GUARD):
        return _log_beta_prime(p / 2, a, b, guess)


def _log_beta_prime(p: arb, a: arb, b: arb, guess: float) -> arb:
    log_beta = a.lgamma() + b.lgamma() - (a + b).lgamma()

    def tail(t: arb) -> arb:
        w = t.exp()
        if t > 0:
            return (1 / (1 + w)).beta_lower(b, a, regularized=True) / 2
        return 0.5 - (w / (1 + w)).beta_lower(a, b, regularized=True) / 2

    def slope(t: arb) -> arb:
        return (a * t - (a + b) * t.exp().log1p() - log_beta).exp() / 2

    middle = p.mid()
    far = -((2 * middle).log() + b.log() + log_beta) / b
    near = ((1 - 2 * middle).log() + a.log() + log_beta) / a
    # far out, the first term of the expansion is more accurate than a double
    expansion = far if far > 0 else near
    t = (arb(guess) if math.isfinite(guess) and abs(guess) < 600 else expansion).mid()
    for _ in range(math.ceil(math.log2(ctx.prec / DOUBLE))):
        t = (t + (tail(t) - middle) / slope(t)).mid()
    # p is itself known to the requested precision only
    width = (1 + abs(t)) * arb(2) ** (MARGIN + GUARD - ctx.prec)
    for _ in range(12):
        if tail(t - width) > p and tail(t + width) < p:
            return (t - width).union(t + width)
        width *= 64
    return arb.nan()
