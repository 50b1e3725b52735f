"""Functions from a file, in real processes: whatever they do, the run ends well."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from engine.aggregation import black_box_process
from engine.aggregation.black_box import BlackBox
from engine.aggregation.blocks import Partition
from engine.aggregation.running import Outputs
from engine.aggregation.running import outputs as run
from engine.aggregation.spaces import Euclidean, Manhattan
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.progress import Cancelled, silent
from engine.randomness import reproducible

BOX = Box.of([0.0, 0.0], [1.0, 1.0])
DEFAULT = [0.5, 5.0]
LINUX = sys.platform == "linux"

# Every function misbehaves on blocks that hold a point (0, 0), and only on those.
SOURCE = """
import ctypes, functools, os, random, signal, sys, time
import numpy as np
import beside

calls = []
places = os.path.join(os.path.dirname(__file__), "pids")

def good(x):
    return np.array([x[:, 0].mean(), 10 * x[:, 1].mean()])

def unless_zeros(trouble):
    @functools.wraps(trouble)
    def function(x):
        if (x == 0).all(axis=1).any():
            return trouble(x)
        return good(x)
    return function

@unless_zeros
def raises(x): raise ValueError(f"a secret: {x[0]}")
@unless_zeros
def not_a_number(x): return [float("nan"), 1.0]
@unless_zeros
def infinite(x): return [1.0, float("inf")]
@unless_zeros
def too_short(x): return [1.0]
@unless_zeros
def too_long(x): return np.ones(3)
@unless_zeros
def nothing(x): return None
@unless_zeros
def text(x): return "ab"
@unless_zeros
def complex_numbers(x): return [1j, 1.0]
@unless_zeros
def ragged(x): return [[1.0], [1.0, 2.0]]
@unless_zeros
def huge(x): return [1.0] * 10**11
@unless_zeros
def sleeps(x): time.sleep(1000)
@unless_zeros
def spins(x):
    while True: pass
@unless_zeros
def cannot_be_asked_to_end(x):
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    while True:
        try: time.sleep(1000)
        except BaseException: pass
@unless_zeros
def exits_python(x): sys.exit(0)
@unless_zeros
def exits_at_once(x): os._exit(0)
@unless_zeros
def recurses(x): return recurses(x)
@unless_zeros
def recurses_deeply(x):
    sys.setrecursionlimit(10**9)
    return recurses(x)
@unless_zeros
def crashes(x): ctypes.string_at(0)
@unless_zeros
def interrupts(x): raise KeyboardInterrupt
@unless_zeros
def kills_its_parent(x): os.kill(os.getppid(), signal.SIGKILL)
@unless_zeros
def closes_everything(x):
    os.closerange(0, 256)
    return good(x)
@unless_zeros
def takes_memory(x): return good(x + np.ones((3 * 10**8, 1)).sum() * 0)

def prints(x):
    print("a secret", x)
    sys.stderr.write("a secret")
    os.write(1, b"a secret" * 100_000)
    os.write(2, b"a secret")
    return good(x)

def asks(x):
    try: input()
    except EOFError: return good(x)

def forks(x):
    before = os.path.getsize(places) if os.path.exists(places) else 0
    if os.fork() == 0:
        with open(places, "a") as file: file.write(f"{os.getpid()}\\n")
        time.sleep(1000)
    while not os.path.exists(places) or os.path.getsize(places) == before:
        time.sleep(0.01)
    return good(x)

def returns_twice(x):
    if os.fork() == 0:
        return [0.9, 0.9]
    os.wait()
    return good(x)

def counts(x):
    calls.append(x)
    return [len(calls), 1.0]

def draws(x): return [random.random(), 10 * np.random.rand()]
def hashes(x): return [hash("a word") % 1000 / 1000, 1.0]
def writes(x):
    x[:] = 0.25
    return good(x)
def column(x): return good(x)[:, None]
def whole_numbers(x): return [1, True]
def far(x): return [-1e300, 1e300]
def late(x):
    with open(places, "a") as file: file.write(f"{os.getpid()}\\n")
    time.sleep(1000)

