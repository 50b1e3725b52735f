"""How often all centers of Google's clustering by locality-sensitive hashing are near the true ones.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.  The pages
``resources/help/mechanisms/k-means-on-cells.md`` and ``resources/help/topics/clustering.md`` name it.

It is no package on PyPI: the folder ``learning`` of https://github.com/google/differential-privacy has it
(Apache 2.0), and has to be on the path of Python (``PYTHONPATH=differential-privacy/learning``); what it
needs besides, dp-accounting and absl-py, comes with the extra ``accounting``.

Its guarantee is for records that are added or removed.  A replaced record is two such steps, so that it
gets half of epsilon, and delta / (1 + e^(epsilon/2)): with these a replaced one has epsilon and delta.
Points are moved so that the middle of the bounds is 0, as its documentation advises, and half of the diagonal
is the radius.  All else is as it comes.
"""

import functools
import math
import types

import numpy as np
import pytest
from cluster_sets import (
    NEAR,
    PRIVACY,
    RUNS,
    SETS,
    SIZES,
    blobs_of,
    farthest,
    median_distance,
    three_blobs,
)

pytestmark = pytest.mark.benchmark

BUDGET = PRIVACY.epsilon / 2, PRIVACY.delta / (1 + math.exp(PRIVACY.epsilon / 2))


@pytest.fixture
def google(monkeypatch):
    """Return what makes sets of centers with the package."""
    algorithm = pytest.importorskip(
        "clustering.clustering_algorithm", reason="Google's clustering is not on the path; see above"
    )
    params = algorithm.clustering_params
    # the labels of all points, which are not private, take longer than the centers
    monkeypatch.setattr(
        algorithm, "ClusteringResult", lambda data, centers: types.SimpleNamespace(centers=centers)
    )

    calculator = algorithm.privacy_calculator.PrivacyCalculator

    @functools.cache
    def calibrated(radius):
        budget = params.DifferentialPrivacyParam(*BUDGET)
        return calculator(budget, radius, 20, params.PrivacyCalculatorMultiplier())

    # noise is calibrated once for all runs: it follows from the budget and the radius alone
    monkeypatch.setattr(
        algorithm.privacy_calculator, "PrivacyCalculator", lambda budget, radius, *rest: calibrated(radius)
    )

    def centers(k, data, runs):
        middle = (data.domain.lower + data.domain.upper) / 2
        points = params.Data(data.values - middle, float(np.linalg.norm(data.domain.upper - middle)))
        budget = params.DifferentialPrivacyParam(*BUDGET)
        np.random.seed(1)  # noqa: NPY002 - it draws from numpy's own state
        found = [algorithm.private_lsh_clustering(k, points, budget).centers for _ in range(runs)]
        # fewer than k centers, where the tree has fewer leaves, are no answer
        none = np.full((k, points.dim), np.nan)
        return np.array([some + middle if len(some) == k else none for some in found])

    return centers


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SETS)
def test_share_of_runs_with_all_centers_near(google, name, n):
    centers, data = blobs_of(name, n)
    errors = farthest(google(len(centers), data, RUNS), centers)
    print(f"\n| {name}, n = {n:,} | {100 * np.mean(errors <= NEAR):.0f} % | {np.median(errors):.2g} |")
    assert errors.shape == (RUNS,)
    assert np.median(errors) > 0


def test_distance_of_released_centers(google):
    found = []
    for n in (*SIZES, 1_000_000):
        drawn = google(3, three_blobs(n), 20 if n <= 100_000 else 5)
        found.append(median_distance(drawn.reshape(len(drawn), -1)))
    print("\n| Google's LSH clustering (ε/2) | " + " | ".join(f"{error:.3g}" for error in found) + " |")
    assert found == sorted(found, reverse=True)
