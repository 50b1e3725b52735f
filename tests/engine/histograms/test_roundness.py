"""How round Voronoi cells are, against balls found by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from roundness import roundness

from engine.domain import Box
from engine.histograms.voronoi import VoronoiTree, grow_voronoi
from engine.histograms.voronoi_centers import Net, Random
from engine.histograms.voronoi_region import Region


def tree(d: int, is_ball: bool, is_net: bool = True, high: float = 1.0) -> VoronoiTree:
    region = Region(Box.of([0] * d, [high] + [1] * (d - 1)), is_ball)
    points = np.random.default_rng(1).random((200, d))
    return grow_voronoi(points, region, Net() if is_net else Random(20), 20, 1, np.random.default_rng(2)).tree


@pytest.mark.parametrize("d", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_regions(d: int) -> None:
    assert roundness(tree(d, True))[0].k == pytest.approx([1], abs=1e-6)
    long = roundness(tree(d, False, high=4.0))[0]
    half = 2.0 if d == 1 else 0.5
    assert long.inner == pytest.approx([half], rel=1e-6)
    assert long.outer == pytest.approx([np.hypot(2, 0.5 * (d - 1) ** 0.5)], rel=1e-6)


@pytest.mark.parametrize("is_ball", [False, True])
@pytest.mark.parametrize("is_net", [False, True])
def test_balls_within_and_around(is_ball: bool, is_net: bool) -> None:
    """The margin to other centers' cells, over a fine grid: no ball of the grid gives a smaller k."""
    made = tree(2, is_ball, is_net)
    cut = made.cuts[0]
    axis = np.linspace(-1, 1, 151)
    grid = np.stack([a.ravel() for a in np.meshgrid(axis, axis)], axis=1)
    grid = grid[made.region.inside(grid)]
    nearest = cut.index.query(grid)[1]
    found = roundness(made, sample=1000)[1]
    assert found.cells == len(cut.centers) == len(found.k)
    for which, (inner, outer) in enumerate(zip(found.inner, found.outer, strict=True)):
        own = grid[nearest == which]
        apart = np.delete(cut.centers, which, axis=0) - cut.centers[which]
        lengths = np.linalg.norm(apart, axis=1)
        walls = (lengths**2 / 2 - (own - cut.centers[which]) @ apart.T) / lengths
        largest = np.minimum(walls.min(axis=1), made.region.margins(own)).max()
        radius = made.region.radius
        assert inner / radius <= largest + 0.02
        assert outer / inner <= 2 * cut.bounds.radii[which] / largest
        # some point of the cell is this far from any center of a ball
        assert 2 * outer / radius >= np.linalg.norm(own[:, None] - own[None, ::5], axis=2).max() - 1e-9


def test_nets_are_rounder_than_random_centers() -> None:
    assert np.median(roundness(tree(2, True))[1].k) < np.median(roundness(tree(2, True, False))[1].k)
    assert roundness(tree(1, True))[1].constant < 4 * 1.2**2