not_a_function = 3
"""

FAILS = [
    *("raises", "not_a_number", "infinite", "too_short", "too_long", "nothing", "text"),
    *("complex_numbers", "ragged", "exits_python", "exits_at_once", "recurses", "crashes"),
    *("interrupts", "kills_its_parent", "closes_everything"),
]
USUAL = {"raises", "not_a_number", "too_short", "exits_at_once", "crashes", "kills_its_parent"}
"""One of each kind; the others wait for the slow run."""
TOO_LONG = ["sleeps", "spins", "cannot_be_asked_to_end"]
TOO_LARGE = ["huge", "takes_memory", "recurses_deeply"] if LINUX else []
# Limits where one is to be reached; elsewhere they are generous, for the machine may be busy.
TROUBLE = [
    *(pytest.param(name, {}, marks=[] if name in USUAL else pytest.mark.slow) for name in FAILS),
    *((name, {"seconds": 0.5}) for name in TOO_LONG),
    *((name, {"memory_mb": 50}) for name in TOO_LARGE),
]
IS_WELL = ["good", "prints", "asks", "forks", "returns_twice"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("functions")
    (folder / "beside.py").write_text("")
    path = folder / "mine.py"
    path.write_text(SOURCE, "utf-8")
    return path


def outputs(function, points, split, seed, executor=None, progress=silent) -> Outputs:
    """Run with one worker, for starting each takes longer than all blocks here."""
    with ThreadPoolExecutor(1) as one:
        return run(function, points, split, seed, executor or one, progress)


def box(file, name, seconds=30.0, **parameters):
    return BlackBox(str(file), name, (0.0, 0.0), (1.0, 10.0), seconds, **parameters)


def data(n=40, seed=1):
    return Points(np.random.default_rng(seed).random((n, 2)), BOX)


def blocks(n=40, m=5):
    return Partition(blocks=m).draw(n, reproducible(1))


def means(points, split):
    members = np.concatenate([*split.members])
    return points.values[members].mean(axis=1) * [1, 10]


def pids(file):
    path = file.parent / "pids"
    found = [int(line) for line in path.read_text().split()] if path.exists() else []
    path.unlink(missing_ok=True)
    return found


def running(pid):
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (LINUX and (not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"))


def all_end(processes, within=3.0):
    until = time.monotonic() + within
    while any(map(running, processes)) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(running, processes))


@pytest.mark.parametrize(("name", "limits"), TROUBLE)
def test_a_block_on_which_it_fails_gets_the_default_and_the_others_their_output(file, name, limits, capfd):
    split = blocks()
    points = data().replaced(int(split.members[0][3, 2]), [0.0, 0.0])
    found = outputs(box(file, name, **limits), points, split, 1)
    expected = means(points, split)
    expected[3] = DEFAULT
    assert np.allclose(found.values, expected, rtol=1e-14)
    assert found.fell_back == 1
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", IS_WELL)
def test_what_else_it_does_changes_nothing(file, name, capfd):
    found = outputs(box(file, name), data(), blocks(), 1)
    assert np.allclose(found.values, means(data(), blocks()), rtol=1e-14)
    assert found.fell_back == 0
    assert capfd.readouterr() == ("", "")
    if name == "forks":
        forked = pids(file)
        assert len(forked) == 5
        assert all_end(forked)


def test_nothing_is_left_from_the_block_before(file):
    """Each block is the first that the function has seen."""
    found = outputs(box(file, "counts"), data(), blocks(), 1)
    assert found.values.tolist() == [[1.0, 1.0]] * 5


def test_what_it_draws_follows_from_the_seed(file):
    first, again, other = (
        outputs(box(file, "draws"), data(seed=s), blocks(), seed).values
        for s, seed in ((1, 7), (2, 7), (1, 8))
    )
    assert np.array_equal(first, again)
    assert not np.isin(first, other).any()
    assert len(np.unique(first)) == 10
    words = [outputs(box(file, "hashes"), data(), blocks(), seed).values for seed in (1, 2)]
    assert np.array_equal(*words)


def test_it_may_write_to_its_block(file):
    points = data()
    before = points.values.copy()
    assert outputs(box(file, "writes"), points, blocks(), 1).values.tolist() == [[0.25, 2.5]] * 5
    assert np.array_equal(points.values, before)


def test_what_fits_is_taken(file):
    assert np.allclose(outputs(box(file, "column"), data(), blocks(), 1).values, means(data(), blocks()))
    assert outputs(box(file, "whole_numbers"), data(), blocks(), 1).values.tolist() == [[1.0, 1.0]] * 5
    assert outputs(box(file, "far"), data(), blocks(), 1).values.tolist() == [[0.0, 10.0]] * 5


def test_a_large_block_passes(file):
    points = data(200_000)
    found = outputs(box(file, "good"), points, blocks(200_000, 3), 1).values
    assert np.allclose(found[0], points.values[blocks(200_000, 3).members[0][0]].mean(axis=0) * [1, 10])


@pytest.mark.slow
def test_a_block_that_takes_long_to_arrive_leaves_nothing_for_the_next(file):
    """The limit is that of the function; were it over before all is read, the rest would come next."""
    large, small = np.full((4_000_000, 2), 0.25), np.full((3, 2), 0.5)
    with box(file, "good", seconds=0.05).opened() as crew:
        answers = []
        for _ in range(3):
            crew.apply(large[None], np.array([1]))
            answers.append(crew.apply(small[None], np.array([1]))[0].tolist())
    assert [0.5, 5.0] in answers  # on a busy machine even a small block may be late


def test_the_executor_changes_nothing(file):
    expected = outputs(box(file, "draws"), data(), blocks(), 7).values
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert np.array_equal(outputs(box(file, "draws"), data(), blocks(), 7, processes).values, expected)


@pytest.mark.slow
def test_where_a_system_cannot_fork_each_block_has_a_new_interpreter(file, monkeypatch):
    monkeypatch.setattr(black_box_process, "HOW", "alone")
    split = blocks(39, 3)
    assert run(box(file, "counts"), data(39), split, 1).values.tolist() == [[1.0, 1.0]] * 3
    points = data(39).replaced(int(split.members[0][1, 2]), [0.0, 0.0])
    expected = means(points, split)
    expected[1] = DEFAULT
    for name in ("raises", "exits_at_once", "sleeps"):
        found = run(box(file, name, seconds=0.5), points, split, 1)
        assert np.allclose(found.values, expected, rtol=1e-14)


def test_cancelling_ends_it_and_what_it_has_started(file):
    asked = []

    def progress(fraction, message=""):
        if (file.parent / "pids").exists():
            asked.append(time.monotonic())
            raise Cancelled

    with pytest.raises(Cancelled):
        outputs(box(file, "late", seconds=60.0), data(), blocks(), 1, None, progress)
    assert time.monotonic() - asked[0] < 1
    assert all_end(pids(file))


DRIVER = """
import sys
import numpy as np
from engine.aggregation.black_box import BlackBox
from engine.aggregation.blocks import Partition
from engine.aggregation.running import outputs
from engine.data.points import Points
from engine.domain import Box
box = Box.of([0.0, 0.0], [1.0, 1.0])
blocks = Partition(blocks=3).draw(9, np.random.default_rng(1))
outputs(BlackBox(sys.argv[1], "late", (0.0,), (1.0,), 600.0), Points(np.ones((9, 2)), box), blocks, 1)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes end with a signal only here")
def test_if_the_program_dies_nothing_runs_on(file):
    pids(file)
    program = subprocess.Popen([sys.executable, "-P", "-c", DRIVER, str(file)])
    until = time.monotonic() + 30
    while not (file.parent / "pids").exists() and time.monotonic() < until:
        time.sleep(0.02)
    program.send_signal(signal.SIGKILL)
    program.wait()
    time.sleep(0.1)
    left = pids(file)
    assert left
    assert all_end(left)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "import nowhere_to_be_found\ndef f(x): pass",
            "line 1 of bad.py: ModuleNotFoundError: No module named 'nowhere_to_be_found'",
        ),
        ("def f(x): pass\n\n1/0", "line 3 of bad.py: ZeroDivisionError: division by zero"),
        ("import sys\ndef f(x): pass\nsys.exit(1)", "line 3 of bad.py: SystemExit: 1"),
        (
            "import os\ndef f(x): pass\nos._exit(0)",
            "loading the file ends Python, or takes more than 60 seconds",
        ),
        ("f = 3", "bad.py holds no function 'f'"),
        ("print('hello')\nif False:\n    def f(x): pass", "bad.py holds no function 'f'"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_named(tmp_path, text, words, capfd):
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(ParameterError) as refused:
        outputs(box(tmp_path / "bad.py", "f"), data(), blocks(), 1)
    assert refused.value.field == "function"
    assert refused.value.problem == words
    assert capfd.readouterr() == ("", "")


def test_a_file_that_takes_for_ever_to_load(tmp_path, monkeypatch):
    monkeypatch.setattr(black_box_process, "LOADING", 0.5)
    (tmp_path / "bad.py").write_text("def f(x): pass\nimport time\ntime.sleep(1000)")
    with pytest.raises(ParameterError, match=r"takes more than 0\.5 seconds"):
        outputs(box(tmp_path / "bad.py", "f"), data(), blocks(), 1)


def test_the_reason_crosses_to_another_process_and_back(tmp_path):
    (tmp_path / "bad.py").write_text("def f(x): pass\n1/0")
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as processes,
        pytest.raises(ParameterError, match="line 2"),
    ):
        outputs(box(tmp_path / "bad.py", "f"), data(), blocks(), 1, processes)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (None, "f", "cannot be read (No such file or directory); give the path of a Python file"),
        ("def f(x:\n", "f", "line 1 of mine.py is no Python"),
        ("\0", "f", "mine.py"),
        ("def mean(x): pass\ndef other(x): pass", "meen", "mine.py holds no function 'meen'; it holds mean"),
        ("x = 1", "f", "mine.py holds no function 'f'"),
    ],
)
def test_problems_that_show_without_running_it(tmp_path, text, name, words):
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    field, problem = box(path, name).problem(BOX)
    assert field == "function"
    assert words in problem
    assert "\n" not in problem


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): pass",
        "from math import exp as f",
        "f = lambda x: x",
        "import f",
        "class f: pass",
        "f, g = 1, 2",
    ],
)
def test_whatever_may_define_it_is_let_pass(tmp_path, text):
    (tmp_path / "mine.py").write_text(text)
    assert box(tmp_path / "mine.py", "f").problem(BOX) is None


