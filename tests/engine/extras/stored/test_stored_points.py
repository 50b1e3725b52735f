"""What is made of points that stay in their file is what is made of the same points in memory."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from engine import (
    Box,
    Clusters,
    Covariance,
    HierarchicalHistogram,
    IndependentSubsets,
    NoisyHistogram,
    Partition,
    Points,
    Privacy,
    PrivTree,
    StoredPoints,
    WithReplacement,
    reproducible,
    stored_table,
)
from engine.aggregation import blocks
from engine.aggregation.functions import KMeans, MeanFunction
from engine.aggregation.running import outputs
from engine.data import points as in_memory
from engine.errors import DataError
from engine.extras.stored import points as stored
from engine.extras.stored import points as stored_points
from engine.extras.stored import text_file

N = 3000
VALUES = np.random.default_rng(3).normal([0.3, 0.6], 0.3, (N, 2)).round(9)
BOX = Box.of([0, 0], [1, 1])
NAMES = ["x", "y"]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(text_file, "PIECE", 2000)
    monkeypatch.setattr(in_memory, "PART", 700)


class First(MeanFunction):
    """The first point of a block: it tells how the records are ordered."""

    batch_size = 1

    def apply(self, blocks, seeds):
        return blocks[:, 0]


def written(folder, kind, values=VALUES):
    table, path = (
        pa.table({"name": ["a"] * len(values), "x": values[:, 0], "y": values[:, 1]}),
        folder / f"a.{kind}",
    )
    if kind == "parquet":
        parquet.write_table(table, path, row_group_size=400)
    else:
        csv.write_csv(table, path)
    return stored_table(path)


MECHANISMS = [
    NoisyHistogram(bins=5),
    HierarchicalHistogram(depth=3),
    PrivTree(),
    Clusters(k=2),
    Covariance(),
]


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_releases_are_the_same(tmp_path, kind):
    data, held = StoredPoints(written(tmp_path, kind), NAMES, BOX), Points(VALUES, BOX, NAMES)
    assert (data.n, data.records, data.outside, data.facts) == (N, N, held.outside, held.facts)
    assert (data.columns, data.units) == (held.columns, held.units)
    for mechanism in MECHANISMS:
        here, there = (mechanism.run(one, Privacy(1.0, 1e-6), reproducible(1)) for one in (held, data))
        assert pickle.dumps(here.value) == pickle.dumps(there.value)
    np.testing.assert_array_equal(data.values, held.values)
    np.testing.assert_array_equal(data.replaced(5, [0.5, 0.5]).values, held.replaced(5, [0.5, 0.5]).values)
    again = pickle.loads(pickle.dumps(data))
    assert "values" not in vars(again)
    np.testing.assert_array_equal(again.only(np.arange(9)).values, held.only(np.arange(9)).values)


def test_histograms_read_no_point_into_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "lack_of_memory", lambda needed: f"{needed / 1e6:g} MB are not free")
    data = StoredPoints(written(tmp_path, "parquet"), NAMES, BOX)
    for mechanism in MECHANISMS[:3]:
        mechanism.run(data, Privacy(1.0))
    with pytest.raises(DataError, match=r"a\.parquet: 0\.096 MB are not free; use a histogram, or a part"):
        Clusters(k=2).run(data, Privacy(1.0))


def test_missing_coordinates(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,\n,2\n0.25,0.5\n,\n0.5,7\n")
    with pytest.raises(DataError, match="a coordinate is missing in some records"):
        StoredPoints(stored_table(path), NAMES, BOX)
    data = StoredPoints(stored_table(path), NAMES, BOX, "drop")
    assert (data.n, data.dropped, data.outside) == (2, 3, 1)
    assert data.values.tolist() == [[0.25, 0.5], [0.5, 1.0]]


def test_mistakes_are_named(tmp_path):
    table = written(tmp_path, "parquet")
    with pytest.raises(DataError, match="it does not hold numbers"):
        StoredPoints(table, ["x", "name"], BOX)
    with pytest.raises(DataError, match="there is no column 'z'"):
        StoredPoints(table, ["x", "z"], BOX)
    with pytest.raises(DataError, match="1 columns do not fit bounds of 2"):
        StoredPoints(table, ["x"], BOX)
    values = VALUES.copy()
    values[1234, 1] = np.nan
    with pytest.raises(DataError, match="the value is not a finite number") as caught:
        StoredPoints(written(tmp_path, "parquet", values), NAMES, BOX)
    assert (caught.value.row, caught.value.column) == (1235, "y")
    (tmp_path / "b.csv").write_text("x,y\n,1\n")
    with pytest.raises(DataError, match="there are no records"):
        StoredPoints(stored_table(tmp_path / "b.csv"), NAMES, BOX, "drop")


def test_blocks_are_dealt_by_one_pass(tmp_path, monkeypatch):
    """Held at once, from temporary files, and in memory; what is left in neither is the folder."""
    folder = tmp_path / "meanwhile"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(blocks, "MAX_LISTED_RECORDS", 100)  # records are dealt by keyed hashes
    held = Points(VALUES, BOX, NAMES)
    samplings = [Partition(blocks=70), IndependentSubsets(blocks=40), WithReplacement(blocks=20)]
    for bytes_held in (1 << 28, 16_000, 1):
        monkeypatch.setattr(stored_points, "HELD", bytes_held)
        data = StoredPoints(written(tmp_path, "parquet"), NAMES, BOX)
        for sampling in samplings:
            made = sampling.draw(N, reproducible(4))
            here, there = (outputs(First(), one, made, seed=5) for one in (held, data))
            assert here.values.tobytes() == there.values.tobytes()
        assert not list(folder.iterdir())
        assert "values" not in vars(data)
    with data.in_order(made.order, 320, 4) as hand:
        (kept,) = folder.iterdir()
        assert kept.stat().st_mode & 0o777 == 0o700
        assert hand(0, 4).shape == (4, 2)


def test_what_cannot_be_kept_meanwhile_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_points, "HELD", 1)
    monkeypatch.setattr(KMeans, "batch_size", 1)
    data = StoredPoints(written(tmp_path, "parquet"), NAMES, BOX)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stored_points.PlacedFiles, "write", full)
    with pytest.raises(DataError, match=r"temporary file \(No space left on device\); free disk space"):
        Clusters(k=2).run(data, Privacy(1.0))
    parquet.write_table(
        pa.table({"x": VALUES[:, 0], "y": VALUES[:, 1]}), data._table.path, row_group_size=399
    )
    with pytest.raises(DataError, match="it changed while it was read"):
        Clusters(k=2).run(data, Privacy(1.0))
