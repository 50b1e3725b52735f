"""The ball as a cube: the map and its constants, and histograms carried over."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.domain import Box
from engine.histograms.cubes import Cubes, ShiftedCubes
from engine.histograms.embedding import EmbeddedHistogram, Embedding, preimages
from engine.histograms.grow_tree import grow_tree

# the box whose ball is the unit ball
DIMENSIONS = [1, 2, 3, 6]


def unit(d: int) -> Embedding:
    return Embedding(Box.of([-(d**-0.5)] * d, [d**-0.5] * d))


def in_ball(d: int, n: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True) * rng.random((n, 1)) ** (1 / d)


@pytest.mark.parametrize("d", DIMENSIONS)
class TestMap:
    def test_there_and_back(self, d: int) -> None:
        points = np.concatenate([in_ball(d, 500), np.zeros((1, d)), np.eye(d)])
        assert unit(d).to_ball(unit(d).to_cube(points)) == pytest.approx(points, abs=1e-12)
        cube = np.random.default_rng(2).random((500, d))
        assert unit(d).to_cube(unit(d).to_ball(cube)) == pytest.approx(cube, abs=1e-12)

    def test_sphere_becomes_surface(self, d: int) -> None:
        points = in_ball(d, 100)
        surface = unit(d).to_cube(points / np.linalg.norm(points, axis=1, keepdims=True))
        assert np.abs(2 * surface - 1).max(axis=1) == pytest.approx(np.ones(100))

    def test_lengths(self, d: int) -> None:
        """|f^-1 y - f^-1 y'| <= 2/sqrt(3) |y - y'|, and |f x - f x'|_inf <= 2 sqrt(d) |x - x'|."""
        rng = np.random.default_rng(3)
        embedding = unit(d)
        one = rng.random((20000, d))
        for size in (1e-6, 0.1, 1):
            other = np.clip(one + size * rng.normal(size=one.shape), 0, 1)
            ball = np.linalg.norm(embedding.to_ball(one) - embedding.to_ball(other), axis=1)
            cube = np.linalg.norm(one - other, axis=1)
            assert (ball <= embedding.stretch * cube * (1 + 1e-8) + 1e-14).all()
            largest = 2 * np.abs(one - other).max(axis=1)
            assert (largest <= d**0.5 * (1 + (1 - 1 / d) ** 0.5) * ball + 1e-9).all()

    def test_derivative(self, d: int) -> None:
        """The largest singular value is that of the formula."""
        for y in np.random.default_rng(4).uniform(-1, 1, (20, d)):
            step = 1e-6
            columns = [
                (unit(d).to_ball((1 + y + e) / 2) - unit(d).to_ball((1 + y - e) / 2)) / (2 * step)
                for e in step * np.eye(d)
            ]
            g2 = np.abs(y).max() ** 2 / (y @ y)
            sigma = ((1 + g2 + np.sqrt((1 - g2) * (1 + 3 * g2))) / 2) ** 0.5
            assert np.linalg.svd(np.array(columns))[1].max() == pytest.approx(sigma, rel=1e-6)


def test_stretch_is_reached() -> None:
    """At g^2 = 2/3; g^2 = 1/3 gives only 1.115."""
    g2 = np.linspace(0, 1, 300001)
    sigma = np.sqrt((1 + g2 + np.sqrt((1 - g2) * (1 + 3 * g2))) / 2)
    assert g2[sigma.argmax()] == pytest.approx(2 / 3, abs=1e-5)
    assert sigma.max() == pytest.approx(2 / 3**0.5)
    assert sigma[100000] == pytest.approx(1.1153, abs=1e-4)
    assert unit(2).stretch / 2 == pytest.approx(sigma.max())
    assert unit(1).stretch == 2


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_boxes_around_preimages(d: int) -> None:
    rng = np.random.default_rng(d)
    ends = np.sort(rng.uniform(-1, 1, (30, 2, d)), axis=1)
    ends[:5] = np.sort(rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], (5, 2, d)), axis=1)
    lower, upper = preimages(ends[:, 0], ends[:, 1])
    for (low, high), below, above in zip(ends, lower, upper, strict=True):
        y = low + rng.random((20000, d)) * (high - low)
        levels = [np.linspace(a, b, 9) for a, b in zip(low, high, strict=True)]
        y = np.concatenate([y, np.array(list(itertools.product(*levels)))]) if d < 4 else y
        longest = np.abs(y).max(axis=1, keepdims=True)
        x = y * longest / np.maximum(np.linalg.norm(y, axis=1, keepdims=True), 1e-300)
        assert (x >= below - 1e-12).all()
        assert (x <= above + 1e-12).all()
        if d <= 3:  # and they are the smallest ones
            assert x.min(axis=0) == pytest.approx(below, abs=0.05)
            assert x.max(axis=0) == pytest.approx(above, abs=0.05)


def made(d: int, shifted: bool = False) -> tuple[EmbeddedHistogram, np.ndarray]:
    embedding = Embedding(Box.of([-1] * d, [3] * d))
    points = np.clip(np.random.default_rng(d).normal(0.5, 1, (400, d)), -1, 3)
    points[:20] = 3
    rng = np.random.default_rng(1)
    scheme = ShiftedCubes.draw(embedding.cube, rng) if shifted else Cubes(embedding.cube)
    return EmbeddedHistogram.of(grow_tree(scheme, embedding.to_cube(points), 10, 6), embedding), points


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("d", [1, 2, 3])
class TestHistogram:
    def test_every_point_is_counted_where_it_is(self, d: int, shifted: bool) -> None:
        histogram, points = made(d, shifted)
        places = histogram.places(points)
        assert (np.bincount(places, minlength=histogram.size) == histogram.counts).all()
        assert ((points >= histogram.lower[places]) & (points <= histogram.upper[places])).all()
        away = np.linalg.norm(points - histogram.centers[places], axis=1)
        assert (away <= histogram.radii[places]).all()
        assert (histogram.places(histogram.centers) == np.arange(histogram.size)).all()
        assert histogram.places([[9.0] * d]).tolist() == [-1]

    def test_distances_of_points_and_cells(self, d: int, shifted: bool) -> None:
        histogram, points = made(d, shifted)
        one, other = np.random.default_rng(2).integers(len(points), size=(2, 3000))
        apart = np.linalg.norm(points[one] - points[other], axis=1)
        places = histogram.places(points)
        between = histogram.between(places[one], places[other])
        diameters = histogram.diameters[places]
        assert (apart <= between).all()
        assert (between <= apart + diameters[one] + diameters[other] + 1e-12).all()

    def test_levels_and_samples(self, d: int, shifted: bool) -> None:
        histogram, points = made(d, shifted)
        above = histogram.at_level(3)
        assert above.counts.sum() == len(points)
        assert (above.places(points) >= 0).all()
        sizes = np.where(histogram.counts > 9, 5, 0)
        sample = histogram.sampled(np.random.default_rng(0), sizes)
        assert (histogram.places(sample) == np.repeat(np.arange(histogram.size), sizes)).all()


def test_samples_are_even_within_the_bounds() -> None:
    """The whole ball has the same sample as the box in it; in the cube it would crowd at the corners."""
    histogram, _ = made(3)
    whole = histogram.at_level(0)
    points = whole.sampled(np.random.default_rng(0), [4000])
    assert (np.abs(points - 1) <= 2).all()
    near = np.abs(points - 1).max(axis=1) < 2 * 0.5 ** (1 / 3)
    assert abs(near.mean() - 0.5) < 5 * 0.5 / 4000**0.5  # false alarm 6e-7
    assert whole.shares([[-1, -1, -1]], [[3, 3, 3]]) == pytest.approx(1)


def test_chosen_cells_and_value() -> None:
    histogram, _ = made(2)
    some = histogram.chosen(histogram.counts > 5)
    assert (some.counts > 5).all()
    assert (some.centers == histogram.centers[histogram.counts > 5]).all()
    assert set(some.value()["cells"][0]) == {"lower", "upper", "count", "level", "center", "radius"}
