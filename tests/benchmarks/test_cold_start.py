"""How long commands take, as processes of their own.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import os
import resource
import statistics
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

pytestmark = pytest.mark.benchmark

TRIES = 7
RUN = "run median --data three.csv --epsilon 1 --lower 0 --upper 100 --ledger ledger.sqlite"
COMMANDS = {
    "imports": ["-c", "import numpy, pyarrow.csv, flint"],
    "run": ["-m", "app", *RUN.split()],
    "help": ["-m", "app", "run", "--help"],
    "help of plan": ["-m", "app", "plan", "--help"],
}


def processor_time(folder, arguments, *, system=True):
    """Return the seconds of processor time that a Python of its own takes, with compiled modules."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=folder, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + system * (after.ru_stime - before.ru_stime)


def test_a_cold_release_takes_little_more_than_its_libraries(tmp_path):
    (tmp_path / "three.csv").write_text("salary\n10\n20\n30\n")
    for arguments in COMMANDS.values():  # the first ones compile what they import
        processor_time(tmp_path, arguments)
    # in turn, so that whatever else the machine does hits all of them
    times = [
        {name: processor_time(tmp_path, arguments) for name, arguments in COMMANDS.items()}
        for _ in range(TRIES)
    ]
    best = {name: min(time[name] for time in times) for name in COMMANDS}
    ratios = {name: time / best["imports"] for name, time in best.items()}
    print({name: f"{time:.3f} s, {ratios[name]:.2f} times the imports" for name, time in best.items()})
    assert ratios["run"] <= 2.1
    for name in ("help", "help of plan"):
        assert best[name] <= 0.3 or ratios[name] <= 1.4


def five_columns(n):
    rng = np.random.default_rng(1)
    return {
        "salary": np.round(rng.lognormal(10.5, 0.8, n), 2),
        "age": rng.integers(18, 90, n),
        "share": rng.random(n),
        "dept": np.array(["sales", "research", "it", "hr"])[rng.integers(0, 4, n)],
        "id": rng.permutation(n),
    }


def one_column(n):
    return {"salary": np.round(np.random.default_rng(1).lognormal(10.5, 0.8, n), 2)}


@pytest.mark.parametrize(("columns", "n"), [(five_columns, 2 * 10**6), (one_column, 10**7)])
def test_a_release_of_a_large_file_against_its_simulation(tmp_path, columns, n):
    """The ledger identifies the table: that is all that a simulation, which only reads, spares.

    In user time, since the system's time for fresh memory depends on the machine more than on the program.
    """
    csv.write_csv(pa.table(columns(n)), tmp_path / "people.csv")
    words = "-m app run median --data people.csv --column salary --epsilon 1 --lower 0 --upper 500000"
    ends = ["--ledger ledger.sqlite", "--seed 1"]
    times = [
        [processor_time(tmp_path, f"{words} {end}".split(), system=False) for end in ends] for _ in range(5)
    ]
    ours, reading = (statistics.median(each) for each in zip(*times, strict=True))
    print(f"\n{n:,} rows: {ours:.2f} s; simulation {reading:.2f} s; ratio {ours / reading:.2f}")
    assert ours <= 1.8 * reading
