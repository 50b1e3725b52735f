"""Noisy counts made consistent: simplex, sorted, trees and margins, against their definitions."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from engine.errors import ParameterError
from engine.primitives.margins import consistent_margins
from engine.primitives.simplex import onto_simplex, sorted_fit, top_down, whole_on_simplex
from engine.primitives.trees import consistent_tree


def nearest_by_search(values, total):
    """The projection over all supports: on the right one, what is kept moves by the same amount."""
    best = None
    for kept in itertools.product([False, True], repeat=len(values)):
        mask = np.array(kept)
        if not mask.any():
            continue
        candidate = np.where(mask, values - (values[mask].sum() - total) / mask.sum(), 0.0)
        if candidate.min() >= -1e-12:
            distance = ((candidate - values) ** 2).sum()
            if best is None or distance < best[0]:
                best = distance, candidate
    return best[1]


class TestSimplex:
    def test_it_is_the_nearest_of_all(self):
        rng = np.random.default_rng(1)
        for _ in range(200):
            values = rng.normal(0, 5, rng.integers(1, 7)).round(rng.integers(0, 3))
            total = float(rng.choice([0, 1, 3, 20]))
            found = onto_simplex(values, total)
            assert found == pytest.approx(nearest_by_search(values, total), abs=1e-9)
            assert found.min() >= 0
            assert found.sum() == pytest.approx(total, abs=1e-9)

    def test_it_never_moves_away_from_a_histogram(self):
        rng = np.random.default_rng(2)
        for _ in range(100):
            true = rng.multinomial(50, rng.dirichlet(np.full(20, 0.2))).astype(float)
            noisy = true + rng.laplace(0, 5, 20)
            assert np.linalg.norm(onto_simplex(noisy, 50) - true) <= np.linalg.norm(noisy - true)
            assert onto_simplex(true, 50) == pytest.approx(true, abs=1e-9)

    def test_shapes_stay_and_large_numbers_keep_their_digits(self):
        found = onto_simplex(np.full((3, 4), 1e15) + np.arange(12.0).reshape(3, 4), 66)
        assert found.shape == (3, 4)
        assert found.sum() == pytest.approx(66, rel=1e-12)

    @pytest.mark.parametrize("shape", [(1,), (7,), (8,), (5, 3), (4, 4), (3, 2, 5)])
    def test_top_down_goes_from_block_to_block(self, shape):
        rng = np.random.default_rng(9)
        noisy = rng.normal(1, 5, shape)
        found = top_down(noisy, 30.0)
        assert found.shape == shape
        assert found.min() >= 0
        assert found.sum() == pytest.approx(30.0)

        # a cell is in a block; the longest axis of the blocks is the next to be joined in pairs
        sums, fitted, lengths = noisy, found, list(shape)
        while max(lengths) > 1:
            axis = int(np.argmax(lengths))
            for pair in range(-(-lengths[axis] // 2)):
                parts = [2 * pair, *([2 * pair + 1] if 2 * pair + 1 < lengths[axis] else [])]
                raw, fit = (np.take(one, parts, axis=axis) for one in (sums, fitted))
                for place in np.ndindex(*np.delete(lengths, axis)):
                    where = (*place[:axis], slice(None), *place[axis:])
                    wanted = onto_simplex(raw[where], max(fit[where].sum(), 0.0))
                    assert fit[where] == pytest.approx(wanted, abs=1e-9)
            starts = np.arange(0, lengths[axis], 2)
            sums, fitted = (np.add.reduceat(one, starts, axis=axis) for one in (sums, fitted))
            lengths[axis] = len(starts)
        exact = rng.integers(0, 9, shape).astype(float)
        assert top_down(exact, exact.sum()) == pytest.approx(exact, abs=1e-9)

    def test_whole_counts_are_the_nearest_to_the_projection(self):
        rng = np.random.default_rng(4)
        for _ in range(50):
            noisy, total = rng.normal(1, 3, 3), int(rng.integers(0, 8))
            nearest, whole = onto_simplex(noisy, total), whole_on_simplex(noisy, total)
            assert (whole == whole.round()).all()
            assert (whole >= 0).all()
            assert whole.sum() == total
            others = [each for each in np.ndindex((total + 1,) * 3) if sum(each) == total]
            best = min(float(np.linalg.norm(nearest - other)) for other in others)
            assert np.linalg.norm(nearest - whole) == pytest.approx(best)

    def test_sorted_counts_stay_sorted_when_they_become_whole(self):
        rng = np.random.default_rng(5)
        for _ in range(50):
            falling = -np.sort(-rng.normal(3, 4, 20))
            assert (np.diff(whole_on_simplex(falling, 57)) <= 0).all()

    @pytest.mark.parametrize("shape", [(1,), (7,), (64,), (5, 3), (3, 2, 5)])
    def test_top_down_can_give_whole_counts(self, shape):
        rng = np.random.default_rng(6)
        for _ in range(20):
            noisy = rng.integers(-5, 9, shape).astype(float)
            whole = top_down(noisy, 30, whole=True)
            assert not np.signbit(whole).any()
            assert (whole == whole.round()).all()
            assert (whole >= 0).all()
            assert whole.sum() == 30
        exact = rng.integers(0, 9, shape).astype(float)
        assert (top_down(exact, exact.sum(), whole=True) == exact).all()

    def test_halves_shift_no_region(self):
        many = np.array([top_down(np.zeros(64), total, whole=True) for total in range(1, 64, 2)])
        left, right = many[:, :32].sum(), many[:, 32:].sum()
        assert abs(left - right) <= 64

    @pytest.mark.parametrize("total", [-1.0, np.nan, np.inf])
    def test_senseless_totals_are_refused(self, total):
        with pytest.raises(ParameterError, match="total"):
            onto_simplex([1.0], total)


def test_the_sorted_fit_is_the_nearest_sorted_sequence():
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.normal(0, 3, 6)
        found = sorted_fit(values)
        assert np.all(np.diff(found) <= 1e-12)
        rises = {"type": "ineq", "fun": lambda fit: -np.diff(fit)}
        searched = minimize(
            lambda fit, values=values: ((fit - values) ** 2).sum(),
            np.full(6, values.mean()),
            constraints=rises,
            method="SLSQP",
        )
        assert ((found - values) ** 2).sum() <= searched.fun + 1e-9


def random_tree(rng, m):
    return np.array([-1, *(rng.integers(0, child) for child in range(1, m))])


def dense_tree(values, variances, parents):
    """Least squares over the counts of the leaves; a known root is a heavy equation's limit."""
    m = len(parents)
    leaves = np.setdiff1d(np.arange(m), parents)
    sums = np.zeros((m, len(leaves)))
    for column, leaf in enumerate(leaves):
        node = leaf
        while node >= 0:
            sums[node, column] = 1
            node = parents[node]
    exact = variances == 0
    used = np.isfinite(variances) & ~exact
    rows, right = sums[used] / np.sqrt(variances[used])[:, None], (values / np.sqrt(variances))[used]
    # Lagrange multipliers for what is exact
    k, e = len(leaves), int(exact.sum())
    system = np.block([[rows.T @ rows, sums[exact].T], [sums[exact], np.zeros((e, e))]])
    return sums @ np.linalg.solve(system, np.concatenate([rows.T @ right, values[exact]]))[:k]


