"""Speed of noise on many counts: releases, which are exact, against simulations, and those against numpy.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import numpy as np
import pytest
from timing import seconds

from engine import Lloyd, PrivTree
from engine.data.categories import Categories, CategoryDomain
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import NoisyHistogram, RandomizedResponse
from engine.primitives.counts import count_noise
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

pytestmark = pytest.mark.benchmark

MILLION = 1_000_000
SQUARE = Box.of([0.0, 0.0], [1.0, 1.0])
PRIVACY = Privacy(1.0, 1e-6)


def points(n, d=2):
    return Points(np.random.default_rng(1).beta(2, 5, (n, d)), Box.of([0.0] * d, [1.0] * d))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("post", ["none", "top-down"])
def test_a_noisy_grid_of_a_million_cells_within_five_seconds(noise, post):
    """All of the release but the points, which are a million: at most 2 simulations, and 5 s."""
    mechanism, data = NoisyHistogram(bins=1000, noise=noise, post=post), points(MILLION)
    ours = seconds(lambda: mechanism.run(data, PRIVACY, secure()))
    simulated = seconds(lambda: mechanism.run(data, PRIVACY, reproducible(1)))
    print(f"\n{noise}, {post}: {ours:.2f} s; simulated {simulated:.2f} s; ratio {ours / simulated:.2f}")
    assert ours < 5
    assert ours < 2 * simulated


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_noise_alone(noise):
    """A million counts: simulated within 1.5 times numpy's sampler and sum, released within 10 times."""
    added, counts, rng = count_noise(noise, PRIVACY), np.arange(float(MILLION)), reproducible(1)
    draw = rng.laplace if noise == "laplace" else rng.normal
    theirs = seconds(lambda: counts + draw(0.0, added.scale, counts.shape), repeats=5)
    simulated, released = (
        seconds(lambda rng=rng: added.added(counts, rng), repeats=5) for rng in (rng, secure())
    )
    print(
        f"\n{noise}: numpy {1e3 * theirs:.0f} ms; simulated {simulated / theirs:.2f} x, "
        f"released {released / theirs:.1f} x"
    )
    assert simulated < 1.5 * theirs
    assert released < 10 * theirs


@pytest.mark.parametrize(("n", "d", "k"), [(30_000, 2, 3), (MILLION, 2, 3), (MILLION, 8, 16)])
def test_rounds_of_lloyd_against_products_of_matrices(n, d, k):
    """Whole rounds against the products alone by which centers are usually compared, and the sums.

    Simulated and released within twice: with so many points noise takes hardly any time.
    """
    ready = Lloyd(k=k, rounds=5).prepare(points(n, d), PRIVACY)
    rng, values = reproducible(1), np.ascontiguousarray(ready.points)

    def usual():
        for _ in range(5):
            near = np.argmin((ready.first**2).sum(axis=1) - 2 * values @ ready.first.T, axis=1)
            [np.bincount(near, column, k) for column in values.T]

    theirs = seconds(usual, repeats=5)
    simulated, released = (seconds(lambda rng=rng: ready.draw(rng, 1), repeats=5) for rng in (rng, secure()))
    print(
        f"\nn = {n:,}, d = {d}, k = {k}: {1e3 * theirs:.2f} ms; simulated {simulated / theirs:.2f} x, "
        f"released {released / theirs:.2f} x"
    )
    assert max(simulated, released) < 2 * theirs


def test_answers_of_a_million_people():
    """An exact coin for each within 50 times numpy's own coins and other answers, and 1 s."""
    domain = CategoryDomain(["answer"], [["yes", "no", "none"]])
    data = Categories(np.random.default_rng(1).integers(0, 3, (MILLION, 1)), domain)
    ready, rng = RandomizedResponse().prepare(data, PRIVACY), reproducible(1)
    ours = seconds(lambda: ready.draw(secure(), 1), repeats=5)
    theirs = seconds(lambda: (rng.random(MILLION) < 0.5, rng.integers(0, 2, MILLION)), repeats=5)
    print(f"\n{1e3 * ours:.0f} ms; numpy {1e3 * theirs:.0f} ms; ratio {ours / theirs:.1f}")
    assert ours < min(1.0, 50 * theirs)


def test_a_tree_cut_by_exact_decisions():
    """A million points: at most 1.5 simulations."""
    ready = PrivTree().prepare(points(MILLION), PRIVACY)
    ours, simulated = (
        seconds(lambda make=make: ready.histogram(make())) for make in (secure, lambda: reproducible(1))
    )
    print(f"\nreleased {ours:.2f} s; simulated {simulated:.2f} s; ratio {ours / simulated:.2f}")
    assert ours < 1.5 * simulated
