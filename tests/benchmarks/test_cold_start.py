"""How long a command takes that has to import everything first.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import resource
import subprocess
import sys

import pytest

pytestmark = pytest.mark.benchmark

TRIES = 7
RUN = "run median --data three.csv --epsilon 1 --lower 0 --upper 100 --ledger ledger.sqlite"
COMMANDS = {
    "imports": ["-c", "import numpy, pyarrow.csv, flint"],
    "run": ["-m", "app", *RUN.split()],
    "help": ["-m", "app", "run", "--help"],
}


def processor_time(folder, arguments):
    """Return the seconds of processor time that a Python of its own takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
    assert ratios["run"] <= 2.5
    assert best["help"] <= 0.4 or ratios["help"] <= 2.7
