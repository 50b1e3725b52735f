"""Random maps: what they keep, and that they are as random as stated."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import betainc, gammainc, gammaincc

from engine.primitives import jl_dimension, johnson_lindenstrauss, projection_bound, random_rotation
from engine.randomness import reproducible, secure


def distances(points):
    return np.array([np.linalg.norm(a - b) for a, b in itertools.combinations(points, 2)])


@pytest.mark.parametrize("n", [2, 30, 10**5, 10**8])
@pytest.mark.parametrize("beta", [0.5, 0.01])
def test_the_dimension_in_print_is_enough(n, beta):
    """The exact tails of chi-square with k degrees of freedom, times the number of pairs."""
    k = jl_dimension(n, beta)
    assert k == math.ceil(46 * math.log2(2 * n / beta))
    tails = gammaincc(k / 2, 1.5 * k / 2) + gammainc(k / 2, 0.5 * k / 2)
    assert n * (n - 1) / 2 * tails <= beta
    assert 2 * n**2 * math.exp(-k / 32) <= beta
    # the natural logarithm would not do for the bound in print
    assert n < 1000 or 2 * n**2 * math.exp(-46 * math.log(2 * n / beta) / 32) > beta


def test_distances_are_kept():
    """In 5 maps; one fails with probability below 1e-6 by the exact tails."""
    rng = np.random.default_rng(15)
    points = rng.normal(size=(25, 60)) * rng.exponential(size=60)
    k = jl_dimension(25, 0.1)
    for _ in range(5):
        matrix = johnson_lindenstrauss(60, k, rng)
        assert matrix.shape == (k, 60)
        squares = (distances(points @ matrix.T) / distances(points)) ** 2
        assert 0.5 <= squares.min() <= squares.max() <= 1.5


@pytest.mark.parametrize("rng", [reproducible(16), secure()], ids=["simulated", "released"])
def test_entries_are_normal_with_variance_one_by_k(rng):
    k = 40
    entries = np.concatenate([johnson_lindenstrauss(50, k, rng).ravel() for _ in range(20)]) * math.sqrt(k)
    error = 6 / math.sqrt(entries.size)  # six standard errors: false alarm below 1e-8
    assert entries.mean() == pytest.approx(0, abs=error)
    assert (entries**2).mean() == pytest.approx(1, abs=math.sqrt(2) * error)
    assert (entries**4).mean() == pytest.approx(3, abs=math.sqrt(96) * error)


@pytest.mark.parametrize("rng", [reproducible(3), secure()], ids=["simulated", "released"])
@pytest.mark.parametrize("d", [1, 2, 3, 40])
def test_a_basis_is_orthonormal(d, rng):
    rotation = random_rotation(d, rng)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(d), atol=1e-12)


def test_every_basis_is_as_probable_as_any_other():
    """First, second and fourth moments of the entries, six standard errors each."""
    rng, d, runs = np.random.default_rng(17), 3, 5000
    flat = np.array([random_rotation(d, rng).ravel() for _ in range(runs)])
    np.testing.assert_allclose(flat.mean(axis=0), 0, atol=6 * math.sqrt(1 / d / runs))
    second = flat.T @ flat / runs
    np.testing.assert_allclose(second, np.eye(d * d) / d, atol=6 * math.sqrt(3 / (d * (d + 2)) / runs))
    np.testing.assert_allclose((flat**4).mean(axis=0), 3 / (d * (d + 2)), atol=6 * 0.3 / math.sqrt(runs))
    signs = np.linalg.det(flat.reshape(runs, d, d)) > 0
    assert signs.mean() == pytest.approx(0.5, abs=3 / math.sqrt(runs))


@pytest.mark.parametrize("d", [2, 5, 100])
def test_no_axis_sees_more_than_the_bound(d):
    """The square of one coordinate of a random direction is Beta(1/2, (d - 1)/2)."""
    for n, beta in itertools.product((2, 100, 10**6), (0.5, 0.001)):
        bound = projection_bound(d, n, beta)
        assert bound == pytest.approx(2 * math.sqrt(math.log(d * n / beta) / d))
        beyond = 1 - betainc(0.5, (d - 1) / 2, min(1.0, bound**2))
        assert d * n * (n - 1) / 2 * beyond <= beta


def test_projections_of_points_keep_the_bound():
    """In ten bases; the bound fails in any of them with probability 10^-6."""
    rng, d, n, beta = np.random.default_rng(18), 200, 20, 1e-6
    points = rng.normal(size=(n, d)) * rng.exponential(size=d)
    pairs = np.array([a - b for a, b in itertools.combinations(points, 2)])
    lengths = np.linalg.norm(pairs, axis=1)
    for _ in range(10):
        shares = np.abs(pairs @ random_rotation(d, rng).T) / lengths[:, None]
        assert shares.max() <= projection_bound(d, n, beta / 10)
        assert shares.max() > 0.3 * projection_bound(d, n, beta / 10)
