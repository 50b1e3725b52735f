"""Seccomp: the kernel refuses calls that a function of numbers has no use for.

These are sockets of every kind, what looks into other processes, what gives other rights or room
(users, namespaces), and what outlasts the process that made it (keys, queues, shared memory), by
which one block could speak to another.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from contextlib import suppress

from engine.aggregation.sandbox.system import PR_GET_SECCOMP, PR_SET_SECCOMP, machine, prctl

FILTER = 2

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""As ``linux/audit.h`` has them."""

# fmt: off
REFUSED = {
    "x86_64": {
        "socket": 41, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_getfd": 438,
        "setuid": 105, "setgid": 106, "setreuid": 113, "setregid": 114, "setgroups": 116, "setresuid": 117,
        "setresgid": 119, "setfsuid": 122, "setfsgid": 123, "unshare": 272, "setns": 308, "shmget": 29,
        "semget": 64, "msgget": 68, "mq_open": 240, "flock": 73, "add_key": 248, "request_key": 249,
        "keyctl": 250, "perf_event_open": 298, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425,
    },
    "aarch64": {
        "socket": 198, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "pidfd_getfd": 438,
        "setuid": 146, "setgid": 144, "setreuid": 145, "setregid": 143, "setgroups": 159, "setresuid": 147,
        "setresgid": 149, "setfsuid": 151, "setfsgid": 152, "unshare": 97, "setns": 268, "shmget": 194,
        "semget": 190, "msgget": 186, "mq_open": 180, "flock": 32, "add_key": 217, "request_key": 218,
        "keyctl": 219, "perf_event_open": 241, "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425,
    },
}
# fmt: on
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE3 = 435
NAMESPACES = 0x7E020000
"""The flags of ``clone`` that make namespaces."""
OTHER_NUMBERS = 0x40000000
"""From here on x86-64 has the calls of its x32 programs, by which the filter could be passed by."""

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16

_Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def offered() -> bool:
    """Tell whether calls can be refused here; asking changes nothing."""
    with suppress(OSError):
        return prctl(PR_GET_SECCOMP) >= 0 and machine() in ARCHITECTURES
    return False


def refuse() -> None:
    """Refuse them to this process and all that it starts; `OSError` where that cannot be."""
    if machine() not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, "no numbers are known for this processor")
    code = b"".join(struct.pack("=HBBI", *one) for one in instructions(machine()))
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    prctl(PR_SET_SECCOMP, FILTER, ctypes.addressof(program))


def instructions(processor: str) -> list[_Instruction]:
    """Return the filter: (code, jump if true, jump if false, number), a check after the other."""
    refused = (RETURN, 0, 0, ERROR | errno.EPERM)
    found: list[_Instruction] = [
        *((LOAD, 0, 0, ARCHITECTURE_AT), (EQUAL, 1, 0, ARCHITECTURES[processor]), refused),
        *((LOAD, 0, 0, NUMBER_AT), (AT_LEAST, 0, 1, OTHER_NUMBERS), refused),
        # its flags lie in memory, which no filter sees; the C library then uses clone
        *((EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, ERROR | errno.ENOSYS)),
    ]
    for number in REFUSED[processor].values():
        found += ((EQUAL, 0, 1, number), refused)
    found += (
        *((EQUAL, 0, 3, CLONE[processor]), (LOAD, 0, 0, FIRST_ARGUMENT_AT), (ANY_BIT, 0, 1, NAMESPACES)),
        *(refused, (RETURN, 0, 0, ALLOW)),
    )
    return found
