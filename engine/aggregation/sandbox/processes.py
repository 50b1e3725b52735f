"""Processes of a function: shut off from all others, limited in number, and ended together.

In a namespace of processes of its own the first of them can end all others at once, and they end
with it, however often they have forked and whatever session they have put themselves into.  Where
the system gives no namespace, what a process leaves behind at least becomes a child of the one
that is asked to end it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
from contextlib import suppress

from engine.aggregation.sandbox import landlock, seccomp
from engine.aggregation.sandbox.system import (
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
PRIVATE, RECURSIVE, PLAIN = 1 << 18, 1 << 14, 2 | 4 | 8
"""Flags of mounts; the last are no devices, no programs, no rights."""

MOST = 32
"""Processes and threads that a function may have at a time."""

OWN_USERS = 0x60000000
"""Numbers of users from here on belong to no user; root's functions count as one of them each."""

NO_ROOT = 3
"""Being root gives no capabilities any more, and that cannot be changed back."""
READING = 1 << 1 | 1 << 2
"""Capabilities of root by which it reads what belongs to others."""


def enter() -> frozenset[str]:
    """Go on as the first process of a new namespace, if the system gives one.

    The process that calls waits outside until the new one ends, and ends with it.  What walls
    and filters do not keep from it where the system has none, further namespaces do.

    Returns
    -------
    frozenset of str
        What that protects from (`engine.aggregation.sandbox.confinement.WORDS`).
    """
    if not LINUX:
        return frozenset()
    flags = NEW_PROCESSES | (0 if os.geteuid() == 0 else NEW_USER)
    flags |= 0 if landlock.version() else NEW_MOUNTS
    flags |= 0 if seccomp.offered() else NEW_NETWORK | NEW_IPC
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
    found = {"daemons"}
    if flags & NEW_MOUNTS and _own_proc():
        found.add("programs")
    if flags & NEW_NETWORK:
        found.add("network")
    return frozenset(found)


def end_with_parent() -> None:
    """Let this process be killed as soon as the one that started it has ended."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt() -> int:
    """Become the parent of what children leave behind; return a descriptor of who these are."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    return os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)


def end_all(children: int | None) -> None:
    """End every process that this one has started, and that those have; wait until they have ended.

    Parameters
    ----------
    children : int or None
        What `adopt` gave; None in a namespace of its own.
    """
    while True:
        found = []
        if children is None:
            with suppress(OSError):
                os.kill(-1, signal.SIGKILL)
        else:
            found = [int(one) for one in os.pread(children, 1 << 16, 0).split()]
            for one in found:
                with suppress(OSError):
                    os.kill(one, signal.SIGKILL)
        try:
            # if none is killed in this turn, one that was just left behind is killed in the next
            os.waitpid(-1, 0 if found or children is None else os.WNOHANG)
        except ChildProcessError:
            return


def limit_number(*, own_namespace: bool) -> None:
    """Allow `MOST` processes and threads.

    Root is held to no limit; so it counts as a user of its own, with root's eyes on files but none
    of its other rights.  In a namespace of users a user's processes are counted apart; else those
    that run already are counted, too.

    Raises
    ------
    OSError
        If the system does not let it.
    """
    import resource

    most = MOST
    if os.geteuid() == 0:
        os.setresuid(OWN_USERS | int.from_bytes(os.urandom(4)) >> 4, 0, 0)
    elif not own_namespace:
        most += _threads_of(os.getuid())
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


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


def _own_proc() -> bool:
    """Mount a ``/proc`` of this namespace, which shows no program outside of it."""
    nothing = ctypes.c_void_p()
    plain, apart = ctypes.c_ulong(PLAIN), ctypes.c_ulong(PRIVATE | RECURSIVE)
    mount = libc().mount
    return not (
        mount(b"none", b"/", nothing, apart, nothing) or mount(b"proc", b"/proc", b"proc", plain, nothing)
    )


def _threads_of(user: int) -> int:
    """Return how many processes and threads a user has now."""
    found = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):  # some end meanwhile
            if os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
    return found
