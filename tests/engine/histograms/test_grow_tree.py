"""Which cells are cut, and what they hold, against the definition."""

import bisect
import dataclasses
import functools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import BITS, Cubes, Scheme, ShiftedCubes
from engine.histograms.grow_tree import grow_tree
from engine.histograms.histogram import BoxHistogram
from engine.histograms.tree import Tree, tree_from_cells, tree_from_release
from engine.progress import Cancelled

shifts = st.one_of(st.integers(0, 2**BITS - 1), st.sampled_from([0, 2**BITS // 2, 2**BITS // 4, 1]))
coordinates = st.one_of(
    st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, 0.25, 0.75, np.nextafter(0.5, 0), np.nextafter(0.5, 1)])
)


def unit(d: int) -> Box:
    return Box.of([0] * d, [1] * d)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Scheme, np.ndarray, int, int]:
    d = draw(st.integers(1, 4))
    points = draw(st.lists(st.tuples(*[coordinates] * d), min_size=1, max_size=40))
    if draw(st.booleans()):
        scheme: Scheme = Cubes(unit(d))
    else:
        scheme = ShiftedCubes(unit(d), tuple(draw(st.lists(shifts, min_size=d, max_size=d))))
    return scheme, np.array(points), draw(st.integers(2, 4)), draw(st.integers(0, 6))


def grown_by_hand(scheme: Scheme, points: np.ndarray, t: int, depth: int) -> dict:
    """Return cells (level and bounds) with what they hold, by comparing points with planes."""

    @functools.cache
    def planes_of(level: int, axis: int) -> list:
        planes = [float(plane) for plane in scheme.planes(level, axis)]
        assert planes == sorted(planes)
        return planes

    def cell(point: np.ndarray, level: int) -> tuple:
        sides = []
        for axis, x in enumerate(point):
            planes = planes_of(level, axis)
            place = min(bisect.bisect_right(planes, x, 1) - 1, len(planes) - 2)
            sides.append((planes[place], planes[place + 1]))
        return tuple(sides)

    found: dict = {}

    def go(here: list[np.ndarray], level: int) -> None:
        if (level > 0 and len(here) < 2 * t) or level == depth:
            found[level, cell(here[0], level)] = len(here)
            return
        groups: dict = {}
        for point in here:
            groups.setdefault(cell(point, level + 1), []).append(point)
        for group in groups.values():
            go(group, level + 1)

    go(list(points), 0)
    return found


def cells(tree: BoxHistogram) -> dict:
    rows = zip(tree.level, tree.lower, tree.upper, tree.counts, strict=True)
    return {(int(level), tuple(zip(low, high, strict=True))): count for level, low, high, count in rows}


class TestGrow:
    @settings(deadline=None, max_examples=50)
    @given(cases())
    def test_cells_and_counts_are_those_of_the_definition(self, case: tuple) -> None:
        scheme, points, t, depth = case
        tree = grow_tree(scheme, points, t, depth)
        assert cells(tree) == grown_by_hand(scheme, points, t, depth)
        assert tree.counts.sum() == len(points)

    @settings(deadline=None, max_examples=50)
    @given(cases())
    def test_each_point_is_in_the_cell_that_counts_it(self, case: tuple) -> None:
        scheme, points, t, depth = case
        tree = grow_tree(scheme, points, t, depth)
        places = tree.places(points)
        assert np.bincount(places, minlength=tree.size).tolist() == tree.counts.tolist()
        assert (points >= tree.lower[places]).all()
        assert (points <= tree.upper[places]).all()

    @settings(deadline=None, max_examples=50)
    @given(cases(), st.lists(st.floats(0, 1), min_size=4, max_size=4))
    def test_occupied_and_empty_cells_tile_the_box(self, case: tuple, corner: list[float]) -> None:
        scheme, points, t, depth = case
        tree = grow_tree(scheme, points, t, depth)
        every = [(tree.lower, tree.upper), (tree.empty.lower, tree.empty.upper)]
        volume = sum(np.prod(high - low, axis=1).sum() for low, high in every)
        assert volume == pytest.approx(1, abs=1e-9)
        point = np.array(corner[: scheme.dimension])
        inside = sum(
            ((low <= point) & ((point < high) | ((high == 1) & (point == 1)))).all(axis=1).sum()
            for low, high in every
        )
        assert inside == 1

    @settings(deadline=None, max_examples=50)
    @given(cases(), st.integers(0, 6))
    def test_earlier_levels_are_what_a_smaller_depth_gives(self, case: tuple, level: int) -> None:
        scheme, points, t, depth = case
        tree = grow_tree(scheme, points, t, depth)
        assert cells(tree.at_level(level)) == cells(grow_tree(scheme, points, t, min(depth, level)))

    @pytest.mark.parametrize("scheme", [Cubes(unit(2)), ShiftedCubes(unit(2), (2**29 + 12345, 2**20 + 7))])
    def test_many_points_as_few(self, scheme: Scheme) -> None:
        """Both ways of counting: at once where there are many points, by sorting where there are few."""
        rng = np.random.default_rng(3)
        points = np.concatenate([rng.random((4000, 2)), 0.3 + 1e-4 * rng.random((300, 2))])
        assert cells(grow_tree(scheme, points, 8, 12)) == grown_by_hand(scheme, points, 8, 12)

    def test_the_rule_is_at_least_2t(self) -> None:
        for count, cut in ((3, False), (4, True)):
            points = np.repeat([[0.1, 0.1], [0.9, 0.9]], [count, 1], axis=0)
            tree = grow_tree(Cubes(unit(2)), points, 2, 5)
            assert (tree.deepest > 1) == cut

    def test_equal_points_end_at_the_depth(self) -> None:
        tree = grow_tree(Cubes(unit(3)), np.full((1000, 3), 0.3), 5, 29)
        assert (tree.size, tree.deepest, tree.counts.tolist()) == (1, 29, [1000])

    def test_one_point_is_cut_once(self) -> None:
        tree = grow_tree(Cubes(unit(2)), [[0.7, 0.2]], 5)
        assert (tree.lower.tolist(), tree.upper.tolist()) == ([[0.5, 0]], [[1, 0.5]])

    def test_twelve_dimensions_stay_sparse(self) -> None:
        points = np.random.default_rng(5).random((5000, 12))
        tree = grow_tree(ShiftedCubes(unit(12), (2**29,) * 12), points, 5, 20)
        assert tree.size <= 5000
        assert tree.counts.sum() == 5000

    def test_cancel(self) -> None:
        def stop(done: float, message: str = "") -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            grow_tree(Cubes(unit(2)), np.random.default_rng(1).random((100, 2)), 5, progress=stop)


