"""Linux system calls that Python does not wrap."""

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
    """Return the processor's name, which decides the numbers of system calls; "" for a 32-bit Python."""
    return platform.machine() if struct.calcsize("P") == 8 else ""


def prctl(option: int, *arguments: int) -> int:
    """Call ``prctl`` for this process; `OSError` if it fails."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return checked(libc().prctl(option, *map(ctypes.c_ulong, padded)))


def syscall(number: int, *arguments: int | None) -> int:
    """Call the kernel; pass addresses as integers."""
    return checked(libc().syscall(ctypes.c_long(number), *map(ctypes.c_void_p, arguments)))


def checked(result: int) -> int:
    """Return the result of a C function; `OSError` if it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
