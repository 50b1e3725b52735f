"""What releases cost under concentrated privacy: Rényi divergences, summed from densities and laws."""

import itertools
import math

import numpy as np
import pytest

from engine import Covariance, Lloyd, PrivTree, SyntheticPoints
from engine.data.categories import CategoryDomain
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.ledger.composition import compose
from engine.ledger.cost import Cost
from engine.mechanisms import (
    ContingencyTable,
    HierarchicalHistogram,
    InteriorPoint,
    NoisyHistogram,
    SmoothRelease,
    SortedHistogram,
)
from engine.noise import ArsinhNormal, LaplaceLogNormal, UniformLogNormal
from engine.privacy import Privacy
from engine.queries import Mean, Median

ORDERS = (1.1, 2.0, 5.0, 30.0)
PRIVACY = Privacy(1.0, 1e-6)
COLOURS = CategoryDomain(["colour", "size"], [["blue", "red"], ["l", "m", "s"]])


def divergence(p, q, order, weights=1.0):
    """Return the Rényi divergence of laws, or of densities with the weights of a quadrature."""
    logs = order * np.log(p) + (1 - order) * np.log(q)
    return math.log(float(np.sum(weights * np.exp(logs)))) / (order - 1)


def gaussian_divergence(shift, sigma, order):
    """Return that of one number with Gaussian noise, by quadrature."""
    x = np.linspace(-60 * sigma, 60 * sigma, 60_001)
    logs = -(order * x * x + (1 - order) * (x - shift) ** 2) / (2 * sigma * sigma)
    density = np.exp(logs).sum() * (x[1] - x[0]) / (sigma * math.sqrt(2 * math.pi))
    return math.log(density) / (order - 1)


def spent(moves, order):
    """Return the divergence of independent numbers, each with its move and its sigma."""
    return sum(gaussian_divergence(move, sigma, order) for move, sigma in moves if move)


def moves_of(mechanism):
    """Return what a replaced record moves, at worst, and the sigma of the noise on it."""
    if isinstance(mechanism, HierarchicalHistogram):
        return [(one, level.scale) for level in mechanism.levels(PRIVACY, 2) for one in (1, -1)]
    if isinstance(mechanism, ContingencyTable):
        scale = mechanism.added(COLOURS, PRIVACY).scale
        return [(one, scale) for _ in mechanism.axes(COLOURS) for one in (1, -1)]
    if isinstance(mechanism, SortedHistogram):
        return [(one, mechanism.added(COLOURS, PRIVACY).scale) for one in (1, -1)]
    if isinstance(mechanism, Covariance):
        # two orthogonal corners of the square: the worst of products and sums together
        scale, weight = mechanism.added(PRIVACY, 2).scale, mechanism.weight(2)
        return [(2, scale), (2, scale / weight)]
    data = Points(np.full((3, 1), 0.5), Box.of([0], [1]))
    scale = mechanism.prepare(data, PRIVACY).noise["scale"]
    return [(1, scale), (-1, scale)]


@pytest.mark.parametrize(
    "mechanism",
    [
        NoisyHistogram(noise="gaussian"),
        HierarchicalHistogram(noise="gaussian", depth=3),
        ContingencyTable(noise="gaussian"),
        ContingencyTable(noise="gaussian", margins="pairs"),
        SortedHistogram(noise="gaussian"),
        Covariance(noise="gaussian"),
    ],
    ids=repr,
)
def test_gaussian_noise_needs_no_delta(mechanism):
    cost = mechanism.guarantee.zcdp_cost(PRIVACY)
    assert cost.delta == 0
    found = [spent(moves_of(mechanism), order) / (order * cost.rho) for order in ORDERS]
    assert max(found) <= 1 + 1e-9
    assert max(found) > (0.5 if isinstance(mechanism, Covariance) else 1 - 1e-6)


