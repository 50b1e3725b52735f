"""What exact releases cost beside draws in doubles, as ratios measured in one run.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import time
from statistics import median

import numpy as np
import pytest

from engine.aggregation.blocks import IndependentSubsets, Partition
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms import (
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    ProposeTestRelease,
    SampleAggregate,
    SmoothRelease,
)
from engine.noise import NOISES
from engine.privacy import Privacy
from engine.queries import Mean
from engine.randomness import reproducible, secure
from engine.sampling.output_grid import OutputGrid

pytestmark = pytest.mark.benchmark

BOUNDS, PRIVACY = Interval(0.0, 500_000.0), Privacy(1.0, 1e-6)


def ratio(exact, doubles, repeats=9):
    """Return both medians of the CPU seconds of two works that take turns."""
    found: tuple[list[float], list[float]] = ([], [])
    for work in (exact, doubles):
        work()
    for _ in range(repeats):
        for work, seconds in zip((exact, doubles), found, strict=True):
            start = time.process_time()
            work()
            seconds.append(time.process_time() - start)
    return median(found[0]), median(found[1])


@pytest.mark.parametrize(
    "mechanism",
    [
        *(SmoothRelease(noise=family()) for family in NOISES.values()),
        LaplaceRelease(),
        LaplaceRelease(query=Mean()),
        GaussianRelease(),
        ExponentialRelease(),
        ProposeTestRelease(bound=1000.0),
    ],
    ids=repr,
)
def test_one_release_end_to_end(mechanism):
    """A release at n = 1,000,000 within 1.5 times what the same takes in doubles with a seed."""
    values = np.random.default_rng(1).lognormal(10.5, 0.8, 1_000_000)
    exact, doubles = ratio(
        lambda: mechanism.run(Sample(values, BOUNDS), PRIVACY, secure()),
        lambda: mechanism.run(Sample(values, BOUNDS), PRIVACY, reproducible(1)),
    )
    print(f"\n{mechanism!r}: {exact * 1e3:.1f} ms, in doubles {doubles * 1e3:.1f} ms, {exact / doubles:.2f}")
    assert exact <= 1.5 * doubles


@pytest.mark.parametrize("sampling", [Partition(), IndependentSubsets()], ids=lambda one: one.name)
def test_secret_blocks(sampling):
    """A release of 1,000,000 records in secret blocks within 1.5 times what a pattern takes."""
    data = Points(np.random.default_rng(1).random((1_000_000, 2)), Box.of([0, 0], [1, 1]))
    mechanism = SampleAggregate(sampling=sampling)
    secret, pattern = ratio(
        lambda: mechanism.run(data, PRIVACY, secure()), lambda: mechanism.run(data, PRIVACY, reproducible(1))
    )
    print(f"\n{sampling.name}: {secret * 1e3:.1f} ms, of a pattern {pattern * 1e3:.1f} ms")
    assert secret <= 1.5 * pattern


@pytest.mark.parametrize("family", NOISES.values())
def test_sampling_itself(family):
    """One number with noise, rounded exactly, within 1 ms."""
    grid, source = OutputGrid.of(500_000.0, 0.0, 500_000.0), secure()
    exact, doubles = ratio(
        lambda: grid.noisy(31_000.0, 100.0, family(), source, 100),
        lambda: grid.noisy(31_000.0, 100.0, family(), reproducible(1), 100),
    )
    print(f"\n{family.name}: {exact * 1e4:.0f} µs, in doubles {doubles * 1e4:.1f} µs")
    assert exact / 100 <= 1e-3
