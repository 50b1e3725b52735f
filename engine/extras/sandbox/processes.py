"""Processes of a function: shut off from all others, limited in number, and ended together.

All processes of one worker live in a namespace of processes and mounts, and each block in another one
within: it sees no process but its own, learns no number of another, and ends with its first process,
whatever it has started.  Where the system gives no namespace, what a process leaves behind at least
becomes a child of the one that is to end it.
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
"""Processes and threads that a function may have at a time."""

OWN_USERS = 0x60000000
"""Numbers of users from here on belong to no user; root's functions count as one of them each."""

NO_ROOT = 3
"""Being root gives no capabilities any more, and that cannot be changed back."""
READING = 1 << 1 | 1 << 2
"""Capabilities of root by which it reads what belongs to others."""


def enter() -> frozenset[str]:
    """Go on as the first process of a new namespace, if the system gives one.

    The process that calls waits outside until the new one ends, and ends with it.  Returns which namespaces
    are new: "processes", "mounts", "network".
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
        # else it would not show that the process inside has closed its own
        os.closerange(0, held)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(inside, 0)[1]) & 255)
    os.close(held)
    end_with_parent()
    os.set_blocking(alive, False)
    with suppress(BlockingIOError):
        os.read(alive, 1)
        os._exit(1)  # it had ended before
    os.close(alive)
    return frozenset(names)


def separate() -> bool:
    """Let the next process that this one forks be the first of a namespace; tell whether it will be."""
    return LINUX and not libc().unshare(NEW_PROCESSES)


def end_with_parent() -> None:
    """Let this process be killed as soon as the one that started it has ended."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class _Number(ctypes.c_int):
    """A number that Python makes no object of its own of."""


def fork_unseen() -> bool:
    """Fork; return True in the parent, in whose memory no number of the child is left.

    Such numbers count processes and threads on the whole system: they would tell a block what others did.
    """
    number = _forking()()
    is_parent = bool(number)
    number.value = 0
    libc().getuid()  # writes over what is left on the stack
    return is_parent


@functools.cache
def _forking() -> Callable[[], ctypes.c_int]:
    fork = ctypes.PyDLL(None).fork
    fork.restype = _Number
    return fork


class Orphans(NamedTuple):
    """Children of this process: a descriptor that lists them, and those that are to go on."""

    children: int
    spared: frozenset[int]

    def left(self) -> frozenset[int]:
        """Return the numbers of the others."""
        return frozenset(map(int, os.pread(self.children, 1 << 16, 0).split())) - self.spared


def adopt_orphans() -> Orphans | None:
    """Become the parent of what children leave behind; None if the system does not tell who these are."""
    with suppress(OSError):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        children = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
        return Orphans(children, Orphans(children, frozenset()).left())
    return None


def end_all(child: int, orphans: Orphans | None) -> None:
    """End a child and all that it has left behind, as far as this process knows; wait for them."""
    for end in (os.killpg, os.kill):
        with suppress(OSError):
            end(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while orphans is not None and (left := orphans.left()):
        for one in left:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        for one in left:
            os.waitpid(one, 0)  # after which its own children are those of this process


def limit_number(others: int) -> None:
    """Allow `MAX_PROCESSES` processes and threads beside those that others of the same user have.

    Root is held to no limit; so it counts as a user of its own, with root's eyes on files but none
    of its other rights.
    """
    import resource

    if os.geteuid() == 0:
        os.setresuid(OWN_USERS | int.from_bytes(os.urandom(4)) >> 4, 0, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (MAX_PROCESSES + others, MAX_PROCESSES + others))


def drop_rights() -> None:
    """Keep no right of root, and none that a namespace has given, but that of reading as root."""
    with suppress(OSError):  # which only who has rights may do
        prctl(PR_SET_SECUREBITS, NO_ROOT)
    kept = READING if os.geteuid() == 0 else 0
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    sets = ctypes.create_string_buffer(struct.pack("=6I", kept, kept, 0, 0, 0, 0))
    if libc().capset(header, sets):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _keep_names(user: int, group: int) -> None:
    """Be called in the new namespace of users as outside of it."""
    with suppress(OSError):
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)


def threads_of_user() -> int:
    """Return how many processes and threads are counted with those of this process."""
    total, user = 0, os.getuid()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):  # some end meanwhile
            if os.stat(f"/proc/{name}").st_uid == user:
                total += len(os.listdir(f"/proc/{name}/task"))
    return total
