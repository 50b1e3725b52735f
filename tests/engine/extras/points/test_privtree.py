"""PrivTree: what a tree reveals, exactly, and that trees are drawn with the stated probabilities."""

import dataclasses
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from discrete import assert_drawn_from, number_of_draws
from flint import arb, ctx
from priv_trees import PARTS, log_cut, on_paths, trees
from scipy.stats import kstest

from engine.audit import audit
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.points import privtree
from engine.extras.points.privtree import Cutting, PrivTree, grow_levels, path_constant
from engine.histograms.cubes import Cubes
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.randomness import reproducible, secure

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("parts", PARTS)
def test_two_paths_cost_what_is_promised_and_not_much_less(epsilon, parts):
    cutting = Cutting.of(epsilon, parts, 5.0)
    assert 0.75 * epsilon < on_paths(cutting) <= epsilon
    if epsilon < 0.1:
        assert on_paths(cutting) > 0.98 * epsilon
    published = (2 * parts - 1) / (parts - 1) / (epsilon / 2)
    assert 0.55 * published < cutting.scale < 0.76 * published


def neighbours(cells, n):
    """All pairs of counts of n points in cells, of which one point is moved."""
    for points in itertools.combinations_with_replacement(range(cells), n):
        counts = [points.count(cell) for cell in range(cells)]
        for a, b in itertools.permutations(range(cells), 2):
            if counts[a]:
                moved = counts.copy()
                moved[a] -= 1
                moved[b] += 1
                yield counts, moved


def worst(cutting, cells, n):
    return max(trees(x, y, cutting) for x, y in neighbours(cells, n))


@pytest.mark.parametrize(("epsilon", "cells", "n"), [(1.0, 4, 6), (4.0, 4, 6), (8.0, 8, 3)])
def test_no_tree_of_any_neighbours_reveals_more(epsilon, cells, n):
    """By enumeration; with a large epsilon decays are small, and whole numbers meet the worst case."""
    losses = [worst(Cutting.of(epsilon, 2, threshold), cells, n) for threshold in (0.0, 1.3)]
    assert 0.5 * epsilon < max(losses) <= epsilon


def test_planted_mistakes_cost_more():
    right = Cutting.of(4.0, 2)
    for wrong in (
        dataclasses.replace(right, scale=1 / 4.0),
        dataclasses.replace(right, scale=right.scale / 3, decay=right.decay / 3),
    ):
        assert worst(wrong, 4, 5) > 4.0
    for epsilon, parts in itertools.product((0.1, 1.0), PARTS):
        cutting = Cutting.of(epsilon, parts)
        # scale for records that are added or removed
        scale = (2 * parts - 1) / (parts - 1) / epsilon
        assert on_paths(Cutting(0.0, scale, math.log(parts) * scale)) > epsilon
        assert on_paths(dataclasses.replace(cutting, decay=0.0)) > 10 * epsilon
        assert on_paths(dataclasses.replace(cutting, scale=1 / epsilon)) > epsilon


@pytest.mark.parametrize("threshold", [0.0, 1.3, 1e9])
@pytest.mark.parametrize("epsilon", [1e-9, 1e-4, 0.3, 1.0, 100.0])
@pytest.mark.parametrize("parts", PARTS)
def test_scores_are_exact_and_decays_large_enough(epsilon, parts, threshold):
    """The proof is about real numbers: doubles must be them."""
    cutting = Cutting.of(epsilon, parts, threshold)
    g = math.log(parts)
    with ctx.workprec(200):
        terms = (1 / (2 * (arb(g) * k).exp() - 1) for k in range(1, 200))
        assert sum(terms, arb(3)) / arb(cutting.scale) < arb(epsilon)
        assert arb(cutting.decay) > arb(g) * arb(cutting.scale)
    assert cutting.decay == pytest.approx(g * cutting.scale, rel=1e-11, abs=2.0**-20)
    assert cutting.threshold == pytest.approx(threshold, abs=max(2.0**-21, cutting.decay * 1e-11))
    counts = np.array([0, 1, 2, 3, 1000, 10**6 + 1, 2**32 - 1])
    for depth in (0, 1, 7, 29):
        low = Fraction(cutting.threshold) - Fraction(cutting.decay)
        exact = [max(low, count - depth * Fraction(cutting.decay)) for count in counts.tolist()]
        assert [Fraction(b) for b in cutting.biased(counts, depth).tolist()] == exact


