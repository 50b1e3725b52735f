"""Voronoi histograms: what tiles, what is counted where, and bounds that hold for certain."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pytest

from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.voronoi import VoronoiHistogram, grow_voronoi
from engine.histograms.voronoi_cells import Cell, bounds
from engine.histograms.voronoi_centers import Net, Random
from engine.histograms.voronoi_region import Region
from engine.progress import Cancelled

FEW = {1: Random(6), 2: Random(20), 3: Random(40)}


def data(d: int, n: int = 400) -> np.ndarray:
    """Clumped points in [-1, 3]^d, some of them on faces, some alike."""
    points = np.clip(np.random.default_rng(d).normal(0.5, 1, (n, d)), -1, 3)
    points[: n // 20] = -1
    points[n // 20 : n // 10] = points[-1]
    return points


def box(d: int) -> Box:
    return Box.of([-1] * d, [3] * d)


@functools.cache
def made(d: int, is_ball: bool, is_net: bool) -> VoronoiHistogram:
    centers = Net() if is_net else FEW[d]
    return grow_voronoi(data(d), Region(box(d), is_ball), centers, 10, 2, np.random.default_rng(7))


CASES = [(d, is_ball, is_net) for d in (1, 2, 3) for is_ball in (False, True) for is_net in (False, True)]


def by_hand(histogram: VoronoiHistogram, points: np.ndarray) -> list[int]:
    """Return the last cell of each point: the nearest of all centers, level by level."""
    tree = histogram.tree
    found = []
    for point in tree.region.scale(points):
        row = 0
        while row >= 0 and row in tree.cuts:
            cut = tree.cuts[row]
            row = int(cut.rows[np.argmin(((cut.centers - point) ** 2).sum(axis=1))])
        found.append(row)
    return found


@pytest.mark.parametrize("case", CASES)
class TestCells:
    def test_every_point_is_counted_in_its_nearest_centers_cell(self, case) -> None:
        histogram = made(*case)
        rows = by_hand(histogram, data(case[0]))
        assert histogram.rows[histogram.places(data(case[0]))].tolist() == rows
        counts = dict(zip(histogram.rows.tolist(), histogram.counts.tolist(), strict=True))
        assert {row: rows.count(row) for row in rows} == {row: c for row, c in counts.items() if c}

    def test_half_spaces_say_the_same_as_nearest_centers(self, case) -> None:
        histogram = made(*case)
        rng = np.random.default_rng(3)
        points = rng.uniform(-1, 3, (300, case[0]))
        places = histogram.places(points)
        scaled = histogram.tree.region.scale(points)
        for index in rng.permutation(histogram.size)[:40]:
            cell = histogram.tree.cell(int(histogram.rows[index]))
            assert (cell.inside(scaled) == (places == index)).all()

    def test_balls_and_boxes_hold_their_points(self, case) -> None:
        histogram = made(*case)
        points = np.concatenate([data(case[0]), np.random.default_rng(1).uniform(-1, 3, (2000, case[0]))])
        places = histogram.places(points)
        points, places = points[places >= 0], places[places >= 0]
        assert (points >= histogram.lower[places]).all()
        assert (points <= histogram.upper[places]).all()
        away = np.linalg.norm(points - histogram.centers[places], axis=1)
        assert (away <= histogram.radii[places]).all()

    def test_distances_of_points_and_cells(self, case) -> None:
        histogram = made(*case)
        points = data(case[0])
        one, other = np.random.default_rng(2).integers(len(points), size=(2, 3000))
        apart = np.linalg.norm(points[one] - points[other], axis=1)
        places = histogram.places(points)
        between = histogram.between(places[one], places[other])
        diameters = histogram.diameters[places]
        assert (apart <= between).all()
        assert (between <= apart + diameters[one] + diameters[other] + 1e-12).all()
        assert histogram.farthest(3)[3] == histogram.diameters[3]

    def test_cells_with_more_than_t_points_are_cut_and_no_others(self, case) -> None:
        histogram = made(*case)
        for level in (0, 1):
            above = histogram.at_level(level)
            assert above.counts.sum() == len(data(case[0]))
            was_cut = np.isin(above.rows, list(histogram.tree.cuts)) & (above.level == level)
            assert (was_cut == (above.counts > 10))[above.level == level].all()
            # nested: the cell of a point is in that cell of the level above which holds the point
            points = data(case[0])
            parents = histogram.tree.ancestors(histogram.rows[histogram.places(points)], level)
            assert (above.rows[above.places(points)] == parents).all()
        assert histogram.counts[histogram.level < 2].max(initial=0) <= 10

    def test_samples_lie_in_their_cells(self, case) -> None:
        histogram = made(*case)
        cells = np.argsort(-histogram.counts)[:5]
        points = histogram.sampled(
            np.random.default_rng(0), np.where(np.isin(range(histogram.size), cells), 4, 0)
        )
        assert histogram.places(points).tolist() == np.repeat(np.sort(cells), 4).tolist()


def test_more_than_t_is_meant_strictly() -> None:
    points = np.random.default_rng(0).random((10, 2))
    region = Region(Box.of([0, 0], [1, 1]))
    assert grow_voronoi(points, region, Net(), 10, 3, np.random.default_rng(1)).size == 1
    assert grow_voronoi(points, region, Net(), 9, 3, np.random.default_rng(1)).size > 1


def test_centers_do_not_depend_on_points() -> None:
    """With one seed, cells that are cut in both get the same centers, whatever else differs."""
    region = Region(box(2))
    one = grow_voronoi(data(2), region, FEW[2], 10, 2, np.random.default_rng(7))
    other = grow_voronoi(
        np.random.default_rng(9).uniform(-1, 3, (3000, 2)), region, FEW[2], 10, 2, np.random.default_rng(7)
    )
    centers = {
        histogram: {cut.cell.center.tobytes(): cut.centers for cut in histogram.tree.cuts.values()}
        for histogram in (one, other)
    }
    both = centers[one].keys() & centers[other].keys()
    assert len(both) > 5
    assert len(one.tree.cuts) != len(other.tree.cuts)
    for center in both:
        assert (centers[one][center] == centers[other][center]).all()


@pytest.mark.parametrize("d", [1, 2, 3])
def test_nets_are_spread_and_cover(d: int) -> None:
    """All pairs are R/4 apart; balls of R/4, and a diagonal of the lattice, cover the cell."""
    for is_ball in (False, True):
        cell = Cell.whole(Region(box(d), is_ball))
        centers = Net().choose(cell, np.random.default_rng(1))
        apart = np.linalg.norm(centers[:, None] - centers, axis=2) + np.eye(len(centers))
        assert apart.min() >= 0.25 - 1e-9
        assert (cell.inside(centers)).all()
        _, half = cell.lattice(Net().lattice(d))
        far = bounds(cell, centers, Net().lattice(d)).radii
        assert far.max() <= 0.25 + 2.5 * np.linalg.norm(half)


def test_random_centers_are_spread_evenly() -> None:
    cell = Cell.whole(Region(box(2), True))
    centers = cell.draw(np.random.default_rng(1), 4000)
    # half of the unit disc's area is within 1 / sqrt(2); false alarm 6e-7
    assert abs(np.mean(np.linalg.norm(centers, axis=1) < 0.5**0.5) - 0.5) < 5 * 0.5 / 4000**0.5


def test_shares_add_up_to_the_volume() -> None:
    histogram = grow_voronoi(
        data(2), Region(box(2)), Net(), 10, 1, np.random.default_rng(7)
    )  # one cut, and no cell left out
    rng = np.random.default_rng(2)
    places = histogram.places(rng.uniform(-1, 3, (40000, 2)))
    assert places.min() >= 0
    volumes = np.bincount(places, minlength=histogram.size) / len(places)
    shares = histogram.shares([[-1, -1], [-1, -1], [0, 0]], [[3, 3], [1, 3], [0.1, 0.1]])
    assert shares[0].tolist() == [1] * histogram.size
    assert shares[1] @ volumes == pytest.approx(0.5, abs=0.01)
    assert shares[2] @ volumes == pytest.approx(0.01 / 16, abs=0.001)


@pytest.mark.parametrize("is_net", [True, False])
@pytest.mark.parametrize("points", [[[0.3, 0.3]] * 50, [[1.0, 0.0]] * 50, [[0.5, 0.5]]])
def test_points_all_alike(points, is_net: bool) -> None:
    region = Region(Box.of([0, 0], [1, 1]))
    histogram = grow_voronoi(
        np.array(points), region, Net() if is_net else Random(16), 2, 4, np.random.default_rng(3)
    )
    assert histogram.counts.max() == histogram.counts.sum() == len(points)
    assert histogram.deepest == (4 if len(points) > 2 else 0)


@pytest.mark.parametrize(
    ("low", "high"), [([0, 0], [1e6, 1e-3]), ([-1e150] * 2, [1e150] * 2), ([1e9] * 2, [1e9 + 1e-3] * 2)]
)
def test_boxes_of_odd_shapes(low, high) -> None:
    points = np.random.default_rng(0).uniform(low, high, (200, 2))
    histogram = grow_voronoi(
        points, Region(Box.of(low, high), True), Random(16), 10, 2, np.random.default_rng(3)
    )
    places = histogram.places(points)
    assert (np.bincount(places, minlength=histogram.size) == histogram.counts).all()
    assert ((points >= histogram.lower[places]) & (points <= histogram.upper[places])).all()
    scale = np.abs(points - points[0]).max()
    apart = scale * np.linalg.norm((points - points[0]) / scale, axis=1)
    assert (apart <= histogram.between(places, places[0])).all()


def test_what_is_released() -> None:
    histogram = made(2, True, True)
    value = histogram.value()["cells"][5]
    assert set(value) == {"lower", "upper", "count", "level", "center", "radius", "path"}
    some = histogram.chosen(histogram.counts > 3)
    assert some.size == (histogram.counts > 3).sum()
    assert (some.centers == histogram.centers[histogram.counts > 3]).all()
    assert (some.places(histogram.centers[histogram.counts == 0]) == -1).all()


def test_counts_follow_from_what_is_released() -> None:
    """Whoever has the points and the cuts gets the counts, by nearest centers alone."""
    value = made(3, True, True).value()
    cuts = {tuple(cut["path"]): np.array(cut["centers"]) for cut in value["cuts"]}
    found: Counter[tuple[int, ...]] = Counter()
    for point in data(3):
        path: tuple[int, ...] = ()
        while path in cuts:
            path = (*path, int(np.argmin(((cuts[path] - point) ** 2).sum(axis=1))))
        found[path] += 1
    assert found == {tuple(cell["path"]): cell["count"] for cell in value["cells"] if cell["count"]}


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((2, Net(), 1, 3), "t"),
        ((2, Net(), 2, -1), "depth"),
        ((2, Net(), 2, 9), "depth"),
        ((5, Net(), 2, 3), "columns"),
        ((4, Random(), 2, 3), "centers"),
        ((7, Random(100), 2, 3), "columns"),
    ],
)
def test_what_is_refused(arguments, field) -> None:
    d, centers, t, depth = arguments
    with pytest.raises(ParameterError) as caught:
        grow_voronoi(np.zeros((1, d)), Region(box(d)), centers, t, depth, np.random.default_rng(1))
    assert caught.value.field == field


def test_numbers_of_centers() -> None:
    with pytest.raises(ParameterError, match="from 2 to"):
        Random(1)
    assert (Random().of(2), Random().of(3)) == (512, 6144)
    assert Random().warning(2) == ""
    assert "fewer than the 4 d 8^d = 512" in Random(100).warning(2)


def test_stops_when_asked() -> None:
    def stop(fraction: float, message: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        grow_voronoi(data(2), Region(box(2)), Net(), 10, 2, np.random.default_rng(7), progress=stop)
