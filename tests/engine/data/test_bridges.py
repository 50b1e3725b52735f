"""Bridges are the edges whose removal leaves more pieces."""

import numpy as np

from engine.data.graph import bridges, pieces


def test_bridges_are_the_edges_whose_removal_disconnects():
    rng = np.random.default_rng(1)
    for _ in range(300):
        n = int(rng.integers(2, 12))
        tree = np.column_stack([[rng.integers(i) for i in range(1, n)], np.arange(1, n)])
        more = rng.integers(n, size=(int(rng.integers(0, 6)), 2))
        ends = np.concatenate([tree, more[more[:, 0] != more[:, 1]]])
        ends = rng.permutation(rng.permutation(n)[ends])
        expected = [pieces(np.delete(ends, edge, axis=0), n) > 1 for edge in range(len(ends))]
        assert bridges(ends, n).tolist() == expected


def test_a_long_path_is_all_bridges_and_a_long_cycle_has_none():
    path = np.column_stack([np.arange(19_999), np.arange(1, 20_000)])
    assert bridges(path, 20_000).all()
    assert not bridges(np.concatenate([path, [[19_999, 0]]]), 20_000).any()


def test_parallel_edges_are_no_bridges():
    assert bridges([(0, 1), (1, 0), (1, 2)], 3).tolist() == [False, False, True]
