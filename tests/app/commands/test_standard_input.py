"""Data from the standard input: read, kept for as long as they are needed, and removed whatever happens."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import app

WORDS = ("run", "median", "--data", "-", "--column", "pay", "--lower", "0", "--upper", "9", "--epsilon", "1")
ROOT = Path(app.__file__).parents[1]


def begun(folder, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "app", *WORDS, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def test_it_is_read_and_nothing_stays(tmp_path):
    child = begun(tmp_path, "--seed", "1", "--json", "--show-private")
    out, err = child.communicate(b"name;pay\nAnn;1,5\nBo;2,5\n", timeout=600)
    assert child.returncode == 0, err
    assert b'"true_value": 1.5' in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals are other ones there")
@pytest.mark.slow
def test_nothing_stays_of_a_process_that_is_asked_to_end(tmp_path):
    child = begun(tmp_path, "--seed", "1")
    child.stdin.write(b"name,pay\n" + b"Ann,1\n" * 200_000)
    child.stdin.flush()
    while not any(tmp_path.iterdir()):
        time.sleep(0.01)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=600)
    assert child.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