@pytest.mark.parametrize("noise", [LaplaceLogNormal(), UniformLogNormal(), ArsinhNormal()], ids=repr)
@pytest.mark.parametrize("query", [pytest.param(Median(), marks=pytest.mark.slow), Mean()], ids=repr)
def test_log_normal_noise_in_print(noise, query):
    """Releases from all neighbours of a tiny domain."""
    mechanism = SmoothRelease(query=query, noise=noise, constants="published")
    cost, domain = mechanism.guarantee.zcdp_cost(PRIVACY), Interval(0.0, 1.0)
    assert cost.delta == 0
    x = np.sinh(np.linspace(-25, 25, 20_001))
    weights = np.gradient(x)
    largest = 0.0
    for rest in itertools.combinations_with_replacement((0.0, 0.4, 1.0), 2):
        ready = [mechanism.prepare(Sample([*rest, one], domain), PRIVACY) for one in (0.0, 0.4, 1.0)]
        for one, other in itertools.permutations(ready, 2):
            p = one.family.log_density(x)
            z = (float(one.center) - float(other.center) + one.scale * x) / other.scale
            q = one.family.log_density(z) + math.log(one.scale / other.scale)
            for order in ORDERS:
                logs = order * p + (1 - order) * q
                largest = max(largest, math.log(float(np.sum(weights * np.exp(logs)))) / (order - 1) / order)
    assert 0 < largest <= cost.rho


def test_thirty_releases_with_noise_in_print_cost_6_and_not_42():
    published, tight = (
        SmoothRelease(noise=LaplaceLogNormal(), constants=constants) for constants in ("published", "tight")
    )
    sums = [compose([Cost.of(one, PRIVACY)] * 30).concentrated.epsilon for one in (published, tight)]
    assert sums == pytest.approx([6.48, 42.4], rel=5e-3)


def test_synthetic_points_span_a_range_of_epsilon():
    """All sets of three points for all databases of three records in two cells, and their neighbours."""
    mechanism, box, privacy = SyntheticPoints(bins=2, size=3), Box.of([0], [1]), Privacy(2.0)
    laws = {}
    for low in range(4):
        data = Points(np.array([[0.25]] * low + [[0.75]] * (3 - low)).reshape(3, 1), box)
        ready = mechanism.prepare(data, privacy)
        weights = np.exp(-ready.rate / 2 * ready.errors)
        laws[low] = weights / weights.sum()
    found = [
        divergence(laws[one], laws[other], order) / order
        for one, other in itertools.permutations(laws, 2)
        if abs(one - other) == 1
        for order in ORDERS
    ]
    assert 0 < max(found) <= mechanism.guarantee.zcdp_cost(privacy).rho == 2.0**2 / 8


def test_an_interior_point_by_its_rank_spans_a_range_of_epsilon():
    """From the definition: a grid point with the lesser of the records on either side as its score."""
    epsilon, points = 1.5, np.arange(5)
    laws = {}
    for values in itertools.combinations_with_replacement(range(5), 4):
        records = np.array(values)[:, None]
        score = np.minimum((records <= points).sum(axis=0), (records >= points).sum(axis=0))
        weights = np.exp(epsilon / 2 * score)
        laws[values] = weights / weights.sum()
    found = []
    for one in laws:
        for place, value in itertools.product(range(4), range(5)):
            other = tuple(sorted((*one[:place], *one[place + 1 :], value)))
            found += [divergence(laws[one], laws[other], order) / order for order in ORDERS]
    assert 0 < max(found) <= InteriorPoint().guarantee.zcdp_cost(Privacy(epsilon)).rho == epsilon**2 / 8
    assert InteriorPoint(way="reduction").guarantee.zcdp_cost(Privacy(epsilon, 1e-6)).rho == epsilon**2 / 2


def test_steps_that_are_pure_add_up():
    assert PrivTree(share=0.25).guarantee.zcdp_cost(Privacy(0.8)).rho == pytest.approx(
        0.2**2 / 2 + 0.6**2 / 2
    )
    assert Lloyd(rounds=5).guarantee.zcdp_cost(Privacy(1.0)).rho == pytest.approx(10 * 0.1**2 / 2)
    assert NoisyHistogram().guarantee.zcdp_cost(Privacy(1.0)).rho == 0.5
