"""What tells a table from others: its cells by what they say, and a sketch that finds similar tables.

The measure is delimited text, which knows no types: two columns are alike if, written as such, they would
be read as the same.  So a column of digits is one of numbers, however it is stored; "" and "NA" are missing.
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, fill_null, scalar, text_array, try_cast
from engine.data.names import is_number
from engine.shown import ShownInALine

Words = NDArray[np.uint64]

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Parts of a second that Arrow counts in."""

NO_TIME = np.uint64(1 << 63)
"""Stands for the parts of a second where there is no time at all."""

TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CanonicalColumn(ShownInALine):
    """The cells of a column; two columns with the same cells are equal in all of this."""

    kind: str  # "nothing" where all cells are missing
    codes: tuple[Words, ...] = ()  # shape (n,); What tells each cell from all others of its kind
    texts: Any = None  # What the codes do not tell: text, and whole numbers beyond the reach of doubles


def canonical(column: Any) -> CanonicalColumn:
    """Return the cells of an Arrow column by what they say.

    Numbers are the doubles that are computed with: 1, 1.0 and 1e0 are the same, NaN is missing; a whole
    number that no double equals says so in full.  Dates are midnights, and points in time are counted in
    seconds and billionths, from whatever unit, in UTC where a zone is known.  A time of day is text.
    """
    from pyarrow import types

    if types.is_null(column.type) or column.null_count == len(column):
        return CanonicalColumn("nothing")
    kind = cells.kind(column.type)
    if kind == "number":
        return _numbers(column)
    if kind == "boolean":
        return _booleans(column)
    if types.is_time(column.type):
        return _texts(_times_of_day(column))
    return _times(column) if kind == "date" and not types.is_interval(column.type) else _texts(column)


def _numbers(column: Any) -> CanonicalColumn:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    floats = column.cast(pa.float64(), safe=False)
    values: Floats = array_of(floats) + 0.0  # a copy, NaN where missing; -0.0 + 0.0 is 0.0
    nothing = np.isnan(values)
    if nothing.all():
        return CanonicalColumn("nothing")
    values[nothing] = np.nan  # one of many that there are
    lost = None
    if types.is_decimal(column.type):
        lost = array_of(column.is_valid()) & ~_equal(column, floats)
    elif types.is_integer(column.type) and column.type.bit_width == 64:
        lost = _beyond_doubles(array_of(fill_null(column, 0)))
    if lost is None or not lost.any():
        return CanonicalColumn("number", (values.view(np.uint64),))
    wrong = pa.array(lost)
    texts = pc.if_else(
        wrong, column.cast(pa.large_string()).combine_chunks(), scalar(None, pa.large_string())
    )
    return CanonicalColumn("number", (values.view(np.uint64),), texts)


def _equal(decimals: Any, floats: Any) -> Bools:
    """Tell which decimals are what their nearest doubles are, rounded to as many places."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        back = floats.cast(decimals.type, safe=False)
    except pa.ArrowException:  # a double may round beyond the digits of the type
        return np.zeros(len(decimals), dtype=bool)
    equal: Bools = array_of(fill_null(pc.equal(back, decimals), False))
    return equal


def _beyond_doubles(values: NDArray[Any]) -> Bools:
    """Tell which whole numbers have more than 53 bits between the first one and the last."""
    if not len(values) or -(2**53) <= values.min() <= values.max() <= 2**53:
        return np.zeros(len(values), dtype=bool)
    size = np.abs(values).view(np.uint64)  # the least one, -2^63, becomes itself, and 2^63 as such
    last = np.maximum(size & (~size + np.uint64(1)), np.uint64(1))
    beyond: Bools = size // last > np.uint64(2**53)
    return beyond


def _booleans(column: Any) -> CanonicalColumn:
    import pyarrow as pa

    return CanonicalColumn("boolean", (array_of(fill_null(column.cast(pa.uint8()), 2)).astype(np.uint64),))


def _times(column: Any) -> CanonicalColumn:
    import pyarrow as pa
    from pyarrow import types

    if types.is_date(column.type):
        column = column.cast(pa.timestamp("s" if types.is_date32(column.type) else "ms"))
    values = array_of(fill_null(column.cast(pa.int64()), 0))
    seconds, rest = np.divmod(values, UNITS[column.type.unit])
    parts = (rest * (10**9 // UNITS[column.type.unit])).view(np.uint64)
    parts[~array_of(column.is_valid())] = NO_TIME
    kind = "duration" if types.is_duration(column.type) else "date"
    return CanonicalColumn(kind, (seconds.view(np.uint64), parts))


def _times_of_day(column: Any) -> Any:
    """Write times of day without zeros at the end of a fraction of a second."""
    import pyarrow as pa
    import pyarrow.compute as pc

    written = column.cast(pa.large_string())
    return pc.replace_substring_regex(pc.replace_substring_regex(written, r"(\.\d*?)0+$", r"\1"), r"\.$", "")


def _texts(column: Any) -> CanonicalColumn:
    """Return text as what it spells: numbers, true and false, dates; or as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = column.cast(pa.large_string())
    except pa.ArrowException:  # lists, objects and bytes have no text of their own
        spelled = (json.dumps(value, sort_keys=True, default=repr) for value in column.to_pylist())
        texts = pa.chunked_array([pa.array(spelled, pa.large_string())])
    missing = text_array(cells.MISSING_WORDS, pa.large_string())
    texts = pc.if_else(pc.is_in(texts, value_set=missing), scalar(None, pa.large_string()), texts)
    if texts.null_count == len(texts):
        return CanonicalColumn("nothing")
    first = texts[texts.is_valid().index(True).as_py()].as_py()
    if first.strip() in cells.MISSING_WORDS or is_number(first):
        numbers = try_cast(cells.spelled_numbers(texts), "double")
        if numbers is not None:
            return canonical(numbers)
    if first in TRUE + FALSE and _all_in(texts, TRUE + FALSE):
        true = pc.is_in(texts, value_set=text_array(TRUE, pa.large_string()))
        return _booleans(pc.if_else(texts.is_valid(), true, None))
    if re.match(r"\d{4}-\d\d-\d\d", first):
        for unit, zone in (("s", None), ("ns", None), ("s", "UTC"), ("ns", "UTC")):
            match = try_cast(texts, pa.timestamp(unit, zone))
            if match is not None:
                return _times(match)
    return CanonicalColumn("text", (), texts.combine_chunks())


def _all_in(texts: Any, labels: tuple[str, ...]) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    result = pc.is_in(texts.drop_null(), value_set=text_array(labels, pa.large_string()))
    return bool(pc.all(result).as_py() is not False)


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
    """

    # shape (512,); The hash of the row of each bin; `EMPTY` where there is none
    minima: Words = dataclasses.field(repr=False)
    repeats: Ints = dataclasses.field(repr=False)  # shape (512,); How often the table has that row
    # A hash of the values of each column with many of them, whatever their order; for a table whose columns
    # have got other names, or some of whose columns are gone
    columns: tuple[int, ...] = dataclasses.field(default=(), repr=False)
    # The same as of the rows, of the cells of columns whose numbers are in no other data by chance; for a
    # table of which rows are gone and columns, too
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
