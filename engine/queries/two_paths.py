"""Paths of two edges between vertices in an order: counted in parts, never all of them at once.

Everything here is computed from private edges and is private.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_Small = NDArray[np.int32]

_BITS = 17
"""Binary logarithm of the size of a table of counts that stays in the processor's cache."""

_STIR = np.uint32(0x9E3779B1), np.uint32(0x85EBCA77)
"""Odd numbers with bits in no order."""

_AT_ONCE = 1 << 20
"""Paths of a single i that are counted together, since its table is large."""


class TwoPaths:
    """The paths i, k, j with i < j, by i: for each k with i in its row, what follows i there.

    Of a symmetric matrix these are all paths; of an upper one, those whose middle is the
    first of the three.

    Parameters
    ----------
    rows : csr_array, shape (n, n)
        Its indices sorted within each row.
    """

    def __init__(self, rows: csr_array) -> None:
        from scipy.sparse import csr_array

        self._row, self._column = rows.indptr, rows.indices.astype(np.int32, copy=False)
        self._end: _Small = rows.indptr[1:]
        places = np.arange(1, rows.nnz + 1, dtype=rows.indptr.dtype)
        turned = csr_array((places, rows.indices, rows.indptr), shape=rows.shape).tocsc()
        self._entry, self._middle, self._after = turned.indptr, turned.indices, turned.data

    def narrow(self, width: int) -> None:
        """Leave out all j from `width` on."""
        inside = np.zeros(self._column.size + 1, dtype=np.int64)
        np.cumsum(self._column < width, out=inside[1:])
        self._end = (self._row[:-1] + np.diff(inside[self._row])).astype(self._row.dtype)

    def before(self) -> Ints:
        """Return how many paths come before those of each i, and how many there are."""
        lengths = self._lengths(0, self._middle.size)
        return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])[self._entry]

    def often(self, start: int, stop: int, width: int, least: int) -> tuple[Ints, Ints, Ints]:
        """Return the pairs with ``start <= i < stop`` and j < `width` that many paths join.

        Parameters
        ----------
        start, stop, width : int
            No j is `width` or larger.
        least : int
            Pairs with fewer paths are left out.

        Returns
        -------
        first, second, paths : ndarray of int, shape (f,)
            i, j, and their number of paths, at least 1; sorted by i and j.
        """
        size = (stop - start) * width
        if stop - start > 1 and size > 1 << _BITS:
            return self._often_stirred(start, stop, width, least)
        table = np.zeros(size, dtype=np.int64)
        for entries in self._parts(start, stop):
            first, second = self._paths(*entries)
            table += np.bincount((first - start) * np.int64(width) + second, minlength=size)
        position = np.flatnonzero(table >= max(least, 1))
        rows, columns = np.divmod(position, width)
        return rows + start, columns, table[position]

    def _often_stirred(self, start: int, stop: int, width: int, least: int) -> tuple[Ints, Ints, Ints]:
        """Do as `often` does; pairs that few paths join share few buckets with enough others."""
        first, second = self._paths(int(self._entry[start]), int(self._entry[stop]))
        bucket = _buckets(first, second)
        many = np.bincount(bucket, minlength=1 << _BITS) >= least
        close = np.flatnonzero(many.take(bucket, mode="clip"))
        pairs, paths = np.unique(first[close].astype(np.int64) * width + second[close], return_counts=True)
        enough = paths >= least
        return *np.divmod(pairs[enough], width), paths[enough]

    def closed(self, start: int, stop: int) -> int:
        """Return how many of the paths with ``start <= i < stop`` an entry of i and j closes."""
        from_row, to_row = self._row[start], self._row[stop]
        first = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(self._row[start : stop + 1]))
        second = self._column[from_row:to_row]
        entries = first * np.int64(self._row.size) + second
        used = np.zeros(1 << _BITS, dtype=bool)
        used[_buckets(first, second)] = True
        count = 0
        for part in self._parts(start, stop):
            first, second = self._paths(*part)
            close = np.flatnonzero(used.take(_buckets(first, second), mode="clip"))
            pairs = first[close] * np.int64(self._row.size) + second[close]
            position = np.searchsorted(entries, pairs)
            known = position < entries.size
            count += int(np.count_nonzero(entries[position[known]] == pairs[known]))
        return count

    def _parts(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield from which entry to which what is counted together."""
        begin, end = int(self._entry[start]), int(self._entry[stop])
        stops = np.cumsum(self._lengths(begin, end), dtype=np.int64)
        cuts = np.searchsorted(stops, np.arange(_AT_ONCE, stops[-1:].sum(), _AT_ONCE)) + begin
        yield from itertools.pairwise([begin, *cuts.tolist(), end])

    def _lengths(self, begin: int, end: int) -> _Small:
        """Return how many paths there are for each of some entries."""
        ends = self._end.take(self._middle[begin:end], mode="clip")
        lengths: _Small = np.maximum(ends - self._after[begin:end], 0)
        return lengths

    def _paths(self, begin: int, end: int) -> tuple[_Small, _Small]:
        """Return i and j of all paths of some entries."""
        lengths = self._lengths(begin, end)
        offset = self._after[begin:end] - (np.cumsum(lengths, dtype=np.int64) - lengths)
        position = np.repeat(offset, lengths)
        position += np.arange(position.size)
        first, last = np.searchsorted(self._entry, [begin, end - 1], side="right") - 1
        ends = np.clip(self._entry[first : last + 2], begin, end)
        owner = np.repeat(np.arange(first, last + 1, dtype=np.int32), np.diff(ends))
        # "clip" looks at no place twice, which an index and the other modes do
        return np.repeat(owner, lengths), self._column.take(position, mode="clip")


def _buckets(first: _Small, second: _Small) -> Ints:
    """Return for each pair a bucket, nearly at random."""
    mixed = first.view(np.uint32) * _STIR[0]
    mixed += second.view(np.uint32) * _STIR[1]
    mixed >>= np.uint32(32 - _BITS)
    return mixed.astype(np.int64)  # once, and not for each that looks a bucket up
