"""Canonical forms of tables, and sketches that find similar tables.

Columns count as equal if delimited text, which has no types, would read them as equal.  A column of digits is
numeric however it is stored; "" and "NA" are missing.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, doubles, fill_null, scalar, text_array, try_cast
from engine.data.names import is_number
from engine.shown import ShownInALine

Words = NDArray[np.uint64]

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Arrow's time units per second."""

NO_TIME = np.uint64(1 << 63)
"""Code for the fraction of a second of a missing time."""

TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CanonicalColumn(ShownInALine):
    """The canonical cells of a column; equal columns have equal attributes."""

    kind: str  # "nothing" if all cells are missing
    codes: tuple[Words, ...] = ()  # shape (n,); codes that identify each cell among its kind
    # content that codes do not cover: text, in a dictionary if it has few values, and whole numbers that
    # doubles cannot hold
    texts: Any = None


def canonical(column: Any) -> CanonicalColumn:
    """Return the cells of an Arrow column in canonical form.

    Numbers become the doubles used in computations: 1, 1.0 and 1e0 are equal, NaN is missing.  A whole number
    without an equal double is kept in full.  Dates become midnights.  Timestamps count seconds and
    nanoseconds from any unit, in UTC if the time zone is known.  A time of day is text.
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
    from pyarrow import types

    values = doubles(column)
    nothing = np.isnan(values)
    if nothing.all():
        return CanonicalColumn("nothing")
    if nothing.any() or not values.all():
        values = values + 0.0  # -0.0 + 0.0 is 0.0
        values[nothing] = np.nan  # unify the many NaN bit patterns
    lost = None
    if types.is_decimal(column.type):
        lost = array_of(column.is_valid()) & ~_equal(column, column.cast(pa.float64(), safe=False))
    elif types.is_integer(column.type) and column.type.bit_width == 64:
        lost = _beyond_doubles(array_of(fill_null(column, 0)))
    if lost is None or not lost.any():
        return CanonicalColumn("number", (values.view(np.uint64),))
    import pyarrow.compute as pc

    wrong = pa.array(lost)
    texts = pc.if_else(
        wrong, column.cast(pa.large_string()).combine_chunks(), scalar(None, pa.large_string())
    )
    return CanonicalColumn("number", (values.view(np.uint64),), texts)


def _equal(decimals: Any, floats: Any) -> Bools:
    """Tell which decimals equal their nearest doubles, rounded to the same number of digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        back = floats.cast(decimals.type, safe=False)
    except pa.ArrowException:  # a double may round to more digits than the type has
        return np.zeros(len(decimals), dtype=bool)
    equal: Bools = array_of(fill_null(pc.equal(back, decimals), False))
    return equal


def _beyond_doubles(values: NDArray[Any]) -> Bools:
    """Tell which whole numbers need more than 53 significant bits."""
    if not len(values) or -(2**53) <= values.min() <= values.max() <= 2**53:
        return np.zeros(len(values), dtype=bool)
    size = np.abs(values).view(np.uint64)  # the minimum, -2^63, stays itself; viewed as unsigned it is 2^63
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
    """Write times of day without trailing zeros in the fraction of a second."""
    import pyarrow as pa
    import pyarrow.compute as pc

    written = column.cast(pa.large_string())
    return pc.replace_substring_regex(pc.replace_substring_regex(written, r"(\.\d*?)0+$", r"\1"), r"\.$", "")


def _texts(column: Any) -> CanonicalColumn:
    """Convert text to the values that it spells: numbers, true and false, dates; otherwise keep it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = column.cast(pa.large_string())
    except pa.ArrowException:  # Arrow casts no lists, objects or bytes to text
        spelled = (json.dumps(value, sort_keys=True, default=repr) for value in column.to_pylist())
        texts = pa.chunked_array([pa.array(spelled, pa.large_string())])
    if len(texts) > SAMPLED_CELLS and len(texts[:SAMPLED_CELLS].unique()) <= MIN_VALUES:
        return _repeated_texts(texts)
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


def _repeated_texts(texts: Any) -> CanonicalColumn:
    """Convert each different text once."""
    import pyarrow as pa

    encoded = texts.combine_chunks().dictionary_encode()
    different = _texts(pa.chunked_array([encoded.dictionary]))
    places = array_of(fill_null(encoded.indices, -1))
    missing = MISSING_CODES.get(different.kind, ())
    codes = tuple(np.append(each, word)[places] for each, word in zip(different.codes, missing, strict=True))
    if different.texts is None:
        return CanonicalColumn(different.kind, codes)
    coded = pa.DictionaryArray.from_arrays(encoded.indices, different.texts)
    return CanonicalColumn(different.kind, codes, coded)


def _all_in(texts: Any, labels: tuple[str, ...]) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    result = pc.is_in(texts.drop_null(), value_set=text_array(labels, pa.large_string()))
    return bool(pc.all(result).as_py() is not False)


STRETCH = 1 << 15
"""Rows of one part, so that it fits into the processor's cache."""

