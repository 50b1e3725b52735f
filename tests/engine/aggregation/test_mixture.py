"""Means of Gaussian mixtures: found where they are far apart, in few and in many dimensions."""

import numpy as np
import pytest

from engine.aggregation.functions import GaussianMixture
from engine.aggregation.functions.mixture import _projected
from engine.aggregation.spaces import Wasserstein
from engine.domain import Box


def mixture(rng, middles, size, spread):
    k, d = middles.shape
    return middles[rng.integers(0, k, size)] + rng.normal(0, spread, (size, d))


@pytest.mark.parametrize("fit", ["spectral", "em"])
@pytest.mark.parametrize("d", [1, 2, 10])
def test_separated_means_are_recovered(fit, d):
    """Within 6 standard errors of a mean of a third of the points, in each of d coordinates."""
    rng = np.random.default_rng(d)
    middles = np.array([0.1, 0.5, 0.9])[:, None] * np.ones(d)
    middles[:, ::2] = middles[::-1, ::2]
    blocks = np.stack([mixture(rng, middles, 300, 0.03) for _ in range(10)])
    found = GaussianMixture(k=3, fit=fit).apply(blocks, np.arange(10))
    space = Wasserstein(Box.of([0.0] * d, [1.0] * d).times(3), 3)
    assert space.distances(found, middles.ravel()[None]).max() < 6 * 0.03 * np.sqrt(3 * d / 80)


def test_the_projection_is_on_the_top_right_singular_vectors():
    rng = np.random.default_rng(1)
    blocks = rng.random((6, 30, 5)) * [5, 1, 4, 1, 3]
    centred = blocks - blocks.mean(axis=1, keepdims=True)
    for k in (1, 2, 3):
        projected = _projected(centred, k)
        for block, rows in zip(centred, projected, strict=True):
            directions = np.linalg.svd(block)[2][:k]
            assert np.allclose(rows @ rows.T, (block @ directions.T) @ (block @ directions.T).T, atol=1e-10)
    assert _projected(centred, 5) is centred


def test_a_variance_for_each_gaussian_separates_the_narrow_from_the_wide():
    """Expectation and maximisation is less biased than clusters are where variances differ."""
    rng = np.random.default_rng(3)
    blocks = np.concatenate(
        [rng.normal([0.0, 0.0], 0.02, (20, 200, 2)), rng.normal([0.3, 0.0], 0.15, (20, 200, 2))], axis=1
    )
    middles = np.array([[0.0, 0.0, 0.3, 0.0]])
    space = Wasserstein(Box.of([-1.0, -1.0], [1.0, 1.0]).times(2), 2)
    errors = {
        fit: space.distances(GaussianMixture(k=2, fit=fit).apply(blocks, np.arange(20)), middles).mean()
        for fit in ("spectral", "em")
    }
    assert errors["em"] < 0.5 * errors["spectral"]


def test_a_fit_that_is_cut_short_is_taken_as_it_is_and_says_nothing(monkeypatch, capfd):
    monkeypatch.setattr("engine.aggregation.functions.mixture.MAX_ROUNDS", 1)
    found = GaussianMixture(k=3, fit="em").apply(np.random.default_rng(5).random((2, 100, 2)), np.arange(2))
    assert np.isfinite(found).all()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_the_unit_does_not_matter(unit):
    rng = np.random.default_rng(4)
    block = mixture(rng, np.array([[0.2, 0.3], [0.7, 0.6]]), 200, 0.1)[None]
    for fit in ("spectral", "em"):
        function = GaussianMixture(k=2, fit=fit)
        plain, scaled = (function.apply(data, np.array([3])) for data in (block, block * unit))
        assert np.allclose(scaled / unit, plain, rtol=1e-7)


@pytest.mark.parametrize("fit", ["spectral", "em"])
def test_fewer_distinct_points_than_gaussians(fit):
    block = np.array([[0.1, 0.2, 0.9], [0.6, 0.5, 0.4]])[np.arange(10) % 2]
    found = GaussianMixture(k=4, fit=fit).apply(block[None], np.array([1])).reshape(4, 3)
    assert np.isfinite(found).all()
    for mean in found:
        assert np.abs(block - mean).max(axis=1).min() < 1e-12
    assert np.ptp(found, axis=0).max() > 0.4