class TestTree:
    @pytest.mark.filterwarnings("ignore:divide by zero")
    def test_it_is_the_least_squares_solution(self):
        rng = np.random.default_rng(4)
        for trial in range(60):
            m = int(rng.integers(1, 25))
            parents = random_tree(rng, m)
            values, variances = rng.normal(0, 10, m), rng.uniform(0.1, 9, m)
            inner = np.unique(parents[1:])
            variances[inner[rng.random(len(inner)) < 0.3]] = np.inf
            if trial % 3 == 0 and m > 1:
                variances[0] = 0.0
            found = consistent_tree(np.where(np.isinf(variances), np.nan, values), variances, parents)
            assert found == pytest.approx(dense_tree(values, variances, parents), abs=1e-8)

    def test_children_add_up_and_a_known_root_stays(self):
        rng = np.random.default_rng(5)
        parents = random_tree(rng, 4000)
        variances = rng.uniform(1, 2, 4000)
        variances[0] = 0
        found = consistent_tree(rng.normal(0, 10, 4000), variances, parents)
        sums = np.bincount(parents[1:], found[1:], 4000)
        inner = np.unique(parents[1:])
        assert found[inner] == pytest.approx(sums[inner], abs=1e-9)

    def test_a_chain_and_a_star(self):
        assert consistent_tree([3.0, 5.0], [1.0, 1.0], [-1, 0]) == pytest.approx([4.0, 4.0])
        assert consistent_tree([6.0, 1.0, 2.0], [0.0, 1.0, 2.0], [-1, 0, 0]) == pytest.approx([6, 2, 4])

    @pytest.mark.parametrize(
        ("variances", "parents", "field"),
        [
            ([1.0, 1.0], [1, -1], "parents"),
            ([1.0, np.inf], [-1, 0], "variances"),
            ([1.0, 0.0], [-1, 0], "variances"),
            ([-1.0, 1.0], [-1, 0], "variances"),
            ([1.0, np.nan], [-1, 0], "variances"),
        ],
    )
    def test_senseless_trees_are_refused(self, variances, parents, field):
        with pytest.raises(ParameterError, match=field):
            consistent_tree([0.0, 0.0], variances, parents)


