"""Protections of the sandbox.  A worker prepares them; each block applies them before it loads the file."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.extras.sandbox import landlock, processes, root, seccomp
from engine.extras.sandbox.system import (
    LINUX,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    prctl,
)

POSSIBLE_ACTIONS = {
    "files": "read and delete your files, the data among them",
    "writing": "write to files",
    "attributes": "change modes and times of your files",
    "network": "reach the network",
    "programs": "see with which files other programs were started",
    "processes": "start any number of processes",
    "daemons": "leave processes behind",
    "memory": "take any amount of memory",
    "apart": "pass facts about its block to the function on another block, by locks, signals and the like",
    "traces": "see when the function on another block read files, took memory or started threads",
}
"""Actions that a function could do without a protection, by the name of the protection."""

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/nix/store", "/etc/ld.so.cache", "/etc/localtime")
"""Files that libraries read and that reveal nothing about users or their data."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
MACHINE = (
    *("/proc/cpuinfo", "/proc/meminfo"),
    *(f"/sys/devices/system/cpu/{name}" for name in ("online", "possible", "present")),
    "/sys/devices/system/cpu/cpu*/regs/identification/midr_el1",
)
"""Files about the machine (patterns).  The sandbox gets copies, which do not show how busy it is."""

LOADING_MEMORY = 4 << 30
"""Bytes that loading the file may take."""
OPEN_FILES = 256


class Confinement(NamedTuple):
    """The protections that a worker applies to each block."""

    namespaces: frozenset[str]  # as `engine.extras.sandbox.processes.enter` returned them
    own_root: bool = False  # whether the root folder holds only needed files
    # Descriptors: the Landlock rules, and /proc, where processes show their size
    wall: int | None = None
    proc: int | None = None
    others: int = 0  # processes and threads of the same user; 0 in a user namespace, which has its own count

    def fork(self) -> tuple[int, processes.Orphans | None]:
        """Fork once, into a new process namespace if possible, and adopt orphans otherwise.

        Returns the result of ``os.fork``, and the argument that `processes.end_all` needs.
        """
        separate = "processes" in self.namespaces and processes.separate()
        orphans = processes.adopt_orphans() if LINUX and not separate else None
        return os.fork(), orphans

    def open_size(self) -> int | None:
        """Return a descriptor that shows how much memory this process has taken; None without ``/proc``."""
        with suppress(OSError):
            if self.proc is not None:
                return os.open("self/status", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self.proc)
        return None

    def shut_in(self, memory: int | None) -> frozenset[str]:
        """Apply all protections that the system offers to this process, and return their names."""
        protected = set()
        if LINUX:
            alone = "processes" in self.namespaces and os.getpid() == 1
            if alone or os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
                protected.add("daemons")
            with suppress(OSError):
                processes.end_with_parent()
            with suppress(OSError, ValueError):
                processes.limit_number(self.others)
                protected.add("processes")
            with suppress(OSError):
                processes.drop_rights()
            with suppress(OSError):
                prctl(PR_SET_NO_NEW_PRIVS, 1)
            # a crash handler could store the memory of this process, whatever its limits
            with suppress(OSError):
                prctl(PR_SET_DUMPABLE, 0)
            if self.own_root:
                protected |= {"files", "programs", "attributes"}
            if "network" in self.namespaces:
                protected.add("network")
            with suppress(OSError):
                if self.wall is not None:
                    landlock.restrict(self.wall)
                    protected |= {"files", "programs"}
        _limit_rest()
        with suppress(ImportError, OSError, ValueError):
            _limit("FSIZE", 0)
            protected.add("writing")
        with suppress(ImportError, OSError, ValueError):
            if memory is not None:
                _limit("AS", memory)
                protected.add("memory")
        if LINUX:
            try:
                seccomp.refuse()
                protected |= {"network", "attributes", "apart", "processes", "daemons"}
                if alone and self.own_root:
                    protected.add("traces")
            except OSError:
                if os.geteuid() == 0:  # it could become root again, and root has no limit
                    protected.discard("processes")
        return frozenset(protected)


def prepare(namespaces: frozenset[str], modules: Mapping[str, bytes]) -> Confinement:
    """Prepare the sandbox, in a process that never runs a user's function.

    Parameters
    ----------
    namespaces : frozenset of str
        The new namespaces, as `engine.extras.sandbox.processes.enter` returned them.
    modules : mapping of str to bytes
        The confirmed files by path.  A sandboxed process can read these and Python's own, no others.
    """
    with suppress(ImportError):
        import resource  # noqa: F401  (else each block would load it again)
    if not LINUX:
        return Confinement(namespaces)
    if seccomp.offered():
        seccomp.program_for(1)
    own_root, wall, proc, others = False, None, None, 0
    with suppress(OSError):
        if os.geteuid() != 0 and "processes" not in namespaces:
            others = processes.threads_of_user()
    folders = {str(Path(module).parent) for module in modules}
    shown = [*_python(folders), *SYSTEM]
    copies = dict(modules)
    for path in (path for pattern in MACHINE for path in glob.glob(pattern)):
        with suppress(OSError):
            copies[path] = Path(path).read_bytes()
    with suppress(OSError):
        proc = os.open("/proc", os.O_RDONLY | os.O_CLOEXEC)
    with suppress(OSError):
        if "mounts" in namespaces:
            root.change_root(shown, DEVICES, copies)
            own_root = True
    with suppress(OSError):
        wall = landlock.ruleset([*shown, *DEVICES, *copies], folders, [os.devnull])
    return Confinement(namespaces, own_root, wall, proc, others)


def memory_taken(size: int) -> int:
    """Return the peak memory of a process in bytes; `size` is a descriptor from `Confinement.open_size`."""
    for line in os.pread(size, 1 << 14, 0).splitlines():
        if line.startswith(b"VmPeak:"):
            return int(line.split()[1]) << 10
    raise OSError


def _limit_rest() -> None:
    """Limit core dumps, open files and the other resources that all processes of a user share."""
    for name, most in (
        ("CORE", 0),
        ("NOFILE", OPEN_FILES),
        ("SIGPENDING", 0),
        ("MEMLOCK", 0),
        ("MSGQUEUE", 0),
    ):
        with suppress(ImportError, AttributeError, OSError, ValueError):
            _limit(name, most)


def _limit(name: str, most: int) -> None:
    import resource

    kind = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _python(beside: Iterable[str]) -> list[str]:
    """Return the paths of Python's own modules, without folders that contain those of the function."""
    folders = [Path(one).resolve() for one in beside]
    installed = [
        one
        for one in filter(None, sys.path)
        if not any(folder.is_relative_to(Path(one).resolve()) for folder in folders)
    ]
    # the executable of a bundle contains the modules
    return [sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *installed]
