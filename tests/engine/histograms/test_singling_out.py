"""Singling out: the cell that is named, what chance gives, and what histograms add to it."""

import numpy as np
import pytest

from engine import PrivTree
from engine.histograms.isolation import predicate, single_out
from engine.mechanisms import RecursiveHistogram
from engine.mechanisms.histograms.base import sanitize_with
from engine.privacy import NO_PROMISE, Privacy
from engine.randomness import reproducible


class Cells:
    """Cells of the unit square with counts."""

    def __init__(self, counts, sides):
        self.counts = np.array(counts, dtype=float)
        self.lower = np.zeros((len(counts), 2))
        self.upper = np.tile(np.array(sides, dtype=float)[:, None], 2)

    def named_boxes(self):
        return self.lower, self.upper


def side(cells):
    return predicate(cells)[1][0]


def test_the_smallest_of_the_cells_that_count_about_one_is_named():
    assert side(Cells([1, 1, 5, 1.4], [0.5, 0.3, 0.1, 0.2])) == 0.2
    assert side(Cells([4, 2, 2, 0.4], [0.5, 0.3, 0.1, 0.2])) == 0.2
    assert side(Cells([9, 7, 7], [0.5, 0.3, 0.4])) == 0.3


def test_hits_and_chance_are_those_of_the_definition():
    """Cells that follow from public facts alone: hits are binomial with the chance that is stated."""
    fixed = Cells([1, 30], [0.2, 1.0])
    found = single_out(lambda *_: fixed, 2, 20, 5, 2000, reproducible(1))
    assert found.weight == pytest.approx(0.04)
    assert found.chance == pytest.approx(20 * 0.04 * 0.96**19)
    spread = np.sqrt(found.chance * (1 - found.chance) / 2000)
    assert abs(found.hits.rate - found.chance) < 5.3 * spread  # false alarm below 1e-6


def test_exact_counts_single_out_and_private_ones_hardly_do():
    exact = single_out(sanitize_with(RecursiveHistogram(t=10), NO_PROMISE), 4, 300, 10, 30, reproducible(2))
    private = single_out(sanitize_with(PrivTree(), Privacy(1.0)), 4, 300, 10, 30, reproducible(2))
    assert exact.hits.rate > 0.9 > 0.45 > exact.chance
    assert private.hits.rate < 0.6
