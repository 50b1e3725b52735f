"""Paths of two edges against the square of the matrix; tables so small that many pairs share a bucket."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.queries.pair_front import TwoPaths


def matrices(rng, count):
    """Return matrices of zeros and ones, and the same as sorted rows."""
    for _ in range(count):
        n = int(rng.integers(2, 40))
        dense = np.triu(rng.random((n, n)) < rng.choice([0.03, 0.2, 0.7]), 1)
        yield dense.astype(np.int64), csr_array(dense.astype(np.int8))
        both = dense | dense.T
        yield both.astype(np.int64), csr_array(both.astype(np.int8))


def through_a_middle(dense):
    """Return for each i < j how many k have both in their rows."""
    return np.triu(dense.T @ dense, 1)


@pytest.fixture(params=[(2, 3), (4, 1 << 20), (17, 5)], ids=str)
def small_tables(request, monkeypatch):
    for name, value in zip(("_BITS", "_AT_ONCE"), request.param, strict=True):
        monkeypatch.setattr(f"engine.queries.pair_front.{name}", value)


@pytest.mark.usefixtures("small_tables")
def test_numbers_of_paths_are_those_of_the_square():
    rng = np.random.default_rng(61)
    for dense, rows in matrices(rng, 40):
        n, paths = len(dense), TwoPaths(rows)
        truth = through_a_middle(dense)
        assert np.diff(paths.before()).tolist() == truth.sum(axis=1).tolist()
        width = int(rng.integers(1, n + 1))
        paths.narrow(width)
        truth[:, width:] = 0
        assert np.diff(paths.before()).tolist() == truth.sum(axis=1).tolist()
        start = int(rng.integers(0, width))
        stop = int(rng.integers(start + 1, width + 1))
        least = int(rng.integers(0, 4))
        first, second, joined = paths.often(start, stop, width, least)
        expected = np.argwhere(truth[start:stop] >= max(least, 1)) + np.array([start, 0])
        assert np.column_stack([first, second]).tolist() == expected.tolist()
        assert joined.tolist() == truth[first, second].tolist()


@pytest.mark.usefixtures("small_tables")
def test_closed_paths_are_triangles():
    rng = np.random.default_rng(62)
    for dense, rows in matrices(rng, 40):
        if not (dense == np.triu(dense)).all():
            continue
        cut = int(rng.integers(0, len(dense) + 1))
        paths = TwoPaths(rows)
        parts = [paths.closed(start, stop) for start, stop in ((0, cut), (cut, len(dense))) if start < stop]
        assert sum(parts) == np.trace(np.linalg.matrix_power(dense + dense.T, 3)) // 6
