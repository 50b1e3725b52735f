"""The error of histograms over n: its parts against integrals, and its rate."""

import numpy as np
import pytest

from engine.analysis import histogram_accuracy as module
from engine.analysis.histogram_accuracy import density_rate
from engine.mechanisms import NoisyHistogram
from engine.privacy import Privacy


def test_the_error_falls_like_the_cube_root_and_noise_twice_as_fast():
    found = density_rate(NoisyHistogram(post="none"), Privacy(1.0))
    sizes, late = np.log(found.sizes), slice(8, None)
    assert np.polyfit(sizes[late], np.log(found.sampling[late]), 1)[0] == pytest.approx(-1 / 3, abs=0.04)
    assert np.polyfit(sizes[late], np.log(found.noise[late]), 1)[0] == pytest.approx(-2 / 3, abs=0.04)
    # noise of variance 8/epsilon^2 on each count of n, in cells of width h
    bins = module._best_bins(int(found.sizes[-1]))
    assert found.noise[-1] == pytest.approx(np.sqrt(8) * bins / found.sizes[-1], rel=0.2)
    assert density_rate(NoisyHistogram(), Privacy(0.1)).crossing > found.crossing


def test_what_is_smeared_and_missed_is_the_integral():
    x = np.linspace(0, 1, 200_001)[:-1] + 0.5 / 200_000
    density = 6 * x * (1 - x)
    for bins in (1, 3, 10):
        cell = (x * bins).astype(int)
        means = np.bincount(cell, density) / np.bincount(cell)
        assert module._smeared(bins) == pytest.approx(
            np.sqrt(np.mean((density - means[cell]) ** 2)), rel=1e-3
        )
        shares = np.diff(module._below(np.arange(bins + 1) / bins))
        assert shares * bins == pytest.approx(means, rel=1e-4)
        moved = np.random.default_rng(bins).normal(size=bins)
        assert module._root(moved) == pytest.approx(np.sqrt(np.mean((moved[cell] * bins) ** 2)), rel=1e-3)


def test_the_number_of_bins_is_the_best_one_for_many_records():
    n = 100_000
    costs = {bins: bins / n + module.SQUARED_SLOPE / 12 / bins**2 for bins in range(1, 200)}
    assert min(costs, key=costs.get) == pytest.approx(module._best_bins(n), abs=1)
