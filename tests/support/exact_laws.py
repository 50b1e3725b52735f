"""The laws of released grid points, enclosed in balls: for tests that enumerate every outcome."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb, ctx

from engine.noise import (
    ArsinhNormal,
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplacePareto,
    Noise,
    PowerLaplace,
    StudentT,
    UniformLogNormal,
)
from engine.sampling.balls import ball
from engine.sampling.output_grid import OutputGrid

ctx.prec = 200


def tail(noise: Noise, r: arb) -> arb:
    """Return Pr[Z > r] for r >= 0, from the definition of each family."""
    if isinstance(noise, Laplace):
        return (-r).exp() / 2
    if isinstance(noise, Gaussian):
        return normal_tail(r)
    if isinstance(noise, LaplacePareto):
        knot = arb(noise.g) + 1
        core, far = 1 - (-knot).exp(), (-knot).exp() * knot / noise.g
        if r < knot:
            return ((-r).exp() - (-knot).exp() + far) / (2 * (core + far))
        return far * (r / knot) ** (-arb(noise.g)) / (2 * (core + far))
    if isinstance(noise, PowerLaplace):
        g = arb(noise.g)
        edge = (1 - 1 / g) ** (g - 1) * (1 + 1 / g) ** (g + 1)
        core, far = 1 - (1 - 1 / g) ** g, edge * (1 + 1 / g) ** -g
        if r < 1:
            return (far + (1 - r / g) ** g - (1 - 1 / g) ** g) / (2 * (core + far))
        return edge * (1 + r / g) ** -g / (2 * (core + far))
    if isinstance(noise, StudentT):
        nu = arb(noise.nu)
        return (nu / (nu + r * r)).beta_lower(nu / 2, arb(1) / 2, regularized=True) / 2
    if isinstance(noise, GeneralizedCauchy):
        gamma = arb(noise.gamma)
        return (1 / (1 + r**gamma)).beta_lower(1 - 1 / gamma, 1 / gamma, regularized=True) / 2
    if isinstance(noise, ArsinhNormal):
        return normal_tail((noise.sigma * r).asinh() / noise.sigma)
    assert isinstance(noise, UniformLogNormal)
    sigma = arb(noise.sigma)
    if not r > 0:
        return arb(1) / 2
    k = r.log() / sigma
    return (normal_tail(k) - r * (sigma * sigma / 2).exp() * normal_tail(k + sigma)) / 2


def normal_tail(z: arb) -> arb:
    """Return Pr[N(0, 1) > z]."""
    return (z / arb(2).sqrt()).erfc() / 2


def below(noise: Noise, z: arb) -> arb:
    """Return Pr[Z < z]."""
    return tail(noise, -z) if z < 0 else 1 - tail(noise, z)


def additive(center: Fraction, scale: float, noise: Noise, grid: OutputGrid) -> list[arb]:
    """Return the probability of each grid point between the bounds of a clamped release."""

    def at_most(index: int) -> arb:
        edge = (index + Fraction(1, 2)) * Fraction(grid.step)
        return below(noise, ball(edge - center) / ball(scale))

    first, last = (round(Fraction(end) / Fraction(grid.step)) for end in grid.ends)
    cumulative = [arb(0), *(at_most(index) for index in range(first, last)), arb(1)]
    return [after - before for before, after in itertools.pairwise(cumulative)]


def piecewise(edges: Sequence[Fraction], weights: Sequence[arb], grid: OutputGrid) -> list[arb]:
    """Return the probability of each grid point for a density that is constant between edges."""
    first, last = (round(Fraction(end) / Fraction(grid.step)) for end in grid.ends)
    total, found = sum(weights, arb(0)), []
    for index in range(first, last + 1):
        low = (index - Fraction(1, 2)) * Fraction(grid.step) if index > first else edges[0]
        high = (index + Fraction(1, 2)) * Fraction(grid.step) if index < last else edges[-1]
        mass = arb(0)
        for left, right, weight in zip(edges[:-1], edges[1:], weights, strict=True):
            overlap = min(right, high) - max(left, low)
            if overlap > 0:
                mass += weight * ball(overlap / (right - left))
        found.append(mass / total)
    return found


def keeps(first: Sequence[arb], second: Sequence[arb], epsilon: float, delta: float) -> bool:
    """Tell whether two laws are (epsilon, delta)-close in both directions, for certain."""
    return all(
        excess(one, other, epsilon) <= arb(delta) + UNDECIDED
        for one, other in ((first, second), (second, first))
    )


UNDECIDED = arb(2) ** -150
"""What balls of 200 bits leave open where a probability is exactly e^epsilon times another."""


def excess(first: Sequence[arb], second: Sequence[arb], epsilon: float) -> arb:
    """Return the sum of what probabilities are above e^epsilon times the others."""
    factor = arb(epsilon).exp()
    return sum(((p - factor * q).max(arb(0)) for p, q in zip(first, second, strict=True)), arb(0))


Law = Callable[[Sequence[float]], list[arb]]
