"""Minimum spanning trees of cells and of points, against brute force."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilings import tiling, tree_cost

from engine.domain import Box
from engine.histograms.embedding import EmbeddedHistogram, Embedding
from engine.histograms.histogram import BoxHistogram, Histogram
from engine.histograms.spanning_tree import euclidean_tree, resampled_tree, spanning_tree
from engine.histograms.voronoi import grow_voronoi
from engine.histograms.voronoi_centers import Net, Random
from engine.histograms.voronoi_region import Region
from engine.progress import Cancelled


def by_hand(histogram: Histogram) -> float:
    """Return the cost of the tree of all points: a vertex for each point, from the definition of d_H."""
    cells = np.repeat(np.arange(histogram.size), np.clip(histogram.counts, 0, None).astype(int))
    return tree_cost(histogram.between(cells[:, None], cells[None, :])) if len(cells) else 0.0


def joins(edges: np.ndarray, cells: np.ndarray) -> bool:
    """Tell whether the edges are a tree on these cells."""
    root = {int(cell): int(cell) for cell in cells}

    def top(cell: int) -> int:
        while root[cell] != cell:
            cell = root[cell]
        return cell

    for one, other in edges.tolist():
        if top(one) == top(other):
            return False
        root[top(one)] = top(other)
    return len(edges) == max(0, len(cells) - 1)


def check(histogram: Histogram) -> None:
    found = spanning_tree(histogram)
    assert found.cost == pytest.approx(by_hand(histogram), rel=1e-9, abs=1e-300)
    assert joins(found.edges, np.flatnonzero(histogram.counts > 0))
    if len(found.edges):
        lengths = histogram.between(found.edges[:, 0], found.edges[:, 1])
        np.testing.assert_allclose(found.lengths, lengths, rtol=1e-12)


class TestCells:
    @given(m=st.integers(1, 40), d=st.integers(1, 4), seed=st.integers(0, 2**32))
    @settings(max_examples=60, deadline=None)
    def test_as_by_hand(self, m: int, d: int, seed: int) -> None:
        check(tiling(m, d, np.random.default_rng(seed)))

    @pytest.mark.parametrize("d", [1, 2, 5])
    def test_of_many_cells_as_by_hand(self, d: int) -> None:
        histogram = tiling(800, d, np.random.default_rng(d))
        ones = dataclasses.replace(histogram, counts=np.ones(800))
        check(ones)

    @pytest.mark.parametrize("d", [1, 2, 3])
    def test_of_a_grid_where_all_distances_tie(self, d: int) -> None:
        corners = np.stack(np.meshgrid(*[np.arange(5.0)] * d, indexing="ij"), -1).reshape(-1, d)
        counts = np.arange(len(corners)) % 3.0
        check(BoxHistogram(corners, corners + 1, counts, np.zeros(len(corners), dtype=np.int64)))

    def test_points_of_a_huge_cell_are_nearer_to_a_tiny_one(self) -> None:
        lower, upper = np.array([[0.0], [1.0]]), np.array([[1.0], [1.001]])
        check(BoxHistogram(lower, upper, np.array([5.0, 2.0]), np.zeros(2, dtype=np.int64)))
        # beside a tiny cell in its corner, another one is not as far away as it is wide
        lower, upper = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 1.0], [1e-6, 1 + 1e-6]])
        histogram = BoxHistogram(lower, upper, np.array([5.0, 1.0]), np.zeros(2, dtype=np.int64))
        check(histogram)
        assert spanning_tree(histogram).cost == pytest.approx(5 * np.sqrt(2), rel=1e-5)

    @pytest.mark.parametrize("is_ball", [False, True])
    @pytest.mark.parametrize("centers", [Net(), Random(20)])
    def test_of_voronoi_cells(self, is_ball: bool, centers: Net | Random) -> None:
        rng = np.random.default_rng(3)
        box = Box.of([-1, 0], [3, 1])
        points = box.clamp(rng.normal(0.5, 0.5, (400, 2)))
        check(grow_voronoi(points, Region(box, is_ball), centers, 8, 2, rng))

    @pytest.mark.parametrize("d", [1, 2, 3])
    def test_of_embedded_cells(self, d: int) -> None:
        embedding = Embedding(Box.of([-1] * d, [3] * d))
        check(EmbeddedHistogram.of(tiling(60, d, np.random.default_rng(d)), embedding))

    @pytest.mark.parametrize("scale", [1e-190, 1e190])
    def test_no_square_overflows(self, scale: float) -> None:
        histogram = tiling(50, 2, np.random.default_rng(1))
        one = spanning_tree(histogram).lengths.sum()
        scaled = dataclasses.replace(histogram, lower=histogram.lower * scale, upper=histogram.upper * scale)
        with np.errstate(over="ignore"):  # of diameters
            assert spanning_tree(scaled).lengths.sum() == pytest.approx(one * scale)

    def test_noisy_counts(self) -> None:
        lower = np.array([[0.0], [1.0], [2.0], [3.0]])
        counts = np.array([2.5, 0.25, -3.0, 0.0])
        found = spanning_tree(BoxHistogram(lower, lower + 1, counts, np.zeros(4, dtype=np.int64)))
        assert found.edges.tolist() in ([[0, 1]], [[1, 0]])
        assert found.inside == pytest.approx(1.5)
        assert found.cost == pytest.approx(3.5)

    def test_without_points(self) -> None:
        histogram = BoxHistogram(np.zeros((1, 2)), np.ones((1, 2)), np.zeros(1), np.zeros(1, dtype=np.int64))
        assert spanning_tree(histogram).cost == 0.0
        assert spanning_tree(histogram).edges.shape == (0, 2)

    def test_cost_is_at_least_that_of_the_points(self) -> None:
        rng = np.random.default_rng(8)
        histogram = tiling(100, 2, rng)
        tree, points = resampled_tree(histogram, rng)
        assert len(points) == histogram.counts.sum()
        assert tree.cost <= spanning_tree(histogram).cost


class TestPoints:
    @given(
        rows=st.integers(1, 3).flatmap(
            lambda d: st.lists(st.lists(st.integers(0, 4), min_size=d, max_size=d), min_size=1, max_size=40)
        ),
        scale=st.sampled_from([1.0, 0.1, 1e-200]),
    )
    @settings(max_examples=60, deadline=None)
    def test_as_by_hand_with_duplicates_and_ties(self, rows: list[list[int]], scale: float) -> None:
        whole = np.array(rows, dtype=float)
        apart = np.linalg.norm(whole[:, None] - whole[None, :], axis=2)
        found = euclidean_tree(whole * scale)
        assert found.cost == pytest.approx(tree_cost(apart) * scale, rel=1e-9, abs=0)
        assert joins(found.edges, np.arange(len(whole)))

    @pytest.mark.parametrize("d", [1, 2, 3, 4, 8])
    def test_clusters_of_different_scale(self, d: int) -> None:
        rng = np.random.default_rng(d)
        points = rng.random((9, d))[rng.integers(9, size=500)] + 10 ** rng.uniform(
            -8, -1, (500, 1)
        ) * rng.normal(size=(500, d))
        apart = np.linalg.norm(points[:, None] - points[None, :], axis=2)
        assert euclidean_tree(points).cost == pytest.approx(tree_cost(apart), rel=1e-9)

    def test_points_that_are_all_the_same(self) -> None:
        assert euclidean_tree(np.full((3000, 2), 0.3)).cost == 0.0

    def test_is_stopped_in_time(self) -> None:
        points = np.random.default_rng(0).random((50_000, 2))
        calls = [time.thread_time()]

        def stop(fraction: float, message: str = "") -> None:
            calls.append(time.thread_time())
            if fraction > 0.3:
                raise Cancelled

        with pytest.raises(Cancelled):
            euclidean_tree(points, progress=stop)
        assert np.median(np.diff(calls)) < 0.1
