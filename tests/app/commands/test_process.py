"""The program as a process: what it loads, how it is stopped, what it does without a display."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROBE = """
import json, sys
from app.commands.main import main
status = main(sys.argv[1:])
json.dump([status, [name for name in {heavy!r} if name in sys.modules]], sys.stderr)
"""
HEAVY = ("numpy", "PySide6", "matplotlib", "pyarrow", "scipy.stats", "sklearn")


@pytest.fixture
def loaded(environment, tmp_path):
    """Run `main` in a fresh interpreter; return its status and the heavy modules it loaded."""

    def call(*words):
        command = [sys.executable, "-c", PROBE.format(heavy=HEAVY), *map(str, words)]
        found = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        return tuple(json.loads(found.stderr[found.stderr.index("[") :]))

    return call


@pytest.mark.parametrize("words", [("--version",), ("--help",), (), ("sensitvity",)])
def test_help_and_version_load_nothing_heavy(loaded, words):
    assert loaded(*words) == (0 if words and words[0].startswith("--") else 2, [])


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("catalog",), {"numpy"}),
        (("run", "--help"), {"numpy"}),
        pytest.param(("noise", "lcp", "--epsilon", 1), {"numpy"}, marks=pytest.mark.slow),
        pytest.param(
            ("run", "median", "--example", "salaries", "--epsilon", 1),
            {"numpy", "pyarrow"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("sensitivity", "median", "--example", "salaries", "--beta", 1),
            {"numpy", "pyarrow"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("run", "mst", "--example", "karate", "--epsilon", 1),
            {"numpy", "pyarrow"},
            marks=pytest.mark.slow,
        ),
        (("sensitivity", "triangles", "--example", "karate", "--beta", 1), {"numpy", "pyarrow"}),
        (("noise", "lcp", "--epsilon", 1, "--plot", "x.svg"), {"numpy", "matplotlib"}),
        (("run", "clusters", "--example", "four-heaps", "--epsilon", 1), {"numpy", "pyarrow"}),
        (("plan", "clusters", "--n", 1e4, "--lower", 0, "--upper", 1, "--epsilon", 1), {"numpy"}),
    ],
)
def test_verbs_load_only_what_they_need(loaded, words, allowed):
    status, modules = loaded(*words)
    assert status == 0
    assert set(modules) <= allowed


def test_version(start):
    from engine import __version__

    out, err = start("--version").communicate(timeout=60)
    assert out == f"sensiscope {__version__}\n"
    assert err == ""


@pytest.mark.skipif(os.name == "nt", reason="POSIX accounting")
@pytest.mark.parametrize("word", ["--version", "--help"])
def test_help_and_version_cost_less_than_a_fifth_of_a_second(start, word):
    import resource

    costs = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert start(word).communicate(timeout=60)[0]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(costs) < 0.2


def test_the_window_opens_on_a_file_even_if_it_is_called_like_a_verb(cli, tmp_path, monkeypatch):
    from app.window import application

    opened = []
    monkeypatch.setattr(application, "open_window", lambda *given: opened.append(given) or 0)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text("x\n1\n")
    assert cli("./run", "--theme", "dark").status == 0
    assert cli("--ledger", "mine.sqlite").status == 0
    assert opened == [("./run", "dark", None), (None, None, Path("mine.sqlite"))]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="macOS and Windows always have a display")
def test_without_a_display_the_window_is_refused_in_one_line(start, ten):
    for words in ((), (ten,)):
        process = start(*words)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 2
        assert err.startswith("sensiscope: error: there is no display")
        assert "demo" in err
        assert err.count("\n") == 1


def test_the_installed_program_runs(start):
    program = Path(sys.executable).with_name("sensiscope.exe" if os.name == "nt" else "sensiscope")
    if not program.exists():
        pytest.skip("sensiscope is not installed in this environment")
    out, _ = start(
        "run", "median", "--example", "salaries", "--epsilon", 1, "--json", program=(program,)
    ).communicate()
    assert json.loads(out)["simulated"] is False


def test_a_reader_who_has_had_enough_is_no_error(start):
    process = start(
        "sensitivity", "median", "--example", "salaries", "--beta", 0.1, "--k-max", 9000, "--json"
    )
    process.stdout.read(1)
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize(("bounds", "status"), [((0, 10), 0), ((10, 0), 2)])
def test_a_standard_error_that_takes_nothing_changes_no_status(start, ten, bounds, status):
    words = ("--data", ten, "--lower", bounds[0], "--upper", bounds[1], "--method", "laplace")
    with open("/dev/full", "w") as full:
        # the noise is wider than the bounds, so there is a remark
        process = start("run", "median", *words, "--epsilon", 0.1, "--json", stderr=full)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == status
    assert bool(out) == (status == 0)


SLOW = """
import sys, time
from app.commands.main import main
import engine.queries.profile as profile
def work(*_):
    print("working", file=sys.stderr, flush=True)
    {work}
profile.sensitivity_profile = work
sys.exit(main(["sensitivity", "median", "--example", "salaries", "--beta", "1"]))
"""
PYTHON = "while True: time.sleep(0.01)"
COMPILED = "import hashlib; hashlib.pbkdf2_hmac('sha256', b'', b'', 2**30)"


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("work", [PYTHON, COMPILED], ids=["python", "compiled"])
def test_ctrl_c_ends_it_within_a_second(start, work):
    process = start(program=(sys.executable, "-c", SLOW.format(work=work)))
    assert process.stderr.readline() == "working\n"
    time.sleep(0.4)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - sent < 1.0
    assert "Traceback" not in process.stderr.read()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
@pytest.mark.slow
def test_the_bar_is_for_terminals_only(start):
    import pty

    work = "\n    ".join(
        [
            "report = _[-1]",
            "for i in range(50): report(i / 50, 'counting'); time.sleep(0.02)",
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
    assert piped.communicate(timeout=60)[1] == "working\n"
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
    while b"s left" not in text:
        assert process.poll() is None
        text += os.read(outer, 4096)
    assert b"cuts that decide" in text or b"spanning forests" in text
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - sent < 1.0
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
    open(f"{os.getpid()}.pid", "w").close()
    time.sleep(600)
"""
ON_BLOCKS = ("run", "sample-aggregate", "--example", "four-heaps", "--epsilon", 1, "--json")
OF_TWO = ("--output-lower", "0,0", "--output-upper", "1,1", "--seconds", 600)


@pytest.mark.slow
def test_what_a_function_prints_goes_nowhere(start, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    out, err = start(*ON_BLOCKS, "--function", "own.py:prints", *OF_TWO, "--blocks", 10).communicate(
        timeout=60
    )
    assert len(json.loads(out)["value"]) == 2
    assert "secret" not in out + err


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.slow
def test_ctrl_c_ends_functions_from_a_file_too(start, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    process = start(*ON_BLOCKS, "--function", "own.py:sleeps", *OF_TWO, "--blocks", 10)
    waited = time.monotonic() + 30
    while not (running := list(tmp_path.glob("*.pid"))) and time.monotonic() < waited:
        time.sleep(0.05)
    assert running
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - sent < 1.0
    assert process.stdout.read() == ""
    time.sleep(0.5)
    for path in tmp_path.glob("*.pid"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.stem), 0)


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
def test_ctrl_c_does_not_wait_for_blocks_in_the_midst_of_compiled_code(start):
    process = start(program=(sys.executable, "-c", THREAD))
    assert process.stderr.readline().startswith("working")  # blocks may say so at once
    time.sleep(0.4)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - sent < 1.0
