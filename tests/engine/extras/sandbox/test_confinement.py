"""What a function from a file tries to get at, really tried, with all protections and without some."""

import os
import socket
import subprocess
import sys

import pytest
from black_boxes import all_end, blocks, data, outputs

from engine.errors import ParameterError
from engine.extras.sandbox import process, starting
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.confinement import POSSIBLE_ACTIONS
from engine.extras.sandbox.processes import MAX_PROCESSES

LINUX = sys.platform == "linux"
pytestmark = pytest.mark.skipif(not LINUX, reason="only Linux has what shuts a process in")

# Each returns how often it had its way.
SOURCE = """
import ctypes, mmap, os, socket, struct, subprocess, threading, time

def successes(*attempts):
    found = 0
    for attempt in attempts:
        try:
            attempt()
        except (OSError, subprocess.SubprocessError):
            continue
        found += 1
    return found

beside = os.path.join(os.path.dirname(__file__), "data.csv")

def reads_data(x):
    return successes(
        lambda: open(beside), lambda: open("/etc/passwd"), lambda: os.listdir("/home"),
        lambda: subprocess.run(["cat", beside], check=True),
    )

def looks_at_programs(x):
    return successes(*(lambda n=n: open(f"/proc/{n}/cmdline").read() or open("") for n in OTHERS))

def writes(x):
    def written(descriptor):
        with open(descriptor, "ab", buffering=0) as file: file.write(b"1")
    return successes(
        lambda: written(__file__ + ".new"), lambda: written(__file__), lambda: written(os.memfd_create("a")),
        lambda: os.ftruncate(os.memfd_create("b"), 1 << 30),
    )

def changes_files(x):
    return successes(
        lambda: open(__file__ + ".new", "w"), lambda: os.mkdir(__file__ + ".folder"),
        lambda: os.truncate(beside, 0), lambda: os.unlink(beside),
    )

def speaks(x):
    def connected(family, address):
        with socket.socket(family) as one:
            one.settimeout(1)
            one.connect(address)
    def sent():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one: one.sendto(b"1", ADDRESS)
    return successes(lambda: connected(socket.AF_INET, ADDRESS), sent)

def bombs(x):
    made = mmap.mmap(-1, 8)
    def grow():
        while struct.unpack("<q", made[:])[0] < 120:
            if os.fork(): made[:] = struct.pack("<q", struct.unpack("<q", made[:])[0] + 1)
            else: os.setsid()
    me = os.getpid()
    try:
        grow()
    except OSError:
        if os.getpid() != me: time.sleep(1000)
    if os.getpid() != me: time.sleep(1000)
    return struct.unpack("<q", made[:])[0]

def makes_threads(x):
    made = 0
    try:
        for made in range(100): threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except RuntimeError: pass
    return made

def leaves_daemon(x):
    try:
        ready, told = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.write(told, b".")
                time.sleep(1000)
            os._exit(0)
        os.read(ready, 1)
    except PermissionError: pass  # where calls are filtered
    return 0

def becomes_root(x):
    return successes(lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]), lambda: os.chroot("/"))

TRIED = (reads_data, changes_files, looks_at_programs, writes, speaks, becomes_root)

def tries(x):
    return [trying(x) for trying in TRIED]

def prints_for_ever(x):
    while True:
        for one in range(20):
            try: os.write(one, b"1" * 60_000)
            except OSError: pass

def gives_for_ever(x):
    while True: yield 1.0
"""

LACKS = {
    "nothing": "",
    "namespaces": "import engine.extras.sandbox.processes as p; p.enter = lambda: frozenset()",
    "roots": "import engine.extras.sandbox.root as r; r.MOVE_MOUNT = -1",
    "walls": "import engine.extras.sandbox.landlock as l; l.CREATE = -1",
    "filters": "import engine.extras.sandbox.seccomp as s; s.ARCHITECTURES.clear()",
}
TRIES = ("files", "files", "programs", "writing", "network", "processes")
"""What protects from each thing in `TRIED`; nothing limits the processes of whoever can become root."""


def alone(*lacking):
    """Return parameters of which all but the first wait for the slow run."""
    return [lacking[0], *(pytest.param(one, marks=pytest.mark.slow) for one in lacking[1:])]


@pytest.fixture
def lacking(request, monkeypatch):
    """Take something from the system; skip what it does not offer anyway."""
    lines = LACKS[request.param]
    for module, name in ((process, "BEGIN"), (starting, "TRY")):
        begin = getattr(module, name)
        monkeypatch.setattr(module, name, begin.replace("from engine", f"{lines}\nfrom engine", 1))
    starting.protections.cache_clear()
    yield request.param
    starting.protections.cache_clear()


