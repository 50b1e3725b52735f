"""Columns that stay in their files, beside reading the column once, as ratios measured in one run.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``; with
``SENSISCOPE_RECORDS=1000000000`` the file has as many records (8 GB, written where temporary files are).
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import engine

pytestmark = pytest.mark.benchmark

RECORDS = int(os.environ.get("SENSISCOPE_RECORDS", 10**8))
GROUP = 10**6
MOST_MEMORY = 1e9
"""Bytes."""

OURS = """
from engine import Interval, Median
from engine.data.stored.opening import stored_column
from engine.data.stored.sample import StoredSample
start()
sample = StoredSample(stored_column(path, "pay"), Interval(0, 1e6))
Median().smooth_sensitivity(sample, 0.1)
"""
PYARROW = """
from pyarrow import parquet
start()
for batch in parquet.ParquetFile(path).iter_batches(columns=["pay"]):
    pass
"""
DUCKDB = """
import duckdb
connection = duckdb.connect(config={"threads": 2})
start()
connection.sql(f"SELECT sum(pay) FROM '{path}'").fetchall()
"""
FRAME = """
import resource, sys, time
path, begun = sys.argv[1], []
def start():
    begun.append(time.process_time())
{work}
print(time.process_time() - begun[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("stored") / "people.parquet"
    rng, schema = np.random.default_rng(1), pa.schema([("pay", pa.float64())])
    with parquet.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for _ in range(RECORDS // GROUP):
            writer.write_table(pa.table([rng.lognormal(10, 1, GROUP)], schema=schema), row_group_size=GROUP)
    yield path
    path.unlink()


def measured(work, path):
    """Return CPU seconds and the most memory, of a process of its own."""
    child = subprocess.run(
        [sys.executable, "-c", FRAME.format(work=work), str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(engine.__file__).parents[1],
    )
    seconds, memory = map(float, child.stdout.split())
    return seconds, memory


def test_exact_smooth_sensitivity_beside_one_look_at_the_column(path):
    """At most the CPU time in which pyarrow reads the column in batches, and 1 GB."""
    found = {
        name: measured(work, path)
        for name, work in (("ours", OURS), ("pyarrow", PYARROW), ("duckdb", DUCKDB))
    }
    print(f"\n{RECORDS:,} records")
    for name, (seconds, memory) in found.items():
        print(f"{name:8} {seconds:8.2f} s of CPU {memory / 1e9:6.2f} GB")
    assert found["ours"][0] <= found["pyarrow"][0]
    assert found["ours"][1] <= MOST_MEMORY
