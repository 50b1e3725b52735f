"""Ways for the function on one block to tell the function on another something: none is left.

A function sends from the one block that holds a point (0, 0), in every way listed here, and looks for what
was sent on all other blocks.  Their outputs must be those of a run in which no block holds that point.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from black_boxes import blocks, data

from engine.aggregation.running import outputs as run
from engine.extras.sandbox import seccomp, starting
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.confinement import POSSIBLE_ACTIONS

LINUX = sys.platform == "linux"
pytestmark = pytest.mark.skipif(not LINUX, reason="only Linux has what keeps blocks apart")

SOURCE = """
import array, ctypes, fcntl, mmap, os, platform, resource, struct, threading, time

LIBC = ctypes.CDLL(None, use_errno=True)
IOPRIO_SET, IOPRIO_GET = (251, 252) if platform.machine() == "x86_64" else (30, 31)
FILES = (__file__, os.__file__)
OPEN = range(64)

def each(action, *things):
    total = 0
    for thing in things:
        try: total += action(thing) or 0
        except (OSError, ValueError): total += 0.125
    return total

def flags_of(fd): return bool(fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_APPEND)
def set_flags(fd): fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)
def signal_of(fd): return fcntl.fcntl(fd, fcntl.F_GETSIG)
def set_signal(fd): fcntl.fcntl(fd, fcntl.F_SETSIG, 10)
def opened(action):
    def act(path):
        fd = os.open(path, os.O_RDONLY)
        try: return action(fd)
        finally: os.close(fd)
    return act
def hint_of(fd): return struct.unpack("Q", fcntl.fcntl(fd, 1035, struct.pack("Q", 0)))[0]
def set_hint(fd): fcntl.fcntl(fd, 1036, struct.pack("Q", 3))
def attributes_of(fd): return struct.unpack("l", fcntl.ioctl(fd, 0x80086601, struct.pack("l", 0)))[0] & 0x40
def set_attributes(fd):
    now = struct.unpack("l", fcntl.ioctl(fd, 0x80086601, struct.pack("l", 0)))[0]
    fcntl.ioctl(fd, 0x40086602, struct.pack("l", now | 0x40))
def processes(): return (os.getppid(), 0)
def limits_of(pid): return sum(resource.prlimit(pid, resource.RLIMIT_STACK)[:1]) % 999
def set_limits(pid):
    hard = resource.prlimit(pid, resource.RLIMIT_STACK)[1]
    resource.prlimit(pid, resource.RLIMIT_STACK, (4 << 20, hard))
def priority_of(pid): return os.getpriority(os.PRIO_PROCESS, pid)
def set_priority(pid): os.setpriority(os.PRIO_PROCESS, pid, 5)
def affinity_of(pid): return len(os.sched_getaffinity(pid))
def set_affinity(pid): os.sched_setaffinity(pid, {0})
def set_scheduler(pid): os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))
def names_of(path): return len(os.listxattr(path))
def set_name(path): os.setxattr(path, "user.a", b"1")
def io_of(pid):
    got = LIBC.syscall(IOPRIO_GET, 1, pid)
    if got < 0: raise OSError
    return got % 997
def set_io(pid):
    if LIBC.syscall(IOPRIO_SET, 1, pid, 3 << 13) < 0: raise OSError
def start_threads(_):
    for _ in range(7):
        one = threading.Thread(target=int)
        one.start()
        one.join()

SHARED = mmap.mmap(-1, 8)
try: PIPE = os.pipe(); os.set_blocking(PIPE[0], False)
except OSError: PIPE = (-1, -1)
def set_shared(_): SHARED[0] = 1

forks = []
try: os.register_at_fork(before=lambda: forks.append(1))
except OSError: pass

