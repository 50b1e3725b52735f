"""What tells a table that is only similar to another: a min-hash of its rows, and sums over its columns."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.canonical import NO_TIME, CanonicalColumn, Words

BINS = 512
"""Rows are dealt into so many bins, of each of which one row is kept."""

SHIFT = np.uint64(64 - 9)
"""The first 9 bits of its hash are the bin of a row."""

MIN_VALUES = 64
"""A table of which fewer bins have a row, and a column with fewer values, resembles others by chance."""

MAX_SUMS = 64
"""Sums of so many columns are kept: of those with the least ones, so that two tables keep the same."""

MAX_CELL_COLUMNS = 8
"""Of so many columns cells are kept: of those with the least hash, mostly the same ones of two tables."""

SELDOM = 0.1
"""The share of the numbers of a column that may be repeated in it, if its cells are to tell anything."""

SPARSE = 100
"""So many times as many places as cells has the grid of numbers that others do not have by chance."""

DECIMALS = 7
"""Numbers with as many decimals or more are taken to be on no grid."""

SAMPLED_CELLS = 4096
"""Cells by which it is judged whether a column has many values."""

EMPTY = np.uint64(2**64 - 1)
"""Stands for the hash in a bin without a row."""

NAN = np.array([np.nan]).view(np.uint64)[0]
MISSING_CODES = {
    "number": (NAN,),
    "boolean": (np.uint64(2),),
    "date": (np.uint64(0), NO_TIME),
    "duration": (np.uint64(0), NO_TIME),
}
"""The codes of a missing cell, by the kind of the column; of text it has none."""

FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2^64 by the golden ratio: multiplied by it, neighbouring numbers end far apart."""

HALF = np.uint64(32)
MULTIPLIERS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
NEAR = 1e-3
"""How far from whole the number of a step may be, to be counted as such."""

CLOSE = 1e-9
"""How far a mean may be from that of even steps; of random numbers it is farther."""

COUNTED_TEXTS = 16
"""Texts by which it is seen that a column of names does not count through."""


_NUMBERED = re.compile(r"(\D*(?:\d+\D+)*?)(\d+)(\D*)", re.DOTALL)
"""A text with a number at its end, or before what follows the last number."""


@dataclasses.dataclass(frozen=True, eq=False)
class TableSketch:
    """What is kept of a table to find others like it (private): 512 of its rows as hashes, and sums.

    The hash of a row is a sum over its cells, so that neither names nor the order of columns matter, nor
    columns in which all is missing.  Each distinct row falls into one bin; that with the least hash in its
    bin is kept (one-permutation hashing: Li, Owen and Zhang, NIPS 2012).  The share of bins in which two
    tables keep the same row is about the share of the rows of either that are in both.

    Attributes
    ----------
    minima : ndarray of uint64, shape (512,)
        The hash of the row of each bin; `EMPTY` where there is none.
    repeats : ndarray of int, shape (512,)
        How often the table has that row.
    columns : tuple of int
        A hash of the values of each column with many of them, whatever their order; for a table whose
        columns have got other names, or some of whose columns are gone.
    cells : tuple of (ndarray of uint64, ndarray of int)
        The same as of the rows, of the cells of columns whose numbers are in no other data by chance; for a
        table of which rows are gone and columns, too.
    """

    minima: Words = dataclasses.field(repr=False)
    repeats: Ints = dataclasses.field(repr=False)
    columns: tuple[int, ...] = dataclasses.field(default=(), repr=False)
    cells: tuple[tuple[Words, Ints], ...] = dataclasses.field(default=(), repr=False)

    @property
    def tells(self) -> bool:
        """Whether the table has rows enough that it cannot resemble others by chance."""
        return int((self.repeats > 0).sum()) >= MIN_VALUES