def summed(shape, axes):
    """The matrix that takes a table to its margin."""
    cells = np.arange(np.prod(shape)).reshape(shape)
    others = tuple(axis for axis in range(len(shape)) if axis not in axes)
    size = int(np.prod([shape[axis] for axis in axes], dtype=int))
    matrix = np.zeros((size, cells.size))
    for row, column in enumerate(np.moveaxis(cells, others, range(-len(others), 0)).reshape(size, -1)):
        matrix[row, column] = 1
    return matrix


class TestMargins:
    shape = (2, 3, 4)

    def noisy(self, families, seed):
        rng = np.random.default_rng(seed)
        table = rng.poisson(5, self.shape).astype(float)
        sizes = {axes: tuple(self.shape[axis] for axis in axes) for axes in families}
        true = {axes: (summed(self.shape, axes) @ table.ravel()).reshape(sizes[axes]) for axes in families}
        variances = {axes: float(rng.uniform(0.5, 5)) for axes in families}
        found = {
            axes: margin + np.sqrt(variances[axes]) * rng.standard_normal(margin.shape)
            for axes, margin in true.items()
        }
        return found, variances, true

    @pytest.mark.parametrize(
        "families",
        [
            [(0, 1), (1, 2)],
            [(0, 1), (1, 2), (0, 2)],
            [(0,), (0, 1, 2), (2,), ()],
            [(1,), (2,)],
            [(0, 2)],
        ],
    )
    def test_they_are_those_of_the_best_table(self, families):
        for seed in range(5):
            noisy, variances, true = self.noisy(families, seed)
            found = consistent_margins(noisy, variances)
            rows = [summed(self.shape, axes) / np.sqrt(variances[axes]) for axes in families]
            right = [noisy[axes].ravel() / np.sqrt(variances[axes]) for axes in families]
            table = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)[0]
            for axes in families:
                assert found[axes].shape == noisy[axes].shape
                assert found[axes].ravel() == pytest.approx(summed(self.shape, axes) @ table, abs=1e-9)

            def far(margins, true=true, variances=variances):
                return sum(((margins[axes] - true[axes]) ** 2).sum() / variances[axes] for axes in true)

            assert far(found) <= far(noisy) * (1 + 1e-9)

    def test_a_public_total_is_kept(self):
        noisy, variances, true = self.noisy([(0, 1), (1, 2), ()], 7)
        noisy[()], variances[()] = true[()], 0.0
        found = consistent_margins(noisy, variances)
        assert found[()] == pytest.approx(true[()])
        assert found[(0, 1)].sum() == pytest.approx(true[()])
        assert found[(0, 1)].sum(axis=0) == pytest.approx(found[(1, 2)].sum(axis=1))

    @pytest.mark.parametrize(
        ("margins", "variances", "field"),
        [
            ({(1, 0): np.ones((2, 2))}, {(1, 0): 1.0}, "margins"),
            ({(0,): np.ones((2, 2))}, {(0,): 1.0}, "margins"),
            ({(0,): [1.0, 2.0], (0, 1): np.ones((3, 2))}, {(0,): 1.0, (0, 1): 1.0}, "margins"),
            ({(0,): [1.0]}, {}, "variances"),
            ({(0,): [1.0]}, {(0,): -1.0}, "variances"),
        ],
    )
    def test_senseless_margins_are_refused(self, margins, variances, field):
        with pytest.raises(ParameterError, match=field):
            consistent_margins(margins, variances)
