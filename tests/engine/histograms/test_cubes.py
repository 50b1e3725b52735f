"""Cells tile the box, are nested, and are never thin; planes are those of a direct construction."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain import Box
from engine.histograms.cubes import BITS, DEEPEST, Cubes, Scheme, ShiftedCubes

STEP = Fraction(1, 2**BITS)
shifts = st.one_of(
    st.integers(0, 2**BITS - 1),
    st.sampled_from([0, 1, 2**BITS // 2, 2**BITS - 1, 2**BITS // 4, 2**BITS // 3]),
)


def unit(d: int) -> Box:
    return Box.of([0] * d, [1] * d)


def parts(scheme: Scheme, level: int, axis: int = 0) -> list[tuple[float, float]]:
    planes = scheme.planes(level, axis)
    return list(itertools.pairwise(planes))


def disband_one_by_one(shift: int, level: int) -> list[Fraction]:
    """Build the inflated interval, cut it, disband the parts that meet a face, let their neighbours grow."""
    u, s = shift * STEP, Fraction(1, 2 ** (level + 1))
    planes = [u + k * s for k in range(-(2 ** (level + 1)), 2 ** (level + 1) + 1)]
    cells = [[low, high] for low, high in itertools.pairwise(planes) if low < 1 and high > 0]
    inner = [cell for cell in cells if cell[0] > 0 and cell[1] < 1]
    if not inner:
        return [Fraction(0), Fraction(1)]
    inner[0][0], inner[-1][1] = Fraction(0), Fraction(1)
    return [inner[0][0], *(cell[1] for cell in inner)]


class TestShiftedCubes:
    @pytest.mark.slow
    @given(shifts, st.integers(1, 9))
    def test_planes_are_those_of_disbanding_one_by_one(self, shift: int, level: int) -> None:
        scheme = ShiftedCubes(unit(1), (shift,))
        assert scheme.planes(level, 0).tolist() == [float(x) for x in disband_one_by_one(shift, level)]

    @given(shifts)
    def test_the_first_level_is_one_cell(self, shift: int) -> None:
        assert ShiftedCubes(unit(1), (shift,)).parts(0) == (1,)

    @given(shifts, st.integers(1, DEEPEST))
    def test_as_many_parts_as_the_rule_says_unless_planes_meet_the_faces(
        self, shift: int, level: int
    ) -> None:
        s = 2 ** (BITS - 1 - level)
        found = ShiftedCubes(unit(1), (shift,)).parts(level)[0]
        assert found == 2 ** (level + 1) - 1 - (shift % s == 0)

    @given(shifts, st.integers(1, 9))
    def test_sides_are_between_s_and_2s(self, shift: int, level: int) -> None:
        s = 2.0 ** -(level + 1)
        sides = np.diff(ShiftedCubes(unit(1), (shift,)).planes(level, 0))
        assert (sides >= s).all()
        assert (sides <= 2 * s).all()

    @given(st.lists(shifts, min_size=2, max_size=4), st.integers(1, 8), st.data())
    def test_aspect_ratios_are_below_2(self, several: list[int], level: int, data: st.DataObject) -> None:
        scheme = ShiftedCubes(unit(len(several)), tuple(several))
        index = np.array([[data.draw(st.integers(0, count - 1)) for count in scheme.parts(level)]])
        lower, upper = scheme.bounds(index, level)
        sides = upper - lower
        generic = all(shift % 2 ** scheme.step(level) for shift in several)
        assert sides.max() / sides.min() <= 2
        assert sides.max() / sides.min() < 2 or not generic

    @given(shifts, st.integers(1, 8))
    def test_disbanded_cells_are_those_that_meet_a_face(self, shift: int, level: int) -> None:
        scheme = ShiftedCubes(unit(1), (shift,))
        before, after = scheme.all_planes(level, 0), scheme.planes(level, 0)
        inner = [plane for plane in before if 2.0 ** -(level + 1) < plane < 1 - 2.0 ** -(level + 1)]
        assert after[1:-1].tolist() == inner

    def test_shifts_are_spread_evenly(self) -> None:
        rng = np.random.default_rng(1)
        drawn = [ShiftedCubes.draw(unit(2), rng).shifts for _ in range(2000)]
        share = np.mean(np.array(drawn) < 2**BITS / 4)
        assert abs(share - 0.25) < 5 * np.sqrt(0.25 * 0.75 / 4000)  # false alarm 6e-7


SCHEMES = st.one_of(
    st.integers(1, 4).map(lambda d: Cubes(unit(d))),
    st.lists(shifts, min_size=1, max_size=4).map(lambda us: ShiftedCubes(unit(len(us)), tuple(us))),
)


class TestNesting:
    @given(SCHEMES, st.integers(0, 8))
    def test_every_plane_stays(self, scheme: Scheme, level: int) -> None:
        for axis in range(scheme.dimension):
            assert set(scheme.planes(level, axis)) <= set(scheme.planes(level + 1, axis))

    @given(SCHEMES, st.integers(0, 8))
    def test_children_follow_one_another_and_know_their_parent(self, scheme: Scheme, level: int) -> None:
        for axis in range(scheme.dimension):
            index = np.arange(scheme.parts(level)[axis])
            first, following = scheme.first(index, level, axis), scheme.following(index, level, axis)
            assert first[0] == 0
            fanout = following - first
            assert (first[1:] == following[:-1]).all()
            assert following[-1] == scheme.parts(level + 1)[axis]
            assert ((fanout >= 2) | (level == 0)).all()
            assert (fanout <= scheme.ways).all()
            below = np.arange(scheme.parts(level + 1)[axis])
            assert (scheme.parent(below, level + 1, axis) == np.repeat(index, fanout)).all()

    @given(SCHEMES, st.lists(st.integers(0, 8), min_size=1, max_size=5))
    def test_cells_may_have_levels_of_their_own(self, scheme: Scheme, levels: list[int]) -> None:
        last = np.array([[parts - 1 for parts in scheme.parts(level)] for level in levels])
        alone = [scheme.bounds(last[[row]], level) for row, level in enumerate(levels)]
        together = scheme.bounds(last, np.array(levels))
        assert all(map(np.array_equal, map(np.concatenate, zip(*alone, strict=True)), together))


class TestIndex:
    @given(SCHEMES, st.integers(0, 8), st.data())
    def test_faces_belong_to_the_upper_cell_but_the_last(
        self, scheme: Scheme, level: int, data: st.DataObject
    ) -> None:
        axis = data.draw(st.integers(0, scheme.dimension - 1))
        planes = scheme.planes(level, axis)
        points = np.full((len(planes), scheme.dimension), 0.5)
        points[:, axis] = planes
        found = scheme.index(scheme.fine(points)[:, axis], level, axis)
        assert found.tolist() == [*range(len(planes) - 1), len(planes) - 2]

    @given(SCHEMES, st.integers(0, 8), st.floats(0, 1))
    def test_points_lie_between_the_bounds_of_their_cell(self, scheme: Scheme, level: int, x: float) -> None:
        fine = scheme.fine(np.full((1, scheme.dimension), x))
        for axis in range(scheme.dimension):
            low, high = parts(scheme, level, axis)[int(scheme.index(fine[:, axis], level, axis)[0])]
            assert low <= x <= high

    @pytest.mark.parametrize("plain", [True, False])
    @pytest.mark.parametrize(
        ("low", "high"),
        [(0, 0.3), (-1.3, 2.5), (1 / 3, 2 / 3), (1e9, 1e9 + 1), (-1e150, 1e150), (0, 1e-150), (0.07, 0.4)],
    )
    def test_released_faces_are_in_the_upper_cell_whatever_the_bounds(self, low, high, plain):
        """The doubles before, on and after every face, of sides that are no power of two long."""
        box = Box.of([low], [high])
        scheme = Cubes(box) if plain else ShiftedCubes(box, (123_456_789,))
        for level in (1, 2, 5, 10):
            planes = scheme.planes(level, 0)
            points = np.concatenate([planes, np.nextafter(planes, -np.inf), np.nextafter(planes, np.inf)])
            points = points[(points >= low) & (points <= high)]
            found = scheme.index(scheme.fine(points[:, None])[:, 0], level, 0)
            assert (found == np.searchsorted(planes[1:-1], points, side="right")).all()

    def test_deepest_level_has_whole_steps(self) -> None:
        for scheme in (Cubes(unit(1)), ShiftedCubes(unit(1), (12345,))):
            assert scheme.step(DEEPEST) >= 0

    def test_bounds_are_in_the_unit_of_the_data(self) -> None:
        scheme = Cubes(Box.of([-3, 100], [5, 101]))
        lower, upper = scheme.bounds(np.array([[0, 1], [1, 0]]), 1)
        assert lower.tolist() == [[-3, 100.5], [1, 100]]
        assert upper.tolist() == [[1, 101], [5, 100.5]]

    @pytest.mark.parametrize("width", [0.1, 3.0, 7.3])
    def test_the_last_face_is_the_bound_itself(self, width: float) -> None:
        scheme = Cubes(Box.of([0.3], [0.3 + width]))
        assert scheme.planes(3, 0)[-1] == 0.3 + width
        assert scheme.fine([[0.3 + width]]).tolist() == [[2**BITS - 1]]
