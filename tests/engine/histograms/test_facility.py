"""Facility location on cells and on points: consistent costs, and near the optimum of tiny cases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilings import tiling

from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms import facility
from engine.histograms.facility import local_optimum, locate_facilities, locate_points, places_of, true_cost
from engine.histograms.histogram import BoxHistogram
from engine.histograms.synthetic import synthetic_points
from engine.histograms.voronoi import grow_voronoi
from engine.histograms.voronoi_centers import Random
from engine.histograms.voronoi_region import Region
from engine.progress import Cancelled


def cost_of(distances: np.ndarray, weights: np.ndarray, price: float, some) -> float:
    return price * len(some) + float(weights @ distances[list(some)].min(axis=0))


def least(distances: np.ndarray, weights: np.ndarray, price: float) -> float:
    """Return the least cost over all sets of candidates."""
    every = range(len(distances))
    sets = itertools.chain.from_iterable(itertools.combinations(every, k + 1) for k in every)
    return min(cost_of(distances, weights, price, some) for some in sets)


@given(m=st.integers(1, 9), d=st.integers(1, 3), seed=st.integers(0, 2**32), price=st.floats(0.01, 20))
@settings(max_examples=60, deadline=None)
def test_at_most_three_times_the_least_cost(m: int, d: int, seed: int, price: float) -> None:
    histogram = tiling(m, d, np.random.default_rng(seed))
    held = np.flatnonzero(histogram.counts > 0)
    found = locate_facilities(histogram, price)
    if not len(held):
        assert found.cost == 0
        return
    distances = histogram.between(held[:, None], held[None, :])
    best = least(distances, histogram.counts[held], price)
    assert best * (1 - 1e-9) <= found.cost <= 3 * best
    assert found.complete
    # the cost is that of the assignment, to open cells alone
    assigned = found.assignment[held]
    assert set(assigned.tolist()) <= set(found.open.tolist())
    assert found.connecting == pytest.approx(histogram.counts[held] @ histogram.between(held, assigned))
    assert found.opening == pytest.approx(price * len(found.open))
    assert (np.delete(found.assignment, held) == -1).all()


@given(c=st.integers(1, 8), m=st.integers(1, 12), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_no_step_helps(c: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    distances, weights, price = rng.random((c, m)), rng.random(m) + 0.1, float(rng.random() * 2)
    found = set(local_optimum(distances, weights, price).tolist())
    cost = cost_of(distances, weights, price, found)
    more = [found | {j} for j in range(c)]
    less = [found - {i} for i in found if len(found) > 1]
    other = [found - {i} | {j} for i in found for j in range(c) if j not in found]
    assert cost <= min(cost_of(distances, weights, price, some) for some in more + less + other) * (1 + 1e-6)


def test_true_cost_is_no_higher_than_what_cells_tell() -> None:
    rng = np.random.default_rng(2)
    boxes = tiling(80, 2, rng)
    points = synthetic_points(boxes, rng)
    box = Box.of([0, 0], [1, 1])
    voronoi = grow_voronoi(points, Region(box, False), Random(20), 8, 2, rng)
    for histogram in (boxes, voronoi):
        for price in (0.1, 1.0, 10.0):
            found = locate_facilities(histogram, price)
            assert true_cost(points, places_of(histogram, found.open), price) <= found.cost


@pytest.mark.slow
def test_points_as_by_hand() -> None:
    rng = np.random.default_rng(1)
    points = rng.random((9, 2)).repeat(2, axis=0)[:17]
    found = locate_points(points, 0.3, rng)
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    assert found.complete
    assert found.cost == pytest.approx(true_cost(points, points[found.open], 0.3))
    assert found.connecting == pytest.approx(apart[np.arange(17), found.assignment].sum())
    assert found.cost <= 3 * least(apart, np.ones(17), 0.3)


def test_cells_beyond_the_limit_pay_all_the_same(monkeypatch) -> None:
    monkeypatch.setattr(facility, "MAX_CANDIDATES", 5)
    monkeypatch.setattr(facility, "MAX_CLIENTS", 10)
    histogram = tiling(60, 2, np.random.default_rng(0))
    found = locate_facilities(histogram, 0.5)
    assert not found.complete
    held = np.flatnonzero(histogram.counts > 0)
    nearest = histogram.between(held[:, None], found.open[None, :]).min(axis=1)
    assert found.connecting == pytest.approx(histogram.counts[held] @ nearest)
    points = np.random.default_rng(1).random((50, 2))
    some = locate_points(points, 0.5, np.random.default_rng(2))
    assert not some.complete
    assert some.cost == pytest.approx(true_cost(points, points[some.open], 0.5))


def test_counts_with_noise_are_weights() -> None:
    lower = np.array([[0.0], [1.0], [9.0]])
    histogram = BoxHistogram(lower, lower + 1, np.array([2.5, -1.0, 0.5]), np.zeros(3, dtype=np.int64))
    found = locate_facilities(histogram, 1.0)
    assert found.open.tolist() == [0, 2]
    assert found.assignment.tolist() == [0, -1, 2]
    assert found.cost == pytest.approx(2 + 2.5 + 0.5)


@pytest.mark.parametrize("price", [0.0, -1.0, np.inf, np.nan])
def test_prices_that_are_none(price: float) -> None:
    with pytest.raises(ParameterError, match="it must be a finite number above 0"):
        locate_facilities(tiling(3, 1, np.random.default_rng(0)), price)


def test_is_stopped() -> None:
    def stop(fraction: float, message: str = "") -> None:
        if fraction > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        locate_facilities(tiling(400, 2, np.random.default_rng(0)), 0.2, progress=stop)


def test_the_former_name_is_still_there():
    import engine

    assert engine.locate is locate_facilities
    assert "locate" not in engine.__all__
