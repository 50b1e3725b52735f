"""The attack on the low bits: real releases of one database that are impossible for its neighbour.

`low_bits_run` has the method.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np

from engine.arguments import as_whole
from engine.array_types import Bools, Floats, Ints
from engine.audit import doubles
from engine.audit.choices import MIN_RUNS
from engine.audit.pairs import Pair, checked_pair
from engine.errors import ParameterError
from engine.mechanisms.aggregators import VectorAdditive
from engine.mechanisms.base import Mechanism, MechanismLike, checked_mechanism
from engine.mechanisms.categories.contingency_table import TablePrepared
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.mechanisms.histograms.noisy import NoisyGrid
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.planted.base import intended
from engine.mechanisms.planted.doubles import DoublesPrepared
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.propose_test_release import PtrPrepared
from engine.noise import Laplace
from engine.numerals import grouped, short
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.randomness import secure
from engine.sampling.public_grid import PublicGrid, stack_rows
from engine.signatures import explained


@runtime_checkable
class OwnArithmetic(Protocol):
    """Determines itself which doubles it can release."""

    def possible(self, values: Floats) -> Bools | None:
        """Tell which doubles can be released; None if unknown."""


def possible(ready: Prepared, values: Floats, on_grid: Bools, dimension: int) -> Bools:
    """Tell which releases a prepared mechanism can give, shape (size,).

    An exactly rounded release can be every point of its grid, and nothing else.  A refusal is possible.
    `values` are the numbers of releases, and `on_grid` tells which lie on the grid, shape (size, D).
    `dimension` is D; if a release is a set of points without order, it is the number of coordinates of a
    point.
    """
    if isinstance(ready, DoublesPrepared):
        return np.asarray(possible_doubles(ready.ready, values, dimension) | np.isnan(values).any(axis=1))
    if isinstance(ready, OwnArithmetic) and (known := ready.possible(values[:, 0])) is not None:
        return known
    return np.asarray(on_grid.all(axis=1))


def possible_doubles(ready: Prepared, values: Floats, dimension: int) -> Bools:
    """Tell which values noise in double precision can give; all, if nothing is known about it."""
    if isinstance(ready, PtrPrepared):
        return possible_doubles(ready.answer, values, dimension)
    if isinstance(ready, PiecewisePrepared) and not ready.near.falls.any():
        return doubles.in_pieces(values[:, 0], ready.edges)
    if isinstance(ready, AdditivePrepared):
        is_laplace = isinstance(ready.family, Laplace)
        return doubles.sums(values[:, 0], float(ready.center), ready.scale, laplace=is_laplace)
    if isinstance(ready, VectorAdditive):
        return _of_vectors(ready, values, dimension)
    counts = _counts(ready)
    if counts is None:
        return np.ones(len(values), dtype=bool)
    centers, scale, is_laplace = counts
    columns = zip(values.T, centers.tolist(), strict=True)
    each = [doubles.sums(column, center, scale, laplace=is_laplace) for column, center in columns]
    possible_values: Bools = np.all(each, axis=0)
    return possible_values


def _of_vectors(ready: VectorAdditive, values: Floats, dimension: int) -> Bools:
    """Tell which vectors, or sets of points, are possible: each point must be possible for one of the
    centers.

    A number at the bounds may have been clamped.
    """
    is_laplace = isinstance(ready.family, Laplace)

    def near(column: Floats, index: int) -> Bools:
        """Tell which numbers are possible for one coordinate of one center."""
        center, scale = float(ready.center[index]), float(ready.scale[index])
        ends = (column == ready.box.lower[index]) | (column == ready.box.upper[index])
        return np.asarray(doubles.sums(column, center, scale, laplace=is_laplace) | ends)

    starts = range(0, values.shape[1], dimension)
    possible_values = np.ones(len(values), dtype=bool)
    for point in starts:
        ways = [
            np.all([near(values[:, point + axis], center + axis) for axis in range(dimension)], axis=0)
            for center in starts
        ]
        possible_values &= np.any(ways, axis=0)
    return possible_values


def _counts(ready: Prepared) -> tuple[Floats, float, bool] | None:
    """Return the counts before noise, its scale, and whether it is Laplace noise."""
    if isinstance(ready, TablePrepared):
        return ready.counts, ready.added.scale, ready.added.family == "laplace"
    if isinstance(ready, HistogramPrepared) and isinstance(ready.sanitizer, NoisyGrid):
        added = ready.sanitizer.added
        return ready.sanitizer.counts.astype(np.float64), added.scale, added.family == "laplace"
    return None


FALSE_ALARM = 1e-6
"""Probability of a false alarm for low bits with equal distributions."""

TESTED_BITS = 20
"""Number of lowest bits of the grid position to test."""

MIN_BITS_BELOW_SPREAD = 10
"""Binary digits by which they must be below the spread of the outputs, so that noise hides the rest."""

BITS_PER_TEST = 6
"""Bits per chi-square test: the lowest ones, and the highest of the tested ones."""

MIN_PER_CLASS = 32
"""Outputs per class, on average over both databases together."""

MAX_VALUE_SHARE = 0.01
"""A value with a larger share of the outputs is a bound, and has no low bits."""

MAX_EXACT_STEPS = 2.0**53
"""Larger numbers of steps are rounded, and have no lowest bit."""


def p_value(first: Floats, second: Floats) -> float:
    """Return the p-value for equal distributions of low bits, corrected for multiple tests.

    Chi-square tests for each number, with the lowest and the highest of its low bits.  Differences that the
    guarantee allows are excluded: bits that are less than ten binary digits below the spread of the outputs,
    and values that many outputs share.  Both sides are grid positions in steps, shape (runs, D); NaN for a
    refusal, or a number on no grid.
    """
    columns = range(min(first.shape[1], second.shape[1]))
    p_values = [p for column in columns for p in _looks(first[:, column], second[:, column])]
    return min(1.0, len(p_values) * min(p_values)) if p_values else 1.0


def _looks(first: Floats, second: Floats) -> Iterator[float]:
    sides = _with_low_bits([np.floor(side[np.isfinite(side)]) for side in (first, second)])
    pooled = np.concatenate(sides)
    if not all(side.size for side in sides):
        return
    spread = float(np.subtract(*np.quantile(pooled, [0.75, 0.25])))
    bits = min(TESTED_BITS, math.frexp(spread)[1] - 1 - MIN_BITS_BELOW_SPREAD)
    classes = min(BITS_PER_TEST, bits, math.frexp(pooled.size / MIN_PER_CLASS)[1] - 1)
    if classes < 1:
        return
    low = [np.mod(side, 2.0**bits).astype(np.int64) for side in sides]
    yield _chi_square(*(np.bincount(side % (1 << classes), minlength=1 << classes) for side in low))
    if bits > classes:
        yield _chi_square(*(np.bincount(side >> (bits - classes), minlength=1 << classes) for side in low))


def _with_low_bits(sides: list[Floats]) -> list[Floats]:
    """Return both sides without rounded positions, and without values that many outputs share."""
    values, counts = np.unique(np.concatenate(sides), return_counts=True)
    common = values[counts > max(1, MAX_VALUE_SHARE * counts.sum())]
    return [side[(np.abs(side) < MAX_EXACT_STEPS) & ~np.isin(side, common)] for side in sides]


def _chi_square(first: Ints, second: Ints) -> float:
    """Return the p-value of the test that counts in the same classes have one distribution."""
    from scipy.special import chdtrc

    both = first + second
    filled = both > 0
    ratio = math.sqrt(second.sum() / first.sum())
    squares = (first * ratio - second / ratio)[filled] ** 2 / both[filled]
    return float(chdtrc(int(filled.sum()) - 1, squares.sum())) if filled.sum() > 1 else 1.0


def grid_of(mechanism: Mechanism[Any], data: Any, privacy: Privacy) -> PublicGrid:
    """Return the grid of a mechanism's released numbers."""
    right = intended(mechanism)
    grid = right._number_grid(data, privacy)
    if grid is not None:
        return grid
    raise ParameterError(
        "mechanism",
        f"{right.label} releases no numbers on a grid, so that their low bits cannot be tested",
    )