def test_nothing_runs_before_it_is_asked_to(tmp_path):
    path, trace = tmp_path / "mine.py", tmp_path / "trace"
    path.write_text(f"open({str(trace)!r}, 'w')\ndef f(x): return x")
    function = box(path, "f")
    assert function.problem(BOX) is None
    function.space(BOX), function.default(BOX), function.settings(), repr(function), hash(function)
    assert not trace.exists()
    outputs(function, data(), blocks(), 1)
    assert trace.exists()


def test_as_it_is_written(tmp_path):
    function = BlackBox.named("a/b.py:mean", [0], [1], seconds=2)
    assert function == BlackBox("a/b.py", "mean", (0.0,), (1.0,), 2)
    assert BlackBox.named("C:\\mine.py:mean", [0], [1]).path == "C:\\mine.py"
    for wrong in ("mean", "b.py:", ":mean", "b.py:two words", ""):
        with pytest.raises(ParameterError, match=r"must be FILE\.py:NAME"):
            BlackBox.named(wrong, [0], [1])


def test_bounds_of_the_output_are_declared():
    function = BlackBox("b.py", "f", (0, -1), (1, 1), metric="L1")
    assert function.space(Box.of([5], [6])) == Manhattan(Box.of([0, -1], [1, 1]))
    assert BlackBox("b.py", "f", (0,), (1,)).space(BOX) == Euclidean(Box.of([0], [1]))
    assert function.default(BOX).tolist() == [0.5, 0.0]
    assert function.settings() == {
        "function": "b.py:f",
        "output_lower": [0.0, -1.0],
        "output_upper": [1.0, 1.0],
        "metric": "L1",
        "seconds": 10.0,
        "memory_mb": 1024,
    }
    for lower, upper in (((), ()), ((0,), (1, 2)), ((1,), (0,)), ((0,), (float("nan"),))):
        with pytest.raises(ParameterError):
            BlackBox("b.py", "f", lower, upper)
    with pytest.raises(ParameterError) as refused:
        BlackBox("b.py", "f", (0,), (1,), seconds=0)
    assert refused.value.field == "seconds"
