"""Starts, calls and ends the processes in which a user's own function runs.

`black_box` describes the function; with `worker` this module shares only the protocol.
"""

from __future__ import annotations

import contextlib
import dataclasses
import marshal
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ExecutionError, ParameterError
from engine.extras.sandbox.starting import PACKAGE, START
from engine.extras.sandbox.worker import HEADER, LENGTH, LOADING, MAX_MESSAGE_LENGTH
from engine.numerals import short

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

BEGIN = f"""{START}
from {PACKAGE}.worker import main
for name in [name for name in sys.modules if name.partition(".")[0] == {PACKAGE.partition(".")[0]!r}]:
    del sys.modules[name]
main(namespaces, *sys.argv[1:])
"""
"""The program of a process.  It unloads the engine, since a module beside the file may share a name."""

START_METHOD = "fork" if hasattr(os, "fork") else "alone"

GRACE = 2.0
"""Seconds after its time limit at which a process is killed."""

# blocks already run in parallel; threads within each would only slow them down
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "RAYON")
ENVIRONMENT = {
    **{f"{library}_NUM_THREADS": "1" for library in THREADS},
    "PYTHONHASHSEED": "0",
}


class Ended(Exception):
    """The process ended before it sent all of its output."""


@dataclasses.dataclass(frozen=True)
class FileFunction:
    """The function `name` in a file, the length of its output, and its limits for a block.

    `modules` are the file and the modules beside it that it imports: paths and contents.
    """

    modules: tuple[tuple[str, bytes], ...]
    name: str
    size: int
    seconds: float
    memory_mb: int

    def apply(self, blocks: _Floats, seeds: _Ints) -> _Floats:
        """Return the outputs, shape (B, D), using processes for this call alone."""
        with self.opened() as pool:
            return pool.apply(blocks, seeds)

    @contextlib.contextmanager
    def opened(self) -> Iterator[WorkerPool]:
        """Yield a pool of processes for many calls, from any number of threads; end them all after."""
        pool = WorkerPool(self)
        try:
            yield pool
        finally:
            pool.close()


class Worker:
    """One process, which holds the function once it is loaded.

    One thread calls it; any other may end it at any time.
    """

    def __init__(self, function: FileFunction) -> None:
        self._function = function
        self._loaded = self._ended = False
        self._asking, self._sending = threading.Lock(), threading.Lock()
        limits = (START_METHOD, function.seconds, function.memory_mb, function.size, function.name)
        try:
            self._process = subprocess.Popen(
                # -P: only installed packages and the modules named here can be imported
                [sys.executable, "-P", "-c", BEGIN, *map(str, limits), function.modules[0][0]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env={**os.environ, **ENVIRONMENT},
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise ExecutionError(
                f"cannot start a process for the function ({error.strerror}); close other programs"
            ) from None

    @property
    def usable(self) -> bool:
        """Whether it can serve another block."""
        return START_METHOD == "fork" and not self._ended

    def load(self) -> None:
        """Wait until the function is loaded."""
        try:
            with self._asking, self._within(LOADING):
                content = marshal.dumps(dict(self._function.modules))
                self._write(LENGTH.pack(len(content)) + content)
                (length,) = LENGTH.unpack(self._read(LENGTH.size))
                if not 0 <= length <= MAX_MESSAGE_LENGTH:
                    raise Ended
                message = self._read(length).decode(errors="replace")
        except Ended:
            message = f"loading the file ends Python or takes more than {short(LOADING)} seconds"
        if message:
            raise ParameterError("function", message)
        self._loaded = True

    def answer(self, block: _Floats, seed: int) -> _Floats:
        """Return the function's output for a block, shape (D,); NaN if it fails in any way."""
        size = self._function.size
        request = HEADER.pack(seed, *block.shape) + np.ascontiguousarray(block, "<f8").tobytes()
        try:
            with self._asking, self._within(LOADING + self._function.seconds + GRACE):
                with self._sending:
                    self._write(request)
                return np.frombuffer(self._read(8 * size), "<f8").astype(np.float64)
        except Ended:
            self._ended = True
            return np.full(size, np.nan)

    def dismiss(self) -> None:
        """Ask the process and its children to end, by closing the pipe of requests."""
        if START_METHOD == "fork" and self._loaded and self._sending.acquire(timeout=0.1):
            self._pipe("stdin").close()
            self._sending.release()
        else:
            self._kill()

    def end(self) -> None:
        """End the process and wait for it."""
        self.dismiss()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        with self._asking:
            for name in ("stdin", "stdout"):
                self._pipe(name).close()

    def _kill(self) -> None:
        """Kill the process and its copies, which form its process group."""
        if START_METHOD == "fork" and self._process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _pipe(self, name: str) -> IO[bytes]:
        pipe: IO[bytes] = getattr(self._process, name)
        return pipe

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        watch = threading.Timer(seconds, self._kill)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _read(self, count: int) -> bytes:
        parts = []
        while count:
            part = self._pipe("stdout").read(count)
            if not part:
                raise Ended
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._pipe("stdin").write(rest) :]
        except (OSError, ValueError):  # one end of the pipe is closed
            raise Ended from None


class WorkerPool:
    """Workers, one for each concurrent call; they live until `close`."""

    def __init__(self, function: FileFunction) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._closed = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the function alone: in another process it starts its own workers."""
        return dataclasses.replace, (self._function,)

    def apply(self, blocks: _Floats, seeds: _Ints) -> _Floats:
        """Return the outputs, shape (B, D), NaN where the function failed."""
        return np.stack([self._answer(block, int(seed)) for block, seed in zip(blocks, seeds, strict=True)])

    def close(self) -> None:
        """End all workers, even busy ones."""
        with self._lock:
            self._closed = True
            workers = list(self._workers)
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            worker.end()

    def _answer(self, block: _Floats, seed: int) -> _Floats:
        worker = self._take()
        try:
            return worker.answer(block, seed)
        finally:
            self._put(worker)

    def _take(self) -> Worker:
        with self._lock:
            if self._closed:
                raise Ended
            if self._idle:
                return self._idle.pop()
            worker = Worker(self._function)
            self._workers.add(worker)
        try:
            worker.load()
        except ParameterError:
            worker.end()
            raise
        return worker

    def _put(self, worker: Worker) -> None:
        with self._lock:
            if worker.usable and not self._closed:
                self._idle.append(worker)
                return
        worker.end()