def file_of(folder, **names):
    path = folder / "mine.py"
    text = SOURCE
    for name, value in names.items():
        text = text.replace(name, repr(value))
    path.write_text(text)
    (folder / "data.csv").write_text("1")
    return path


def result_of(path, name, size=1, **limits):
    function = BlackBox(str(path), name, (0.0,) * size, (1000.0,) * size, **limits)
    return outputs(function, data(6), blocks(6, 3), 1)


def needs(name):
    if name not in starting.protections():
        pytest.skip(f"here a function could {POSSIBLE_ACTIONS[name]}")


@pytest.mark.parametrize("lacking", alone(*LACKS), indirect=True)
def test_what_it_tries_is_refused(lacking, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        path = file_of(tmp_path, OTHERS=(os.getpid(), os.getppid()), ADDRESS=server.getsockname())
        found = result_of(path, "tries", len(TRIES))
    assert found.fell_back == 0
    offered = [protection in starting.protections() for protection in TRIES]
    assert found.values[:, offered].max() == 0, found.values


@pytest.mark.parametrize("lacking", alone("nothing", "namespaces", "filters"), indirect=True)
def test_processes_are_limited_and_end_with_the_block(lacking, tmp_path):
    path = file_of(tmp_path)
    if "processes" in starting.protections():
        assert result_of(path, "bombs").values.max() <= (
            0 if "apart" in starting.protections() else MAX_PROCESSES
        )
        assert 0 < result_of(path, "makes_threads").values.max() <= MAX_PROCESSES
    needs("daemons")
    assert result_of(path, "leaves_daemon").fell_back == 0
    assert all_end(path)


@pytest.mark.slow
def test_what_loading_leaves_behind_ends_with_the_run(tmp_path):
    needs("daemons")
    path = file_of(tmp_path)
    path.write_text(SOURCE + "\nleaves_daemon(0)\ndef zero(x): return 0")
    assert result_of(path, "zero").values.max() == 0
    assert all_end(path)


def test_endless_output_ends(tmp_path):
    path = file_of(tmp_path)
    assert result_of(path, "gives_for_ever", seconds=0.3).fell_back == 3
    assert result_of(path, "prints_for_ever", seconds=0.3).values.shape == (3, 1)  # of what may be its own
    assert all_end(path)
    path.write_text(
        "import os\nfor one in range(3, 20):\n    try: os.write(one, b'1' * 10**6)\n    except OSError: pass"
    )
    with pytest.raises(ParameterError, match="ends Python or takes more"):
        result_of(path, "f")


@pytest.mark.slow
def test_loading_takes_no_more_memory_than_it_may(tmp_path):
    needs("memory")
    path = tmp_path / "mine.py"
    path.write_text("import numpy as np\nkept = np.empty(10**10)\ndef f(x): return 0")
    with pytest.raises(ParameterError, match=r"line 2 of mine\.py: _?ArrayMemoryError|MemoryError"):
        result_of(path, "f")


CRASHES = """
import os, platform, resource
from engine.extras.sandbox import confinement
from engine.extras.sandbox import seccomp
from engine.extras.sandbox.system import prctl

def lacks(): raise OSError

seccomp.refuse = lacks
if os.geteuid() == 0: os.setresuid(54321, 54321, 54321)
prctl(4, 1)
confinement.Confinement(frozenset()).shut_in(None)
print(prctl(3))
"""


def test_a_crash_leaves_no_memory_of_a_block():
    """A program that is handed the dumps of a system gets them whatever the limit is."""
    made = subprocess.run([sys.executable, "-c", CRASHES], capture_output=True, text=True, check=True)
    assert made.stdout == "0\n"


def test_what_is_left_open_is_one_line(monkeypatch):
    for offered, line in (
        (POSSIBLE_ACTIONS.keys(), ""),
        (POSSIBLE_ACTIONS.keys() - {"network"}, "the function could reach the network."),
        (
            POSSIBLE_ACTIONS.keys() - {"network", "memory"},
            "could reach the network, or take any amount of memory.",
        ),
        (
            POSSIBLE_ACTIONS.keys() - {"files", "network", "memory"},
            "among them, reach the network, or take any",
        ),
    ):
        monkeypatch.setattr(starting, "protections", lambda offered=offered: frozenset(offered))
        assert line in starting.left_open()
        assert bool(starting.left_open()) == bool(line)
        assert "\n" not in starting.left_open()