def point_size(mechanism: Mechanism[Any], domain: Any, size: int) -> int:
    """Return the number of coordinates of a point, if `size` numbers are a set without order; otherwise
    `size`.
    """
    vectors = getattr(intended(mechanism), "vectors", None)
    return int(domain.dimension) if getattr(vectors, "unordered", False) else size


def numbers(
    mechanism: Mechanism[Any],
    ready: Prepared,
    domain: Any,
    rng: np.random.Generator,
    size: int,
    *,
    progress: Progress = silent,
) -> Floats:
    """Draw `size` releases, and return the numbers in each, shape (size, D); missing ones are NaN."""
    return mechanism.output.in_order(ready.draw_numbers(rng, size, progress), domain).reshape(size, -1)


MAX_NUMBERS = 10**7
"""Largest number of numbers drawn on each side: 80 MB."""


BATCH_SIZE = 100
"""Releases to draw between two progress reports: a fraction of a second."""

MAX_LOW_BITS_RUNS = 5000
"""Most releases of either database: enough to detect faults in the low bits, and more take long."""


@dataclasses.dataclass(frozen=True)
class LowBits:
    """The result of the attack on the low bits, from `low_bits_run`."""

    privacy: Privacy
    runs: int  # real releases of either database
    # spacings of the public grid, one per number if they differ; NaN for a number on no grid
    step: tuple[float, ...]
    same_grid: bool
    off_grid: float  # share of all releases with a number off the grid
    # share of the releases of either database that are impossible for the other
    impossible: tuple[float, float]
    at_least: float  # lower bound of the larger probability, wrong once in a million
    p_value: float  # of the test for equal distributions of the low bits; 1 without a test

    @property
    def refuted(self) -> bool:
        """Whether impossible outputs are more likely than delta allows; with delta 0, one is enough."""
        return self.at_least > self.privacy.delta

    @property
    def told_apart(self) -> bool:
        """Whether the low bits of the two databases have different distributions."""
        return self.p_value < FALSE_ALARM

    @property
    def violated(self) -> bool:
        """Whether the guarantee is refuted, or its grid is violated."""
        return self.refuted or self.told_apart or self.off_grid > 0 or not self.same_grid

    @property
    def verdict(self) -> str:
        """Return "violated" or "consistent"."""
        return "violated" if self.violated else "consistent"

    def describe(self) -> str:
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        sentences = []
        if not self.same_grid:
            sentences.append("The grid is not the same for both databases.")
        if self.off_grid:
            sentences.append(f"{_share(self.off_grid)} of the releases do not lie on the public grid.")
        if max(self.impossible):
            first, second = map(_share, self.impossible)
            sentences.append(
                f"{first} of the first database's releases are impossible for the second, and "
                f"{second} the other way."
            )
            if self.refuted and self.privacy.delta == 0:
                sentences.append("One impossible release is enough to refute every ε.")
        if self.told_apart:
            sentences.append(f"The low bits tell the databases apart (p = {short(self.p_value, 1)}).")
        if not sentences and np.isnan(self.step).all():
            sentences.append(
                "The releases lie on no public grid; none is known to be impossible for the "
                "neighbor. An audit can refute a guarantee, never prove it."
            )
        elif not sentences:
            sentences.append(
                "Every release lies on the public grid, which is the same for both databases. "
                "Each is possible for the neighbor, and the low bits do not tell them apart "
                f"(p = {short(self.p_value, 2)}). An audit can refute a guarantee, never prove it."
            )
        return sentences


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class LowBitsRun:
    """The result of the attack with its draws (private if a database is), from `low_bits_run`."""

    result: LowBits
    # steps from the nearest grid point, in [-1/2, 1/2], of the numbers on a grid, shape (size,)
    positions: tuple[Floats, Floats]
    # whether each release is impossible for the other database
    impossible: tuple[Bools, Bools]


