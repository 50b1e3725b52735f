"""Files are read once, whoever looks at them."""

import os
import weakref

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from app.model.kept_data import read_dataset, read_fields
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.progress import silent

POINTS = {"columns": ("x", "y"), "bounds": {"x": (0.0, 1.0), "y": (0.0, 1.0)}, "missing": "refuse"}


def test_pages_share_a_file_and_its_points(tmp_path):
    path = tmp_path / "places.parquet"
    parquet.write_table(pa.table({"x": np.arange(9.0), "y": np.arange(9.0)}), path)
    dataset = read_dataset(path, DETECTED, silent)
    assert read_dataset(path, DETECTED, silent) is dataset
    assert read_dataset(path, ReadingOptions(types=(("x", "number"),)), silent) is not dataset
    one, other = (read_fields(page, dataset, POINTS, silent).fields for page in ("clustering", "one-cluster"))
    assert one["points"] is other["points"]
    parquet.write_table(pa.table({"x": np.arange(9.0), "y": np.ones(9)}), path)
    os.utime(path, ns=(0, 1))
    again = read_dataset(path, DETECTED, silent)
    assert again is not dataset
    assert again.digest != dataset.digest


def test_what_nobody_looks_at_is_let_go(tmp_path):
    path = tmp_path / "places.parquet"
    parquet.write_table(pa.table({"x": np.arange(9.0)}), path)
    left = weakref.ref(read_dataset(path, DETECTED, silent))
    assert left() is None