WAYS = {
    "flags": (OPEN, set_flags, flags_of),
    "signal": (OPEN, set_signal, signal_of),
    "hint": (FILES, opened(set_hint), opened(hint_of)),
    "attributes": (FILES[:1], opened(set_attributes), opened(attributes_of)),
    "limits": (processes, set_limits, limits_of),
    "priority": (processes, set_priority, priority_of),
    "affinity": (processes, set_affinity, affinity_of),
    "scheduler": (processes, set_scheduler, os.sched_getscheduler),
    "io": (processes, set_io, io_of),
    "times": (FILES[:1], lambda path: os.utime(path, (1, 1)), lambda path: os.stat(path).st_mtime == 1),
    "modes": (FILES[:1], lambda path: os.chmod(path, 0o666), lambda path: os.stat(path).st_mode % 512),
    "names": (FILES[:1], set_name, names_of),
    "numbers": ((0,), start_threads, lambda _: os.getpid() % 10000),
    "shared": ((0,), set_shared, lambda _: SHARED[0]),
    "pipe": (PIPE[1:], lambda fd: os.write(fd, b"1") * 0, lambda fd: len(os.read(PIPE[0], 1))),
    "hook": ((0,), lambda _: None, lambda _: len(forks)),
}

def speaks(x):
    sending = (x == 0).all(axis=1).any()
    result = []
    for things, send, receive in WAYS.values():
        things = things() if callable(things) else things
        result.append(each(send if sending else receive, *things))
    return [0.0] * len(WAYS) if sending else result
"""
WAYS = SOURCE.partition("WAYS = {")[2].partition("\n}")[0].strip().splitlines()
NAMES = [line.strip().partition(":")[0].strip('"') for line in WAYS]
SENDER, COUNT = 1, 4

ATTEMPTS = """
import ctypes, fcntl, mmap, os, resource, signal, socket, struct, subprocess, time

LIBC = ctypes.CDLL(None, use_errno=True)
NULL = None

def called(name, *arguments):
    def call():
        if getattr(LIBC, name)(*arguments) < 0: raise OSError
    return call
def with_file(action):
    def act():
        with open(os.__file__, "rb") as file: return action(file.fileno())
    return act
def locked(fd):
    fcntl.fcntl(fd, fcntl.F_GETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))
def mapped(fd): mmap.mmap(fd, 1, mmap.MAP_SHARED, mmap.PROT_READ)
def resident(fd):
    page = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if LIBC.mincore(ctypes.c_void_p(address), ctypes.c_size_t(4096), room): raise OSError
room = ctypes.create_string_buffer(4096)
ME = os.getpid()

ATTEMPTS = [
    os.fork, os.pipe, socket.socket, socket.socketpair, lambda: subprocess.run(["true"], check=True),
    lambda: os.memfd_create("a"), lambda: os.eventfd(0),
    called("inotify_init1", 0), called("epoll_create1", 0),
    called("timerfd_create", 1, 0), called("fanotify_init", 0, 0), lambda: os.pidfd_open(ME),
    called("sysinfo", room), called("statfs", b"/", room), lambda: resource.getrusage(resource.RUSAGE_SELF),
    lambda: os.getpriority(os.PRIO_PROCESS, 0), lambda: os.setpgid(0, 0), os.setsid, lambda: os.nice(1),
    lambda: os.sched_getscheduler(0), lambda: os.kill(0, 0), lambda: os.kill(os.getppid() or 2, 0),
    lambda: os.killpg(0, 0), lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    with_file(lambda fd: fcntl.flock(fd, fcntl.LOCK_SH)),
    with_file(locked), with_file(mapped), with_file(resident),
    with_file(lambda fd: os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)),
    with_file(lambda fd: os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT)),
    with_file(lambda fd: fcntl.fcntl(fd, fcntl.F_SETFL, 0)),
    with_file(lambda fd: fcntl.fcntl(fd, fcntl.F_NOTIFY, 0)),
    lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE).madvise(mmap.MADV_FREE),
    called("mlock", room, ctypes.c_size_t(1)), called("shmget", 0, ctypes.c_size_t(1), 0o1600),
    called("semget", 0, 1, 0o1600), called("msgget", 0, 0o1600), called("ptrace", 0, 0, 0, 0),
    called("unshare", 0), called("personality", 0xFFFFFFFF), called("sync"), called("syncfs", 0),
    lambda: time.clock_gettime(-(2 << 3) | 2), lambda: open("/proc/self/stat"),
    lambda: os.listdir("/proc/self"), lambda: os.listdir("/tmp"),
    lambda: open("/dev/tty"), lambda: open("/dev/shm/a", "w"),
    lambda: signal.pidfd_send_signal(0, 0), lambda: os.chmod(__file__, 0o666), lambda: os.utime(__file__),
    lambda: os.unlink(__file__), lambda: os.mkfifo(__file__ + ".pipe"),
    lambda: os.link(__file__, __file__ + ".2"),
]

