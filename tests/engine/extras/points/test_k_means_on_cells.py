"""k-means on cells: all that it sees of the data is a private histogram."""

import itertools
import math
import sys

import numpy as np
import pytest

from engine import KMeansOnCells
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.weighted_k_means import centers_of
from engine.privacy import Privacy
from engine.progress import silent
from engine.randomness import reproducible, secure

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
CENTERS = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])


def blobs(n):
    rng = np.random.default_rng(n)
    return Points(CENTERS[rng.integers(0, 3, n)] + 0.03 * rng.standard_normal((n, 2)), SQUARE)


class FixedCounts:
    """In the place of noise: counts that were drawn before, whatever the true ones are."""

    def __init__(self):
        self.noisy = ()

    def added(self, counts, rng, progress=silent):
        return np.array(self.noisy, dtype=np.float64)

    def intervals(self, noisy, released, most):
        return None


def outputs_of_two_cells(mechanism, most):
    """Return the released centers for every pair of noisy counts up to `most` on either side of 0."""
    data, fixed = Points([[0.1], [0.1], [0.9]], LINE), FixedCounts()
    ready = mechanism.prepare(data, Privacy(1.0))
    assert len(ready.sanitizer.counts) == 2
    ready.sanitizer.added = fixed
    found = {}
    for fixed.noisy in itertools.product(range(-most, most + 1), repeat=2):
        found[fixed.noisy] = tuple(ready.draw(reproducible(1), 1)[0].tolist())
    return found


@pytest.mark.parametrize("k", [1, 2])
def test_the_law_of_centers_on_two_cells_keeps_epsilon(k):
    """Every pair of noisy counts and its probability, by the integral of the Laplace density."""
    epsilon, most = 1.0, 10
    mechanism = KMeansOnCells(k=k, partition="grid", starts=1)
    outputs = outputs_of_two_cells(mechanism, most)

    def below(x):
        return 0.5 * math.exp(x * epsilon / 2) if x < 0 else 1 - 0.5 * math.exp(-x * epsilon / 2)

    def law(count):
        return {j: below(j + 0.5 - count) - below(j - 0.5 - count) for j in range(-most, most + 1)}

    def laws(left):
        first, second, total = law(left), law(3 - left), {}
        for (low, high), output in outputs.items():
            total[output] = total.get(output, 0.0) + first[low] * second[high]
        return total

    losses = []
    for left in range(3):
        one, other = laws(left), laws(left + 1)
        losses += [abs(math.log(one[output] / other[output])) for output in one]
    assert max(losses) <= epsilon + 1e-9
    assert max(losses) > 0.6 * epsilon  # much of it, though several counts give the same answer


@pytest.mark.parametrize("cells", ["privtree", "grid"])
def test_centers_follow_from_the_released_histogram_and_public_numbers_alone(cells):
    data, privacy, mechanism = blobs(3000), Privacy(1.0), KMeansOnCells(partition=cells)
    drawn = mechanism.prepare(data, privacy).draw(reproducible(5), 2)
    inner = mechanism.histogram(SQUARE, 3000, privacy).prepare(data, privacy)
    rng = reproducible(5)
    for row in drawn:
        centers = centers_of(inner.histogram(rng), 3, mechanism.starts, reproducible(mechanism.pattern))
        assert row.reshape(3, 2) == pytest.approx(centers, abs=1e-9)


def test_the_whole_budget_is_that_of_the_histogram():
    privacy = Privacy(0.7)
    for cells, family in (("privtree", "privtree"), ("grid", "histogram-noisy")):
        histogram = KMeansOnCells(partition=cells).histogram(SQUARE, 1000, privacy)
        assert histogram.name == family
        assert (
            histogram.guarantee.cost(privacy)
            == KMeansOnCells(partition=cells).guarantee.cost(Privacy(0.7, 1e-6))
            == privacy
        )


def test_a_grid_has_the_cells_of_its_public_rule():
    bins = {
        (d, n): KMeansOnCells(partition="grid").histogram(Box.of([0] * d, [1] * d), n, Privacy(0.5)).bins
        for d in (1, 2, 4)
        for n in (1, 20_000)
    }
    assert bins[2, 20_000] == 10  # 20,000/200 cells of the square
    assert bins[4, 20_000] == round(100 ** (1 / 3))
    assert [bins[d, 1] for d in (1, 2, 4)] == [2, 2, 2]
    for epsilon in (100.0, sys.float_info.max):
        most = (
            KMeansOnCells(partition="grid").histogram(Box.of([0] * 6, [1] * 6), 10**12, Privacy(epsilon)).bins
        )
        assert most**6 <= 2**20 < (most + 1) ** 6


@pytest.mark.parametrize("cells", ["privtree", "grid"])
def test_centers_are_found(cells):
    data, mechanism = blobs(10_000), KMeansOnCells(partition=cells)
    drawn = mechanism.prepare(data, Privacy(1.0)).draw(reproducible(1), 20)
    assert mechanism.vectors.space(SQUARE).distances(drawn, CENTERS.reshape(1, -1)).max() < 0.02


@pytest.mark.parametrize("cells", ["privtree", "grid"])
@pytest.mark.parametrize("bounds", [([0.1, -7.3], [0.7, 1e6]), ([-1e150, 0], [1e150, 1e-3])])
def test_releases_lie_on_a_public_grid(bounds, cells):
    box = Box.of(*bounds)
    points = Points(np.random.default_rng(87).uniform(0, 1, (200, 2)) * box.width + box.lower, box)
    mechanism = KMeansOnCells(partition=cells)
    steps = mechanism.step(box, 200, Privacy(1.0))
    for epsilon in (1e-6, 1.0, 100.0):
        drawn = mechanism.prepare(points, Privacy(epsilon)).draw(secure(), 2)
        for axis, step in enumerate(steps):
            numbers = drawn[:, axis::2]
            assert np.array_equal(np.rint(numbers / step) * step, numbers)
            assert np.all((numbers >= box.lower[axis]) & (numbers <= box.upper[axis]))


def test_what_makes_no_sense_is_refused():
    def fields(mechanism, epsilon, box, n):
        return [problem.field for problem in mechanism.problems(Privacy(epsilon), box, n)]

    assert fields(KMeansOnCells(k=9), 1.0, SQUARE, 8) == ["k"]
    assert fields(KMeansOnCells(), 3e-9, SQUARE, 100) == ["epsilon"]
    assert fields(KMeansOnCells(), 3.4e-9, SQUARE, 100) == []
    assert fields(KMeansOnCells(partition="grid"), 1e-10, SQUARE, 100) == ["epsilon"]
    assert fields(KMeansOnCells(), 1.0, Box.of([0] * 13, [1] * 13), 100) == ["columns"]
