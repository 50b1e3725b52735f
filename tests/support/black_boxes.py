"""Functions from a file to run on blocks: a file full of them, and the short way to run one."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np

from engine.aggregation.blocks import Partition
from engine.aggregation.running import Outputs
from engine.aggregation.running import outputs as run
from engine.data.points import Points
from engine.domain import Box
from engine.extras.sandbox.black_box import BlackBox
from engine.progress import silent
from engine.randomness import reproducible

BOX = Box.of([0.0, 0.0], [1.0, 1.0])

FAILS = (
    *("raises", "not_a_number", "infinite", "too_short", "too_long", "nothing", "text"),
    *("complex_numbers", "ragged", "exits_python", "exits_at_once", "recurses", "crashes"),
    *("interrupts", "kills_its_parent", "closes_everything"),
)
TAKES_LONG = ("sleeps", "spins", "cannot_be_asked_to_end")
IS_LARGE = ("huge", "takes_memory", "recurses_deeply")
IS_WELL = ("good", "prints", "asks", "returns_twice")
FITS = ("column", "whole_numbers", "far")
"""Ways in which functions of the file behave, by what becomes of them."""

# Functions that misbehave do so on blocks that hold a point (0, 0), and only on those.
SOURCE = """
import ctypes, functools, os, random, signal, sys, time
import numpy as np
import beside

calls = []

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
    try:
        ready, told = os.pipe()
        if os.fork() == 0:
            os.setsid()
            os.write(told, b".")
            time.sleep(1000)
        os.read(ready, 1)
    except PermissionError: pass  # where calls are filtered
    return good(x)

def returns_twice(x):
    try:
        if os.fork() == 0:
            return [0.9, 0.9]
        os.wait()
    except PermissionError: pass
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
    forks(x)
    time.sleep(1000)

not_a_function = 3

def in_turn(*ways):
    def function(x):
        marked = x[x[:, 0] == 0, 1]
        if not marked.size:
            return good(x)
        way = ways[round(100 * marked[0])]
        return way(np.where(x[:, :1] == 0, 0, x) if hasattr(way, "__wrapped__") else x)
    return function
"""
for _ways in ("FAILS", "TAKES_LONG", "IS_LARGE", "IS_WELL", "FITS"):
    SOURCE += f"{_ways} = in_turn({', '.join(globals()[_ways])})\n"


def marked_blocks(ways):
    """Return points in blocks, and which block behaves in which of `ways`, in turn: every other one."""
    m = 2 * len(ways) + 1
    points, split = data(8 * m), blocks(8 * m, m)
    places = 1 + 2 * np.arange(len(ways))
    for way, place in enumerate(places):
        points = points.replaced(int(split.members[0][place, 2]), [0.0, way / 100])
    return points, split, places


def outputs(function, points, split, seed, executor=None, progress=silent) -> Outputs:
    """Run with one worker, for starting each takes longer than all blocks here."""
    with ThreadPoolExecutor(1) as one:
        return run(function, points, split, seed=seed, executor=executor or one, progress=progress)


def box(file, name, seconds=30.0, **parameters):
    return BlackBox(str(file), name, (0.0, 0.0), (1.0, 10.0), seconds, **parameters)


def data(n=40, seed=1):
    return Points(np.random.default_rng(seed).random((n, 2)), BOX)


def blocks(n=40, m=5):
    return Partition(blocks=m).draw(n, reproducible(1))


def processes_of(file):
    """Return the processes that have a file among their arguments, or have such a parent (Linux)."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # some end meanwhile
            state = (place / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and str(file).encode() in (place / "cmdline").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return found


def all_end(file, within=3.0):
    """Tell whether no process of a function in a file is left, soon."""
    until = time.monotonic() + within
    while (left := processes_of(file)) and time.monotonic() < until:
        time.sleep(0.02)
    return not left
