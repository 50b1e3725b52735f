"""Processes of a function: isolated from all others, limited in number, and ended together.

`enter` and `separate` isolate by namespaces; where the system offers none, `adopt_orphans` finds the rest.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from engine.extras.sandbox import seccomp
from engine.extras.sandbox.system import (
    LINUX,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    PR_SET_SECUREBITS,
    libc,
    prctl,
)

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PROCESSES, NEW_NETWORK = (
    0x20000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MAX_PROCESSES = 32
"""Processes and threads that a function may have at once."""

OWN_USERS = 0x60000000
"""User ids from here on belong to no user; each function that root starts gets one of them."""

NO_ROOT = 3
"""Securebits: root gets no capabilities any more, and nothing can undo that."""
READING = 1 << 1 | 1 << 2
"""Capabilities by which root reads the files of other users."""


def enter() -> frozenset[str]:
    """Continue as the first process of a new namespace, if the system offers one.

    All processes of one worker live in this namespace of processes and mounts; each block lives in a nested
    one.  There it sees only its own processes, learns no id of another, and all end with its first process.
    The calling process waits outside until the new one ends, and ends with it.

    Returns the names of the new namespaces: "processes", "mounts", "network".
    """
    if not LINUX:
        return frozenset()
    names = {"processes": NEW_PROCESSES, "mounts": NEW_MOUNTS}
    if not seccomp.offered():
        names["network"] = NEW_NETWORK | NEW_IPC
    flags = sum(names.values()) | (0 if os.geteuid() == 0 else NEW_USER)
    user, group = os.geteuid(), os.getegid()
    if libc().unshare(flags):
        return frozenset()
    if flags & NEW_USER:
        _keep_names(user, group)
    alive, held = os.pipe()
    inside = os.fork()
    if inside:
        # otherwise the process inside could not notice that the write end has been closed
        os.closerange(0, held)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(inside, 0)[1]) & 255)
    os.close(held)
    end_with_parent()
    os.set_blocking(alive, False)
    with suppress(BlockingIOError):
        os.read(alive, 1)
        os._exit(1)  # the parent had already ended
    os.close(alive)
    return frozenset(names)


def separate() -> bool:
    """Make the next fork start a new process namespace; return whether it will."""
    return LINUX and not libc().unshare(NEW_PROCESSES)


def end_with_parent() -> None:
    """Have the kernel kill this process as soon as its parent has ended."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class _Number(ctypes.c_int):
    """A C int whose value ctypes does not convert to a Python int."""


def fork_unseen() -> bool:
    """Fork; return True in the parent, and leave no process id of the child in its memory.

    Process ids count processes and threads of the whole system, so they would show a block what others did.
    """
    number = _forking()()
    is_parent = bool(number)
    number.value = 0
    libc().getuid()  # overwrites the id that is left on the stack
    return is_parent


@functools.cache
def _forking() -> Callable[[], ctypes.c_int]:
    fork = ctypes.PyDLL(None).fork
    fork.restype = _Number
    return fork


class Orphans(NamedTuple):
    """Children of this process: a descriptor that lists them, and the ids of those to leave alive."""

    children: int
    spared: frozenset[int]

    def left(self) -> frozenset[int]:
        """Return the ids of all other children."""
        return frozenset(map(int, os.pread(self.children, 1 << 16, 0).split())) - self.spared


def adopt_orphans() -> Orphans | None:
    """Become the parent of orphaned descendants; None if the system cannot list children."""
    with suppress(OSError):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        children = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
        return Orphans(children, Orphans(children, frozenset()).left())
    return None


def end_all(child: int, orphans: Orphans | None) -> None:
    """Kill a child and all its descendants that this process knows, and wait for them."""
    for end in (os.killpg, os.kill):
        with suppress(OSError):
            end(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while orphans is not None and (left := orphans.left()):
        for one in left:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        for one in left:
            os.waitpid(one, 0)  # then its own children become children of this process


def limit_number(others: int) -> None:
    """Allow `MAX_PROCESSES` processes and threads in addition to `others`, those of the same user.

    Root has no limit.  So root's process takes a user id of its own; it can still read all files, but has no
    other right of root.
    """
    import resource

    if os.geteuid() == 0:
        os.setresuid(OWN_USERS | int.from_bytes(os.urandom(4)) >> 4, 0, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (MAX_PROCESSES + others, MAX_PROCESSES + others))


def drop_rights() -> None:
    """Drop all capabilities, except that root may still read."""
    with suppress(OSError):  # needs a capability
        prctl(PR_SET_SECUREBITS, NO_ROOT)
    kept = READING if os.geteuid() == 0 else 0
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    sets = ctypes.create_string_buffer(struct.pack("=6I", kept, kept, 0, 0, 0, 0))
    if libc().capset(header, sets):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _keep_names(user: int, group: int) -> None:
    """Map the user and the group to the same ids in the new user namespace."""
    with suppress(OSError):
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)


def threads_of_user() -> int:
    """Return the number of processes and threads of this user."""
    total, user = 0, os.getuid()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):  # the process may have ended
            if os.stat(f"/proc/{name}").st_uid == user:
                total += len(os.listdir(f"/proc/{name}/task"))
    return total