BINS = 512
"""Number of bins for rows; the sketch holds one row of each bin."""

SHIFT = np.uint64(64 - 9)
"""Shift to the first 9 bits of a hash, which are the bin of a row."""

MIN_VALUES = 64
"""Fewest occupied bins, and fewest values of a column, for a resemblance that is not chance."""

MAX_SUMS = 64
"""Most column sums in a sketch; the smallest ones, so that similar tables keep the same ones."""

MAX_CELL_COLUMNS = 8
"""Most columns with cells in a sketch; those with the smallest hashes, so that similar tables agree."""

SELDOM = 0.1
"""Largest share of repeated numbers in a column whose cells are kept."""

SPARSE = 100
"""Grid points per cell that make it unlikely that other data share the numbers by chance."""

DECIMALS = 7
"""Numbers with at least this many decimals count as continuous, not on a grid."""

SAMPLED_CELLS = 4096
"""Number of sampled cells to estimate whether a column has many values."""

EMPTY = np.uint64(2**64 - 1)
"""Hash of an empty bin."""

NAN = np.array([np.nan]).view(np.uint64)[0]
MISSING_CODES = {
    "number": (NAN,),
    "boolean": (np.uint64(2),),
    "date": (np.uint64(0), NO_TIME),
    "duration": (np.uint64(0), NO_TIME),
}
"""The codes of a missing cell, by kind of column; text has none."""

FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: it spreads neighbouring numbers far apart."""

HALF = np.uint64(32)
MULTIPLIERS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
NEAR = 1e-3
"""Tolerance for a multiple of a step."""

CLOSE = 1e-9
"""Tolerance of mean and variance for evenly spaced values; random numbers deviate more."""

COUNTED_TEXTS = 16
"""Number of sampled texts that show whether a column of names is consecutively numbered."""


_NUMBERED = re.compile(r"(\D*(?:\d+\D+)*?)(\d+)(\D*)", re.DOTALL)
"""A text with its last number and the text around it."""


@dataclasses.dataclass(frozen=True, eq=False)
class TableSketch:
    """A sketch of a table to find similar ones (private): hashes of up to 512 rows, and sums.

    The hash of a row is a sum over its cells: names and order of columns do not matter, nor do empty columns.
    Each distinct row falls into one bin, and each bin keeps the row with the smallest hash (one-permutation
    hashing: Li, Owen and Zhang, NIPS 2012).  The share of bins in which two tables agree estimates the share
    of rows that both have, out of the rows of either.
    """

    # shape (512,); the smallest row hash of each bin; `EMPTY` without rows
    minima: Words = dataclasses.field(repr=False)
    repeats: Ints = dataclasses.field(repr=False)  # shape (512,); number of copies of that row
    # An order-independent hash of each column with many values; it recognises tables with renamed or removed
    # columns
    columns: tuple[int, ...] = dataclasses.field(default=(), repr=False)
    # Like the rows, for cells of columns with numbers that other data do not share by chance; it recognises
    # tables with both rows and columns removed
    cells: tuple[tuple[Words, Ints], ...] = dataclasses.field(default=(), repr=False)

    @property
    def tells(self) -> bool:
        """Whether the table has enough rows to exclude resemblance by chance."""
        return int((self.repeats > 0).sum()) >= MIN_VALUES


class SketchMaker:
    """Computes the sketch of a table column by column, in batches; stores one number per row."""

    def __init__(self, n: int) -> None:
        self._rows = np.zeros(n, np.uint64)
        self._stride = max(1, n // SAMPLED_CELLS)
        self._sums: list[int] = []
        self._cells: list[tuple[Words, Ints]] = []
        self._total = np.uint64(0)
        self._sample: list[Words] = []

    def add(self, start: int, column: CanonicalColumn, codes: list[Words]) -> None:
        """Add cells of a column from row `start` on: its codes, and the hashes of its text."""
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
        """Finish a column after all of its cells were added."""
        sample, total = self._sample, int(self._total)
        self._sample, self._total = [], np.uint64(0)
        if sample:
            values = len(np.unique(np.concatenate(sample)))
            if values >= MIN_VALUES and not _enumerates(column, self._stride):
                self._sums.append(total)
                if _is_sparse(column, self._stride):
                    self._keep_cells(column.codes[0])

    def _keep_cells(self, codes: Words) -> None:
        """Keep one cell of each bin if few cells of the column are repeated."""

        def hashes() -> Iterator[Words]:
            for some in _stretches(codes):
                cells = some ^ NAN
                stir(cells)
                yield _mixed(cells[cells > 0])  # 0 means missing

        minima, repeats = least_of_bins(hashes, len(codes))
        present = int((repeats > 0).sum())
        if present >= MIN_VALUES and (repeats > 1).sum() <= SELDOM * present:
            self._cells.append((minima, repeats))

    def made(self) -> TableSketch | None:
        """Return the sketch after all columns were added; None for a table with few distinct rows."""
        if len(self._rows) < MIN_VALUES:
            return None
        minima, repeats = least_of_bins(
            lambda: (_mixed(some.copy()) for some in _stretches(self._rows)), len(self._rows)
        )
        cells = sorted(self._cells, key=lambda kept: int(kept[0].min()))
        sums = sorted(set(self._sums))
        sketch = TableSketch(minima, repeats, tuple(sums[:MAX_SUMS]), tuple(cells[:MAX_CELL_COLUMNS]))
        return sketch if sketch.tells else None


def least_of_bins(parts: Callable[[], Iterable[Words]], count: int) -> tuple[Words, Ints]:
    """Return the smallest hash of each bin, and how often it occurs, among `count` hashes in parts."""
    few = 40 * BINS  # with this many hashes, hardly any bin is empty
    if count > 2 * few:
        bound = np.uint64(2**64 // count * few)
        results = _least(np.concatenate([some[some << np.uint64(9) < bound] for some in parts()]))
        if (results[1] > 0).all():
            return results
    return _least(np.concatenate([*parts()]))


def _least(hashes: Words) -> tuple[Words, Ints]:
    bins = (hashes >> SHIFT).astype(np.int64)
    minima = np.full(BINS, EMPTY)
    np.minimum.at(minima, bins, hashes)
    return minima, np.bincount(bins[hashes == minima[bins]], minlength=BINS)


def stir(codes: Words) -> None:
    """Mix each word in place, quickly: a bijection with fixed point 0."""
    codes *= FACTOR
    codes ^= codes >> HALF
    codes *= FACTOR


def _mixed(codes: Words) -> Words:
    """Mix each word in place, thoroughly: the last steps of SplitMix64."""
    for shift, factor in zip(SHIFTS[:2], MULTIPLIERS, strict=True):
        codes ^= codes >> shift
        codes *= factor
    codes ^= codes >> SHIFTS[2]
    return codes


def _stretches(codes: Words) -> Iterator[Words]:
    """Yield the words in parts that fit into the processor's cache."""
    for start in range(0, len(codes), STRETCH):
        yield codes[start : start + STRETCH]


def _enumerates(column: CanonicalColumn, stride: int) -> bool:
    """Tell whether a column only enumerates: row numbers, days or numbered names, which many tables share."""
    if column.texts is not None:
        return not column.codes and _counts_through(column.texts.cast("large_string"))
    values = column.codes[0].view(np.float64 if column.kind == "number" else np.int64)
    lowest, highest = float(values.min()), float(values.max())
    if not np.isfinite(highest - lowest) or highest == lowest:  # missing cells are NaN
        return False
    sample = np.unique(values[::stride]).astype(np.float64)
    for step in ((highest - lowest) / (len(values) - 1), float(np.diff(sample).min())):
        count = round((highest - lowest) / step) + 1 if step > 0 else 0
        if 1 < count <= len(values) and len(values) % count == 0 and _on_grid(sample, lowest, step):
            return _equally_often(values, lowest, highest, count)
    return False


def _is_sparse(column: CanonicalColumn, stride: int) -> bool:
    """Tell whether a column's numbers are few of the possible ones, unlike ages or short keys.

    A sample gives the decimals and the step of a grid; the cells must be few compared with its points.
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
    """Test by mean and variance whether values are uniform on `count` evenly spaced points."""
    middle, width = (lowest + highest) / 2, highest - lowest
    if abs(float(values.mean()) - middle) > CLOSE * width:
        return False
    centred = (values - middle) / width
    variance = (count + 1) / (count - 1) / 12
    return abs(float(centred @ centred) / len(centred) - variance) < CLOSE


def _counts_through(texts: Any) -> bool:
    """Tell whether texts are numbered consecutively, such as p1 to p250."""
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
