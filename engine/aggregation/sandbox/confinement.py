"""How a process is shut in before it loads a user's own function, and each block once more."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.aggregation.sandbox import landlock, processes, seccomp
from engine.aggregation.sandbox.system import (
    LINUX,
    PR_SET_NO_NEW_PRIVS,
    prctl,
)

WORDS = {
    "files": "read and delete your files, the data among them",
    "writing": "write to files",
    "network": "reach the network",
    "programs": "see with which files other programs were started",
    "processes": "start any number of processes",
    "daemons": "leave processes behind",
    "memory": "take any amount of memory",
}
"""What a function could do, by the name of what protects from it."""

SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/nix/store", "/etc/ld.so.cache", "/etc/localtime"),
    *(
        "/dev/random",
        "/dev/urandom",
        "/dev/zero",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/sys/devices/system/cpu",
    ),
)
"""What libraries read that tells nothing about users or their data."""

LOADING_MEMORY = 4 << 30
"""Bytes that loading the file may take."""


class Confinement(NamedTuple):
    """What holds this process, and holds its children more.

    Attributes
    ----------
    protections : frozenset of str
        Names of `WORDS`.
    wall, children, sizes : int or None
        Descriptors: rules about files, what its processes have left behind, how much memory is in use.
    """

    protections: frozenset[str]
    wall: int | None = None
    children: int | None = None
    sizes: int | None = None

    def restrict_block(self, memory: int) -> None:
        """Hold a child to so many bytes more than were in use, and off from what started it."""
        if self.wall is not None:
            landlock.restrict(self.wall)
        if LINUX:
            processes.end_with_parent()
        self._limit_memory(memory)
        for descriptor in (self.wall, self.children, self.sizes):
            if descriptor is not None:
                os.close(descriptor)

    def end_all(self, child: int) -> None:
        """End a child and all that it has started, as far as the system tells what that is."""
        for end in (os.killpg, os.kill):
            with suppress(OSError):
                end(child, 9)
        if "daemons" in self.protections:
            processes.end_all(self.children)
        else:
            os.waitpid(child, 0)

    def _limit_memory(self, more: int) -> None:
        with suppress(ImportError, OSError, ValueError):
            import resource

            if self.sizes is not None:
                pages = int(os.pread(self.sizes, 100, 0).split()[0])
                most = pages * resource.getpagesize() + more
                hard = resource.getrlimit(resource.RLIMIT_AS)[1]
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.setrlimit(resource.RLIMIT_AS, (most, most))


def confine(before: frozenset[str], modules: Sequence[str], memory: int) -> Confinement:
    """Shut this process in, by all that the system offers.

    Parameters
    ----------
    before : frozenset of str
        What `engine.aggregation.sandbox.processes.enter` has brought.
    modules : sequence of str
        The files that it may read beside Python's own: those that were looked at.
    memory : int
        Bytes that a block may take.
    """
    found, wall, children, sizes = set(before), None, None, None
    if LINUX:
        with suppress(OSError):
            sizes = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
            found.add("memory")
        with suppress(OSError):
            if "daemons" not in before:
                children = processes.adopt()
                found.add("daemons")
        with suppress(OSError, ValueError):
            processes.limit_number(own_namespace="daemons" in before)
            found.add("processes")
        with suppress(OSError):
            processes.drop_rights()
        with suppress(OSError):
            prctl(PR_SET_NO_NEW_PRIVS, 1)
        with suppress(OSError):
            folders = {str(Path(module).parent) for module in modules}
            wall = landlock.ruleset([*_python(folders), *SYSTEM, *modules], folders, [os.devnull])
            landlock.restrict(wall)
            found |= {"files", "programs"}
        try:
            seccomp.refuse()
            found.add("network")
        except OSError:
            if os.geteuid() == 0:  # it could count as root again, who has no limit
                found.discard("processes")
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        found.add("writing")
    made = Confinement(frozenset(found), wall, children, sizes)
    made._limit_memory(LOADING_MEMORY + memory)
    return made


def _python(beside: Iterable[str]) -> list[str]:
    """Return where Python's own modules are, but no place that holds those of the function, too."""
    folders = [Path(one).resolve() for one in beside]
    installed = [
        one
        for one in filter(None, sys.path)
        if not any(folder.is_relative_to(Path(one).resolve()) for folder in folders)
    ]
    # the executable of a bundle holds the modules itself
    return [sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *installed]
