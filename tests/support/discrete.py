"""Distributions over few outcomes: how far two are apart, and whether draws follow one."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

FALSE_ALARM = 1e-6
"""Probability with which `assert_drawn_from` fails for a right sampler."""


def number_of_draws(usual: int, many: int) -> pytest.MarkDecorator:
    """Give a test `runs`: with the same probability of a false alarm, more draws notice less."""
    return pytest.mark.parametrize("runs", [usual, pytest.param(many, marks=pytest.mark.slow)])


def hockey_stick(p: ArrayLike, q: ArrayLike, epsilon: float) -> NDArray[np.float64]:
    """Σ max(0, p - e^epsilon q) over the last axis, in the worse direction."""
    first, second = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    return np.maximum(
        np.maximum(first - np.exp(epsilon) * second, 0).sum(axis=-1),
        np.maximum(second - np.exp(epsilon) * first, 0).sum(axis=-1),
    )


def assert_drawn_from(outcomes: ArrayLike, probabilities: ArrayLike) -> None:
    """Pearson's test of outcomes 0..m - 1; rare ones are pooled, impossible ones must not occur."""
    from scipy.stats import chisquare

    p = np.asarray(probabilities, dtype=float)
    assert abs(p.sum() - 1) < 1e-8
    seen = np.bincount(np.asarray(outcomes), minlength=p.size)
    assert seen.size == p.size
    assert not np.any(seen[p == 0])
    expected = p / p.sum() * seen.sum()
    often = expected >= 20
    if not often.all():
        seen = np.append(seen[often], seen[~often].sum())
        expected = np.append(expected[often], expected[~often].sum())
        if expected[-1] < 5:
            assert seen[-1] < 40  # Poisson(5) reaches 40 with probability below 1e-20
            seen, expected = seen[:-1], expected[:-1] * (seen[:-1].sum() / expected[:-1].sum())
    assert len(expected) > 1
    assert chisquare(seen, expected).pvalue > FALSE_ALARM


leggauss = functools.cache(np.polynomial.legendre.leggauss)


def legendre(cuts: ArrayLike, order: int = 40) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes and weights of Gauss-Legendre quadrature between neighbouring cuts."""
    edges = np.unique(np.asarray(cuts, dtype=float))
    x, w = leggauss(order)
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    return (middle[:, None] + half[:, None] * x).ravel(), (half[:, None] * w).ravel()


def laplace_density(z: ArrayLike, scale: float) -> NDArray[np.float64]:
    return np.exp(-np.abs(z) / scale) / (2 * scale)


def laplace_below(z: ArrayLike, scale: float) -> NDArray[np.float64]:
    x = np.asarray(z, dtype=float) / scale
    tail = np.exp(-np.abs(x))
    return 0.5 * np.where(x < 0, tail, 2 - tail)
