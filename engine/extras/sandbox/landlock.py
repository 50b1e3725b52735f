"""Landlock: only named files can be read, none written; no TCP, no signals to others.

Numbers are from ``linux/landlock.h``; system calls from 424 on have the same numbers on all processors.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from contextlib import suppress

from engine.extras.sandbox.system import syscall

CREATE, ADD_RULE, RESTRICT = 444, 445, 446
VERSION = 1
"""The flag that asks for the version of Landlock."""

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All rights to files that can be restricted, by the version that introduced them."""
TCP = 3
"""Binding and connecting, from version 4 on."""
SCOPES = 3
"""Abstract sockets of others and signals to them, from version 6 on."""


def version() -> int:
    """Return the system's version of Landlock, 0 for none."""
    with suppress(OSError):
        return syscall(CREATE, None, 0, VERSION)
    return 0


def ruleset(readable: Iterable[str], listed: Iterable[str], writable: Iterable[str]) -> int:
    """Return a descriptor of rules; `OSError` without Landlock.

    Processes may read all files below `readable`, list the folders `listed`, and write to the devices
    `writable`.
    """
    abi = version()
    files = FILES[max(known for known in FILES if known <= max(1, abi))]
    packed = struct.pack("<QQQ", files, TCP if abi >= 4 else 0, SCOPES if abi >= 6 else 0)
    attributes = ctypes.create_string_buffer(packed, len(packed))
    descriptor = syscall(CREATE, ctypes.addressof(attributes), len(packed), 0)
    for paths, rights in (
        (readable, EXECUTE | READ_FILE | READ_DIR),
        (listed, READ_DIR),
        (writable, READ_FILE | WRITE_FILE),
    ):
        for path in paths:
            with suppress(OSError):
                _allow(descriptor, path, rights)
    return descriptor


def restrict(descriptor: int) -> None:
    """Apply the rules to this process and all its children; a second call separates them from each other."""
    syscall(RESTRICT, descriptor, 0)


def _allow(descriptor: int, path: str, rights: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= ~READ_DIR
        rule = struct.pack("<Qi", rights, folder)
        buffer = ctypes.create_string_buffer(rule, len(rule))
        syscall(ADD_RULE, descriptor, 1, ctypes.addressof(buffer), 0)
    finally:
        os.close(folder)
