"""The largest fractional packing, as an exact rational number: a linear program.

HiGHS solves it in floating point; exact steps of the simplex method then prove or correct its answer.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.progress import Progress, part, silent
from engine.runners import waited

if TYPE_CHECKING:
    from flint import fmpq_mat


COLUMNS_PER_STEP = 100_000
"""Columns in the first linear program in floating point, and how many it adds at a time."""

TOLERANCE = 1e-6
"""Tolerance for equal doubles; if it is wrong, exact steps correct the result."""

PRIME = 2**61 - 1
"""Columns that are independent modulo a prime are independent."""


@dataclasses.dataclass(frozen=True, eq=False)
class FractionalPacking:
    """The linear program: columns of at most three rows, each row with the same capacity.

    Column S is a set of at most three rows and may be used x_S times, 0 <= x_S <= m_S.  Each row may be used
    at most c times in all.  Maximize the sum of the x_S.

    No double is trusted.  The solution in floating point only names a basis.  Its vertex is computed in
    rational numbers, and the simplex method continues from there until nothing improves.  It always ends:
    after a step without improvement, Bland's rule decides, which never returns to a basis.

    Source: Bland 1977, "New finite pivoting rules for the simplex method"; Applegate, Cook, Dash, Espinoza
    2007, "Exact solutions to linear programming problems", for a basis from doubles.
    """

    rows: Ints  # (k, 3): the rows of each column; missing ones are `height`
    most: Ints  # (k,): largest use of each column
    height: int  # number of rows
    capacity: int  # largest use of a row

    def largest(self, progress: Progress = silent) -> Fraction:
        """Return the largest sum of uses."""
        if not self.height or not len(self.rows):
            return Fraction(int(self.most.sum()))
        return _Simplex(self, *_guess(self, progress=part(progress, 0.0, 0.7))).optimum(
            part(progress, 0.7, 1.0)
        )


class _Simplex:
    """The simplex method with bounds, in rational numbers; variable k + v is the slack of row v."""

    def __init__(self, packing: FractionalPacking, basis: list[int], full: Bools) -> None:
        self._packing, self._k = packing, len(packing.rows)
        self._basis, self._full = basis, full
        if not all(self._within(row, value) for row, value in enumerate(self._point())):
            # the basis from doubles is not feasible: begin with no uses
            self._basis = list(range(self._k, self._k + packing.height))
            self._full = np.zeros(self._k, dtype=bool)

    def optimum(self, progress: Progress) -> Fraction:
        """Return the largest sum, after as many steps as needed."""
        stuck = False
        while True:
            progress(0.0, "proving that nothing larger is possible")
            entering = self._entering(careful=stuck)
            if entering is None:
                return self._value()
            stuck = self._step(entering) == 0

    def _value(self) -> Fraction:
        used = sum(value for one, value in zip(self._basis, self._point(), strict=True) if one < self._k)
        return int(self._packing.most[self._full].sum()) + Fraction(used)

    def _most(self, variable: int) -> int | None:
        return int(self._packing.most[variable]) if variable < self._k else None

    def _within(self, row: int, value: Fraction) -> bool:
        most = self._most(self._basis[row])
        return value >= 0 and (most is None or value <= most)

    def _matrix(self, transposed: bool = False) -> Any:
        from flint import fmpz_mat

        columns = self._columns(self._basis)
        return fmpz_mat((columns if transposed else columns.T).tolist())

    def _columns(self, variables: list[int]) -> Ints:
        """Return the column of each variable, as a row, shape (size, height)."""
        return columns_of(self._packing, np.array(variables))

    def _solve(self, matrix: Any, right: list[int]) -> list[Fraction]:
        from flint import fmpz_mat

        solution: fmpq_mat = matrix.solve(fmpz_mat([[value] for value in right]))
        return [Fraction(int(one.p), int(one.q)) for one in solution.entries()]

    def _point(self) -> list[Fraction]:
        """Return the values of the basis variables."""
        packing = self._packing
        weights = np.repeat(packing.most[self._full], 3)
        taken = np.zeros(packing.height + 1, dtype=np.int64)
        np.add.at(taken, packing.rows[self._full].ravel(), weights)
        return self._solve(self._matrix(), (packing.capacity - taken[:-1]).tolist())

    def _entering(self, careful: bool) -> int | None:
        """Return a variable that improves the sum, or None: the first one if `careful`, else the best."""
        gained = [int(one < self._k) for one in self._basis]
        prices = self._solve(self._matrix(transposed=True), gained)
        whole = math.lcm(*(price.denominator for price in prices))
        scaled = [int(price * whole) for price in prices]
        small = 4 * max(whole, *map(abs, scaled)) < 2**62
        paid = np.array([*scaled, 0], dtype=np.int64 if small else object)
        gains = whole - paid[self._packing.rows].sum(axis=1)
        gains = np.concatenate([np.where(self._full, -gains, gains), -paid[:-1]])
        gains[self._basis] = 0
        better = np.flatnonzero(gains > 0)
        if not better.size:
            return None
        return int(better[0] if careful else better[np.argmax(gains[better])])

    def _step(self, entering: int) -> Fraction:
        """Let a variable enter the basis, and return the size of the step."""
        falls = entering < self._k and bool(self._full[entering])
        column = self._columns([entering])[0]
        rates = self._solve(self._matrix(), (-column if falls else column).tolist())
        limit: Fraction | int | None = self._most(entering)
        leaving: int | None = None
        for row, (rate, value) in enumerate(zip(rates, self._point(), strict=True)):
            bound = 0 if rate > 0 else self._most(self._basis[row])
            if rate == 0 or bound is None:
                continue
            room = (value - bound) / rate
            first = leaving is None or self._basis[row] < self._basis[leaving]
            if limit is None or room < limit or (room == limit and leaving is not None and first):
                limit, leaving = room, row
        if leaving is None:
            self._full[entering] = not falls
        else:
            left = self._basis[leaving]
            if left < self._k:
                self._full[left] = rates[leaving] < 0
            if falls:
                self._full[entering] = False
            self._basis[leaving] = entering
        assert limit is not None, "the step is bounded: a row is used less only if a column is"
        return Fraction(limit)


def columns_of(packing: FractionalPacking, variables: Ints) -> Ints:
    """Return the columns of variables, as rows, shape (size, height)."""
    k, height = len(packing.rows), packing.height
    uses = np.zeros((len(variables), height + 1), dtype=np.int64)
    own = variables < k
    uses[np.flatnonzero(own)[:, None], packing.rows[variables[own]]] = 1
    uses[np.flatnonzero(~own), variables[~own] - k] = 1
    return uses[:, :-1]


def _guess(packing: FractionalPacking, *, progress: Progress) -> tuple[list[int], Bools]:
    """Return the best basis by doubles, and the columns outside of it that are used in full."""
    used, paid, known = _in_doubles(
        packing, progress=progress
    )  # in random order, so that the first ones meet all rows
    most, k, height = packing.most[known], len(packing.rows), packing.height
    left = packing.capacity - np.bincount(packing.rows[known].ravel(), np.repeat(used, 3), height + 1)[:-1]
    inside = (used > TOLERANCE) & (used < most - TOLERANCE)
    even = np.abs(1 - np.append(paid, 0.0)[packing.rows[known]].sum(axis=1)) < TOLERANCE
    slack = k + np.arange(height)
    wanted = np.concatenate(
        [
            known[inside],
            slack[left > TOLERANCE],
            known[even & ~inside][: 8 * height],
            slack[left <= TOLERANCE],
        ]
    )
    basis = wanted[_independent(columns_of(packing, wanted))].tolist()
    full = np.zeros(k, dtype=bool)
    full[known[used >= most - TOLERANCE]] = True
    full[[one for one in basis if one < k]] = False
    return basis, full


def _independent(columns: Ints) -> Ints:
    """Return the indices of columns, given as rows, that are independent of those before them."""
    from flint import nmod_mat

    reduced, rank = nmod_mat(columns.T.tolist(), PRIME).rref()
    entries = np.array(reduced.tolist(), dtype=object)
    return np.array([int(np.argmax(entries[row] != 0)) for row in range(rank)])


def _in_doubles(packing: FractionalPacking, *, progress: Progress) -> tuple[Floats, Floats, Ints]:
    """Return the uses of columns, the dual price of each row, and the indices of those columns."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    k, height = len(packing.rows), packing.height
    order = np.random.default_rng(1).permutation(k)  # any order works
    known = order[:COLUMNS_PER_STEP]
    while True:
        size = len(known)
        here = part(progress, min(1.0, size / k), 1.0)
        places = np.repeat(np.arange(size), 3)
        matrix = csr_array(
            (np.ones(3 * size), (packing.rows[known].ravel(), places)), shape=(height + 1, size)
        )[:-1]
        solve = functools.partial(
            linprog,
            -np.ones(size),
            A_ub=matrix,
            b_ub=np.full(height, float(packing.capacity)),
            bounds=np.column_stack([np.zeros(size), packing.most[known]]),
            method="highs-ipm",
        )
        solution = waited(solve, here, "computing the largest weights")
        if solution.x is None:
            return np.zeros(size), np.ones(height), known
        paid = -np.asarray(solution.ineqlin.marginals)
        gains = 1 - np.append(paid, 0.0)[packing.rows].sum(axis=1)
        gains[known] = 0
        better = np.flatnonzero(gains > TOLERANCE)
        if not better.size:
            return np.asarray(solution.x), paid, known
        known = np.concatenate([known, better[np.argsort(-gains[better])][:COLUMNS_PER_STEP]])
