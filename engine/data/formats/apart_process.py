"""Runs in a process apart, where a library reads one file: see `engine.data.formats.apart`.

Nothing of the program is imported here but what reads: the process starts within milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import pkgutil
import select
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, BinaryIO

LENGTH = struct.Struct("<BQ")
"""Before each message: its kind, and its length in bytes."""

NO_MEMORY = (b"capacity overflow", b"out of memory", b"bad_alloc", b"bad allocation", b"malloc of size")
"""By which libraries say that they cannot have the memory that they ask for."""

ITEM, REFUSED, DAMAGED, LACKING, END = range(5)
"""Kinds of messages: a piece, a reason of our own, what a library raised, no memory, and the last one."""


def main(library: str) -> None:
    """Send to standard output what functions yield that standard input asks for, until one fails.

    The libraries are imported before memory is limited.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library may print
    try:
        for name in library.split():
            import_module(name)
    except ImportError as error:
        _send(out, REFUSED, f"{library} is needed to read it, and cannot be loaded ({error})".encode())
        return
    if hasattr(select, "poll"):
        threading.Thread(target=_end_with_asker, daemon=True).start()
    while True:
        try:
            reference, limit, seconds, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        reader: Callable[..., Iterator[Any]] = pkgutil.resolve_name(reference)
        _restrict(limit, seconds)
        kind, said = _answered(out, reader(*arguments))
        _send(out, kind, said)
        if kind != END:
            os._exit(0)  # whatever the library has left behind


def _end_with_asker() -> None:
    """End the process, whatever it does, once whoever asks is no more."""
    asker = select.poll()
    asker.register(0, 0)  # nothing but the end of the pipe
    asker.poll()
    os._exit(0)


def _answered(out: BinaryIO, items: Iterator[Any]) -> tuple[int, bytes]:
    """Send items, and return the last message."""
    try:
        for item in items:
            _send(out, ITEM, pickle.dumps(item, protocol=5))
    except MemoryError:
        return LACKING, b""
    except BaseException as error:  # a panic of Rust is no Exception
        said = (str(error) or type(error).__name__).encode(errors="replace")
        if type(error) is Refused:
            return REFUSED, said
        return LACKING if any(text in said.lower() for text in NO_MEMORY) else DAMAGED, said
    return END, b""


SPARE = 1 << 28
"""Addresses that may be reserved and not used; what is used is watched from outside."""

SPARE_SECONDS = 5
"""Seconds of a processor after which the process ends even where nobody watches it."""


class Refused(ValueError):
    """The file can be read, but not what is wanted of it."""


def _send(out: BinaryIO, kind: int, content: bytes) -> None:
    out.write(LENGTH.pack(kind, len(content)))
    out.write(content)
    out.flush()


def _restrict(limit: int, seconds: float) -> None:
    """Take no more memory and time from now on than this, where the system can see to that."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        end = int(time.process_time() + seconds) + SPARE_SECONDS
        resource.setrlimit(
            resource.RLIMIT_CPU, (end if hard == resource.RLIM_INFINITY else min(end, hard), hard)
        )
        with open("/proc/self/statm") as facts:
            taken = int(facts.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        ends = [end for end in (hard, taken + limit + SPARE) if end != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min(ends), hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
