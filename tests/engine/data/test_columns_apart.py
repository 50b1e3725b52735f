"""All columns of a file, one after the other: the same digest as of all at once, from an unchanged file."""

import os

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from engine.data import ColumnsApart, read_table, table_digest
from engine.errors import DataError
from engine.progress import silent

WRITERS = {"parquet": parquet.write_table, "feather": feather.write_feather}


@pytest.fixture
def table():
    random = np.random.default_rng(1)
    columns = {"b": random.normal(size=500), "a": random.integers(0, 3, 500)}
    return pa.table({**columns, "c": random.choice(["x", "y", None], 500)})


@pytest.mark.parametrize("kind", WRITERS)
def test_the_digest_is_that_of_the_whole_table(table, tmp_path, kind):
    WRITERS[kind](table, tmp_path / "data")
    apart = ColumnsApart(tmp_path / "data")
    assert (apart.n, apart.names) == (500, ["b", "a", "c"])
    assert apart.column("a", silent).to_pylist() == table["a"].to_pylist()
    assert table_digest(apart) == table_digest(read_table(tmp_path / "data"))


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_that_changes_meanwhile_is_refused(table, tmp_path, kind):
    file = tmp_path / "data"
    WRITERS[kind](table, file)
    apart = ColumnsApart(file)
    os.utime(file, ns=(0, 0))
    with pytest.raises(DataError, match="changed while it was read"):
        table_digest(apart)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_cut_file_is_refused(table, tmp_path, kind):
    file = tmp_path / "data"
    WRITERS[kind](table, file)
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(DataError, match="cut in the middle"):
        ColumnsApart(file)