def tries(x):
    done = []
    for attempt in ATTEMPTS:
        try: attempt()
        except (OSError, ValueError, subprocess.SubprocessError): done.append(0.0)
        else: done.append(1.0)
        if os.getpid() != ME and ME != 1: os._exit(0)
    return done
"""
ATTEMPTS_COUNT = 54

COMPUTES = """
import ctypes, threading
import numpy as np, scipy.optimize, scipy.stats, scipy.linalg, scipy.spatial
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

LIBC = ctypes.CDLL(None)

def joined():
    # a library of C waits for the end of a thread in memory that processes may share
    thread, wait = ctypes.c_ulong(), ctypes.cast(LIBC.usleep, ctypes.c_void_p)
    if LIBC.pthread_create(ctypes.byref(thread), None, wait, ctypes.c_void_p(20_000)): return float("nan")
    return LIBC.pthread_join(thread, None)

def computes(x):
    big = np.random.default_rng(1).random((300, 300))
    with threadpool_limits(3):
        singular = np.linalg.svd(big, compute_uv=False)[0] + (big @ big).trace() * 0
        inverse = scipy.linalg.inv(big)[0, 0]
    both = []
    threads = [threading.Thread(target=both.append, args=(one,)) for one in range(3)]
    for one in threads: one.start()
    for one in threads: one.join()
    return [
        x.mean(), np.linalg.lstsq(x, x[:, 0])[0][0], singular, inverse, len(both), np.random.random() < 2,
        scipy.optimize.minimize(lambda t: ((x - t) ** 2).sum(), [0.0]).x[0],
        scipy.stats.norm.fit(x[:, 0])[0], len(scipy.spatial.cKDTree(x).query(x)[0]),
        KMeans(2, n_init=1, random_state=1).fit(x).inertia_,
        LinearRegression(n_jobs=2).fit(x, x[:, 0]).intercept_,
        LogisticRegression().fit(x, x[:, 0] > np.median(x[:, 0])).score(x, x[:, 0] > 0.5),
        GaussianMixture(2, random_state=1).fit(x).weights_.sum(), len(open(__file__).read()) > 0,
        joined(),
    ]
"""
COMPUTED = 15

DRIVER = """
import json, sys
from engine.extras.sandbox import starting
sys.path.insert(0, sys.argv[1])
import channels as here
result = here.results(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5] == "True")
print(json.dumps([result, sorted(starting.protections())]))
"""

# Python may be in a folder that only root can enter: an ordinary user gets it in a namespace of mounts.
AS_ORDINARY = """
set -e
mount --make-rprivate /
if [ -n "$1" ]; then
    mount --bind "$2" /mnt
    mount -t tmpfs -o mode=755 tmpfs "$1"
    mkdir -p "$2"
    mount --move /mnt "$2"
