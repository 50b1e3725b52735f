"""Calls of the Linux kernel for which Python has no names."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import struct
import sys

LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_GET_SECCOMP = 21
PR_SET_SECCOMP = 22
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


@functools.cache
def libc() -> ctypes.CDLL:
    """Return the C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def machine() -> str:
    """Return which numbers system calls have: the processor's name, "" for a 32-bit Python."""
    return platform.machine() if struct.calcsize("P") == 8 else ""


def prctl(option: int, *arguments: int) -> int:
    """Change something about this process; `OSError` if the system does not."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return checked(libc().prctl(option, *map(ctypes.c_ulong, padded)))


def syscall(number: int, *arguments: int | None) -> int:
    """Call the kernel; a pointer is the address of what it points to."""
    return checked(libc().syscall(ctypes.c_long(number), *map(ctypes.c_void_p, arguments)))


def checked(result: int) -> int:
    """Return what the C library gave; `OSError` if that is a failure."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
