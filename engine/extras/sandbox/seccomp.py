"""Seccomp: the kernel refuses every system call that a numerical function does not need.

Allowed: memory, threads, reading files, clocks and the process's own signals.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
from collections.abc import Iterable
from contextlib import suppress

from engine.extras.sandbox.system import PR_GET_SECCOMP, PR_SET_SECCOMP, machine, prctl

FILTER = 2

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""From ``linux/audit.h``."""

# fmt: off
ALLOWED = {
    "x86_64": {
        "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7,
        "lseek": 8, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
        "rt_sigreturn": 15, "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21,
        "select": 23, "sched_yield": 24, "mremap": 25, "dup": 32, "dup2": 33, "pause": 34, "nanosleep": 35,
        "getitimer": 36, "alarm": 37, "setitimer": 38, "getpid": 39, "exit": 60, "uname": 63, "getcwd": 79,
        "chdir": 80, "fchdir": 81, "readlink": 89, "umask": 95, "gettimeofday": 96, "times": 100,
        "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "getgroups": 115,
        "getresuid": 118, "getresgid": 120, "rt_sigpending": 127, "rt_sigtimedwait": 128,
        "rt_sigsuspend": 130, "sigaltstack": 131, "arch_prctl": 158, "gettid": 186, "time": 201,
        "getdents64": 217, "restart_syscall": 219, "clock_nanosleep": 230, "exit_group": 231, "openat": 257,
        "newfstatat": 262, "readlinkat": 267, "faccessat": 269, "pselect6": 270, "ppoll": 271,
        "set_robust_list": 273, "dup3": 292, "preadv": 295, "pwritev": 296, "getcpu": 309, "getrandom": 318,
        "statx": 332, "rseq": 334, "close_range": 436, "openat2": 437, "faccessat2": 439,
    },
    "aarch64": {
        "read": 63, "write": 64, "close": 57, "fstat": 80, "lseek": 62, "mprotect": 226, "munmap": 215,
        "brk": 214, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "pread64": 67,
        "pwrite64": 68, "readv": 65, "writev": 66, "sched_yield": 124, "mremap": 216, "dup": 23,
        "nanosleep": 101, "getitimer": 102, "setitimer": 103, "getpid": 172, "exit": 93, "uname": 160,
        "getcwd": 17, "chdir": 49, "fchdir": 50, "umask": 166, "gettimeofday": 169, "times": 153,
        "getuid": 174, "getgid": 176, "geteuid": 175, "getegid": 177, "getppid": 173, "getgroups": 158,
        "getresuid": 148, "getresgid": 150, "rt_sigpending": 136, "rt_sigtimedwait": 137,
        "rt_sigsuspend": 133, "sigaltstack": 132, "gettid": 178, "getdents64": 61, "restart_syscall": 128,
        "clock_nanosleep": 115, "exit_group": 94, "openat": 56, "newfstatat": 79, "readlinkat": 78,
        "faccessat": 48, "pselect6": 72, "ppoll": 73, "set_robust_list": 99, "dup3": 24, "preadv": 69,
        "pwritev": 70, "getcpu": 168, "getrandom": 278, "statx": 291, "rseq": 293, "close_range": 436,
        "openat2": 437, "faccessat2": 439,
    },
}
"""Calls that are allowed with any arguments.

All calls are missing that leave traces for other processes: locks, leases and hints on files, file modes
and times, priorities, limits, signals to others.  So are those that change system-wide counts: pipes,
watches, queues, free memory, cached pages.
"""

CHECKED = {
    "x86_64": {
        "mmap": 9, "ioctl": 16, "madvise": 28, "clone": 56, "kill": 62, "fcntl": 72, "prctl": 157,
        "futex": 202, "sched_getaffinity": 204, "clock_gettime": 228, "clock_getres": 229, "tgkill": 234,
        "prlimit64": 302,
    },
    "aarch64": {
        "mmap": 222, "ioctl": 29, "madvise": 233, "clone": 220, "kill": 129, "fcntl": 25, "prctl": 167,
        "futex": 98, "sched_getaffinity": 123, "clock_gettime": 113, "clock_getres": 114, "tgkill": 131,
        "prlimit64": 261,
    },
}
"""Calls that are allowed with the arguments that `_checks` accepts."""
# fmt: on

FIRST_X32 = 0x40000000
"""On x86-64, calls from here on belong to x32 programs and would bypass the filter."""
FIRST_PROBED = 424
"""The C library tries calls from here on, and falls back where a kernel does not know them."""

THREAD = 0x10F00
"""The flags with which ``clone`` makes a thread: CLONE_VM, FS, FILES, SIGHAND, and THREAD."""
NAMESPACES = 0x7E020080
SHARED, ANONYMOUS, LOCKED, HUGE = 0x1, 0x20, 0x2000, 0x40000
"""Flags of ``mmap``; the last two use memory that the whole system shares."""
DONTNEED, FREE, HUGE_PAGES, NO_HUGE_PAGES = 4, 8, 14, 15
IS_TERMINAL, WINDOW_SIZE, WAITING, NOT_INHERITED, INHERITED = 0x5401, 0x5413, 0x541B, 0x5451, 0x5450
DUPLICATE, GET_INHERITED, SET_INHERITED, GET_FLAGS, DUPLICATE_CLOSED = 0, 1, 2, 3, 1030
SET_NAME, GET_NAME, NAME_MEMORY = 15, 16, 0x53564D41
CLOCKS = 0xFFFFFFF0
"""Bits that are set only in the numbers of other processes' clocks."""
OWN_MEMORY, WAIT, WAIT_BITS, WAKE, REAL_TIME = 128, 0, 9, 1, 256
"""Of ``futex``.  Without the first, processes could signal by pages of a library that they share."""

