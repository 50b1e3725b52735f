"""The pairs that are used keep their promise without an error: rules in exact numbers, deltas in balls."""

import itertools
import math
from fractions import Fraction

import pytest
from exact_laws import below, normal_tail, tail
from flint import arb

from engine.noise import (
    ArsinhNormal,
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplacePareto,
    StudentT,
    UniformLogNormal,
)
from engine.noise import gaussian as gaussian_module
from engine.noise import laplace as laplace_module
from engine.noise.calibration import inward, linear
from engine.privacy import Privacy
from engine.sampling.balls import precision

EPSILONS = (1e-9, 0.1, 1 / 3, 1.0, 7.7, 100.0)
STEPS = 6
"""Points of the region of a pair between its middle and its edge."""


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("split", [0.1, 0.5, 0.77])
@pytest.mark.parametrize("dimension", [1, 3, 7])
def test_linear_rules(epsilon, split, dimension):
    """slope alpha + dilation beta <= epsilon, each constant from its formula."""
    families = (
        *((LaplacePareto(g=g), arb(1), arb(max(1.0, g))) for g in (0.3, 2.2, 4.0)),
        *((StudentT(nu=nu), (arb(nu) + 1) / (2 * arb(nu).sqrt()), arb(max(1.0, nu))) for nu in (0.7, 3.0)),
        *(
            (GeneralizedCauchy(gamma=g), (arb(g) - 1) ** ((arb(g) - 1) / g), (arb(g) - 1).max(arb(1)))
            for g in (1.7, 4.1)
        ),
    )
    with precision(300):
        for family, slope, dilation in families:
            pair = family.admissible(Privacy(epsilon), dimension, split=split)
            spent = slope * arb(pair.alpha) + dimension * dilation * arb(pair.beta)
            assert spent <= arb(epsilon)
            assert spent > arb(epsilon) * (1 - arb(2) ** -44)


def test_a_pair_is_made_smaller_by_its_last_digits_alone():
    alpha, beta = linear(0.1, 0.1, Fraction(1), Fraction(2), 0.3)
    assert Fraction(alpha) + 2 * Fraction(beta) <= Fraction(0.3)
    assert (alpha, beta) == pytest.approx((0.1, 0.1), rel=1e-15)
    limit = 0.1 * (1 - 2.0**-46)
    found = inward(0.1, 0.2, 1e-6, lambda alpha, _: alpha <= limit)
    assert limit * (1 - 2.0**-44) < found[0] <= limit
    with pytest.raises(ArithmeticError):
        inward(0.1, 0.2, 1e-6, lambda *_: False)


def region(pair):
    """Return lambda and Delta all over the region of a pair."""
    for lam, part in itertools.product(range(-STEPS, STEPS + 1), range(STEPS + 1)):
        dilation = arb(pair.beta) * lam / STEPS
        yield dilation, arb(pair.alpha) * part / STEPS * (dilation.exp() if lam < 0 else 1)


@pytest.mark.parametrize("module", [laplace_module, gaussian_module])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.1])
def test_joint_deltas(module, epsilon, delta):
    family = Laplace() if module is laplace_module else Gaussian()
    for split in (0.2, 0.5, 0.9):
        pair = family.admissible(Privacy(epsilon, delta), split=split)
        with precision(300):
            worst = max(
                (module.enclosed_delta(*place, arb(epsilon)) for place in region(pair)),
                key=lambda found: float(found),
            )
            assert worst <= arb(delta)
        # in doubles a small delta is a difference of numbers near 1
        allowed = 1e-4 if delta < 1e-9 else 1e-8
        assert float(worst) == pytest.approx(delta, rel=allowed)


@pytest.mark.parametrize("module", [laplace_module, gaussian_module])
def test_enclosed_deltas_against_the_law(module):
    """The event that decides has the probabilities that cdf and a fine partition say."""
    family = Laplace() if module is laplace_module else Gaussian()
    for lam, delta in ((0.0, 0.5), (0.1, 0.0), (0.1, 0.6), (-0.1, 0.0), (-0.1, 0.5), (0.02, 0.9)):
        with precision(120):
            found = module.enclosed_delta(arb(lam), arb(delta), arb(0.3))
            bound = upper_bound(family, arb(lam), arb(delta), 0.3)
            assert found <= bound
            assert float(found) == pytest.approx(float(bound), rel=2e-3, abs=1e-12)


@pytest.mark.parametrize("dimension", [2, 10])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_dilations_in_several_dimensions(dimension, epsilon):
    for module in (laplace_module, gaussian_module):
        for beta in (0.01, 0.2):
            expected = module.dilation_delta(beta, epsilon, dimension)
            with precision(200):
                found = module.enclosed_dilation(beta, epsilon, dimension)
                assert float(found) == pytest.approx(expected, rel=1e-7, abs=1e-14)


