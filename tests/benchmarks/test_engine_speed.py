"""Speed of the engine as ratios, each measured in one run against a named baseline.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import importlib.util

import numpy as np
import pytest
from timing import seconds

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import SmoothRelease
from engine.privacy import Privacy
from engine.queries import Median

pytestmark = pytest.mark.benchmark


def salaries(n):
    return np.random.default_rng(1).lognormal(10.5, 0.8, n)


def test_smooth_sensitivity_against_sorting():
    """Exact S* of the median at n = 10,000,001 within half the time of np.sort."""
    values, bounds = salaries(10_000_001), Interval(0.0, 500_000.0)
    ours = seconds(lambda: Median().smooth_sensitivity(Sample(values, bounds), 0.1), repeats=5)
    sorting = seconds(lambda: np.sort(values), repeats=5)
    print(f"\nS* of 10,000,001 values: {ours:.3f} s; np.sort: {sorting:.3f} s; ratio {ours / sorting:.2f}")
    assert ours <= 0.5 * sorting


def diffprivlib_median(values):
    from diffprivlib.tools import median as private_median

    return lambda: private_median(values, epsilon=1.0, bounds=(0.0, 500_000.0))


def opendp_median(values):
    """The exponential mechanism over 1,000 public candidates, OpenDP's way to a median."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    candidates = np.linspace(0.0, 500_000.0, 1000).tolist()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=len(values)), dp.symmetric_distance()
    meas = (
        dp.c.make_private_quantile if hasattr(dp.c, "make_private_quantile") else dp.m.make_private_quantile
    )
    release = meas(*space, dp.max_divergence(), candidates=candidates, alpha=0.5, scale=1.0)
    return lambda: release(values)


def python_dp_median(values):
    from pydp.algorithms.laplacian import Median as PrivateMedian

    def release():
        return PrivateMedian(epsilon=1.0, lower_bound=0.0, upper_bound=500_000.0, dtype="float").quick_result(
            numbers
        )

    numbers = values.tolist()
    return release


PEERS = {"diffprivlib": diffprivlib_median, "opendp": opendp_median, "pydp": python_dp_median}


def test_a_release_against_the_peers():
    """A private median at n = 1,000,000, five times faster than the fastest peer."""
    installed = {name: make for name, make in PEERS.items() if importlib.util.find_spec(name)}
    if not installed:
        pytest.fail(
            "none of diffprivlib, opendp and python-dp is installed; see the README's benchmark command"
        )
    values, bounds = salaries(1_000_000), Interval(0.0, 500_000.0)
    ours = seconds(lambda: SmoothRelease().run(Sample(values, bounds), Privacy(1.0)), repeats=7)
    durations = {name: seconds(make(values)) for name, make in installed.items()}
    print(f"\nprivate median of 1,000,000 values: {ours * 1e3:.1f} ms")
    for name, duration in sorted(durations.items(), key=lambda item: item[1]):
        print(f"  {name}: {duration * 1e3:.1f} ms, ratio {duration / ours:.0f}")
    assert 5 * ours <= min(durations.values())