fi
shift 2
exec setpriv --reuid 54321 --regid 54321 --clear-groups --inh-caps=-all "$@"
"""


def results(path, name, size, marked):
    """Return the outputs of all blocks but the one that sends."""
    points, split = data(8 * COUNT), blocks(8 * COUNT, COUNT)
    if marked:
        points = points.replaced(int(split.members[0][SENDER, 2]), [0.0, 0.0])
    function = BlackBox(path, name, (-20_000.0,) * size, (20_000.0,) * size, 120.0)
    with ThreadPoolExecutor(1) as one:
        result = run(function, points, split, seed=1, executor=one)
    assert result.fell_back == 0
    return np.delete(result.values, SENDER, axis=0).tolist()


def results_as(user, path, name, size, marked=False):
    """Return the outputs, and the protections that the user has."""
    if user == "this":
        return results(str(path), name, size, marked), starting.protections()
    if os.geteuid() != 0:
        pytest.skip("the tests run as an ordinary user")
    if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        pytest.skip("the tools to become another user are not installed")
    hidden = "/root" if sys.base_prefix.startswith("/root/") else ""
    for folder in path.parents:
        if "pytest-of-" in str(folder):
            folder.chmod(0o755)  # the other user is to reach it
    os.chown(path, 54321, 54321)
    here = path.parent / "here"
    here.mkdir(exist_ok=True)
    shutil.copy(__file__, here / "channels.py")
    support = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "support")
    shutil.copy(os.path.join(support, "black_boxes.py"), here)
    done = subprocess.run(
        [
            *("unshare", "--mount", "sh", "-c", AS_ORDINARY, "sh", hidden, sys.base_prefix),
            *(sys.executable, "-P", "-B", "-c", DRIVER, str(here), str(path), name, str(size), str(marked)),
        ],
        capture_output=True,
        text=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": "/", "PYTHONPATH": os.getcwd()},
    )
    if "permission denied" in done.stderr.lower() and not done.stdout and "mount" in done.stderr:
        pytest.skip("mounts cannot be changed here")
    assert done.returncode == 0, done.stderr
    result, protections = json.loads(done.stdout)
    return result, frozenset(protections)


def needs(protections, *names):
    for name in names:
        if name not in protections:
            pytest.skip(f"here a function could {POSSIBLE_ACTIONS[name]}")


def written(tmp_path, source):
    path = tmp_path / "mine.py"
    path.write_text(source)
    path.chmod(0o600)
    return path


USERS = ["this", pytest.param("ordinary", marks=pytest.mark.slow)]


@pytest.mark.parametrize("user", USERS)
def test_no_block_hears_of_another(user, tmp_path):
    path = written(tmp_path, SOURCE)
    before = path.stat()
    silent, protections = results_as(user, path, "speaks", len(NAMES))
    needs(protections, "apart", "traces")
    sent, _ = results_as(user, path, "speaks", len(NAMES), marked=True)
    heard = (np.array(silent) != np.array(sent)).any(axis=0)
    assert not [name for name, differs in zip(NAMES, heard, strict=True) if differs]
    assert len(set(map(tuple, silent))) == 1  # nor does a block learn which one it is
    after = path.stat()
    assert (before.st_mode, before.st_mtime) == (after.st_mode, after.st_mtime)
    assert not os.listxattr(path)


@pytest.mark.parametrize("user", USERS)
def test_calls_that_leave_a_mark_are_refused(user, tmp_path):
    path = written(tmp_path, ATTEMPTS)
    result, protections = results_as(user, path, "tries", ATTEMPTS_COUNT)
    needs(protections, "apart", "traces")
    assert np.flatnonzero(np.max(result, axis=0)).tolist() == []
    assert sorted(os.listdir(tmp_path)) == (["mine.py"] if user == "this" else ["here", "mine.py"])
    assert path.stat().st_mode % 512 == 0o600


@pytest.mark.parametrize("user", ["this", "ordinary"])
@pytest.mark.slow
def test_functions_of_numbers_run(user, tmp_path):
    pytest.importorskip("sklearn")
    computed, _ = results_as(user, written(tmp_path, COMPUTES), "computes", COMPUTED)
    assert np.isfinite(computed).all()
    assert np.asarray(computed)[:, 4].tolist() == [3.0] * (COUNT - 1)


def test_each_processor_has_all_calls():
    """The C library has no other names for some on aarch64."""
    assert seccomp.ALLOWED["aarch64"].keys() <= seccomp.ALLOWED["x86_64"].keys()
    assert seccomp.CHECKED["aarch64"].keys() == seccomp.CHECKED["x86_64"].keys()
    for processor in seccomp.ARCHITECTURES:
        numbers = [*seccomp.ALLOWED[processor].values(), *seccomp.CHECKED[processor].values()]
        assert len(numbers) == len(set(numbers))
        code = seccomp.instructions(processor, 1)
        assert len(code) < 4096
        for position, (kind, yes, no, _) in enumerate(code):
            assert kind in (0x06, 0x20, 0x54) or position + 1 + max(yes, no) < len(code)