LOAD, EQUAL, GREATER_OR_EQUAL, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

_Instruction = tuple[int, int, int, int]

ALLOWING = (RETURN, 0, 0, ALLOW)
REFUSING = (RETURN, 0, 0, ERROR | errno.EPERM)
UNKNOWN = (RETURN, 0, 0, ERROR | errno.ENOSYS)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def offered() -> bool:
    """Return whether the system supports filters; the check changes nothing."""
    with suppress(OSError):
        return prctl(PR_GET_SECCOMP) >= 0 and machine() in ARCHITECTURES
    return False


def refuse() -> None:
    """Refuse all other calls of this process and its threads; `OSError` if the system has no filters."""
    if machine() not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, "the system calls of this processor are unknown")
    code = program_for(os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    prctl(PR_SET_SECCOMP, FILTER, ctypes.addressof(program))


@functools.lru_cache(1)
def program_for(process: int) -> bytes:
    """Return the filter in the kernel's format; the cache saves time in each block."""
    return b"".join(struct.pack("=HBBI", *one) for one in instructions(machine(), process))


def instructions(processor: str, process: int) -> list[_Instruction]:
    """Return the filter: (code, jump if true, jump if false, number), one check after another."""
    result: list[_Instruction] = [
        *((LOAD, 0, 0, ARCHITECTURE_AT), (EQUAL, 1, 0, ARCHITECTURES[processor]), REFUSING),
        *((LOAD, 0, 0, NUMBER_AT), (GREATER_OR_EQUAL, 0, 1, FIRST_X32), REFUSING),
    ]
    for number in ALLOWED[processor].values():
        result += ((EQUAL, 0, 1, number), ALLOWING)
    for name, check in _checks(process).items():
        result += ((EQUAL, 0, len(check), CHECKED[processor][name]), *check)
    return [*result, (GREATER_OR_EQUAL, 1, 0, FIRST_PROBED), REFUSING, UNKNOWN]


def _checks(process: int) -> dict[str, list[_Instruction]]:
    """Return the checks of arguments by the name of a call; each allows or refuses."""
    own, nothing = _among(0, (0, process)), _among(2, (0,))
    return {
        # a file in shared memory would be a channel to other processes
        "mmap": [
            *_without(3, LOCKED | HUGE),
            *((LOAD, 0, 0, _low(3)), (ANY_BIT, 0, 2, SHARED), (ANY_BIT, 1, 0, ANONYMOUS), REFUSING),
            ALLOWING,
        ],
        "ioctl": [*_among(1, (IS_TERMINAL, WINDOW_SIZE, WAITING, NOT_INHERITED, INHERITED)), ALLOWING],
        # MADV_FREE pages get lost when memory is short, which shows how much others take;
        # libraries fall back, as on a kernel without it
        "madvise": [
            *((LOAD, 0, 0, _low(2)), (EQUAL, 0, 1, FREE), (RETURN, 0, 0, ERROR | errno.EINVAL)),
            *_among(2, (DONTNEED, HUGE_PAGES, NO_HUGE_PAGES)),
            ALLOWING,
        ],
        "clone": [
            *_without(0, NAMESPACES),
            *((LOAD, 0, 0, _low(0)), (AND, 0, 0, THREAD), (EQUAL, 1, 0, THREAD), REFUSING, ALLOWING),
        ],
        "kill": [*_among(0, (process,)), ALLOWING],
        "tgkill": [*_among(0, (process,)), ALLOWING],
        "fcntl": [
            *_among(1, (DUPLICATE, GET_INHERITED, SET_INHERITED, GET_FLAGS, DUPLICATE_CLOSED)),
            ALLOWING,
        ],
        "prctl": [*_among(0, (SET_NAME, GET_NAME, NAME_MEMORY)), ALLOWING],
        # a library waits in shared memory for the end of a thread: EAGAIN makes it poll
        "futex": [
            *((LOAD, 0, 0, _low(1)), (ANY_BIT, 0, 1, OWN_MEMORY), ALLOWING, (EQUAL, 0, 1, WAKE), ALLOWING),
            *((AND, 0, 0, ~REAL_TIME & 0xFFFFFFFF), (EQUAL, 1, 0, WAIT), (EQUAL, 0, 1, WAIT_BITS)),
            *((RETURN, 0, 0, ERROR | errno.EAGAIN), REFUSING),
        ],
        "sched_getaffinity": [*own, ALLOWING],
        "clock_gettime": [*_without(0, CLOCKS), ALLOWING],
        "clock_getres": [*_without(0, CLOCKS), ALLOWING],
        "prlimit64": [*own, *nothing, (LOAD, 0, 0, _low(2) + 4), (EQUAL, 1, 0, 0), REFUSING, ALLOWING],
    }


def _low(argument: int) -> int:
    """Return the offset of the lower half of an argument."""
    return ARGUMENTS_AT + 8 * argument


def _among(argument: int, values: Iterable[int]) -> list[_Instruction]:
    """Return a check that passes if an argument is one of some values."""
    *others, last = values
    before = [(EQUAL, len(others) - position + 1, 0, one) for position, one in enumerate(others)]
    return [(LOAD, 0, 0, _low(argument)), *before, (EQUAL, 1, 0, last), REFUSING]


def _without(argument: int, bits: int) -> list[_Instruction]:
    """Return a check that passes if an argument has none of some bits."""
    return [(LOAD, 0, 0, _low(argument)), (ANY_BIT, 0, 1, bits), REFUSING]