setattr(LowBitsRun, "found", property(operator.attrgetter("result")))  # noqa: B010, the name in old scripts


@explained
def low_bits_run(
    mechanism: MechanismLike,
    pair: Pair,
    privacy: PrivacyLike,
    *,
    runs: int = MAX_LOW_BITS_RUNS,
    progress: Progress = silent,
) -> LowBitsRun:
    """Draw real releases of both databases of a pair, and attack their low bits.

    Mechanisms are proved private for real numbers, but releases are doubles.  So the attack draws real
    releases, with the operating system's entropy, and tests them in three ways:

    * Every number must lie on the public grid, which must be the same for both databases.
    * Outputs of one database may be impossible for the other.  A single one refutes every epsilon; with a
      delta above 0, their probability must be below it.
    * The lowest bits must have the same distribution for both.  They are far below the noise, so they show
      nothing that noise should hide.

    Outputs that are rounded exactly to the grid, with noise of full support, can be every point of the grid,
    and nothing else.  For noise in double precision, `engine.audit.doubles` decides.

    Optional post-processing is omitted.  Results are not reproducible, since releases use no seed; if a
    database is private, so are they.

    Parameters
    ----------
    mechanism : Mechanism
    pair : Pair
    privacy : PrivacyLike
        The guarantee to refute.
    runs : int
        Releases of either database, at least 1,000.
    progress : Progress

    Returns
    -------
    LowBitsRun

    Raises
    ------
    ParameterError
        If the mechanism does not fit, releases no numbers on a grid, or `runs` is out of range.

    See Also
    --------
    attack_low_bits, noise_step

    Examples
    --------
    Real releases lie on a public grid, the same for both databases:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, worst_case_pairs
    >>> mechanism, asked = LaplaceRelease(query=Mean()), Privacy(1.0)
    >>> [pair, *_] = worst_case_pairs(mechanism, Interval(0, 100), 10, asked)
    >>> found = low_bits_run(mechanism, pair, asked, runs=1000).found
    >>> found.same_grid, found.off_grid
    (True, 0.0)
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    pair, runs = checked_pair(pair), as_whole("runs", runs, 1)
    if runs < MIN_RUNS:
        raise ParameterError("runs", f"{grouped(runs)} are too few; at least {grouped(MIN_RUNS)} are needed")
    bare = mechanism.unprocessed()
    databases = pair.data, pair.neighbour
    grids = [grid_of(bare, database, privacy) for database in databases]
    ready = [
        bare.prepare(database, privacy, part(progress, *ends))
        for database, ends in zip(databases, ((0.0, 0.05), (0.05, 0.1)), strict=True)
    ]
    drawn = [
        _draw_real(bare, one, pair.data.domain, runs=runs, progress=part(progress, *ends))
        for one, ends in zip(ready, ((0.1, 0.45), (0.45, 0.8)), strict=True)
    ]
    progress(0.8, "testing the low bits")
    on = [grid.holds(side) for grid, side in zip(grids, drawn, strict=True)]
    width = point_size(bare, pair.data.domain, drawn[0].shape[1])
    impossible = [
        ~possible(other, side, good, width)
        for other, side, good in zip(reversed(ready), drawn, on, strict=True)
    ]
    progress(0.95, "comparing both sides")
    counts = [int(side.sum()) for side in impossible]
    result = LowBits(
        privacy=privacy,
        runs=runs,
        step=tuple(np.unique(grids[0].step).tolist()),
        same_grid=grids[0].same(grids[1]),
        off_grid=float(np.mean([~side.all(axis=1) for side in on])),
        impossible=(counts[0] / runs, counts[1] / runs),
        at_least=_at_least(max(counts), runs),
        p_value=p_value(*(grid.index(side) for grid, side in zip(grids, drawn, strict=True))),
    )
    positions = [_positions(grid, side) for grid, side in zip(grids, drawn, strict=True)]
    of_numbers = [
        np.broadcast_to(no[:, None], side.shape) for no, side in zip(impossible, drawn, strict=True)
    ]
    kept = [np.isfinite(side) for side in positions]
    progress(1.0, "attacked")
    return LowBitsRun(
        result,
        (positions[0][kept[0]], positions[1][kept[1]]),
        (of_numbers[0][kept[0]], of_numbers[1][kept[1]]),
    )


def check_grid(mechanism: Mechanism[Any], pair: Pair, privacy: Privacy) -> None:
    """Raise `ParameterError` if a mechanism releases no numbers on a grid, before drawing any."""
    grid_of(mechanism.unprocessed(), pair.data, privacy)


def _draw_real(
    mechanism: Mechanism[Any], ready: Prepared, domain: Any, *, runs: int, progress: Progress
) -> Floats:
    rng, chunks = secure(), []
    batch_size = min(ready.batch_size, BATCH_SIZE)
    for start in range(0, runs, batch_size):
        size = min(batch_size, runs - start)
        here = part(progress, start / runs, (start + size) / runs)
        here(0.0, "real releases")
        chunks.append(numbers(mechanism, ready, domain, rng, size, progress=here))
        each = chunks[0].shape[1]
        if runs * each > MAX_NUMBERS:
            raise ParameterError(
                "runs",
                f"{grouped(runs)} releases of {grouped(each)} numbers each are too many to keep; "
                f"at most {grouped(MAX_NUMBERS // each)} are possible",
            )
    return stack_rows(chunks)


def _positions(grid: PublicGrid, drawn: Floats) -> Floats:
    """Return the distances of numbers from the nearest grid point, in steps; NaN without a grid."""
    steps = grid.index(drawn)
    with np.errstate(invalid="ignore"):
        off: Floats = steps - np.rint(steps)
    off[grid.holds(drawn) & np.isfinite(steps)] = 0.0
    return off


def _at_least(count: int, runs: int) -> float:
    """Return a lower bound of a probability, wrong once in a million (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    return 0.0 if count == 0 else float(betaincinv(count, runs - count + 1, FALSE_ALARM))


def _share(part: float) -> str:
    """Format a share in per cent; a positive one never as 0."""
    return f"{short(100 * part, 3)} %" if part >= 1e-3 else "Fewer than 0.1 %"
