"""The program as a process that works for long: its bar, Ctrl+C, and functions from a file."""

import json
import os
import random
import sys
import time

import psutil
import pytest
from interrupting import interrupted

SLOW = """
import sys, time
from app.commands.main import main
import engine.queries.profile as profile
def work(*_, progress):
    print("working", file=sys.stderr, flush=True)
    {work}
profile.sensitivity_profile = work
sys.exit(main(["sensitivity", "median", "--example", "salaries", "--beta", "1"]))
"""
PYTHON = "while True: time.sleep(0.01)"
COMPILED = "import hashlib; hashlib.pbkdf2_hmac('sha256', b'', b'', 2**30)"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    "work", [pytest.param(PYTHON, marks=pytest.mark.slow), COMPILED], ids=["python", "compiled"]
)
def test_ctrl_c_ends_it_within_a_second(start, work):
    process = start(program=(sys.executable, "-c", SLOW.format(work=work)))
    assert process.stderr.readline() == "working\n"
    time.sleep(0.4)
    status, seconds = interrupted(process)
    assert status == 130
    assert seconds < 1.0
    assert "Traceback" not in process.stderr.read()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
@pytest.mark.slow
def test_the_bar_is_for_terminals_only(start):
    import pty

    work = "\n    ".join(
        [
            "for i in range(50): progress(i / 50, 'counting'); time.sleep(0.02)",
            "sys.exit(0)",
        ]
    )
    program = (sys.executable, "-c", SLOW.format(work=work))
    outer, inner = pty.openpty()
    piped = start(program=program)
    shown = start(program=program, stderr=inner)
    os.close(inner)
    text = b""
    while shown.poll() is None or not text:
        try:
            text += os.read(outer, 4096)
        except OSError:
            break
    os.close(outer)
    assert piped.communicate(timeout=600)[1] == "working\n"
    assert b"counting" in text
    assert b"#" in text
    assert text.endswith(b"\r\x1b[K")


@pytest.fixture
def dense(edges):
    """A graph on which the smooth sensitivity takes long: 1,000 vertices of degree about 200."""
    rng = random.Random(1)
    ends = [(edge % 1000, (edge + rng.randrange(1, 1000)) % 1000) for edge in range(100_000)]
    return edges([f"{first},{second},{rng.random():.6f}" for first, second in ends])


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
@pytest.mark.parametrize("verb", [pytest.param("sensitivity", marks=pytest.mark.slow), "run"])
@pytest.mark.slow
def test_ctrl_c_amid_a_search_for_cuts(start, dense, verb):
    import pty

    outer, inner = pty.openpty()
    process = start(verb, "mst", "--data", dense, "--upper", 1, "--epsilon", 0.01, stderr=inner)
    os.close(inner)
    text = b""
    while b"cuts that decide" not in text and b"spanning forests" not in text:
        assert process.poll() is None
        text += os.read(outer, 4096)
    status, seconds = interrupted(process)
    assert status == 130
    assert seconds < 1.0
    while b"stopped by Ctrl+C" not in text:
        text += os.read(outer, 4096)
    os.close(outer)
    assert b"Traceback" not in text
    assert process.stdout.read() == ""


OWN = """
import os, time
def prints(block):
    print("a secret of the data", flush=True)
    os.write(1, b"a secret of the data")
    os.write(2, b"a secret of the data")
    return block.mean(axis=0)
def sleeps(block):
    time.sleep(600)
"""
ON_BLOCKS = ("run", "sample-aggregate", "--example", "four-heaps", "--epsilon", 1, "--json")
OF_TWO = ("--output-lower", "0,0", "--output-upper", "1,1", "--seconds", 600)


@pytest.mark.slow
def test_what_a_function_prints_goes_nowhere(start, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    out, err = start(*ON_BLOCKS, "--function", "own.py:prints", *OF_TWO, "--blocks", 10).communicate(
        timeout=600
    )
    assert len(json.loads(out)["value"]) == 2
    assert "secret" not in out + err


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.slow
def test_ctrl_c_ends_functions_from_a_file_too(start, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    process = start(*ON_BLOCKS, "--function", "own.py:sleeps", *OF_TWO, "--blocks", 10)
    program, waited = psutil.Process(process.pid), time.monotonic() + 30
    while not program.children(recursive=True) and time.monotonic() < waited:
        time.sleep(0.05)
    time.sleep(1.0)  # a function cannot say that it has begun: it may write nothing
    running = program.children(recursive=True)
    assert running
    status, seconds = interrupted(process)
    assert status == 130
    assert seconds < 1.0
    assert process.stdout.read() == ""
    time.sleep(0.5)
    assert not [child for child in running if child.is_running()]


THREAD = """
import numpy, sys
import engine.aggregation.functions.k_means as k_means
def work(points, *_):
    print("working", file=sys.stderr, flush=True)
    while True:
        numpy.sort(numpy.random.default_rng(1).random(20_000_000))
k_means.cluster = work
from app.__main__ import main
sys.argv[1:] = "run clusters --example four-heaps --k 2 --epsilon 1".split()
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_blocks_in_the_midst_of_compiled_code(start):
    process = start(program=(sys.executable, "-c", THREAD))
    assert process.stderr.readline().startswith("working")  # blocks may say so at once
    time.sleep(0.4)
    status, seconds = interrupted(process)
    assert status == 130
    assert seconds < 1.0
