"""Speed of comparisons, processes and all.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import time

import numpy as np
import pytest

from engine.comparison import Processes, Sweep, alternatives, compare, contenders_from, default_sweep
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import SmoothRelease
from engine.privacy import Privacy

pytestmark = pytest.mark.benchmark

PRIVACY = Privacy(1.0, 1e-6)
ONE = Sweep("epsilon", (1.0,))


@pytest.fixture(scope="module")
def salaries():
    return Sample(np.random.default_rng(1).lognormal(10.5, 0.8, 1_000_000), Interval(0.0, 500_000.0))


@pytest.fixture(scope="module")
def medians(salaries):
    """The five methods for a median."""
    contenders = contenders_from(alternatives(SmoothRelease(), PRIVACY, salaries.domain, salaries.n))
    assert len(contenders) == 5
    return contenders


def test_ten_thousand_releases_of_five_medians(salaries, medians):
    """10,000 simulated releases of each of five medians of 10^6 records within 5 s, processes started."""
    start = time.perf_counter()
    with Processes(salaries) as processes:
        found = compare(medians, salaries, PRIVACY, ONE, runs=10_000, seed=1, processes=processes)
        first = time.perf_counter() - start
        start = time.perf_counter()
        compare(medians, salaries, PRIVACY, ONE, runs=10_000, seed=1, processes=processes)
        again = time.perf_counter() - start
    print("\nfive medians, n = 1,000,000, 10,000 runs each: ", end="")
    print(f"{first:.2f} s with the start of processes, {again:.2f} s with those that are there")
    assert found.complete
    assert [outcome.runs for outcome in found.outcomes] == [10_000] * 5
    assert first <= 5


def test_processes_against_one_thread(salaries, medians):
    """A sweep of seven epsilons at n = 10^6 is faster in warm processes than in one thread."""
    sweep = default_sweep("epsilon", [median.mechanism for median in medians], PRIVACY, salaries.n, 7)
    compare(medians, salaries, PRIVACY, ONE, runs=10, seed=1)  # what is found once is found
    start = time.perf_counter()
    compare(medians, salaries, PRIVACY, sweep, runs=10_000, seed=1)
    alone = time.perf_counter() - start
    with Processes(salaries) as processes:
        compare(medians, salaries, PRIVACY, ONE, runs=10, seed=1, processes=processes)
        start = time.perf_counter()
        compare(medians, salaries, PRIVACY, sweep, runs=10_000, seed=1, processes=processes)
        apart = time.perf_counter() - start
    print(f"\n35 trials of 10,000 runs: {alone:.2f} s in one thread, {apart:.2f} s in processes, ", end="")
    print(f"ratio {alone / apart:.2f}")
    assert apart <= alone
