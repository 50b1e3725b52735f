"""What every start of the program does before anything else is imported."""

import os
import subprocess
import sys

import pytest

PROBE = """
import app, numpy, threadpoolctl
print(max((pool["num_threads"] for pool in threadpoolctl.threadpool_info()), default=0))
"""


@pytest.mark.parametrize("stated", ["", "2"])
def test_matrices_are_multiplied_by_one_thread_unless_stated(stated):
    """At every start, each further one would spin for a tenth of a second of processor time."""
    environment = {name: text for name, text in os.environ.items() if not name.endswith("_NUM_THREADS")}
    if stated:
        environment["OPENBLAS_NUM_THREADS"] = stated
    done = subprocess.run(
        [sys.executable, "-c", PROBE], check=True, capture_output=True, text=True, env=environment
    )
    if done.stdout == "0\n":
        pytest.skip("numpy multiplies with another library here")
    assert int(done.stdout) == (min(2, os.cpu_count() or 1) if stated else 1)
