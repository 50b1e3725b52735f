"""What follows from cells alone: distances, shares, points drawn from them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain import Box
from engine.histograms.cubes import Cubes, ShiftedCubes
from engine.histograms.grow_tree import grow_tree
from engine.histograms.histogram import BoxHistogram


def boxes(*corners: tuple[tuple[float, ...], tuple[float, ...]]) -> BoxHistogram:
    lower, upper = (np.array(side, dtype=float) for side in zip(*corners, strict=True))
    return BoxHistogram(lower, upper, np.arange(1.0, len(lower) + 1), np.zeros(len(lower), dtype=int))


FOUR = boxes(((0, 0), (1, 1)), ((1, 0), (2, 1)), ((0, 1), (1, 2)), ((1, 1), (2, 2)))


class TestDistances:
    @settings(deadline=None, max_examples=50)
    @given(st.integers(1, 4), st.integers(1, 50), st.integers(0, 2**32), st.booleans())
    def test_inequality_2(self, d: int, n: int, seed: int, shifted: bool) -> None:
        """|x - y| <= d_H(x, y) <= |x - y| + Delta_x + Delta_y (Chawla et al. 2005, inequality 2)."""
        rng = np.random.default_rng(seed)
        box, points = Box.of([0] * d, [1] * d), rng.random((n, d)) ** rng.integers(1, 5)
        scheme = ShiftedCubes.draw(box, rng) if shifted else Cubes(box)
        tree = grow_tree(scheme, points, 2, 10)
        places = tree.places(points)
        d_h = tree.between(places[:, None], places[None, :])
        distances = np.linalg.norm(points[:, None] - points[None, :], axis=2)
        spread = tree.diameters[places]
        assert (distances <= d_h * (1 + 1e-12)).all()
        assert (d_h <= (distances + spread[:, None] + spread[None, :]) * (1 + 1e-12)).all()

    def test_farthest_corners(self) -> None:
        corners = [
            np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(2, -1).T
            for low, high in zip(FOUR.lower, FOUR.upper, strict=True)
        ]
        for i, one in enumerate(corners):
            expected = [np.linalg.norm(one[:, None] - other[None], axis=2).max() for other in corners]
            assert FOUR.farthest(i) == pytest.approx(expected)

    def test_a_cell_and_itself(self) -> None:
        assert FOUR.between(1, 1) == FOUR.diameters[1] == pytest.approx(np.sqrt(2))


class TestShares:
    def test_of_boxes(self) -> None:
        shares = FOUR.shares([[0, 0], [0.5, 0.5]], [[2, 1], [1.5, 3]])
        assert shares.tolist() == [[1, 1, 0, 0], [0.25, 0.25, 0.5, 0.5]]

    def test_sides_without_length_are_in_or_out(self) -> None:
        flat = boxes(((0, 1), (2, 1)), ((0, 3), (2, 3)))
        assert flat.shares([[1, 0]], [[4, 2]]).tolist() == [[0.5, 0]]

    def test_of_cells_so_small_that_rounding_leaves_nothing_of_them(self) -> None:
        tree = grow_tree(Cubes(Box.of([1e9], [1e9 + 1])), np.full((50, 1), 1e9 + 1), 2)
        assert tree.upper[-1] == tree.lower[-1]
        assert tree.estimates([[1e9], [1e9 + 0.5]], [[1e9 + 0.5], [1e9 + 1]]).tolist() == [0, 50]

    def test_add_up_to_the_volume(self) -> None:
        rng = np.random.default_rng(1)
        tree = grow_tree(Cubes(Box.of([0, 0], [1, 1])), rng.random((500, 2)), 5)
        volumes = np.prod(tree.upper - tree.lower, axis=1)
        holes = np.prod(tree.empty.upper - tree.empty.lower, axis=1)
        low, high = np.array([[0.2, 0.3]]), np.array([[0.9, 0.45]])
        total = tree.shares(low, high) @ volumes + tree.empty.shares(low, high) @ holes
        assert total == pytest.approx(0.7 * 0.15)


class TestSampled:
    def test_points_lie_in_their_cells(self) -> None:
        points = FOUR.sampled(np.random.default_rng(1), [3, 0, 2, 4])
        assert FOUR.places(points).tolist() == [0, 0, 0, 2, 2, 3, 3, 3, 3]

    def test_points_are_spread_evenly(self) -> None:
        points = FOUR.sampled(np.random.default_rng(1), [0, 4000, 0, 0])
        share = np.mean(points[:, 0] < 1.25)
        assert abs(share - 0.25) < 5 * np.sqrt(0.25 * 0.75 / 4000)  # false alarm 6e-7


class TestPlaces:
    def test_lower_faces_count_and_the_last_upper_ones(self) -> None:
        assert FOUR.places([[1, 0], [1, 1], [2, 2], [0, 1], [3, 0]]).tolist() == [1, 3, 3, 2, -1]


class TestValue:
    def test_comes_back(self) -> None:
        back = BoxHistogram.of(FOUR.value())
        for name in ("lower", "upper", "counts", "level"):
            assert (getattr(back, name) == getattr(FOUR, name)).all()

    def test_names(self) -> None:
        assert FOUR.value()["cells"][0] == {"lower": [0, 0], "upper": [1, 1], "count": 1, "level": 0}

    def test_occupied(self) -> None:
        assert FOUR.chosen([0, 2]).occupied.counts.tolist() == [1, 3]
