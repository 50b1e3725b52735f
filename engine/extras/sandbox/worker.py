"""The process that runs a user's own function; `process` starts it.  It imports little of the engine.

`BlockCaller` makes a process for each block; the formats of messages are described below.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import math
import os
import random
import signal
import struct
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from engine.extras.sandbox.confinement import LOADING_MEMORY, Confinement, memory_taken, prepare
from engine.extras.sandbox.modules_beside import Unloadable, imports_of, load_module
from engine.extras.sandbox.processes import end_all, fork_unseen
from engine.extras.sandbox.system import LINUX, PR_SET_CHILD_SUBREAPER, prctl

HEADER = struct.Struct("<qqq")
LENGTH = struct.Struct("<i")
SIZE = struct.Struct("<q")
"""Formats of messages.

In: the modules (their length, 32 bits, and `marshal` of paths and contents).  Then for each block: a seed,
the numbers of rows and columns (three 64-bit integers), and the values row by row.

Out: why the file could not be loaded (its length, 32 bits, and the text; empty if it could).  Then for each
block: the numbers of the output, all NaN if the function failed.
"""

RECEIVED, LOADED = b".", b"."
"""A child sends these when it has the whole block, and when it has loaded the file; then its time starts."""

LOADING = 60.0
"""Time limit for loading a file, in seconds."""

MAX_MESSAGE_LENGTH = 1 << 12
"""Limit in bytes for the reason why a file cannot be loaded; a longer message is a protocol error."""

COMMON = frozenset({"numpy", "scipy", "sklearn", "pandas", "statsmodels"})
"""Packages that are loaded once for all blocks: they are large, and importing them has no side effects."""

OUTPUT = 3
"""The descriptor of the pipe to which a child writes its output."""


def main(
    namespaces: frozenset[str], how: str, seconds: str, memory_mb: str, size: str, name: str, *_: str
) -> None:
    """Serve all blocks.

    `namespaces` are those in which the process started.
    """
    requests, responses = os.dup(0), os.dup(1)
    _close_standard()
    modules: dict[str, bytes] = marshal.loads(read(requests, *LENGTH.unpack(read(requests, LENGTH.size))))
    worker = BlockCaller(
        modules, name, int(size), float(seconds), int(memory_mb) << 20, prepare(namespaces, modules)
    )
    if how == "fork":
        import_common(modules)
        seed_all(0)  # imports the generators
        gc.freeze()
        worker.run(requests, responses)
    else:
        worker.run_alone(requests, responses)
    os._exit(0)  # skips cleanup: there is nothing to clean up


class BlockCaller:
    """Calls a function in a new process for each block.

    This process never runs the file and never reads any data.  For each block it forks a clean copy of
    itself, which serves the later blocks.  Then it forks a child, which reads the block, sandboxes itself,
    loads the file and calls the function.  So that child descends from no process that has run the file or
    seen another block, and its output pipe is its only open file.

    Before all blocks, a child without data tries to load the file.  Where the system cannot fork, the
    process itself serves one block and ends.
    """

    def __init__(
        self,
        modules: Mapping[str, bytes],
        name: str,
        size: int,
        seconds: float,
        memory: int,
        confinement: Confinement,
    ) -> None:
        self._modules, self._name, self._size = modules, name, size
        self._seconds, self._memory, self._confinement = seconds, memory, confinement

    def run_alone(self, requests: int, responses: int) -> None:
        """Load the function and serve one block, in this process."""
        self._confinement.shut_in(None)
        try:
            function = load(self._modules, self._name)
        except Unloadable as error:
            send(responses, message(str(error)))
            return
        send(responses, message(""))
        watch = threading.Timer(self._seconds, os._exit, (1,))
        watch.daemon = True
        seed, block = receive(requests)
        watch.start()
        send(responses, answer(function, block, seed, self._size))

    def run(self, requests: int, responses: int) -> None:
        """Report whether the file can be loaded; serve blocks until the pipe closes and all children end."""
        taken = self._try(requests, responses)
        if taken is None:
            return
        # copies whose parent has ended become children of this process, which waits for all of them
        with suppress(OSError):
            if LINUX:
                prctl(PR_SET_CHILD_SUBREAPER, 1)
        if os.fork() == 0:
            self._serve(requests, responses, taken)
            os._exit(0)
        os.close(requests)
        os.close(responses)
        with suppress(ChildProcessError):
            while True:
                os.wait()

    def _try(self, requests: int, responses: int) -> int | None:
        """Return the bytes that loading the file takes, 0 if unknown; None if it cannot be loaded."""
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            self._supervise_loading(requests, responses, writing)
            os._exit(0)
        os.close(writing)
        taken = os.read(reading, SIZE.size)
        os.close(reading)
        os.wait()
        return SIZE.unpack(taken)[0] if len(taken) == SIZE.size else None

    def _supervise_loading(self, requests: int, responses: int, writing: int) -> None:
        """Report why the file could not be loaded, or send the parent the memory that loading takes."""
        size = self._confinement.open_size()
        most = 0 if size is None else memory_taken(size) + LOADING_MEMORY + self._memory

        def work(output: int) -> None:
            own = self._confinement.open_size()
            self._shut_in(output, most, own)
            try:
                load(self._modules, self._name)
            except Unloadable as error:
                send(OUTPUT, message(str(error)))
            else:
                send(OUTPUT, message("") + SIZE.pack(0 if own is None else memory_taken(OUTPUT + 1)))

        with _Child(self._confinement, requests, work) as child:
            (length,) = LENGTH.unpack(child.collect(LENGTH.size, LOADING))
            if 0 <= length <= MAX_MESSAGE_LENGTH:
                reason = child.collect(length, LOADING)
                taken = b"" if reason else child.collect(SIZE.size, LOADING)
                send(responses, LENGTH.pack(length) + reason)
                if taken:
                    send(writing, SIZE.pack(max(0, min(most, SIZE.unpack(taken)[0]))))

    def _serve(self, requests: int, responses: int, taken: int) -> None:
        import select

        fork = fork_unseen if LINUX else os.fork
        waiting = select.poll()
        waiting.register(requests, select.POLLIN)
        while any(event & select.POLLIN for _, event in waiting.poll()):
            over, working = os.pipe()
            if fork():
                os.close(over)
                if not self._supervise_block(requests, responses, taken):
                    send(working, b"!")
                os._exit(0)
            # this copy was forked before the block was read, and knows no process id
            os.close(working)
            stopped = os.read(over, 1)
            os.close(over)
            if stopped:
                return

    def _supervise_block(self, requests: int, responses: int, taken: int) -> bool:
        """Serve a block in a child; return whether the next one can be read."""

        def work(output: int) -> None:
            seed, block = receive(requests)
            send(output, RECEIVED)
            signal.setitimer(signal.ITIMER_REAL, LOADING + self._seconds + 1)
            self._shut_in(output, taken and taken + self._memory + 2 * block.nbytes)
            me = os.getpid()
            function = load(self._modules, self._name)
            send(OUTPUT, LOADED)
            result = answer(function, block, seed, self._size)
            # processes that the function has forked return from it, too
            if os.getpid() == me:
                send(OUTPUT, result)

        received, result = False, b""
        with _Child(self._confinement, requests, work) as child:
            received = bool(child.collect(len(RECEIVED)))
            child.collect(len(LOADED), LOADING)
            result = child.collect(8 * self._size, self._seconds)
        if received:  # otherwise the rest of this block would be read as the next one
            send(responses, result or struct.pack("<d", math.nan) * self._size)
        return received

    def _shut_in(self, output: int, memory: int, kept: int | None = None) -> None:
        """Sandbox this process; only its output stays open, followed by `kept`."""
        with suppress(OSError):
            os.setpgid(0, 0)
        _close_standard()
        self._confinement.shut_in(memory or None)
        passed = [one if one > OUTPUT + 1 else os.dup(one) for one in (output, kept) if one is not None]
        for number, one in enumerate(passed, OUTPUT):
            os.dup2(one, number)
        os.closerange(OUTPUT + len(passed), 1 << 16)


class _Ended(Exception):
    """A child ended, or its result is no longer needed, before it sent all of its output."""


class _Child:
    """A child that works and writes its output to a pipe; it has ended when ``with`` ends."""

    def __init__(self, confinement: Confinement, requests: int, work: Callable[[int], None]) -> None:
        self._requests = requests
        self._reading, writing = os.pipe()
        self._child, self._orphans = confinement.fork()
        if self._child == 0:
            _work_and_end(work, writing)
        os.close(writing)
        with suppress(OSError):  # the child does the same; whichever comes first
            os.setpgid(self._child, self._child)

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        end_all(self._child, self._orphans)
        return kind is _Ended

    def collect(self, count: int, seconds: float = math.inf) -> bytes:
        """Return `count` bytes; `_Ended` if they come too late or the requests are closed."""
        import select

        waiting = select.poll()
        waiting.register(self._reading, select.POLLIN)
        waiting.register(self._requests, 0)  # reports only that it is closed
        until, parts, missing = time.monotonic() + seconds, [], count
        while missing:
            left = until - time.monotonic()
            events = dict(waiting.poll(None if math.isinf(left) else max(0.0, left) * 1000))
            part = os.read(self._reading, missing) if self._reading in events else b""
            if not part:
                raise _Ended
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)


def _work_and_end(work: Callable[[int], None], output: int) -> NoReturn:
    try:
        work(output)
    finally:
        os._exit(0)


def _close_standard() -> None:
    """Redirect standard input, output and errors to the null device, each separately."""
    for standard in range(3):
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != standard:
            os.dup2(nowhere, standard)
            os.close(nowhere)


def import_common(modules: Mapping[str, bytes]) -> None:
    """Load the common packages that the modules may import, unless a module has the same name."""
    folder = Path(next(iter(modules))).parent
    beside = {Path(path).relative_to(folder).parts[0].partition(".")[0] for path in modules}
    for name in sorted(
        {name for content in modules.values() for level, name in imports_of(content) if not level}
    ):
        if name.partition(".")[0] in COMMON - beside:
            for end in range(len(name.split("."))):
                with suppress(Exception):  # the last part may be a name in a module
                    importlib.import_module(".".join(name.split(".")[: end + 1]))


def load(modules: Mapping[str, bytes], name: str) -> Callable[[Any], Any]:
    """Return the function `name` of the first module, which may import the other modules."""
    path = next(iter(modules))
    seed_all(0)
    try:
        function = getattr(load_module(modules), name, None)
    except Unloadable:
        raise
    except BaseException as error:
        raise Unloadable(_in_words(error, path)) from None
    if not callable(function):
        raise Unloadable(f"{Path(path).name} has no function '{name}'")
    return function  # type: ignore[no-any-return]


def answer(function: Callable[[Any], Any], block: np.ndarray, seed: int, size: int) -> bytes:
    """Return `size` numbers, all NaN unless the function returns exactly that many."""
    seed_all(seed)
    with suppress(BaseException):
        value = np.asarray(function(block))
        if value.size == size and value.dtype.kind in "biuf":
            return value.astype("<f8").tobytes()
    return struct.pack("<d", math.nan) * size


def seed_all(seed: int) -> None:
    """Seed the common generators, so that every run draws the same numbers."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002  (users' functions use it)


def receive(requests: int) -> tuple[int, np.ndarray]:
    """Read the seed and the block, shape (rows, columns)."""
    seed, rows, columns = HEADER.unpack(read(requests, HEADER.size))
    block = np.frombuffer(read(requests, 8 * rows * columns), dtype="<f8").reshape(rows, columns)
    return seed, block.copy()  # writable for the function


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


def message(text: str) -> bytes:
    """Return a text, cut to its maximum length, after its length."""
    content = text.encode(errors="replace")[:MAX_MESSAGE_LENGTH]
    return LENGTH.pack(len(content)) + content


def _in_words(error: BaseException, path: str) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno} of {Path(path).name}: {error.msg}"
    file = os.path.abspath(path)  # as importlib names it
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    position = f"line {lines[-1]} of {Path(path).name}" if lines else Path(path).name
    lines_said = str(error).splitlines()
    return f"{position}: {type(error).__name__}{f': {lines_said[0][:200]}' if lines_said else ''}"