def test_the_constant_is_the_limit_of_small_epsilon():
    for parts in PARTS:
        g, s = math.log(parts), 1e7
        slopes = [
            (math.log(2 - math.exp(-g * k - 1 / s)) - math.log(2 - math.exp(-g * k))) * s for k in range(80)
        ]
        assert path_constant(g) == pytest.approx(2 + sum(slopes), rel=1e-6)


@pytest.mark.parametrize("source", [secure, lambda: reproducible(1)], ids=["release", "simulation"])
@number_of_draws(700, 2_000)
def test_trees_are_drawn_with_these_probabilities(source, runs):
    """A right sampler fails with probability 1e-6."""
    cutting, rng = Cutting(0.0, 4.0, 2.5), source()
    scheme = Cubes(LINE)
    fine = scheme.fine(np.array([[0.1]] * 5 + [[0.7]] * 2))
    outcomes = []
    for _ in range(runs):
        levels = grow_levels(scheme, fine, cutting, rng)
        seen = levels[1].cut.tolist() if len(levels) > 1 else None
        outcomes.append(0 if seen is None else 1 + 2 * seen[0] + seen[1])
    root, left, right = (math.exp(log_cut(cutting, c, i)) for c, i in ((7, 0), (5, 1), (2, 1)))
    law = [1 - root] + [
        root * (left if a else 1 - left) * (right if b else 1 - right) for a in (0, 1) for b in (0, 1)
    ]
    assert_drawn_from(outcomes, law)
    assert cutting.probabilities([7], 0) == pytest.approx([root])
    assert cutting.probabilities([5, 2], 1) == pytest.approx([left, right])


def blobs(n, d, seed=1):
    rng = np.random.default_rng(seed)
    centers = rng.uniform(0.1, 0.9, (5, d))
    return Points(centers[rng.integers(0, 5, n)] + rng.normal(0, 0.02, (n, d)), Box.of([0] * d, [1] * d))


@pytest.mark.parametrize("cells", ["shifted", "cubes"])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_cells_tile_the_box_and_hold_what_they_say(cells, d):
    data = blobs(4000, d)
    mechanism = PrivTree(cells=cells, post="none")
    tree = mechanism._sanitizer(data, Privacy(50.0)).histogram(reproducible(2))
    assert (tree.upper - tree.lower).prod(axis=1).sum() == pytest.approx(1)
    held = np.bincount(tree.places(data.values), minlength=tree.size)
    assert np.abs(tree.counts - held).max() < 5  # of scale 0.08
    assert (held == 0).any()
    total = tree.counts.sum()
    for level in range(tree.deepest):
        coarse = tree.at_level(level)
        assert coarse.counts.sum() == pytest.approx(total)
        assert (
            np.abs(coarse.counts - np.bincount(coarse.places(data.values), minlength=coarse.size)).max() < 50
        )


def test_counts_have_the_noise_that_is_said():
    """A right sampler fails with probability 1e-6."""
    data, privacy = blobs(20_000, 2), Privacy(1.0)
    ready = PrivTree(post="none", share=0.25)._sanitizer(data, privacy)
    tree = ready.histogram(reproducible(4))
    assert ready.noise["scale"] == pytest.approx(2 / 0.75)
    assert ready.noise["decisions"]["scale"] == pytest.approx(path_constant(math.log(9)) / 0.25)
    residuals = tree.counts - np.bincount(tree.places(data.values), minlength=tree.size)
    assert tree.size > 200
    assert kstest(residuals / ready.noise["scale"], "laplace").pvalue > 1e-6