class SketchMaker:
    """Makes the sketch of a table from its columns, a piece at a time; it keeps one number for each row."""

    def __init__(self, n: int) -> None:
        self._rows = np.zeros(n, np.uint64)
        self._stride = max(1, n // SAMPLED_CELLS)
        self._sums: list[int] = []
        self._cells: list[tuple[Words, Ints]] = []
        self._total = np.uint64(0)
        self._sample: list[Words] = []

    def add(self, start: int, column: CanonicalColumn, codes: list[Words]) -> None:
        """Take the cells of a column from row `start` on: its codes, and the hashes of its text."""
        missing = MISSING_CODES.get(column.kind, ())
        cells: Words | None = None
        for index, word in enumerate(codes):
            mixed = word ^ missing[index] if index < len(missing) else word.copy()
            if cells is not None:
                mixed ^= cells
            stir(mixed)
            cells = mixed
        if cells is not None:
            self._rows[start : start + len(cells)] += cells
            if len(self._rows) >= MIN_VALUES:
                self._total = np.add.reduce(cells, initial=self._total)
                self._sample.append(cells[:: self._stride].copy())

    def end_column(self, column: CanonicalColumn) -> None:
        """Take note that all cells of a column were added."""
        sample, total = self._sample, int(self._total)
        self._sample, self._total = [], np.uint64(0)
        if sample:
            values = len(np.unique(np.concatenate(sample)))
            if values >= MIN_VALUES and not _enumerates(column, self._stride):
                self._sums.append(total)
                if _is_sparse(column, self._stride):
                    self._keep_cells(column.codes[0] ^ NAN)

    def _keep_cells(self, codes: Words) -> None:
        """Keep one cell of each bin, if few of the column are repeated; 0 is a missing one."""
        stir(codes)
        minima, repeats = least_of_bins(_mixed(codes[codes > 0]))
        present = int((repeats > 0).sum())
        if present >= MIN_VALUES and (repeats > 1).sum() <= SELDOM * present:
            self._cells.append((minima, repeats))

    def made(self) -> TableSketch | None:
        """Return the sketch, once all columns were added; None of a table with few different rows."""
        if len(self._rows) < MIN_VALUES:
            return None
        hashes = _mixed(self._rows)
        minima, repeats = least_of_bins(hashes)
        cells = sorted(self._cells, key=lambda kept: int(kept[0].min()))
        sums = sorted(set(self._sums))
        sketch = TableSketch(minima, repeats, tuple(sums[:MAX_SUMS]), tuple(cells[:MAX_CELL_COLUMNS]))
        return sketch if sketch.tells else None


def least_of_bins(hashes: Words) -> tuple[Words, Ints]:
    """Return the least hash of each bin, and how often it is there."""
    few = 40 * BINS  # with so many, hardly any bin has none of them
    if len(hashes) > 2 * few:
        low = hashes[hashes << np.uint64(9) < np.uint64(2**64 // len(hashes) * few)]
        results = _least(low)
        if (results[1] > 0).all():
            return results
    return _least(hashes)


def _least(hashes: Words) -> tuple[Words, Ints]:
    bins = (hashes >> SHIFT).astype(np.int64)
    minima = np.full(BINS, EMPTY)
    np.minimum.at(minima, bins, hashes)
    return minima, np.bincount(bins[hashes == minima[bins]], minlength=BINS)


def stir(codes: Words) -> None:
    """Stir each word in its place, quickly: a bijection that leaves 0 as it is."""
    codes *= FACTOR
    codes ^= codes >> HALF
    codes *= FACTOR


def _mixed(codes: Words) -> Words:
    """Stir each word in its place, well: the last steps of SplitMix64."""
    shifted = np.empty_like(codes)
    for shift, factor in zip(SHIFTS[:2], MULTIPLIERS, strict=True):
        np.right_shift(codes, shift, out=shifted)
        codes ^= shifted
        codes *= factor
    np.right_shift(codes, SHIFTS[2], out=shifted)
    codes ^= shifted
    return codes


def _enumerates(column: CanonicalColumn, stride: int) -> bool:
    """Tell whether a column only counts through: row numbers, days, names ending so; others do the same."""
    if column.texts is not None:
        return not column.codes and _counts_through(column.texts)
    values = column.codes[0].view(np.float64 if column.kind == "number" else np.int64)
    lowest, highest = float(values.min()), float(values.max())
    if not np.isfinite(highest - lowest) or highest == lowest:  # missing cells are not a number
        return False
    sample = np.unique(values[::stride]).astype(np.float64)
    for step in ((highest - lowest) / (len(values) - 1), float(np.diff(sample).min())):
        count = round((highest - lowest) / step) + 1 if step > 0 else 0
        if 1 < count <= len(values) and len(values) % count == 0 and _on_grid(sample, lowest, step):
            return _equally_often(values, lowest, highest, count)
    return False


def _is_sparse(column: CanonicalColumn, stride: int) -> bool:
    """Tell whether a column has numbers that are few of those there might be, unlike ages or chosen keys.

    By the decimals and the steps that a sample of it has: on a grid, its cells are to be few of the places.
    """
    if column.kind != "number" or column.texts is not None:
        return False
    values = column.codes[0].view(np.float64)
    width = float(np.nanmax(values) - np.nanmin(values))
    if not np.isfinite(width):
        return False
    sample = np.unique(values[::stride])
    sample = sample[np.isfinite(sample)]
    for decimals in range(DECIMALS):
        scale = 10.0**decimals
        whole = np.rint(sample * scale)
        if np.abs(whole).max(initial=0.0) > 2**53:
            break
        if (whole / scale == sample).all():
            step = np.gcd.reduce(np.diff(whole).astype(np.int64))
            return width * scale >= SPARSE * len(values) * max(int(step), 1)
    return True


def _on_grid(values: Floats, lowest: float, step: float) -> bool:
    places = (values - lowest) / step
    return bool(np.abs(places - np.rint(places)).max() < NEAR)


def _equally_often(values: NDArray[Any], lowest: float, highest: float, count: int) -> bool:
    """Tell by mean and variance whether values are on `count` even steps, all as often."""
    middle, width = (lowest + highest) / 2, highest - lowest
    if abs(float(values.mean()) - middle) > CLOSE * width:
        return False
    centred = (values - middle) / width
    variance = (count + 1) / (count - 1) / 12
    return abs(float(centred @ centred) / len(centred) - variance) < CLOSE


def _counts_through(texts: Any) -> bool:
    """Tell whether there are as many texts as from the first to the last of them, such as p1 to p250."""
    import pyarrow.compute as pc

    some = texts.take(np.linspace(0, len(texts) - 1, COUNTED_TEXTS).astype(np.int64)).to_pylist()
    results = [None if text is None else _NUMBERED.fullmatch(text) for text in some]
    if (
        texts.null_count
        or len({one and (one[1].rstrip("0"), one[3]) for one in results}) > 1
        or not results[0]
    ):
        return False
    lengths = pc.binary_length(texts)
    extremes = pc.min_max(lengths)
    ends = []
    for name in ("min", "max"):
        among = texts.filter(pc.equal(lengths, extremes[name]))
        end = _NUMBERED.fullmatch(pc.min_max(among)[name].as_py())
        if end is None:
            return False
        ends.append(int(end[2]))
    return ends[1] - ends[0] == len(texts) - 1
