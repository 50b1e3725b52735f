"""Public questions, and what a histogram answers."""

import numpy as np
import pytest

from engine.domain import Box
from engine.histograms.cubes import Cubes
from engine.histograms.grow_tree import grow_tree
from engine.histograms.ranges import Ranges

BOX = Box.of([-1, 10], [1, 50])
POINTS = np.random.default_rng(1).uniform(BOX.lower, BOX.upper, (3000, 2))


class TestRanges:
    def test_lie_in_the_box_and_are_always_the_same(self) -> None:
        one, other = Ranges.within(BOX), Ranges.within(BOX)
        assert (one.lower >= BOX.lower).all()
        assert (one.upper <= BOX.upper).all()
        assert (one.lower < one.upper).all()
        assert (one.lower == other.lower).all()

    def test_exact_counts(self) -> None:
        ranges = Ranges.within(BOX, 7)
        inside = (ranges.lower[:, None] <= POINTS) & (ranges.upper[:, None] >= POINTS)
        assert ranges.exact(POINTS).tolist() == inside.all(axis=2).sum(axis=1).tolist()

    def test_answers_are_exact_where_cells_are_points(self) -> None:
        tree = grow_tree(Cubes(BOX), POINTS, 2, 25)
        fine = grow_tree(Cubes(BOX), np.repeat(POINTS, 4, axis=0), 2, 25)  # all cells end at the depth
        ranges = Ranges.within(BOX)
        assert ranges.answers(fine) == pytest.approx(4 * ranges.exact(POINTS))
        assert np.abs(ranges.answers(tree) - ranges.exact(POINTS)).max() < 20

    @pytest.mark.parametrize("d", [1, 3, 8])
    def test_many_hold_neither_all_nor_nothing(self, d: int) -> None:
        ranges = Ranges.within(Box.of([0] * d, [1] * d))
        shares = np.prod(ranges.upper - ranges.lower, axis=1)
        assert 0.1 < np.median(shares) < 0.6