class TestTree:
    def test_all_children_of_a_cut_cell_are_there_or_empty(self) -> None:
        points = np.random.default_rng(7).random((500, 2)) ** 3
        tree = grow_tree(Cubes(unit(2)), points, 5)
        levels = Counter(tree.level.tolist()) + Counter(tree.empty.level.tolist())
        cut = Counter({number + 1: int(level.cut.sum()) for number, level in enumerate(tree.levels)})
        inner = Counter({number: int(level.cut.sum()) for number, level in enumerate(tree.levels) if number})
        assert levels + inner == Counter({number: 4 * count for number, count in cut.items()})

    def test_places_outside_the_cells_that_hold_points(self) -> None:
        tree: Tree = grow_tree(Cubes(unit(1)), [[0.1]], 5)
        assert tree.places([[0.9], [0.2]]).tolist() == [-1, 0]

    def test_a_release_says_where_the_cells_began(self) -> None:
        points = np.random.default_rng(7).random((500, 2))
        value = grow_tree(ShiftedCubes(unit(2), (2**28, 3 * 2**28)), points, 5).value()
        assert value["shift"] == [0.25, 0.75]
        assert set(grow_tree(Cubes(unit(2)), points, 5).value()) == {"cells"}


class TestRebuilt:
    @given(cases())
    @settings(max_examples=25, deadline=None)
    def test_what_was_cut_follows_from_the_cells(self, case: tuple[Scheme, np.ndarray, int, int]) -> None:
        scheme, points, t, depth = case
        tree = grow_tree(scheme, points, t, depth)
        again = tree_from_release(scheme.box, tree.value())
        assert (type(again.scheme), again.scheme.facts) == (type(scheme), scheme.facts)
        assert len(again.levels) == tree.deepest + 1  # without levels that hold nothing
        for level in range(tree.deepest + 1):
            for one, other in ((tree, again), (tree.at_level(level), again.at_level(level))):
                assert _cells(one) == _cells(other)
            assert _cells(tree.at_level(level).empty) == _cells(again.at_level(level).empty)
        assert again.places(points).min() >= 0

    def test_other_bounds_than_the_unit_cube_and_noisy_counts(self) -> None:
        box = Box.of([-1e6 - 0.1, 3.0], [2e6 / 3, 3.0 + 1e-6])
        points = box.lower + np.random.default_rng(1).random((400, 2)) ** 3 * box.width
        tree = grow_tree(ShiftedCubes(box, (3**18, 5**12)), points, 2)
        noisy = BoxHistogram(tree.lower, tree.upper, tree.counts - 3.25, tree.level)
        again = tree_from_cells(tree.scheme, noisy)
        assert _cells(again) == _cells(noisy)
        assert again.at_level(0).counts.tolist() == [noisy.counts.sum()]

    def test_whatever_is_no_tree_of_these_cubes_is_refused(self) -> None:
        halves = BoxHistogram(
            np.array([[0.0], [0.5]]), np.array([[0.5], [1.0]]), np.ones(2), np.array([1, 1], dtype=np.int64)
        )
        assert _cells(tree_from_cells(Cubes(unit(1)), halves)) == _cells(halves)
        with pytest.raises(ParameterError, match="not cells of level 1"):
            tree_from_cells(ShiftedCubes(unit(1), (2**27,)), halves)
        with pytest.raises(ParameterError, match="not cells of level 2"):
            tree_from_cells(Cubes(unit(1)), dataclasses.replace(halves, level=np.array([1, 2])))
        nested = BoxHistogram(
            np.array([[0.0], [0.25]]), np.array([[0.5], [0.5]]), np.ones(2), np.array([1, 2], dtype=np.int64)
        )
        with pytest.raises(ParameterError, match="some contain others"):
            tree_from_cells(Cubes(unit(1)), nested)


def _cells(histogram: BoxHistogram) -> list[tuple[object, ...]]:
    """Return cells in an order of their own."""
    columns = histogram.level, histogram.lower, histogram.upper, histogram.counts
    return sorted(
        (level, tuple(low), tuple(high), count)
        for level, low, high, count in zip(*(column.tolist() for column in columns), strict=True)
    )
