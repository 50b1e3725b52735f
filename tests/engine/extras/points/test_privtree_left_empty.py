"""PrivTree for a record that is left empty: what a tree reveals of it, exactly."""

import dataclasses
import itertools

import pytest
from priv_trees import PARTS, on_paths, trees

from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.privtree import Cutting, PrivTree
from engine.privacy import NEIGHBOURS, ZERO_OUT, Privacy

LINE = Box.of([0], [1])


def left_empty(cells, n):
    """All pairs of counts of up to n points in cells, of which one point is gone."""
    for m in range(1, n + 1):
        for points in itertools.combinations_with_replacement(range(cells), m):
            counts = [points.count(cell) for cell in range(cells)]
            for a in set(points):
                yield counts, [count - (cell == a) for cell, count in enumerate(counts)]


def worst_left_empty(cutting, cells, n):
    return max(max(trees(x, y, cutting), trees(y, x, cutting)) for x, y in left_empty(cells, n))


@pytest.mark.parametrize(("epsilon", "cells", "n"), [(1.0, 4, 6), (4.0, 4, 6), (8.0, 8, 3)])
def test_a_record_left_empty_costs_one_path(epsilon, cells, n):
    """By enumeration; a third of the noise is too little."""
    kept = [Cutting.of(epsilon, 2, threshold, ZERO_OUT) for threshold in (0.0, 1.3)]
    assert 0.45 * epsilon < max(worst_left_empty(one, cells, n) for one in kept) <= epsilon
    assert kept[0].scale < 0.77 * Cutting.of(epsilon, 2).scale
    wrong = dataclasses.replace(kept[0], scale=kept[0].scale / 3, decay=kept[0].decay / 3)
    assert worst_left_empty(wrong, cells, n) > epsilon


@pytest.mark.parametrize("epsilon", [0.01, 1.0])
@pytest.mark.parametrize("parts", PARTS[:3:2])
def test_one_path_costs_what_is_promised_and_not_much_less(epsilon, parts):
    cutting = Cutting.of(epsilon, parts, 5.0, ZERO_OUT)
    end = 1 / cutting.scale  # in favour of the smaller counts
    assert end <= on_paths(cutting) - end <= epsilon
    assert on_paths(cutting) > epsilon
    assert cutting.scale < (2 * parts - 1) / (parts - 1) / epsilon
    if epsilon < 0.1:
        assert on_paths(cutting) - end > 0.97 * epsilon


def test_noise_of_leaves_is_half_where_a_record_is_left_empty():
    ready = [
        PrivTree(relation=relation)._sanitizer(Points([[0.5]], LINE), Privacy(1.0))
        for relation in (NEIGHBOURS, ZERO_OUT)
    ]
    assert [one.noise["scale"] for one in ready] == [4.0, 2.0]
    assert [one.cutting.scale for one in ready] == [
        Cutting.of(0.5, 3.0, 0.0, r).scale for r in (NEIGHBOURS, ZERO_OUT)
    ]
