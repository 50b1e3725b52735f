"""A root folder of its own: read-only, with the files that Python needs and none of the user's.

System calls from 424 on have the same numbers on all processors.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress

from engine.extras.sandbox.system import checked, libc, syscall

OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
CLONE_TREE, CLOSED, WHOLE, EMPTY_PATH, HERE = 1, 0x80000, 0x8000, 0x1000, -100
FROM_DESCRIPTOR = 4
READ_ONLY, NO_RIGHTS, NO_DEVICES = 1, 2, 4
PRIVATE, RECURSIVE, LAZY, PLAIN = 1 << 18, 1 << 14, 2, 2 | 4 | 8

MOUNT_POINT = b"/proc"
"""A folder that every Linux has; the new root is mounted over it."""


def change_root(shown: Iterable[str], devices: Iterable[str], files: Mapping[str, bytes]) -> None:
    """Switch, in a new mount namespace, to a root folder that holds only the named files and folders.

    `files` are copies, by path.  `OSError` if the system refuses; then mounts of this namespace may have
    changed, but no file.
    """
    _mount(b"none", b"/", None, PRIVATE | RECURSIVE)
    trees = {}
    for paths, attributes in ((shown, READ_ONLY | NO_RIGHTS | NO_DEVICES), (devices, READ_ONLY | NO_RIGHTS)):
        for path in paths:
            with suppress(FileNotFoundError):
                trees[os.path.abspath(path)] = _tree(path, attributes)
    before = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        _mount(b"tmpfs", MOUNT_POINT, b"tmpfs", PLAIN)
        os.chdir(MOUNT_POINT)
        checked(libc().pivot_root(b".", b"."))  # the old root is now mounted over the new one
        _fill(trees, files)
        checked(libc().umount2(b".", LAZY))
        _set_attributes(HERE, b"/", READ_ONLY | NO_RIGHTS, 0)
    except OSError:
        os.fchdir(before)
        os.chroot(".")
        raise
    finally:
        os.close(before)
        os.chdir("/")


def _fill(trees: Mapping[str, tuple[str, int]], files: Mapping[str, bytes]) -> None:
    """Put copies of mounts, symbolic links to their real paths, and files into an empty root folder."""
    for real, tree in sorted(trees.values()):
        if not os.path.exists(real):
            _make_place(real, is_folder=stat.S_ISDIR(os.fstat(tree).st_mode))
            name = ctypes.create_string_buffer(os.fsencode(real))
            empty = ctypes.create_string_buffer(b"")
            syscall(MOVE_MOUNT, tree, ctypes.addressof(empty), HERE, ctypes.addressof(name), FROM_DESCRIPTOR)
        os.close(tree)
    for path, (real, _) in trees.items():
        if not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(real, path)
    for path, content in files.items():
        with suppress(OSError):  # it is in a folder that is already shown
            _make_place(path, is_folder=False)
            with open(path, "wb") as file:
                file.write(content)
    os.chmod("/", 0o755)


def _tree(path: str, attributes: int) -> tuple[str, int]:
    """Return the real path of a file or folder, and a descriptor of a copy of its mounts."""
    real = os.path.realpath(path, strict=True)
    name = ctypes.create_string_buffer(os.fsencode(real))
    tree = syscall(OPEN_TREE, HERE, ctypes.addressof(name), CLONE_TREE | CLOSED | WHOLE)
    _set_attributes(tree, b"", attributes, EMPTY_PATH | WHOLE)
    return real, tree


def _set_attributes(folder: int, path: bytes, attributes: int, flags: int) -> None:
    name = ctypes.create_string_buffer(path)
    request = ctypes.create_string_buffer(struct.pack("<QQQQ", attributes, 0, 0, 0), 32)
    syscall(MOUNT_SETATTR, folder, ctypes.addressof(name), flags, ctypes.addressof(request), 32)


def _make_place(path: str, *, is_folder: bool) -> None:
    """Create an empty folder, or an empty file."""
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644))


def _mount(source: bytes, path: bytes, kind: bytes | None, flags: int) -> None:
    checked(libc().mount(source, path, kind, ctypes.c_ulong(flags), None))