CELLS, FAR, DEEPEST = 300, 13, 12
"""Cells, the normal score up to which they reach (beyond, all mass counts), how often one is halved."""


def upper_bound(family, lam, delta, epsilon):
    """Return an upper bound of the delta of (Z, Delta + e^lambda Z), which is above it by little.

    The line is cut where normal scores are evenly spread.  A cell counts with p - e^epsilon q where
    the log-ratio is above epsilon for certain, and not at all where it is below; else it is halved,
    and in the end counts with what the largest possible ratio leaves of p.
    """
    s, factor = (-lam).exp(), arb(epsilon).exp()

    def laws(z):
        return z, below(family, z), below(family, (z - delta) * s)

    def counted(low, high, depth):
        p, q = high[1] - low[1], high[2] - low[2]
        cell, middle = low[0].union(high[0]), (low[0] + high[0]) / 2
        excess = log_density(family, middle) - log_density(family, (middle - delta) * s) + lam - epsilon
        # by the mean value theorem
        excess += (slope(family, cell) - s * slope(family, (cell - delta) * s)) * (cell - middle)
        if excess > 0:
            return (p - factor * q).max(arb(0))
        if excess < 0:
            return arb(0)
        if depth == DEEPEST:
            return p * -(-excess.upper()).expm1()
        between = laws(middle)
        return counted(low, between, depth + 1) + counted(between, high, depth + 1)

    scores = [arb(FAR) * (2 * place - CELLS) / CELLS for place in range(CELLS + 1)]
    edges = [laws(family_score(family, score)) for score in scores]
    cells = (counted(low, high, 0) for low, high in itertools.pairwise(edges))
    return sum(cells, 2 * tail(family, abs(edges[0][0])))


def family_score(family, score):
    """Return a point for each normal score, far out where the family reaches far."""
    if isinstance(family, ArsinhNormal):
        return (family.sigma * score).sinh() / family.sigma
    if isinstance(family, UniformLogNormal):
        return score.sgn() * ((family.sigma * abs(score) * 1.3).exp() - 1)
    return score * 3 if isinstance(family, Laplace) else score


def log_density(family, z):
    """Return the logarithm of the density, from the definition."""
    if isinstance(family, Laplace):
        return -abs(z) - arb(2).log()
    if isinstance(family, Gaussian):
        return -z * z / 2 - (2 * arb.pi()).log() / 2
    sigma = arb(family.sigma)
    if isinstance(family, ArsinhNormal):
        y = (sigma * z).asinh() / sigma
        return -(y * y + (2 * arb.pi()).log() + (1 + (sigma * z) ** 2).log()) / 2
    return normal_tail(score(family, z)).log() - arb(2).log() + sigma * sigma / 2


def slope(family, z):
    """Return the derivative of `log_density` over a ball."""
    if isinstance(family, Laplace):
        return arb(-1) if z > 0 else arb(1) if z < 0 else arb(-1).union(1)
    if isinstance(family, Gaussian):
        return -z
    sigma = arb(family.sigma)
    if isinstance(family, ArsinhNormal):
        wide = 1 + (sigma * z) ** 2
        return -((sigma * z).asinh() / sigma / wide.sqrt() + sigma**2 * z / wide)
    steepest = arb(2.5).union(-2.5) / sigma  # sup |h'/h| exp(-1.5 sigma^2) is below 2.5/sigma near 0
    if z.contains(0):
        return steepest * (1.5 * sigma * sigma).exp()
    k = score(family, z)
    return -(-k * k / 2).exp() / ((2 * arb.pi()).sqrt() * normal_tail(k) * sigma * z)


def score(family, z):
    """Return ln |z| / sigma + sigma."""
    sigma = arb(family.sigma)
    return abs(z).log() / sigma + sigma


@pytest.mark.parametrize("family", [ArsinhNormal(), ArsinhNormal(sigma=0.6), UniformLogNormal()], ids=repr)
@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [*(pytest.param(1.0, delta, marks=pytest.mark.slow) for delta in (1e-3, 1e-6)), (0.3, 1e-6)],
)
def test_numerical_calibration(family, epsilon, delta):
    """Pairs that were found by quadrature, against an upper bound in balls."""
    pair = family.admissible(Privacy(epsilon, delta))
    corners = [
        (arb(lam * pair.beta), arb(pair.alpha * min(1, math.exp(lam * pair.beta)))) for lam in (-1, 0, 1)
    ]
    with precision(120):
        for place in (*corners, *((lam, arb(0)) for lam, _ in corners)):
            assert upper_bound(family, *place, epsilon) <= arb(delta)
