"""The process in which a user's own function runs, started by `black_box_process`.

It loads the file once, without any data.  For each block it then forks a child, which alone
reads the block, calls the function and sends the result; so nothing that the function leaves
behind, not even in memory that is used again, comes from another block.  Where a system cannot
fork, the process itself takes one block and ends.  Before it loads the file it shuts itself in, as
far as the system offers it (`engine.aggregation.sandbox`), and what a block has started ends with it.

In: for each block a seed, the numbers of rows and columns (three 64-bit integers), and the
numbers row by row.  Out: first why the file could not be loaded (its length, 32 bits, and the
text; empty if it could), then for each block the numbers of the output, NaN where it failed.
"""

from __future__ import annotations

import math
import os
import random
import signal
import struct
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from engine.aggregation.sandbox.confinement import Confinement, confine
from engine.aggregation.sandbox.loading import Unloadable, load_module

HEADER = struct.Struct("<qqq")
LENGTH = struct.Struct("<i")
RECEIVED = b"."
"""What a child says when it has the whole block: from then on the function's time counts."""


def main(
    before: frozenset[str], how: str, seconds: str, memory_mb: str, size: str, name: str, *modules: str
) -> None:
    """Load the function from the first of the modules and answer for block after block.

    `before` are the protections that the process has been started with.
    """
    requests, responses = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    memory = int(memory_mb) << 20
    confinement = confine(before, modules, memory)
    try:
        function = load(modules, name)
    except Unloadable as error:
        words = str(error).encode()
        send(responses, LENGTH.pack(len(words)) + words)
        return
    send(responses, LENGTH.pack(0))
    if how == "fork":
        serve(function, requests, responses, int(size), float(seconds), memory, confinement)
    else:
        watch = threading.Timer(float(seconds), os._exit, (1,))
        watch.daemon = True
        seed, block = receive(requests)
        watch.start()
        send(responses, answer(function, block, seed, int(size)))
    os._exit(0)  # there is nothing to put away, and nothing waits for it


def load(modules: Sequence[str], name: str) -> Callable[[Any], Any]:
    """Return the function `name` of the first module; of what is beside it, it may import the others."""
    path = modules[0]
    seed_all(0)
    try:
        function = getattr(load_module(modules), name, None)
    except Unloadable:
        raise
    except BaseException as error:
        raise Unloadable(_in_words(error, path)) from None
    if not callable(function):
        raise Unloadable(f"{Path(path).name} holds no function '{name}'")
    return function  # type: ignore[no-any-return]


def answer(function: Callable[[Any], Any], block: np.ndarray, seed: int, size: int) -> bytes:
    """Return `size` numbers, all NaN unless the function gives exactly so many."""
    seed_all(seed)
    with suppress(BaseException):
        value = np.asarray(function(block))
        if value.size == size and value.dtype.kind in "biuf":
            return value.astype("<f8").tobytes()
    return struct.pack("<d", math.nan) * size


def seed_all(seed: int) -> None:
    """Let what draws from the common generators draw the same in every run."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002  (users' functions use it)


def serve(
    function: Callable[[Any], Any],
    requests: int,
    responses: int,
    size: int,
    seconds: float,
    memory: int,
    confinement: Confinement,
) -> None:
    """Fork a child for each request, until no other can be sent."""
    import select

    waiting = select.poll()
    waiting.register(requests, select.POLLIN)
    while any(event & select.POLLIN for _, event in waiting.poll()):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setpgid(0, 0)
                os.close(responses)
                seed, block = receive(requests)
                os.close(requests)
                send(writing, RECEIVED)
                signal.setitimer(signal.ITIMER_REAL, seconds + 1)
                confinement.restrict_block(memory + 2 * block.nbytes)
                me = os.getpid()
                result = answer(function, block, seed, size)
                # what the function has forked returns from it, too
                if os.getpid() == me:
                    send(writing, result)
            finally:
                os._exit(0)
        os.close(writing)
        with suppress(OSError):  # whichever of the two is first
            os.setpgid(child, child)
        received = collect(reading, requests, len(RECEIVED))
        found = received and collect(reading, requests, 8 * size, seconds)
        confinement.end_all(child)
        os.close(reading)
        if not received:  # what is left of this block must not be read as the next one
            return
        send(responses, found or struct.pack("<d", math.nan) * size)


def collect(reading: int, requests: int, count: int, seconds: float = math.inf) -> bytes | None:
    """Return `count` bytes, or None if they do not come in time or are no longer waited for."""
    import select

    waiting = select.poll()
    waiting.register(reading, select.POLLIN)
    waiting.register(requests, 0)  # tells only that it has been closed
    until, parts, missing = time.monotonic() + seconds, [], count
    while missing:
        left = until - time.monotonic()
        events = dict(waiting.poll(None if math.isinf(left) else max(0.0, left) * 1000))
        if reading not in events:
            return None
        part = os.read(reading, missing)
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def receive(requests: int) -> tuple[int, np.ndarray]:
    """Read the seed and the block, shape (rows, columns)."""
    seed, rows, columns = HEADER.unpack(read(requests, HEADER.size))
    block = np.frombuffer(read(requests, 8 * rows * columns), dtype="<f8").reshape(rows, columns)
    return seed, block.copy()  # which the function may write to


def read(source: int, count: int) -> bytes:
    """Read exactly `count` bytes; end the process if there are fewer."""
    parts = []
    while count:
        part = os.read(source, min(count, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def send(target: int, data: bytes) -> None:
    """Write all of `data`."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(target, rest) :]


def _in_words(error: BaseException, path: str) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno} of {Path(path).name}: {error.msg}"
    file = os.path.abspath(path)  # as importlib names it
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    place = f"line {lines[-1]} of {Path(path).name}" if lines else Path(path).name
    words = str(error).splitlines()
    return f"{place}: {type(error).__name__}{f': {words[0][:200]}' if words else ''}"
