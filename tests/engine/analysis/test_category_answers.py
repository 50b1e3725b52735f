"""Counts of two columns out of several: the noise that is stated is that of the sums."""

import numpy as np
import pytest

from engine import Categories, CategoryDomain, Privacy, reproducible
from engine.analysis.category_answers import cross_table
from engine.mechanisms.categories.contingency_table import ContingencyTable

RUNS = 4_000


@pytest.mark.parametrize("values", [1, 2, 5, 20])
def test_the_noise_of_a_summed_count_is_that_of_the_sum(values):
    labels = {"x": ["a", "b"], "y": ["a", "b"], "z": [str(value) for value in range(values)]}
    data = Categories(np.zeros((50, 3), int), CategoryDomain(labels))
    mechanism, privacy = ContingencyTable(post="none"), Privacy(1.0)
    stated = cross_table(mechanism, data, privacy).half_width
    prepared = mechanism.prepare(data, privacy)
    draws = prepared.draw(reproducible(1), RUNS) - prepared.counts
    errors = np.abs(draws.reshape(RUNS, 2, 2, values).sum(axis=3))
    assert 0.95 <= (errors <= stated).mean() < 0.98
    assert np.quantile(errors, 0.95) <= stated


def test_no_interval_is_stated_for_sums_of_fitted_counts():
    """Fitting takes about the same from each count that is not 0, so their sum falls by a multiple."""
    labels = {name: [str(value) for value in range(10)] for name in "xyz"}
    values = [[one, one, z] for one in range(10) for z in range(10)]  # 10 sums of full cells
    data = Categories(np.repeat(values, 30, axis=0), CategoryDomain(labels))
    noisy, fitted = ContingencyTable(post="none"), ContingencyTable()
    privacy = Privacy(1.0)
    width = cross_table(noisy, data, privacy).half_width
    tables = [cross_table(fitted, data, privacy, seed=seed) for seed in range(50)]
    full = tables[0].truth > 0
    covered = np.mean([np.abs(table.counts - table.truth)[full] <= width for table in tables])
    assert width > 0
    assert covered < 0.8
    assert all(table.half_width == 0 for table in tables)
    released = fitted.run(data, privacy, reproducible(1))
    assert cross_table(fitted, data, privacy, released=released).half_width == 0


def test_the_noise_of_a_release_is_that_of_its_own_budget():
    domain = CategoryDomain({"x": ["a", "b"], "y": ["a", "b"]})
    data, mechanism = Categories(np.zeros((50, 2), int), domain), ContingencyTable()
    released = mechanism.run(data, Privacy(0.1), reproducible(1))
    assert cross_table(mechanism, data, Privacy(1.0), released=released).half_width == 60
    assert cross_table(ContingencyTable(margins="pairs"), data, Privacy(1.0)).half_width == 6