def test_it_adapts_where_a_grid_cannot():
    data = blobs(50_000, 2)
    ready = PrivTree().prepare(data, Privacy(1.0))
    grid = privtree_peer().prepare(data, Privacy(1.0))
    true = ready.diagnostics["true_value"]
    ours, flat = (
        PrivTree().output.errors(one.draw(reproducible(5), 5), true, SQUARE).mean() for one in (ready, grid)
    )
    assert ours < flat / 2


def privtree_peer():
    from engine.mechanisms.histograms.noisy import NoisyHistogram

    return NoisyHistogram()


def test_a_release_has_no_more_cells_than_fit(monkeypatch):
    monkeypatch.setattr(privtree, "MAX_CELLS", 100)
    for seed in range(20):
        tree = PrivTree()._sanitizer(blobs(50_000, 2), Privacy(1.0)).histogram(reproducible(seed))
        assert 9 <= tree.size <= 100


def test_copies_of_a_point_end_at_the_resolution():
    data = Points(np.full((10_000, 1), 0.3), LINE)
    tree = PrivTree()._sanitizer(data, Privacy(50.0)).histogram(reproducible(1))
    assert tree.deepest == privtree.DEEPEST
    assert tree.counts.sum() == pytest.approx(10_000)


def shapes(scale, runs, seeds):
    """What is seen of trees of two neighbours."""
    x = Points(np.full((4, 1), 0.1), LINE)
    y = x.replaced(0, [0.9])
    for seed, data in zip(seeds, (x, y), strict=True):
        rng, fine = reproducible(seed), Cubes(LINE).fine(data.values)
        right = Cutting.of(2.0, 2)
        cutting = dataclasses.replace(right, scale=right.scale * scale, decay=right.decay * scale)
        yield np.array([_decisions(grow_levels(Cubes(LINE), fine, cutting, rng)) for _ in range(runs)])


def _decisions(levels):
    """Return how deep a tree is, and which halves of the line were cut."""
    halves = levels[1].cut.tolist() if len(levels) > 1 else [-1, -1]
    return [float(len(levels)), *map(float, halves)]


@pytest.mark.slow
def test_an_audit_finds_too_little_noise(monkeypatch):
    """A right mechanism is accused with probability 1e-6."""
    monkeypatch.setattr(privtree, "DEEPEST", 2)
    for scale, violated in ((1.0, False), (1 / 12, True)):
        drawn = shapes(scale, 1000, (6, 7))
        assert audit(*drawn, Privacy(2.0), confidence=1 - 1e-6).violated == violated


def test_what_makes_no_sense_is_refused():
    (problem,) = PrivTree().problems(Privacy(1.0), Box.of([0] * 13, [1] * 13), 100)
    assert problem.field == "columns"
    for share in (0.01, 1e-320, 1 - 2.0**-53):
        (problem,) = PrivTree(share=share).problems(Privacy(1e-8), SQUARE, 100)
        assert problem.field == "share"
        assert problem.message.endswith("choose a share nearer to 0.5, or a larger epsilon")
    for change in ({"share": 0.0}, {"share": 1.0}, {"cells": "balls"}, {"threshold": -1.0}, {"post": "top"}):
        with pytest.raises(ParameterError, match=next(iter(change))):
            PrivTree(**change)
    for epsilon, parts in ((0.0, 4), (math.nan, 4), (1.0, 1)):
        with pytest.raises(ParameterError):
            Cutting.of(epsilon, parts)


def test_it_costs_no_delta_and_can_be_cancelled():
    assert PrivTree().guarantee.cost(Privacy(1.0, 1e-6)) == Privacy(1.0)

    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        PrivTree()._sanitizer(blobs(100, 2), Privacy(1.0)).histogram(reproducible(1), impatient)
