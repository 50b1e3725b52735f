"""Several levels at once are the levels one after the other."""

import numpy as np
import pytest

from engine.domain import Box
from engine.histograms.cubes import Cubes, ShiftedCubes
from engine.histograms.grow_tree import grow_tree
from engine.histograms.point_descent import PointDescent
from engine.randomness import reproducible

N = 600


def places(kind, d):
    rng = np.random.default_rng(d)
    some = rng.random((N, d))
    return {
        "uniform": some,
        "log-scale": 10.0 ** (-9 * some),
        "few places": rng.random((7, d))[rng.integers(0, 7, N)],
        "all equal": np.full((N, d), 0.3),
        "at the end": np.ones((N, d)),
        "two corners": np.where(some[:, :1] < 0.5, 0.0, 1.0) * np.ones(d),
    }[kind]


def one_by_one(scheme, fine, t, max_depth):
    """Cut level by level, from the whole box on: index, counts, parent and cut of each."""
    descent, cut = PointDescent(scheme, fine), np.array([max_depth > 0])
    levels = [(descent.index, descent.counts, descent.parent, cut)]
    while cut.any():
        descent.split(cut)
        cut = (descent.counts >= 2 * t) & (descent.level < max_depth)
        levels.append((descent.index, descent.counts, descent.parent, cut))
    return levels


def sorted_levels(levels):
    """Name each cell by its index, and its parent by the parent's index: cells may be in any order."""
    found, before = [], np.zeros((1, levels[0][0].shape[1]), dtype=np.int64)
    for index, counts, parent, cut in levels:
        rows = np.column_stack([index, before[parent], counts, cut])
        found.append(rows[np.lexsort(rows.T)])
        before = index
    return found


@pytest.mark.parametrize(
    "kind", ["uniform", "log-scale", "few places", "all equal", "at the end", "two corners"]
)
@pytest.mark.parametrize(("d", "max_depth"), [(1, 20), (2, 20), (2, 29), (2, 1), (3, 6)])
def test_levels_are_those_of_single_cuts(kind, d, max_depth):
    box = Box.of([0.0] * d, [1.0] * d)
    for seed, scheme in enumerate([Cubes(box), *(ShiftedCubes.draw(box, reproducible(s)) for s in (1, 2))]):
        points = places(kind, d)
        tree = grow_tree(scheme, points, 2 + seed, max_depth)
        ours = [(level.index, level.counts, level.parent, level.cut) for level in tree.levels]
        theirs = one_by_one(scheme, scheme.fine(points), 2 + seed, max_depth)
        assert len(ours) == len(theirs)
        for found, expected in zip(sorted_levels(ours), sorted_levels(theirs), strict=True):
            np.testing.assert_array_equal(found, expected)
