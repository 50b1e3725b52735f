"""Read by a library in its own process: it may crash, exhaust memory, or never return.

The process has the memory of `engine.free_memory.allowance` and a time limit that grows with the file size.
The caller gets progress reports and may cancel.  An idle process waits for the next file.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

from engine.data.formats.apart_process import DAMAGED, END, ITEM, LACKING, LENGTH, REFUSED
from engine.data.formats.damage import LONGEST
from engine.data.formats.file_format import DataFile
from engine.errors import DataError
from engine.free_memory import allowance, growth_limit, size_in_words
from engine.progress import Progress

PACKAGE = __name__.rpartition(".")[0]
FOLDERS = {
    PACKAGE.rsplit(".", level)[0]: str(Path(__file__).parents[level])
    for level in range(PACKAGE.count(".") + 1)
}

BEGIN = f"""
import sys, types
for name, folder in {FOLDERS!r}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from {PACKAGE}.apart_process import main
main(*sys.argv[1:])
"""
"""Program of the process; importing the packages normally would load much more."""

READERS = f"{PACKAGE}.apart_process"

SECONDS = 8.0
BYTES_A_SECOND = 200_000
"""Processor time limit: `SECONDS`, and one more second for each `BYTES_A_SECOND` bytes of the file."""

SECONDS_OF_A_QUERY = 120.0
"""Seconds instead of `SECONDS` for a query that the user wrote."""

DAMAGED_FILE = "it is damaged or cut"
"""Message for a file that a library cannot read."""

NONE = -1
"""Kind of message when the process ended without one."""

LIBRARY = 1 << 27
"""Most bytes of memory that the process takes before it reads anything."""

PATIENCE = 0.05
"""Seconds between two checks of the process."""

PLAIN = {("datetime", name) for name in ("date", "datetime", "time", "timedelta")}
"""Types that messages may contain besides lists, texts and numbers."""

ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
}
"""Threads and pools reserve more address space than they use, and the limit counts address space."""


def database_error(problem: str, text: str, source: str) -> DataError:
    """Return the error for a database message, which may quote a cell and is then confidential."""
    return DataError(problem, confidential="" if f"({text})" in problem else text, source=source)


def read_apart(
    file: DataFile,
    reader: str,
    library: str,
    arguments: tuple[Any, ...],
    remedy: str,
    progress: Progress,
    *,
    explain: Callable[[str], str] | None = None,
    keeps: bool = True,
) -> Generator[Any, None, None]:
    """Run a function in its own process, and yield its results."""
    size = file.size
    limit = allowance(size)
    seconds = (SECONDS_OF_A_QUERY if file.options.sql else SECONDS) + size / BYTES_A_SECOND
    too_much = f"it takes more than {size_in_words(limit)} of memory; {remedy}"
    received, looked = 0, time.monotonic()
    with _process_of(library) as process:
        process.ask(
            reader if ":" in reader else f"{READERS}:{reader}",
            limit,
            seconds,
            (os.fspath(file.path.absolute()), *arguments),
        )
        import pyarrow  # noqa: F401 - what follows needs it: it is loaded while the process starts

        while True:
            progress(0.0, f"reading {file.name}")
            message = process.heard(PATIENCE)
            if message is None or time.monotonic() - looked > PATIENCE:
                memory, used = process.taken()
                looked = time.monotonic()
                if memory > limit + LIBRARY:
                    raise file.error(too_much)
                if used > seconds:
                    raise file.error(f"reading it takes more than {seconds:,.0f} seconds; {remedy}")
            if message is None:
                continue
            kind, content = message
            received += len(content)
            if kind == END:
                return
            if kind == LACKING or received > (limit if keeps else growth_limit(size)):
                raise file.error(too_much)
            if kind == REFUSED:
                raise file.error(content.decode())
            if kind == DAMAGED:
                said = " ".join(content.decode().split())[:LONGEST]
                raise database_error(
                    explain(said) if explain else f"{DAMAGED_FILE}; {remedy}", said, file.name
                )
            if kind != ITEM:
                raise file.error(
                    "the library that reads it has crashed: the file is damaged, or takes more "
                    f"than {size_in_words(limit)} of memory; {remedy}"
                )
            yield _Unpickler(content).load()


_waiting: dict[str, _Process] = {}
"""Idle processes, by the library that they have loaded."""

_taking = threading.Lock()


def prepare(library: str) -> None:
    """Start the process for a library ahead of its use."""
    with _taking:
        if library not in _waiting or _waiting[library].ended:
            _waiting[library] = _Process(library)


@contextlib.contextmanager
def _process_of(library: str) -> Iterator[_Process]:
    """Yield a process; afterwards keep it if it has read its file to the end, otherwise end it."""
    with _taking:
        process = _waiting.pop(library, None)
    if process is None or process.ended:
        process = _Process(library)
    try:
        yield process
    finally:
        with _taking:
            keeps = process.idle and library not in _waiting
            if keeps:
                _waiting[library] = process
        if not keeps:
            process.end()


@atexit.register
def end_waiting() -> None:
    """End the idle processes."""
    with _taking:
        while _waiting:
            _waiting.popitem()[1].end()


class _Process:
    """A process that has loaded a library and reads files one after another."""

    def __init__(self, library: str) -> None:
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", BEGIN, library],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **ENVIRONMENT},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise DataError(
                f"no process can be started to read it ({error.strerror}); close other programs"
            ) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._asking, self._saying = self._process.stdin, self._process.stdout
        self._messages: queue.Queue[tuple[int, bytes]] = queue.Queue(2)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._before = 0, 0.0
        self.idle = True

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def ask(self, reference: str, limit: int, seconds: float, arguments: tuple[Any, ...]) -> None:
        """Request the reading of a file."""
        self._before = self._facts()
        self.idle = False
        with contextlib.suppress(OSError):  # the process has ended; its messages will end, too
            pickle.dump((reference, limit, seconds, arguments), self._asking)
            self._asking.flush()
        # not all systems can wait on a pipe with a timeout
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def heard(self, patience: float) -> tuple[int, bytes] | None:
        """Return the next message within this many seconds; its kind is NONE if the process ended without
        one.
        """
        try:
            message = self._messages.get(timeout=patience)
        except queue.Empty:
            return None
        self.idle = message[0] == END
        return message

    def taken(self) -> tuple[int, float]:
        """Return the bytes of memory and seconds of processor time that this file has taken."""
        memory, seconds = self._facts()
        return memory - self._before[0], seconds - self._before[1]

    def end(self) -> None:
        """End the process in any state."""
        self._process.kill()
        while self._listener.is_alive():  # it may be blocked by a full queue
            with contextlib.suppress(queue.Empty):
                self._messages.get_nowait()
            self._listener.join(0.001)
        for pipe in (self._asking, self._saying):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()

    def _listen(self) -> None:
        kind = ITEM
        while kind == ITEM:
            head = self._saying.read(LENGTH.size)
            kind, length = LENGTH.unpack(head) if len(head) == LENGTH.size else (NONE, 0)
            content = self._saying.read(length)
            self._messages.put((kind if len(content) == length else NONE, content))

    def _facts(self) -> tuple[int, float]:
        import psutil

        try:
            facts = psutil.Process(self._process.pid)
            times = facts.cpu_times()
            return int(facts.memory_info().rss), float(times.user + times.system)
        except psutil.Error:  # it has ended meanwhile
            return 0, 0.0


class _Unpickler(pickle.Unpickler):
    """Unpickles plain values only; a damaged file may have taken over the library."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in PLAIN:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")
