"""Points that stay in their file are put into a secret order, of which all are equally probable."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import engine.extras.stored.points as dealing
import engine.sampling.shuffle as shuffle
from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.extras.stored.opening import stored_table
from engine.extras.stored.points import StoredPoints
from engine.mechanisms import SampleAggregate
from engine.mechanisms.aggregators import Average
from engine.privacy import Privacy

LINE = Box.of([0], [1])
FOUR = np.arange(4.0)[:, None]


def dealt():
    """Return in which order four points, read in two parts, are handed over by threes."""
    with dealing.shuffle_points([FOUR[:3], FOUR[3:]], 1, 4, 2, "file") as hand:
        return tuple(int(value) for start in (0, 3) for (value,) in hand(start, min(start + 3, 4)))


def test_points_in_files_get_every_order_with_the_same_probability(monkeypatch):
    """Exactly: all choices of two files for four points, and all orders of the points in each."""
    monkeypatch.setattr(dealing, "HELD", 16)
    law = Counter()
    for files in itertools.product((0, 1), repeat=4):
        orders = [list(itertools.permutations(range(files.count(run)))) for run in (0, 1)]
        for first, second in itertools.product(*orders):
            entropy = [bytes(files[:3]), bytes(files[3:])]
            monkeypatch.setattr(dealing.os, "urandom", lambda count, entropy=entropy: entropy.pop(0))
            waiting = [np.array(one, dtype=np.int64) for one in (first, second) if one]
            monkeypatch.setattr(dealing, "random_order", lambda n, waiting=waiting: waiting.pop(0))
            law[dealt()] += Fraction(1, 16 * len(orders[0]) * len(orders[1]))
            monkeypatch.undo()
            monkeypatch.setattr(dealing, "HELD", 16)
    assert set(law.values()) == {Fraction(1, 24)}
    assert len(law) == 24


def test_points_that_fit_into_memory_stand_in_the_order_that_was_drawn(monkeypatch):
    for order in itertools.permutations(range(4)):
        monkeypatch.setattr(dealing, "random_order", lambda n, order=order: np.array(order))
        assert dealt() == order


def test_many_points_cross_over_whole_in_files_of_few(monkeypatch):
    """The files hold as many as are held at once, about: within 6 standard deviations."""
    monkeypatch.setattr(dealing, "HELD", 8 * 2 * 1000)
    points = np.random.default_rng(1).random((30_000, 2))
    sizes = []
    drawn = dealing.random_order
    monkeypatch.setattr(dealing, "random_order", lambda n: sizes.append(n) or drawn(n))
    with dealing.shuffle_points(np.array_split(points, 7), 2, 30_000, 100, "file") as hand:
        found = np.concatenate([hand(start, start + 100) for start in range(0, 30_000, 100)])
    assert not np.array_equal(found, points)
    assert np.array_equal(np.sort(found[:, 0]), np.sort(points[:, 0]))
    assert np.array_equal(found[np.argsort(found[:, 0])], points[np.argsort(points[:, 0])])
    assert len(sizes) == 32
    assert max(sizes) < 30_000 / 32 + 6 * math.sqrt(30_000 / 32)


@pytest.mark.parametrize("kind", ["csv", "parquet", "duckdb", "dask"])
def test_a_release_of_stored_points_has_the_law_of_one_in_memory(kind, tmp_path, monkeypatch):
    """All 24 deals of four points: the same blocks give the same averages."""
    values = np.array([[0.1], [0.2], [0.4], [0.8]])
    data = StoredPoints(table_of(kind, values, tmp_path), ["x"], LINE)
    mechanism = SampleAggregate(sampling=Partition(blocks=3), aggregator=Average())
    laws = [Counter(), Counter()]
    for order in itertools.permutations(range(4)):
        for module in (shuffle, dealing):
            monkeypatch.setattr(module, "random_order", lambda n, order=order: np.array(order))
        for law, database in zip(laws, (Points(values, LINE), data), strict=True):
            ready = mechanism._prepare_release(database, Privacy(1.0))
            law[tuple(ready.diagnostics["outputs"][:, 0])] += 1
    assert laws[0] == laws[1]
    assert len(laws[0]) == 12
    assert "values" not in vars(data)


def table_of(kind, values, folder):
    """Return a table that stays where it is."""
    import pandas as pd

    frame = pd.DataFrame({"x": values[:, 0]})
    if kind == "dask":
        dask = pytest.importorskip("dask.dataframe")
        return stored_table(dask.from_pandas(frame, npartitions=2))
    if kind == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        path = folder / "points.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE points AS SELECT * FROM frame")
        return stored_table(path)
    path = folder / f"points.{kind}"
    frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
    return stored_table(path)
