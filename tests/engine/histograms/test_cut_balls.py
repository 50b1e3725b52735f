"""How often a random subdivision cuts a ball, and how much of a larger ball a smaller one is, in cells.

Chawla, Dwork, McSherry, Talwar 2005: Lemma 3.2 has O(d r/rho) for the first, with a constant that is
left open; Lemma 2.1 bounds the second.  Both are measured here with the program's own cells; what is
found stands on the pages about shifted cubes and Voronoi cells.
"""

import math

import numpy as np
import pytest

from engine.domain import Box
from engine.histograms.cubes import ShiftedCubes
from engine.histograms.voronoi_cells import Cell
from engine.histograms.voronoi_centers import Net, Random
from engine.histograms.voronoi_region import Region
from engine.randomness import reproducible


@pytest.mark.parametrize(("d", "level"), [(1, 2), (2, 2), (3, 3)])
def test_a_random_place_cuts_a_ball_with_twice_its_radius_by_the_step_on_each_axis(d, level):
    """Of 4,000 places, within 5.5 standard deviations; far from the faces, where no plane is left out."""
    box, step = Box.of([0] * d, [1] * d), 2.0 ** -(level + 1)
    x, r, rng = np.full(d, 0.5), step / 10, reproducible(3)
    cut = 0
    for _ in range(4000):
        scheme = ShiftedCubes.draw(box, rng)
        planes = [scheme.planes(level, axis) for axis in range(d)]
        cut += any(np.any(np.abs(planes[axis] - x[axis]) < r) for axis in range(d))
    chance = 1 - (1 - 2 * r / step) ** d
    assert abs(cut / 4000 - chance) <= 5.5 * math.sqrt(chance * (1 - chance) / 4000)
    assert chance <= 2 * d * r / step  # the lemma's constant is 2, for the side as the radius of the cell


def distance_to_side(centers, x):
    """Return how far x is from the nearest side of its Voronoi cell."""
    apart = ((centers - x) ** 2).sum(axis=1)
    own = int(apart.argmin())
    between = np.linalg.norm(centers - centers[own], axis=1)
    others = np.arange(len(centers)) != own
    return float(((apart - apart[own])[others] / (2 * between[others])).min())


@pytest.mark.parametrize("d", [2, 3])
def test_a_ball_leaves_its_cell_where_the_nearest_side_is_nearer_than_its_radius(d):
    rng = np.random.default_rng(5)
    centers = rng.uniform(-1, 1, (20, d))
    for x in rng.uniform(-0.5, 0.5, (40, d)):
        far = distance_to_side(centers, x)
        own = ((centers - x) ** 2).sum(axis=1).argmin()
        directions = rng.standard_normal((3000, d))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        for reach, leaves in ((0.98 * far, False), (1.3 * far, True)):
            on = x + reach * directions
            nearest = ((on[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
            assert np.any(nearest != own) == leaves


def in_ball(rng, size, d):
    """Return points evenly spread in the unit ball, shape (size, d)."""
    drawn = rng.standard_normal((size, d))
    return drawn * (rng.random(size) ** (1 / d) / np.linalg.norm(drawn, axis=1))[:, None]


@pytest.mark.parametrize(
    ("kind", "d", "draws", "found"),
    [(Net(), 2, 20, 6.1), (Net(), 3, 8, 5.5), (Random(50), 2, 20, 6.7), (Random(), 2, 12, 22.0)],
    ids=["net-2", "net-3", "random-50", "random-512"],
)
def test_the_constant_of_the_lemma_for_voronoi_cells(kind, d, draws, found):
    """Shares of cut balls of radius r, by d r: what stands on the pages, within a quarter.

    Of `draws` sets of centers with 300 points each; seeds are fixed, and others gave the same within a tenth.
    """
    whole = Cell.whole(Region(Box.of([-1.0] * d, [1.0] * d), is_ball=True))
    rng, r = np.random.default_rng(1), 0.01
    distances = np.array(
        [
            distance_to_side(centers, x)
            for centers in (kind.choose(whole, rng) for _ in range(draws))
            for x in in_ball(rng, 300, d)
        ]
    )
    assert np.mean(distances < r) / (d * r) == pytest.approx(found, rel=0.25)


def test_how_much_of_a_larger_ball_a_smaller_one_is_in_cells_of_a_net():
    """Lemma 2.1 prints 1 in the plane; what is found is below what its proof ends with."""
    d, k, rng = 2, 2.0, np.random.default_rng(2)
    centers = Net().choose(Cell.whole(Region(Box.of([-1.0] * d, [1.0] * d), is_ball=True)), rng)
    times = max(2 * k, 2 * math.sqrt(2))
    r = 0.9 * 0.25 / (k * times)
    ratios = []
    for center in centers[rng.integers(len(centers), size=60)]:
        q = center + rng.uniform(-0.1, 0.1, d)
        own = ((centers - q) ** 2).sum(axis=1).argmin()

        def inside(radius, q=q, own=own):
            points = q + radius * in_ball(rng, 2000, d)
            nearest = ((points[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
            return np.mean(nearest == own) * radius**d

        ratios.append(inside(r) / inside(times * r))
    assert times**-d * 0.9 < min(ratios)
    assert max(ratios) < 0.25
    assert max(ratios) < math.sqrt(math.pi) * d * 2 ** (-d / 2)
