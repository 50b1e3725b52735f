"""What is kept of a table to find others like it: rows and columns, whatever their order and names."""

import numpy as np
import pyarrow as pa
import pytest

from engine.data import Table
from engine.data.identity import table_identity
from engine.data.sketch import (
    BINS,
    EMPTY,
    MAX_CELL_COLUMNS,
    MIN_VALUES,
    SHIFT,
    _enumerates,
    canonical,
    least_of_bins,
)


def columns(n=400, seed=1):
    rng = np.random.default_rng(seed)
    names = np.array(["Ada", "Alan", "Grace", None], dtype=object)
    return {
        "pay": rng.lognormal(10, 1, n),
        "name": names[rng.integers(0, 4, n)],
        "born": pa.array(rng.integers(-20_000, 20_000, n).astype(np.int32), pa.date32()),
        "here": [[True, False, None][place] for place in rng.integers(0, 3, n)],
        "children": [None if each > 5 else int(each) for each in rng.integers(0, 8, n)],
    }


def sketch(table):
    return table_identity(Table("some", table if isinstance(table, pa.Table) else pa.table(table)))[1]


def share(some, other):
    same = (some.minima == other.minima) & (some.repeats == other.repeats) & (some.repeats > 0)
    return same.sum() / ((some.repeats > 0) | (other.repeats > 0)).sum()


def test_order_names_and_empty_columns_do_not_matter():
    table = pa.table(columns())
    first = sketch(table)
    assert len(first.columns) == 2  # pay and born
    names = table.column_names[::-1]
    other = table.take(np.random.default_rng(2).permutation(table.num_rows)).select(names)
    other = other.rename_columns([f"column {place}" for place in range(5)])
    other = other.append_column("nothing", pa.nulls(table.num_rows, pa.string()))
    assert share(first, sketch(other)) == 1
    assert sketch(other).columns == first.columns


def test_a_column_that_is_gone_leaves_the_others_and_rows_that_are_gone_the_rows():
    table = pa.table(columns())
    fewer = sketch(table.drop_columns("born"))
    assert share(sketch(table), fewer) == 0
    assert len(set(fewer.columns) & set(sketch(table).columns)) == 1
    some = sketch(table.slice(100, 200))
    assert share(sketch(table), some) == pytest.approx(0.5, abs=0.12)  # 5 standard deviations
    assert not set(some.columns) & set(sketch(table).columns)


def test_missing_cells_are_the_same_in_a_part_where_they_are_all_there_is():
    table = pa.table(columns())
    part = table.filter(pa.compute.is_null(table["children"]))
    other = part.set_column(4, "children", pa.nulls(part.num_rows))
    assert share(sketch(part), sketch(other)) == 1
    # and nothing else is taken for missing
    zeros = part.set_column(4, "children", pa.array(np.zeros(part.num_rows)))
    assert share(sketch(part), sketch(zeros)) == 0


def test_the_quick_choice_of_the_least_is_that_of_the_definition():
    rng = np.random.default_rng(3)
    for n in (70, 5_000, 100_000):
        for distinct in (64, n):
            hashes = rng.choice(rng.integers(0, 2**64, distinct, np.uint64), n)
            minima, repeats = least_of_bins(lambda hashes=hashes: np.array_split(hashes, 3), n)
            for place in range(0, BINS, 37):
                here = hashes[hashes >> SHIFT == place]
                least = here.min(initial=EMPTY)
                assert (minima[place], repeats[place]) == (least, (here == least).sum() if len(here) else 0)


def test_tables_with_few_different_rows_have_none():
    assert sketch({"x": np.arange(MIN_VALUES - 1)}) is None
    assert sketch({"x": np.arange(5000) % (MIN_VALUES - 1)}) is None
    assert sketch({"x": np.arange(5000) % (4 * MIN_VALUES)}) is not None


@pytest.mark.parametrize(
    "cells",
    [
        list(range(1, 301)),
        np.random.default_rng(4).permutation(300) / 10,
        np.repeat(np.arange(1990, 2090), 3),
        pa.array(np.arange(300, dtype=np.int32), pa.date32()),
        [f"P{place:04}" for place in range(300)],
        [f"2024-{place}x" for place in range(1, 301)],
    ],
)
def test_columns_that_count_through_tell_nothing(cells):
    cells = pa.array(cells)
    column = pa.chunked_array([cells])
    assert _enumerates(canonical(column), 1)
    assert sketch({"x": cells}).columns == ()
    other = pa.chunked_array([pa.concat_arrays([cells[1:], cells[:1] if len(cells) < 9 else cells[7:8]])])
    assert not _enumerates(canonical(other), 1)


def test_cells_are_kept_of_numbers_that_are_few_of_those_there_might_be():
    rng = np.random.default_rng(6)
    normal = rng.normal(size=400)
    kept = {
        "any": normal,
        "rounded": rng.lognormal(10, 1, 400).round(2),
        "missing": [None, *normal[1:]],
        "large": rng.integers(0, 2**50, 400),
        "keys": rng.permutation(1000)[:400],
        "ages": rng.integers(0, 100, 400),
        "steps": rng.integers(0, 2**20, 400) * 0.5**12,
        "coarse steps": rng.permutation(1000)[:400] * 2.0**20,
        "repeated": np.repeat(normal[:200], 2),
        "infinite": [float("inf"), *normal[1:]],
        "text": [str(one) + "x" for one in normal],
    }
    found = {name: sketch({"x": pa.array(cells)}).cells for name, cells in kept.items()}
    assert [name for name, cells in found.items() if cells] == ["any", "rounded", "missing", "large", "steps"]
    assert all(repeats.sum() <= 400 for cells in found.values() for _, repeats in cells)
    many = sketch({f"x{place}": rng.normal(size=400) for place in range(MAX_CELL_COLUMNS + 3)})
    assert len(many.cells) == MAX_CELL_COLUMNS


def test_cells_of_a_part_are_the_same_whatever_else_stands_beside_them():
    table = pa.table(columns()).select(["pay", "name"])
    part = sketch(table.slice(100, 200).select(["name", "pay"]).append_column("new", pa.array(range(200))))
    ((minima, repeats),) = sketch(table).cells
    ((some, _),) = part.cells
    both = ((minima == some) & (repeats > 0)).sum() / ((minima != EMPTY) | (some != EMPTY)).sum()
    assert both == pytest.approx(0.5, abs=0.12)  # 5 standard deviations


def test_other_columns_tell():
    rng = np.random.default_rng(5)
    for cells in (
        rng.normal(size=300),
        rng.integers(0, 100, 300),
        [f"P{place:04}" for place in rng.choice(10_000, 300, replace=False)],
        [f"{place:x}" for place in rng.integers(0, 2**40, 300)],
        [None, *rng.normal(size=299)],
    ):
        assert len(sketch({"x": pa.array(cells)}).columns) == 1
    assert sketch({"x": rng.normal(size=300), "y": np.arange(300) % 63}).columns != ()
